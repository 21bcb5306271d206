import { SOL_DECIMALS } from './programs';

const DECIMAL = /^(?:(\d+)(?:\.(\d+))?|\.(\d+))$/;

/** Longer than any amount on Solana; keeps absurd input away from the arithmetic. */
const LONGEST_TEXT = 80;

/**
 * Formats a raw amount as a decimal number, exactly: 1_500_000_000n with 9 decimals is "1.5". No separators, no padding;
 * {@link parseDecimal} is its inverse.
 */
export function formatRaw(amountRaw: bigint, decimals: number): string {
  const digits = (amountRaw < 0n ? -amountRaw : amountRaw).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amountRaw < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Parses a decimal number as a raw amount, exactly: digits with at most `decimals` of them after one point.
 * @returns `undefined` for anything else: signs, exponents, separators, more decimals than the token has
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = text.length > LONGEST_TEXT ? null : DECIMAL.exec(text);
  if (match === null) {
    return undefined;
  }
  const whole = match[1] ?? '0';
  const fraction = match[2] ?? match[3] ?? '';
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** A number that is 0 or more as digits × 10^exponent, from its shortest decimal form: 0.3 is 3 × 10^-1. */
export function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/**
 * Converts whole tokens to raw units, to the nearest unit. Computes with the number's shortest decimal form: floating-point arithmetic
 * loses units of large amounts.
 * @throws RangeError if the amount is negative or not finite
 */
export function rawFromNumber(amount: number, decimals: number): bigint {
  if (!(amount >= 0 && Number.isFinite(amount))) {
    throw new RangeError(`${amount} is not an amount`);
  }
  const { digits, exponent } = decimalOf(amount);
  const shift = exponent + decimals;
  if (shift >= 0) {
    return digits * 10n ** BigInt(shift);
  }
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor / 2n) / divisor;
}

/** Formats lamports as SOL, exactly: 5_000n is "0.000005". */
export function lamportsToSol(lamports: bigint): string {
  return formatRaw(lamports, SOL_DECIMALS);
}

/** Decimals are one byte of a mint (spl-token). */
const MAX_DECIMALS = 255;

/** Returns whether a token can have that number of decimals. */
export function isDecimals(decimals: number | undefined): decimals is number {
  return decimals !== undefined && Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS;
}
