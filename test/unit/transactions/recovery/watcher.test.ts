import { told } from '../../../../src/base/reasons/reason';
import { wordsOf } from '../../../support/transactions/words';
import assert from 'node:assert/strict';
import type { OpenPosition } from '../../../../src/service/positions';
import type { LiquidityService } from '../../../../src/service/service';
import type { JournalEntry, JournalEvent, OperationJournal, OperationRecord } from '../../../../src/transactions/journal/types';
import type { OperationHost, WatcherDependencies } from '../../../../src/transactions/types';
import { OperationWatcher } from '../../../../src/transactions/recovery/watcher';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { fakeService, OTHER_OWNER } from '../../../support/portfolio/fixtures';
import { NO_SPENDS } from '../../../../src/review/spends';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { OWNER, POOL, POSITION } from '../../../support/review/bundles';
import { asOf, ScriptedNode } from '../../../support/rpc/scriptedNode';
import {
  bench,
  failureOf,
  goingOn,
  newStorage,
  openWindow,
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
  type Storage,
} from '../../../support/transactions/harness';
import { MESSAGE, zapOutCreated } from '../../../support/transactions/records';

const STEPS = ['created', 'built', 'reviewed', 'approved', 'signed', 'submitted', 'landed', 'settled'] as const;
type Step = (typeof STEPS)[number];

const NEVER = new Promise<never>(() => undefined);

/** Where a process dies: right before or right after something is on the disk, or while the service is asked to land. */
type Death = { readonly at: Step; readonly isWritten: boolean } | { readonly at: 'landing'; readonly hasArrived: boolean };

/** A window in which nothing happens any more from some moment on. */
interface Dead {
  /** Whether what it sent landed. */
  readonly hasLanded: boolean;
  readonly clock: Bench['clock'];
}

function dying(journal: OperationJournal, death: Death, die: () => void): OperationJournal {
  const reach = async (kind: JournalEvent['kind'], write: () => Promise<void>): Promise<void> => {
    if (death.at !== kind) {
      return write();
    }
    if ('isWritten' in death && death.isWritten) {
      await write();
    }
    die();
    return NEVER;
  };
  const wrapped = (entry: JournalEntry): JournalEntry => ({
    id: entry.id,
    get record() {
      return entry.record;
    },
    append: (event) => reach(event.kind, () => entry.append(event)),
  });
  return {
    begin: async (created) => {
      let entry: JournalEntry | undefined;
      await reach('created', async () => {
        entry = await journal.begin(created);
      });
      return wrapped(entry ?? assert.fail());
    },
    nowFor: (record) => journal.nowFor(record),
    resume: (id) => journal.resume(id),
    read: () => journal.read(),
    onDidChange: (listener) => journal.onDidChange(listener),
    dispose: () => journal.dispose(),
  };
}

/** Runs an operation until its process dies there. */
async function die(kind: 'zapOut' | 'zapIn', death: Death, storage: Storage): Promise<Dead> {
  let hasDied = false;
  let hasLanded = false;
  const window = openWindow(storage, () => fixture.clock.now());
  const land = async () => {
    if (death.at === 'landing') {
      hasLanded = death.hasArrived;
      hasDied = true;
      return NEVER;
    }
    hasLanded = true;
    fixture.listed = kind === 'zapOut' ? [] : [thePosition()];
    return Promise.resolve({ signature: SIGNATURE });
  };
  const fixture: Bench = await bench({
    storage,
    listed: kind === 'zapOut' ? [thePosition()] : [],
    service: { landDecrease: land, landAdd: land, ...WALLET },
    window: { locks: window.locks, journal: dying(window.journal, death, () => (hasDied = true)) },
  });
  void (kind === 'zapOut'
    ? runZapOut(zapOutPlan(), fixture.dependencies, fixture.host, fixture.abort.signal)
    : runZapIn(zapInPlan(), fixture.dependencies, fixture.host, fixture.abort.signal));
  await until(() => hasDied);
  // As the system does with the locks of a process that is gone.
  await window.locks.dispose();
  return { hasLanded, clock: fixture.clock };
}

