import type { EarningsView } from '../../../../src/protocol/earnings';
import { LOADING } from '../../../../src/protocol/schemas';
import type { PoolView } from '../../../../src/protocol/pool';
import type { PositionEvent, PositionToPanel, PositionView } from '../../../../src/protocol/position';
import { poolOf } from './pool';
import {
  addressOf,
  AMBIENT,
  DAY_MS,
  FAILED,
  HOUR_MS,
  money,
  NOW_MS,
  POOL,
  randomOf,
  ready,
  same,
  SOL_USD,
  stale,
  TOKEN,
  WRAPPED_SOL,
} from './common';

/** The key that position samples have. */
export const POSITION_KEY = 'position-of-the-samples';

const POSITION: PositionView = {
  key: POSITION_KEY,
  address: addressOf(randomOf(3)),
  pool: POOL,
  pairName: 'BONQ/SOL',
  poolType: 'dlmm',
  strategy: 'Spot',
  lowerBinId: -4146,
  upperBinId: -4078,
  activeBinId: -4112,
  binStepBps: 20,
  inRange: true,
  priceRangeUsd: { lower: 0.00004496, upper: 0.0000516, current: 0.0000481 },
  x: { address: TOKEN, symbol: 'BONQ', amount: 8_412_904.11, uncollectedFee: 12_099.4, priceUsd: 0.0000481 },
  y: { address: WRAPPED_SOL, symbol: 'SOL', amount: 2.2841, uncollectedFee: 0.0412, priceUsd: SOL_USD },
  value: money(812.4),
  input: money(800),
  output: money(7.39),
  collectedFee: money(16.74),
  collectedReward: money(0),
  uncollectedFee: money(12.08),
  pnl: money(48.61),
  pnlPercent: { usd: 6.08, native: -0.82 },
  dailyReturn: same(0.0121),
  aprPercent: 441.6,
  ageHours: 102.2,
  createdAtMs: NOW_MS - 102.2 * HOUR_MS,
  updatedAtMs: NOW_MS - 60_000,
  isBusy: false,
};

const event = (action: string, daysAgo: number, more: Partial<PositionEvent>): PositionEvent => ({
  action,
  atMs: NOW_MS - daysAgo * DAY_MS,
  decimals0: 6,
  decimals1: 9,
  price0Usd: 0.0000481,
  price1Usd: SOL_USD,
  ...more,
});
const EVENTS: readonly PositionEvent[] = [
  event('create', 4.2, { price0Usd: 0.0000462, lowerBinId: -4146, upperBinId: -4078 }),
  event('add', 4.2, { amount0Raw: '8412904110000', amount1Raw: '2284100000', price0Usd: 0.0000462 }),
  event('claim_fee', 2, { price0Usd: 0.0000495, amount0Raw: '1209940000', amount1Raw: '41200000' }),
  event('remove', 1, { price0Usd: 0.0000471, amount0Raw: '1209940000', amount1Raw: '41200000', bps: 1_000 }),
];

const of = (position: PositionToPanel, others: readonly PositionToPanel[]): readonly PositionToPanel[] => [
  { kind: 'ambient', ambient: AMBIENT },
  position,
  ...others,
];
const events: PositionToPanel = { kind: 'events', events: ready(EVENTS) };
const prices: PositionToPanel = {
  kind: 'prices',
  prices: [0.0000478, 0.000048, 0.0000481].map((price, place) => ({ atMs: NOW_MS - (2 - place) * 300_000, price: price / SOL_USD })),
};

/** Two hundred half hours up to now, with a rise and a fall. */
const candles: PositionToPanel = {
  kind: 'candles',
  candles: ready(
    Array.from({ length: 200 }, (_, place) => ({
      atMs: NOW_MS - (199 - place) * 1_800_000,
      price: (0.0000478 * (1 + 0.08 * Math.sin(place / 18) + 0.01 * Math.sin(place))) / SOL_USD,
    })),
  ),
};

const { x: tokenX, bins, ...ofPool } = poolOf(220);
/** The position's pool: X has three decimals less than in the samples of the pool panel. */
const pool: PoolView = {
  ...ofPool,
  x: { ...tokenX, decimals: 6, priceUsd: POSITION.x.priceUsd },
  price: 0.0000481 / SOL_USD,
  bins: bins.map(({ binId, x, y }) => ({ binId, x: 1_000 * x, y })),
};
const outlook: PositionToPanel = {
  kind: 'outlook',
  outlook: ready({
    pool,
    volatility: { known: true, sigmaPerDay: 0.031, low: 0.024, high: 0.041, isRough: false, candles: 336 },
    earned: { known: true, feeX: '2412904110', feeY: '31841000', timeInRange: 0.87, seconds: 86_400, gaps: 0, isExact: true },
  }),
};

