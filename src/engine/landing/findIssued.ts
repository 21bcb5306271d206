import { EngineError, type EngineOperationKind } from '../engine';

/** The place of a message among those of an operation: each operation has one variant with tips and one without. */
export interface MessagePlace {
  readonly operation: number;
  readonly variant: string;
  readonly place: number;
}

/** The messages of the operations that were built. */
export interface IssuedMessages<Place extends MessagePlace> {
  /** The places of a message: several if operations share it. The newest operation comes first. */
  placesOf(hash: string): readonly Place[];
  /** Number of messages of a variant. */
  sizeOf(variant: Place): number;
  /** `undefined`: the operation is no longer stored. */
  kindOf(operation: number): EngineOperationKind | undefined;
  /** Whether a client has submitted the operation before. */
  isSubmitted(operation: number): boolean;
}

/**
 * Finds the operation of submitted transactions. A part of an operation is refused, which would leave it partially executed.
 * @param hashes of their messages
 * @returns the place of each transaction
 * @throws EngineError unless they are all transactions of one variant of one operation of this kind, in order
 */
export function findIssued<Place extends MessagePlace>(
  messages: IssuedMessages<Place>,
  kind: EngineOperationKind,
  hashes: readonly string[],
): { readonly operation: number; readonly places: readonly Place[] } {
  const places = hashes.map((hash, index) => {
    const found = messages.placesOf(hash);
    return found.length > 0 ? found : refuse(`Transaction ${index + 1} was not built by this service, or was changed since then`);
  });
  if (places.length === 0) {
    return refuse('There is no transaction to land');
  }
  if (candidatesIn(places, (one, other) => one.operation === other.operation).length === 0) {
    return refuse('The transactions belong to different operations');
  }
  const inVariant = candidatesIn(places, isSameVariant);
  if (inVariant.length === 0) {
    return refuse('Some of the transactions are with a tip and some without. Send all transactions of one of the two lists');
  }
  const whole = inVariant.filter((candidate) => messages.sizeOf(candidate) === places.length && isInOrder(candidate, places));
  // Operations share messages if they were built twice with one blockhash. The chain executes such messages once.
  const chosen = whole.find(({ operation }) => messages.isSubmitted(operation)) ?? whole[0] ?? inVariant[0];
  const builtAs = chosen && messages.kindOf(chosen.operation);
  if (chosen === undefined || builtAs === undefined) {
    return refuse('The operation is no longer stored. Build it again');
  }
  if (builtAs !== kind) {
    return refuse(`The transactions were built by ${builtAs}-tx. Send them to landing-${builtAs}-tx`);
  }
  if (whole.length === 0) {
    return refuse(incompleteness(messages, inVariant, places));
  }
  return { operation: chosen.operation, places: places.flatMap((of) => of.find((place) => isSameVariant(place, chosen)) ?? []) };
}

function incompleteness<Place extends MessagePlace>(
  messages: IssuedMessages<Place>,
  candidates: readonly Place[],
  places: readonly (readonly Place[])[],
): string {
  const ordered = candidates.find((candidate) => isInOrder(candidate, places));
  if (ordered === undefined) {
    return 'The transactions are not in the order in which they were built, or one is given twice';
  }
  return `The operation was built as ${messages.sizeOf(ordered)} transactions, and only ${places.length} of them ${
    places.length === 1 ? 'is' : 'are'
  } given`;
}

function isSameVariant(one: MessagePlace, other: MessagePlace): boolean {
  return one.operation === other.operation && one.variant === other.variant;
}

/** Places of the first transaction for which each of the others has a matching place. */
function candidatesIn<Place extends MessagePlace>(
  places: readonly (readonly Place[])[],
  matches: (one: Place, other: Place) => boolean,
): readonly Place[] {
  return (places[0] ?? []).filter((candidate) => places.every((of) => of.some((place) => matches(candidate, place))));
}

function isInOrder(candidate: MessagePlace, places: readonly (readonly MessagePlace[])[]): boolean {
  const inVariant = places.map((of) => of.find((place) => isSameVariant(place, candidate))?.place ?? -1);
  return inVariant.every((place, index) => index === 0 || place > (inVariant[index - 1] ?? place));
}

function refuse(message: string): never {
  throw new EngineError('invalid', message);
}
