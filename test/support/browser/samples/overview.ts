import {
  type ClosedRow,
  type Earned,
  type History,
  type HistoryRequest,
  MOST_HISTORY_ROWS,
  type OpenTotals,
  type OverviewFigures,
  type OverviewToPanel,
  type OverviewView,
} from '../../../../src/protocol/overview';
import { LOADING, type MoneyView, type Part } from '../../../../src/protocol/schemas';
import { addressOf, AMBIENT, DAY_MS, FAILED, HOUR_MS, money, NOW_MS, OWNER, randomOf, ready, same, stale } from './common';

/** A figure that grows with the period. */
const periods = <Value>(of: (share: number) => Value): { '7D': Value; '1M': Value; '3M': Value; '1Y': Value; YTD: Value; ALL: Value } => ({
  '7D': of(0.05),
  '1M': of(0.2),
  '3M': of(0.55),
  '1Y': of(0.9),
  YTD: of(0.8),
  ALL: of(1),
});
const moneyBy = (usd: number): ReturnType<typeof periods<MoneyView>> => periods((share) => money(usd * share));

const DLMM: OverviewFigures = {
  owner: OWNER,
  chain: 'SOL',
  protocol: 'meteora',
  totalInflow: money(482_110.4),
  totalOutflow: money(490_884.2),
  totalReward: money(0),
  averageInflow: moneyBy(388.8),
  totalFee: moneyBy(21_904.2),
  totalPnl: periods((share) => money(share < 0.1 ? -214.88 : 8_773.8 * share)),
  winRate: periods((share) => ({ usd: 0.5 + share / 5, native: 0.4 + share / 5 })),
  expectedValue: moneyBy(7.07),
  closedPositions: periods((share) => Math.round(1_240 * share)),
  averageAgeHours: 31.4,
  feeRate: same(0.0454),
  apr: 18_441_201.4,
  roi: 0.0182,
  roiOnAverageInflow: same(0.01818),
  totalPositions: 1_246,
  wonPositions: { usd: 812, native: 644 },
  openPositions: 6,
  totalPools: 88,
  firstActivityMs: NOW_MS - 412 * DAY_MS,
  lastActivityMs: NOW_MS - 3 * HOUR_MS,
  updatedAtMs: NOW_MS - 60_000,
  averagePositionProfit: money(7.07),
  monthlyProfitPercent: same(4.1),
  monthlyPnl: money(649.9),
  monthlyInflow: money(35_711.8),
};

const DAMM_V2: OverviewFigures = {
  ...DLMM,
  protocol: 'meteora_damm_v2',
  totalPnl: periods((share) => money(-312.5 * share)),
  closedPositions: periods((share) => Math.round(40 * share)),
  apr: -0.31,
  monthlyPnl: money(-39.06),
  monthlyInflow: money(1_204.4),
  monthlyProfitPercent: same(-3.24),
};
const OVERVIEW: OverviewView = { ...DLMM, ofEach: [{ name: 'DLMM', figures: DLMM }], none: ['DAMM v2'], missing: [] };
const BOTH: OverviewView = {
  ...DLMM,
  protocol: undefined,
  apr: undefined,
  monthlyPnl: {},
  monthlyInflow: {},
  monthlyProfitPercent: {},
  winRate: { ...DLMM.winRate, '7D': {} },
  ofEach: [
    { name: 'DLMM', figures: DLMM },
    { name: 'DAMM v2', figures: DAMM_V2 },
  ],
  none: [],
  missing: [],
};
const DLMM_ONLY: OverviewView = {
  ...OVERVIEW,
  none: [],
  missing: [{ name: 'DAMM v2', words: 'The service has had too many requests for your plan (429).' }],
};

/** So many positions whose value the service does not report. */
function leftOutOf(notReported: number): OpenTotals['leftOut'] {
  const none = { notReported: 0, implausible: 0 };
  const inBoth = { usd: none, native: none };
  const value = { notReported, implausible: 0 };
  return { value: { usd: value, native: value }, pnl: inBoth, pnlPercent: inBoth, uncollectedFee: inBoth };
}

