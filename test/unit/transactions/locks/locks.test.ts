import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import fc from 'fast-check';
import { claimOf, ENDING, isOwnerDead, lockFileName, newClaim, thisMachine } from '../../../../src/transactions/locks/claims';
import { openLocks } from '../../../../src/transactions/locks/locks';
import type { OperationLocks } from '../../../../src/transactions/locks/types';
import { buildWorker, Worker, type Answer, type Places } from '../../../support/transactions/processes/workers';
import { PATIENCE_MS } from '../../../support/patience';

const NAME = 'position:5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6';

describe('locks', function () {
  let folder = '';
  const openedLocks: OperationLocks[] = [];
  const open = (): OperationLocks => {
    const locks = openLocks({ folder: join(folder, 'locks'), staleMs: 2_000, log: () => undefined });
    openedLocks.push(locks);
    return locks;
  };
  const claims = (): readonly string[] => readdirSync(join(folder, 'locks'));

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'binsight-locks-'))));
  afterEach(async () => {
    await Promise.all(openedLocks.splice(0).map((locks) => locks.dispose()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('A lock has one holder at a time and is free after its release', async () => {
    const [mine, others] = [open(), open()];
    assert.equal(existsSync(join(folder, 'locks')), false, 'nothing is touched before the first one');
    const held = (await mine.tryAcquire(NAME)) ?? assert.fail();
    assert.equal(held.name, NAME);
    assert.equal(await held.isStillHeld(), true);
    assert.equal(await others.tryAcquire(NAME), undefined);
    assert.equal(await mine.tryAcquire(NAME), undefined, 'nor twice by one');
    const another = await others.tryAcquire(NAME.toLowerCase());
    assert.notEqual(another, undefined, 'names that differ in case are others');
    await held.release();
    await held.release();
    assert.equal(await held.isStillHeld(), false);
    assert.equal(held.lost.aborted, false);
    const next = await others.tryAcquire(NAME);
    assert.notEqual(next, undefined);
    await Promise.all([another?.release(), next?.release()]);
    assert.deepEqual(claims(), []);
  });

  it('A lock may have any name', async () => {
    const locks = open();
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 4 }), async (names) => {
        const held = await Promise.all(names.map((name) => locks.tryAcquire(`operation:../${name}`)));
        const had = held.flatMap((one) => one ?? []);
        assert.equal(had.length, names.length);
        await Promise.all(had.map((one) => one.release()));
      }),
      { numRuns: 25 },
    );
    assert.deepEqual(readdirSync(folder), ['locks']);
    assert.deepEqual(claims(), []);
  });

  it('A lock goes to exactly one of many simultaneous requests', async () => {
    const all = Array.from({ length: 8 }, open);
    for (let round = 0; round < 20; round += 1) {
      const held = (await Promise.all(all.map((locks) => locks.tryAcquire(NAME)))).flatMap((one) => one ?? []);
      assert.equal(held.length, 1);
      await held[0]?.release();
    }
  });

  it('A request waits for a lock until its time is over', async () => {
    const [mine, others] = [open(), open()];
    const held = await mine.tryAcquire(NAME);
    const stop = new AbortController();
    const stopped = assert.rejects(others.acquire(NAME, stop.signal), { name: 'AbortError' });
    const waiting = others.acquire(NAME, AbortSignal.timeout(PATIENCE_MS));
    await later(50);
    stop.abort();
    await stopped;
    await held?.release();
    assert.equal(await (await waiting).isStillHeld(), true);
    await assert.rejects(mine.acquire('free', AbortSignal.abort()), { name: 'AbortError' });
  });

  it('The extension releases all locks at the end and acquires no more', async () => {
    const locks = open();
    const held = await Promise.all(['a', 'b', 'c'].map((name) => locks.tryAcquire(name)));
    const late = locks.tryAcquire('d');
    await locks.dispose();
    await assert.rejects(late, /window is closing/);
    await assert.rejects(locks.tryAcquire('e'), /window is closing/);
    assert.deepEqual(claims(), []);
    for (const one of held) {
      assert.equal(await one?.isStillHeld(), false);
    }
  });

  it('A holder learns that its lock was removed', async () => {
    const held = (await open().tryAcquire(NAME)) ?? assert.fail();
    rmSync(join(folder, 'locks', claims()[0] ?? ''), { recursive: true });
    assert.equal(await held.isStillHeld(), false, 'known at once when asked');
    await new Promise((resolve) => held.lost.addEventListener('abort', resolve));
    await held.release();
  });

  it('The locks ignore other files in their folder', async () => {
    mkdirSync(join(folder, 'locks'));
    for (const name of ['.DS_Store', 'x.lock', `${lockFileName(NAME)}.lock`]) {
      writeFileSync(join(folder, 'locks', name), '');
    }
    assert.notEqual(await open().tryAcquire(NAME), undefined);
  });

  it('The extension says why it cannot use the locks', async () => {
    writeFileSync(join(folder, 'locks'), '');
    await assert.rejects(open().tryAcquire(NAME), /^Error: The locks between windows cannot be used/);
  });

  it('The extension distinguishes locks of dead processes from locks of running ones', async () => {
    const here = thisMachine();
    assert.equal(thisMachine(), here);
    const claim = newClaim(NAME, here);
    assert.deepEqual(claimOf(`${claim.file}${ENDING}`), claim);
    assert.equal(claimOf(claim.file), undefined);
    assert.equal(isOwnerDead(claim, here), false);
    assert.equal(isOwnerDead({ ...claim, pid: 1 }, here), false);
    // Larger than any number of a process (2^22 on Linux).
    assert.equal(isOwnerDead({ ...claim, pid: 2 ** 31 - 1 }, here), true);
    assert.equal(isOwnerDead({ ...claim, pid: 2 ** 31 - 1 }, '00000000'), false, 'of another machine nothing is known');
  });
});

