import { wordsOf } from '../support/transactions/words';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { widthOf } from '../../src/base/dlmm/bins';
import { address, type Address } from '../../src/base/solana/address';
import { RentRate } from '../../src/base/solana/rent';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { OpenPosition } from '../../src/service/positions';
import { ServiceError } from '../../src/service/errors';
import type { LiquidityService } from '../../src/service/service';
import { OperationError } from '../../src/transactions/errors';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationJournal, OperationRecord } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import { tokenAccountAmount } from '../../src/transactions/inspect/tokenFacts';
import { declineReentry, resumeReentry, runRebalance } from '../../src/transactions/rebalance/rebalance';
import { childOperationsOf, rebalanceStatusOf } from '../../src/transactions/rebalance/rebalanceStatus';
import type { LegApproval, RebalanceHost, RebalanceResult, RebalanceStep, ReentryTerms } from '../../src/transactions/rebalance/types';
import { closeRebalances, OperationWatcher } from '../../src/transactions/recovery/watcher';
import type { OperationDependencies } from '../../src/transactions/types';
import { createSigner } from '../../src/wallet/signer';
import { PATIENCE_MS } from '../support/patience';
import { landed, SOL } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';
import { rpcOf } from '../support/sandbox/rpcOf';

const SOL_LAMPORTS = 1_000_000_000n;
const TERMS: ReentryTerms = { halfWidthBins: 20, strategy: undefined, slippageBps: 300, reserveLamports: 50_000_000n };
/** What it may cost at most to go out of a pool and in again, of what was in it: trades and their fees. */
const LOST_AT_MOST = 0.04;

/** How many times faster than in the editor it waits. */
const HASTE = 10;

/** A window, with everything that the extension runs a rebalance with. */
interface Desk {
  readonly dependencies: OperationDependencies;
  readonly host: RebalanceHost;
  readonly asked: LegApproval[];
  readonly steps: RebalanceStep[];
  readonly logs: string[];
  readonly abort: AbortController;
  /** What the journal has of rebalances, newest first. */
  rebalances(): Promise<readonly OperationRecord[]>;
  partsOf(id: string): Promise<readonly OperationRecord[]>;
}

/** What is different in a window. */
interface Differences {
  readonly hasRpc?: boolean;
  /** The folder of another machine. Default: that of the other windows. */
  readonly folder?: string;
  /** While it is waited for proof of what became of something: time goes on, or the user stops waiting. */
  readonly onFindingOut?: 'timeGoesOn' | 'stops';
  readonly host?: Partial<RebalanceHost>;
  readonly service?: (service: LiquidityService) => Partial<LiquidityService>;
  readonly dependencies?: Partial<OperationDependencies>;
}

/** The machine's clock, and what was skipped of it. */
class SkippingClock {
  #skippedMs = 0;
  readonly now = (): number => Date.now() + this.#skippedMs;
  skip(ms: number): void {
    this.#skippedMs += ms;
  }
  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms / HASTE);
    return { dispose: () => clearTimeout(timer) };
  }
}

