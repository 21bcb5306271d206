import type { Context } from 'hono';
import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { parseBase64Transaction } from '../../base/solana/wireTransaction';
import { DAY_MS } from '../../base/time';
import { EngineError } from '../engine';

/**
 * Reads the parameters of a request.
 * @throws EngineError that names the first missing or invalid parameter
 */
export function readParameters<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (!read.success) {
    throw new EngineError('invalid', read.error.issues[0]?.message ?? 'The parameters cannot be read');
  }
  return read.data;
}

/** A required Solana address; spaces around it are ignored. */
export function addressParameter(name: string): z.ZodType<Address> {
  return z
    .string(wrong(name, ADDRESS))
    .min(1, { error: `${name} is required`, abort: true })
    .transform(addressIn(name));
}

/** Like {@link addressParameter}, but optional. */
export function optionalAddressParameter(name: string): z.ZodType<Address | undefined> {
  return z.string(wrong(name, ADDRESS)).transform(addressIn(name)).optional();
}

/** Required text that is not empty. */
export function textParameter(name: string): z.ZodType<string> {
  return anyTextParameter(name).refine((text) => text !== '', `${name} is required`);
}

/** Optional text; if present, it is not empty. */
export function optionalTextParameter(name: string): z.ZodType<string | undefined> {
  return anyTextParameter(name)
    .refine((text) => text !== '', `${name} must not be empty`)
    .optional();
}

/** Text, possibly empty. NUL is refused: behind the routes it could be taken for the end of the text. */
export function anyTextParameter(name: string): z.ZodType<string> {
  return z.string(wrong(name, 'text')).refine((text) => !text.includes('\0'), `${name} must be text without NUL`);
}

/** One of the given words. */
export function wordParameter<const Words extends readonly [string, ...string[]]>(name: string, words: Words): z.ZodType<Words[number]> {
  return z.enum(words, wrong(name, `one of ${words.join(', ')}`));
}

/** true or false in a JSON body. */
export function booleanParameter(name: string): z.ZodType<boolean> {
  return z.boolean(wrong(name, 'true or false'));
}

/** A number in a JSON body. Bounds are inclusive. */
export function numberParameter(name: string, bounds: Bounds): z.ZodType<number, number> {
  const { min = -Infinity, max = Infinity, isInteger = false } = bounds;
  const what = describe(bounds);
  const fits = (value: number): boolean => (!isInteger || Number.isSafeInteger(value)) && value >= min && value <= max;
  return z.number(wrong(name, what)).refine(fits, `${name} must be ${what}`);
}

/** A number in a query string. Bounds are inclusive. */
export function queryNumberParameter(name: string, bounds: Bounds): z.ZodType<number> {
  const what = describe(bounds);
  return z.string(wrong(name, what)).regex(DECIMAL, `${name} must be ${what}`).transform(Number).pipe(numberParameter(name, bounds));
}

/** A raw amount in a JSON body, more than nothing: a whole number, or its digits as text, since large ones are not exact as numbers. */
export function rawAmountParameter(name: string): z.ZodType<bigint> {
  const what = 'a whole number of smallest units from 1 to 2^64 - 1';
  const isWhole = (given: string | number): boolean => (typeof given === 'number' ? Number.isSafeInteger(given) : DIGITS.test(given));
  return z
    .union([z.number(), z.string()], wrong(name, what))
    .refine(isWhole, { error: `${name} must be ${what}`, abort: true })
    .transform(BigInt)
    .refine((raw) => raw > 0n && raw < RAW_LIMIT, `${name} must be ${what}`);
}

/** A page number, from 1; 1 by default. */
export function pageParameter(name: string): z.ZodType<number> {
  return queryNumberParameter(name, { min: 1, isInteger: true }).default(1);
}

/** Optional comma-separated words; if present, at least one. */
export function optionalListParameter(name: string): z.ZodType<string[] | undefined> {
  return anyTextParameter(name)
    .transform(wordsIn)
    .refine((words) => words.length > 0, `${name} must be a list with commas`)
    .optional();
}

/** Splits comma-separated words and drops empty ones. */
export function wordsIn(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** A list of names: one at least, `max` at most. */
export function textsParameter(name: string, max: number): z.ZodType<string[]> {
  return z
    .array(textParameter(name), wrong(name, 'a list'))
    .min(1, `${name} must not be empty`)
    .max(max, `${name} has more than ${max} items`);
}

/** A list of transactions, base64. */
export function transactionsParameter(name: string): z.ZodType<string[]> {
  const item = z
    .string(`${name} must be a list of base64 transactions`)
    .refine((text) => parseBase64Transaction(text) !== undefined, `${name} must be a list of base64 transactions`);
  return z
    .array(item, wrong(name, 'a list of base64 transactions'))
    .max(MAX_TRANSACTIONS, `${name} has more than ${MAX_TRANSACTIONS} transactions`);
}

/**
 * An ISO 8601 date or date-time, read as milliseconds since 1970. Times without a zone are UTC, like all times of the service; a space may
 * replace the T, as in the times of the overview.
 * @param edge which moment of its day a date without a time means
 */
export function dateParameter(name: string, edge: 'first' | 'last'): z.ZodType<number> {
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

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

/** Amounts have 64 bits. */
const RAW_LIMIT = 2n ** 64n;
const DIGITS = /^\d{1,20}$/;
/** No operation has more: 1,400 bins take about fifty. */
const MAX_TRANSACTIONS = 100;
const ADDRESS = 'a Solana address';
/** A time zone at the end of a date-time. */
const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The error of a missing or invalid parameter; null counts as missing. */
function wrong(name: string, what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined || input === null ? `${name} is required` : `${name} must be ${what}`) };
}

function describe({ min, max, isInteger = false }: Bounds): string {
  const kind = isInteger ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) {
    return `${kind} from ${min} to ${max}`;
  }
  return min === undefined ? kind : `${kind} of at least ${min}`;
}

function addressIn(name: string): (text: string, context: z.RefinementCtx) => Address {
  return (text, context) => parseAddress(text.trim()) ?? refuse(context, `${name} must be ${ADDRESS}`);
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Reads the JSON object in the body of a request. @throws EngineError if the body is anything else, or empty */
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

/** Like {@link readBody}, but an empty body is an empty object. */
export async function readOptionalBody(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return (await context.req.text()) === '' ? {} : readBody(context);
}
