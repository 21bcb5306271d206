import type { Context } from 'hono';
import * as z from 'zod';
import { type Address, parseAddress } from '../base/solana/address';
import { parseBase64Transaction } from '../base/solana/wireTransaction';
import { EngineError } from './engine';

/** Reads parameters; what is missing or wrong becomes an error that names the first such parameter. @throws EngineError */
export function readParameters<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (!read.success) {
    throw new EngineError('invalid', read.error.issues[0]?.message ?? 'The parameters cannot be read');
  }
  return read.data;
}

/** An address. */
export function addressNamed(name: string): z.ZodType<Address> {
  return z
    .string(wrong(name, ADDRESS))
    .min(1, { error: `${name} is required`, abort: true })
    .transform(addressIn(name));
}

/** An address that may be left out. */
export function optionalAddressNamed(name: string): z.ZodType<Address | undefined> {
  return z.string(wrong(name, ADDRESS)).transform(addressIn(name)).optional();
}

/** Text that is not empty. */
export function textNamed(name: string): z.ZodType<string> {
  return anyTextNamed(name).refine((text) => text !== '', `${name} is required`);
}

/** Text that is not empty where it is there at all. */
export function optionalTextNamed(name: string): z.ZodType<string | undefined> {
  return anyTextNamed(name)
    .refine((text) => text !== '', `${name} must not be empty`)
    .optional();
}

/** Text, also none. A NUL stands in no name; behind the routes it could pass for the end of one. */
export function anyTextNamed(name: string): z.ZodType<string> {
  return z.string(wrong(name, 'text')).refine((text) => !text.includes('\0'), `${name} must be text without NUL`);
}

/** One of a few words. */
export function wordNamed<const Words extends readonly [string, ...string[]]>(name: string, words: Words): z.ZodType<Words[number]> {
  return z.enum(words, wrong(name, `one of ${words.join(', ')}`));
}

/** A number in a JSON body, both bounds included. */
export function numberNamed(name: string, { least, most, whole = false }: Bounds): z.ZodType<number, number> {
  const what = describe({ least, most, whole });
  const fits = (value: number): boolean =>
    (!whole || Number.isSafeInteger(value)) && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return z.number(wrong(name, what)).refine(fits, `${name} must be ${what}`);
}

/** A number in a query string, both bounds included. */
export function queryNumberNamed(name: string, bounds: Bounds): z.ZodType<number> {
  const what = describe(bounds);
  return z.string(wrong(name, what)).regex(DECIMAL, `${name} must be ${what}`).transform(Number).pipe(numberNamed(name, bounds));
}

/** The number of a page, from 1 on; 1 where it is not given. */
export function pageNamed(name: string): z.ZodType<number> {
  return queryNumberNamed(name, { least: 1, whole: true }).default(1);
}

/** Words with commas between them, at least one where they are there at all. */
export function optionalListNamed(name: string): z.ZodType<string[] | undefined> {
  return anyTextNamed(name)
    .transform(wordsIn)
    .refine((words) => words.length > 0, `${name} must be a list with commas`)
    .optional();
}

/** What stands between commas, without what is empty. */
export function wordsIn(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** A list of base64 transactions. */
export function transactionsNamed(name: string): z.ZodType<string[]> {
  const item = z
    .string(`${name} must be a list of base64 transactions`)
    .refine((text) => parseBase64Transaction(text) !== undefined, `${name} must be a list of base64 transactions`);
  return z
    .array(item, wrong(name, 'a list of base64 transactions'))
    .max(MOST_TRANSACTIONS, `${name} has more than ${MOST_TRANSACTIONS} transactions`);
}

/**
 * A time in milliseconds since 1970, from an ISO 8601 date or date-time; a date alone means its first or last moment. What
 * names no zone is UTC, as all the service's own times; a space may stand for the T, as in those of the overview.
 */
export function dateNamed(name: string, edge: 'first' | 'last'): z.ZodType<number> {
  const form = 'a date (YYYY-MM-DD) or a date-time (ISO 8601)';
  return z.string(wrong(name, form)).transform((text, context) => {
    if (z.iso.date().safeParse(text).success) {
      return Date.parse(text) + (edge === 'last' ? DAY_MS - 1 : 0);
    }
    const dateTime = text.replace(' ', 'T');
    if (!z.iso.datetime({ offset: true, local: true }).safeParse(dateTime).success) {
      return refuse(context, `${name} must be ${form}`);
    }
    return Date.parse(ZONE.test(dateTime) ? dateTime : `${dateTime}Z`);
  });
}

/** What a number may be. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** More than any operation has: 1,400 bins take about fifty. */
const MOST_TRANSACTIONS = 100;
const DAY_MS = 86_400_000;
const ADDRESS = 'a Solana address';
/** At the end of a date-time. */
const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Says which parameter is missing (null counts as missing) or wrong. */
function wrong(name: string, what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined || input === null ? `${name} is required` : `${name} must be ${what}`) };
}

function describe({ least, most, whole }: Bounds): string {
  const kind = whole === true ? 'a whole number' : 'a number';
  if (least !== undefined && most !== undefined) {
    return `${kind} from ${least} to ${most}`;
  }
  return least === undefined ? kind : `${kind} of at least ${least}`;
}

function addressIn(name: string): (text: string, context: z.RefinementCtx) => Address {
  return (text, context) => parseAddress(text.trim()) ?? refuse(context, `${name} must be ${ADDRESS}`);
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** The JSON object of a request's body. @throws EngineError where it is something else, or nothing */
export async function readBody(context: Context): Promise<Readonly<Record<string, unknown>>> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new EngineError('invalid', 'The body must be a JSON object', { cause: error });
    }
    throw error;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new EngineError('invalid', 'The body must be a JSON object');
  }
  return body as Readonly<Record<string, unknown>>;
}

/** The same where nothing at all means an object without fields. */
export async function readOptionalBody(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return (await context.req.text()) === '' ? {} : readBody(context);
}