interface Watching {
  readonly watcher: OperationWatcher;
  readonly found: OperationRecord[];
}

function watching(fixture: Bench, part: Partial<WatcherDependencies> = {}): Watching {
  const found: OperationRecord[] = [];
  const { journal, locks, portfolio, log, settleEveryMs } = fixture.dependencies;
  const watcher = new OperationWatcher({
    journal,
    locks,
    portfolio,
    log,
    settleEveryMs,
    clock: fixture.clock,
    serviceId: () => SERVICE,
    rpc: () => Promise.resolve(undefined),
    service: () => Promise.resolve(fakeService(WALLET)),
    onFound: (record) => found.push(record),
    ...part,
  });
  return { watcher, found };
}

/** Looks until nothing is unfinished; how often it took. */
async function lookUntilDone({ watcher }: Watching, fixture: Bench, most = 6): Promise<number> {
  for (let looks = 1; looks <= most; looks += 1) {
    if ((await watcher.look()).unfinished.length === 0) {
      return looks;
    }
    await fixture.clock.advance(4_000);
  }
  return assert.fail(`It is not done after ${most} looks: ${fixture.trace.logs.join('\n')}`);
}

const DEATHS: readonly Death[] = [
  ...STEPS.flatMap((at) => [
    { at, isWritten: false },
    { at, isWritten: true },
  ]),
  { at: 'landing', hasArrived: false },
  { at: 'landing', hasArrived: true },
];

function nameOf(death: Death): string {
  return death.at === 'landing'
    ? `during a landing that ${death.hasArrived ? 'arrived' : 'did not arrive'}`
    : `right ${death.isWritten ? 'after' : 'before'} "${death.at}" is on the disk`;
}

/** How what was left must end without an RPC: by what happened or, where that cannot be proven, as unclear (`failed`). */
function endOf(death: Death, hasLanded: boolean): string | undefined {
  if (death.at === 'landing') {
    return hasLanded ? 'settled' : 'failed';
  }
  const written = STEPS.indexOf(death.at) + (death.isWritten ? 1 : 0);
  return written === 0 ? undefined : hasLanded ? 'settled' : written < 6 ? 'abandoned' : 'failed';
}

describe('recovery: end of the process', () => {
  for (const kind of ['zapOut', 'zapIn'] as const) {
    for (const death of DEATHS) {
      it(`The watcher finds the true end of an operation whose process died ${nameOf(death)} (${kind})`, async () => {
        const storage = await newStorage();
        const { hasLanded, clock } = await die(kind, death, storage);
        const listed: readonly OpenPosition[] = (kind === 'zapOut') !== hasLanded ? [thePosition()] : [];
        const next = await bench({ storage, clock, listed });
        const fixture = watching(next);
        const end = endOf(death, hasLanded);
        if (end === 'failed') {
          await fixture.watcher.look();
          assert.equal((await recordsOf(next))[0]?.state, 'unconfirmed');
          await clock.advance(300_000);
        }
        await lookUntilDone(fixture, next);
        const records = await recordsOf(next);
        assert.deepEqual(
          records.map(({ state }) => state),
          end === undefined ? [] : [end],
        );
        assert.deepEqual([next.trace.builds.length, next.trace.landings.length], [0, 0], 'nothing is submitted by looking');
        const isReportedByRun = death.at === 'settled' && death.isWritten;
        assert.equal(fixture.found.at(-1)?.state, isReportedByRun ? undefined : end);
        assert.equal(records[0]?.isUnclear === true, end === 'failed');
        // Whatever it was: the next one can begin, with a question where it may be a repetition.
        const asked: string[] = [];
        const host: OperationHost = {
          ...next.host,
          repeat: (earlier) => {
            asked.push(...earlier.map(({ id }) => id));
            return Promise.resolve(true);
          },
        };
        const run =
          kind === 'zapOut'
            ? runZapOut(zapOutPlan(), next.dependencies, host, next.abort.signal)
            : runZapIn(zapInPlan(), next.dependencies, host, next.abort.signal);
        await (hasLanded && kind === 'zapOut' ? failureOf(run) : run);
        assert.deepEqual(asked, end === 'failed' ? records.map(({ id }) => id) : []);
      });
    }
  }
});