describe('locks: several processes', function () {
  let folder = '';
  let places: Places;
  const workers = new Set<Worker>();
  const openedLocks: OperationLocks[] = [];
  const start = (onTold?: (answer: Answer) => void, where = places): Worker => {
    const worker = new Worker(where, onTold);
    workers.add(worker);
    return worker;
  };
  const open = (where = places.locks): OperationLocks => {
    const locks = openLocks({ folder: where, staleMs: 2_000, log: () => undefined });
    openedLocks.push(locks);
    return locks;
  };
  const claims = (name: string): readonly string[] => readdirSync(places.locks).filter((file) => file.startsWith(lockFileName(name)));

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-locks-'));
    places = { worker: await buildWorker(folder), journal: join(folder, 'journal'), locks: join(folder, 'locks') };
  });

  afterEach(async () => {
    await Promise.all([...openedLocks.splice(0).map((locks) => locks.dispose()), ...[...workers].map((worker) => worker.kill())]);
    workers.clear();
    rmSync(places.locks, { recursive: true, force: true });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('A lock of one process excludes the others', async () => {
    const worker = start();
    assert.equal(await worker.ask('tryAcquire', NAME), true);
    const locks = open();
    assert.equal(await locks.tryAcquire(NAME), undefined);
    await worker.ask('release', NAME);
    assert.notEqual(await locks.tryAcquire(NAME), undefined);
    assert.equal(await worker.ask('tryAcquire', NAME), false);
  });

  it('The locks of a killed process are free at once and removed with the next lock', async () => {
    const worker = start();
    assert.equal(await worker.ask('tryAcquire', NAME), true);
    assert.equal(await worker.ask('tryAcquire', 'other'), true);
    await worker.kill();
    assert.equal(claims(NAME).length, 1);
    assert.notEqual(await open().tryAcquire(NAME), undefined);
    assert.deepEqual(claims('other'), []);
  });

  it('A process that ends normally releases its locks', async () => {
    const worker = start();
    assert.equal(await worker.ask('tryAcquire', NAME), true);
    await worker.leave();
    assert.deepEqual(claims(NAME), []);
  });

  it('A lock never has two holders, whichever process is killed at any moment', async function () {
    const insideFile = join(folder, 'inside');
    let rounds = 0;
    const busy = (): { readonly worker: Worker; readonly wrong: Promise<readonly string[]> } => {
      const worker = start((answer) => {
        rounds += 'told' in answer && answer.told === 'round' ? 1 : 0;
      });
      const wrong = worker.ask('contend', NAME, insideFile, 25);
      wrong.catch(() => undefined);
      return { worker, wrong };
    };
    const delays = fc.sample(fc.integer({ min: 60, max: 200 }), { numRuns: 15, seed: 7 });
    for (const delayMs of delays) {
      const { worker } = busy();
      await later(delayMs);
      await worker.kill();
      workers.delete(worker);
      if (workers.size < 3) {
        busy();
      }
    }
    const last = [busy(), busy(), busy()];
    assert.deepEqual((await Promise.all(last.map(({ wrong }) => wrong))).flat(), []);
    assert.ok(rounds >= 75, String(rounds));
  });

  it("The extension takes over a silent holder's lock once that is safe, and the former holder never releases it", async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    // They take seconds, each with a lock of its own.
    await Promise.all([takenOverFromAnotherMachine(), takenOverFromOneThatStands(), keptByOneThatWakes()]);
  });

  async function takenOverFromAnotherMachine(): Promise<void> {
    const name = 'of another machine';
    const worker = start();
    assert.equal(await worker.ask('tryAcquire', name), true);
    await worker.kill();
    const [file = ''] = claims(name);
    const path = join(places.locks, file.replace(thisMachine(), '00000000'));
    renameSync(join(places.locks, file), path);
    utimesSync(path, new Date(), new Date());
    const locks = open();
    assert.equal(await locks.tryAcquire(name), undefined, 'it may be alive');
    await locks.acquire(name, AbortSignal.timeout(PATIENCE_MS));
    assert.equal(existsSync(path), false);
  }

  async function takenOverFromOneThatStands(): Promise<void> {
    const name = 'of one that stands still';
    const worker = start();
    assert.equal(await worker.ask('tryAcquire', name), true);
    worker.signal('SIGSTOP');
    const held = await open().acquire(name, AbortSignal.timeout(PATIENCE_MS));
    worker.signal('SIGCONT');
    assert.equal(await worker.ask('isStillHeld', name), false);
    await worker.ask('waitUntilLost', name);
    await worker.ask('release', name);
    assert.equal(await held.isStillHeld(), true, 'who lost it gives back nothing of others');
    assert.equal(await worker.ask('tryAcquire', name), false);
  }

  async function keptByOneThatWakes(): Promise<void> {
    const name = 'of one that wakes up';
    // In a folder of its own: the others sweep theirs.
    const apart = join(places.locks, 'apart');
    const worker = start(undefined, { ...places, locks: apart });
    assert.equal(await worker.ask('tryAcquire', name), true);
    worker.signal('SIGSTOP');
    const path = join(apart, readdirSync(apart)[0] ?? '');
    const locks = open(apart);
    // The machine sleeps for longer than it takes to be stale, and both wake up.
    while (statSync(path).mtimeMs > Date.now() - 2_500) {
      await later(50);
    }
    const tried = locks.tryAcquire(name);
    // One of them a moment later: its lock looks stale all that while.
    await later(400);
    worker.signal('SIGCONT');
    assert.equal(await tried, undefined);
    assert.equal(await worker.ask('isStillHeld', name), true);
  }
});
