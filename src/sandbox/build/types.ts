import type { DepositSpread } from '../../engine/assembly/types';
import type { Address } from '../../base/solana/address';

/** The effect of a deposit instruction in a bin pool. */
export type AddLiquidityEffect = Extract<BuildEffect, { readonly kind: 'addLiquidity' }>;

/**
 * Effect of an instruction of a landed transaction on the market, decoded from its bytes. `owner` has signed it, and all token accounts are
 * the owner's associated ones. Amounts are raw.
 */
export type BuildEffect = BinEffect | ProductEffect | SwapEffect;

/** Effect of an instruction of the DLMM program. */
export type BinEffect =
  | {
      readonly kind: 'initializePosition';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly fromBinId: number;
      readonly toBinId: number;
    }
  /** Extends the position to at least `toBinId`. */
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
      /** Active bin at build time; the effect fails if it has moved by more than `maxActiveBinSlippage`. */
      readonly activeBinId: number;
      readonly maxActiveBinSlippage: number;
      readonly spread: DepositSpread;
    }
  | {
      readonly kind: 'removeLiquidity';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly fromBinId: number;
      readonly toBinId: number;
      /** 0 to 10000, of each bin of the range. */
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
  /** Fails if the position is not empty; with `onlyIfEmpty` it does nothing instead. The rent goes to the owner. */
  | { readonly kind: 'closePosition'; readonly owner: Address; readonly position: Address; readonly onlyIfEmpty: boolean };

/**
 * Effect of an instruction of the DAMM v2 program. The holder of the NFT owns the position. `nftAccount` must be the
 * `dammPositionNftAccount` of the position's NFT mint, otherwise the effect fails; most instructions do not contain the mint.
 */
export type ProductEffect =
  /** Position and NFT account are derived from the mint, whose key has signed. The owner pays the rent of all three. */
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
      /** The effect fails if it needs more of a token. */
      readonly maximumX: bigint;
      readonly maximumY: bigint;
    }
  | {
      readonly kind: 'removeProductLiquidity';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftAccount: Address;
      /** Above 0. The effect fails if the position has less, or for `all`, if it has none. */
      readonly liquidity: bigint | 'all';
      /** The effect fails if it gives less of a token. */
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
  /** Fails if the position is not empty. The rent of position, NFT mint and NFT account goes to the owner. */
  | {
      readonly kind: 'closeProductPosition';
      readonly owner: Address;
      readonly pool: Address;
      readonly position: Address;
      readonly nftMint: Address;
    };

/** Effect of a swap through the router. */
export interface SwapEffect {
  readonly kind: 'swap';
  readonly owner: Address;
  /** Pools of the trades, in order; each trade sells the whole output of the one before. */
  readonly pools: readonly Address[];
  /** Token sold by the first trade, and token bought by the last. */
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  readonly quotedOut: bigint;
  /** `quotedOut` less the slippage; the effect fails below this. */
  readonly minimumOut: bigint;
}
