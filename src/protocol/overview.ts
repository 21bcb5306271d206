import * as z from 'zod/mini';
import { closedEarnings, earnedSums } from './earnings';
import { ambient, currency, figure, list, maybeText, money, panelRemedy, part, rangeFields, time } from './schemas';

/** The periods of an overview, in display order. */
export const PERIODS = ['7D', '1M', '3M', '1Y', 'YTD', 'ALL'] as const;
const period = z.enum(PERIODS);
export type PeriodView = z.output<typeof period>;

const perPeriod = <Value extends z.core.$ZodType>(value: Value) =>
  z.object({ '7D': value, '1M': value, '3M': value, '1Y': value, YTD: value, ALL: value });

/** The overall results of a wallet. `winRate`, `feeRate`, `roi` and `apr` are fractions; `monthlyProfitPercent` is percent. */
const overviewFigures = z.object({
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

/** The combined results of all protocols that could be read, and those of each one. */
const overviewView = z.extend(overviewFigures, {
  /** The included protocols; at least one. */
  ofEach: list(z.object({ name: z.string(), figures: overviewFigures })),
  /** Names of the protocols in which the service has nothing about the wallet. */
  none: list(z.string()),
  /** The protocols that are left out, with the error; without one they are still loading. */
  missing: list(z.object({ name: z.string(), words: maybeText })),
});
export type OverviewView = z.output<typeof overviewView>;

const leftOut = z.object({ notReported: z.number(), implausible: z.number() });
const leftOutByCurrency = z.object({ usd: leftOut, native: leftOut });

/** Most open positions in the table; the sidebar lists all of them. */
export const MOST_OPEN_ROWS = 50;

/** An open position. `name` tells it apart from the others. `pnlPercent` is percent. */
const openRow = z.object({
  key: z.string(),
  name: z.string(),
  poolType: z.enum(['dlmm', 'dammV2', 'other']),
  ...rangeFields,
  value: money,
  pnl: money,
  pnlPercent: money,
  uncollectedFee: money,
  isBusy: z.boolean(),
});
export type OpenRow = z.output<typeof openRow>;

/** The open positions, as the sidebar names them and those that need attention first, and sums over all of them, as in the status bar. `leftOut`: the number of positions that each sum leaves out, by reason. */
const openTotals = z.object({
  rows: list(openRow),
  count: z.number(),
  outOfRange: z.number(),
  value: money,
  pnl: money,
  pnlPercent: money,
  uncollectedFee: money,
  leftOut: z.object({ value: leftOutByCurrency, pnl: leftOutByCurrency, pnlPercent: leftOutByCurrency, uncollectedFee: leftOutByCurrency }),
});
export type OpenTotals = z.output<typeof openTotals>;

/** The PnL of a day, in ascending order. `implausible`: the service's figure is too large to be real, and is left out of `pnl` and `cumulativePnl`. */
const earned = z.object({
  dayMs: z.number(),
  pnl: money,
  cumulativePnl: money,
  invested: money,
  implausible: z.optional(z.object({ usd: z.boolean(), native: z.boolean() })),
});
export type Earned = z.output<typeof earned>;

/** A closed position. `feePercent` and `pnlPercent` are percent; `dailyReturn` is a fraction per day. */
const closedRow = z.object({
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
  /** Fees were valued at a price of about that time: they and the PnL are estimates. */
  isFeeEstimate: z.optional(z.boolean()),
  /** The figures are Meteora's public data; or they are the chain's, and the public data says otherwise. */
  doubt: z.optional(z.enum(['reported', 'contradicted'])),
  feePercent: money,
  reward: money,
  pnl: money,
  pnlPercent: money,
  dailyReturn: money,
  audited: z.object({ solIn: figure, solOut: figure, pnlNative: figure }),
  lowerBinId: figure,
  upperBinId: figure,
  /** Present if the position copies another wallet. */
  followed: z.optional(z.object({ owner: maybeText, label: maybeText })),
});
export type ClosedRow = z.output<typeof closedRow>;

/** Days, both included, as YYYY-MM-DD in the user's time zone; absent: open at that end. */
const dateRange = z.object({ from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) });
export type DateRange = z.output<typeof dateRange>;

/** The sortable columns of the history. */
export const historyColumn = z.enum(['closedAtMs', 'pairName', 'ageHours', 'input', 'output', 'fee', 'pnl', 'pnlPercent', 'dailyReturn']);
export type HistoryColumn = z.output<typeof historyColumn>;

/** Which closed positions are shown: all, or those that ended with a gain or a loss in the shown currency. */
export const HISTORY_RESULTS = ['all', 'gains', 'losses'] as const;
const historyResult = z.enum(HISTORY_RESULTS);
export type HistoryResult = z.output<typeof historyResult>;

const historySort = z.object({ column: historyColumn, order: z.enum(['asc', 'desc']) });
export type HistorySort = z.output<typeof historySort>;

const searchText = z.string().check(z.maxLength(100));

/** What the history is searched for, and its order. Without a currency, that of the settings. */
const historyQuery = z.object({ search: searchText, result: historyResult, sort: historySort, currency: z.optional(currency) });
export type HistoryQuery = z.output<typeof historyQuery>;

/** Most rows in one answer: a few screens. */
export const MOST_HISTORY_ROWS = 400;
/** Most rows whose results are read at a time: those of a tall screen. */
export const MOST_EARNINGS_ROWS = 100;
const index = z.number().check(z.int(), z.gte(0), z.lte(1_000_000));

/** Requests the rows of a window; replaces earlier requests. `id` grows with each. `anchor`: a row whose place is asked for. */
const historyRequest = z.object({
  id: index,
  query: historyQuery,
  from: index,
  count: z.number().check(z.int(), z.gte(0), z.lte(MOST_HISTORY_ROWS)),
  anchor: z.optional(z.string().check(z.maxLength(1_000))),
});
export type HistoryRequest = z.output<typeof historyRequest>;

const countByCurrency = z.object({ usd: z.number(), native: z.number() });
/** Sums over the found rows. */
const historySums = z.object({
  input: money,
  output: money,
  fee: money,
  reward: money,
  pnl: money,
  pnlPercent: money,
  /** Positions without plausible PnL and deposits, which the percentage leaves out. */
  leftOut: countByCurrency,
  /** The number of amounts in each sum. */
  counts: z.object({
    input: countByCurrency,
    output: countByCurrency,
    fee: countByCurrency,
    reward: countByCurrency,
    pnl: countByCurrency,
  }),
});
export type HistorySums = z.output<typeof historySums>;

/** A window of the rows that a request finds among the loaded ones. `from`: the place of the first one. */
const historyWindow = z.object({
  /** The request that is answered. */
  id: z.number(),
  found: z.number(),
  from: z.number(),
  rows: list(closedRow),
  anchor: z.optional(z.object({ key: z.string(), index: figure })),
  sums: historySums,
});
export type HistoryWindow = z.output<typeof historyWindow>;

/** The closed positions of a range. The extension holds all that are loaded; the panel is given the rows that it shows. */
const history = z.object({
  range: dateRange,
  loadedCount: z.number(),
  totalCount: figure,
  hasMore: z.boolean(),
  isReadingMore: z.boolean(),
  window: historyWindow,
});
export type History = z.output<typeof history>;

/** Formats of the exported history: the figures of the positions, or their transactions for a tax program. */
export const HISTORY_FORMATS = ['csv', 'json', 'koinly', 'cointracking'] as const;
const historyFormat = z.enum(HISTORY_FORMATS);
export type HistoryFormat = z.output<typeof historyFormat>;

/** The progress of an export; absent: none is running. */
const exportProgress = z.object({ format: historyFormat, rows: z.number(), totalCount: figure });
export type ExportProgress = z.output<typeof exportProgress>;

/** Messages to the overview panel. Each replaces its whole part. */
export const overviewToPanel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ambient'), ambient }),
  z.object({ kind: z.literal('overview'), overview: part(z.optional(overviewView)) }),
  z.object({ kind: z.literal('open'), open: part(openTotals) }),
  z.object({ kind: z.literal('earned'), period, earned: part(list(earned)) }),
  z.object({ kind: z.literal('history'), history: part(history) }),
  /** The rows that were asked for, and the sums of all that the history finds, as far as they have been read. */
  z.object({ kind: z.literal('historyEarnings'), earned: list(closedEarnings), sums: earnedSums }),
  z.object({ kind: z.literal('export'), progress: z.optional(exportProgress) }),
]);
export type OverviewToPanel = z.output<typeof overviewToPanel>;

