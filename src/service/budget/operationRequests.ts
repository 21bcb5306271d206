import type { RequestLedger } from './requestLedger';

/** The budget of one operation: what its requests need of the budget that all requests share. */
export interface OperationBudget {
  keep(count: number, signal: AbortSignal | undefined): Promise<void>;
  /** Whether so many requests could be kept at once, without a wait. */
  couldKeep(count: number): boolean;
  /** Called when the operation keeps fewer requests free than before. */
  changed(): void;
  ended(): void;
  onWait(untilMs: number | undefined): void;
  perMinute(): number | undefined;
}

/** The requests of one operation. They are sent before those of polling and panels, and the operation is notified while they wait. */
export class OperationRequests {
  readonly #budget: OperationBudget;
  #kept = 0;
  #mayProbe: boolean;
  #untilMs: number | undefined;

  constructor(mayProbe: boolean, budget: OperationBudget) {
    this.#mayProbe = mayProbe;
    this.#budget = budget;
  }

  /** True: its next request is sent during a pause too, to probe whether that is over. */
  get mayProbe(): boolean {
    return this.#mayProbe;
  }

  /** The limit in requests per minute; `undefined`: unknown. */
  get perMinute(): number | undefined {
    return this.#budget.perMinute();
  }

  /** Number of requests that are kept free for this operation. */
  get kept(): number {
    return this.#kept;
  }

  /**
   * Keeps `count` requests free for this operation, and resolves once they can all be sent without waiting. They include those that were kept
   * before, and at most what the service allows per minute, less what other operations keep. Each request sent uses one.
   * @throws the signal's reason when aborted
   */
  async keep(count: number, signal?: AbortSignal): Promise<void> {
    await this.#budget.keep(count, signal);
  }

  /** Whether {@link keep} would resolve at once: for requests that are not worth a wait. */
  couldKeep(count: number): boolean {
    return this.#budget.couldKeep(count);
  }

  /** Releases the kept requests. */
  release(): void {
    this.#kept = 0;
    this.#budget.changed();
  }

  /** The operation has ended and sends no more requests. */
  end(): void {
    this.#kept = 0;
    this.waits(undefined);
    this.#budget.ended();
  }

  /** For the budget: `count` requests are kept from now on. */
  hold(count: number): void {
    this.#kept = count;
  }

  /** For the budget: one of the requests is sent. */
  sent(): void {
    this.#kept = Math.max(0, this.#kept - 1);
    this.#mayProbe = false;
  }

  /** For the budget: the requests wait until then, milliseconds since 1970; `undefined`: they don't wait. */
  waits(untilMs: number | undefined): void {
    if (untilMs !== this.#untilMs) {
      this.#untilMs = untilMs;
      this.#budget.onWait(untilMs);
    }
  }
}

/**
 * The priority of a request, which decides the order and the longest wait:
 * - an operation's ({@link OperationRequests}): before all others, for as long as it takes;
 * - `user`: the user has just asked for it. It is sent even during a pause, to probe whether that is over;
 * - `panel`: a panel is waiting for it, for up to 30 s;
 * - `poll`: sent at once or not at all.
 */
export type RequestPace = OperationRequests | 'user' | 'panel' | 'poll';

/** Longest wait of a panel for its turn. */
const PATIENCE_MS = 30_000;

/** Returns whether a request may be sent during a pause, to find out whether that is over. */
export function mayProbe(pace: RequestPace): boolean {
  return pace === 'user' || (pace instanceof OperationRequests && pace.mayProbe);
}

/** Returns the longest wait for a turn, milliseconds: 0 does not wait at all, Infinity waits as long as it takes. */
export function patienceMsOf(pace: RequestPace): number {
  return pace instanceof OperationRequests ? Number.POSITIVE_INFINITY : pace === 'poll' ? 0 : PATIENCE_MS;
}

/** What an operation keeps is written down again after this time. It holds in other windows for more than twice as long (otherWindows.ts). */
const RENEW_MS = 30_000;
/** After this time other windows may have used what an operation keeps. */
const KEPT_FOR_MS = 60_000;

