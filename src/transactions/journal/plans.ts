import * as z from 'zod';
import type { OperationKind } from '../../base/operationKinds';
import type { Address } from '../../base/solana/address';
import { known, text, writtenAddress, writtenAmount } from '../../base/solana/writtenFields';
import type { Strategy } from '../../service/common';
import type { DecreaseOutput } from '../../service/transactions';

// The user's choices, as far as they are needed to find the outcome and to offer the operation again: by kind, as types and as they are in
// the file.

interface PlanFields {
  readonly zapOut: {
    readonly position: Address;
    /** The service's id of the position (`OpenPosition.id`). */
    readonly positionId: string;
    readonly shareBps: number;
    readonly output: DecreaseOutput;
    readonly slippageBps: number;
    /** The position before the zap-out, to recognize whether a share is gone. */
    readonly before: PositionBefore;
    readonly leavesMore?: LeavesMore;
  };
  readonly zapIn: {
    readonly inputLamports: bigint;
    readonly percentX: number;
    readonly strategy: Strategy | undefined;
    readonly fromBinId: number | undefined;
    readonly toBinId: number | undefined;
    readonly slippageBps: number;
    /**
     * The positions that were open before: a new one with an unknown address is recognized by comparison. `undefined`: they were not
     * read.
     */
    readonly openBefore: readonly Address[] | undefined;
    /**
     * Raw amounts of both tokens that are deposited from the wallet without a swap (mode `normal`); `inputLamports` is 0 then.
     * `undefined`: SOL is deposited.
     */
    readonly tokens?: JournalTokens | undefined;
  };
  readonly claim: {
    /** One at least. */
    readonly positions: readonly ClaimBefore[];
  };
  readonly addLiquidity: {
    /** With its fees before, which compounding makes fewer. */
    readonly into: ClaimBefore;
    /** The position before the deposit, to recognize whether it has grown. */
    readonly before: Pick<PositionBefore, 'amount0' | 'amount1'>;
    /** `fees`: what the position has earned is claimed and deposited; `inputLamports` is 0 then. */
    readonly source: 'fees' | 'wallet';
    readonly inputLamports: bigint;
    readonly percentX: number;
    readonly strategy: Strategy | undefined;
    /** The bins of the deposit, both included; `undefined` for pools without bins. */
    readonly fromBinId: number | undefined;
    readonly toBinId: number | undefined;
    readonly slippageBps: number;
    /** As for a zap-in. */
    readonly tokens?: JournalTokens | undefined;
  };
  /** A swap of a token of the wallet. */
  readonly swap: {
    readonly sold: JournalToken;
    readonly bought: JournalToken;
    /** Of the token that is sold. */
    readonly amountRaw: bigint;
    readonly slippageBps: number;
    readonly leavesMore?: LeavesMore;
  };
  /** The unwrapping of all SOL in the wallet's own account for wrapped SOL. */
  readonly unwrap: {
    /** As the user was shown it. */
    readonly lamports: bigint;
    readonly leavesMore?: LeavesMore;
  };
  readonly rebalance: {
    readonly position: Address;
    /** The position's range, both ends inclusive. */
    readonly fromBinId: number;
    readonly toBinId: number;
    /** Bins on each side of the active one; `undefined`: as many bins as before. */
    readonly halfWidthBins: number | undefined;
    readonly strategy: Strategy;
    readonly slippageBps: number;
    /** Minimum that stays in the wallet. */
    readonly reserveLamports: bigint;
  };
}

/** The user's choices for an operation of a kind; default: of any kind. */
export type JournalPlan<Kind extends OperationKind = OperationKind> = {
  [Each in Kind]: { readonly kind: Each } & PlanFields[Each];
}[Kind];

/** Of an operation that completes an interrupted one: more of that is left to do after it. */
type LeavesMore = boolean | undefined;

/** A position with its fees before they are claimed, by the service. */
export interface ClaimBefore {
  readonly position: Address;
  /** The service's id of the position (`OpenPosition.id`). */
  readonly positionId: string;
  /** Its fees in whole tokens, as decimal text, to recognize whether they are gone; `undefined` if not reported. */
  readonly fee0: string | undefined;
  readonly fee1: string | undefined;
}

