import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import { AddressText } from '../rpc/addressText';
import { Completeness } from './completeness';
import { type KnownPosition, knownPositions, positionRows } from './positionHistory';
import type { SubjectStore } from './subjectStore';
import type { TransactionStore } from './transactionStore';
import type { IndexedPosition, PoolProgram, PositionFilter } from './types';

/** About 40 MB. */
const MOST_CACHED_EVENTS = 100_000;

const ClosedOnly = z.object({ position: AddressText, slot: z.int() });
/** A closed position without its pool. */
type ClosedOnly = z.output<typeof ClosedOnly>;

const Pool = z.object({ pool: AddressText }).transform(({ pool }) => pool);

/** The positions that follow from the stored facts, those that were read last from memory. */
export class KnownPositions {
  readonly #store: SqliteStore;
  readonly #subjects: SubjectStore;
  readonly #transactions: TransactionStore;
  readonly #cache = new Map<Address, readonly KnownPosition[]>();
  #cachedEvents = 0;
  /** Good until the store changes. */
  #completeness: Completeness | undefined;
  /** Good until facts change. */
  readonly #closedOnly = new Map<Address, readonly ClosedOnly[]>();

  constructor(store: SqliteStore, subjects: SubjectStore, transactions: TransactionStore) {
    this.#store = store;
    this.#subjects = subjects;
    this.#transactions = transactions;
  }

  /** Oldest first. */
  positions(filter: PositionFilter): readonly IndexedPosition[] {
    const completeness = (this.#completeness ??= new Completeness(this.#subjects, this.#transactions));
    return positionRows(this.#store, filter)
      .flatMap((row) => this.#known(row))
      .filter(({ owner, pool }) => (filter.owner ?? owner) === owner && (filter.pool ?? pool) === pool)
      .map((known): IndexedPosition => {
        const { address, pool, program, owner, range, strategy, closed, hasClaimedRewards, events } = known;
        return { address, pool, program, owner, range, strategy, closed, complete: completeness.of(known), hasClaimedRewards, events };
      })
      .sort((one, other) => (one.events[0]?.order ?? 0) - (other.events[0]?.order ?? 0));
  }

  /**
   * Closed positions of the owner of which no other event is known: the event of the closing alone does not name the pool, so they are not among
   * the {@link positions}.
   */
  closedOnly(owner: Address): readonly ClosedOnly[] {
    let known = this.#closedOnly.get(owner);
    if (known === undefined) {
      known = this.#store.all(
        ClosedOnly,
        `SELECT f.position, t.slot FROM subject u JOIN subject_transaction s ON s.subject = u.id JOIN fact f ON f.tx = s.tx
         JOIN chain_transaction t ON t.id = f.tx
         WHERE u.address = ?1 AND f.kind = 'close' AND f.owner = ?1 AND f.position NOT IN (SELECT address FROM position)`,
        owner,
      );
      this.#closedOnly.set(owner, known);
    }
    return known;
  }

  /** The last slot at which a position of the owner appears without its creation; 0: none does. */
  lastSlotWithoutCreation(owner: Address): number {
    const slots = this.positions({ owner }).flatMap(({ events: [first] }) => (first?.kind === 'create' ? [] : (first?.slot ?? [])));
    return [...slots, ...this.closedOnly(owner).map(({ slot }) => slot)].reduce((last, slot) => Math.max(last, slot), 0);
  }

  /** The pools with most positions first. */
  pools(program: PoolProgram | undefined, most: number): readonly Address[] {
    const [where, values] = program === undefined ? ['', []] : ['WHERE program = ?', [program]];
    return this.#store.all(Pool, `SELECT pool FROM position ${where} GROUP BY pool ORDER BY count(*) DESC, pool LIMIT ?`, ...values, most);
  }

  /** Call it after each change of the store. @param positions those whose facts have changed */
  changed(positions: ReadonlySet<Address>): void {
    this.#completeness = undefined;
    if (positions.size > 0) {
      this.#closedOnly.clear();
    }
    positions.forEach((position) => {
      this.#cachedEvents -= eventsIn(this.#cache.get(position) ?? []);
      this.#cache.delete(position);
    });
  }

  /** Call it after more pools are known: prices of events follow from their parameters. */
  poolsChanged(): void {
    this.#cache.clear();
    this.#cachedEvents = 0;
  }

  #known(row: Parameters<typeof knownPositions>[1]): readonly KnownPosition[] {
    let known = this.#cache.get(row.address);
    if (known === undefined) {
      known = knownPositions(this.#store, row);
      if (this.#cachedEvents + eventsIn(known) > MOST_CACHED_EVENTS) {
        this.poolsChanged();
      }
      this.#cache.set(row.address, known);
      this.#cachedEvents += eventsIn(known);
    }
    return known;
  }
}

function eventsIn(positions: readonly KnownPosition[]): number {
  return positions.reduce((count, { events }) => count + events.length, 0);
}
