import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as z from 'zod';
import type { ParseWarning } from '../common';

/** Maximum number of warnings kept per answer. */
const MOST_KEPT = 100;

/** Collects the warnings about one answer of the service. */
export class ParseWarnings {
  readonly #kept: ParseWarning[] = [];
  readonly #redact: (text: string) => string;
  #dropped = 0;

  /** @param redact removes secrets from quotes of the answer */
  constructor(redact: (text: string) => string = (text) => text) {
    this.#redact = redact;
  }

  /** @param path path in the answer: "data[3].pnl" */
  add(path: string, message: string): void {
    if (this.#kept.length < MOST_KEPT) {
      this.#kept.push({ path, message: this.#redact(message) });
    } else {
      this.#dropped += 1;
    }
  }

  /** All warnings so far; if there were too many, the last entry says how many were dropped. */
  all(): readonly ParseWarning[] {
    return this.#dropped === 0 ? [...this.#kept] : [...this.#kept, { path: '', message: `and ${this.#dropped} more of the kind` }];
  }
}

/** The context of a reader of records. */
export interface ParseContext {
  readonly warnings: ParseWarnings;
  /** Milliseconds since 1970, when the answer came. */
  readonly nowMs: number;
}

/** The place of a record in the answer. */
export interface FieldPath extends ParseContext {
  /** "data[3]" */
  readonly path: string;
  /** Index in its list. */
  readonly index: number;
}

type Path = readonly PropertyKey[];

/**
 * Reads one record by its schema. A field that doesn't fit is removed and reported, or the record around it if that requires the field, and
 * the rest is read again.
 * @returns `undefined` if nothing readable is left, which is reported too
 */
export function readRecord<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  path: string,
  { warnings }: ParseContext,
): z.output<Schema> | undefined {
  let candidate = raw;
  // Terminates: every round removes something.
  for (;;) {
    const result = schema.safeParse(candidate);
    if (result.success) {
      return result.data;
    }
    for (const issue of result.error.issues) {
      const cut = nearestPresent(candidate, issue.path);
      const message = `${written('', issue.path.slice(cut.length))} ${issue.message}`.trim();
      if (cut.length === 0) {
        warnings.add(path, `left out: ${message}`);
        return undefined;
      }
      warnings.add(written(path, cut), message);
      candidate = without(candidate, cut);
    }
  }
}

/** Maximum records per list: a hostile answer with more could keep the editor busy. */
const MOST_RECORDS = 10_000;

/** The same for lists that are read in slices. An answer of 64 MiB has about as many open positions. */
const MOST_RECORDS_IN_SLICES = 32_000;

/** Records per slice: about 50 ms of work. */
const SLICE = 500;

/** Maps a record to an item; `undefined` drops it. */
type ToItem<Schema extends z.ZodType, Item> = (record: z.output<Schema>, place: FieldPath) => Item | undefined;

/** Reads the records of a list one by one. Unreadable ones are reported and dropped. */
export function readRecords<Schema extends z.ZodType, Item>(
  schema: Schema,
  list: readonly unknown[],
  path: string,
  reading: ParseContext,
  toItem: ToItem<Schema, Item>,
): Item[] {
  return readSlice(schema, list, 0, checkedLength(list, path, reading, MOST_RECORDS), path, reading, toItem);
}

/** Like {@link readRecords} for a list that may be long: yields between slices, so the editor stays responsive. */
export async function readRecordsInSlices<Schema extends z.ZodType, Item>(
  schema: Schema,
  list: readonly unknown[],
  path: string,
  reading: ParseContext,
  toItem: ToItem<Schema, Item>,
): Promise<Item[]> {
  const length = checkedLength(list, path, reading, MOST_RECORDS_IN_SLICES);
  const items: Item[] = [];
  for (let from = 0; from < length; from += SLICE) {
    if (from > 0) {
      await nextTurn();
    }
    items.push(...readSlice(schema, list, from, Math.min(from + SLICE, length), path, reading, toItem));
  }
  return items;
}

function checkedLength(list: readonly unknown[], path: string, { warnings }: ParseContext, most: number): number {
  if (list.length > most) {
    warnings.add(path, `has ${list.length} records, of which the first ${most} were read`);
  }
  return Math.min(list.length, most);
}

function readSlice<Schema extends z.ZodType, Item>(
  schema: Schema,
  list: readonly unknown[],
  from: number,
  to: number,
  path: string,
  reading: ParseContext,
  toItem: ToItem<Schema, Item>,
): Item[] {
  const { warnings, nowMs } = reading;
  const items: Item[] = [];
  for (let index = from; index < to; index += 1) {
    const place = { warnings, nowMs, path: `${path}[${index}]`, index };
    const record = readRecord(schema, list[index], place.path, reading);
    const item = record === undefined ? undefined : toItem(record, place);
    if (item !== undefined) {
      items.push(item);
    }
  }
  return items;
}

/** Drops items whose name is repeated: two rows of one thing would count it twice. */
export function withoutRepeats<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  path: string,
  { warnings }: ParseContext,
): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const name = nameOf(item);
    if (seen.has(name)) {
      warnings.add(path, `${name} is listed more than once: the first is taken`);
      return false;
    }
    seen.add(name);
    return true;
  });
}

/** The path to what does not fit; or, where nothing is there, to the nearest thing around it that is. */
function nearestPresent(value: unknown, path: Path): Path {
  let cut = path;
  while (cut.length > 0 && (valueAt(value, cut) ?? undefined) === undefined) {
    cut = cut.slice(0, -1);
  }
  return cut;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}

/** A copy of `value` in which what stands at `path` is `undefined`. */
function without(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) => (index === key ? without(entry, rest) : entry));
  }
  return { ...value, [key]: without((value as Record<PropertyKey, unknown>)[key], rest) };
}

/** "data[3]" and ["pnl", "value"] as "data[3].pnl.value". */
function written(base: string, path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    base,
  );
}