const EARNED: EarningsView & { known: true } = {
  known: true,
  realSol: 0.268,
  lines: {
    ...{ fees: 0.045, impermanentLoss: -0.074, trading: -0.107, commission: 0, costs: -0.0001 },
    ...{ priceOfDeposit: 0.392, afterWithdrawal: 0, heldTokens: 0.0121 },
  },
  linesUsd: {
    ...{ fees: 6.61, impermanentLoss: -11.02, trading: -15.4, commission: 0, costs: -0.015 },
    ...{ priceOfDeposit: 58.4, afterWithdrawal: 0, heldTokens: 1.78 },
  },
  lockedSol: 0.0574,
  openSol: 4.6,
  leftovers: [{ symbol: 'BONQ', amount: 128_228, sol: 0.0272 }],
  ...{
    tradedSol: 10.7,
    claims: 2,
    transactions: 6,
    positions: 1,
    sinceMs: NOW_MS - 4.2 * 86_400_000,
    reportedSol: 0.363,
    hasRewards: false,
  },
};
const earned = (view: Partial<typeof EARNED> = {}): PositionToPanel => ({ kind: 'earnings', earnings: ready({ ...EARNED, ...view }) });
const notEarned = (view: Omit<Extract<EarningsView, { known: false }>, 'known'>): PositionToPanel => ({
  kind: 'earnings',
  earnings: ready({ known: false, ...view }),
});
const ofChain = earned({
  ...{ positions: 3, transactions: 31, claims: 6, reportedSol: undefined, hasRewards: true },
  lines: { ...EARNED.lines, trading: -0.702, commission: -0.0036, afterWithdrawal: 0.0104 },
  linesUsd: undefined,
});

/** Each line times this. */
const scaled = (by: number): PositionToPanel =>
  earned({
    ...{ realSol: EARNED.realSol * by, lockedSol: EARNED.lockedSol * by, tradedSol: EARNED.tradedSol * by, reportedSol: 0.363 * by },
    leftovers: [{ symbol: 'BONQ', amount: 128_228 * by, sol: 0.0272 * by }],
    linesUsd: undefined,
    lines: {
      ...{ fees: 0.045 * by, impermanentLoss: -0.074 * by, trading: -0.107 * by, commission: -0.002 * by, costs: -0.0001 * by },
      ...{ priceOfDeposit: 0.392 * by, afterWithdrawal: 0.01 * by, heldTokens: 0.0121 * by },
    },
  });

/** What the position panel can have to show. */
export const POSITION_SAMPLES: Readonly<Record<string, readonly PositionToPanel[]>> = {
  ready: of({ kind: 'position', position: ready(POSITION), gone: false }, [events, prices, earned()]),
  candles: of({ kind: 'position', position: ready(POSITION), gone: false }, [events, prices, candles, ofChain, outlook]),
  withoutBins: of(
    {
      kind: 'position',
      position: ready({ ...POSITION, poolType: 'dammV2', strategy: undefined, activeBinId: undefined, inRange: undefined }),
      gone: false,
    },
    [
      events,
      {
        kind: 'outlook',
        outlook: ready({
          pool: { ...pool, amountX: undefined, poolType: 'dammV2', activeBinId: undefined, binStepBps: undefined, bins: [] },
          volatility: { known: true, sigmaPerDay: 4.1, low: 2.05, high: 8.2, isRough: true, candles: 8 },
        }),
      },
    ],
  ),
  outside: of(
    {
      kind: 'position',
      position: ready({
        ...POSITION,
        inRange: false,
        activeBinId: -4060,
        x: { ...POSITION.x, amount: 0, priceUsd: 0.0000535 },
        y: { ...POSITION.y, amount: 4.553 },
        pnl: money(-31.2),
        priceRangeUsd: { lower: 0.00004496, upper: 0.0000516, current: 0.0000535 },
      }),
      gone: false,
    },
    [events, notEarned({ why: 'notRead', count: 1, of: 6 }), outlook],
  ),
  huge: of({ kind: 'position', position: ready(POSITION), gone: false }, [events, scaled(1e7)]),
  tiny: of({ kind: 'position', position: ready(POSITION), gone: false }, [events, scaled(1e-6)]),
  product: of({ kind: 'position', position: ready({ ...POSITION, poolType: 'dammV2' }), gone: false }, [events, earned()]),
  many: of({ kind: 'position', position: ready(POSITION), gone: false }, [events, notEarned({ why: 'many', count: 340 })]),
  busy: of({ kind: 'position', position: ready({ ...POSITION, isBusy: true }), gone: false }, [events, notEarned({ why: 'underWay' })]),
  gone: of({ kind: 'position', position: ready(POSITION), gone: true }, [events]),
  loading: of({ kind: 'position', position: LOADING, gone: false }, []),
  failed: of({ kind: 'position', position: FAILED, gone: false }, [{ kind: 'events', events: FAILED }]),
  stale: of({ kind: 'position', position: stale(POSITION), gone: false }, [{ kind: 'events', events: stale(EVENTS) }]),
  empty: of(
    {
      kind: 'position',
      position: ready({
        key: POSITION_KEY,
        pairName: 'BONQ/SOL',
        poolType: 'other',
        x: { symbol: 'BONQ' },
        y: { symbol: 'SOL' },
        value: {},
        input: {},
        output: {},
        collectedFee: {},
        collectedReward: {},
        uncollectedFee: {},
        pnl: {},
        pnlPercent: {},
        dailyReturn: {},
        isBusy: false,
      }),
      gone: false,
    },
    [{ kind: 'events', events: ready([]) }],
  ),
};
