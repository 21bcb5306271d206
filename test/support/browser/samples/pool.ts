import { binArrayIndex } from '../../../../src/base/dlmm/bins';
import type { BinView, LperRow, LpersPage, OwnRange, PlanFigures, PoolToPanel, PoolView } from '../../../../src/protocol/pool';
import type { CounterRecordView, VolatilityView } from '../../../../src/protocol/outlook';
import { LOADING } from '../../../../src/protocol/schemas';
import {
  addressOf,
  AMBIENT,
  DAY_MS,
  FAILED,
  HOUR_MS,
  money,
  NOW_MS,
  OWNER,
  randomOf,
  ready,
  same,
  SOL_USD,
  stale,
  TOKEN,
  WRAPPED_SOL,
} from './common';

const BIN_STEP_BPS = 20;
export const ACTIVE_BIN = -4112;

/** A pool with so many bins with liquidity around the active one. */
export function poolOf(binCount: number): PoolView {
  const random = randomOf(binCount);
  const first = ACTIVE_BIN - Math.floor(binCount * 0.45);
  const bins = Array.from({ length: binCount }, (_, index): BinView => {
    const binId = first + index;
    const amount = (20 + 480 * Math.exp(-(((binId - ACTIVE_BIN) / (binCount / 5)) ** 2))) * (0.5 + random());
    const price = priceOf(binId);
    if (binId === ACTIVE_BIN) {
      return { binId, x: amount / 2 / price, y: amount / 2 };
    }
    return binId < ACTIVE_BIN ? { binId, x: 0, y: amount } : { binId, x: amount / price, y: 0 };
  });
  return {
    pairName: 'BONQ/SOL',
    poolType: 'dlmm',
    price: priceOf(ACTIVE_BIN),
    binStepBps: BIN_STEP_BPS,
    activeBinId: ACTIVE_BIN,
    bins,
    x: {
      address: TOKEN,
      symbol: 'BONQ',
      name: 'Bonq the Unlikely',
      decimals: 9,
      priceUsd: priceOf(ACTIVE_BIN) * SOL_USD,
      marketCapUsd: 48_212_904,
      fdvUsd: 61_004_112.5,
      organicScore: 84.2,
      topHolderPercent: 18.4,
      mintOrFreezeEnabled: true,
      holders: 91_204,
    },
    y: {
      address: WRAPPED_SOL,
      symbol: 'SOL',
      name: 'Wrapped SOL',
      decimals: 9,
      priceUsd: SOL_USD,
      marketCapUsd: 9.6e10,
      fdvUsd: 1.08e11,
      organicScore: 99.1,
      holders: 3_912_554,
    },
    tvlUsd: 1_284_410.22,
    amountX: 4_120_998_112.4,
    amountY: 3_499.118,
    volumeUsd: { '5m': 4_120.4, '1h': 88_112, '6h': 411_244.9, '24h': 2_410_882.5 },
    volumeChangePercent: { '1h': -12.4, '6h': 3.02, '24h': 41.7 },
    priceChangePercent: { '5m': 0.04, '1h': -1.21, '6h': 4.8, '24h': -18.2 },
    priceAfterChanges: { usd: priceOf(ACTIVE_BIN) * SOL_USD, atMs: NOW_MS },
    fees: {
      basePercent: 0.2,
      dynamicPercent: 0.314,
      maxPercent: 10,
      protocolPercent: 5,
      collectedIn: 'y',
      fees24hUsd: 6_204.8,
      feeTvl24h: 0.48,
    },
    createdAtMs: NOW_MS - 61 * DAY_MS,
    feeStats: Array.from({ length: 48 }, (_, hour) => ({
      atMs: NOW_MS - (48 - hour) * HOUR_MS,
      feeUsd: 120 + 240 * random(),
      volumeUsd: 60_000 + 90_000 * random(),
    })),
  };
}

function priceOf(binId: number): number {
  return (1 + BIN_STEP_BPS / 10_000) ** binId;
}

const OWN: readonly OwnRange[] = [
  {
    key: 'own-1',
    address: addressOf(randomOf(1)),
    lowerBinId: ACTIVE_BIN - 34,
    upperBinId: ACTIVE_BIN + 34,
    inRange: true,
    strategy: 'Spot',
    value: money(812.4),
    pnl: money(41.22),
    uncollectedFee: money(12.08),
  },
  {
    key: 'own-2',
    address: addressOf(randomOf(2)),
    lowerBinId: ACTIVE_BIN + 12,
    upperBinId: ACTIVE_BIN + 60,
    inRange: false,
    strategy: 'BidAsk',
    value: money(120.9),
    pnl: money(-9.81),
    uncollectedFee: money(0.42),
  },
];

