import type { Money } from '../api/records/money';

/**
 * The largest amounts that can be real, in whole units of the currency. All crypto-assets together are worth a few trillion US dollars, and
 * some 600 million SOL exist. The bounds are wide on purpose: they keep one absurd figure (1e308) from making every sum absurd or infinite,
 * and are no judgement of a figure below them.
 */
const LARGEST: Readonly<Record<keyof Money, number>> = { usd: 1e12, native: 1e9 };

/** Tells whether an amount, or a loss of it, can be real. Not a number and infinite amounts cannot. */
export function isPlausibleAmount(amount: number, currency: keyof Money): boolean {
  return Math.abs(amount) <= LARGEST[currency];
}
