import type { Strategy } from '../../service/common';

/** The only chain. */
export const CHAIN_NAME = 'SOL';

/** ISO 8601, UTC, with milliseconds. */
export function isoDate(at: number): string {
  return new Date(at).toISOString();
}

/** `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export function plainDate(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

/** Decimal text of a non-negative number, without an exponent even if it is tiny or huge: the shortest that reads as the same number. */
export function decimalText(value: number): string {
  const [mantissa = '', exponentText] = String(value).split('e');
  if (exponentText === undefined) {
    return mantissa;
  }
  const exponent = Number(exponentText);
  const digits = mantissa.replace('.', '');
  return exponent < 0 ? `0.${'0'.repeat(-exponent - 1)}${digits}` : digits.padEnd(exponent + 1, '0');
}

/** The service's name of a strategy. */
export function strategyType(strategy: Strategy): string {
  return `${strategy}ImBalanced`;
}
