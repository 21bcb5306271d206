import * as z from 'zod/mini';
import { factSchemas } from '../base/tokenFacts';
import { counterRecordView, forecastRecordView, horizon, volatilityView } from './outlook';
import {
  ambient,
  binNumber,
  currency,
  figure,
  list,
  maybeText,
  money,
  panelRemedy,
  part,
  perInterval,
  rawAmount,
  seenPrice,
  time,
} from './schemas';

/** A position that was planned in a panel: only the user's choices. The pool is the panel's, and the wallet the extension's. */
export const plan = z.object({
  /** Absent for pools without bins. */
  range: z.optional(z.object({ fromBinId: binNumber, toBinId: binNumber })),
  /** The active bin when this was planned, only to detect that it has moved since. */
  activeBinId: z.optional(binNumber),
  strategy: z.enum(['Spot', 'Curve', 'BidAsk']),
  /** Absent: tokens of the pool are deposited as they are. The command asks how much of each. */
  amountLamports: z.optional(rawAmount),
  /** Share of the SOL for token X, 0 to 1. */
  percentX: z.number().check(z.gte(0), z.lte(1)),
  slippageBps: z.number().check(z.int(), z.gte(0), z.lte(10_000)),
});
export type Plan = z.output<typeof plan>;

/** The inputs of a plan's cost: the wallet's SOL and the program's rents, all in lamports. */
const planFigures = z.object({
  balanceLamports: rawAmount,
  /** Reserve that stays in the wallet for rent and fees. */
  reserveLamports: rawAmount,
  solUsd: figure,
  defaultSlippageBps: z.number(),
  /** Rent of a position of up to 70 bins (in DAMM v2 of the position and its NFT), and of each bin beyond; refunded when it is closed. */
  positionLamports: rawAmount,
  positionPerBinAbove70Lamports: rawAmount,
  /** Rent of a bin array, which is non-refundable. */
  binArrayLamports: rawAmount,
  /** No RPC told what accounts cost now: all rents are upper bounds. */
  isRentUpperBound: z.boolean(),
  /** The existing bin arrays, by index, within `from` to `to`; absent without an RPC. */
  binArrays: z.optional(z.object({ from: binNumber, to: binNumber, existing: list(binNumber) })),
  /** Reserve for the network fees of one transaction at usual bids, and the largest tip of all transactions that needs no confirmation. */
  feePerTransactionLamports: rawAmount,
  tipLamports: rawAmount,
});
export type PlanFigures = z.output<typeof planFigures>;

/** A token with what is known of it. Only the first token of a pool has all facts. */
const tokenView = z.object({
  ...factSchemas({ figure, flag: z.optional(z.boolean()) }),
  address: maybeText,
  symbol: z.string(),
  name: maybeText,
  decimals: figure,
  priceUsd: figure,
  holders: figure,
});
export type TokenView = z.output<typeof tokenView>;

/** A bin with liquidity: its number and its contents in whole tokens. */
const binView = z.object({ binId: binNumber, x: z.number(), y: z.number() });
export type BinView = z.output<typeof binView>;

/** The data of a pool that doesn't depend on the wallet. Percentages are percent. */
export const poolView = z.object({
  pairName: z.string(),
  poolType: z.enum(['dlmm', 'dammV2', 'other']),
  x: tokenView,
  y: tokenView,
  /** Whole tokens Y for one whole X. */
  price: figure,
  binStepBps: figure,
  tvlUsd: figure,
  amountX: figure,
  amountY: figure,
  volumeUsd: perInterval,
  /** Change of token X's volume in all its pools against the previous interval, percent. */
  volumeChangePercent: perInterval,
  priceChangePercent: perInterval,
  /** The price of token X that the changes lead up to, US dollars, and when it was read: the record is read less often than the details. */
  priceAfterChanges: z.optional(z.object({ usd: z.number(), atMs: z.number() })),
  fees: z.object({
    basePercent: figure,
    dynamicPercent: figure,
    maxPercent: figure,
    protocolPercent: figure,
    /** In which tokens providers earn fees; absent if unknown. */
    collectedIn: z.optional(z.enum(['both', 'y'])),
    fees24hUsd: figure,
    feeTvl24h: figure,
  }),
  createdAtMs: time,
  /** Absent for pools without bins. */
  activeBinId: z.optional(binNumber),
  /** Ascending; empty for pools without bins. */
  bins: list(binView),
  /** Ascending by time; empty if the service reports none. */
  feeStats: list(z.object({ atMs: z.number(), feeUsd: figure, volumeUsd: figure })),
});
export type PoolView = z.output<typeof poolView>;

