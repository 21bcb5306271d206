import type { Strategy } from '../../service/common';

/** The only chain. */
export const CHAIN_NAME = 'SOL';

/** Significant digits of a double, and the most places of `toFixed`. */
const DIGITS = 17;
const MAX_PLACES = 100;

/** ISO 8601, UTC, with milliseconds. */
export function isoDate(at: number): string {
  return new Date(at).toISOString();
}

/** `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export function plainDate(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

/** Decimal text of a non-negative number, without an exponent even if it is tiny. */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(Math.min(MAX_PLACES, DIGITS - 1 - Math.floor(Math.log10(value)))) : text;
}

/** The service's name of a strategy. */
export function strategyType(strategy: Strategy): string {
  return `${strategy}ImBalanced`;
}

/** Number of pages of a list. */
export function pageCount(items: number, pageSize: number): number {
  return Math.ceil(items / pageSize);
}
