import type { TransactionInstruction } from '@solana/web3.js';
import type { BinRange } from '../../base/dlmm/bins';
import type { Strategy } from '../../base/dlmm/strategy';
import type { Address } from '../../base/solana/address';

/** A token: its mint and its program. */
export interface TokenAccounts {
  readonly mint: Address;
  /** Token or Token-2022: the program that owns the mint. */
  readonly tokenProgram: Address;
}

/** A pool of either type. Its vaults and other accounts are derived from these addresses. */
export interface PoolAccounts {
  readonly pool: Address;
  readonly tokenX: TokenAccounts;
  readonly tokenY: TokenAccounts;
}

/** An address lookup table; entries in order. */
export interface BuildLookupTable {
  readonly address: Address;
  readonly entries: readonly Address[];
}

/**
 * Versions of the transactions of operations. `service`: what the service builds today, legacy and v0. `mixed`: v1, v0 and legacy in each
 * operation (versions.ts).
 */
export const TRANSACTION_FORMATS = ['service', 'legacy', 'v0', 'v1', 'mixed'] as const;

/** One of {@link TRANSACTION_FORMATS}. */
export type TransactionFormat = (typeof TRANSACTION_FORMATS)[number];

/** Parameters shared by all transactions of an operation. */
export interface BuildTerms {
  /** Signs and pays. */
  readonly owner: Address;
  /** Base58; see `Chain.latestBlockhash`. */
  readonly blockhash: string;
  /** Priority fee, millionths of a lamport per compute unit of the limit. */
  readonly microLamportsPerComputeUnit: bigint;
  /**
   * Tells operations with the same blockhash apart: so many millionths more per compute unit, or lamports more for a v1 transaction, whose fee is
   * a total that rounding would make the same. Default: 0.
   */
  readonly distinguisher?: bigint | undefined;
  /** `undefined`: `service`. */
  readonly format?: TransactionFormat | undefined;
  /**
   * Paid once per operation, in the last transaction of its close or add group that touches the pool. `undefined`: none, for
   * clients that send without a bundle (walletInstructions.ts).
   */
  readonly tip: { readonly account: Address; readonly lamports: bigint } | undefined;
  /** Lookup table for swaps; `undefined`: swaps list all accounts. */
  readonly lookupTable?: BuildLookupTable | undefined;
  /** The wrapped-SOL account holds SOL that is not part of the operation: it stays open, and so does what is left in it. */
  readonly keepsWrappedSol?: boolean | undefined;
}

/**
 * A swap that a router's service wrote: its instructions, and what they need. Lookup tables of several swaps are used together.
 */
export interface WrittenSwap {
  readonly instructions: readonly TransactionInstruction[];
  readonly computeUnits: number;
  readonly sells: TokenAccounts;
  readonly buys: TokenAccounts;
  readonly lookupTables: readonly BuildLookupTable[];
}

/** One trade of a swap, in one pool. */
export type SwapHop = BinHop | ProductHop;

/** A trade in a bin pool (DLMM). */
export interface BinHop {
  readonly type: 'bins';
  /** The pool of the trade. */
  readonly via: PoolAccounts;
  /** Sells X for Y, or Y for X. */
  readonly sells: 'x' | 'y';
  /** Bin arrays that the trade may touch: the active one and its neighbors; at most 3. */
  readonly binArrays: readonly Address[];
  /** The trade needs the pool's bitmap extension. */
  readonly hasBitmapExtension?: boolean | undefined;
  /** How many bins the price moves, by the quote; each costs compute units. Default: 0. */
  readonly crossedBins?: number | undefined;
}

/** A trade in a constant-product pool (DAMM v2). */
export interface ProductHop {
  readonly type: 'product';
  readonly via: PoolAccounts;
  readonly sells: 'x' | 'y';
}

/** One swap through the router, from the owner's token account into the owner's token account. */
export interface SwapPlan {
  /** One or two trades; the second sells the whole output of the first. */
  readonly hops: readonly SwapHop[];
  /** Raw input of the first trade; the account must hold it when the swap lands. */
  readonly inAmount: bigint;
  /** Raw output of the last trade, as quoted. */
  readonly quotedOut: bigint;
  /** 0 to 10000, of `quotedOut`. Intermediate outputs have no bound. */
  readonly slippageBps: number;
}

/** A reward of a pool that is claimed: its token, and the pool's account that pays it. */
export interface RewardAccounts {
  /** Which of the pool's rewards. */
  readonly index: number;
  readonly token: TokenAccounts;
  readonly vault: Address;
}

/** A withdrawal. */
export type DecreasePlan = BinDecreasePlan | ProductDecreasePlan;

interface DecreaseBase extends BuildTerms {
  readonly pool: PoolAccounts;
  readonly position: Address;
  /** Share to withdraw, 1 to 10000; 10000 also closes the position if that empties it. */
  readonly shareBps: number;
  /** Rewards that are claimed before the position is closed. Default: none. */
  readonly rewards?: readonly RewardAccounts[] | undefined;
  /** Swaps after the withdrawal, in order; may be empty. */
  readonly swaps: readonly (SwapPlan | WrittenSwap)[];
}

/** A withdrawal from a bin pool: the share of each bin of the range. A position with liquidity in other bins is not closed. */
export interface BinDecreasePlan extends DecreaseBase {
  readonly type: 'bins';
  /** The range of the position or a part of it, inclusive; at most 1,400 bins. */
  readonly fromBinId: number;
  readonly toBinId: number;
  /**
   * The bins of the range with liquidity or fees, as ranges of at most 70 bins. The program refuses a range with a bin array that does not
   * exist. `undefined`: all bin arrays of the range exist.
   */
  readonly filledRanges?: readonly BinRange[] | undefined;
  /** A reward cannot be claimed, so the position cannot be closed. */
  readonly staysOpen?: boolean | undefined;
  /** The pool has a bitmap extension. */
  readonly hasBitmapExtension?: boolean | undefined;
}