/** A page of top LPers; the second is the looked-at wallet. */
function lpersOf(page: number, pageSize = 20): LpersPage {
  const random = randomOf(page);
  const rows = Array.from({ length: pageSize }, (_, index): LperRow => {
    const inflow = 100_000 * random() + 50;
    const pnl = inflow * (random() - 0.4) * 0.3;
    return {
      owner: index === 1 ? OWNER : addressOf(random),
      isOwn: index === 1,
      inflow: money(inflow),
      averageInflow: money(inflow / 7),
      outflow: money(inflow + pnl),
      fee: money(inflow * 0.02),
      reward: money(0),
      pnl: money(pnl),
      feeRate: same(0.02),
      winRate: { usd: random(), native: random() },
      roi: pnl / inflow,
      apr: index === 3 ? 18_400_000 : 4 * random(),
      positions: Math.ceil(random() * 400),
      won: same(Math.ceil(random() * 40)),
      averageAgeHours: 40 * random(),
      firstActivityMs: NOW_MS - 60 * DAY_MS * random(),
      lastActivityMs: NOW_MS - 2 * DAY_MS * random(),
    };
  });
  return { query: { orderBy: 'total_pnl', sortOrder: 'desc', page }, rows, pageSize, totalCount: 96, totalPages: 5, hasNextPage: page < 5 };
}

const PLAN_FIGURES: PlanFigures = {
  balanceLamports: '24812904112',
  reserveLamports: '60000000',
  solUsd: SOL_USD,
  defaultSlippageBps: 300,
  // At 5,080 lamports a byte.
  positionLamports: '41899840',
  positionPerBinAbove70Lamports: '568960',
  binArrayLamports: '52141120',
  isRentUpperBound: false,
  binArrays: { from: -65, to: -52, existing: [-61, -60, -59, -58] },
  feePerTransactionLamports: '105000',
  tipLamports: '1000000',
};

/** Without an RPC: the pool tells of the bin array that is active, and today's rent is not known. */
const PLAN_FIGURES_WITHOUT_RPC: PlanFigures = {
  ...PLAN_FIGURES,
  isRentUpperBound: true,
  binArrays: { from: binArrayIndex(ACTIVE_BIN), to: binArrayIndex(ACTIVE_BIN), existing: [] },
};

const VOLATILITY: VolatilityView = { known: true, sigmaPerDay: 0.05, low: 0.041, high: 0.061, isRough: false, candles: 336 };
/** A day of readings every 15 minutes; bins that were crossed grew in them. @param halfWidthBins how many of the bins were recorded */
function recordOfDay(halfWidthBins: number): CounterRecordView {
  const binIds = Array.from({ length: 2 * halfWidthBins + 1 }, (_, place) => ACTIVE_BIN - halfWidthBins + place);
  const activeAt = (reading: number): number => ACTIVE_BIN + Math.round(18 * Math.sin(reading / 9));
  const readings = Array.from({ length: 97 }, (_, reading) => ({ timeS: 900 * reading, activeBinId: activeAt(reading) }));
  const grown = { supplies: String(2n * 10n ** 9n * (1n << 64n)), x: String((1n << 64n) / 40n), y: String((1n << 64n) / 9_000n) };
  return {
    readings,
    bins: binIds.map((binId) => ({ binId, intervals: readings.filter(({ activeBinId }) => activeBinId === binId).map(() => grown) })),
  };
}
const counterRecord = (view: CounterRecordView): PoolToPanel => ({ kind: 'counterRecord', counterRecord: ready(view) });

/** A week of candles, an hour each; the wallet's deposits and a withdrawal in it. */
const PRICES = Array.from({ length: 168 }, (_, hour) => ({
  atMs: NOW_MS - (167 - hour) * HOUR_MS,
  price: priceOf(ACTIVE_BIN + Math.round(30 * Math.sin(hour / 19) * Math.cos(hour / 7) * (1 - hour / 167))),
}));
const chart: readonly PoolToPanel[] = [
  { kind: 'priceHistory', priceHistory: ready({ period: '7d', prices: PRICES }) },
  {
    kind: 'ownTrades',
    ownTrades: [
      { atMs: NOW_MS - 140 * HOUR_MS, kind: 'entry' },
      { atMs: NOW_MS - 90 * HOUR_MS, kind: 'exit' },
      { atMs: NOW_MS - 30 * HOUR_MS, kind: 'entry' },
    ],
  },
];

