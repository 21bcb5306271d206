import { Emitter } from '../../portfolio/emitter';
import type { Subscription } from '../../portfolio/types';

/** The positions on which an operation is under way: they show it, and take no second one. */
export class BusyPositions {
  private readonly keys = new Set<string>();
  private readonly changes: Emitter<string>;

  constructor(onError: (error: unknown) => void) {
    this.changes = new Emitter(onError);
  }

  /** Whether an operation on this position (`OpenPosition.key`) is under way. */
  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** Calls `listener` with the key of a position that became busy or free. */
  onDidChange(listener: (key: string) => void): Subscription {
    return this.changes.on(listener);
  }

  /** Runs `work` with the position marked as busy; `undefined` without running it where it is busy already. */
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
