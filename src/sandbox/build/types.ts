import type { Strategy } from '../../service/common';
import type { Address } from '../../base/solana/address';

/** A token as instructions name it. */
export interface TokenAccounts {
  readonly mint: Address;
  /** Token or Token-2022: the program that owns the mint. */
  readonly tokenProgram: Address;
}

/** A pool of either type as instructions name it. Its vaults and other accounts are derived from these. */
export interface PoolAccounts {
  readonly pool: Address;
  readonly tokenX: TokenAccounts;
  readonly tokenY: TokenAccounts;
}

/** An address lookup table with its entries in order. */
export interface LookupTable {
  readonly address: Address;
  readonly entries: readonly Address[];
}

/** Terms that all transactions of an operation share. */
export interface BuildTerms {
  /** Signs and pays. */
  readonly owner: Address;
  /** Base58; see `Chain.latestBlockhash`. */
  readonly blockhash: string;
  /** Priority fee: millionths of a lamport per compute unit of the limit. */
  readonly microLamportsPerComputeUnit: bigint;
  /**
   * Paid once per operation, in the last transaction of its close or add group that touches the pool. `undefined`: none, for
   * clients that send without a bundle (walletInstructions.ts).
   */
  readonly tip: { readonly account: Address; readonly lamports: bigint } | undefined;
  /** Table that swaps take accounts from; `undefined`: they name all accounts themselves. */
  readonly lookupTable?: LookupTable | undefined;
}

/** One trade of a swap, in one pool. */
export type SwapHop = BinHop | ProductHop;

/** A trade in a bin pool (DLMM). */
export interface BinHop {
  readonly type: 'bins';
  /** The pool that the router trades in; holds both tokens. */
  readonly via: PoolAccounts;
  /** Sells X for Y, or Y for X. */
  readonly sells: 'x' | 'y';
  /** Bin arrays that the trade may touch: the active one and its neighbours; at most 3. */
  readonly binArrays: readonly Address[];
}

/** A trade in a constant-product pool (DAMM v2). */
export interface ProductHop {
  readonly type: 'product';
  readonly via: PoolAccounts;
  readonly sells: 'x' | 'y';
}

/** One swap through the router, from the owner's token account into the owner's token account. */
export interface SwapPlan {
  /** One or two trades: the second sells all that the first one gave. */
  readonly hops: readonly SwapHop[];
  /** Raw amount of what the first trade sells; the account must hold it when the swap lands. */
  readonly inAmount: bigint;
  /** Raw amount that the last trade was quoted to give for it. */
  readonly quotedOut: bigint;
  /** 0 to 10000, of `quotedOut`; what a trade in between gives has no bound of its own. */
  readonly slippageBps: number;
}

/** Out of a position. */
export type DecreasePlan = BinDecreasePlan | ProductDecreasePlan;

interface DecreaseBase extends BuildTerms {
  readonly pool: PoolAccounts;
  readonly position: Address;
  /** Share to take out, 1 to 10000; 10000 closes the position where that leaves nothing in it. */
  readonly shareBps: number;
  /** What is swapped after the withdrawal, in order; may be none. */
  readonly swaps: readonly SwapPlan[];
}

/** Out of a position in a bin pool: the share of every bin of the range. One that has other bins left is not closed. */
export interface BinDecreasePlan extends DecreaseBase {
  readonly type: 'bins';
  /** The position's range or a part of it, both ends in it; at most 1,400 bins. */
  readonly fromBinId: number;
  readonly toBinId: number;
}

/** Out of a position in a constant-product pool. */
export interface ProductDecreasePlan extends DecreaseBase {
  readonly type: 'product';
  /** The position's address is derived from it. */
  readonly nftMint: Address;
  /** What the share is of the position's liquidity; all of it where the share is 10000. 0 only then: fees alone are left. */
  readonly liquidity: bigint;
  /** Raw amounts that it gives now. */
  readonly amountX: bigint;
  readonly amountY: bigint;
  /** 0 to 10000: how much less of either token may come out. */
  readonly slippageBps: number;
}

/** Unsigned wire transactions of a withdrawal, in the order in which they land: close, then swap. */
export interface DecreaseTransactions {
  readonly closeTransactions: readonly Uint8Array[];
  readonly swapTransactions: readonly Uint8Array[];
}

/** Into a pool, with a new position. */
export type AddPlan = BinAddPlan | ProductAddPlan;

interface AddBase extends BuildTerms {
  readonly pool: PoolAccounts;
  /** Secret seed of the key that signs for the new position, 32 random bytes: the position's own, or its NFT mint's. */
  readonly positionSeed: Uint8Array;
  /** Lamports to wrap beforehand, in the first transaction: what is swapped and what is deposited of SOL; 0: nothing. */
  readonly wrapLamports: bigint;
  /** What is swapped before the deposit, in order; none in mode `normal`. */
  readonly swaps: readonly SwapPlan[];
  /** Raw amounts that go into the position; in a constant-product pool, what the liquidity costs now. */
  readonly amountX: bigint;
  readonly amountY: bigint;
}