/** The slippage tolerance of an operation; 0 where nothing of it depends on a price. */
export function slippageBpsOf(plan: JournalPlan): number {
  return 'slippageBps' in plan ? plan.slippageBps : 0;
}

/** Raw amounts of both tokens of a pool, with the tokens, as far as the service described them. */
export interface JournalTokens {
  readonly amountXRaw: bigint;
  readonly amountYRaw: bigint;
  readonly x?: JournalToken | undefined;
  readonly y?: JournalToken | undefined;
}

/** A token, as the service describes it. */
export interface JournalToken {
  readonly mint: Address;
  /** Untrusted text. */
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
}

/** A position before a zap-out by the service, as decimal text; `undefined` if not reported. */
export interface PositionBefore {
  /** In whole tokens. */
  readonly amount0: string | undefined;
  readonly amount1: string | undefined;
  /** US dollars per whole token. */
  readonly price0Usd: string | undefined;
  readonly price1Usd: string | undefined;
  readonly outputUsd: string | undefined;
  /** The position's value in SOL, including uncollected fees. */
  readonly valueNative?: string | undefined;
  /**
   * Part of these amounts, in basis points, that earlier zap-outs had withdrawn although the listing did not show it; `undefined`: none.
   */
  readonly missedBps?: number | undefined;
}

/** Maximum length of a list, far above that of any operation. */
export const MOST_PARTS = 10_000;

const slippageBps = z.int().min(0).max(10_000);
const strategy = z.enum(['Spot', 'Curve', 'BidAsk']);

/** Decimals of a token are a byte. */
export const tokenFields = { mint: writtenAddress, symbol: known(text), decimals: known(z.int().min(0).max(255)) };
const someToken = z.object(tokenFields);
const token = known(someToken);
const leavesMore = known(z.boolean());

const claimBefore = z.object({ position: writtenAddress, positionId: text, fee0: known(text), fee1: known(text) });

/** What is deposited, and where in the pool. */
const depositFields = {
  inputLamports: writtenAmount,
  percentX: z.number().min(0).max(1),
  strategy: known(strategy),
  fromBinId: known(z.int()),
  toBinId: known(z.int()),
  slippageBps,
  tokens: known(z.object({ amountXRaw: writtenAmount, amountYRaw: writtenAmount, x: token, y: token })),
};

const { zapOut, ...others } = {
  zapOut: z.object({
    kind: z.literal('zapOut'),
    position: writtenAddress,
    positionId: text,
    shareBps: z.int().min(1).max(10_000),
    output: z.enum(['allBaseToken', 'allToken0', 'allToken1', 'both']),
    slippageBps,
    before: z.object({
      amount0: known(text),
      amount1: known(text),
      price0Usd: known(text),
      price1Usd: known(text),
      outputUsd: known(text),
      valueNative: known(text),
      missedBps: known(z.int().min(1).max(10_000)),
    }),
    leavesMore,
  }),
  zapIn: z.object({ kind: z.literal('zapIn'), ...depositFields, openBefore: known(z.array(writtenAddress).max(MOST_PARTS)) }),
  claim: z.object({ kind: z.literal('claim'), positions: z.array(claimBefore).min(1).max(MOST_PARTS) }),
  addLiquidity: z.object({
    kind: z.literal('addLiquidity'),
    ...depositFields,
    into: claimBefore,
    before: z.object({ amount0: known(text), amount1: known(text) }),
    source: z.enum(['fees', 'wallet']),
  }),
  swap: z.object({ kind: z.literal('swap'), sold: someToken, bought: someToken, amountRaw: writtenAmount, slippageBps, leavesMore }),
  unwrap: z.object({ kind: z.literal('unwrap'), lamports: writtenAmount, leavesMore }),
  rebalance: z.object({
    kind: z.literal('rebalance'),
    position: writtenAddress,
    fromBinId: z.int(),
    toBinId: z.int(),
    halfWidthBins: known(z.int()),
    strategy,
    slippageBps,
    reserveLamports: writtenAmount,
  }),
} satisfies { readonly [Kind in OperationKind]: z.ZodType<JournalPlan<Kind>> };

/** A plan as it is in the file. */
export const writtenPlan = z.discriminatedUnion('kind', [zapOut, ...Object.values(others)]) satisfies z.ZodType<JournalPlan>;
