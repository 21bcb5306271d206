import { told } from '../../../../src/base/reasons/reason';
import { wordsOf } from '../../../support/transactions/words';
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../../src/service/errors';
import type { LiquidityService } from '../../../../src/service/service';
import { JournalError } from '../../../../src/transactions/journal/errors';
import type { JournalEntry, JournalEvent, OperationJournal, OperationRecord } from '../../../../src/transactions/journal/types';
import type { HeldLock, OperationLocks } from '../../../../src/transactions/locks/types';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { FakeClock } from '../../../support/portfolio/fixtures';
import { addressOf, base64Of, honestZapIn, honestZapOut, OWNER, OWNER_KEY, POOL, POSITION } from '../../../support/review/bundles';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { asOf, ScriptedNode } from '../../../support/rpc/scriptedNode';
import { errorMessageOf, OperationError } from '../../../../src/transactions/errors';
import {
  ADD_BUILD,
  DECREASE_BUILD,
  answered,
  bench,
  eventsOf,
  EXPIRED_MS,
  failureOf,
  FakeChain,
  goingOn,
  newStorage,
  openWindow,
  realSigner,
  recordsOf,
  sent,
  SERVICE,
  SIGNATURE,
  thePosition,
  until,
  WALLET,
  zapInPlan,
  zapOutPlan,
  type Bench,
} from '../../../support/transactions/harness';
import { MESSAGE } from '../../../support/transactions/records';

const runOut = ({ dependencies, host, abort }: Bench) => runZapOut(zapOutPlan(), dependencies, host, abort.signal);
const runIn = ({ dependencies, host, abort }: Bench) => runZapIn(zapInPlan(), dependencies, host, abort.signal);

const refusal = (message: string) => answered(422, message);
const noAnswer = new ServiceError('api.example did not answer within 30 s.', { kind: 'timeout', endpoint: 'POST /x', mayHaveLanded: true });

const WHOLE = ['created', 'built', 'reviewed', 'approved', 'signed', 'submitted', 'landed', 'settled'];

/** Builds the same withdrawal with another blockhash each time. @param chain on which it can land from then on */
function buildingAnew(chain?: FakeChain): Pick<LiquidityService, 'buildDecrease' | 'buildAdd'> {
  let built = 0;
  const blockhash = () => addressOf(`blockhash ${(built += 1)}`);
  return {
    buildDecrease: () => {
      const at = blockhash();
      const [close, ...swaps] = honestZapOut().map((draft) => base64Of({ ...draft, blockhash: at }));
      return Promise.resolve({
        closeTransactions: close === undefined ? [] : [close],
        swapTransactions: swaps,
        lastValidBlockHeight: chain?.lastValidBlockHeight ?? 100 + built,
      });
    },
    buildAdd: () => {
      const at = blockhash();
      const [buy, ...adds] = honestZapIn().map((draft) => base64Of({ ...draft, blockhash: at }));
      return Promise.resolve({ ...ADD_BUILD, swapTransactions: buy === undefined ? [] : [buy], addTransactions: adds });
    },
  };
}

/** A zap-in whose first landing comes too late, thirty seconds after it was built; it waits by the clock of the test. */
async function lateZapIn(rpc?: SolanaRpc): Promise<Bench> {
  const clock = new FakeClock();
  let landings = 0;
  const fixture: Bench = await bench({
    ...(rpc === undefined ? {} : { rpc }),
    isSimulating: false,
    listed: [],
    clock,
    dependencies: { clock },
    service: {
      ...WALLET,
      ...buildingAnew(),
      landAdd: async () => {
        landings += 1;
        await clock.advance(landings === 1 ? 30_000 : 0);
        fixture.listed = landings === 1 ? [] : [thePosition()];
        return landings === 1 ? Promise.reject(refusal('block height exceeded')) : { signature: SIGNATURE };
      },
    },
  });
  return fixture;
}

/** A journal that takes nothing of one kind. */
function failingAt(journal: OperationJournal, kind: JournalEvent['kind']): OperationJournal {
  const full = new JournalError('notWritten', 'The operation journal cannot be written. There is no space left on the disk.');
  const wrapped = (entry: JournalEntry): JournalEntry => ({
    id: entry.id,
    get record() {
      return entry.record;
    },
    append: (event) => (event.kind === kind ? Promise.reject(full) : entry.append(event)),
  });
  return {
    begin: async (created) => (kind === 'created' ? Promise.reject(full) : wrapped(await journal.begin(created))),
    nowFor: (record) => journal.nowFor(record),
    resume: (id) => journal.resume(id),
    read: () => journal.read(),
    onDidChange: (listener) => journal.onDidChange(listener),
    dispose: () => journal.dispose(),
  };
}

/** Locks that are lost when it is said so. */
function losable(locks: OperationLocks): { readonly locks: OperationLocks; readonly lose: (name: RegExp, isSignaled: boolean) => void } {
  const held: { readonly name: string; readonly lost: AbortController; isGone: boolean }[] = [];
  const wrapped = (lock: HeldLock): HeldLock => {
    const one = { name: lock.name, lost: new AbortController(), isGone: false };
    held.push(one);
    return {
      name: lock.name,
      lost: one.lost.signal,
      isStillHeld: async () => !one.isGone && (await lock.isStillHeld()),
      release: () => lock.release(),
    };
  };
  return {
    locks: {
      tryAcquire: async (name) => {
        const lock = await locks.tryAcquire(name);
        return lock === undefined ? undefined : wrapped(lock);
      },
      acquire: async (name, signal) => wrapped(await locks.acquire(name, signal)),
      dispose: () => locks.dispose(),
    },
    lose: (name, isSignaled) => {
      const lost = held.filter((one) => name.test(one.name));
      assert.ok(lost.length > 0, `none of ${held.map((one) => one.name).join()}`);
      for (const one of lost) {
        one.isGone = true;
        if (isSignaled) {
          one.lost.abort();
        }
      }
    },
  };
}

