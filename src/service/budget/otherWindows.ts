import * as z from 'zod';
import { MINUTE_MS } from '../../base/time';

/** A pause that the service asked for; times in milliseconds since 1970. */
export interface SharedPause {
  readonly untilMs: number;
  readonly askedMs: number | undefined;
  readonly sinceMs: number;
  readonly refusals: number;
}

/** A limit of requests per minute. `holdsUntilMs` is Infinity where the service named it. */
export interface SharedLimit {
  readonly perMinute: number;
  readonly holdsUntilMs: number;
}

/** Receives what other windows have learned about the service. */
export interface LedgerListener {
  paused(pause: SharedPause): void;
  succeeded(sentAtMs: number): void;
  limited(limit: SharedLimit): void;
}

/** A request of another window. */
interface ForeignSlot {
  /** Infinity while the answer is not there. */
  endsAtMs: number;
  /** When it counts no more even without an answer: its window may be gone. */
  forgottenAtMs: number;
  wasAccepted: boolean;
  readonly probes: boolean;
}

/** The requests that an operation of another window keeps free. */
interface ForeignKept {
  /** Of the line that says so. */
  readonly id: string;
  count: number;
  untilMs: number;
  /** What it kept before that line, which may be withdrawn. */
  readonly before: ForeignKept | undefined;
}

/** As in the budget: the service's clock differs slightly. */
const MARGIN_MS = 250;
/** The longest time between sending and the end of waiting for an answer (transport.ts), with time to spare. */
const LONGEST_REQUEST_MS = 75_000;
/** What an operation keeps or waits for counts this long after it was last written down. */
const LEASE_MS = 75_000;

/** The requests of the other windows of this machine, by the records that they wrote (requestRecords.ts). */
export class OtherWindows {
  readonly #now: () => number;
  readonly #slots = new Map<string, ForeignSlot>();
  readonly #kept = new Map<string, ForeignKept>();
  /** Until when their operations count as waiting. */
  readonly #waiting = new Map<string, number>();
  #listener: LedgerListener | undefined;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Tells `listener` what other windows learn, whenever this one reads it. */
  listen(listener: LedgerListener): void {
    this.#listener = listener;
  }

  /** Ends of the requests of other windows that count now, milliseconds since 1970; Infinity: not answered yet. */
  get slotEndsMs(): readonly number[] {
    return this.#slotsNow().map(({ endsAtMs }) => endsAtMs);
  }

  /** Number of those that the service didn't refuse. */
  get accepted(): number {
    return this.#slotsNow().filter(({ wasAccepted }) => wasAccepted).length;
  }

  /** Another window finds out whether a pause is over. */
  get isProbing(): boolean {
    return this.#slotsNow().some(({ probes, endsAtMs }) => probes && endsAtMs === Number.POSITIVE_INFINITY);
  }

