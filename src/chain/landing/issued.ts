import type { Clock } from '../../base/async/clock';
import { EngineError, type OperationKind } from '../../engine/engine';
import { type GivenTransaction, messageHashOf } from './signedTransactions';
import type { LandingStore, MessagePlace, StoredOperation } from './store';
import type { IssuedOperation, IssuedOperations } from './types';

/** The operation of submitted transactions. */
export interface FoundOperation {
  readonly operation: StoredOperation;
  readonly variant: MessagePlace['variant'];
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
  find(kind: OperationKind, transactions: readonly GivenTransaction[]): FoundOperation {
    const places = transactions.map(({ messageHash }, index) => this.#placesOf(messageHash, index));
    const [first] = places;
    if (first === undefined) {
      return refuse('There is no transaction to land');
    }
    const inOne = candidatesIn(places, (one, other) => one.operation === other.operation);
    if (inOne.length === 0) {
      return refuse('The transactions belong to different operations');
    }
    const inVariant = candidatesIn(places, sameVariant);
    if (inVariant.length === 0) {
      return refuse('Some of the transactions are with a tip and some without. Send all transactions of one of the two lists');
    }
    const whole = inVariant.filter((candidate) => this.#isWhole(candidate, places));
    // Operations share messages if they were built twice with one blockhash. The chain executes such messages once.
    const [chosen = refuse(this.#incompleteness(inVariant, places))] = [
      ...whole.filter(({ operation }) => this.#store.landing(operation) !== undefined),
      ...whole,
    ];
    const operation = this.#store.operation(chosen.operation) ?? refuse('The operation is no longer stored. Build it again');
    if (operation.kind !== kind) {
      return refuse(`The transactions were built by ${operation.kind}-tx. Send them to landing-${operation.kind}-tx`);
    }
    return {
      operation,
      variant: chosen.variant,
      groupNumbers: places.flatMap((of) => of.find((place) => sameVariant(place, chosen))?.groupNumber ?? []),
    };
  }

  #placesOf(hash: string, index: number): readonly MessagePlace[] {
    const places = this.#store.placesOf(hash);
    return places.length > 0 ? places : refuse(`Transaction ${index + 1} was not built by this service, or was changed since then`);
  }

  /** Whether all transactions of the variant are given, each once and in order. */
  #isWhole(candidate: MessagePlace, places: readonly (readonly MessagePlace[])[]): boolean {
    return this.#store.sizeOf(candidate) === places.length && isInOrder(candidate, places);
  }

  #incompleteness(candidates: readonly MessagePlace[], places: readonly (readonly MessagePlace[])[]): string {
    const [ordered] = candidates.filter((candidate) => isInOrder(candidate, places));
    if (ordered === undefined) {
      return 'The transactions are not in the order in which they were built, or one is given twice';
    }
    return `The operation was built as ${this.#store.sizeOf(ordered)} transactions, and only ${places.length} of them ${
      places.length === 1 ? 'is' : 'are'
    } given`;
  }
}

function messagesOf(groups: readonly (readonly Uint8Array[])[]): { hash: string; groupNumber: number }[] {
  return groups.flatMap((transactions, groupNumber) => transactions.map((bytes) => ({ hash: messageHashOf(bytes), groupNumber })));
}

function sameVariant(one: MessagePlace, other: MessagePlace): boolean {
  return one.operation === other.operation && one.variant === other.variant;
}

/** Places of the first transaction for which each of the others has a matching place. */
function candidatesIn(
  places: readonly (readonly MessagePlace[])[],
  matches: (one: MessagePlace, other: MessagePlace) => boolean,
): readonly MessagePlace[] {
  return (places[0] ?? []).filter((candidate) => places.every((of) => of.some((place) => matches(candidate, place))));
}

function isInOrder(candidate: MessagePlace, places: readonly (readonly MessagePlace[])[]): boolean {
  const inVariant = places.map((of) => of.find((place) => sameVariant(place, candidate))?.place ?? -1);
  return inVariant.every((place, index) => index === 0 || place > (inVariant[index - 1] ?? place));
}

function refuse(message: string): never {
  throw new EngineError('invalid', message);
}
