import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { Database } from '../../store/database';
import { readJson, StoredAddress } from '../../store/meta';
import { type Participant, WorkingSet } from '../../store/workingSet';
import { SOL_KEY, USDC_KEY } from '../catalog';
import { RandomState } from '../random';
import { Habits } from './strategyProfile';

/** The next check of a provider; `dueAt` in milliseconds since 1970. */
export interface ScheduledCheck<Key extends string> {
  readonly key: Key;
  readonly dueAt: number;
}

/**
 * The next checks of all providers, as a sorted list: asking for the next one takes constant time. It joins a unit of work to be rolled
 * back, and stores nothing: the times are in the rows of the providers.
 */
export class ProviderSchedule<Key extends string> implements Participant {
  /** Latest first. Equal times are ordered by key, so that the order never depends on insertion. */
  #entries: ScheduledCheck<Key>[];
  #before: ScheduledCheck<Key>[] | undefined;

  constructor(appointments: readonly ScheduledCheck<Key>[]) {
    this.#entries = [...appointments].sort((a, b) => (isLater(a, b) ? -1 : 1));
  }

  /** Removes and returns the next check that is due at `now`; `undefined` if none is. */
  next(now: number): ScheduledCheck<Key> | undefined {
    const last = this.#entries.at(-1);
    return last === undefined || last.dueAt > now ? undefined : this.#entries.pop();
  }

  add(appointment: ScheduledCheck<Key>): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.#entries[middle];
      if (there !== undefined && isLater(there, appointment)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.#entries.splice(low, 0, appointment);
  }

  begin(): void {
    this.#before = [...this.#entries];
  }

  release(): void {
    this.#before = undefined;
  }

  rollBack(): void {
    this.#entries = this.#before ?? this.#entries;
    this.#before = undefined;
  }

  flush(): void {
    // Nothing of its own to write.
  }
}

function isLater(a: ScheduledCheck<string>, b: ScheduledCheck<string>): boolean {
  return a.dueAt === b.dueAt ? a.key > b.key : a.dueAt > b.dueAt;
}

/** An open position of a provider. Times in milliseconds since 1970. */
const ProviderPosition = z.object({
  position: StoredAddress,
  /** Its accounts on the chain. */
  accounts: z.readonly(z.array(StoredAddress)),
  /** Both in the range; `null` in constant-product pools. */
  range: z.object({ fromBinId: z.int(), toBinId: z.int() }).nullable(),
  /** Raw Y for one raw X at opening. */
  openedAtPrice: z.number(),
  /** Time of the first check that found it out of range. */
  outSince: z.number().nullable(),
  collectAt: z.number(),
  /** Time at which it is closed at the latest. */
  leaveAt: z.number().nullable(),
});
export type ProviderPosition = z.output<typeof ProviderPosition>;

/** A provider's activity in one pool: one position at a time. */
const ProviderSlot = z.object({
  /** Key in the catalog. */
  pool: z.string(),
  /** Size of a position, US dollars. */
  budgetUsd: z.number().nonnegative(),
  /** Half of a position's width; 0 in constant-product pools. */
  halfWidthBins: z.int().nonnegative(),
  /** The token of the next position, for one-sided styles. */
  side: z.enum(['x', 'y']),
  /** Earliest time of the next entry; irrelevant while there is a position. */
  enterAt: z.number(),
  /** The open position. */
  stay: ProviderPosition.nullable(),
});
export type ProviderSlot = z.output<typeof ProviderSlot>;

/** The JSON in column `state`. */
const ProviderState = z.object({
  habits: Habits,
  /** Token of the savings. */
  home: z.enum([SOL_KEY, USDC_KEY]),
  /** One slot for each of its pools. */
  seats: z.array(ProviderSlot),
  /** Number of positions opened so far. */
  opened: z.int().nonnegative(),
  random: RandomState,
});

/** A simulated liquidity provider: a row of the table `provider`. */
export interface Provider extends z.output<typeof ProviderState> {
  readonly owner: Address;
  /** From 0. */
  readonly number: number;
  dueAt: number;
}

const Row = z.object({ number: z.int(), due_at: z.number(), state: z.string() });
const Due = z.object({ owner: StoredAddress, due_at: z.number() });

/** The table `provider`, by owner. */
export function providerRows(database: Database): WorkingSet<Address, Provider> {
  return new WorkingSet<Address, Provider>({
    load: (owner) => {
      const row = database.get(Row, 'SELECT number, due_at, state FROM provider WHERE owner = ?', owner);
      return row === undefined
        ? undefined
        : { owner, number: row.number, dueAt: row.due_at, ...readJson(ProviderState, row.state, `The provider ${owner}`) };
    },
    save: (owner, { number, dueAt, ...provider }) => {
      const state = JSON.stringify(ProviderState.encode(provider));
      database.run(
        'INSERT INTO provider (owner, number, due_at, state) VALUES (?, ?, ?, ?) ON CONFLICT (owner) DO UPDATE SET due_at = excluded.due_at, state = excluded.state',
        owner,
        number,
        dueAt,
        state,
      );
    },
    remove: (owner) => database.run('DELETE FROM provider WHERE owner = ?', owner),
    copy: (provider) => ({
      ...provider,
      random: [...provider.random],
      seats: provider.seats.map((slot) => ({ ...slot, stay: slot.stay === null ? null : { ...slot.stay } })),
    }),
  });
}

/** The next check of every provider, as of the last commit. */
export function scheduledChecks(database: Database): ScheduledCheck<Address>[] {
  return database.all(Due, 'SELECT owner, due_at FROM provider').map(({ owner, due_at }) => ({ key: owner, dueAt: due_at }));
}