/** Requests of the overview panel. */
export const overviewToHost = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), period, range: dateRange, history: historyRequest }),
  z.object({ kind: z.literal('retry'), part: z.enum(['overview', 'open', 'earned', 'history']) }),
  z.object({ kind: z.literal('remedy'), command: panelRemedy }),
  z.object({ kind: z.literal('refresh') }),
  z.object({ kind: z.literal('period'), period }),
  z.object({ kind: z.literal('history'), range: dateRange }),
  /** Loads the next page, or all remaining ones. */
  z.object({ kind: z.literal('moreHistory'), all: z.boolean() }),
  /** Stops loading further pages. */
  z.object({ kind: z.literal('stopHistory') }),
  z.object({ kind: z.literal('historyRows'), request: historyRequest }),
  /** Reads what the positions of these rows really earned, instead of those of earlier requests. */
  z.object({ kind: z.literal('historyEarnings'), keys: list(z.string().check(z.maxLength(1_000))).check(z.maxLength(MOST_EARNINGS_ROWS)) }),
  z.object({ kind: z.literal('export'), format: historyFormat, range: dateRange }),
  z.object({ kind: z.literal('cancelExport') }),
  z.object({ kind: z.literal('openPool'), pool: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('copyAddress'), address: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('showPositions') }),
  z.object({ kind: z.literal('openPosition'), key: z.string().check(z.maxLength(200)) }),
  /** Starts the extension's own dialog. */
  z.object({ kind: z.literal('rebalance'), key: z.string().check(z.maxLength(200)) }),
]);
export type OverviewToHost = z.output<typeof overviewToHost>;

/** Persisted state of an overview panel. */
export const overviewSaved = z.object({
  period: z.optional(period),
  currency: z.optional(currency),
  range: z.optional(dateRange),
  sort: z.optional(historySort),
  search: z.optional(searchText),
  result: z.optional(historyResult),
  /** The visible columns of the history; absent: the default. */
  columns: z.optional(list(z.string().check(z.maxLength(40)))),
});
export type OverviewSaved = z.output<typeof overviewSaved>;
