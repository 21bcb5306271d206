import * as z from 'zod';
import { parseAddress, type Address } from '../../base/solana/address';
import type { Strategy } from '../common';
import { oneLine, quoted } from '../../base/text';
import { parseNumber } from './numbers';
import { parseInstant } from './instants';

/**
 * A field as real answers have it: absent, null and empty text are `undefined`; whatever `read` cannot read is an issue that
 * says what was expected.
 */
function scalar<Value>(expected: string, read: (value: unknown) => Value | undefined): z.ZodType<Value | undefined> {
  return z
    .unknown()
    .transform((value, context): Value | undefined => {
      if (value === undefined || value === null || value === '') {
        return undefined;
      }
      const parsed = read(value);
      // A text of spaces or invisible characters only is as good as none.
      if ((parsed as unknown) === '') {
        return undefined;
      }
      if (parsed === undefined) {
        context.addIssue(`${quoted(value)} is not ${expected}`);
        return z.NEVER;
      }
      return parsed;
    })
    .optional();
}

/** The field, where a record cannot do without it. */
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

/** An amount in a token's smallest unit. Fractions of a unit, which some records carry, are cut off. */
export const rawUnits = scalar('an amount in the smallest unit', (value) => {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  }
  const whole = typeof value === 'string' ? /^(-?\d{1,40})(?:\.\d*)?$/.exec(value.trim())?.[1] : undefined;
  return whole === undefined ? undefined : BigInt(whole);
});

/** True or false, also as text or as 0 and 1. */
export const flag = scalar('true or false', (value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return word === true || word === 'true' || word === 1 ? true : word === false || word === 'false' || word === 0 ? false : undefined;
});

/** A short text for one line. */
export const label = scalar('a text', (value) => (typeof value === 'string' ? oneLine(value, 100) : undefined));

/** An identifier that goes back to the service as it came. */
export const identifier = scalar('an identifier', (value) => (typeof value === 'string' ? value : undefined));

/** A Solana address. */
export const solanaAddress: z.ZodType<Address | undefined> = scalar('a Solana address', (value) =>
  typeof value === 'string' ? parseAddress(value.trim()) : undefined,
);

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

/** A record within a record. */
export function group<Shape extends z.ZodRawShape>(shape: Shape): z.ZodOptional<z.ZodNullable<z.ZodObject<Shape>>> {
  return z.object(shape, { error: (issue) => `${quoted(issue.input)} is not a record` }).nullish();
}

/** A record of its own. */
export function wireRecord<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.object(shape, { error: (issue) => `${quoted(issue.input)} is not a record` });
}

/** A list whose entries are read one by one, so that an odd one does not hide the others. */
export const entries = z.array(z.unknown(), { error: (issue) => `${quoted(issue.input)} is not a list` }).nullish();

/** Three numbers, any of which may be null; no more is read of the list. */
export const threeDecimals = z.preprocess(
  (value) => (Array.isArray(value) ? value.slice(0, 3) : value),
  z.array(decimal, { error: (issue) => `${quoted(issue.input)} is not a list of numbers` }).nullish(),
);