// Client and sandbox meet over HTTP alone: service, RPC, review, wallet, portfolio, journal and locks are the ones that the extension uses.
describe('Rebalancing in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);

  let storage: string;
  let clock: SkippingClock;
  const opened: { readonly journal: OperationJournal; readonly locks: OperationLocks }[] = [];
  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'binsight-rebalance-'));
    clock = new SkippingClock();
  });
  afterEach(async () => {
    for (const { journal, locks } of opened.splice(0)) {
      journal.dispose();
      await locks.dispose();
    }
    await rm(storage, { recursive: true, force: true });
  });

  const owner = (): Address => address(client().sandbox.owner);

  async function desk({
    hasRpc = true,
    folder = storage,
    onFindingOut,
    host = {},
    service: differing,
    dependencies = {},
  }: Differences = {}): Promise<Desk> {
    const { url, apiKey, secretKey } = client().sandbox;
    const real = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const service = new Proxy(real, { get: (target, name): unknown => replaced(differing?.(target), target, name) });
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
    portfolio.setOwner(owner());
    await portfolio.refresh('startup', ['positions']);
    const journal = openJournal({ folder: join(folder, 'journal'), nowMs: clock.now, log: () => undefined });
    const locks = openLocks({ folder: join(folder, 'locks'), log: () => undefined });
    opened.push({ journal, locks });
    const [asked, steps, logs]: [LegApproval[], RebalanceStep[], string[]] = [[], [], []];
    const readSeed = () => Promise.resolve(bs58.decode(secretKey).slice(0, 32));
    const abort = new AbortController();
    let looks = 0;
    const findingOut = (): void => {
      looks += 1;
      if (onFindingOut === 'stops') {
        abort.abort();
      } else if (onFindingOut === 'timeGoesOn' && looks === 3) {
        clock.skip(120_000);
        void client().control('advance', { ms: 120_000 });
      }
    };
    return {
      ...{ asked, steps, logs, abort },
      dependencies: {
        ...{ service, portfolio, journal, locks, clock, nowMs: clock.now, serviceId: 'sandbox' },
        isServiceInUse: () => true,
        log: (level, message) => void logs.push(`${level} ${message}`),
        rpc: hasRpc ? rpcOf({ url, apiKey }) : undefined,
        policy: () => ({}),
        isSimulating: true,
        settleTimeoutMs: 20_000,
        settleEveryMs: 200,
        ...dependencies,
      },
      host: {
        report: (step) => {
          steps.push(step);
          if (step.step === 'findingOut') {
            findingOut();
          } else {
            looks = 0;
          }
          host.report?.(step);
        },
        approve: (request) => {
          asked.push(request);
          return host.approve?.(request) ?? Promise.resolve(request.review.verdict === 'allow');
        },
        signer: () => host.signer?.() ?? Promise.resolve(createSigner({ owner: owner(), readSeed, signReviewed, nowMs: clock.now })),
      },
      rebalances: async () => (await journal.read()).records.filter(({ created }) => created.operation === 'rebalance'),
      partsOf: async (id) => childOperationsOf(id, (await journal.read()).records),
    };
  }

  /** Zaps in over a range around the active bin, moves the price out of it, and gives the position. */
  async function outOfRange(
    pairName: string,
    binStep: number,
    { halfWidth = 20, bySteps = 30, inputSOL = 2, slippage = 500 } = {},
  ): Promise<{ readonly pool: string; readonly position: string }> {
    const { pool } = await client().pool(pairName, binStep);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, {
      inputSOL,
      fromBinId: active - halfWidth,
      toBinId: active + halfWidth,
      slippage_bps: slippage,
    });
    landed(await client().landAdd(built));
    await client().control('active-bin', { pool, binId: active + bySteps });
    const position = built.meta.positionPubKey;
    assert.equal((await client().position(position))?.inRange, false, 'it is out of range');
    return { pool, position };
  }

  async function rebalanced(at: Desk, position: string, terms: ReentryTerms = TERMS): Promise<RebalanceResult> {
    await at.dependencies.portfolio.refresh('manual', ['positions']);
    return runRebalance({ position: listed(at, position), owner: owner(), terms }, at.dependencies, at.host, at.abort.signal);
  }

  function listed({ dependencies }: Desk, position: string): OpenPosition {
    const found = dependencies.portfolio.snapshot.positions.find((one) => one.address === position);
    assert.ok(found !== undefined, 'it is listed');
    return found;
  }

  function settled(result: RebalanceResult, { logs }: Desk): Extract<RebalanceResult, { kind: 'settled' }> {
    assert.ok(
      result.kind === 'settled',
      `${result.kind === 'notReentered' ? `${result.reason}: ${result.words}` : result.kind}\n${logs.join('\n')}`,
    );
    return result;
  }

  function notReentered(result: RebalanceResult, { logs }: Desk): Extract<RebalanceResult, { kind: 'notReentered' }> {
    assert.ok(result.kind === 'notReentered', `${result.kind}\n${logs.join('\n')}`);
    return result;
  }

  for (const [pairName, binStep, bySteps, transactions] of [
    ['BONQ/SOL', 100, 30, 'service'],
    ['WYFF/SOL', 80, 40, 'service'],
    ['TRUMPET/USDC', 50, 30, 'service'],
    ['BONQ/SOL', 25, -40, 'v1'],
    ['SOL/USDC', 4, 30, 'mixed'],
  ] as const) {
    it(`A rebalance centers a position in ${pairName} (${binStep}) on a price that left it by ${bySteps} bins, without review findings, transactions: ${transactions}`, async () => {
      await client().control('settings', { transactions });
      const { pool, position } = await outOfRange(pairName, binStep, { bySteps });
      const at = await desk();
      const before = await client().balance(SOL);
      const worthSol = (await client().position(position))?.valueNative ?? 0;
      const { reentry, position: made, rebalance } = settled(await rebalanced(at, position), at);

      assert.deepEqual(
        at.asked.map(({ leg, reason, review }) => [
          leg,
          reason,
          review.verdict,
          review.findings.filter(({ verdict }) => verdict !== 'info').length,
        ]),
        [
          ['zapOut', undefined, 'allow', 0],
          ['zapIn', undefined, 'allow', 0],
        ],
      );
      assert.deepEqual(reentry.warnings, [], 'it is what was shown');
      const active = await client().activeBin(pool);
      const now = await client().position(made ?? '');
      assert.ok(now !== undefined && now.inRange, 'the new position is in range');
      assert.deepEqual([now.tickLower, now.tickUpper], [reentry.range.fromBinId, reentry.range.toBinId]);
      assert.deepEqual([now.tickLower, now.tickUpper], [reentry.activeBinId - 20, reentry.activeBinId + 20]);
      assert.ok(Math.abs(active - reentry.activeBinId) <= 3, 'around the active bin');
      assert.equal(await client().position(position), undefined, 'the old one is closed');
      assert.ok(
        now.valueNative <= worthSol * 1.02 && now.valueNative >= worthSol * (1 - LOST_AT_MOST),
        `worth ${worthSol} before, ${now.valueNative} after`,
      );
      // Never more than came out: what the wallet had besides, it still has.
      assert.ok(reentry.inputLamports < reentry.lamportsBack);
      const after = await client().balance(SOL);
      assert.ok(after >= before - 3_000_000n, `the wallet had ${before} lamports, and has ${after}`);

      const [record] = await at.rebalances();
      assert.deepEqual(
        [record?.id, record?.state, record?.lamportsBack, record?.reason],
        [rebalance, 'settled', reentry.lamportsBack, undefined],
      );
      assert.deepEqual((await at.partsOf(rebalance)).map(({ created, state }) => [created.operation, state]).sort(), [
        ['zapIn', 'settled'],
        ['zapOut', 'settled'],
      ]);
      assert.deepEqual(
        at.steps.filter(({ leg }) => leg === 'between').map(({ step }) => step),
        ['measuring', 'readingPool'],
      );
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('A rebalance deposits exactly what the zap-out returned, without funds that arrive meanwhile', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk({
      service: (service) => ({
        landDecrease: async (landing, options) => {
          const answer = await service.landDecrease(landing, options);
          await client().control('airdrop', { owner: client().sandbox.owner, sol: 7 });
          return answer;
        },
      }),
    });
    const { reentry, rebalance } = settled(await rebalanced(at, position), at);
    assert.deepEqual(
      (await at.partsOf(rebalance)).map(({ state }) => state),
      ['settled', 'settled'],
    );
    assert.ok(reentry.lamportsBack > 1_900_000_000n && reentry.lamportsBack < 2_200_000_000n, `${reentry.lamportsBack} lamports`);
  });

  it('A rebalance keeps the number of bins if the width is fixed, even beyond one transaction', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25, { halfWidth: 75, bySteps: 90 });
    const at = await desk();
    const { reentry, position: made } = settled(
      await rebalanced(at, position, { ...TERMS, halfWidthBins: undefined, strategy: 'Curve' }),
      at,
    );
    assert.equal(widthOf(reentry.range), 151);
    assert.deepEqual([reentry.strategy, reentry.activeBinId], ['Curve', await client().activeBin(pool)]);
    const now = await client().position(made ?? '');
    assert.deepEqual(
      [now?.tickLower, now?.tickUpper, now?.['strategyType']],
      [reentry.range.fromBinId, reentry.range.toBinId, 'CurveImBalanced'],
    );
    // 81 bins beyond the 70 that are in the price of a position.
    assert.ok(reentry.lamportsBack - reentry.inputLamports > 57_406_080n + 81n * 779_520n);
  });

  it('A rebalance can enter a single bin', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk();
    const { reentry } = settled(await rebalanced(at, position, { ...TERMS, halfWidthBins: 0 }), at);
    assert.deepEqual(reentry.range, { fromBinId: reentry.activeBinId, toBinId: reentry.activeBinId });
  });

  it('A rebalance works without an RPC', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk({ hasRpc: false });
    const { reentry } = settled(await rebalanced(at, position), at);
    assert.ok(reentry.lamportsBack > 1_900_000_000n && reentry.lamportsBack < 2_200_000_000n, `${reentry.lamportsBack} lamports`);
    assert.equal(reentry.proceedsFrom, 'balances');
    assert.match(
      at.asked.at(-1)?.reentry?.warnings.join() ?? '',
      /^Your SOL balance grew by .*, perhaps not all of it from the position\./,
    );
  });

  /** What somebody leaves out of a list, and money from elsewhere: the same as if another machine closed the position. */
  const hiding = (position: string, hides: () => boolean) => (service: LiquidityService) =>
    ({
      openPositions: async (...query) => {
        const { items, ...rest } = await service.openPositions(...query);
        return { ...rest, items: items.filter((one) => !hides() || one.address !== position) };
      },
    }) satisfies Partial<LiquidityService>;
  const timeout = new ServiceError('The service failed (504).', { kind: 'server', status: 504, endpoint: 'POST /x', mayHaveLanded: true });

  for (const answers of [false, true]) {
    it(`A zap-out that the service keeps and ${answers ? 'reports as landed' : 'answers with 504'} is unclear: money from elsewhere is not re-entered`, async () => {
      const { position } = await outOfRange('BONQ/SOL', 25);
      const before = (await client().opening()).length;
      let hides = false;
      const at = await desk({
        onFindingOut: 'timeGoesOn',
        host: { approve: ({ review }) => Promise.resolve(review.verdict !== 'block') },
        service: (service) => ({
          ...hiding(position, () => hides)(service),
          landDecrease: async () => {
            hides = true;
            await client().control('airdrop', { owner: client().sandbox.owner, sol: 0.5 });
            return answers ? { signature: undefined } : Promise.reject(timeout);
          },
        }),
      });
      const ended = await rebalanced(at, position).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof OperationError ? error.kind : String(error)),
      );
      assert.equal(ended, answers ? 'unconfirmed' : 'mayHaveLanded', at.logs.join('\n'));
      if (answers) {
        clock.skip(120_000);
        await client().control('advance', { ms: 120_000 });
        await settle(at);
      }
      const [rebalance] = await at.rebalances();
      assert.deepEqual([rebalance?.state, rebalance?.lamportsBack], ['failed', undefined]);
      assert.match(
        wordsOf(rebalance?.reason),
        /^The zap-out may have landed, and nothing is re-entered\. Your positions show the change\. Your RPC has none/,
      );
      assert.deepEqual(
        [(await client().position(position)) === undefined, (await client().opening()).length, at.asked.map(({ leg }) => leg)],
        [false, before, ['zapOut']],
        'the position is still open, and there is no other one',
      );
    });
  }

  it('Of two machines that rebalance a position of one wallet, only the one whose own zap-out landed re-enters', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25);
    const positions = (await client().opening()).filter((one) => one.pool === pool).length;
    const folder = await mkdtemp(join(tmpdir(), 'binsight-machine-'));
    const approve = ({ review }: LegApproval) => Promise.resolve(review.verdict !== 'block');
    const first = await desk({ folder, host: { approve } });
    const second = await desk({
      onFindingOut: 'timeGoesOn',
      host: { approve },
      service: () => ({
        landDecrease: async () => {
          settled(await rebalanced(first, position), first);
          throw timeout;
        },
      }),
    });
    await assert.rejects(rebalanced(second, position), (error) => error instanceof OperationError && error.kind === 'mayHaveLanded');
    assert.deepEqual(
      [
        (await second.rebalances())[0]?.state,
        second.asked.map(({ leg }) => leg),
        (await client().opening()).filter((one) => one.pool === pool).length,
      ],
      ['failed', ['zapOut'], positions],
    );
    assert.deepEqual(await client().audit(), []);
    await rm(folder, { recursive: true, force: true });
  });

  it('The proceeds are what the zap-out changed in the wallet, not the wrapped SOL that was there before', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    await client().setFaults({ kind: 'partial', transactions: 1, path: '/pools/landing-add-tx', times: 1 });
    const built = await client().add(pool, { inputSOL: 0.2, fromBinId: active - 5, toBinId: active + 5, slippage_bps: 500 });
    await client().landAdd(built);
    const sums: bigint[] = [];
    let wrapped: bigint | undefined;
    const at: Desk = await desk({
      host: {
        approve: async ({ review }) => {
          const account = associatedTokenAddress(owner(), WRAPPED_SOL_MINT);
          const read = await at.dependencies.rpc?.accounts({ addresses: [owner(), account] });
          const [plain, token] = read?.value ?? [];
          const inAccount = token === undefined ? 0n : (tokenAccountAmount(token) ?? 0n);
          wrapped ??= inAccount;
          sums.push((plain?.lamports ?? 0n) + inAccount);
          return review.verdict !== 'block';
        },
      },
    });
    const { reentry } = settled(await rebalanced(at, position), at);
    assert.ok(wrapped !== undefined && wrapped > 0n, 'there was wrapped SOL before');
    assert.equal(reentry.lamportsBack, (sums[1] ?? 0n) - (sums[0] ?? 0n));
  });

  it('A rebalance pays for missing bin arrays from the returned funds, even without prior notice', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25, { inputSOL: 4 });
    const at = await desk({ hasRpc: false, host: { approve: () => Promise.resolve(true) } });
    const before = await client().balance(SOL);
    const { reentry, rebalance } = settled(await rebalanced(at, position, { ...TERMS, halfWidthBins: 500 }), at);
    const parts = await at.partsOf(rebalance);
    const rentLamports = parts
      .flatMap(({ events }) => events)
      .reduce((sum, event) => (event.kind === 'signed' ? sum + event.spends.spentRentLamports : sum), 0n);
    assert.ok(rentLamports > 0n && rentLamports % RentRate.highest.binArray === 0n, `${rentLamports} lamports are rent of bin arrays`);
    assert.ok(reentry.inputLamports < reentry.lamportsBack - rentLamports);
    const after = await client().balance(SOL);
    assert.ok(after >= before, `the wallet had ${before} lamports besides, and has ${after}`);
    const reasons = parts.filter(({ state }) => state === 'abandoned').map(({ reason }) => reason);
    assert.equal(reasons.length, 1);
    assert.match(wordsOf(reasons[0]), /^Rent and fees exceed the estimate by 0\.\d+ SOL\. Nothing was signed or sent/);
    assert.equal(at.asked.length, 2, 'it is asked about what is sent, and nothing else');
  });

  it('A rebalance leaves the reserve in the wallet', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk();
    const reserveLamports = (await client().balance(SOL)) + SOL_LAMPORTS;
    const { reentry } = settled(await rebalanced(at, position, { ...TERMS, reserveLamports }), at);
    assert.ok(reentry.inputLamports < reentry.lamportsBack - 900_000_000n, 'less than came out');
    const after = await client().balance(SOL);
    assert.ok(after >= reserveLamports && after < reserveLamports + 5_000_000n, `${after} lamports stay, of ${reserveLamports}`);
  });

  it('A rebalance stops if too little was returned, and reports the figures', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25, { inputSOL: 0.005 });
    const at = await desk();
    const { reason, words, isOpen, lamportsBack } = notReentered(await rebalanced(at, position), at);
    assert.deepEqual([reason, isOpen, at.asked.length], ['tooLittle', false, 1]);
    assert.match(words, /and returned .*\. A re-entry costs 0\.0\d+ SOL \(Refundable rent: 0\.05740608 SOL/);
    const [record] = await at.rebalances();
    assert.deepEqual([record?.state, record?.lamportsBack, wordsOf(record?.reason)], ['settled', lamportsBack, words]);
  });

  it('A rebalance stops if the whole amount would come from the reserve', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk();
    const { reason, isOpen } = notReentered(await rebalanced(at, position, { ...TERMS, reserveLamports: 1_000_000n * SOL_LAMPORTS }), at);
    assert.deepEqual([reason, isOpen], ['tooLittle', false]);
  });

  it('A rebalance refuses positions without a range before it asks anything', async () => {
    const at = await desk();
    const [product] = at.dependencies.portfolio.snapshot.positions.filter(({ poolType }) => poolType === 'dammV2');
    assert.ok(product !== undefined);
    await assert.rejects(
      runRebalance({ position: product, owner: owner(), terms: TERMS }, at.dependencies, at.host, at.abort.signal),
      (error) => error instanceof OperationError && error.kind === 'invalidPlan' && /DAMM v2 pools have no range/.test(error.message),
    );
    assert.deepEqual(await at.rebalances(), []);
  });

  it('A rebalance without approval of the zap-out changes nothing', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk({ host: { approve: () => Promise.resolve(false) } });
    assert.deepEqual(await rebalanced(at, position), { kind: 'declined' });
    assert.deepEqual(
      (await at.rebalances()).map(({ state }) => state),
      ['abandoned'],
    );
    assert.ok((await client().position(position)) !== undefined);
  });

  it('A rebalance changes nothing if the price exceeds the slippage before the zap-out lands', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25, { bySteps: -40 });
    const at = await desk({
      onFindingOut: 'timeGoesOn',
      service: (service) => ({
        landDecrease: async (landing, options) => {
          await client().control('shock', { pool, percent: -20 });
          return service.landDecrease(landing, options);
        },
      }),
    });
    await assert.rejects(
      rebalanced(at, position),
      (error) => error instanceof OperationError && error.kind === 'notLanded' && error.offersFreshQuote,
    );
    const [record] = await at.rebalances();
    assert.equal(record?.state, 'failed');
    assert.match(wordsOf(record.reason), /^It did not land: nothing happened\. It was sent, and the service answered 422 .*[Ss]lippage/);
  });

  it('A zap-in beyond the slippage is offered again at the new price after proof that it did not land', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25);
    let shocks = 0;
    const at = await desk({
      onFindingOut: 'timeGoesOn',
      service: (service) => ({
        landAdd: async (landing, options) => {
          if ((shocks += 1) === 1) {
            await client().control('shock', { pool, percent: 25 });
          }
          return service.landAdd(landing, options);
        },
      }),
    });
    const { rebalance, reason, isOpen, words, lamportsBack, error } = notReentered(await rebalanced(at, position), at);
    assert.deepEqual([reason, isOpen, error?.kind, error?.offersFreshQuote], ['failed', true, 'notLanded', true]);
    assert.match(words, /It is in your wallet; nothing was re-entered\. The price moved beyond your slippage tolerance of 3%/);
    const [record] = await at.rebalances();
    assert.ok(record !== undefined);
    assert.equal(record.state, 'created');
    const standing = rebalanceStatusOf(record, await at.partsOf(rebalance));
    assert.ok(standing.kind === 'awaitsReentry' && standing.lamportsBack === lamportsBack);
    assert.deepEqual(
      await closeRebalances([record], { ...at.dependencies, onFound: () => assert.fail('it is not at its end') }),
      [],
      'and stays open',
    );

    const again = settled(await resumeReentry(rebalance, at.dependencies, at.host, at.abort.signal), at);
    assert.deepEqual([again.rebalance, again.reentry.lamportsBack], [rebalance, lamportsBack]);
    assert.ok(Math.abs(again.reentry.activeBinId - (await client().activeBin(pool))) <= 3);
    assert.deepEqual(
      (await at.rebalances()).map(({ state, reason: shortfall }) => [state, shortfall]),
      [['settled', undefined]],
    );
    assert.deepEqual(await client().audit(), []);
  });

  it('A zap-in that came too late is built again', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25);
    let landings = 0;
    const at = await desk({
      service: (service) => ({
        landAdd: async (landing, options) => {
          if ((landings += 1) === 1) {
            await client().control('advance', { ms: 120_000 });
            clock.skip(120_000);
          }
          return service.landAdd(landing, options);
        },
      }),
    });
    const positions = (await client().opening()).filter((one) => one.pool === pool).length;
    const { reentry, rebalance } = settled(await rebalanced(at, position), at);
    assert.deepEqual((await at.partsOf(rebalance)).map(({ created, state }) => [created.operation, state]).sort(), [
      ['zapIn', 'expired'],
      ['zapIn', 'settled'],
      ['zapOut', 'settled'],
    ]);
    assert.equal((await client().opening()).filter(({ pool }) => pool === reentry.pool).length, positions);
    assert.deepEqual(await client().audit(), []);
  });

  it('A rebalance canceled between its parts is offered again in every window, and only one can resume it', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at: Desk = await desk({
      host: {
        report: ({ leg }) => {
          if (leg === 'between') {
            at.abort.abort();
          }
        },
      },
    });
    const { rebalance, reason, isOpen, lamportsBack } = notReentered(await rebalanced(at, position), at);
    assert.deepEqual([reason, isOpen], ['cancelled', true]);

    const other = await desk();
    let refusal: unknown;
    const one: Desk = await desk({
      host: {
        approve: async () => {
          refusal = await resumeReentry(rebalance, other.dependencies, other.host, other.abort.signal).catch((error: unknown) => error);
          return true;
        },
      },
    });
    settled(await resumeReentry(rebalance, one.dependencies, one.host, one.abort.signal), one);
    assert.ok(refusal instanceof OperationError && refusal.kind === 'underWay', String(refusal));
    assert.equal(other.asked.length, 0);
    const [record] = await one.rebalances();
    assert.deepEqual([record?.state, record?.lamportsBack], ['settled', lamportsBack]);
    await assert.rejects(resumeReentry(rebalance, one.dependencies, one.host, one.abort.signal), /has ended/);
    await assert.rejects(declineReentry(rebalance, one.dependencies), /has ended/);
  });

  it('A rebalance does not re-enter if the user declines', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at: Desk = await desk({ host: { approve: ({ leg }) => Promise.resolve(leg === 'zapOut') } });
    const { rebalance, reason, isOpen, lamportsBack } = notReentered(await rebalanced(at, position), at);
    assert.deepEqual([reason, isOpen], ['declined', true]);
    const left = await declineReentry(rebalance, at.dependencies);
    assert.deepEqual([left.state, left.lamportsBack], ['settled', lamportsBack]);
    assert.match(wordsOf(left.reason), /As you chose, it stays in your wallet/);
    await assert.rejects(resumeReentry(rebalance, at.dependencies, at.host, at.abort.signal), /has ended/);
  });

  it('The watcher finds a zap-out without a response, and the re-entry is offered', async () => {
    const { position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk({ onFindingOut: 'stops' });
    await client().control('settings', { indexingLagMs: 4_000 });
    await client().setFaults({ kind: 'drop', path: '/position/landing-decrease-tx', times: 1 });
    const result = await rebalanced(at, position);
    assert.deepEqual(result.kind === 'unconfirmed' && [result.leg, result.stoppedWaiting], ['zapOut', true]);
    await assert.rejects(
      resumeReentry(result.kind === 'unconfirmed' ? result.rebalance : '', at.dependencies, at.host, at.abort.signal),
      (error) => error instanceof OperationError && error.kind === 'underWay',
    );

    await client().control('settings', { indexingLagMs: 0 });
    const restarted = await desk();
    await settle(restarted);
    const [record] = await restarted.rebalances();
    assert.ok(record !== undefined && record.state === 'created', 'it waits for the user');
    const standing = rebalanceStatusOf(record, await restarted.partsOf(record.id));
    assert.ok(standing.kind === 'awaitsReentry', standing.kind);
    assert.ok(standing.lamportsBack !== undefined && standing.lamportsBack > 1_900_000_000n && standing.lamportsBack < 2_200_000_000n);
    settled(await resumeReentry(record.id, restarted.dependencies, restarted.host, restarted.abort.signal), restarted);
    assert.deepEqual(await client().audit(), []);
  });

  it('The watcher finds a zap-in without a response, and nothing is deposited twice', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25);
    const others = (await client().opening()).filter((one) => one.pool === pool).length - 1;
    await client().setFaults({ kind: 'drop', path: '/pools/landing-add-tx', times: 1 });
    const at = await desk({
      onFindingOut: 'stops',
      host: {
        approve: ({ leg }) =>
          leg === 'zapIn'
            ? client()
                .control('settings', { indexingLagMs: 4_000 })
                .then(() => true)
            : Promise.resolve(true),
      },
    });
    const result = await rebalanced(at, position);
    assert.deepEqual(result.kind === 'unconfirmed' && [result.leg, result.stoppedWaiting], ['zapIn', true], at.logs.join('\n'));

    await client().control('settings', { indexingLagMs: 0 });
    const restarted = await desk();
    await settle(restarted);
    assert.deepEqual(
      (await restarted.rebalances()).map(({ state, reason }) => [state, reason]),
      [['settled', undefined]],
    );
    assert.equal((await client().opening()).filter((one) => one.pool === pool).length, others + 1);
    assert.deepEqual(await client().audit(), []);
  });

  it('A zap-in that was refused but landed is recognized, and nothing is deposited twice', async () => {
    const { pool, position } = await outOfRange('BONQ/SOL', 25);
    const at = await desk();
    await client().setFaults({ kind: 'landed', status: 422, path: '/pools/landing-add-tx', times: 1 });
    const positions = (await client().opening()).filter((one) => one.pool === pool).length;
    const { rebalance } = settled(await rebalanced(at, position), at);
    const honest = await desk();
    await assert.rejects(resumeReentry(rebalance, honest.dependencies, honest.host, honest.abort.signal), /has ended/);
    assert.deepEqual([honest.asked.length, (await client().opening()).filter((one) => one.pool === pool).length], [0, positions]);
    assert.deepEqual(
      (await honest.rebalances()).map(({ state }) => state),
      ['settled'],
    );
  });

  for (const [leg, path, withAndWithoutRpc] of [
    ['zapOut', '/position/landing-decrease-tx', [true, false]],
    ['zapIn', '/pools/landing-add-tx', [false]],
  ] as const) {
    for (const hasRpc of withAndWithoutRpc) {
      it(`A rebalance executes once if its ${leg === 'zapOut' ? 'zap-out' : 'zap-in'} landed but was answered as refused, ${hasRpc ? 'with' : 'without'} an RPC`, async () => {
        for (const fault of [
          { status: 400, message: 'Blockhash not found' },
          { status: 409 },
          { status: 422, message: 'Slippage exceeded' },
          { status: 429, retryAfterSeconds: 1 },
          { status: 307 },
        ]) {
          const { pool, position } = await outOfRange('BONQ/SOL', 25);
          const positions = (await client().opening()).filter((one) => one.pool === pool).length;
          await client().setFaults({ kind: 'landed', ...fault, path, times: 1 });
          const at = await desk({ hasRpc, host: { approve: ({ review }) => Promise.resolve(review.verdict !== 'block') } });
          const result = await rebalanced(at, position);
          const parts = await at.partsOf((await at.rebalances())[0]?.id ?? '');
          assert.deepEqual(
            parts.map(({ created, state }) => [created.operation, state]).sort(),
            [
              ['zapIn', 'settled'],
              ['zapOut', 'settled'],
            ],
            `${JSON.stringify(fault)}: ${at.logs.join('\n')}`,
          );
          settled(result, at);
          assert.deepEqual(
            [(await client().position(position)) === undefined, (await client().opening()).filter((one) => one.pool === pool).length],
            [true, positions],
          );
        }
        assert.deepEqual(await client().audit(), []);
      });
    }
  }

  /** Has a window look what became of what is unfinished, until that is known. */
  async function settle(at: Desk): Promise<void> {
    const { journal, locks, portfolio, rpc, log } = at.dependencies;
    const watcher = new OperationWatcher({
      journal,
      locks,
      portfolio,
      clock,
      serviceId: () => 'sandbox',
      rpc: () => Promise.resolve(rpc),
      service: () => Promise.resolve(at.dependencies.service),
      log,
      settleEveryMs: 200,
      onFound: () => undefined,
    });
    try {
      for (const startMs = performance.now(); performance.now() - startMs < PATIENCE_MS;) {
        await watcher.look();
        const { records } = await journal.read();
        await closeRebalances(records, { journal, locks, log, onFound: () => undefined });
        const open = (await at.rebalances()).filter(({ state }) => state === 'created');
        if (open.every((record) => rebalanceStatusOf(record, childOperationsOf(record.id, records)).kind === 'awaitsReentry')) {
          return;
        }
      }
      assert.fail(at.logs.join('\n'));
    } finally {
      watcher.dispose();
    }
  }
});

function replaced(differing: Partial<LiquidityService> | undefined, real: LiquidityService, name: string | symbol): unknown {
  const value: unknown = Reflect.get(differing ?? {}, name) ?? Reflect.get(real, name);
  return typeof value === 'function' ? (...given: readonly unknown[]): unknown => Reflect.apply(value, real, given) : value;
}