/** A range of the current wallet in this pool. */
const ownRange = z.object({
  key: z.string(),
  address: maybeText,
  lowerBinId: z.optional(binNumber),
  upperBinId: z.optional(binNumber),
  inRange: z.optional(z.boolean()),
  strategy: maybeText,
  value: money,
  pnl: money,
  uncollectedFee: money,
});
export type OwnRange = z.output<typeof ownRange>;

/** A liquidity provider of the pool. `feeRate`, `winRate` and `roi` are fractions; `apr` is percent per year, like a position's. */
const lperRow = z.object({
  owner: z.string(),
  isOwn: z.boolean(),
  inflow: money,
  averageInflow: money,
  outflow: money,
  fee: money,
  reward: money,
  pnl: money,
  feeRate: money,
  winRate: money,
  roi: figure,
  apr: figure,
  positions: figure,
  won: money,
  averageAgeHours: figure,
  firstActivityMs: time,
  lastActivityMs: time,
});
export type LperRow = z.output<typeof lperRow>;

/** A page of the top LPers, with its sorting. `orderBy` is the service's name of a column ("total_pnl"). */
const lpersQuery = z.object({
  orderBy: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  sortOrder: z.enum(['asc', 'desc']),
  page: z.number().check(z.int(), z.gte(1), z.lte(100_000)),
});
export type LpersQuery = z.output<typeof lpersQuery>;

/** The default page and sorting. */
export const FIRST_LPERS = { orderBy: 'total_pnl', sortOrder: 'desc', page: 1 } as const satisfies LpersQuery;

/** A page of the top LPers. */
const lpersPage = z.object({
  query: lpersQuery,
  rows: list(lperRow),
  pageSize: z.number(),
  totalCount: figure,
  totalPages: figure,
  hasNextPage: z.boolean(),
});
export type LpersPage = z.output<typeof lpersPage>;

/** The open ranges of another wallet in this pool, in answer to `lperRanges`; the most valuable first. */
const lperRanges = z.object({
  owner: z.string(),
  ranges: list(z.object({ lowerBinId: binNumber, upperBinId: binNumber, strategy: maybeText, value: money })),
});
export type LperRanges = z.output<typeof lperRanges>;

/** How far back the price chart reaches. */
export const chartPeriod = z.enum(['24h', '7d', '30d', '90d']);
export type ChartPeriod = z.output<typeof chartPeriod>;
export const FIRST_CHART_PERIOD: ChartPeriod = '7d';

/** The last price of each candle, ascending by time. */
const priceHistory = z.object({ period: chartPeriod, prices: list(seenPrice) });
export type PriceHistoryView = z.output<typeof priceHistory>;

/** A deposit into a position of the current wallet in this pool, or a withdrawal. `price` as of `seenPrice`. */
const ownTrade = z.object({ atMs: z.number(), kind: z.enum(['entry', 'exit']), price: figure });
export type OwnTrade = z.output<typeof ownTrade>;

/** A position that a plan has become. */
const openedPosition = z.object({ key: z.string(), value: money, inRange: z.optional(z.boolean()) });
export type OpenedPosition = z.output<typeof openedPosition>;

