import { Emitter } from '../../base/async/emitter';
import type { Subscription } from '../../base/async/clock';

/** The positions on which an operation is under way, in this window or elsewhere: they show it, and take no second one. */
export class BusyPositions {
  private readonly keys = new Set<string>();
  /** Those on which the journal has an operation that has not come to its end. */
  private recorded: ReadonlySet<string> = new Set();
  private readonly changes: Emitter<string>;

  constructor(onError: (error: unknown) => void) {
    this.changes = new Emitter(onError);
  }

  /** Whether an operation on this position (`OpenPosition.key`) is under way. */
  has(key: string): boolean {
    return this.keys.has(key) || this.recorded.has(key);
  }

  /** Calls `listener` with the key of a position that became busy or free. */
  onDidChange(listener: (key: string) => void): Subscription {
    return this.changes.on(listener);
  }

  /** Takes over on which positions the journal has an unfinished operation: it is shown; whether another one can begin is up to the locks. */
  setRecorded(recorded: ReadonlySet<string>): void {
    const before = this.recorded;
    this.recorded = recorded;
    for (const key of new Set([...before, ...recorded])) {
      if (!this.keys.has(key) && before.has(key) !== recorded.has(key)) {
        this.changes.fire(key);
      }
    }
  }

  /** Runs `work` with the position marked as busy; `undefined` without running it where this window is at it already. */
  async during<Result>(key: string, work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.keys.has(key)) {
      return undefined;
    }
    this.keys.add(key);
    this.changes.fire(key);
    try {
      return await work();
    } finally {
      this.keys.delete(key);
      this.changes.fire(key);
    }
  }
}