const OPEN_ROWS: OpenTotals['rows'] = [
  { name: 'POPKAT/SOL', lowerBinId: -40, upperBinId: 28, activeBinId: 35, inRange: false },
  { name: 'PENGO/SOL', lowerBinId: -40, upperBinId: 28, activeBinId: -44, inRange: false },
  { name: 'BONQ/SOL 25 bps', lowerBinId: -40, upperBinId: 28, activeBinId: 20, inRange: true },
  { name: 'BONQ/SOL 100 bps', lowerBinId: -40, upperBinId: 28, activeBinId: -8, inRange: true },
  { name: 'JUPP/SOL · DAMM v2', poolType: 'dammV2' as const },
  { name: 'WYFF/SOL' },
].map((row, index) => ({
  key: `open-${index}`,
  poolType: 'dlmm',
  binStepBps: 100,
  value: money(1_604.01 - 200 * index),
  pnl: money(63.1 - 40 * index),
  pnlPercent: { usd: 4.1 - 2 * index, native: 3.8 - 2 * index },
  uncollectedFee: money(19.2 - 3 * index),
  isBusy: false,
  ...row,
}));

const OPEN: OpenTotals = {
  rows: OPEN_ROWS,
  count: 6,
  outOfRange: 2,
  value: money(4_812.04),
  pnl: money(112.9),
  pnlPercent: { usd: 2.4, native: -0.6 },
  uncollectedFee: money(61.12),
  leftOut: leftOutOf(1),
};

/** Of this day the service reports a figure that cannot be real. */
const ABSURD_DAY = 12;

/** So many days, the last one today. */
function earnedOf(days: number): readonly Earned[] {
  const random = randomOf(days);
  let sum = 0;
  return Array.from({ length: days }, (_, day) => {
    const pnl = 400 * (random() - 0.42);
    sum += pnl;
    const earned = {
      dayMs: NOW_MS - (days - 1 - day) * DAY_MS,
      pnl: money(pnl),
      cumulativePnl: money(sum),
      invested: money(900 + 400 * random()),
    };
    return day === ABSURD_DAY ? { ...earned, pnl: { native: earned.pnl.native }, implausible: { usd: true, native: false } } : earned;
  });
}

const PAIRS = ['POPKAT/SOL', 'JUPP/SOL', 'WYFF/SOL', 'BONQ/SOL', 'PENGO/SOL', 'USDX/SOL'];

/** So many closed positions from one on, newest first. */
function closedRows(count: number, from = 0): readonly ClosedRow[] {
  const random = randomOf(count);
  return Array.from({ length: count }, (_, place): ClosedRow => {
    const index = from + place;
    const input = 20 + 900 * random();
    const pnl = input * (random() - 0.4) * 0.2;
    const ageHours = 90 * random();
    const closedAtMs = NOW_MS - index * 0.9 * HOUR_MS - HOUR_MS;
    return {
      key: `closed-${index}`,
      address: addressOf(random),
      pool: addressOf(random),
      pairName: PAIRS[index % PAIRS.length] ?? '',
      poolType: 'dlmm',
      strategy: 'Spot',
      openedAtMs: closedAtMs - ageHours * HOUR_MS,
      closedAtMs,
      ageHours,
      input: money(input),
      output: money(input + pnl),
      fee: money(input * 0.012),
      feePercent: same(1.2),
      reward: money(0),
      pnl: money(pnl),
      pnlPercent: same((pnl / input) * 100),
      dailyReturn: same(pnl / input / (ageHours / 24)),
      audited: { solIn: input / 178, solOut: (input + pnl) / 178, pnlNative: pnl / 178 },
      lowerBinId: -40,
      upperBinId: 28,
      ...(index % 11 === 3 ? { isFeeEstimate: true } : {}),
      ...(index % 13 === 1 ? { doubt: 'reported' as const } : index % 13 === 5 ? { doubt: 'contradicted' as const } : {}),
      ...(index % 9 === 4 ? { followed: { owner: addressOf(random), label: 'whale of March' } } : {}),
    };
  });
}

/** A history of which so many rows have been read, with the requested ones. Default: the first ones. */
export function historyOf(
  read: number,
  total = read,
  { id, from, count }: Pick<HistoryRequest, 'id' | 'from' | 'count'> = { id: 1, from: 0, count: MOST_HISTORY_ROWS },
): History {
  const rows = closedRows(Math.max(Math.min(read - from, count), 0), from);
  const sum = (of: (row: ClosedRow) => MoneyView): MoneyView => money(rows.reduce((all, row) => all + (of(row).usd ?? 0), 0));
  const all = { usd: read, native: read };
  return {
    range: {},
    loadedCount: read,
    totalCount: total,
    hasMore: read < total,
    isReadingMore: false,
    window: {
      id,
      found: read,
      from,
      rows,
      sums: {
        input: sum(({ input }) => input),
        output: sum(({ output }) => output),
        fee: sum(({ fee }) => fee),
        reward: money(0),
        pnl: sum(({ pnl }) => pnl),
        pnlPercent: same(-1.24),
        leftOut: { usd: 0, native: 0 },
        counts: { input: all, output: all, fee: all, reward: all, pnl: all },
      },
    },
  };
}