/** Messages to the pool panel. Each replaces its whole part. */
export const poolToPanel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ambient'), ambient }),
  /** `name`: as far as the lists know it, for a pool whose details can't be read. */
  z.object({ kind: z.literal('pool'), pool: part(poolView), name: maybeText }),
  z.object({ kind: z.literal('own'), own: part(list(ownRange)) }),
  z.object({ kind: z.literal('lpers'), lpers: part(lpersPage) }),
  z.object({ kind: z.literal('lperRanges'), lperRanges: part(lperRanges) }),
  z.object({ kind: z.literal('planFigures'), planFigures: part(planFigures) }),
  /** No data: the service has no prices of the past. */
  z.object({ kind: z.literal('volatility'), volatility: part(volatilityView) }),
  /** No data: the service records nothing. */
  z.object({ kind: z.literal('counterRecord'), counterRecord: part(counterRecordView) }),
  /** No data: too few positions of the wallet that were forecast have ended. */
  z.object({ kind: z.literal('ownForecasts'), ownForecasts: part(forecastRecordView) }),
  /** No data: the service has no candles. */
  z.object({ kind: z.literal('priceHistory'), priceHistory: part(priceHistory) }),
  /** Ascending by time; as far as they are known. */
  z.object({ kind: z.literal('ownTrades'), ownTrades: list(ownTrade) }),
  /** The plan of this panel has become a position. */
  z.object({ kind: z.literal('opened'), opened: openedPosition }),
  /** The command *Zap In…* ran: starts planning, around the active bin, with this range, or with all of a plan that is to be changed. */
  z.object({
    kind: z.literal('startPlan'),
    range: z.optional(z.object({ fromBinId: binNumber, toBinId: binNumber })),
    plan: z.optional(plan),
  }),
]);
export type PoolToPanel = z.output<typeof poolToPanel>;

/** Requests of the pool panel. It can't trigger a transaction: `continue` and `addTo` lead to the extension's own dialogs and confirmation. */
export const poolToHost = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('retry'), part: z.enum(['pool', 'own', 'lpers', 'lperRanges', 'planFigures', 'volatility', 'priceHistory']) }),
  z.object({ kind: z.literal('remedy'), command: panelRemedy }),
  z.object({ kind: z.literal('lpers'), query: lpersQuery }),
  z.object({ kind: z.literal('lperRanges'), owner: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('chartPeriod'), period: chartPeriod }),
  z.object({ kind: z.literal('copyAddress'), address: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('watchAddress'), address: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('openPosition'), key: z.string().check(z.maxLength(200)) }),
  z.object({ kind: z.literal('openInExplorer') }),
  /** Planning has started: requests balance, rent, bin arrays, volatility, counters and own forecasts. */
  z.object({ kind: z.literal('planFigures') }),
  z.object({ kind: z.literal('continue'), plan }),
  /** Adds to an open position of the pool instead: of the plan, only amount and slippage tolerance count, as first answers to the questions. */
  z.object({ kind: z.literal('addTo'), plan }),
]);
export type PoolToHost = z.output<typeof poolToHost>;

/** Persisted state of a pool panel, for when it is hidden or the window reloads: the view, never the data. */
export const poolSaved = z.object({
  pool: z.string().check(z.maxLength(44)),
  mode: z.optional(z.enum(['look', 'plan'])),
  currency: z.optional(currency),
  /** Prices are inverted: token X per token Y. */
  isPriceSwapped: z.optional(z.boolean()),
  horizon: z.optional(horizon),
  chartPeriod: z.optional(chartPeriod),
  /** The visible bins. */
  sight: z.optional(z.object({ fromBinId: z.number(), toBinId: z.number() })),
  lpers: z.optional(z.object({ query: lpersQuery, columns: list(z.string()) })),
  /** The plan draft; unparsed input is kept as text. */
  plan: z.optional(
    z.object({
      fromBinId: z.optional(binNumber),
      toBinId: z.optional(binNumber),
      strategy: maybeText,
      amountText: maybeText,
      percentX: figure,
      slippageText: maybeText,
    }),
  ),
});
export type PoolSaved = z.output<typeof poolSaved>;
