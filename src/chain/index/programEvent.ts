import type { Address } from '../../base/solana/address';
import type { EventFields } from './eventFields';
import type { TokenAmounts } from './types';

/** What the programs report about positions in their own events. */
export type ProgramEvent =
  | { readonly kind: 'create' | 'close'; readonly position: Address; readonly pool: Address | undefined; readonly owner: Address }
  | {
      readonly kind: 'deposit' | 'withdrawal';
      readonly position: Address;
      readonly pool: Address;
      /** Who paid or received: usually the owner. */
      readonly by: Address;
      readonly amounts: TokenAmounts;
      readonly price: PriceTrace;
    }
  | {
      readonly kind: 'feeClaim';
      readonly position: Address;
      readonly pool: Address;
      readonly owner: Address;
      readonly amounts: TokenAmounts;
      readonly price: PriceTrace;
      /** Of two events with the same figures (`ClaimFee`, `ClaimFee2`) one is counted. */
      readonly isOlderForm: boolean;
    }
  | {
      readonly kind: 'rebalance';
      readonly position: Address;
      readonly pool: Address;
      readonly owner: Address;
      readonly withdrawn: TokenAmounts;
      readonly fees: TokenAmounts;
      readonly added: TokenAmounts;
      readonly price: PriceTrace;
      readonly range: { readonly lowerBinId: number; readonly upperBinId: number };
      readonly hasClaimedRewards: boolean;
    }
  /** Tokens that a pool gives besides fees. */
  | { readonly kind: 'rewardClaim'; readonly position: Address; readonly pool: Address; readonly owner: Address; readonly amount: bigint }
  /** Bins that were added at the two ends; negative: removed. */
  | { readonly kind: 'resize'; readonly position: Address; readonly pool: Address; readonly lower: number; readonly upper: number }
  /** A new pool with a first position in it, which the event does not name. */
  | {
      readonly kind: 'poolWithDeposit';
      readonly pool: Address;
      readonly by: Address;
      readonly amounts: TokenAmounts;
      readonly price: PriceTrace;
    }
  /** Liquidity moved between positions: the sums of both are no longer known. */
  | { readonly kind: 'split'; readonly pool: Address; readonly positions: readonly Address[] };

/** What an event contains of the price: the active bin, or amounts for liquidity. */
export interface PriceTrace {
  readonly activeBinId?: number;
  /** DAMM v2: raw liquidity, and the amounts that the pool has for it, transfer fees deducted. */
  readonly curve?: TokenAmounts & { readonly liquidity: bigint };
}

/** Reads the fields of one kind of event. */
export type EventReader = (fields: EventFields) => ProgramEvent;

/** Of an event that reports nothing about the price. */
export const NO_TRACE: PriceTrace = {};
