import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { address, type Address } from '../../src/base/solana/address';
import { RefreshCoordinator } from '../../src/portfolio/coordinator';
import { Portfolio } from '../../src/portfolio/portfolio';
import { pacedPortfolio } from '../../src/portfolio/requestPace';
import { signReviewed } from '../../src/review/review';
import { createRpc } from '../../src/rpc/rpc';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { rateLimitedService } from '../../src/service/service';
import { RequestBudget } from '../../src/service/budget/requestBudget';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationJournal, OperationRecord } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import { resumeReentry, runRebalance } from '../../src/transactions/rebalance/rebalance';
import { childOperationsOf, rebalanceStatusOf } from '../../src/transactions/rebalance/rebalanceStatus';
import type { RebalanceHost, RebalanceResult, RebalanceStep, ReentryTerms } from '../../src/transactions/rebalance/types';
import type { OperationDependencies } from '../../src/transactions/types';
import { openTasksOf } from '../../src/ui/shell/openTasks';
import { createSigner } from '../../src/wallet/signer';
import { landed } from '../support/sandbox/client';
import { IS_REAL_TIME, JumpingClock, LimitedWay } from '../support/sandbox/limitedService';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const TERMS: ReentryTerms = { halfWidthBins: 20, strategy: undefined, slippageBps: 300, reserveLamports: 50_000_000n };
const PER_MINUTE = 5;

/** A window that polls, has a panel open, and rebalances, on a plan of five requests a minute. */
interface Desk {
  readonly way: LimitedWay;
  readonly dependencies: OperationDependencies;
  readonly budget: RequestBudget;
  readonly steps: RebalanceStep[];
  readonly waits: number[];
  readonly logs: string[];
  readonly abort: AbortController;
  /** Jumps over the waits of `work`, and over nothing else: a slow disk must not cost minutes. */
  operate<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Told each wait: cancels, or not. */
  onWait: (nth: number) => void;
  run(position: string): Promise<RebalanceResult>;
  host: RebalanceHost;
  rebalance(): Promise<OperationRecord | undefined>;
}

