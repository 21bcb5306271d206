import type { Address } from '../../base/solana/address';
import type { EngineOperationKind } from '../../engine/engine';

/** An operation as it is given to a client, without the owner's signatures. */
export interface IssuedOperation {
  readonly kind: EngineOperationKind;
  readonly owner: Address;
  /** The last block height at which the blockhash of its transactions is valid. */
  readonly lastValidBlockHeight: number;
  /**
   * Transactions (wire bytes) without tips. The stages land one after the other, in the order of the transactions in the answer (close then swap,
   * swap then add). Transactions of one stage may land in any order, and are sent at the same time. In doubt, each is a stage of its own.
   */
  readonly stages: readonly (readonly Uint8Array[])[];
  /**
   * The same with tips, in bundles of one to five transactions. Each bundle has its own tip and lands as a whole. The transactions of all
   * bundles are in the order of the answer. Empty without Jito: then the lists with and without a tip are the same.
   */
  readonly bundles: readonly (readonly Uint8Array[])[];
}

/** The operations that this service has built. It lands no other transactions. */
export interface IssuedOperations {
  /** Stores an operation, before it is given to the client. It can be landed after a restart, too. */
  issue(operation: IssuedOperation): void;
}
