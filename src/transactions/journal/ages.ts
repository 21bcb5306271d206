import { DAY_MS } from '../../base/time';
import { isEnd } from './states';
import type { OperationRecord } from './types';

/** The fields that determine an operation's age. */
type Dated = Pick<OperationRecord, 'id' | 'built' | 'created'>;

/** A moment by both clocks, milliseconds. */
interface Anchor {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/**
 * The clock for the age of operations. The system's clock may be set while something that was sent can still land, so operations age by a
 * monotonic clock from the moment at which this process wrote or first read them. The system's clock counts only across processes.
 */
export class Ages {
  readonly #nowMs: () => number;
  readonly #steadyMs: (() => number) | undefined;
  readonly #anchors = new Map<string, Anchor>();

  /** @param steadyMs a monotonic clock, milliseconds; default: `nowMs` */
  constructor(nowMs: () => number, steadyMs: (() => number) | undefined) {
    this.#nowMs = nowMs;
    this.#steadyMs = steadyMs;
  }

  /** This process has just written that an operation was begun or built, with this time. */
  stamped(id: string, atMs: number): void {
    if (this.#steadyMs !== undefined) {
      this.#anchors.set(id, { wallMs: atMs, steadyMs: this.#steadyMs() });
    }
  }

  /** Milliseconds since 1970, as the operation's own stamps count them; never before them. */
  nowFor({ id, built, created }: Dated): number {
    if (this.#steadyMs === undefined) {
      return this.#nowMs();
    }
    const steadyMs = this.#steadyMs();
    const anchor = this.#anchors.get(id) ?? { wallMs: Math.max(this.#nowMs(), built?.atMs ?? created.atMs), steadyMs };
    this.#anchors.set(id, anchor);
    return anchor.wallMs + steadyMs - anchor.steadyMs;
  }

  forget(id: string): void {
    this.#anchors.delete(id);
  }
}

/** How long finished operations are kept, unless there are more than {@link MOST_KEPT}. */
export const KEPT_MS = 30 * DAY_MS;
/** Newest finished operations that are kept for that long. */
const MOST_KEPT = 500;
/** Daily limits of auto-rebalance count operations (autoRebalance/history.ts), so two days are kept whatever their number. */
const ALWAYS_KEPT_MS = 2 * DAY_MS;

/**
 * The operations to delete: ended ones older than 30 days, or older than two days with 500 newer ended ones. Unfinished operations and
 * their parts are always kept.
 * @param records newest first
 */
export function expiredRecords(records: readonly OperationRecord[], nowMs: number): readonly OperationRecord[] {
  if (!records.some(({ state, updatedAtMs }) => isEnd(state) && nowMs - updatedAtMs > ALWAYS_KEPT_MS)) {
    return [];
  }
  const unfinished = new Set(records.filter(({ state }) => !isEnd(state)).map(({ id }) => id));
  const finished = records.filter(({ id, created }) => !unfinished.has(id) && !unfinished.has(created.parent ?? ''));
  return finished.filter(({ updatedAtMs }, index) => nowMs - updatedAtMs > (index >= MOST_KEPT ? ALWAYS_KEPT_MS : KEPT_MS));
}