const volatility = (view: VolatilityView): PoolToPanel => ({ kind: 'volatility', volatility: ready(view) });

const empty: PoolView = {
  ...poolOf(0),
  tvlUsd: 0,
  amountX: 0,
  amountY: 0,
  volumeUsd: {},
  volumeChangePercent: {},
  priceChangePercent: {},
  fees: {},
  feeStats: [],
  bins: [],
};

/** A pool of DAMM v2. */
const withoutBins: PoolView = { ...poolOf(0), poolType: 'dammV2', activeBinId: undefined, binStepBps: undefined, bins: [] };

/** What service text can be: markup, long words, marks that turn the writing direction. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202EWIMPERN'.padEnd(120, 'W');
const hostile: PoolView = { ...poolOf(80), pairName: HOSTILE, x: { symbol: HOSTILE, name: HOSTILE }, y: { symbol: '?' } };

const of = (pool: PoolToPanel & { kind: 'pool' }, others: readonly PoolToPanel[]): readonly PoolToPanel[] => [
  { kind: 'ambient', ambient: AMBIENT },
  pool,
  ...others,
];
const around: readonly PoolToPanel[] = [
  { kind: 'own', own: ready(OWN) },
  { kind: 'lpers', lpers: ready(lpersOf(1)) },
  { kind: 'planFigures', planFigures: ready(PLAN_FIGURES) },
  ...chart,
  volatility(VOLATILITY),
  counterRecord(recordOfDay(140)),
];

/** What the pool panel can have to show. */
export const POOL_SAMPLES: Readonly<Record<string, readonly PoolToPanel[]>> = {
  ready: of({ kind: 'pool', pool: ready(poolOf(220)) }, around),
  withoutCandles: of({ kind: 'pool', pool: ready(poolOf(220)) }, [...around, { kind: 'priceHistory', priceHistory: { status: 'ready' } }]),
  opened: of({ kind: 'pool', pool: ready(poolOf(220)) }, [
    ...around,
    { kind: 'opened', opened: { key: 'new', value: { usd: 333.09, native: 2 }, inRange: true } },
  ]),
  loading: of({ kind: 'pool', pool: LOADING }, []),
  failed: of({ kind: 'pool', pool: FAILED, name: 'BONQ/SOL' }, [
    { kind: 'own', own: FAILED },
    { kind: 'lpers', lpers: FAILED },
  ]),
  stale: of({ kind: 'pool', pool: stale(poolOf(220)) }, [
    { kind: 'own', own: stale(OWN) },
    { kind: 'priceHistory', priceHistory: stale({ period: '7d', prices: PRICES }) },
    { kind: 'lpers', lpers: stale(lpersOf(1)) },
  ]),
  empty: of({ kind: 'pool', pool: ready(empty) }, [
    { kind: 'own', own: ready([]) },
    { kind: 'lpers', lpers: ready({ ...lpersOf(1), rows: [], totalCount: 0, totalPages: 0, hasNextPage: false }) },
  ]),
  hostile: of({ kind: 'pool', pool: ready(hostile) }, around),
  plan: of({ kind: 'pool', pool: ready(poolOf(220)) }, [...around, { kind: 'startPlan' }]),
  planWithoutRpc: of({ kind: 'pool', pool: ready(poolOf(220)) }, [
    ...around,
    { kind: 'planFigures', planFigures: ready(PLAN_FIGURES_WITHOUT_RPC) },
    { kind: 'startPlan' },
  ]),
  withoutBins: of({ kind: 'pool', pool: ready(withoutBins) }, around),
  planWithoutBins: of({ kind: 'pool', pool: ready(withoutBins) }, [...around, { kind: 'startPlan' }]),
  planOneSided: of({ kind: 'pool', pool: ready(poolOf(220)) }, [
    ...around,
    volatility({ ...VOLATILITY, isRough: true, candles: 9 }),
    { kind: 'startPlan', range: { fromBinId: ACTIVE_BIN + 1, toBinId: ACTIVE_BIN + 69 } },
  ]),
  planWithoutVolatility: of({ kind: 'pool', pool: ready(poolOf(220)) }, [
    ...around,
    volatility({ known: false, why: 'tooFewCandles' }),
    counterRecord(recordOfDay(20)),
    { kind: 'startPlan' },
  ]),
  riskyPlan: of({ kind: 'pool', pool: ready(poolOf(220)) }, [
    ...around,
    { kind: 'startPlan', range: { fromBinId: ACTIVE_BIN - 200, toBinId: ACTIVE_BIN + 100 } },
  ]),
  wide: of({ kind: 'pool', pool: ready(poolOf(1_400)) }, around),
};