/** Leaves an operation behind that was sent, and of which nothing is known. */
async function left(kind: 'zapOut' | 'zapIn' = 'zapOut', hasArrived = false): Promise<{ readonly storage: Storage } & Dead> {
  const storage = await newStorage();
  return { storage, ...(await die(kind, { at: 'landing', hasArrived }, storage)) };
}

describe('recovery: watcher', () => {
  it('The watcher ignores an operation that another window is working on', async () => {
    const fixture: Bench = await bench({ host: { approve: () => NEVER } });
    void runZapOut(zapOutPlan(), fixture.dependencies, fixture.host, fixture.abort.signal);
    await until(() => fixture.trace.steps.at(-1) === 'waitingForApproval');
    const other = await bench({ storage: fixture.storage, clock: fixture.clock });
    const look = await watching(other).watcher.look();
    assert.deepEqual(
      look.unfinished.map(({ state }) => state),
      ['reviewed'],
    );
    fixture.abort.abort();
    await until(() => fixture.trace.logs.some((line) => line.includes('cancelled')));
    assert.deepEqual((await recordsOf(fixture))[0]?.reason, { code: 'canceled' });
  });

  it('The watcher ignores an operation that has just begun and has no lock yet', async () => {
    const fixture = await bench();
    const position = await fixture.dependencies.locks.tryAcquire(`position:${POSITION}`);
    assert.ok(position !== undefined);
    const { positionId, shareBps, output, slippageBps } = {
      positionId: 'service-id',
      shareBps: 10_000,
      output: 'allBaseToken',
      slippageBps: 300,
    } as const;
    const before = { amount0: undefined, amount1: undefined, price0Usd: undefined, price1Usd: undefined, outputUsd: undefined };
    await fixture.dependencies.journal.begin({
      operation: 'zapOut',
      service: SERVICE,
      owner: OWNER,
      pool: POSITION,
      poolType: 'dlmm',
      pairName: 'A/B',
      parent: undefined,
      plan: { kind: 'zapOut', position: POSITION, positionId, shareBps, output, slippageBps, before },
    });
    const { watcher, found } = watching(fixture);
    assert.equal((await watcher.look()).unfinished.length, 1);
    await position.release();
    assert.equal((await watcher.look()).unfinished.length, 0);
    assert.deepEqual(
      found.map(({ state }) => state),
      ['abandoned'],
    );
  });

  it('The watcher postpones operations of other wallets or services and reads no listing for them', async () => {
    const { storage, clock } = await left();
    const fixture = await bench({ storage, clock, listed: [] });
    let reads = 0;
    const portfolio = new Proxy(fixture.portfolio, {
      get: (target, name) => {
        reads += name === 'refresh' ? 1 : 0;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const elsewhere = watching(fixture, { portfolio, serviceId: () => 'https://another.example' });
    assert.equal((await elsewhere.watcher.look()).unfinished.length, 1);
    fixture.portfolio.setOwner(OTHER_OWNER);
    assert.equal((await watching(fixture, { portfolio }).watcher.look()).unfinished.length, 1);
    assert.equal((await recordsOf(fixture))[0]?.state, 'submitted');
    assert.equal(reads, 0);
    fixture.portfolio.setOwner(OWNER);
    await lookUntilDone(watching(fixture), fixture);
    assert.equal((await recordsOf(fixture))[0]?.state, 'settled');
  });

  it('The watcher concludes nothing from unreadable or incomplete listings, or from those of another service', async () => {
    const { storage, clock } = await left();
    let isDown = false;
    let service: string | undefined = SERVICE;
    const fixture: Bench = await bench({ storage, clock, listed: [] });
    const portfolio = new Proxy(fixture.portfolio, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === 'snapshot' && isDown) {
          return { ...target.snapshot, positionsState: { kind: 'stale', asOf: new Date(0), error: new Error('down') } };
        }
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const { watcher } = watching(fixture, { portfolio, serviceId: () => service });
    const stateAfterLooks = async () => {
      for (let looks = 0; looks < 4; looks += 1) {
        await watcher.look();
      }
      return (await recordsOf(fixture))[0]?.state;
    };
    isDown = true;
    assert.equal(await stateAfterLooks(), 'unconfirmed');
    isDown = false;
    fixture.warnings = [{ path: 'data[0]', message: 'left out' }];
    assert.equal(await stateAfterLooks(), 'unconfirmed');
    fixture.warnings = [];
    let asked = 0;
    const switching = watching(fixture, {
      portfolio,
      serviceId: () => {
        asked += 1;
        return asked % 2 === 1 ? SERVICE : 'https://another.example';
      },
    });
    await switching.watcher.look();
    await switching.watcher.look();
    await switching.watcher.look();
    assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed');
    service = SERVICE;
    assert.equal(await stateAfterLooks(), 'settled');
  });

  it('The watcher concludes nothing from a single listing without the position', async () => {
    const { storage, clock } = await left();
    const fixture = await bench({ storage, clock });
    const { watcher } = watching(fixture);
    for (let looks = 0; looks < 8; looks += 1) {
      fixture.listed = looks % 2 === 0 ? [] : [thePosition()];
      await watcher.look();
    }
    assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed');
  });

  it('The watcher counts only listings that are newer than the last possible landing', async () => {
    const { storage, clock } = await left();
    const fixture = await bench({ storage, clock });
    const { watcher } = watching(fixture);
    for (let looks = 0; looks < 5; looks += 1) {
      await watcher.look();
    }
    await clock.advance(300_000);
    await watcher.look();
    assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed');
    // It has landed after all, at the last moment.
    fixture.listed = [];
    await lookUntilDone({ watcher, found: [] }, fixture);
    assert.equal((await recordsOf(fixture))[0]?.state, 'settled');
  });

  it('The watcher continues an operation in the same window after the user stopped waiting', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.resolve({ signature: SIGNATURE }) } });
    const { watcher, found } = watching(fixture);
    watcher.start();
    const running = runZapOut(zapOutPlan(), fixture.dependencies, fixture.host, fixture.abort.signal);
    await sent(fixture);
    fixture.abort.abort();
    assert.equal((await running).kind, 'landedNotListed');
    fixture.listed = [];
    for (let waits = 0; waits < 20 && found.length === 0; waits += 1) {
      await fixture.clock.advance(5_000);
      await watcher.look();
    }
    assert.deepEqual(
      found.map(({ state, landingSignature }) => [state, landingSignature]),
      [['settled', SIGNATURE]],
    );
    watcher.dispose();
    await fixture.clock.advance(600_000);
    assert.equal(fixture.clock.timers, 0);
  });

  it('The watcher reaches a conclusion in the documented time with few listings, and stops after disposal', async () => {
    const { storage, clock } = await left();
    const fixture = await bench({ storage, clock });
    const looked: number[] = [];
    const startMs = clock.now();
    const { watcher, found } = watching(fixture, {
      rpc: () => {
        looked.push((clock.now() - startMs) / 1_000);
        return Promise.resolve(undefined);
      },
    });
    watcher.start();
    const isDone = () => found.at(-1)?.state === 'failed';
    while (!isDone() && clock.now() - startMs < 1_000_000) {
      await clock.advance(5_000);
      await until(() => clock.timers > 0 || isDone());
    }
    assert.deepEqual(
      found.map(({ state }) => state),
      ['unconfirmed', 'failed'],
    );
    const pauses = looked.slice(1).map((at, index) => at - (looked[index] ?? 0));
    assert.ok(looked.length >= 10 && looked.length <= 20, looked.join());
    assert.ok(Math.max(...pauses) >= 20 && Math.max(...pauses) <= 35, pauses.join());
    assert.ok((looked.at(-1) ?? 0) >= 300 && (looked.at(-1) ?? 0) <= 330, looked.join());
    watcher.dispose();
    watcher.start();
    assert.equal(clock.timers, 0);
  });

  it('Without an RPC, a vanished operation ends as unclear, and no balance of the service says otherwise', async () => {
    const { storage, clock } = await left('zapIn');
    const fixture = await bench({ storage, clock, listed: [] });
    let asked = 0;
    const tokenBalances: LiquidityService['tokenBalances'] = (...query) => {
      asked += 1;
      return WALLET.tokenBalances(...query);
    };
    const on = watching(fixture, { service: () => Promise.resolve(fakeService({ tokenBalances })) });
    await on.watcher.look();
    await clock.advance(300_000);
    await lookUntilDone(on, fixture);
    const [record] = await recordsOf(fixture);
    assert.deepEqual([record?.state, record?.isUnclear, asked], ['failed', true, 0]);
    assert.doesNotMatch(wordsOf(record?.reason), /did not land|nothing (?:happened|landed)|balance/i);
  });

  describe('with a part of a rebalance', () => {
    const begun = async (fixture: Bench) => {
      const { journal } = fixture.dependencies;
      const rebalance = await journal.begin({
        operation: 'rebalance',
        service: SERVICE,
        owner: OWNER,
        pool: POOL,
        poolType: 'dlmm',
        pairName: 'MINT/SOL',
        parent: undefined,
        plan: {
          kind: 'rebalance',
          position: POSITION,
          fromBinId: -5,
          toBinId: 5,
          halfWidthBins: 34,
          strategy: 'Spot',
          slippageBps: 100,
          reserveLamports: 0n,
        },
      });
      const zapOut = zapOutCreated(0);
      const plan = zapOut.plan.kind === 'zapOut' ? { ...zapOut.plan, before: { ...zapOut.plan.before, valueNative: '2' } } : zapOut.plan;
      const part = await journal.begin({ ...zapOutCreated(fixture.clock.now()), plan, parent: rebalance.id });
      await part.append({
        kind: 'built',
        position: POSITION,
        transactions: 1,
        messageHashes: [],
        blockhashes: [],
        lastValidBlockHeight: 1,
      });
      await part.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
      await part.append({ kind: 'approved', by: 'user' });
      await part.append({ kind: 'signed', signatures: ['one'], spends: NO_SPENDS });
      await part.append({ kind: 'submitted', lamportsBefore: 1_000_000_000n, balanceFrom: 'service' });
      return rebalance.id;
    };
    const balances = (fixture: Bench, lamports: () => bigint): Pick<WatcherDependencies, 'service'> => ({
      service: () =>
        Promise.resolve({
          ...fixture.dependencies.service,
          tokenBalances: () =>
            Promise.resolve({
              items: [{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: lamports(), amountText: '', priceUsd: 150 }],
              warnings: [],
            }),
        }),
    });
    const looked = (fixture: Bench, watcher: OperationWatcher) => goingOn(fixture.clock, 4_000, watcher.look());

    it('The watcher measures the proceeds before it settles the zap-out, and leaves the re-entry to the user', async () => {
      const fixture = await bench({ listed: [] });
      const id = await begun(fixture);
      let lamports = 1_000_000_000n;
      const { watcher } = watching(
        fixture,
        balances(fixture, () => lamports),
      );
      await looked(fixture, watcher);
      await looked(fixture, watcher);
      const partOf = async () => (await recordsOf(fixture)).find(({ created }) => created.parent === id);
      assert.equal((await partOf())?.state, 'unconfirmed', 'nothing has come yet');
      lamports += 2_057_000_000n;
      const last = await looked(fixture, watcher);
      assert.deepEqual([(await partOf())?.state, (await partOf())?.lamportsBack], ['settled', 2_057_000_000n]);
      assert.equal((await recordsOf(fixture)).find((record) => record.id === id)?.state, 'created', 'it is offered to be put back');
      assert.deepEqual(last.unfinished, []);
    });

    it('The watcher ends a zap-out without measurable proceeds and keeps the rebalance open for re-entry', async () => {
      const fixture = await bench({ listed: [] });
      const id = await begun(fixture);
      const { watcher, found } = watching(
        fixture,
        balances(fixture, () => 1_000_000_000n),
      );
      for (let looks = 0; looks < 10 && found.at(-1)?.state !== 'settled'; looks += 1) {
        await looked(fixture, watcher);
      }
      assert.deepEqual(
        found.map(({ created, state, lamportsBack }) => [created.operation, state, lamportsBack]),
        [
          ['zapOut', 'unconfirmed', undefined],
          ['zapOut', 'settled', undefined],
        ],
      );
      assert.equal((await recordsOf(fixture)).find((record) => record.id === id)?.state, 'created', 'it is offered to be put back');
    });
  });

  it('The watcher acknowledges an interrupted operation that another one has completed, if the window closed before it could', async () => {
    const fixture = await bench();
    const { journal } = fixture.dependencies;
    const left = async (created: Parameters<typeof journal.begin>[0], end: Parameters<JournalEntry['append']>[0]): Promise<string> => {
      const entry = await journal.begin(created);
      await entry.append({
        kind: 'built',
        position: POSITION,
        transactions: 2,
        messageHashes: [],
        blockhashes: [],
        lastValidBlockHeight: 1,
      });
      await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
      await entry.append({ kind: 'approved', by: 'user' });
      await entry.append({ kind: 'signed', signatures: ['one', 'two'], spends: NO_SPENDS });
      await entry.append({ kind: 'submitted', lamportsBefore: undefined });
      await entry.append(end);
      return entry.id;
    };
    const half = { kind: 'failed', reason: told('half'), landedTransactions: 1 } as const;
    const settled = { kind: 'settled', lamportsBack: undefined, shortfall: undefined } as const;
    const { watcher } = watching(fixture);
    const [done, more, open] = [await left(zapOutCreated(0), half), await left(zapOutCreated(0), half), await left(zapOutCreated(0), half)];
    await left({ ...zapOutCreated(0), finishes: done }, settled);
    const first = zapOutCreated(0);
    await left({ ...first, finishes: more, plan: { ...first.plan, leavesMore: true } as typeof first.plan }, settled);
    await watcher.look();
    const recorded = await recordsOf(fixture);
    const of = (id: string) => recorded.find((record) => record.id === id);
    assert.deepEqual(of(done)?.reason, { code: 'completed', isEnded: true });
    assert.deepEqual(
      [done, more, open].map((id) => of(id)?.isSeen),
      [true, false, false],
      'what is left of the others is still offered',
    );
  });

  it('The watcher continues if a listener throws an error', async () => {
    const { storage, clock } = await left('zapIn', true);
    const fixture = await bench({ storage, clock, listed: [thePosition()] });
    const failing = watching(fixture, {
      onFound: () => {
        throw new Error('The view is gone');
      },
    });
    await lookUntilDone(failing, fixture);
    assert.match(fixture.trace.logs.join('\n'), /The view is gone/);
  });

  describe('with an RPC', () => {
    let node: ScriptedNode;
    before(async () => {
      node = await ScriptedNode.start();
    });
    after(() => node.stop());

    const rpcOf = (): Pick<WatcherDependencies, 'rpc'> => ({ rpc: (): Promise<SolanaRpc> => Promise.resolve(node.client()) });
    const network = (height: number, isValid: boolean, status: unknown) =>
      node.willAnswer({
        getBlockHeight: { result: height },
        isBlockhashValid: asOf(isValid),
        getSignatureStatuses: { byParams: ([signatures]) => asOf((signatures as readonly string[]).map(() => status)) },
      });

    it('The watcher knows within half a minute that nothing can land any more', async () => {
      const { storage, clock } = await left();
      const fixture = await bench({ storage, clock });
      const on = watching(fixture, rpcOf());
      network(1_040, false, null);
      await on.watcher.look();
      assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed');
      await clock.advance(20_000);
      await lookUntilDone(on, fixture, 3);
      const [record] = await recordsOf(fixture);
      assert.deepEqual([record?.state, wordsOf(record?.reason)], ['expired', 'It did not land: nothing happened.']);
      const asked = node.received.map(({ method }) => method);
      assert.ok(asked.indexOf('getBlockHeight') < asked.indexOf('getSignatureStatuses'));
      const statuses = node.received.find(({ method }) => method === 'getSignatureStatuses');
      assert.deepEqual(statuses?.params, [record?.signatures, { searchTransactionHistory: true }]);
    });

    it('The watcher detects a partial execution and its proceeds once the rest cannot land', async () => {
      for (const kind of ['zapOut', 'zapIn'] as const) {
        const { storage, clock } = await left(kind);
        const fixture = await bench({ storage, clock, listed: [] });
        const on = watching(fixture, rpcOf());
        const [before] = await recordsOf(fixture);
        const [first] = before?.signatures ?? [];
        let isValid = true;
        node.willAnswer({
          getBlockHeight: { result: 1_040 },
          isBlockhashValid: { byParams: () => asOf(isValid) },
          getSignatureStatuses: {
            byParams: ([signatures]) =>
              asOf((signatures as readonly string[]).map((one) => (one === first ? { slot: 9, confirmations: null, err: null } : null))),
          },
          getTransaction: {
            byParams: ([one]) => ({
              result:
                one === first
                  ? {
                      slot: 9,
                      transaction: { signatures: [one], message: { ...MESSAGE, accountKeys: [OWNER] } },
                      meta: { err: null, fee: 5, preBalances: [5], postBalances: [75] },
                    }
                  : null,
            }),
          },
        });
        await clock.advance(30_000);
        for (let looks = 0; looks < 4; looks += 1) {
          await on.watcher.look();
        }
        assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed', 'the rest may still come');
        isValid = false;
        await lookUntilDone(on, fixture, 3);
        const [record] = await recordsOf(fixture);
        const end = record?.events.at(-1);
        assert.deepEqual(
          [record?.state, (end?.kind === 'settled' || end?.kind === 'failed') && end.landedTransactions],
          [kind === 'zapOut' ? 'settled' : 'failed', 1],
        );
        assert.match(wordsOf(record?.reason), /^1 of \d transactions landed/);
        assert.equal(record?.lamportsBack, kind === 'zapOut' ? 70n : undefined);
      }
    });

    it('The watcher keeps an operation that the network knows, and needs one listing to settle it', async () => {
      const { storage, clock } = await left('zapIn', true);
      const fixture = await bench({ storage, clock, listed: [] });
      const on = watching(fixture, rpcOf());
      network(1_040, false, { slot: 9, confirmations: null, err: null, confirmationStatus: 'finalized' });
      await clock.advance(60_000);
      for (let looks = 0; looks < 4; looks += 1) {
        await on.watcher.look();
      }
      assert.equal((await recordsOf(fixture))[0]?.state, 'landed');
      fixture.listed = [thePosition()];
      await lookUntilDone(on, fixture, 1);
      assert.equal((await recordsOf(fixture))[0]?.state, 'settled');
    });

    it('The watcher waits for an RPC that is set but silent, also against the listings', async () => {
      node.willAnswer({});
      for (const [part, listed] of [
        [rpcOf(), [thePosition()]],
        [rpcOf(), []],
        [{ rpc: () => Promise.reject(new Error('The secret store is locked')) }, []],
      ] as const) {
        const { storage, clock } = await left();
        const fixture = await bench({ storage, clock, listed });
        const on = watching(fixture, part);
        await on.watcher.look();
        await clock.advance(300_000);
        for (let looks = 0; looks < 6; looks += 1) {
          await on.watcher.look();
        }
        assert.equal((await recordsOf(fixture))[0]?.state, 'unconfirmed');
        await clock.advance(300_000);
        await on.watcher.look();
        const [record] = await recordsOf(fixture);
        assert.deepEqual([record?.state, record?.isUnclear], listed.length === 0 ? ['unconfirmed', false] : ['failed', true]);
      }
    });

    it('The watcher credits nothing to an operation whose effect is listed and whose signatures the chain does not have', async () => {
      const { storage, clock } = await left();
      const fixture = await bench({ storage, clock, listed: [] });
      const on = watching(fixture, rpcOf());
      network(1_040, false, null);
      await on.watcher.look();
      await clock.advance(20_000);
      await lookUntilDone(on, fixture, 3);
      const [record] = await recordsOf(fixture);
      assert.deepEqual([record?.state, record?.isUnclear, record?.lamportsBack], ['failed', true, undefined]);
      assert.match(wordsOf(record?.reason), /^Your positions show the change\. Your RPC has none of its transactions/);
    });
  });
});
