import { type IndexStore, type Subject, type UnknownTransaction } from './indexStore';
import type { KnownPosition } from './positionHistory';

/** Allowance for clocks: a block's time may be ahead of this machine's. */
const CLOCK_ALLOWANCE_S = 60;

/** What is not known of an address: parts of its list, or the content of transactions. */
interface Coverage {
  /** Slots between which nothing is listed, first exclusive. */
  readonly gap: { readonly after: number; readonly upTo: number } | undefined;
  readonly unknown: readonly UnknownTransaction[];
}

/** Tells whether everything that can have changed a position is read. It does not see later changes of the store. */
export class Completeness {
  readonly #store: IndexStore;
  readonly #owners = new Map<string, Coverage>();

  constructor(store: IndexStore) {
    this.#store = store;
  }

  /**
   * True if its creation is known, and from there to its end, or to the last look at its owner, no transaction of the owner is missing, or
   * none of its own as far as its own were listed.
   */
  of(position: KnownPosition): boolean {
    const { isCreationKnown, isClear, closed, events, owner, address } = position;
    if (!isCreationKnown || !isClear) {
      return false;
    }
    const from = events[0]?.slot ?? 0;
    const to = closed ? (events.at(-1)?.slot ?? Infinity) : Infinity;
    const own = this.#ownListing(address);
    if (own !== undefined && to <= own.upToSlot) {
      return true;
    }
    const { gap, unknown } = this.#coverageOf(owner);
    const isCovered = (slot: number, timeS: number | null): boolean =>
      own !== undefined && (slot <= own.upToSlot || (timeS !== null && timeS < own.upToTimeS));
    if (gap !== undefined && gap.after < to && gap.upTo >= from && !isCovered(Math.min(gap.upTo, to), null)) {
      return false;
    }
    return unknown.every(({ slot, block_time: timeS }) => slot < from || slot > to || isCovered(slot, timeS));
  }

  /** Up to where the position's own signatures are listed and read; `undefined` if they are not. */
  #ownListing(position: KnownPosition['address']): { readonly upToSlot: number; readonly upToTimeS: number } | undefined {
    const subject = this.#store.subject(position);
    if (!isListed(subject) || this.#store.unknown(subject.id).length > 0) {
      return undefined;
    }
    return { upToSlot: subject.newest_slot ?? 0, upToTimeS: subject.listed_at_ms / 1_000 - CLOCK_ALLOWANCE_S };
  }

  #coverageOf(owner: KnownPosition['owner']): Coverage {
    let coverage = this.#owners.get(owner);
    if (coverage === undefined) {
      const subject = this.#store.subject(owner);
      coverage = { gap: gapOf(subject), unknown: subject === undefined ? [] : this.#store.unknown(subject.id) };
      this.#owners.set(owner, coverage);
    }
    return coverage;
  }
}

function gapOf(subject: Subject | undefined): Coverage['gap'] {
  if (subject === undefined) {
    return { after: -1, upTo: Infinity };
  }
  if (subject.cursor_slot !== null) {
    return { after: (subject.known_slot ?? 0) - 1, upTo: subject.cursor_slot };
  }
  return subject.listed_at_ms === null ? { after: -1, upTo: Infinity } : undefined;
}

function isListed(subject: Subject | undefined): subject is Subject & { readonly listed_at_ms: number } {
  return subject !== undefined && subject.listed_at_ms !== null && subject.cursor === null;
}