const none: MoneyView = {};
const newcomerFigures: OverviewFigures = {
  owner: OWNER,
  totalInflow: none,
  totalOutflow: none,
  totalReward: none,
  averageInflow: periods(() => none),
  totalFee: periods(() => none),
  totalPnl: periods(() => none),
  winRate: periods(() => none),
  expectedValue: periods(() => none),
  closedPositions: periods(() => 0),
  feeRate: none,
  roiOnAverageInflow: none,
  totalPositions: 0,
  wonPositions: none,
  openPositions: 0,
  totalPools: 0,
  averagePositionProfit: none,
  monthlyProfitPercent: none,
  monthlyPnl: none,
  monthlyInflow: none,
};

const newcomer: OverviewView = { ...newcomerFigures, ofEach: [{ name: 'DLMM', figures: newcomerFigures }], none: ['DAMM v2'], missing: [] };

const of = (overview: OverviewToPanel & { kind: 'overview' }, others: readonly OverviewToPanel[]): readonly OverviewToPanel[] => [
  { kind: 'ambient', ambient: AMBIENT },
  overview,
  ...others,
];
const around: readonly OverviewToPanel[] = [
  { kind: 'open', open: ready(OPEN) },
  { kind: 'earned', period: '1M', earned: ready(earnedOf(30)) },
  { kind: 'history', history: ready(historyOf(300, 1_240)) },
];

const NO_WALLET: Part<never> = {
  status: 'failed',
  words: 'No wallet selected. Import a wallet key or watch an address.',
  remedies: [
    { label: 'Import Wallet Key…', command: 'binsight.importWalletKey' },
    { label: 'Watch Address…', command: 'binsight.watchAddress' },
  ],
};

/** What the overview panel can have to show. */
export const OVERVIEW_SAMPLES: Readonly<Record<string, readonly OverviewToPanel[]>> = {
  ready: of({ kind: 'overview', overview: ready(OVERVIEW) }, around),
  both: of({ kind: 'overview', overview: ready(BOTH) }, around),
  partial: of({ kind: 'overview', overview: ready(DLMM_ONLY) }, around),
  loading: of({ kind: 'overview', overview: LOADING }, []),
  failed: of({ kind: 'overview', overview: FAILED }, [
    { kind: 'open', open: FAILED },
    { kind: 'earned', period: '1M', earned: FAILED },
    { kind: 'history', history: FAILED },
  ]),
  noWallet: [
    { kind: 'ambient', ambient: { ...AMBIENT, owner: undefined, canSign: false } },
    { kind: 'overview', overview: NO_WALLET },
    { kind: 'open', open: NO_WALLET },
    { kind: 'earned', period: '1M', earned: NO_WALLET },
    { kind: 'history', history: NO_WALLET },
  ],
  stale: of({ kind: 'overview', overview: stale(OVERVIEW) }, [
    { kind: 'open', open: stale(OPEN) },
    { kind: 'earned', period: '1M', earned: stale(earnedOf(30)) },
    { kind: 'history', history: stale(historyOf(100, 1_240)) },
  ]),
  empty: of({ kind: 'overview', overview: ready(newcomer) }, [
    {
      kind: 'open',
      open: ready({
        rows: [],
        count: 0,
        outOfRange: 0,
        value: money(0),
        pnl: money(0),
        pnlPercent: {},
        uncollectedFee: money(0),
        leftOut: leftOutOf(0),
      }),
    },
    { kind: 'earned', period: '1M', earned: ready([]) },
    { kind: 'history', history: ready(historyOf(0)) },
  ]),
  unknown: of({ kind: 'overview', overview: ready(undefined) }, [
    { kind: 'earned', period: '1M', earned: ready([]) },
    { kind: 'history', history: ready(historyOf(0)) },
  ]),
  exporting: of({ kind: 'overview', overview: ready(OVERVIEW) }, [
    ...around,
    { kind: 'export', progress: { format: 'csv', rows: 700, totalCount: 1_240 } },
  ]),
  long: of({ kind: 'overview', overview: ready(OVERVIEW) }, [
    ...around.slice(0, 2),
    { kind: 'history', history: ready(historyOf(10_000)) },
  ]),
};
