import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { Pool } from '../../src/service/pools';
import type { AddRequest } from '../../src/service/transactions';
import type { LiquidityService } from '../../src/service/service';
import { OperationError } from '../../src/transactions/errors';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationJournal } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import type { OperationDependencies, OperationHost, OperationResult, TokensAtHand, ZapInPlan } from '../../src/transactions/types';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import type { Review } from '../../src/review/types';
import { address, type Address } from '../../src/base/solana/address';
import { createSigner } from '../../src/wallet/signer';
import { landed, SOL } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';
import { shownBin } from '../../src/service/poolInfo';
import { rpcOf } from '../support/sandbox/rpcOf';

/** A window, with everything that the extension runs a zap-in with. */
interface Desk {
  readonly service: LiquidityService;
  readonly journal: OperationJournal;
  readonly dependencies: OperationDependencies;
  readonly host: OperationHost;
  readonly reviews: Review[];
  readonly builds: AddRequest[];
  readonly logs: string[];
}

/** What a service does differently with what it is asked. */
type Differing = (service: LiquidityService, request: AddRequest) => ReturnType<LiquidityService['buildAdd']>;

const never = new AbortController().signal;
/** Position, token accounts and bin arrays that are missing, with fees and the tip. */
const COSTS_AT_MOST = 400_000_000n;

