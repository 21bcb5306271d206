import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { oneLine, quoted } from '../../base/text';
import type { Strategy } from '../common';
import { parseInstant, parseNumber } from './scalars';

/**
 * A field of a real answer: absent, null and empty text are `undefined`. A value that `read` rejects is an issue that names what was
 * expected.
 */
function scalar<Value>(expected: string, read: (value: unknown) => Value | undefined): z.ZodType<Value | undefined> {
  return z.transform((value: unknown, context): Value | undefined => {
    if (value === undefined || value === null || value === '') {
      return undefined;
    }
    const parsed = read(value);
    // Text of only spaces or invisible characters counts as empty.
    if ((parsed as unknown) === '') {
      return undefined;
    }
    if (parsed === undefined) {
      context.addIssue(`${quoted(value)} is not ${expected}`);
      return z.NEVER;
    }
    return parsed;
  });
}

/** Makes a field required. */
export function needed<Value>(field: z.ZodType<Value | undefined>): z.ZodType<Value> {
  return field.transform((value, context): Value => {
    if (value === undefined) {
      context.addIssue('is missing');
      return z.NEVER;
    }
    return value;
  });
}

/** A number, or one as text. */
export const decimal = scalar('a number', parseNumber);

/** A part of a whole: a number from 0 to 1. */
export const fraction = scalar('a number from 0 to 1', (value) => {
  const number = parseNumber(value);
  return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
});

/** A whole number, or one as text. */
export const integer = scalar('a whole number', (value) => {
  const number = parseNumber(value);
  return Number.isSafeInteger(number) ? number : undefined;
});

/** Decimal places of a token: an unsigned byte in the SPL mint account. */
export const tokenDecimals = scalar('a number of decimal places', (value) => {
  const number = parseNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 && number <= 255 ? number : undefined;
});

/** An amount in a token's smallest unit. Some records carry fractions of a unit, which are cut off. */
export const rawUnits = scalar('an amount in the smallest unit', (value) => {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  }
  const whole = typeof value === 'string' ? /^(-?\d{1,40})(?:\.\d*)?$/.exec(value.trim())?.[1] : undefined;
  return whole === undefined ? undefined : BigInt(whole);
});

/** A boolean, also as text or as 0 and 1. */
export const flag = scalar('true or false', (value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return word === true || word === 'true' || word === 1 ? true : word === false || word === 'false' || word === 0 ? false : undefined;
});

/** Text for one line of at most 100 characters. */
export const label = scalar('a text', (value) => (typeof value === 'string' ? oneLine(value, 100) : undefined));

/** An identifier. It is sent back to the service unchanged. */
export const identifier = scalar('an identifier', (value) => (typeof value === 'string' ? value : undefined));

export const solanaAddress: z.ZodType<Address | undefined> = scalar('a Solana address', (value) =>
  typeof value === 'string' ? parseAddress(value.trim()) : undefined,
);

/** Length of a signature (ed25519), and the most that base58 needs for it: decoding takes quadratic time. */
const SIGNATURE_BYTES = 64;
const LONGEST_SIGNATURE = 88;

/** Whether a text is the signature of a transaction, base58. */
export function isSignature(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_SIGNATURE && bs58.decodeUnsafe(value)?.length === SIGNATURE_BYTES;
}

export const signature = scalar('the signature of a transaction', (value) => (isSignature(value) ? value : undefined));

/** A date in any of the forms of {@link parseInstant}. */
export const instant = scalar('a date', parseInstant);

const STRATEGIES: readonly (readonly [RegExp, Strategy])[] = [
  [/^spot/i, 'Spot'],
  [/^curve/i, 'Curve'],
  [/^bid-?_?ask/i, 'BidAsk'],
];

/** "SpotImBalanced", "BidAskImBalanced", "Spot", … */
export const strategyType = scalar('a strategy', (value) =>
  typeof value === 'string' ? STRATEGIES.find(([name]) => name.test(value.trim()))?.[1] : undefined,
);

/** An optional record within a record. */
export function group<Shape extends z.ZodRawShape>(shape: Shape): z.ZodOptional<z.ZodNullable<z.ZodObject<Shape>>> {
  return z.object(shape, { error: (issue) => `${quoted(issue.input)} is not a record` }).nullish();
}

/** The schema of a record of a list, or of a whole answer. */
export function wireRecord<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.object(shape, { error: (issue) => `${quoted(issue.input)} is not a record` });
}

/** A list whose entries are read one by one, so an invalid one doesn't hide the others. */
export const entries = z.array(z.unknown(), { error: (issue) => `${quoted(issue.input)} is not a list` }).nullish();

/** The first three numbers of a list; each may be null. */
export const threeDecimals = z.preprocess(
  (value) => (Array.isArray(value) ? value.slice(0, 3) : value),
  z.array(decimal, { error: (issue) => `${quoted(issue.input)} is not a list of numbers` }).nullish(),
);
