import * as z from 'zod/mini';
import { figure, list, maybeText } from './schemas';

/** What the result of a chain of positions consists of, SOL or US dollars: costs are negative. */
const earningsLines = z.object({
  fees: z.number(),
  impermanentLoss: z.number(),
  trading: z.number(),
  commission: z.number(),
  /** Network fees, tips, and rent that is not refunded. */
  costs: z.number(),
  priceOfDeposit: z.number(),
  afterWithdrawal: z.number(),
  heldTokens: z.number(),
});

/** A token that came out of a position and is still in the wallet, whole tokens; `sol`: its value. */
const leftover = z.object({ symbol: z.string(), amount: z.number(), sol: figure });

const known = z.object({
  known: z.literal(true),
  /** SOL. */
  realSol: z.number(),
  lines: earningsLines,
  /** In US dollars, each at the price of SOL when it happened; absent: not all prices are known. */
  linesUsd: z.optional(earningsLines),
  lockedSol: z.number(),
  /** `undefined`: it is closed. */
  openSol: figure,
  leftovers: list(leftover),
  tradedSol: z.number(),
  /** Part of the trading line: what tokens kept by their own transfer fee. */
  transferFeesSol: figure,
  claims: z.number(),
  transactions: z.number(),
  positions: z.number(),
  sinceMs: z.number(),
  /** By the service, for a chain of one. */
  reportedSol: figure,
  hasRewards: z.boolean(),
});

/** Why it is not known what a position really earned. */
export const EARNINGS_UNKNOWN = [
  'noAddress',
  'noAmounts',
  'notAnswered',
  'noRpc',
  'noTransactions',
  'underWay',
  'unclear',
  'eventsNotKnown',
  'historyIncomplete',
  'rewards',
  'notUnderstood',
  'incomplete',
  'doesNotAddUp',
  'notRead',
  'many',
  'tooMany',
  'priceNotKnown',
] as const;

const unknown = z.object({
  known: z.literal(false),
  why: z.enum(EARNINGS_UNKNOWN),
  /** `notRead`: transactions that could not be read, of so many; `many`, `tooMany`: of the chain. */
  count: figure,
  of: figure,
  /** `priceNotKnown`: the token. */
  symbol: maybeText,
});

/** What a position really earned, with those that rebalances turned into it. */
export const earningsView = z.discriminatedUnion('known', [known, unknown]);
/** What a closed position really earned by itself, beside the result that the service reports, SOL. */
export const closedEarnings = z.object({
  key: z.string(),
  earned: z.discriminatedUnion('known', [z.object({ known: z.literal(true), realSol: z.number(), differenceSol: figure }), unknown]),
});
export type ClosedEarningsRow = z.output<typeof closedEarnings>;

const earnedSum = z.object({ sol: z.number(), count: z.number() });
/** Sums of what is known so far of closed positions, SOL, and of how many of them each is. */
export const earnedSums = z.object({ really: earnedSum, difference: earnedSum });
export type EarnedSums = z.output<typeof earnedSums>;

export type EarningsNotKnown = z.output<typeof unknown>;
export type EarningsView = z.output<typeof earningsView>;
