import * as z from 'zod/mini';
import { earningsView } from './earnings';
import { horizon, ownReplayView, volatilityView } from './outlook';
import { poolView } from './pool';
import { ambient, currency, figure, list, maybeText, money, panelRemedy, part, rangeFields, rawAmount, seenPrice, time } from './schemas';

/** A token of a position, with its amount in whole tokens. */
const holding = z.object({ address: maybeText, symbol: z.string(), amount: figure, uncollectedFee: figure, priceUsd: figure });

/** An open position. `pnlPercent` and `aprPercent` are percent; `dailyReturn` is a fraction per day. */
const positionView = z.object({
  key: z.string(),
  address: maybeText,
  pool: maybeText,
  pairName: z.string(),
  poolType: z.enum(['dlmm', 'dammV2', 'other']),
  strategy: maybeText,
  ...rangeFields,
  x: holding,
  y: holding,
  value: money,
  input: money,
  output: money,
  collectedFee: money,
  /** Its value is an estimate. */
  isFeeEstimate: z.optional(z.boolean()),
  collectedReward: money,
  uncollectedFee: money,
  /** Absent: none. */
  uncollectedRewards: z.optional(z.object({ worth: money, tokens: list(z.object({ symbol: z.string(), amount: figure })) })),
  pnl: money,
  pnlPercent: money,
  dailyReturn: money,
  aprPercent: figure,
  ageHours: figure,
  createdAtMs: time,
  updatedAtMs: time,
  /** An operation on it is in progress. */
  isBusy: z.boolean(),
});
export type PositionView = z.output<typeof positionView>;

/** An event of the position. Amounts are in raw units without a sign; the action implies the direction. */
const positionEvent = z.object({
  action: z.string(),
  atMs: time,
  amount0Raw: z.optional(rawAmount),
  amount1Raw: z.optional(rawAmount),
  decimals0: figure,
  decimals1: figure,
  price0Usd: figure,
  price1Usd: figure,
  lowerBinId: figure,
  upperBinId: figure,
  bps: figure,
  /** From Meteora's public data, and not read from the chain yet. */
  isReported: z.optional(z.boolean()),
});
export type PositionEvent = z.output<typeof positionEvent>;

/** The position's pool and its volatility, from which the outlook is computed, and what it earned. `earned` is absent where the service records nothing. */
const outlookData = z.object({ pool: poolView, volatility: volatilityView, earned: z.optional(ownReplayView) });
export type OutlookData = z.output<typeof outlookData>;

/** Messages to a position panel. Each replaces its whole part. `gone`: the position is no longer listed; its last data stays.
 * `otherWallet`: it was listed for this wallet, which is not the current one. Events: newest first. */
export const positionToPanel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ambient'), ambient }),
  z.object({ kind: z.literal('position'), position: part(positionView), gone: z.boolean(), otherWallet: maybeText }),
  z.object({ kind: z.literal('events'), events: part(list(positionEvent)) }),
  /** The prices that were read since the panel was opened, ascending by time. */
  z.object({ kind: z.literal('prices'), prices: list(seenPrice) }),
  /** The last price of each candle of the pool, ascending by time; no data: the service has no candles. */
  z.object({ kind: z.literal('candles'), candles: part(list(seenPrice)) }),
  z.object({ kind: z.literal('earnings'), earnings: part(earningsView) }),
  /** No data: the service has no prices of the past. */
  z.object({ kind: z.literal('outlook'), outlook: part(outlookData) }),
]);
export type PositionToPanel = z.output<typeof positionToPanel>;

/** The operations that a position panel offers, in the order of its buttons. */
export const POSITION_OPERATIONS = ['zapOut', 'claim', 'compound', 'add', 'rebalance'] as const;
export type PositionOperation = (typeof POSITION_OPERATIONS)[number];

/** Requests of a position panel. `operate` starts the extension's own dialogs. */
export const positionToHost = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('retry'), part: z.enum(['position', 'events', 'earnings', 'outlook']) }),
  /** To read all transactions of the position, although they are many. */
  z.object({ kind: z.literal('readTransactions') }),
  z.object({ kind: z.literal('remedy'), command: panelRemedy }),
  z.object({ kind: z.literal('refresh') }),
  z.object({ kind: z.literal('operate'), operation: z.enum(POSITION_OPERATIONS) }),
  z.object({ kind: z.literal('openPool') }),
  z.object({ kind: z.literal('openInExplorer') }),
  z.object({ kind: z.literal('copyAddress'), address: z.string().check(z.maxLength(44)) }),
]);
export type PositionToHost = z.output<typeof positionToHost>;

/** Persisted state of a position panel. */
export const positionSaved = z.object({
  key: z.string().check(z.maxLength(200)),
  currency: z.optional(currency),
  horizon: z.optional(horizon),
});
export type PositionSaved = z.output<typeof positionSaved>;
