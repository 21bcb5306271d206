import type { Participant } from '../../store/workingSet';

/** When somebody looks next: milliseconds since 1970. */
export interface Appointment<Key extends string> {
  readonly key: Key;
  readonly dueAt: number;
}

/**
 * Who looks next. Asking whether anybody is due costs the same however many there are. Takes part in a unit of work in
 * memory only: the times themselves are in the rows of those who look.
 */
export class ProviderSchedule<Key extends string> implements Participant {
  /** The next one last; those of the same moment by key, so that the order never depends on history. */
  #entries: Appointment<Key>[];
  #before: Appointment<Key>[] | undefined;

  constructor(appointments: readonly Appointment<Key>[]) {
    this.#entries = [...appointments].sort((a, b) => (isLater(a, b) ? -1 : 1));
  }

  /** Takes out the next one who is due at `now`; `undefined` where nobody is. */
  next(now: number): Appointment<Key> | undefined {
    const last = this.#entries.at(-1);
    return last === undefined || last.dueAt > now ? undefined : this.#entries.pop();
  }

  add(appointment: Appointment<Key>): void {
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

  keep(): void {
    this.#before = undefined;
  }

  takeBack(): void {
    this.#entries = this.#before ?? this.#entries;
    this.#before = undefined;
  }

  flush(): void {
    // Nothing of its own to write.
  }
}

function isLater(a: Appointment<string>, b: Appointment<string>): boolean {
  return a.dueAt === b.dueAt ? a.key > b.key : a.dueAt > b.dueAt;
}
