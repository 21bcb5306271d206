import type { Amounts } from '../types';

/** Least and greatest square root of a price, Q64.64 (program constants MIN_SQRT_PRICE and MAX_SQRT_PRICE): the full range. */
export const MIN_SQRT_PRICE = 4_295_048_016n;
export const MAX_SQRT_PRICE = 79_226_673_521_066_979_257_578_248_091n;

const Q64 = 2 ** 64;

/** Liquidity is Q64 and the square root of the price, too: their product is Q128. */
const PRODUCT_BITS = 128n;

/** Which way a quotient is rounded. */
export type Rounding = 'up' | 'down';

/** Quotient of two numbers that are not negative. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  return rounding === 'up' ? (dividend + divisor - 1n) / divisor : dividend / divisor;
}

/** Raw X between two prices: L × (√upper − √lower) / (√upper × √lower) (curve.rs, get_delta_amount_a_unsigned). */
export function amountX(liquidity: bigint, lowerSqrtPrice: bigint, upperSqrtPrice: bigint, rounding: Rounding): bigint {
  return divide(liquidity * (upperSqrtPrice - lowerSqrtPrice), lowerSqrtPrice * upperSqrtPrice, rounding);
}

/** Raw Y between two prices: L × (√upper − √lower) (curve.rs, get_delta_amount_b_unsigned). */
export function amountY(liquidity: bigint, lowerSqrtPrice: bigint, upperSqrtPrice: bigint, rounding: Rounding): bigint {
  return divide(liquidity * (upperSqrtPrice - lowerSqrtPrice), 1n << PRODUCT_BITS, rounding);
}

/** What liquidity over the full range consists of at a price. */
export function amountsAt(liquidity: bigint, sqrtPrice: bigint, rounding: Rounding): Amounts {
  return { x: amountX(liquidity, sqrtPrice, MAX_SQRT_PRICE, rounding), y: amountY(liquidity, MIN_SQRT_PRICE, sqrtPrice, rounding) };
}

/** The most liquidity over the full range that these amounts make at a price; at an end of the range one token alone counts. */
export function liquidityFrom(amounts: Amounts, sqrtPrice: bigint): bigint {
  const ofX = sqrtPrice < MAX_SQRT_PRICE ? (amounts.x * sqrtPrice * MAX_SQRT_PRICE) / (MAX_SQRT_PRICE - sqrtPrice) : undefined;
  const ofY = sqrtPrice > MIN_SQRT_PRICE ? (amounts.y << PRODUCT_BITS) / (sqrtPrice - MIN_SQRT_PRICE) : undefined;
  return ofX === undefined ? (ofY ?? 0n) : ofY === undefined || ofX < ofY ? ofX : ofY;
}

/** Where selling X leads: √P × L / (L + x × √P), rounded up, so that less Y goes out (curve.rs). */
export function sqrtPriceAfterX(sqrtPrice: bigint, liquidity: bigint, sold: bigint): bigint {
  return divide(liquidity * sqrtPrice, liquidity + sold * sqrtPrice, 'up');
}

/** Where selling Y leads: √P + y / L, rounded down, so that less X goes out (curve.rs). */
export function sqrtPriceAfterY(sqrtPrice: bigint, liquidity: bigint, sold: bigint): bigint {
  return sqrtPrice + (sold << PRODUCT_BITS) / liquidity;
}

/**
 * The square root of a price (raw Y for one raw X), Q64.64, as near as a double says it; within the full range.
 * @throws RangeError where the price is not a positive number.
 */
export function sqrtPriceOf(price: number): bigint {
  if (!(price > 0 && Number.isFinite(price))) {
    throw new RangeError(`A price is a positive number, not ${price}`);
  }
  const sqrtPrice = BigInt(Math.round(Math.sqrt(price) * Q64));
  return sqrtPrice < MIN_SQRT_PRICE ? MIN_SQRT_PRICE : sqrtPrice > MAX_SQRT_PRICE ? MAX_SQRT_PRICE : sqrtPrice;
}

/** Raw Y for one raw X. */
export function priceOfSqrt(sqrtPrice: bigint): number {
  return (Number(sqrtPrice) / Q64) ** 2;
}