describe('A rebalance with five requests per minute', function () {
  this.timeout(IS_REAL_TIME ? 900_000 : 120_000);
  const client = useSandbox('each', STILL_AND_SHORT);
  let storage: string;
  let clock: JumpingClock;
  let opened: (() => Promise<void> | void)[] = [];

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'binsight-limit-'));
    clock = new JumpingClock();
  });

  afterEach(async () => {
    for (const close of opened) {
      await close();
    }
    opened = [];
    clock.stop();
    await rm(storage, { recursive: true, force: true });
  });

  const owner = (): Address => address(client().sandbox.owner);

  async function desk(hasRpc: boolean): Promise<Desk> {
    const { url, apiKey, secretKey } = client().sandbox;
    const way = new LimitedWay(clock, PER_MINUTE);
    const budget = new RequestBudget(clock);
    const shared = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey, fetch: way.fetch, budget, now: clock.now });
    const pauses = clock.lane();
    const portfolio = new Portfolio({ service: () => Promise.resolve(shared), log: () => undefined, clock: pauses });
    portfolio.setOwner(owner());
    await portfolio.refresh('startup', ['positions']);
    const coordinator = new RefreshCoordinator({ portfolio, clock, random: Math.random }, true);
    coordinator.show('positions');
    coordinator.show('pools');
    const journal: OperationJournal = openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log: () => undefined });
    const locks: OperationLocks = openLocks({ folder: join(storage, 'locks'), log: () => undefined });
    const readSeed = () => Promise.resolve(bs58.decode(secretKey).slice(0, 32));
    const waits: number[] = [];
    let waitsForTurn = false;
    const requests = budget.begin((untilMs) => {
      waitsForTurn = untilMs !== undefined;
      if (untilMs !== undefined) {
        waits.push(untilMs - clock.now());
        made.onWait(waits.length);
      }
    });
    // A panel that reads its pool again every half minute.
    const panel = (): void => {
      void shared.onchainStats(panelPool as Address).catch(() => undefined);
      timer = clock.after(30_000, panel);
    };
    const panelPool = (await client().pool('BONQ/SOL', 25)).pool;
    let timer = clock.after(1_000, panel);
    opened.push(
      () => timer.dispose(),
      () => coordinator.dispose(),
      () => portfolio.dispose(),
      () => requests.end(),
      () => journal.dispose(),
      () => locks.dispose(),
    );
    const logs: string[] = [];
    const steps: RebalanceStep[] = [];
    const dependencies: OperationDependencies = {
      ...{
        service: rateLimitedService(shared, requests),
        portfolio: pacedPortfolio(portfolio, requests),
        requests,
        journal,
        locks,
        clock: pauses,
        nowMs: clock.now,
        serviceId: 'sandbox',
      },
      isServiceInUse: () => true,
      log: (level, message) => void logs.push(`${level} ${message}`),
      rpc: hasRpc ? createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${apiKey}`, url).href), fetch: way.rpcFetch }) : undefined,
      policy: () => ({}),
      isSimulating: true,
      ...{ settleTimeoutMs: 30_000, settleEveryMs: 4_000 },
    };
    const host: RebalanceHost = {
      report: (step) => void steps.push(step),
      approve: ({ review }) => Promise.resolve(review.verdict === 'allow'),
      signer: () => Promise.resolve(createSigner({ owner: owner(), readSeed, signReviewed, nowMs: clock.now })),
    };
    const made: Desk = {
      ...{ way, dependencies, budget, steps, waits, logs, host, abort: new AbortController(), onWait: () => undefined },
      operate: (work) => clock.jumpingOnly(() => waitsForTurn || pauses.pending > 0, work),
      run: async (position) => {
        const found = portfolio.snapshot.positions.find(({ address: at }) => at === position);
        assert.ok(found !== undefined, 'it is listed');
        const plan = { position: found, owner: owner(), terms: TERMS };
        return made.operate(() => runRebalance(plan, dependencies, host, made.abort.signal));
      },
      rebalance: async () => (await journal.read()).records.find(({ created }) => created.operation === 'rebalance'),
    };
    return made;
  }

  async function outOfRange(): Promise<string> {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 2, fromBinId: active - 20, toBinId: active + 20, slippage_bps: 500 });
    landed(await client().landAdd(built));
    await client().control('active-bin', { pool, binId: active + 30 });
    return built.meta.positionPubKey;
  }

  /** Uses the plan up, so that its limit is known. */
  async function learnLimit({ way, budget, dependencies }: Desk): Promise<number> {
    while (budget.perMinute === undefined) {
      await dependencies.portfolio.refresh('manual', ['positions'], 'user');
    }
    assert.ok(way.refusals >= 1);
    return clock.now() + 1;
  }

  for (const hasRpc of [true, false]) {
    const withRpc = hasRpc ? 'with an RPC' : 'without an RPC';

    it(`A rebalance completes ${withRpc} during polling with an open panel, and stays within the rate limit`, async () => {
      const position = await outOfRange();
      const at = await desk(hasRpc);
      const knownAtMs = await learnLimit(at);
      const refusalsBefore = at.way.refusals;
      const result = await at.run(position);
      assert.ok(
        result.kind === 'settled',
        `${JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n${at.logs.join('\n')}\n${at.way.heard.map(({ line, status, atMs }) => `${atMs} ${line} ${status}`).join('\n')}`,
      );
      assert.ok(at.waits.length > 0, 'it said that it waits');
      assert.ok(at.way.mostInAMinute(knownAtMs) <= PER_MINUTE, `${at.way.mostInAMinute(knownAtMs)} in a minute`);
      assert.equal(at.way.refusals - refusalsBefore, 0, 'nothing was refused once the limit was known');
      if (IS_REAL_TIME) {
        process.stdout.write(
          `      ${withRpc}: ${((clock.now() - knownAtMs) / 60_000).toFixed(1)} min, ${at.way.heard.filter(({ atMs }) => atMs >= knownAtMs).length} requests, ${at.way.refusals} refused in all\n`,
        );
      }
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('A re-entry is offered even if the returned amount could not be measured, with an amount from the user', async () => {
    const position = await outOfRange();
    const at = await desk(false);
    let balances = 0;
    const { service } = at.dependencies;
    // The balance before the zap-out is not told: nothing that comes after it can be compared with it.
    const tokenBalances: typeof service.tokenBalances = (query, options) =>
      (balances += 1) === 1 ? Promise.reject(new Error('The balance is not at hand.')) : service.tokenBalances(query, options);
    const dependencies: OperationDependencies = { ...at.dependencies, service: { ...service, tokenBalances } };
    const listed = dependencies.portfolio.snapshot.positions.find((one) => one.address === position);
    assert.ok(listed !== undefined);
    const plan = { position: listed, owner: owner(), terms: TERMS };
    const result = await at.operate(() => runRebalance(plan, dependencies, at.host, at.abort.signal));
    assert.ok(result.kind === 'notReentered', `${result.kind}\n${at.logs.join('\n')}`);
    assert.deepEqual([result.reason, result.isOpen, result.lamportsBack], ['notMeasured', true, undefined]);
    assert.match(result.words, /could not be measured.*in your wallet.*Re-enter it in Activity/);
    const left = openTasksOf((await dependencies.journal.read()).records);
    assert.deepEqual(left.get(result.rebalance), { kind: 'reenter', lamportsBack: undefined, isProven: false, reason: undefined });
    const { rebalance } = result;
    const declined = await at.operate(() => resumeReentry(rebalance, dependencies, at.host, at.abort.signal));
    assert.ok(declined.kind === 'notReentered' && declined.isOpen, 'without an amount nothing goes in, and it stays offered');
    const asked: (number | undefined)[] = [];
    const amount = (worthSol: number | undefined) => Promise.resolve(void asked.push(worthSol)).then(() => 1_500_000_000n);
    const again = await at.operate(() => resumeReentry(rebalance, dependencies, { ...at.host, amount }, at.abort.signal));
    assert.ok(again.kind === 'settled', `${again.kind}\n${at.logs.join('\n')}`);
    assert.ok((asked[0] ?? 0) > 1.5 && (asked[0] ?? 0) < 2.5, 'it is told what the position was worth');
    assert.ok(again.reentry.inputLamports < 1_500_000_000n);
    assert.match(again.reentry.warnings.join(' '), /could not be measured/);
    assert.deepEqual(await client().audit(), []);
  });

  it('A cancellation after the zap-out leaves a rebalance that can be re-entered, and an earlier one sends nothing', async () => {
    for (let nth = 1; nth <= 12; nth += 1) {
      const position = await outOfRange();
      const at = await desk(false);
      await learnLimit(at);
      at.onWait = (count) => (count === nth ? at.abort.abort() : undefined);
      const result = await at.run(position);
      if (!at.abort.signal.aborted) {
        assert.equal(result.kind, 'settled');
        assert.ok(nth > 1, 'there is a wait to cancel');
        return;
      }
      const record = await at.rebalance();
      const parts = childOperationsOf(record?.id ?? '', (await at.dependencies.journal.read()).records);
      const isOut = (await client().position(position)) === undefined;
      if (!isOut) {
        assert.equal(result.kind, 'declined', `cancelled at wait ${nth}`);
      } else if (record !== undefined && result.kind === 'notReentered') {
        assert.equal(result.isOpen, true);
        assert.equal(rebalanceStatusOf(record, parts).kind, 'awaitsReentry');
        const again = await at.operate(() => resumeReentry(record.id, at.dependencies, at.host, new AbortController().signal));
        assert.equal(again.kind, 'settled', at.logs.join('\n'));
      } else {
        // Cancelled while it was looked for: the watcher goes on with it.
        assert.ok(result.kind === 'unconfirmed' || result.kind === 'settled', result.kind);
      }
      for (const close of opened.splice(0)) {
        await close();
      }
      await rm(storage, { recursive: true, force: true });
      storage = await mkdtemp(join(tmpdir(), 'binsight-limit-'));
    }
  });
});
