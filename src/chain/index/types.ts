import type { Address } from '../../base/solana/address';
import type { Strategy } from '../../service/common';

/** The program that a pool and its positions belong to. */
export type PoolProgram = 'dlmm' | 'damm';

/** Raw token amounts, smallest units. X and Y are the pool's first and second token. */
export interface TokenAmounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** What a transaction did to a position, from the program's events. */
export interface IndexedEvent {
  readonly kind: 'create' | 'deposit' | 'withdrawal' | 'feeClaim' | 'close';
  readonly signature: string;
  readonly slot: number;
  /** Order among the events of the owner: increases with time, also within a slot. */
  readonly order: number;
  /** Seconds since 1970; `undefined` if the chain does not know it. */
  readonly blockTimeS: number | undefined;
  /** Zero for `create` and `close`. What the owner paid, or what left the pool. */
  readonly amounts: TokenAmounts;
  /** Token Y per token X in smallest units, from the active bin or the reserves in the event; `undefined` if the event does not contain it. */
  readonly rawPrice: number | undefined;
}

/** A position as it follows from transactions, from its creation to its end: an address that is used again has several. */
export interface IndexedPosition {
  readonly address: Address;
  readonly pool: Address;
  readonly program: PoolProgram;
  readonly owner: Address;
  /** `undefined` for pools without bins, or if history does not reach back to it. Both inclusive. */
  readonly range: { readonly lowerBinId: number; readonly upperBinId: number } | undefined;
  readonly strategy: Strategy | undefined;
  readonly closed: boolean;
  /** History reaches back to the creation, so that sums are complete. */
  readonly complete: boolean;
  /** Tokens that the pool gives besides fees were claimed. No event has them. */
  readonly hasClaimedRewards: boolean;
  /** Oldest first. */
  readonly events: readonly IndexedEvent[];
}

/** Which positions are wanted. */
export type PositionFilter =
  | { readonly owner: Address; readonly pool?: Address; readonly position?: undefined }
  | { readonly pool: Address; readonly owner?: Address; readonly position?: undefined }
  | { readonly position: Address; readonly owner?: undefined; readonly pool?: undefined };

/** Transactions that are listed and cannot be read. What they did is not known. */
export interface UnreadableTransactions {
  readonly count: number;
  /** The times of the oldest and the newest, seconds since 1970; 0 and infinite if the chain does not know a time. */
  readonly fromTimeS: number;
  readonly toTimeS: number;
}

/** How far the index of an owner is. */
export interface IndexProgress {
  readonly owner: Address;
  readonly state: 'indexing' | 'current' | 'failed';
  readonly transactions: number;
  /** Signatures that are listed and not read yet. */
  readonly left: number;
  /** Before this slot history may be missing: the RPC has none, a listing did not reach what was known, or a position has no creation. */
  readonly prunedBeforeSlot: number | undefined;
  readonly unreadable?: UnreadableTransactions | undefined;
  readonly error: string | undefined;
}

/** The stored history of owners. */
export interface HistoryIndex {
  /**
   * Reads what is new on the chain for this owner, for at most `waitMs`; the rest is read in the background.
   * @returns the progress after it
   */
  catchUp(owner: Address, waitMs: number): Promise<IndexProgress>;
  /** The known positions of an owner, of a pool, or at one address; oldest first. Those of all owners together have no bound. */
  positions(filter: PositionFilter): readonly IndexedPosition[];
  /** The pools of known positions, those with most positions first; at most `most`. */
  pools(program: PoolProgram | undefined, most: number): readonly Address[];
  /**
   * Reads the whole life of these positions by their own signatures, for at most `waitMs`: the answer is needed before all of the owner's
   * history is read. Positions that are complete are left alone.
   */
  completePositions(positions: readonly Address[], waitMs: number): Promise<void>;
  /** Reads the newest transactions of a pool, at most so many, for at most `waitMs`: {@link positions} then knows others' positions in it. */
  readPool(pool: Address, transactions: number, waitMs: number): Promise<void>;
  /** Progress with all owners that are known. */
  progress(): readonly IndexProgress[];
}