// Client and sandbox meet over HTTP alone: service, RPC, review, wallet, portfolio, journal and locks are the ones that the extension uses.
describe('Zapping in with tokens of the wallet (mode normal) in the sandbox', function () {
  // Prices stand still: what is measured is what the zap-in does.
  const client = useSandbox('all', STILL_AND_SHORT);

  let storage: string;
  const opened: { readonly journal: OperationJournal; readonly locks: OperationLocks }[] = [];
  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'binsight-tokens-'));
  });
  afterEach(async () => {
    for (const { journal, locks } of opened.splice(0)) {
      journal.dispose();
      await locks.dispose();
    }
    await rm(storage, { recursive: true, force: true });
  });

  const owner = (): Address => address(client().sandbox.owner);

  function realService(): LiquidityService {
    const { url, apiKey } = client().sandbox;
    return createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
  }

  async function desk({ hasRpc = true, building }: { readonly hasRpc?: boolean; readonly building?: Differing } = {}): Promise<Desk> {
    const { url, apiKey, secretKey } = client().sandbox;
    const real = realService();
    const [reviews, logs, builds]: [Review[], string[], AddRequest[]] = [[], [], []];
    const service: LiquidityService = {
      ...real,
      buildAdd: async (request, options) => {
        builds.push(request);
        return building === undefined ? real.buildAdd(request, options) : building(real, request);
      },
    };
    const clock = {
      now: () => Date.now(),
      after: (ms: number, run: () => void) => {
        const timer = setTimeout(run, ms);
        return { dispose: () => clearTimeout(timer) };
      },
    };
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
    portfolio.setOwner(owner());
    await portfolio.refresh('startup', ['positions']);
    const journal = openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log: () => undefined });
    const locks = openLocks({ folder: join(storage, 'locks'), log: () => undefined });
    opened.push({ journal, locks });
    const readSeed = () => Promise.resolve(bs58.decode(secretKey).slice(0, 32));
    return {
      ...{ service, journal, reviews, builds, logs },
      dependencies: {
        ...{ service, portfolio, journal, locks, clock, nowMs: clock.now, serviceId: 'sandbox' },
        isServiceInUse: () => true,
        log: (level, message) => void logs.push(`${level} ${message}`),
        rpc: hasRpc ? rpcOf({ url, apiKey }) : undefined,
        policy: () => ({}),
        isSimulating: true,
        ...{ settleTimeoutMs: 20_000, settleEveryMs: 200 },
      },
      host: {
        report: () => undefined,
        approve: (review) => {
          reviews.push(review);
          return Promise.resolve(review.verdict === 'allow');
        },
        signer: () => Promise.resolve(createSigner({ owner: owner(), readSeed, signReviewed, nowMs: clock.now })),
      },
    };
  }

  async function poolNamed({ service }: Desk, pairName: string, poolType: Pool['poolType'], binStepBps?: number): Promise<Pool> {
    const { items } = await service.discoverPools({ pageSize: 100 });
    const pool = items.find(
      (one) => one.poolType === poolType && one.pairName === pairName && (binStepBps === undefined || one.binStepBps === binStepBps),
    );
    assert.ok(pool !== undefined, `there is a pool ${pairName}`);
    return pool;
  }

  /** Has the wallet hold tokens of a pool: zaps SOL in, and takes both out again. */
  async function withTokensOf(pool: Pool): Promise<{ readonly x: bigint; readonly y: bigint }> {
    const active = pool.poolType === 'dlmm' ? await client().activeBin(pool.address) : 0;
    const built = await client().add(pool.address, {
      inputSOL: 0.3,
      ...(pool.poolType === 'dlmm' ? { fromBinId: active - 10, toBinId: active + 10 } : {}),
    });
    landed(await client().landAdd(built));
    landed(await client().landDecrease(await client().decrease(built.meta.positionPubKey, 10_000, { output: 'both' })));
    const [x, y] = await balancesOf(pool);
    return { x, y };
  }

  async function balancesOf({ token0, token1 }: Pool): Promise<readonly [bigint, bigint]> {
    return [await client().balance(token0.address ?? ''), await client().balance(token1.address ?? '')];
  }

  async function planFor(
    pool: Pool,
    tokens: TokensAtHand,
    bins: { readonly from: number; readonly to: number; readonly strategy?: 'Spot' | 'Curve' | 'BidAsk' } | undefined,
  ): Promise<ZapInPlan> {
    const { address: of, pairName, token0, token1, poolType } = pool;
    assert.ok(poolType !== 'other');
    const shown = shownBin(await realService().poolInfo(of));
    const active = shown.activeBinId ?? 0;
    return {
      ...{ pool: of, pairName, poolType, tokenX: token0.address, tokenY: token1.address, owner: owner() },
      ...{ inputLamports: 0n, percentX: 0, slippageBps: 300, tokens, ...shown },
      ...(bins === undefined
        ? { strategy: undefined, fromBinId: undefined, toBinId: undefined }
        : { strategy: bins.strategy ?? 'Spot', fromBinId: active + bins.from, toBinId: active + bins.to }),
      prices: {
        decimalsX: token0.decimals,
        decimalsY: token1.decimals,
        priceXUsd: pool.price0Usd,
        priceYUsd: pool.price1Usd,
        solUsd: undefined,
      },
    };
  }

  const run = (plan: ZapInPlan, at: Desk): Promise<OperationResult> => runZapIn(plan, at.dependencies, at.host, never);

  /** It went in without a question, and without a swap; gives the new position. */
  function assertHonest(result: OperationResult, { reviews, logs, builds }: Desk, plan: ZapInPlan): Address {
    const [review, ...more] = reviews;
    assert.ok(review !== undefined && more.length === 0, `asked ${reviews.length} times\n${logs.join('\n')}`);
    assert.deepEqual(
      review.findings
        .filter(({ verdict, rule }) => verdict !== 'info' || rule === 'RPC-1')
        .map(({ rule, verdict, message }) => `${verdict} ${rule}: ${message}`),
      [],
    );
    assert.ok(result.kind === 'settled' && result.position !== undefined, `${result.kind}\n${logs.join('\n')}`);
    assert.deepEqual(
      builds.map(({ mode }) => mode),
      ['normal'],
    );
    assert.ok(review.transactions.every(({ group }) => group === 'add'));
    assert.deepEqual(
      review.tokenSpends.filter(({ into }) => into !== 'position'),
      [],
    );
    const { amountXRaw, amountYRaw } = plan.tokens ?? { amountXRaw: 0n, amountYRaw: 0n };
    const chosen = new Map([
      [plan.tokenX, amountXRaw],
      [plan.tokenY, amountYRaw],
    ]);
    for (const { mint, amountRaw } of review.tokenSpends) {
      assert.ok(mint !== undefined && amountRaw <= (chosen.get(mint) ?? 0n), `${amountRaw} of ${mint}`);
    }
    assert.ok(review.spends.consumedLamports <= (chosen.get(address(SOL)) ?? 0n));
    return result.position;
  }

  /** The wallet has less by what was chosen and, of SOL, by what it costs; of what does not fit, some may have stayed. */
  async function assertTaken(
    pool: Pool,
    before: readonly [bigint, bigint],
    { amountXRaw, amountYRaw }: TokensAtHand,
    leastShare = 0.99,
  ): Promise<void> {
    const after = await balancesOf(pool);
    for (const [side, chosen, token] of [
      [0, amountXRaw, pool.token0],
      [1, amountYRaw, pool.token1],
    ] as const) {
      const taken = before[side] - after[side];
      const most = chosen + (token.address === SOL ? COSTS_AT_MOST : 0n);
      assert.ok(
        taken <= most && Number(taken) >= Number(chosen) * leastShare,
        `${taken} of ${token.symbol} was taken; ${chosen} were chosen`,
      );
    }
    assert.deepEqual(await client().audit(), []);
  }

  const worthOf = ({ price0Usd = NaN, price1Usd = NaN }: Pool, amountX: number, amountY: number): number =>
    amountX * price0Usd + amountY * price1Usd;

  for (const [pairName, binStepBps] of [
    ['BONQ/SOL', 100],
    ['SOL/USDC', 4],
    ['TRUMPET/USDC', 50],
  ] as const) {
    for (const hasRpc of [true, false]) {
      it(`A zap-in deposits both tokens of ${pairName} as they are, ${hasRpc ? 'with' : 'without'} an RPC`, async () => {
        const at = await desk({ hasRpc });
        const pool = await poolNamed(at, pairName, 'dlmm', binStepBps);
        const held = await withTokensOf(pool);
        const solAmount = (token: Pool['token0'], amount: bigint): bigint => (token.address === SOL ? 100_000_000n : amount / 2n);
        const tokens = { amountXRaw: solAmount(pool.token0, held.x), amountYRaw: solAmount(pool.token1, held.y) };
        const before = await balancesOf(pool);
        const plan = await planFor(pool, tokens, { from: -10, to: 10 });
        const position = assertHonest(await run(plan, at), at, plan);
        await assertTaken(pool, before, tokens);
        const now = await client().position(position);
        assert.deepEqual([now?.pool, now?.tickLower, now?.tickUpper], [pool.address, plan.fromBinId, plan.toBinId]);
        // What is in the bin at the price is one mixture for all: of either token it may be more or less, of both together it is as much.
        const putIn = worthOf(
          pool,
          Number(tokens.amountXRaw) / 10 ** (pool.token0.decimals ?? 0),
          Number(tokens.amountYRaw) / 10 ** (pool.token1.decimals ?? 0),
        );
        const isIn = worthOf(pool, now?.current.amount0Adjusted ?? 0, now?.current.amount1Adjusted ?? 0);
        assert.ok(Math.abs(isIn / putIn - 1) < 0.02, `worth ${putIn} went in, worth ${isIn} is there`);
        const [record] = (await at.journal.read()).records;
        assert.ok(record?.state === 'settled' && record.created.plan.kind === 'zapIn');
        const { inputLamports, tokens: written } = record.created.plan;
        assert.deepEqual([inputLamports, written?.amountXRaw, written?.amountYRaw], [0n, tokens.amountXRaw, tokens.amountYRaw]);
        assert.deepEqual(
          [written?.x?.mint, written?.x?.decimals, written?.y?.mint, written?.y?.decimals],
          [plan.tokenX, pool.token0.decimals, plan.tokenY, pool.token1.decimals],
        );
      });
    }
  }

  it('A zap-in deposits one token above or below the price', async () => {
    for (const [amounts, from, to] of [
      [(x: bigint) => ({ amountXRaw: x, amountYRaw: 0n }), 1, 20],
      [() => ({ amountXRaw: 0n, amountYRaw: 50_000_000n }), -20, -1],
    ] as const) {
      const at = await desk();
      const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 25);
      const tokens = amounts((await withTokensOf(pool)).x / 3n);
      const before = await balancesOf(pool);
      const plan = await planFor(pool, tokens, { from, to, strategy: 'BidAsk' });
      assertHonest(await run(plan, at), at, plan);
      await assertTaken(pool, before, tokens);
    }
  });

  it('A zap-in with one token around the price fills its side of the range', async () => {
    const at = await desk();
    const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 100);
    const tokens = { amountXRaw: (await withTokensOf(pool)).x / 3n, amountYRaw: 0n };
    const before = await balancesOf(pool);
    const plan = await planFor(pool, tokens, { from: -10, to: 10 });
    assertHonest(await run(plan, at), at, plan);
    await assertTaken(pool, before, tokens);
  });

  it('A zap-in fills a range of more than 70 bins in several transactions', async () => {
    const at = await desk();
    const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 25);
    const tokens = { amountXRaw: (await withTokensOf(pool)).x / 2n, amountYRaw: 100_000_000n };
    const before = await balancesOf(pool);
    const plan = await planFor(pool, tokens, { from: -60, to: 60, strategy: 'Curve' });
    const position = assertHonest(await run(plan, at), at, plan);
    assert.ok((at.reviews[0]?.transactions.length ?? 0) > 1);
    await assertTaken(pool, before, tokens);
    const now = await client().position(position);
    assert.deepEqual([now?.tickLower, now?.tickUpper], [plan.fromBinId, plan.toBinId]);
  });

  it('A zap-in into pools without bins deposits equal worth and leaves the rest', async () => {
    for (const pairName of ['BONQ/SOL', 'RAYO/USDC']) {
      const at = await desk();
      const pool = await poolNamed(at, pairName, 'dammV2');
      const held = await withTokensOf(pool);
      const amountXRaw = held.x / 2n;
      const price = (pool.price0Usd ?? NaN) / (pool.price1Usd ?? NaN);
      const amountYRaw = BigInt(
        Math.floor((Number(amountXRaw) / 10 ** (pool.token0.decimals ?? 0)) * price * 10 ** (pool.token1.decimals ?? 0)),
      );
      const tokens = { amountXRaw, amountYRaw: amountYRaw < held.y ? amountYRaw : held.y / 2n };
      const before = await balancesOf(pool);
      const plan = await planFor(pool, tokens, undefined);
      const position = assertHonest(await run(plan, at), at, plan);
      await assertTaken(pool, before, tokens, 0);
      assert.equal((await client().position(position))?.pool, pool.address);
    }
  });

  it('A zap-in deposits a whole token balance, to the last unit', async () => {
    const at = await desk();
    const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 100);
    const { x } = await withTokensOf(pool);
    const tokens = { amountXRaw: x, amountYRaw: 0n };
    const plan = await planFor(pool, tokens, { from: 1, to: 20 });
    assertHonest(await run(plan, at), at, plan);
    assert.ok((await client().balance(pool.token0.address ?? '')) < 30n, 'but for what does not divide by the bins');
  });

  it('A service that deposits too much, swaps or does anything else is refused before signing', async () => {
    const hostile: readonly (readonly [string, string, Differing])[] = [
      [
        'twice the tokens',
        'LIM-1',
        (service, request) => service.buildAdd(request.mode === 'normal' ? { ...request, amountX: request.amountX * 2 } : request),
      ],
      [
        'twice the SOL',
        'LIM-1',
        (service, request) => service.buildAdd(request.mode === 'normal' ? { ...request, amountY: request.amountY * 2 } : request),
      ],
      [
        'SOL swapped in place of the tokens',
        'SWP-6',
        (service, { pool, owner: of, strategy, fromBinId, toBinId, slippageBps }) =>
          service.buildAdd({
            mode: 'zap-in',
            inputSol: 0.05,
            percentX: 0.5,
            ...{ pool, owner: of, strategy, fromBinId, toBinId, slippageBps },
          }),
      ],
      [
        'SOL sent to a stranger',
        'SYS-1',
        async (service, request) => {
          await client().setFaults({ kind: 'hostile', attack: 'sendSol', times: 1 });
          return service.buildAdd(request);
        },
      ],
      [
        'a token account given away',
        'TOK-3',
        async (service, request) => {
          await client().setFaults({ kind: 'hostile', attack: 'tokenAuthority', times: 1 });
          return service.buildAdd(request);
        },
      ],
    ];
    const { x } = await withTokensOf(await poolNamed(await desk(), 'BONQ/SOL', 'dlmm', 100));
    for (const [what, rule, building] of hostile) {
      for (const hasRpc of [true, false]) {
        const at = await desk({ hasRpc, building });
        const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 100);
        const before = await balancesOf(pool);
        const plan = await planFor(pool, { amountXRaw: x / 3n, amountYRaw: 50_000_000n }, { from: -10, to: 10 });
        const result = await run(plan, at);
        assert.equal(result.kind, 'blocked', `${what}: ${result.kind}`);
        assert.ok(
          at.reviews[0]?.findings.some((finding) => finding.rule === rule && finding.verdict === 'block'),
          `${what}: ${at.reviews[0]?.findings.map((finding) => `${finding.verdict} ${finding.rule}`).join(', ')}`,
        );
        assert.deepEqual(at.reviews[0]?.reviewed, []);
        assert.deepEqual(await balancesOf(pool), before);
        assert.equal((await at.journal.read()).records[0]?.state, 'abandoned');
      }
    }
  });

  it('Amounts with wrong token decimals are refused by the facts of the RPC', async () => {
    const at = await desk();
    const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 100);
    const { x } = await withTokensOf(pool);
    const plan = await planFor(pool, { amountXRaw: x / 3n, amountYRaw: 0n }, { from: 1, to: 20 });
    const before = await balancesOf(pool);
    const result = await run({ ...plan, prices: { ...plan.prices, decimalsX: (pool.token0.decimals ?? 0) + 1 } }, at);
    assert.equal(result.kind, 'blocked');
    assert.match(at.reviews[0]?.findings.find(({ rule }) => rule === 'LIM-1')?.message ?? '', /decimals, but the service says/);
    assert.deepEqual(await balancesOf(pool), before);
  });

  it('The refusal of the service is shown when the wallet has too little or the range takes nothing', async () => {
    const at = await desk();
    const pool = await poolNamed(at, 'BONQ/SOL', 'dlmm', 100);
    const { x } = await withTokensOf(pool);
    for (const [tokens, bins, words] of [
      [{ amountXRaw: x * 3n, amountYRaw: 0n }, { from: 1, to: 20 }, /BONQ/],
      [{ amountXRaw: x / 3n, amountYRaw: 0n }, { from: -20, to: -1 }, /nothing to put in/],
    ] as const) {
      await assert.rejects(
        run(await planFor(pool, tokens, bins), at),
        (error) => error instanceof OperationError && error.kind === 'notBuilt' && error.money === 'untouched' && words.test(error.message),
      );
    }
  });
});
