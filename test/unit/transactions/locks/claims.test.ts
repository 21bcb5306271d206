import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  claimOf,
  ENDING,
  isOwnerDead,
  isPidReused,
  lockFileName,
  newClaim,
  processTag,
  thisMachine,
} from '../../../../src/transactions/locks/claims';
import { openLocks } from '../../../../src/transactions/locks/locks';
import { startTimeIn, systemProcesses, type ProcessTable } from '../../../../src/base/processes';
import type { OperationLocks } from '../../../../src/transactions/locks/types';
import { PATIENCE_MS } from '../../../support/patience';

const NAME = 'wallet:5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6';
const HERE = thisMachine();
const FUTURE = new Date(Date.now() + 7 * 86_400_000);
/** The form of claims of the version before, as its windows read it. */
const FORMER_FORM = /^([0-9a-f]{40})\.([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{16})$/;

/** Processes that a test decides about. */
class Processes implements ProcessTable {
  readonly started = new Map<number, string>();
  /** The system does not say when they were started. */
  readonly isSecretive: boolean;

  constructor(
    readonly ownPid: number,
    started: Readonly<Record<number, string>>,
    isSecretive = false,
  ) {
    this.isSecretive = isSecretive;
    Object.entries(started).forEach(([pid, at]) => this.started.set(Number(pid), at));
  }

  isRunning(pid: number): boolean {
    return this.started.has(pid);
  }

  async startedAt(pid: number): Promise<string | undefined> {
    return this.isSecretive ? undefined : this.started.get(pid);
  }
}

describe('locks: claims', () => {
  const pid = fc.integer({ min: 1, max: 2 ** 32 - 1 });
  const startedAt = fc.string({ minLength: 1, maxLength: 30 });

  it('A claim names the process that made it, in a form that windows of the previous version read', () => {
    fc.assert(
      fc.property(pid, startedAt, fc.boolean(), (of, at, isTagged) => {
        const tag = isTagged ? processTag(of, at) : undefined;
        const claim = newClaim(NAME, HERE, tag, of);
        const read = claimOf(`${claim.file}${ENDING}`);
        // Ids of ten digits exist on Windows only, which does not say when processes were started.
        assert.deepEqual(read, of >= 1e9 ? { ...claim, processTag: undefined } : claim);
        const [, lock, machine, number] = FORMER_FORM.exec(claim.file) ?? [];
        assert.deepEqual([lock, machine, Number(number)], [lockFileName(NAME), HERE, of]);
      }),
    );
  });

  it('A claim counts as dead only with proof that its process is gone, for any set of processes', async () => {
    const table = fc.dictionary(fc.integer({ min: 2, max: 40 }).map(String), fc.constantFrom('100', '200', '300'));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 40 }),
        fc.constantFrom('100', '200', '300'),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        table,
        fc.boolean(),
        async (maker, madeAt, isTagged, isHere, isMakerAlive, others, isSecretive) => {
          const processes = new Processes(1, { 1: '1', ...others }, isSecretive);
          if (isMakerAlive) {
            processes.started.set(maker, madeAt);
          }
          const made = newClaim(NAME, isHere ? HERE : '00000000', isTagged ? processTag(maker, madeAt) : undefined, maker);
          const claim = claimOf(`${made.file}${ENDING}`) ?? assert.fail();
          const found = isOwnerDead(claim, HERE, processes) || (await isPidReused(claim, HERE, processes));
          if (isMakerAlive) {
            assert.equal(found, false, 'the holder lives');
          }
          const now = processes.started.get(maker);
          const isProven = isHere && (now === undefined || (isTagged && !isSecretive && now !== madeAt));
          assert.equal(found, isProven);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('A claim of an earlier process with the same id is dead, and the own claim is not', async () => {
    const own = new Processes(77, { 77: '500' });
    const of = (at: string) => newClaim(NAME, HERE, processTag(77, at), 77);
    assert.equal(await isPidReused(of('500'), HERE, own), false);
    assert.equal(await isPidReused(of('400'), HERE, own), true);
  });

  it('The extension reads the start time of a running process and none of an ended one', async function () {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await once(child, 'spawn');
      const childPid = child.pid ?? assert.fail();
      const [first, second, own] = [
        await systemProcesses.startedAt(childPid),
        await systemProcesses.startedAt(childPid),
        await systemProcesses.startedAt(process.pid),
      ];
      if (process.platform === 'win32') {
        assert.deepEqual([first, second, own], [undefined, undefined, undefined]);
        this.skip();
      }
      assert.notEqual(first, undefined);
      assert.equal(first, second);
      assert.notEqual(own, undefined);
      assert.equal(systemProcesses.isRunning(childPid), true);
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.equal(systemProcesses.isRunning(childPid), false);
      assert.equal(await systemProcesses.startedAt(childPid), undefined);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('The reader finds the start time of processes whose names contain parentheses', () => {
    const rest = 'S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21';
    assert.equal(startTimeIn(`12 (code) ${rest}`), '4711');
    assert.equal(startTimeIn(`12 (a) S 9 (b)) ${rest}\n`), '4711');
    for (const broken of ['', '12 (code) S 1 2', `12 (code) ${rest.replace('4711', 'x')}`]) {
      assert.equal(startTimeIn(broken), undefined);
    }
  });
});

describe('locks: abandoned claims', function () {
  let folder = '';
  const opened: OperationLocks[] = [];
  const open = (processes?: ProcessTable): OperationLocks => {
    const locks = openLocks({ folder, staleMs: 2_000, log: () => undefined, ...(processes === undefined ? {} : { processes }) });
    opened.push(locks);
    return locks;
  };
  const leave = (file: string, at: Date): void => {
    mkdirSync(join(folder, `${file}${ENDING}`));
    utimesSync(join(folder, `${file}${ENDING}`), at, at);
  };

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'binsight-claims-'))));
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((locks) => locks.dispose()));
    rmSync(folder, { recursive: true, force: true });
  });

  it("The extension takes a lock over at once if another process now has its holder's id", async () => {
    const processes = new Processes(77, { 77: '500', 88: '400' });
    leave(newClaim(NAME, HERE, processTag(88, '300'), 88).file, FUTURE);
    assert.notEqual(await open(processes).tryAcquire(NAME), undefined);
    leave(newClaim('other', HERE, processTag(77, '300'), 77).file, FUTURE);
    assert.notEqual(await open(processes).tryAcquire('other'), undefined, 'and where we have it ourselves');
  });

  it('The extension takes over unrefreshed locks with a future time, also in the form of the previous version', async () => {
    // Before a reboot, with the id of a process that runs: 1 does.
    const former = [`${lockFileName(NAME)}.${HERE}-1-0123456789abcdef`, `${lockFileName(NAME)}.0badb007-1-0123456789abcdef`];
    former.forEach((file) => leave(file, FUTURE));
    const held = await open().acquire(NAME, AbortSignal.timeout(PATIENCE_MS));
    assert.equal(await held.isStillHeld(), true);
    assert.equal(readdirSync(folder).length, 1);
  });

  it("The extension takes over a previous version's lock once its process is gone, and respects it until then", async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await once(child, 'spawn');
      const file = `${lockFileName(NAME)}.${HERE}-${child.pid ?? 0}-0123456789abcdef`;
      leave(file, new Date());
      const locks = open();
      assert.equal(await locks.tryAcquire(NAME), undefined);
      child.kill('SIGKILL');
      await once(child, 'exit');
      utimesSync(join(folder, `${file}${ENDING}`), FUTURE, FUTURE);
      assert.notEqual(await locks.tryAcquire(NAME), undefined);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('A lock stays with a holder that refreshes it, however far ahead its clock is', async () => {
    const file = `${lockFileName(NAME)}.0badb007-1-0123456789abcdef`;
    leave(file, FUTURE);
    let ahead = FUTURE.getTime();
    const refreshing = setInterval(() => {
      ahead += 500;
      utimesSync(join(folder, `${file}${ENDING}`), new Date(ahead), new Date(ahead));
    }, 500);
    try {
      const locks = open();
      for (let tries = 0; tries < 5; tries += 1) {
        assert.equal(await locks.tryAcquire(NAME), undefined);
      }
      await assert.rejects(locks.acquire(NAME, AbortSignal.timeout(5_000)));
    } finally {
      clearInterval(refreshing);
    }
  });

  it('A lock contains the start time of its own process if the system reports it', async () => {
    await open(new Processes(77, { 77: '500' })).tryAcquire(NAME);
    const [file = ''] = readdirSync(folder);
    const claim = claimOf(file) ?? assert.fail();
    assert.equal(claim.pid, 77);
    assert.equal(claim.processTag, processTag(77, '500'));
    await open(new Processes(78, { 77: '500', 78: '600' }, true)).tryAcquire('other');
    const other = readdirSync(folder)
      .map((name) => claimOf(name))
      .find((found) => found?.lock === lockFileName('other'));
    assert.equal(other?.processTag, undefined);
  });
});