/** Into bins. */
export interface BinAddPlan extends AddBase {
  readonly type: 'bins';
  /** Basis points: the price of bin i is (1 + binStepBps / 10000)^i. */
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** Both ends are in the range; at most 1,400 bins. */
  readonly fromBinId: number;
  readonly toBinId: number;
  readonly activeBinId: number;
  /** How many bins the active bin may have moved when the deposit lands. */
  readonly maxActiveBinSlippage: number;
  /** Bin arrays of the range that the pool does not have yet, by index. */
  readonly missingBinArrayIndexes: readonly number[];
}

/** Into a constant-product pool. */
export interface ProductAddPlan extends AddBase {
  readonly type: 'product';
  /** What the position gets, whatever it costs when it lands, within the slippage. */
  readonly liquidity: bigint;
  /** 0 to 10000: how much more of either token it may take. */
  readonly slippageBps: number;
}

/** Wire transactions of a deposit, in the order in which they land: swap, then add. One carries the position's signature. */
export interface AddTransactions {
  readonly swapTransactions: readonly Uint8Array[];
  readonly addTransactions: readonly Uint8Array[];
  /** The new position. */
  readonly position: Address;
  /** Only in constant-product pools. */
  readonly nftMint: Address | undefined;
}

/** A plan that no transaction can carry out: it is out of bounds, or too large. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

/** What an instruction adds to a position; see {@link Effect}. */
export type AddLiquidityEffect = Extract<Effect, { readonly kind: 'addLiquidity' }>;

/**
 * How a deposit is spread over bins: by a named shape over all of a range, or (ranges above 70 bins, which take several
 * instructions) by a weight for each bin. Token Y goes to the bins at and below the active one in proportion to the
 * weights; token X to those above it in proportion to weight / price. Where the deposit has no Y, the active bin takes X.
 * `depositPerBin` works it out.
 */
export type Spread =
  | { readonly kind: 'strategy'; readonly strategy: Strategy; readonly fromBinId: number; readonly toBinId: number }
  | { readonly kind: 'weights'; readonly bins: readonly { readonly binId: number; readonly weight: number }[] };

/**
 * What an instruction of a landed transaction does to the market, read from its bytes. `owner` has signed it; every token
 * account in it is the owner's associated token account. Amounts are raw.
 */
export type Effect = BinEffect | ProductEffect | SwapEffect;

/** Of an instruction of the DLMM program. */
export type BinEffect =
  | {
      readonly kind: 'initializePosition';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly fromBinId: number;
      readonly toBinId: number;
    }
  /** The position now reaches at least up to `toBinId`. */
  | {
      readonly kind: 'increasePositionLength';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly toBinId: number;
    }
  | {
      readonly kind: 'initializeBinArray';
      readonly owner: Address;
      readonly pool: Address;
      readonly binArray: Address;
      readonly index: number;
    }
  | {
      readonly kind: 'addLiquidity';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly amountX: bigint;
      readonly amountY: bigint;
      /** Where the active bin was when this was built; further away than `maxActiveBinSlippage` now, and it must fail. */
      readonly activeBinId: number;
      readonly maxActiveBinSlippage: number;
      readonly spread: Spread;
    }
  | {
      readonly kind: 'removeLiquidity';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly fromBinId: number;
      readonly toBinId: number;
      /** 0 to 10000 of what each bin of the range holds. */
      readonly shareBps: number;
    }
  | {
      readonly kind: 'claimFee';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly fromBinId: number;
      readonly toBinId: number;
    }
  /** Must fail on a position that holds something; with `onlyIfEmpty` it does nothing then. The rent goes to the owner. */
  | { readonly kind: 'closePosition'; readonly owner: Address; readonly position: Address; readonly onlyIfEmpty: boolean };

/**
 * Of an instruction of the DAMM v2 program. A position belongs to whoever holds its NFT: `nftAccount` must be where that is,
 * `dammPositionNftAccount` of the position's NFT mint, or the instruction must fail; the mint itself is not in most of them.
 */
export type ProductEffect =
  /** Position and NFT account are derived from the mint, whose key has signed. The rent of all three comes from the owner. */
  | {
      readonly kind: 'createProductPosition';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftMint: Address;
    }
  | {
      readonly kind: 'addProductLiquidity';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftAccount: Address;
      readonly liquidity: bigint;
      /** Where it takes more of either, it must fail. */
      readonly maximumX: bigint;
      readonly maximumY: bigint;
    }
  | {
      readonly kind: 'removeProductLiquidity';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftAccount: Address;
      /** More than 0; must fail where the position has less, or, for `all`, nothing. */
      readonly liquidity: bigint | 'all';
      /** Where it gives less of either, it must fail. */
      readonly minimumX: bigint;
      readonly minimumY: bigint;
    }
  | {
      readonly kind: 'claimProductFee';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftAccount: Address;
    }
  /** Must fail on a position that holds something. The rent of position, NFT mint and NFT account goes to the owner. */
  | {
      readonly kind: 'closeProductPosition';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftMint: Address;
    };

/** Of a swap through the router. */
export interface SwapEffect {
  readonly kind: 'swap';
  readonly owner: Address;
  /** The pools that the router trades in, in order: each sells all that the one before it gave. */
  readonly pools: readonly Address[];
  /** What the first one takes, and what the last one gives. */
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  readonly quotedOut: bigint;
  /** Less than this, and it must fail: `quotedOut` less the slippage. */
  readonly minimumOut: bigint;
}
