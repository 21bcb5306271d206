import * as z from 'zod';

// Figures that are wrong for a while and still agree with each other, as an unlucky source of prices makes them: no comparison within one
// answer finds them.

/** Figures that a glitch multiplies: present prices and values in US dollars, or what was deposited. */
export const GLITCHED = ['dollars', 'deposits'] as const;

/** A glitch in lists. */
export interface Glitch {
  readonly kind: 'glitch';
  readonly of: (typeof GLITCHED)[number];
  readonly factor: number;
}

type Fields = Readonly<Record<string, unknown>>;

const MULTIPLIED: Readonly<Record<Glitch['of'], readonly string[]>> = {
  dollars: [
    ...['price0', 'price1', 'base_price', 'quote_price', 'usd_price', 'usdPrice', 'prices', 'priceRange', 'balanceInUsd'],
    ...['value', 'currentValue', 'unCollectedFee', 'uncollectedFee'],
  ],
  deposits: ['inputValue', 'inputNative'],
};

/** One record with the glitch; nested records are changed on their own. */
export function glitched(record: Fields, { of, factor }: Glitch): Fields {
  if (!('token0' in record) && !('tokenAddress' in record) && !('id' in record) && !('prices' in record)) {
    // The PnL of a position has fields of the same names; it follows from the other figures.
    return record;
  }
  const names = new Set([...MULTIPLIED[of], ...(of === 'dollars' && 'tokenAddress' in record ? ['price'] : [])]);
  const changed = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, names.has(name) ? multiplied(value, factor) : value]),
  );
  return { ...changed, ...gainOf(changed) };
}

function multiplied(value: unknown, factor: number): unknown {
  if (typeof value === 'number') {
    return value * factor;
  }
  if (typeof value === 'string') {
    return String(Number(value) * factor);
  }
  if (Array.isArray(value)) {
    return value.map((item) => multiplied(item, factor));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, multiplied(item, factor)]))
    : value;
}

const Position = z.object({
  value: z.number(),
  valueNative: z.number(),
  unCollectedFee: z.number(),
  unCollectedFeeNative: z.number(),
  outputValue: z.number(),
  outputNative: z.number(),
  collectedFee: z.number(),
  collectedFeeNative: z.number(),
  inputValue: z.number().positive(),
  inputNative: z.number().positive(),
});

/** The PnL that follows from the figures of a position; empty for other records. */
function gainOf(record: Fields): Fields {
  const read = Position.safeParse(record);
  if (!read.success) {
    return {};
  }
  const of = read.data;
  const value = of.value + of.unCollectedFee + of.outputValue + of.collectedFee - of.inputValue;
  const valueNative = of.valueNative + of.unCollectedFeeNative + of.outputNative + of.collectedFeeNative - of.inputNative;
  return { pnl: { value, valueNative, percent: (100 * value) / of.inputValue, percentNative: (100 * valueNative) / of.inputNative } };
}