/** A withdrawal from a constant-product pool. */
export interface ProductDecreasePlan extends DecreaseBase {
  readonly type: 'product';
  /** The position's address is derived from it. */
  readonly nftMint: Address;
  /** Liquidity to remove; all of it for a share of 10000. 0 is valid only then: the position has only fees. */
  readonly liquidity: bigint;
  /** Raw amounts of that liquidity at the present price. */
  readonly amountX: bigint;
  readonly amountY: bigint;
  /** 0 to 10000, below these amounts. */
  readonly slippageBps: number;
}

/** Unsigned transactions of a withdrawal in wire format; close transactions land before swaps. */
export interface DecreaseTransactions {
  readonly closeTransactions: readonly Uint8Array[];
  readonly swapTransactions: readonly Uint8Array[];
}

/** A deposit into a new position, or into an open one. */
export type AddPlan = BinAddPlan | ProductAddPlan;

interface AddBase extends BuildTerms {
  readonly pool: PoolAccounts;
  /** Secret seed (32 random bytes) of the key of the new position, or of its NFT mint. The key signs. */
  readonly positionSeed: Uint8Array;
  /** The position to deposit into, which is open: no new one opens, and its key does not sign. */
  readonly into?: PositionAddresses | undefined;
  /** Lamports to wrap in the first transaction, for swaps and deposit; may be 0. */
  readonly wrapLamports: bigint;
  /** Swaps before the deposit, in order; empty in mode `normal`. */
  readonly swaps: readonly (SwapPlan | WrittenSwap)[];
  /** Raw amounts to deposit; in a constant-product pool, the present cost of the liquidity. */
  readonly amountX: bigint;
  readonly amountY: bigint;
}

/** A position: open, or open when the deposit has landed. */
export interface PositionAddresses {
  readonly position: Address;
  /** Only in constant-product pools. */
  readonly nftMint: Address | undefined;
}

/** A deposit into a bin pool. */
export interface BinAddPlan extends AddBase {
  readonly type: 'bins';
  /** Basis points: the price of bin i is (1 + binStepBps / 10000)^i. */
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** Inclusive range; at most 1,400 bins. */
  readonly fromBinId: number;
  readonly toBinId: number;
  readonly activeBinId: number;
  /** Maximum move of the active bin until the deposit lands, bins. */
  readonly maxActiveBinSlippage: number;
  /** Indexes of the bin arrays of the range that do not exist yet. */
  readonly missingBinArrayIndexes: readonly number[];
  /** Whether the pool has a bitmap extension; the program needs one for bin arrays beyond its own bitmap. */
  readonly bitmapExtension?: 'exists' | 'missing' | undefined;
  /**
   * What the active bin holds, raw: the program puts both tokens into it in this ratio. Deposits into more than 70 bins are then written as the
   * program spreads them. `undefined`: the active bin takes token Y alone, as in the sandbox.
   */
  readonly activeBin?: { readonly amountX: bigint; readonly amountY: bigint } | undefined;
  /** What arrives in the pool of an amount that is sent, raw, after the token's transfer fee. `undefined`: all of it. */
  readonly received?: ((token: 'x' | 'y', amount: bigint) => bigint) | undefined;
  /** What has to be sent so that an amount arrives, raw. `undefined`: as much. */
  readonly sent?: ((token: 'x' | 'y', amount: bigint) => bigint) | undefined;
}

/** The part of a plan that says what is deposited, and how. */
export type DepositOf<Plan extends AddPlan> = Omit<Plan, keyof BuildTerms | 'pool' | 'positionSeed' | 'into' | 'wrapLamports' | 'swaps'>;

/** A deposit into bins. */
export type BinDepositPlan = DepositOf<BinAddPlan>;

/** A deposit into a constant-product pool. */
export interface ProductAddPlan extends AddBase {
  readonly type: 'product';
  /** Liquidity of the position; its cost may vary within the slippage. */
  readonly liquidity: bigint;
  /** 0 to 10000, above these amounts. */
  readonly slippageBps: number;
}

/** Transactions of a deposit in wire format; swaps land before add transactions. Only the key of a new position has signed. */
export interface AddTransactions extends PositionAddresses {
  readonly swapTransactions: readonly Uint8Array[];
  readonly addTransactions: readonly Uint8Array[];
}

/** A plan that can't be built: it is out of bounds, or too large for a transaction. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

/**
 * Distribution of a deposit over bins: by a strategy for the whole range, or by a weight for each bin (ranges above 70 bins, which need
 * several instructions). Token Y goes to the active bin and those below it in proportion to the weights, token X to the bins above in
 * proportion to weight / price. Without Y, the active bin gets X. Computed by `depositPerBin`.
 */
export type DepositSpread =
  | { readonly kind: 'strategy'; readonly strategy: Strategy; readonly fromBinId: number; readonly toBinId: number }
  | { readonly kind: 'weights'; readonly bins: readonly { readonly binId: number; readonly weight: number }[] };

/** An amount for each bin, of one token alone: `amount` times `multiplier` raw units, which arrive in the pool. */
export interface ExactAmounts {
  readonly kind: 'amounts';
  readonly token: 'x' | 'y';
  readonly bins: readonly { readonly binId: number; readonly amount: number }[];
  readonly multiplier: bigint;
}
