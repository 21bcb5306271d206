import * as z from 'zod';

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