describe('operation: journal', () => {
  it('The extension writes each step to the disk before the next one happens', async () => {
    const onDisk: Record<string, readonly string[]> = {};
    let fixture: Bench | undefined = undefined as Bench | undefined;
    const look = async (at: string) => {
      const reader = openWindow(fixture?.storage ?? assert.fail(), () => 0);
      onDisk[at] = (await reader.journal.read()).records[0]?.events.map(({ kind }) => kind) ?? [];
    };
    const signer = realSigner();
    fixture = await bench({
      service: {
        buildDecrease: async (request, options) => {
          await look('building');
          return buildingAnew().buildDecrease(request, options);
        },
        landDecrease: async () => {
          await look('landing');
          (fixture ?? assert.fail()).listed = [];
          return { signature: SIGNATURE };
        },
      },
      host: {
        approve: async () => {
          await look('asking');
          return true;
        },
        signer: () =>
          Promise.resolve({
            owner: OWNER,
            sign: async (transactions) => {
              await look('signing');
              return signer.sign(transactions);
            },
          }),
      },
    });
    const began: string[] = [];
    const leftOpen: string[] = [];
    const host = { ...fixture.host, began: (id: string) => began.push(id), leftOpen: (id: string) => leftOpen.push(id) };
    assert.equal((await runZapOut(zapOutPlan(), fixture.dependencies, host, fixture.abort.signal)).kind, 'settled');
    assert.deepEqual(onDisk, {
      building: WHOLE.slice(0, 1),
      asking: WHOLE.slice(0, 3),
      signing: WHOLE.slice(0, 4),
      landing: WHOLE.slice(0, 6),
    });
    assert.deepEqual(await eventsOf(fixture), WHOLE);
    const [record] = await recordsOf(fixture);
    assert.ok(record !== undefined);
    assert.deepEqual([began, leftOpen], [[record.id], []]);
    const { created, built, signatures, landingSignature } = record;
    assert.deepEqual(
      [created.service, created.owner, created.pool, created.operation, created.pairName],
      [SERVICE, OWNER, POOL, 'zapOut', thePosition().pairName],
    );
    assert.ok(created.plan.kind === 'zapOut');
    assert.deepEqual([created.plan.position, created.plan.shareBps, created.plan.before.amount0], [POSITION, 10_000, '0.005']);
    assert.deepEqual([built?.position, built?.transactions, built?.blockhashes], [POSITION, 3, [addressOf('blockhash 1')]]);
    assert.deepEqual(
      built?.messageHashes,
      fixture.trace.reviews[0]?.transactions.map(({ messageHash }) => messageHash),
    );
    assert.equal(landingSignature, SIGNATURE);
    assert.equal(new Set(signatures).size, 3);
    assert.ok(signatures.every((signature) => /^[1-9A-HJ-NP-Za-km-z]{80,90}$/.test(signature)));
  });

  it('The journal contains neither signed transactions nor the key', async () => {
    const fixture = await bench({ listed: [] });
    assert.equal((await runIn(fixture)).kind, 'settled');
    const folder = join(fixture.storage.folder, 'journal');
    const text = (await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    assert.ok(text.includes(SIGNATURE));
    const [landing] = fixture.trace.landings;
    assert.ok(landing !== undefined && 'addTransactions' in landing);
    const seed = Buffer.from(OWNER_KEY.secretKey.slice(0, 32));
    for (const secret of [...landing.addTransactions, ...landing.swapTransactions]
      .map((one) => one.slice(100, 160))
      .concat(seed.toString('base64').slice(0, 30), seed.toString('hex').slice(0, 40))) {
      assert.ok(!text.includes(secret));
    }
  });

  it('The journal records an operation as abandoned if nothing was sent and nothing failed', async () => {
    const declined = await bench({ host: { approve: () => Promise.resolve(false) } });
    await runOut(declined);
    assert.deepEqual(await eventsOf(declined), ['created', 'built', 'reviewed', 'abandoned']);
    const blocked = await bench({ listed: [] });
    assert.equal(
      (await runZapIn(zapInPlan({ inputLamports: 1_000_000n }), blocked.dependencies, blocked.host, blocked.abort.signal)).kind,
      'blocked',
    );
    assert.match(wordsOf((await recordsOf(blocked))[0]?.reason), /^The review blocked it\. .{10}/);
    const cancelled: Bench = await bench({
      host: {
        signer: () => {
          cancelled.abort.abort();
          return Promise.resolve(realSigner(cancelled.clock));
        },
      },
    });
    assert.equal((await runOut(cancelled)).kind, 'declined');
    assert.deepEqual((await eventsOf(cancelled)).at(-1), 'abandoned');
  });

  it('The journal records the message that the user saw if the operation failed before sending', async () => {
    const fixture = await bench({ service: { buildDecrease: () => Promise.reject(refusal('Insufficient balance')) } });
    const failure = await failureOf(runOut(fixture));
    const [record] = await recordsOf(fixture);
    assert.deepEqual([record?.state, wordsOf(record?.reason)], ['failed', failure.message]);
  });

  it('The journal records that the operation was built and reviewed again after a delay', async () => {
    const fixture = await bench({
      service: buildingAnew(),
      host: {
        approve: async () => {
          await fixture.clock.advance(61_000);
          return true;
        },
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(await eventsOf(fixture), ['created', 'built', 'reviewed', 'approved', ...WHOLE.slice(1)]);
    assert.deepEqual((await recordsOf(fixture))[0]?.built?.blockhashes, [addressOf(`blockhash ${fixture.trace.builds.length}`)]);
  });

  for (const kind of ['created', 'built', 'reviewed', 'approved', 'signed', 'submitted'] as const) {
    it(`The operation stops with a message before sending if "${kind}" cannot be written`, async () => {
      const storage = await newStorage();
      const fixture = await bench({
        storage,
        window: { journal: failingAt(openWindow(storage, () => Date.UTC(2026, 10, 20)).journal, kind) },
      });
      const failure = await failureOf(runOut(fixture));
      assert.deepEqual([failure.kind, failure.money], ['notRecorded', 'untouched']);
      assert.match(failure.message, /no space left on the disk\. Nothing was sent\. Your money has not moved\./);
      assert.equal(fixture.trace.landings.length, 0);
      const written = (await recordsOf(fixture))[0]?.events.map((event) => event.kind) ?? [];
      assert.deepEqual(written, WHOLE.slice(0, WHOLE.indexOf(kind)));
    });
  }

  for (const kind of ['landed', 'settled'] as const) {
    it(`The operation continues to its end if "${kind}" cannot be written, because it has happened`, async () => {
      const storage = await newStorage();
      const fixture = await bench({
        storage,
        window: { journal: failingAt(openWindow(storage, () => Date.UTC(2026, 10, 20)).journal, kind) },
      });
      assert.equal((await runOut(fixture)).kind, 'settled');
      assert.match(fixture.trace.logs.join('\n'), new RegExp(`"${kind}" is not in the journal`));
      assert.deepEqual(await eventsOf(fixture), WHOLE.slice(0, WHOLE.indexOf(kind)));
    });
  }

  it('The operation releases all locks, however it ends', async () => {
    const benches = [
      await bench(),
      await bench({ host: { approve: () => Promise.resolve(false) } }),
      await bench({ service: { buildDecrease: () => Promise.reject(refusal('no')) } }),
      await bench({ service: { ...WALLET, landDecrease: () => Promise.reject(refusal('no')) } }),
    ];
    for (const fixture of benches) {
      await goingOn(
        fixture.clock,
        20_000,
        runOut(fixture).then(
          () => undefined,
          () => undefined,
        ),
      );
      assert.deepEqual(await readdir(join(fixture.storage.folder, 'locks')), []);
    }
  });
});

describe('operation: conflicts with other windows', () => {
  it('The operation starts only after another window has finished its work on the position', async () => {
    const fixture = await bench();
    const other = openWindow(fixture.storage, () => fixture.clock.now());
    const held = await other.locks.tryAcquire(`position:${POSITION}`);
    assert.ok(held !== undefined);
    const failure = await failureOf(runOut(fixture));
    assert.deepEqual([failure.kind, failure.money], ['underWay', 'untouched']);
    assert.match(failure.message, /^Another window is working on this position\./);
    assert.deepEqual([fixture.trace.builds.length, (await recordsOf(fixture)).length], [0, 0]);
    await held.release();
    assert.equal((await runOut(fixture)).kind, 'settled');
  });

  it('The operation does not enter a pool that another window is entering', async () => {
    const fixture = await bench({ listed: [] });
    const other = await bench({ storage: fixture.storage, listed: [], service: { buildAdd: () => new Promise(() => undefined) } });
    const building = runIn(other);
    await until(() => other.trace.builds.length > 0);
    assert.match((await failureOf(runIn(fixture))).message, /^Another window is working on this pool\./);
    other.abort.abort();
    assert.equal((await building).kind, 'declined');
    assert.equal((await runIn(fixture)).kind, 'settled');
  });

  it("The operation waits for the wallet's lock only before sending, not during the consent", async () => {
    const fixture = await bench();
    const other = openWindow(fixture.storage, () => fixture.clock.now());
    const free = await other.locks.tryAcquire(`wallet:${OWNER}`);
    assert.ok(free !== undefined);
    const running = runOut(fixture);
    await until(() => fixture.trace.steps.at(-1) === 'signing');
    assert.equal(fixture.trace.landings.length, 0);
    await free.release();
    assert.equal((await running).kind, 'settled');
    const asked: Bench = await bench({
      host: {
        approve: async () => {
          const wallet = await openWindow(asked.storage, () => 0).locks.tryAcquire(`wallet:${OWNER}`);
          assert.ok(wallet !== undefined);
          await wallet.release();
          return true;
        },
      },
    });
    assert.equal((await runOut(asked)).kind, 'settled');
  });

  it('The operation ends if the user cancels while it waits for the wallet', async () => {
    const fixture = await bench();
    assert.ok((await openWindow(fixture.storage, () => 0).locks.tryAcquire(`wallet:${OWNER}`)) !== undefined);
    const running = runOut(fixture);
    await until(() => fixture.trace.steps.at(-1) === 'signing');
    fixture.abort.abort();
    assert.equal((await running).kind, 'declined');
  });

  for (const [name, error] of [
    ['zap-out', noAnswer],
    ['zap-in', noAnswer],
  ] as const) {
    it(`The operation does not start in any window while an earlier ${name} may still land`, async () => {
      const listed = name === 'zap-out' ? [thePosition()] : [];
      const run = name === 'zap-out' ? runOut : runIn;
      const fixture = await bench({ listed, service: { landDecrease: () => Promise.reject(error), landAdd: () => Promise.reject(error) } });
      const failing = failureOf(run(fixture));
      await sent(fixture);
      await fixture.clock.advance(24_000);
      fixture.abort.abort();
      assert.equal((await failing).kind, 'mayHaveLanded');
      const asked: string[] = [];
      const repeat = (earlier: readonly OperationRecord[]) => {
        asked.push(...earlier.map(({ state }) => state));
        return Promise.resolve(asked.length > 1);
      };
      const other = await bench({ storage: fixture.storage, listed, clock: fixture.clock, host: { repeat } });
      const failure = await failureOf(run(other));
      assert.deepEqual([failure.kind, failure.money, other.trace.builds.length], ['underWay', 'untouched', 0]);
      assert.match(failure.message, new RegExp(`^The outcome of an earlier ${name} is not known yet`));
      await fixture.clock.advance(300_000);
      await other.portfolio.refresh('manual', ['positions']);
      assert.equal(
        (await failureOf(run({ ...other, host: { ...other.host, repeat: undefined } }))).kind,
        'mayRepeat',
        'nobody can be asked',
      );
      assert.equal((await run(other)).kind, 'declined', 'later it is a question');
      assert.deepEqual([other.trace.builds.length, other.trace.reviews.length], [0, 0]);
      assert.equal((await run(other)).kind, 'settled');
      assert.deepEqual(asked, ['unconfirmed', 'unconfirmed']);
    });
  }

  it('An unclear operation is asked about only on the same position or pool, and no longer once it was acknowledged', async () => {
    const fixture = await bench({ listed: [], service: { ...WALLET, landAdd: () => Promise.reject(noAnswer) } });
    await goingOn(fixture.clock, 10_000, failureOf(runIn(fixture)));
    const [unclear] = await recordsOf(fixture);
    assert.ok(unclear !== undefined && unclear.isUnclear);
    const asked: string[] = [];
    const repeat = (earlier: readonly OperationRecord[]) => {
      asked.push(...earlier.map(({ id }) => id));
      return Promise.resolve(false);
    };
    const next = await bench({ storage: fixture.storage, clock: fixture.clock, host: { repeat } });
    assert.equal((await runOut(next)).kind, 'settled', 'a zap-out is something else');
    assert.equal((await runIn(next)).kind, 'declined');
    assert.deepEqual(asked, [unclear.id]);
    await (await next.dependencies.journal.resume(unclear.id))?.append({ kind: 'seen', reason: told('You were shown it.') });
    assert.equal((await runIn(next)).kind, 'settled');
    assert.deepEqual(asked, [unclear.id]);
  });

  it("The operation stops if it loses the position's lock during the consent", async () => {
    const storage = await newStorage();
    const { locks, lose } = losable(openWindow(storage, () => 0).locks);
    const fixture = await bench({
      storage,
      window: { locks },
      host: {
        approve: () => {
          lose(/^position:/, true);
          return new Promise(() => undefined);
        },
      },
    });
    const failure = await failureOf(runOut(fixture));
    assert.deepEqual([failure.kind, failure.money, fixture.trace.signersAsked], ['interrupted', 'untouched', 0]);
    assert.match(failure.message, /was suspended, and another one may have taken over/);
  });

  for (const lock of [/^position:/, /^operation:/, /^wallet:/]) {
    it(`The operation sends nothing if it has lost this lock at the last moment: ${lock.source}`, async () => {
      const storage = await newStorage();
      const { locks, lose } = losable(openWindow(storage, () => 0).locks);
      const signer = realSigner();
      const fixture = await bench({
        storage,
        window: { locks },
        host: {
          signer: () =>
            Promise.resolve({
              owner: OWNER,
              sign: (transactions) => {
                lose(lock, false);
                return signer.sign(transactions);
              },
            }),
        },
      });
      const failure = await failureOf(runOut(fixture));
      assert.deepEqual([failure.kind, failure.money, fixture.trace.landings.length], ['interrupted', 'untouched', 0]);
      // What shows from now on is not its doing.
      assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'failed']);
    });
  }

  it('The operation writes nothing more after another window took it over, and still reports its end', async () => {
    const storage = await newStorage();
    const { locks, lose } = losable(openWindow(storage, () => 0).locks);
    const fixture: Bench = await bench({
      storage,
      window: { locks },
      service: {
        landDecrease: () => {
          lose(/^operation:/, true);
          fixture.listed = [];
          return Promise.resolve({ signature: SIGNATURE });
        },
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(await eventsOf(fixture), WHOLE.slice(0, 6));
  });
});

describe('operation: after sending', () => {
  for (const status of [400, 401, 403, 404, 409, 422, 307, 500]) {
    it(`The operation counts as not landed after the answer ${status} only with proof by the chain`, async () => {
      const chain = new FakeChain(new FakeClock());
      const fixture = await bench({
        ...chain.parts,
        service: { landDecrease: () => Promise.reject(answered(status, 'Simulation failed')) },
      });
      const failing = failureOf(runOut(fixture));
      await until(() => fixture.trace.steps.at(-1) === 'findingOut' && fixture.clock.timers > 0);
      assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'unconfirmed']);
      assert.match(
        wordsOf((await recordsOf(fixture))[0]?.reason),
        new RegExp(`^It was sent, and the service answered ${status}.*\\(Simulation failed\\)\\.$`),
      );
      const startMs = fixture.clock.now();
      const failure = await goingOn(fixture.clock, 1_000, failing);
      assert.ok(fixture.clock.now() - startMs >= EXPIRED_MS);
      assert.deepEqual([failure.kind, failure.money, failure.offersFreshQuote], ['notLanded', 'untouched', true]);
      assert.match(
        failure.message,
        new RegExp(
          `^The zap-out was sent, and the service answered ${status}.*It did not land and no longer can\\. Your money has not moved\\. Try again with a fresh quote\\.$`,
        ),
      );
      assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'unconfirmed', 'expired']);
      assert.equal(fixture.trace.landings.length, 1);
    });

    it(`Without an RPC, an operation that lists do not show after the answer ${status} may have landed, and no retry is offered`, async () => {
      const fixture = await bench({ service: { ...WALLET, landDecrease: () => Promise.reject(answered(status, 'Simulation failed')) } });
      const startMs = fixture.clock.now();
      const failure = await goingOn(fixture.clock, 10_000, failureOf(runOut(fixture)));
      assert.ok(fixture.clock.now() - startMs >= 300_000, 'while it can land, it is looked for');
      assert.deepEqual([failure.kind, failure.money, failure.offersFreshQuote], ['mayHaveLanded', 'unknown', false]);
      assert.match(failure.message, /It may have landed\. Your positions do not show it\. Look up its signatures, or connect an RPC/);
      const [record] = await recordsOf(fixture);
      assert.deepEqual([record?.state, record?.isUnclear], ['failed', true]);
      assert.deepEqual(failure.lookUp, { signature: record?.signatures.at(-1), hasExplorer: false });
    });

    it(`The operation settles if it landed despite the answer ${status}, without an error or a repetition`, async () => {
      for (const message of ['Bundle refused', 'Blockhash not found', 'Slippage exceeded']) {
        const fixture: Bench = await bench({
          service: {
            ...WALLET,
            landDecrease: () => {
              fixture.listed = [];
              return Promise.reject(answered(status, message));
            },
          },
        });
        assert.equal((await goingOn(fixture.clock, 1_000, runOut(fixture))).kind, 'settled');
        assert.deepEqual([fixture.trace.landings.length, fixture.trace.reviews.length], [1, 1]);
        assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'unconfirmed', 'settled']);
      }
    });
  }

  it('The operation counts as not sent and waits for nothing if it never left this machine', async () => {
    const refused = new ServiceError('Nothing answers at api.example (connection refused).', { kind: 'unreachable', endpoint: 'POST /x' });
    const fixture = await bench({ service: { landDecrease: () => Promise.reject(refused) } });
    const failure = await failureOf(runOut(fixture));
    assert.deepEqual([failure.kind, failure.money], ['notSent', 'untouched']);
    assert.match(failure.message, /could not be sent\. Nothing answers .*Nothing was sent\. Your money has not moved\./);
    assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'expired']);
    assert.equal(
      (await runOut(await bench({ storage: fixture.storage, clock: fixture.clock }))).kind,
      'settled',
      'it does not count any more',
    );
  });

  it('The operation is sent again with the same bytes after the answer 429 and the wait, each time recorded', async () => {
    for (const [retryAfterMs, waits] of [
      [12_000, [12_000, 12_000]],
      [undefined, [5_000, 10_000]],
    ] as const) {
      const at: number[] = [];
      const fixture: Bench = await bench({
        service: {
          landDecrease: () => {
            at.push(fixture.clock.now());
            fixture.listed = at.length < 3 ? fixture.listed : [];
            return at.length < 3
              ? Promise.reject(answered(429, 'Too many requests', retryAfterMs))
              : Promise.resolve({ signature: SIGNATURE });
          },
        },
      });
      assert.deepEqual(await goingOn(fixture.clock, 1_000, runOut(fixture)), { kind: 'settled', signature: SIGNATURE, position: POSITION });
      assert.deepEqual(
        at.slice(1).map((ms, index) => ms - (at[index] ?? 0)),
        waits,
      );
      const [first, ...others] = fixture.trace.landings;
      others.forEach((landing) => assert.deepEqual(landing, first));
      assert.deepEqual(
        [others.length, fixture.trace.builds.length, fixture.trace.reviews.length, fixture.trace.signersAsked],
        [2, 1, 1, 1],
      );
      assert.deepEqual(await eventsOf(fixture), [
        ...WHOLE.slice(0, 6),
        'unconfirmed',
        'submitted',
        'unconfirmed',
        'submitted',
        'landed',
        'settled',
      ]);
    }
  });

  it('The operation is not sent again after the answer 429 if it could not land or the user stops', async () => {
    const tooLong = await bench({ service: { ...WALLET, landDecrease: () => Promise.reject(answered(429, 'Too many requests', 28_000)) } });
    assert.equal((await goingOn(tooLong.clock, 10_000, failureOf(runOut(tooLong)))).kind, 'mayHaveLanded');
    assert.equal(tooLong.trace.landings.length, 1);
    const stopped = await bench({ service: { ...WALLET, landDecrease: () => Promise.reject(answered(429, 'Too many requests', 20_000)) } });
    const failing = failureOf(runOut(stopped));
    await until(() => stopped.trace.steps.at(-1) === 'waitingToSendAgain' && stopped.clock.timers > 0);
    await stopped.clock.advance(10_000);
    stopped.abort.abort();
    const failure = await failing;
    assert.deepEqual([failure.kind, stopped.trace.landings.length, stopped.clock.timers], ['mayHaveLanded', 1, 0]);
    assert.match(
      failure.message,
      /^The zap-out was sent, and the service answered 429 \(Too many requests\)\. It may have landed\. Do not start it again: Activity shows within \d minutes whether it landed\.$/,
    );
    assert.deepEqual(await eventsOf(stopped), [...WHOLE.slice(0, 6), 'unconfirmed']);
  });

  it('No other window sends the operation again if its window ends after the answer 429', async () => {
    const fixture = await bench({ service: { ...WALLET, landDecrease: () => Promise.reject(answered(429, 'Too many requests', 20_000)) } });
    void runOut(fixture).catch(() => undefined);
    await until(() => fixture.trace.steps.at(-1) === 'waitingToSendAgain');
    await fixture.dependencies.locks.dispose();
    const next = await bench({ storage: fixture.storage, clock: fixture.clock, service: WALLET });
    const failure = await failureOf(runOut(next));
    assert.equal(failure.kind, 'underWay');
    assert.deepEqual([next.trace.landings.length, fixture.trace.landings.length], [0, 1]);
  });

  it('The operation reports failed slippage with its figures and offers a fresh quote', async () => {
    const said =
      'Slippage exceeded: the active bin of MINT/SOL moved from -381 to -377 since the transaction was built, and 3 bins were allowed';
    const chain = new FakeChain(new FakeClock());
    const fixture = await bench({ ...chain.parts, service: { landDecrease: () => Promise.reject(refusal(said)) } });
    const failure = await goingOn(fixture.clock, 10_000, failureOf(runOut(fixture)));
    assert.deepEqual([failure.kind, failure.money, failure.offersFreshQuote], ['notLanded', 'untouched', true]);
    assert.match(failure.message, /beyond your slippage tolerance of 3%/);
    assert.match(failure.message, /from -381 to -377 .* 3 bins were allowed\)\. It did not land and no longer can/);
    assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'unconfirmed', 'expired']);
  });

  it('A zap-in with failed slippage offers a fresh quote only when the first can no longer land', async () => {
    const chain = new FakeChain(new FakeClock());
    const fixture = await bench({ ...chain.parts, listed: [], service: { landAdd: () => Promise.reject(refusal('Slippage exceeded')) } });
    const builtAtMs = fixture.clock.now();
    const failure = await goingOn(fixture.clock, 10_000, failureOf(runIn(fixture)));
    assert.deepEqual([failure.kind, failure.money, failure.offersFreshQuote], ['notLanded', 'untouched', true]);
    assert.ok(fixture.clock.now() - builtAtMs >= EXPIRED_MS);
  });

  for (const [how, jumpMs] of [
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ] as const) {
    it(`Without an RPC, the operation waits while it can land, even if the system clock is set ${how} an hour`, async () => {
      const clock = new FakeClock();
      let jumpedMs = 0;
      const nowMs = (): number => clock.now() + jumpedMs;
      const storage = await newStorage();
      const fixture = await bench({
        clock,
        storage,
        window: openWindow(storage, nowMs, () => clock.now()),
        dependencies: { clock, nowMs },
        service: {
          ...WALLET,
          landDecrease: () => {
            jumpedMs = jumpMs;
            return Promise.reject(refusal('Slippage exceeded'));
          },
        },
      });
      const builtAtMs = clock.now();
      const failure = await goingOn(clock, 10_000, failureOf(runOut(fixture)));
      assert.equal(failure.kind, 'mayHaveLanded');
      const tookMs = clock.now() - builtAtMs;
      assert.ok(tookMs >= 300_000 && tookMs <= 400_000, `it was given up after ${tookMs / 1_000} s`);
    });
  }

  it('The extension builds, reviews and asks again in a new operation if the first came too late', async () => {
    let landings = 0;
    const chain = new FakeChain(new FakeClock());
    const fixture: Bench = await bench({
      ...chain.parts,
      service: {
        ...buildingAnew(chain),
        landDecrease: (landing) => {
          landings += 1;
          if (landings === 1) {
            return Promise.reject(refusal('Transaction 1: blockhash expired: block height 5200 is past 5100'));
          }
          chain.land(landing);
          fixture.listed = [];
          return Promise.resolve({ signature: SIGNATURE });
        },
      },
    });
    assert.equal((await goingOn(fixture.clock, 10_000, runOut(fixture))).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined, 'firstTryDidNotLand']);
    const records = await recordsOf(fixture);
    assert.deepEqual(records.map(({ state }) => state).sort(), ['expired', 'settled']);
    const [second, first] = records;
    assert.ok(
      first !== undefined && second !== undefined && second.created.atMs - (first.built?.atMs ?? 0) >= EXPIRED_MS,
      'it is not built again before it is proven that the first did not land',
    );
    assert.deepEqual(
      new Set(records.flatMap(({ built }) => built?.blockhashes ?? [])),
      new Set([addressOf('blockhash 1'), addressOf('blockhash 2')]),
    );
  });

  it('The operation ends after repeated attempts that came too late', async () => {
    const chain = new FakeChain(new FakeClock());
    const fixture = await bench({
      ...chain.parts,
      service: { ...buildingAnew(chain), landDecrease: () => Promise.reject(refusal('Blockhash not found')) },
    });
    const failure = await goingOn(fixture.clock, 10_000, failureOf(runOut(fixture)));
    assert.deepEqual([failure.kind, failure.offersFreshQuote], ['notLanded', true]);
    assert.deepEqual([fixture.trace.landings.length, (await recordsOf(fixture)).length], [3, 3]);
  });

  it('The extension does not claim that nothing was sent if the attempt after a late one does not proceed', async () => {
    const chain = new FakeChain(new FakeClock());
    const late = { ...buildingAnew(chain), landDecrease: () => Promise.reject(refusal('Blockhash not found')) };
    let asked = 0;
    const declined = await bench({ ...chain.parts, service: late, host: { approve: () => Promise.resolve((asked += 1) === 1) } });
    assert.deepEqual(await goingOn(declined.clock, 10_000, runOut(declined)), { kind: 'declined', isAfterFirstTry: true });
    let builds = 0;
    const later = new FakeChain(new FakeClock());
    const { buildDecrease } = buildingAnew(later);
    const down = await bench({
      ...later.parts,
      service: {
        ...late,
        buildDecrease: (request, options) =>
          (builds += 1) === 1 ? buildDecrease(request, options) : Promise.reject(answered(503, 'down')),
      },
    });
    const failure = await goingOn(down.clock, 10_000, failureOf(runOut(down)));
    assert.deepEqual([failure.kind, failure.money], ['notBuilt', 'untouched']);
    assert.match(failure.message, /The first attempt did not land, and nothing more was sent\. Your money has not moved\./);
    assert.doesNotMatch(failure.message, /Nothing was signed/);
  });

  describe('with an RPC', () => {
    let node: ScriptedNode;
    before(async () => {
      node = await ScriptedNode.start();
    });
    after(() => node.stop());

    const statuses = (signatures: unknown, haveLanded: boolean) =>
      asOf((signatures as readonly string[]).map(() => (haveLanded ? { slot: 9, confirmations: null, err: null } : null)));

    it('The extension builds a late zap-in again once the chain is past its last valid block', async () => {
      const accounts = { byParams: ([addresses]: readonly unknown[]) => asOf((addresses as readonly string[]).map(() => null)) };
      const fixture = await lateZapIn(node.client());
      node.willAnswer({
        getMultipleAccounts: accounts,
        isBlockhashValid: { byParams: ([hash]) => asOf(hash !== addressOf('blockhash 1')) },
        getBlockHeight: { result: ADD_BUILD.lastValidBlockHeight + 33 },
        getSignatureStatuses: { byParams: ([signatures]) => statuses(signatures, fixture.trace.landings.length === 2) },
      });
      const builtAtMs = fixture.clock.now();
      assert.equal((await goingOn(fixture.clock, 1_000, runIn(fixture))).kind, 'settled');
      assert.equal(fixture.trace.landings.length, 2);
      assert.deepEqual(fixture.trace.reasons, [undefined, 'firstTryDidNotLand']);
      const [, first] = await recordsOf(fixture);
      assert.equal(first?.state, 'expired');
      assert.ok(first.updatedAtMs - builtAtMs < 45_000, 'two looks at the chain prove it');
    });

    for (const [what, slotMs, landings] of [
      ['sent again after 50 s at 400 ms per slot, because it can still land', 400, 2],
      ['not sent again at 200 ms per slot, because it expires during the wait, which ends then', 200, 1],
    ] as const) {
      it(`An operation that was answered with 429 is ${what}`, async () => {
        const clock = new FakeClock();
        const startMs = clock.now();
        const height = (): number => DECREASE_BUILD.lastValidBlockHeight - 150 + Math.floor((clock.now() - startMs) / slotMs);
        const fixture: Bench = await bench({
          rpc: node.client(),
          isSimulating: false,
          clock,
          dependencies: { clock },
          service: {
            landDecrease: () => {
              const isFirst = fixture.trace.landings.length === 1;
              fixture.listed = isFirst ? fixture.listed : [];
              return isFirst ? Promise.reject(answered(429, 'Too many requests', 50_000)) : Promise.resolve({ signature: SIGNATURE });
            },
          },
        });
        node.willAnswer({
          ...reading,
          isBlockhashValid: { byParams: () => asOf(height() <= DECREASE_BUILD.lastValidBlockHeight) },
          getBlockHeight: { byParams: () => ({ result: height() }) },
          getSignatureStatuses: { byParams: ([signatures]) => statuses(signatures, fixture.trace.landings.length === 2) },
        });
        const outcome = await goingOn(
          clock,
          1_000,
          runOut(fixture).then(
            ({ kind }) => kind,
            (error: unknown) => (error instanceof OperationError ? error.kind : error),
          ),
        );
        assert.deepEqual([outcome, fixture.trace.landings.length], [landings === 2 ? 'settled' : 'notLanded', landings]);
        const tookMs = clock.now() - startMs;
        assert.ok(landings === 2 ? tookMs >= 50_000 : tookMs >= 183 * slotMs && tookMs < 50_000, `${tookMs} ms`);
      });
    }

    for (const [what, samples, leastS, mostS] of [
      ['at 200 ms per slot it is under a minute', [{ numSlots: 300 }], 30, 60],
      ['at 400 ms per slot it is under two minutes', [{ numSlots: 150 }], 75, 105],
      ['without a measured slot length it is the most that a slow chain takes', [], 120, 160],
    ] as const) {
      it(`The time until the outcome is known is estimated by the chain: ${what}`, async () => {
        const clock = new FakeClock();
        const left: number[] = [];
        const fixture: Bench = await bench({
          rpc: node.client(),
          isSimulating: false,
          clock,
          dependencies: { clock },
          service: { landDecrease: () => Promise.reject(answered(502, 'Bad gateway')) },
          host: { report: (step, leftMs) => void (step === 'findingOut' && left.push(leftMs ?? Number.NaN)) },
        });
        node.willAnswer({
          ...reading,
          getBlockHeight: { result: DECREASE_BUILD.lastValidBlockHeight - 150 },
          getRecentPerformanceSamples: {
            result: samples.map((sample) => ({ slot: 5, numTransactions: 9, samplePeriodSecs: 60, ...sample })),
          },
          getSignatureStatuses: { byParams: ([signatures]) => asOf((signatures as readonly string[]).map(() => null)) },
        });
        const failing = failureOf(runOut(fixture));
        await until(() => left.length === 1 && clock.timers > 0);
        for (let looks = 0; looks < 3; looks += 1) {
          await clock.advance(3_000);
          await until(() => left.length > looks + 1 && clock.timers > 0);
        }
        const leftS = (left.at(-1) ?? 0) / 1_000;
        assert.ok(leftS > leastS && leftS < mostS, `${left.join()} ms`);
        fixture.abort.abort();
        assert.equal((await failing).kind, 'mayHaveLanded');
      });
    }

    it('A refused operation has failed at once if the chain reports its failure, and only fees were paid', async () => {
      const clock = new FakeClock();
      node.willAnswer({
        ...reading,
        getSignatureStatuses: {
          byParams: ([signatures]) =>
            asOf(
              (signatures as readonly string[]).map(() => ({
                slot: 9,
                confirmations: null,
                err: { InstructionError: [2, { Custom: 6_003 }] },
                confirmationStatus: 'confirmed',
              })),
            ),
        },
        getTransaction: { result: null },
      });
      const fixture = await bench({
        rpc: node.client(),
        isSimulating: false,
        clock,
        dependencies: { clock },
        service: { landDecrease: () => Promise.reject(refusal('Slippage exceeded')) },
      });
      const startMs = clock.now();
      const failure = await goingOn(clock, 1_000, failureOf(runOut(fixture)));
      assert.deepEqual([failure.kind, failure.money, failure.offersFreshQuote], ['notCarriedOut', 'untouched', true]);
      assert.match(
        failure.message,
        /^The zap-out was not executed\. The price moved beyond your slippage tolerance of 3%\. Only the network fees were paid\./,
      );
      assert.ok(clock.now() - startMs < 10_000);
    });

    it('A refused operation has not failed yet if its block may still be dropped', async () => {
      const clock = new FakeClock();
      node.willAnswer({
        ...reading,
        getSignatureStatuses: {
          byParams: ([signatures]) =>
            asOf(
              (signatures as readonly string[]).map(() => ({
                slot: 9,
                confirmations: null,
                err: { InstructionError: [2, { Custom: 6_003 }] },
                confirmationStatus: 'processed',
              })),
            ),
        },
        getTransaction: { result: null },
      });
      const fixture = await bench({
        rpc: node.client(),
        isSimulating: false,
        clock,
        dependencies: { clock },
        service: { landDecrease: () => Promise.reject(refusal('Slippage exceeded')) },
      });
      const failing = failureOf(runOut(fixture));
      await until(() => fixture.trace.steps.at(-1) === 'findingOut' && clock.timers > 0);
      for (let looks = 0; looks < 6; looks += 1) {
        await clock.advance(3_000);
        await until(() => clock.timers > 0);
      }
      assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed');
      fixture.abort.abort();
      assert.equal((await failing).kind, 'mayHaveLanded');
    });

    const ofOwner = (before: number, after: number, signature: unknown) => ({
      result: {
        slot: 9,
        transaction: { signatures: [signature], message: { ...MESSAGE, accountKeys: [OWNER] } },
        meta: { err: null, fee: 5_000, preBalances: [before], postBalances: [after] },
      },
    });
    const reading = {
      getMultipleAccounts: { byParams: ([addresses]: readonly unknown[]) => asOf((addresses as readonly string[]).map(() => null)) },
      isBlockhashValid: asOf(true),
      getBlockHeight: { result: 10 },
    };

    it('The extension measures a zap-out by its own transactions', async () => {
      node.willAnswer({
        ...reading,
        getSignatureStatuses: {
          byParams: ([signatures]) => asOf((signatures as readonly string[]).map(() => ({ slot: 9, confirmations: null, err: null }))),
        },
        getTransaction: { byParams: ([signature]) => ofOwner(1_000, 301_000, signature) },
      });
      const fixture = await bench({ rpc: node.client(), isSimulating: false });
      assert.deepEqual(await runOut(fixture), { kind: 'settled', signature: SIGNATURE, position: POSITION });
      const [record] = await recordsOf(fixture);
      assert.ok(record !== undefined && record.signatures.length > 1);
      assert.equal(record.lamportsBack, 300_000n * BigInt(record.signatures.length));
    });

    it('The operation stays open if the positions show its effect and the network has only some transactions', async () => {
      for (const answers of [true, false]) {
        const clock = new FakeClock();
        let first: unknown;
        const onlyFirst = ([signatures]: readonly unknown[]) => {
          const [one] = signatures as readonly string[];
          first = one;
          return asOf(
            (signatures as readonly string[]).map((signature) => (signature === one ? { slot: 9, confirmations: null, err: null } : null)),
          );
        };
        node.willAnswer({
          ...reading,
          getSignatureStatuses: { byParams: onlyFirst },
          getTransaction: { byParams: ([signature]) => (signature === first ? ofOwner(0, 5, signature) : { result: null }) },
        });
        const fixture: Bench = await bench({
          rpc: node.client(),
          isSimulating: false,
          clock,
          dependencies: { clock },
          service: {
            landDecrease: () => {
              fixture.listed = [];
              return answers ? Promise.resolve({ signature: SIGNATURE }) : Promise.reject(noAnswer);
            },
          },
        });
        const said = await goingOn(
          clock,
          2_000,
          runOut(fixture).then((result) => result.kind, errorMessageOf),
        );
        assert.match(said, answers ? /^landedNotListed$/ : /It may have landed\. Do not start it again/);
        const [record] = await recordsOf(fixture);
        assert.equal(record?.state, 'unconfirmed');
        assert.match(
          wordsOf(record.reason),
          answers ? /RPC does not have all of its transactions yet/ : /It was sent, and no answer arrived/,
        );
      }
    });

    it('A zap-out of a rebalance stays open until its proceeds are known', async () => {
      for (const isKnown of [true, false]) {
        const clock = new FakeClock();
        node.willAnswer({
          ...reading,
          getSignatureStatuses: {
            byParams: ([signatures]) => asOf((signatures as readonly string[]).map(() => ({ slot: 9, confirmations: null, err: null }))),
          },
          getTransaction: { byParams: ([signature]) => (isKnown ? ofOwner(1, 8, signature) : { result: null }) },
        });
        const fixture = await bench({ rpc: node.client(), isSimulating: false, clock, dependencies: { clock, parent: 'the rebalance' } });
        assert.equal((await goingOn(clock, 1_000, runOut(fixture))).kind, isKnown ? 'settled' : 'landedNotListed');
        const [record] = await recordsOf(fixture);
        assert.deepEqual([record?.state, record?.lamportsBack !== undefined], isKnown ? ['settled', true] : ['unconfirmed', false]);
      }
    });

    it('An effect that is listed does not settle an operation of which the chain has nothing, and nothing is credited to it', async () => {
      const chain = new FakeChain(new FakeClock());
      const fixture: Bench = await bench({ ...chain.parts, dependencies: { clock: chain.clock, parent: 'the rebalance' } });
      const result = await goingOn(chain.clock, 1_000, runOut(fixture));
      assert.ok(result.kind === 'landedNotListed' && result.awaits === 'chain' && !result.stoppedWaiting);
      const [record] = await recordsOf(fixture);
      assert.deepEqual([record?.state, record?.lamportsBack], ['unconfirmed', undefined]);
    });
  });

  it('Without an RPC, a zap-in that is said to have come too late is never built again', async () => {
    const fixture = await lateZapIn();
    const failure = await goingOn(fixture.clock, 5_000, failureOf(runIn(fixture)));
    assert.deepEqual([failure.kind, failure.offersFreshQuote, fixture.trace.landings.length], ['mayHaveLanded', false, 1]);
  });

  it('A late zap-in may have landed if the user stops waiting', async () => {
    const fixture = await lateZapIn();
    const failing = failureOf(runIn(fixture));
    await until(() => fixture.trace.steps.at(-1) === 'findingOut');
    fixture.abort.abort();
    const failure = await failing;
    assert.deepEqual([failure.kind, failure.money], ['mayHaveLanded', 'unknown']);
    assert.equal(fixture.trace.landings.length, 1);
    assert.equal(fixture.clock.timers, 0);
  });

  it("The service's balance measures a zap-out of a rebalance without an RPC, before and after", async () => {
    const clock = new FakeClock();
    let lamports = 1_000_000_000n;
    const balance = () =>
      Promise.resolve({
        items: [{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: lamports, amountText: '', priceUsd: 150 }],
        warnings: [],
      });
    const asked: string[] = [];
    const fixture: Bench = await bench({
      clock,
      listed: [thePosition({ value: { usd: 300, native: 2 } })],
      dependencies: { clock, parent: 'the rebalance' },
      service: {
        tokenBalances: () => {
          asked.push(fixture.trace.steps.at(-1) ?? '');
          return balance();
        },
        landDecrease: () => {
          fixture.listed = [];
          return Promise.resolve({ signature: SIGNATURE });
        },
      },
    });
    const running = runZapOut(
      zapOutPlan({ position: thePosition({ value: { usd: 300, native: 2 } }) }),
      fixture.dependencies,
      fixture.host,
      fixture.abort.signal,
    );
    await until(() => asked.length === 2 && clock.timers > 0);
    lamports += 2_057_000_000n;
    await clock.advance(4_000);
    await until(() => asked.length === 3 && clock.timers > 0);
    await clock.advance(4_000);
    assert.equal((await running).kind, 'settled');
    const [record] = await recordsOf(fixture);
    assert.equal(record?.lamportsBack, 2_057_000_000n);
    assert.deepEqual(
      record.events.flatMap((event) => (event.kind === 'submitted' ? [event.lamportsBefore, event.balanceFrom] : [])),
      [1_000_000_000n, 'service'],
    );
    assert.equal(asked[0], 'signing');
  });

  it('The operation stays unconfirmed without a clear answer or an effect, also if the user stops waiting', async () => {
    for (const isStopped of [false, true]) {
      const fixture = await bench({ service: { landDecrease: () => Promise.reject(noAnswer) } });
      const failing = failureOf(runOut(fixture));
      await sent(fixture);
      if (isStopped) {
        fixture.abort.abort();
      } else {
        // The list cannot be read: nothing can be proven by it, and it is not waited for without end.
        fixture.warnings = [{ path: 'data', message: 'cut off' }];
      }
      const failure = await goingOn(fixture.clock, 10_000, failing);
      assert.deepEqual([failure.kind, failure.money], ['mayHaveLanded', 'unknown']);
      assert.deepEqual(await eventsOf(fixture), [...WHOLE.slice(0, 6), 'unconfirmed']);
    }
  });

  it('A landed operation without a visible effect is unconfirmed, or landed if the user stops waiting', async () => {
    for (const [isStopped, last] of [
      [false, 'unconfirmed'],
      [true, 'landed'],
    ] as const) {
      const fixture = await bench({ service: { landDecrease: () => Promise.resolve({ signature: SIGNATURE }) } });
      const leftOpen: string[] = [];
      const host = { ...fixture.host, leftOpen: (id: string) => leftOpen.push(id) };
      const running = runOut({ ...fixture, host });
      await sent(fixture);
      if (isStopped) {
        fixture.abort.abort();
      }
      await fixture.clock.advance(24_000);
      assert.equal((await running).kind, 'landedNotListed');
      const [record] = await recordsOf(fixture);
      assert.deepEqual([record?.state, record?.landingSignature], [last, SIGNATURE]);
      assert.deepEqual(leftOpen, [record?.id]);
    }
  });
});
