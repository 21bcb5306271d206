import { Emitter } from '../../base/async/emitter';
import type { Subscription } from '../../base/async/clock';

/** Positions with an operation in progress, in this or another window. They show it and accept no second operation. */
export class BusyPositions {
  readonly #keys = new Set<string>();
  /** Positions with an unfinished operation in the journal. */
  #recorded: ReadonlySet<string> = new Set();
  readonly #changes: Emitter<string>;

  constructor(onError: (error: unknown) => void) {
    this.#changes = new Emitter(onError);
  }

  /** Tells whether an operation on this position (`OpenPosition.key`) is in progress. */
  has(key: string): boolean {
    return this.#keys.has(key) || this.#recorded.has(key);
  }

  /** Calls `listener` with the key of a position that becomes busy or free. */
  onDidChange(listener: (key: string) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Sets the positions with an unfinished operation in the journal. Only for display: the locks decide whether another operation can begin. */
  setRecorded(recorded: ReadonlySet<string>): void {
    const before = this.#recorded;
    this.#recorded = recorded;
    for (const key of new Set([...before, ...recorded])) {
      if (!this.#keys.has(key) && before.has(key) !== recorded.has(key)) {
        this.#changes.fire(key);
      }
    }
  }

  /** The same for several positions: `undefined` if this window already works on one of them. */
  async duringAll<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result | undefined> {
    const [first, ...others] = keys;
    return first === undefined ? work() : this.during(first, () => this.duringAll(others, work));
  }

  /** Runs `work` with the position marked as busy. Returns `undefined` without running it if this window already works on the position. */
  async during<Result>(key: string, work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#keys.has(key)) {
      return undefined;
    }
    this.#keys.add(key);
    this.#changes.fire(key);
    try {
      return await work();
    } finally {
      this.#keys.delete(key);
      this.#changes.fire(key);
    }
  }
}
