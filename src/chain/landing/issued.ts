import type { Clock } from '../../base/async/clock';
import type { EngineOperationKind } from '../../engine/engine';
import { findIssued, type IssuedMessages } from '../../engine/landing/findIssued';
import { type GivenTransaction, messageHashOf } from './signedTransactions';
import type { LandingStore, StoredMessagePlace, StoredOperation } from './store';
import type { IssuedOperation, IssuedOperations } from './types';

/** The operation of submitted transactions. */
export interface FoundOperation {
  readonly operation: StoredOperation;
  readonly variant: StoredMessagePlace['variant'];
  /** Number of the stage or bundle of each transaction. */
  readonly groupNumbers: readonly number[];
}

/** Stores the operations that are built, and finds the operation of submitted transactions. */
export class StoredIssuedOperations implements IssuedOperations {
  readonly #store: LandingStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: LandingStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  issue({ kind, owner, lastValidBlockHeight, stages, bundles }: IssuedOperation): void {
    const variants = { plain: messagesOf(stages), tipped: messagesOf(bundles) };
    this.#store.issue({ kind, owner, lastValidBlockHeight }, variants, this.#clock.now());
  }

  /**
   * Finds the operation of these transactions.
   * @throws EngineError unless they are all transactions of one variant of one operation of this kind, in order
   */
  find(kind: EngineOperationKind, transactions: readonly GivenTransaction[]): FoundOperation {
    const store = this.#store;
    const messages: IssuedMessages<StoredMessagePlace> = {
      placesOf: (hash) => store.placesOf(hash),
      sizeOf: (variant) => store.sizeOf(variant),
      kindOf: (operation) => store.operation(operation)?.kind,
      isSubmitted: (operation) => store.landing(operation) !== undefined,
    };
    const found = findIssued(
      messages,
      kind,
      transactions.map(({ messageHash }) => messageHash),
    );
    const operation = store.operation(found.operation);
    const [first] = found.places;
    if (operation === undefined || first === undefined) {
      throw new RangeError(`Operation ${found.operation} was found and is not stored`);
    }
    return { operation, variant: first.variant, groupNumbers: found.places.map(({ groupNumber }) => groupNumber) };
  }
}

function messagesOf(groups: readonly (readonly Uint8Array[])[]): { hash: string; groupNumber: number }[] {
  return groups.flatMap((transactions, groupNumber) => transactions.map((bytes) => ({ hash: messageHashOf(bytes), groupNumber })));
}
