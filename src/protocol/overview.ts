import * as z from 'zod/mini';
import { ambient } from './ambient';
import { part } from './parts';
import { currency, figure, list, maybeText, money, time } from './schemas';

/** The periods of an overview, in display order. */
export const PERIODS = ['7D', '1M', '3M', '1Y', 'YTD', 'ALL'] as const;
/** One of them. */
export const period = z.enum(PERIODS);
export type PeriodView = z.output<typeof period>;

const perPeriod = <Value extends z.core.$ZodType>(value: Value) =>
  z.object({ '7D': value, '1M': value, '3M': value, '1Y': value, YTD: value, ALL: value });

/** The overall results of a wallet. `winRate`, `feeRate`, `roi` and `apr` are fractions; `monthlyProfitPercent` is percent. */
export const overviewFigures = z.object({
  owner: maybeText,
  chain: maybeText,
  protocol: maybeText,
  totalInflow: money,
  totalOutflow: money,
  totalReward: money,
  averageInflow: perPeriod(money),
  totalFee: perPeriod(money),
  totalPnl: perPeriod(money),
  winRate: perPeriod(money),
  expectedValue: perPeriod(money),
  closedPositions: perPeriod(figure),
  averageAgeHours: figure,
  feeRate: money,
  apr: figure,
  roi: figure,
  roiOnAverageInflow: money,
  totalPositions: figure,
  wonPositions: money,
  openPositions: figure,
  totalPools: figure,
  firstActivityMs: time,
  lastActivityMs: time,
  updatedAtMs: time,
  averagePositionProfit: money,
  monthlyProfitPercent: money,
  monthlyPnl: money,
  monthlyInflow: money,
});
export type OverviewFigures = z.output<typeof overviewFigures>;

/** The same over all protocols that could be read, and of each of them. */
export const overviewView = z.extend(overviewFigures, {
  /** The protocols that are counted, by their names; at least one. */
  ofEach: list(z.object({ name: z.string(), figures: overviewFigures })),
  /** The protocols in which the service knows nothing of the wallet. */
  none: list(z.string()),
  /** The protocols that are not counted, and why; without a reason they are being read. */
  missing: list(z.object({ name: z.string(), words: maybeText })),
});
export type OverviewView = z.output<typeof overviewView>;

const leftOut = z.object({ notReported: z.number(), implausible: z.number() });
const leftOutByCurrency = z.object({ usd: leftOut, native: leftOut });

/** The open positions' sums, as the status bar has them. `leftOut`: how many positions each sum leaves out, and why. */
export const openTotals = z.object({
  count: z.number(),
  outOfRange: z.number(),
  value: money,
  pnl: money,
  pnlPercent: money,
  uncollectedFee: money,
  leftOut: z.object({ value: leftOutByCurrency, pnl: leftOutByCurrency, pnlPercent: leftOutByCurrency, uncollectedFee: leftOutByCurrency }),
});
export type OpenTotals = z.output<typeof openTotals>;

/** What a day earned; ascending. `implausible`: the service's figure is too large to be real, and stands in neither `pnl` nor `cumulativePnl`. */
export const earned = z.object({
  dayMs: z.number(),
  pnl: money,
  cumulativePnl: money,
  invested: money,
  implausible: z.optional(z.object({ usd: z.boolean(), native: z.boolean() })),
});
export type Earned = z.output<typeof earned>;

/** A closed position. Percentages are percent. */
export const closedRow = z.object({
  key: z.string(),
  address: maybeText,
  pool: maybeText,
  pairName: z.string(),
  poolType: z.enum(['dlmm', 'dammV2', 'other']),
  strategy: maybeText,
  openedAtMs: time,
  closedAtMs: time,
  ageHours: figure,
  input: money,
  output: money,
  fee: money,
  feePercent: money,
  reward: money,
  pnl: money,
  pnlPercent: money,
  dailyReturn: money,
  audited: z.object({ solIn: figure, solOut: figure, pnlNative: figure }),
  lowerBinId: figure,
  upperBinId: figure,
  /** Where it copies another wallet. */
  followed: z.optional(z.object({ owner: maybeText, label: maybeText })),
});
export type ClosedRow = z.output<typeof closedRow>;

/** Days, both included, as YYYY-MM-DD in the user's time zone; absent: open at that end. */
export const dateRange = z.object({ from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) });
export type DateRange = z.output<typeof dateRange>;

/** Closed positions, as far as they were read: whole pages, newest first. */
export const history = z.object({
  range: dateRange,
  rows: list(closedRow),
  totalCount: figure,
  hasMore: z.boolean(),
  isReadingMore: z.boolean(),
});
export type History = z.output<typeof history>;

/** How far an export is; absent: none runs. */
export const exportProgress = z.object({ format: z.enum(['csv', 'json']), rows: z.number(), totalCount: figure });
export type ExportProgress = z.output<typeof exportProgress>;

/** Messages to the overview panel. Each replaces its whole part. */
export const overviewToPanel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ambient'), ambient }),
  z.object({ kind: z.literal('overview'), overview: part(z.optional(overviewView)) }),
  z.object({ kind: z.literal('open'), open: part(openTotals) }),
  z.object({ kind: z.literal('earned'), period, earned: part(list(earned)) }),
  z.object({ kind: z.literal('history'), history: part(history) }),
  z.object({ kind: z.literal('export'), progress: z.optional(exportProgress) }),
]);
export type OverviewToPanel = z.output<typeof overviewToPanel>;

/** Requests of the overview panel. */
export const overviewToHost = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), period, range: dateRange }),
  z.object({ kind: z.literal('retry'), part: z.enum(['overview', 'open', 'earned', 'history']) }),
  z.object({ kind: z.literal('refresh') }),
  z.object({ kind: z.literal('period'), period }),
  z.object({ kind: z.literal('history'), range: dateRange }),
  /** The next page, or all that are left. */
  z.object({ kind: z.literal('moreHistory'), all: z.boolean() }),
  z.object({ kind: z.literal('export'), format: z.enum(['csv', 'json']), range: dateRange }),
  z.object({ kind: z.literal('cancelExport') }),
  z.object({ kind: z.literal('openPool'), pool: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('copyAddress'), address: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('showPositions') }),
]);
export type OverviewToHost = z.output<typeof overviewToHost>;

/** The columns of the history by which it can be sorted. */
export const historyColumn = z.enum(['closedAtMs', 'pairName', 'ageHours', 'input', 'output', 'fee', 'pnl', 'pnlPercent', 'dailyReturn']);
export type HistoryColumn = z.output<typeof historyColumn>;

/** Persisted state of an overview panel. */
export const overviewSaved = z.object({
  period: z.optional(period),
  currency: z.optional(currency),
  range: z.optional(dateRange),
  sort: z.optional(z.object({ column: historyColumn, order: z.enum(['asc', 'desc']) })),
  search: z.optional(z.string().check(z.maxLength(100))),
  /** The columns of the history that are shown; absent: as they are at first. */
  columns: z.optional(list(z.string().check(z.maxLength(40)))),
});
export type OverviewSaved = z.output<typeof overviewSaved>;