  /** Number of requests that operations of other windows keep free. */
  get kept(): number {
    const now = this.#now();
    return [...this.#kept.values()].reduce((sum, { count, untilMs }) => sum + (isDue(untilMs, now, LEASE_MS) ? 0 : count), 0);
  }

  /** An operation of another window waits for its turn. */
  get isOperationWaiting(): boolean {
    const now = this.#now();
    return [...this.#waiting.values()].some((untilMs) => !isDue(untilMs, now, LEASE_MS));
  }

  /** Applies a record of another window. Times far ahead, as after the system's clock was set back, are shortened. */
  note(record: RequestRecord): void {
    const now = this.#now();
    switch (record.kind) {
      case 'take': {
        const sentAtMs = Math.min(record.atMs, now);
        const forgottenAtMs = sentAtMs + LONGEST_REQUEST_MS + MINUTE_MS;
        this.#slots.set(record.id, { endsAtMs: Number.POSITIVE_INFINITY, forgottenAtMs, wasAccepted: false, probes: record.probes });
        const kept = record.operation === undefined ? undefined : this.#kept.get(record.operation);
        if (kept !== undefined) {
          kept.count = Math.max(0, kept.count - 1);
        }
        return;
      }
      case 'answer': {
        const slot = this.#slots.get(record.id);
        if (slot !== undefined) {
          slot.endsAtMs = Math.min(record.atMs, now) + MINUTE_MS + MARGIN_MS;
          slot.wasAccepted = record.wasAccepted;
        }
        return;
      }
      case 'undo':
        this.#slots.delete(record.id);
        this.#withdraw(record.id);
        return;
      case 'keep': {
        const { id, operation, count } = record;
        const before = this.#kept.get(operation);
        const kept = { id, count, untilMs: Math.min(record.atMs, now) + LEASE_MS };
        this.#kept.set(operation, { ...kept, before: before === undefined ? undefined : { ...before, before: undefined } });
        return;
      }
      case 'wait':
        this.#waiting.set(record.operation, Math.min(record.atMs, now) + LEASE_MS);
        return;
      case 'waited':
        this.#waiting.delete(record.operation);
        return;
      case 'pause':
        this.#listener?.paused({ ...record, askedMs: record.askedMs });
        return;
      case 'success':
        this.#listener?.succeeded(record.sentAtMs);
        return;
      case 'limit':
        this.#listener?.limited({ perMinute: record.perMinute, holdsUntilMs: record.holdsUntilMs ?? Number.POSITIVE_INFINITY });
    }
  }

  /** Takes back the line with this id by which an operation kept requests. */
  #withdraw(id: string): void {
    for (const [operation, kept] of this.#kept) {
      if (kept.id === id && kept.before !== undefined) {
        this.#kept.set(operation, kept.before);
      } else if (kept.id === id) {
        this.#kept.delete(operation);
      }
    }
  }

  /** The requests of other windows that count now. */
  #slotsNow(): readonly ForeignSlot[] {
    const now = this.#now();
    for (const [id, slot] of this.#slots) {
      // The system's clock may have been set back.
      slot.forgottenAtMs = Math.min(slot.forgottenAtMs, now + LONGEST_REQUEST_MS + MINUTE_MS);
      if (Number.isFinite(slot.endsAtMs)) {
        slot.endsAtMs = Math.min(slot.endsAtMs, now + MINUTE_MS + MARGIN_MS);
      }
      if (Math.min(slot.endsAtMs, slot.forgottenAtMs) <= now) {
        this.#slots.delete(id);
      }
    }
    return [...this.#slots.values()];
  }
}

/** Whether this time has come. A time further ahead than it can be, because the system's clock was set back, has come too. */
export function isDue(atMs: number, now: number, longestMs: number): boolean {
  return atMs <= now || atMs > now + longestMs;
}

/** A time in milliseconds since 1970. */
const timeMs = z.number().int().nonnegative();
/** An id that a window has made up: its own id, or that of one of its requests or operations. */
const madeId = z.string().min(1).max(64);
const count = z.number().int().nonnegative().max(100_000);

const base = { window: madeId };

/** What windows write down about the requests of one service and key, one record a line. */
const requestRecord = z.discriminatedUnion('kind', [
  /** A request is about to be sent. `operation`: it uses one of the requests that this operation keeps. */
  z.object({ ...base, kind: z.literal('take'), id: madeId, atMs: timeMs, probes: z.boolean(), operation: madeId.optional() }),
  /** Its answer began, or none will come. */
  z.object({ ...base, kind: z.literal('answer'), id: madeId, atMs: timeMs, wasAccepted: z.boolean() }),
  /** It is not sent after all: another window was first. */
  z.object({ ...base, kind: z.literal('undo'), id: madeId }),
  /** An operation keeps so many requests free from now on. */
  z.object({ ...base, kind: z.literal('keep'), id: madeId, operation: madeId, count, atMs: timeMs }),
  /** An operation waits for its turn. */
  z.object({ ...base, kind: z.literal('wait'), operation: madeId, atMs: timeMs }),
  /** An operation waits no more. */
  z.object({ ...base, kind: z.literal('waited'), operation: madeId }),
  z.object({
    ...base,
    kind: z.literal('pause'),
    untilMs: timeMs,
    askedMs: z.number().nonnegative().optional(),
    sinceMs: timeMs,
    refusals: count,
  }),
  /** A request that was sent at this time has succeeded. */
  z.object({ ...base, kind: z.literal('success'), sentAtMs: timeMs }),
  /** `holdsUntilMs` is missing where the service named the limit. */
  z.object({ ...base, kind: z.literal('limit'), perMinute: count.min(1), holdsUntilMs: timeMs.optional() }),
]);

export type RequestRecord = z.infer<typeof requestRecord>;

/** A longer line is none of a window. */
const LONGEST_LINE = 1_000;

/**
 * A record as text. It begins with a line break too, so that a line which a crashed window left half written doesn't spoil the next one.
 */
export function lineOf(record: RequestRecord): string {
  return `\n${JSON.stringify(record)}\n`;
}

/** Reads a line; `undefined`: it is damaged, or of a later version. */
export function recordOf(line: string): RequestRecord | undefined {
  if (line.length > LONGEST_LINE) {
    return undefined;
  }
  try {
    const parsed = requestRecord.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