/** What the other windows know of an operation of this one. */
interface SharedOperation {
  readonly id: string;
  /** When what it keeps was last written down; milliseconds since 1970. */
  keptAtMs: number;
  /** When it was last written down that it waits; `undefined`: it doesn't. */
  waitsAtMs: number | undefined;
}

/** The operations of this window, and what the other windows are told of them. Without a ledger this is the only window. */
export class SharedOperations {
  readonly #clock: { now(): number };
  readonly #ledger: RequestLedger | undefined;
  readonly #operations = new Map<OperationRequests, SharedOperation>();

  /** @param clock in milliseconds since 1970 */
  constructor(clock: { now(): number }, ledger: RequestLedger | undefined) {
    this.#clock = clock;
    this.#ledger = ledger;
  }

  get all(): Iterable<OperationRequests> {
    return this.#operations.keys();
  }

  /** Number of requests that they keep free. */
  get kept(): number {
    return [...this.#operations.keys()].reduce((sum, { kept }) => sum + kept, 0);
  }

  add(operation: OperationRequests): void {
    this.#operations.set(operation, { id: this.#ledger?.newId() ?? '', keptAtMs: 0, waitsAtMs: undefined });
  }

  end(operation: OperationRequests): void {
    this.shareKept(operation);
    this.shareWait(operation, false);
    this.#operations.delete(operation);
  }

  /**
   * Keeps requests free in all windows.
   * @param fits whether there is room, by what was written before; absent: they are kept in any case
   * @returns false: another window was first
   */
  keep(operation: OperationRequests, count: number, fits: (() => boolean) | undefined): boolean {
    const shared = this.#operations.get(operation);
    if (this.#ledger === undefined || shared === undefined) {
      return true;
    }
    const isFirst = this.#ledger.keep(shared.id, count, fits);
    if (isFirst) {
      shared.keptAtMs = this.#clock.now();
    }
    return isFirst;
  }

  /** Tells the other windows what an operation keeps. */
  shareKept(operation: OperationRequests): void {
    const shared = this.#operations.get(operation);
    if (this.#ledger !== undefined && shared !== undefined && shared.keptAtMs > 0) {
      this.#ledger.keep(shared.id, operation.kept);
      shared.keptAtMs = operation.kept === 0 ? 0 : this.#clock.now();
    }
  }

  /** Tells the other windows whether an operation waits: their polling and panels let it go first. */
  shareWait(operation: OperationRequests, waits: boolean): void {
    const shared = this.#operations.get(operation);
    const now = this.#clock.now();
    if (this.#ledger === undefined || shared === undefined) {
      return;
    }
    if (waits && (shared.waitsAtMs === undefined || now - shared.waitsAtMs >= RENEW_MS)) {
      shared.waitsAtMs = now;
      this.#ledger.waits(shared.id);
    } else if (!waits && shared.waitsAtMs !== undefined) {
      shared.waitsAtMs = undefined;
      this.#ledger.waited(shared.id);
    }
  }

  /** The id of an operation that has kept its next request free; `undefined`: it has not, or too long ago. */
  idOfKeeping(pace: OperationRequests | string): string | undefined {
    const shared = pace instanceof OperationRequests && pace.kept > 0 ? this.#operations.get(pace) : undefined;
    return shared !== undefined && this.#clock.now() - shared.keptAtMs < KEPT_FOR_MS ? shared.id : undefined;
  }

  /** Writes down again what they keep, where it is time. @returns milliseconds until the next one is due; Infinity: none will be */
  renew(): number {
    if (this.#ledger === undefined) {
      return Number.POSITIVE_INFINITY;
    }
    const now = this.#clock.now();
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const [operation, shared] of this.#operations) {
      if (operation.kept === 0 || now - shared.keptAtMs >= KEPT_FOR_MS) {
        continue;
      }
      if (now - shared.keptAtMs >= RENEW_MS) {
        this.shareKept(operation);
      }
      soonestMs = Math.min(soonestMs, RENEW_MS, Math.max(1, shared.keptAtMs + RENEW_MS - now));
    }
    return soonestMs;
  }
}
