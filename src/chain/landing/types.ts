import type { Address } from '../../base/solana/address';

/** Kind of operation: a withdrawal or an entry. */
export type BuiltOperationKind = 'decrease' | 'add';

/** An operation as it is handed out, without the owner's signatures. */
export interface IssuedOperation {
  readonly kind: BuiltOperationKind;
  readonly owner: Address;
  /** The last block height at which the blockhash of its transactions is valid. */
  readonly lastValidBlockHeight: number;
  /**
   * Whole transactions (wire bytes) without tips. The stages land one after the other, in the order in which the transactions are handed out
   * (close then swap, swap then add); those of one stage may land in any order, and are sent at the same time. In doubt: one in each stage.
   */
  readonly stages: readonly (readonly Uint8Array[])[];
  /**
   * The same with tips, in bundles of one to five transactions; each bundle has a tip of its own and lands as a whole. The transactions of
   * all bundles one after the other are in the order in which they are handed out. Empty without Jito: then the lists with and without a
   * tip are the same.
   */
  readonly bundles: readonly (readonly Uint8Array[])[];
}

/** The operations that this service has built. Nothing else lands. */
export interface IssuedOperations {
  /** Stores an operation; call it before it is handed out. It lands after a restart, too. */
  issue(operation: IssuedOperation): void;
}
