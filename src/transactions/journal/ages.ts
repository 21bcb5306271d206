import type { OperationRecord } from './types';

/** The fields that an operation's age follows from. */
type Dated = Pick<OperationRecord, 'id' | 'built' | 'created'>;

/** A moment by both clocks, milliseconds. */
interface Anchor {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/**
 * The time by which the age of operations is counted. The system's clock may be set while something that was sent can still land, so operations
 * age by a monotonic clock from the moment at which this process wrote or first read them. Only across processes and restarts the system's
 * clock is used.
 */
export class Ages {
  readonly #nowMs: () => number;
  readonly #steadyMs: (() => number) | undefined;
  readonly #anchors = new Map<string, Anchor>();

  /** @param steadyMs a monotonic clock, milliseconds since any moment; without it `nowMs` is taken for one */
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

  /** Nothing of it is asked any more. */
  forget(id: string): void {
    this.#anchors.delete(id);
  }
}
