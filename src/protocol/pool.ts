import * as z from 'zod/mini';
import { ambient } from './ambient';
import { part } from './parts';
import { plan, planFigures } from './plan';
import { binNumber, currency, figure, list, maybeText, money, perInterval, time } from './schemas';

/** A token of a pool, with what is known of it. */
export const tokenView = z.object({
  address: maybeText,
  symbol: z.string(),
  name: maybeText,
  decimals: figure,
  priceUsd: figure,
  marketCapUsd: figure,
  fdvUsd: figure,
  /** 0 to 100. */
  organicScore: figure,
  holders: figure,
});
export type TokenView = z.output<typeof tokenView>;

/** A bin with liquidity: its number and what is in it, whole tokens. */
export const binView = z.object({ binId: binNumber, x: z.number(), y: z.number() });
export type BinView = z.output<typeof binView>;

/** Everything about a pool that does not depend on who looks. Percentages are percent. */
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
  fees: z.object({
    basePercent: figure,
    dynamicPercent: figure,
    maxPercent: figure,
    protocolPercent: figure,
    fees24hUsd: figure,
    feeTvl24h: figure,
  }),
  topHolderPercent: figure,
  mintOrFreezeEnabled: z.optional(z.boolean()),
  createdAtMs: time,
  /** Absent for pools without bins. */
  activeBinId: z.optional(binNumber),
  /** Ascending; empty for pools without bins. */
  bins: list(binView),
  /** Ascending by time; empty where the service gives none. */
  feeStats: list(z.object({ atMs: z.number(), feeUsd: figure, volumeUsd: figure })),
});
export type PoolView = z.output<typeof poolView>;

/** A range of the current wallet in this pool. */
export const ownRange = z.object({
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
export const lperRow = z.object({
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

/** Which page of the top LPers, and how sorted. `orderBy`: a column as the service names it ("total_pnl"). */
export const lpersQuery = z.object({
  orderBy: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  sortOrder: z.enum(['asc', 'desc']),
  page: z.number().check(z.int(), z.gte(1), z.lte(100_000)),
});
export type LpersQuery = z.output<typeof lpersQuery>;

/** What is asked for, and shown, until the user chooses something else. */
export const FIRST_LPERS: LpersQuery = { orderBy: 'total_pnl', sortOrder: 'desc', page: 1 };

/** A page of them. */
export const lpersPage = z.object({
  query: lpersQuery,
  rows: list(lperRow),
  pageSize: z.number(),
  totalCount: figure,
  totalPages: figure,
  hasNextPage: z.boolean(),
});
export type LpersPage = z.output<typeof lpersPage>;

/** Open ranges of another wallet in this pool, asked for by `lperRanges`; the most valuable first. */
export const lperRanges = z.object({
  owner: z.string(),
  ranges: list(z.object({ lowerBinId: binNumber, upperBinId: binNumber, strategy: maybeText, value: money })),
});
export type LperRanges = z.output<typeof lperRanges>;

/** Messages to the pool panel. Each replaces its whole part. */
export const poolToPanel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ambient'), ambient }),
  z.object({ kind: z.literal('pool'), pool: part(poolView) }),
  z.object({ kind: z.literal('own'), own: part(list(ownRange)) }),
  z.object({ kind: z.literal('lpers'), lpers: part(lpersPage) }),
  z.object({ kind: z.literal('lperRanges'), lperRanges: part(lperRanges) }),
  z.object({ kind: z.literal('planFigures'), planFigures: part(planFigures) }),
  /** The command *Plan Position* ran: start planning, around the active bin or with this range. */
  z.object({ kind: z.literal('startPlan'), range: z.optional(z.object({ fromBinId: binNumber, toBinId: binNumber })) }),
]);
export type PoolToPanel = z.output<typeof poolToPanel>;

/** Requests of the pool panel. It can't trigger a transaction: `continue` leads to the extension's own dialog and confirmation. */
export const poolToHost = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('retry'), part: z.enum(['pool', 'own', 'lpers', 'lperRanges', 'planFigures']) }),
  z.object({ kind: z.literal('lpers'), query: lpersQuery }),
  z.object({ kind: z.literal('lperRanges'), owner: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('copyAddress'), address: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('watchAddress'), address: z.string().check(z.maxLength(44)) }),
  z.object({ kind: z.literal('openPosition'), key: z.string().check(z.maxLength(200)) }),
  z.object({ kind: z.literal('openInExplorer') }),
  /** Planning has started: requests balance, rent and bin arrays. */
  z.object({ kind: z.literal('planFigures') }),
  z.object({ kind: z.literal('continue'), plan }),
]);
export type PoolToHost = z.output<typeof poolToHost>;

/** Persisted state of a pool panel, for when it is hidden or the window reloads: the view, never the data. */
export const poolSaved = z.object({
  pool: z.string().check(z.maxLength(44)),
  mode: z.optional(z.enum(['look', 'plan'])),
  currency: z.optional(currency),
  /** Prices are inverted: token X per token Y. */
  isPriceSwapped: z.optional(z.boolean()),
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
