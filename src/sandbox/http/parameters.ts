import * as z from 'zod';
import { parseBase64Transaction } from '../../solana/base64Transaction';
import { parseAddress, type Address } from '../../solana/address';
import { EngineError } from '../engine';

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
    .string(wrong(name, 'a Solana address'))
    .min(1, { error: `${name} is required`, abort: true })
    .transform((text, context) => parseAddress(text.trim()) ?? refuse(context, `${name} must be a Solana address`));
}

/** Text that is not empty. */
export function textNamed(name: string): z.ZodType<string> {
  return z.string(wrong(name, 'text')).min(1, `${name} is required`);
}

/** One of a few words. */
export function wordNamed<const Words extends readonly [string, ...string[]]>(name: string, words: Words): z.ZodType<Words[number]> {
  return z.enum(words, wrong(name, `one of ${words.join(', ')}`));
}

/** A number in a JSON body, both bounds included. */
export function numberNamed(name: string, { least, most, whole = false }: Bounds): z.ZodType<number, number> {
  const what = describe({ least, most, whole });
  const fits = (value: number): boolean => (!whole || Number.isSafeInteger(value)) && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return z.number(wrong(name, what)).refine(fits, `${name} must be ${what}`);
}

/** A number in a query string, both bounds included. */
export function queryNumberNamed(name: string, bounds: Bounds): z.ZodType<number> {
  const what = describe(bounds);
  return z
    .string(wrong(name, what))
    .regex(DECIMAL, `${name} must be ${what}`)
    .transform(Number)
    .pipe(numberNamed(name, bounds));
}

/** The number of a page, from 1 on; 1 where it is not given. */
export function pageNamed(name: string): z.ZodType<number> {
  return queryNumberNamed(name, { least: 1, whole: true }).default(1);
}

/** Words with commas between them, at least one. */
export function listNamed(name: string): z.ZodType<string[]> {
  return textNamed(name)
    .transform(wordsIn)
    .refine((words) => words.length > 0, `${name} must be a list with commas`);
}

/** What stands between commas, without what is empty. */
export function wordsIn(text: string): string[] {
  return text.split(',').map((word) => word.trim()).filter((word) => word !== '');
}

/** A list of base64 transactions. */
export function transactionsNamed(name: string): z.ZodType<string[]> {
  const item = z.string(`${name} must be a list of base64 transactions`).refine((text) => parseBase64Transaction(text) !== undefined, `${name} must be a list of base64 transactions`);
  return z.array(item, wrong(name, 'a list of base64 transactions')).max(MOST_TRANSACTIONS, `${name} has more than ${MOST_TRANSACTIONS} transactions`);
}

/** A time in milliseconds since 1970, from an ISO 8601 date or date-time; a date alone means its first or last moment. */
export function dateNamed(name: string, edge: 'first' | 'last'): z.ZodType<number> {
  const form = 'a date (YYYY-MM-DD) or a date-time with its zone (ISO 8601)';
  return z.string(wrong(name, form)).transform((text, context) => {
    if (z.iso.date().safeParse(text).success) {
      return Date.parse(text) + (edge === 'last' ? DAY_MS - 1 : 0);
    }
    return z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : refuse(context, `${name} must be ${form}`);
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

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
