import type { Address } from '../../base/solana/address';
import { SECOND_MS } from '../../base/time';
import type { KnownPosition } from './positionHistory';
import type { ListGap, Subject, SubjectStore } from './subjectStore';
import type { TransactionStore, UnknownTransaction } from './transactionStore';

/**
 * The list of a position's own signatures shows what had happened so long before it was made: the node may have lagged behind, and a block's
 * time may be ahead of this machine's. What is newer is read before everything else.
 */
const LAG_ALLOWANCE_S = 300;

/** What is not known of an owner: parts of the list, or the content of transactions. */
interface OwnerCoverage {
  readonly gaps: readonly ListGap[];
  readonly unknown: UnknownTransactions;
}

/** Up to where the list of a position's own signatures is complete and read. */
interface OwnCoverage {
  readonly upToSlot: number;
  readonly upToTimeS: number;
}

/** Decides whether everything that can have changed a position is read. It does not see later changes of the store. */
export class Completeness {
  readonly #subjects: SubjectStore;
  readonly #transactions: TransactionStore;
  readonly #owners = new Map<Address, OwnerCoverage>();

  constructor(subjects: SubjectStore, transactions: TransactionStore) {
    this.#subjects = subjects;
    this.#transactions = transactions;
  }

  /**
   * True if the creation of the position is known, and between it and the end of the position, or the last listing of its owner, no transaction
   * of the owner is missing, except where the list of the position's own signatures shows that nothing is missing.
   */
  of(position: KnownPosition): boolean {
    const { creation, isClear, closed, events, owner, hasOperator, ofOthersUpToSlot } = position;
    if (creation === undefined || !isClear) {
      return false;
    }
    const from = events[0]?.slot ?? 0;
    const to = closed ? (events.at(-1)?.slot ?? Infinity) : Infinity;
    const { gaps, unknown } = this.#coverageOf(owner);
    const open = gaps.filter(({ after, to: last }) => after < to && last >= from);
    const isAllByOwner = !hasOperator && ofOthersUpToSlot === undefined;
    if (isAllByOwner && open.length === 0 && !unknown.isAnyIn(from, to, undefined)) {
      return true;
    }
    const own = this.#ownCoverage(position, creation, from, to);
    if (own === undefined) {
      return false;
    }
    if (to <= own.upToSlot) {
      return true;
    }
    // What others do to a position need not be in the list of its owner.
    if (hasOperator || (ofOthersUpToSlot !== undefined && ofOthersUpToSlot > own.upToSlot)) {
      return false;
    }
    return open.every((gap) => Math.min(gap.to, to) <= own.upToSlot) && !unknown.isAnyIn(from, to, own);
  }

  /** `undefined` if the position's own signatures are not all listed and read, or their list does not reach back to its creation. */
  #ownCoverage({ address }: KnownPosition, creation: number, from: number, to: number): OwnCoverage | undefined {
    const subject = this.#subjects.subject(address);
    if (subject === undefined || subject.listed_at_ms === null || subject.cursor !== null) {
      return undefined;
    }
    const isWithoutGap = gapsOf(subject).every((gap) => gap.after >= to || gap.to < from);
    const isKnown =
      isWithoutGap && this.#transactions.isListed(subject.id, creation) && this.#transactions.unknown(subject.id).length === 0;
    return isKnown ? { upToSlot: subject.newest_slot ?? 0, upToTimeS: subject.listed_at_ms / SECOND_MS - LAG_ALLOWANCE_S } : undefined;
  }

  #coverageOf(owner: Address): OwnerCoverage {
    let coverage = this.#owners.get(owner);
    if (coverage === undefined) {
      const subject = this.#subjects.subject(owner);
      coverage = {
        gaps: gapsOf(subject),
        unknown: new UnknownTransactions(subject === undefined ? [] : this.#transactions.unknown(subject.id)),
      };
      this.#owners.set(owner, coverage);
    }
    return coverage;
  }
}

/** Transactions of which only the place is known, found by it. */
class UnknownTransactions {
  /** In the order of slots. */
  readonly #slots: readonly number[];
  readonly #timesS: readonly number[];
  /** The latest time up to each place. */
  readonly #latestS: readonly number[];

  constructor(transactions: readonly UnknownTransaction[]) {
    this.#slots = transactions.map(({ slot }) => slot);
    this.#timesS = transactions.map(({ block_time: timeS }) => timeS ?? Infinity);
    let latestS = -Infinity;
    this.#latestS = this.#timesS.map((timeS) => (latestS = Math.max(latestS, timeS)));
  }

  /** Whether any is between these slots, both inclusive, except those that a position's own list shows not to be its. */
  isAnyIn(from: number, to: number, own: OwnCoverage | undefined): boolean {
    const first = this.#placeAfter(Math.max(from - 1, own?.upToSlot ?? -1));
    const last = this.#placeAfter(to) - 1;
    if (first > last || own === undefined) {
      return first <= last;
    }
    if ((this.#latestS[last] ?? Infinity) < own.upToTimeS) {
      return false;
    }
    // The latest are the newest, as a rule.
    for (let place = last; place >= first; place -= 1) {
      if ((this.#timesS[place] ?? Infinity) >= own.upToTimeS) {
        return true;
      }
    }
    return false;
  }

  /** How many slots are not after this one. */
  #placeAfter(slot: number): number {
    let [low, high] = [0, this.#slots.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle] ?? Infinity) <= slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Where the list of an address is not complete. Before its first listing, it is so nowhere. */
function gapsOf(subject: Subject | undefined): readonly ListGap[] {
  if (subject === undefined) {
    return [{ after: -1, to: Infinity }];
  }
  const { cursor_slot: cursorSlot, known_slot: knownSlot, gap_after_slot: after, gap_to_slot: to } = subject;
  const lasting = after === null || to === null ? [] : [{ after, to }];
  if (cursorSlot !== null) {
    return [...lasting, { after: (knownSlot ?? 0) - 1, to: cursorSlot }];
  }
  // Never listed, or forgotten. Otherwise what may be missing is older than everything that is known.
  return !subject.is_to_end && subject.known_signature === null ? [{ after: -1, to: Infinity }] : lasting;
}
