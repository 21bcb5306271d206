import { BASIS_POINTS, shareOf } from '../../../base/basisPoints';
import { FEE_PRECISION, type FeeNumerators } from '../../../base/dlmm/fees';
import type { ProductPoolSpec } from '../catalog';
import type { Amounts } from '../types';

/** Bounds of the square root of a price, Q64.64 (program constants MIN_SQRT_PRICE and MAX_SQRT_PRICE): the full range. */
export const MIN_SQRT_PRICE = 4_295_048_016n;
export const MAX_SQRT_PRICE = 79_226_673_521_066_979_257_578_248_091n;

const Q64 = 2 ** 64;

/** Liquidity and square root of the price are Q64, so their product is Q128. */
const PRODUCT_BITS = 128n;

/** Rounding of a quotient. */
export type Rounding = 'up' | 'down';

/** Quotient of two non-negative numbers. */
function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
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

/** Raw amounts of full-range liquidity at a price. */
export function amountsAt(liquidity: bigint, sqrtPrice: bigint, rounding: Rounding): Amounts {
  return { x: amountX(liquidity, sqrtPrice, MAX_SQRT_PRICE, rounding), y: amountY(liquidity, MIN_SQRT_PRICE, sqrtPrice, rounding) };
}

/** Largest full-range liquidity of these amounts at a price. At an end of the range only one token counts. */
export function liquidityFrom(amounts: Amounts, sqrtPrice: bigint): bigint {
  const ofX = sqrtPrice < MAX_SQRT_PRICE ? (amounts.x * sqrtPrice * MAX_SQRT_PRICE) / (MAX_SQRT_PRICE - sqrtPrice) : undefined;
  const ofY = sqrtPrice > MIN_SQRT_PRICE ? (amounts.y << PRODUCT_BITS) / (sqrtPrice - MIN_SQRT_PRICE) : undefined;
  return ofX === undefined ? (ofY ?? 0n) : ofY === undefined || ofX < ofY ? ofX : ofY;
}

/** Price after selling X: √P × L / (L + x × √P), rounded up in favor of the pool (curve.rs). */
export function sqrtPriceAfterX(sqrtPrice: bigint, liquidity: bigint, sold: bigint): bigint {
  return divide(liquidity * sqrtPrice, liquidity + sold * sqrtPrice, 'up');
}

/** Price after selling Y: √P + y / L, rounded down in favor of the pool (curve.rs). */
export function sqrtPriceAfterY(sqrtPrice: bigint, liquidity: bigint, sold: bigint): bigint {
  return sqrtPrice + (sold << PRODUCT_BITS) / liquidity;
}

/**
 * The square root of a price (raw Y per raw X), Q64.64, with the precision of a double, clamped to the full range.
 * @throws RangeError if the price is not a positive number
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

/** The highest fee rate of any pool, over 1e9: 99 % (program constant MAX_FEE_NUMERATOR_V1). */
const MAX_FEE_NUMERATOR = 990_000_000n;

const ONE_Q64 = 1n << 64n;
const VARIABLE_FEE_SCALE = 100_000_000_000n;

/** Steps of one basis point in the square root of the price, the same for all pools (BIN_STEP_BPS_DEFAULT, BIN_STEP_BPS_U128_DEFAULT). */
const BIN_STEP_BPS = 1n;
const BIN_STEP_Q64 = 1_844_674_407_370_955n;

/**
 * Seconds until the reference price is renewed, seconds until old volatility is forgotten, and the part of it that is kept in
 * between, basis points (SDK defaults).
 */
export const PRODUCT_FEE_PERIODS = { filterPeriod: 10, decayPeriod: 120, reductionFactor: 5_000 } as const;

/**
 * Volatility of a price change of 15 %, above which the fee does not rise (SDK, getDynamicFeeParams):
 * 2 × ⌊(√1.15 − 1) / 0.0001⌋ × 10000.
 */
const MAX_VOLATILITY = 14_460_000n;

/** Largest dynamic fee as a part of the base fee, percent (SDK, getDynamicFeeParams). */
const MAX_DYNAMIC_PERCENT = 20n;

/** Volatility of a pool's price, as in the program's account. `volatilityUpdatedAt` in seconds since 1970. */
export interface ProductVolatility {
  volatilityAccumulator: bigint;
  volatilityReference: bigint;
  sqrtPriceReference: bigint;
  volatilityUpdatedAt: number;
}

/** A fee, and the protocol's share that it includes. */
export interface SplitFee {
  readonly fee: bigint;
  readonly protocolFee: bigint;
}

/** Fees of a constant-product pool (state/fee.rs; parameters of the SDK's getDynamicFeeParams). */
export class ProductFees {
  readonly #base: bigint;
  readonly #control: bigint;
  readonly #protocolShareBps: number;

  constructor({ baseFeeBps, dynamicFee, protocolShareBps }: ProductPoolSpec) {
    this.#base = (BigInt(baseFeeBps) * FEE_PRECISION) / BASIS_POINTS;
    this.#control = dynamicFee ? variableFeeControl(this.#base) : 0n;
    this.#protocolShareBps = protocolShareBps;
  }

  /** Fee rates at a volatility, over 1e9. */
  rates(volatilityAccumulator: bigint): FeeNumerators {
    const variable = divide(this.#control * (volatilityAccumulator * BIN_STEP_BPS) ** 2n, VARIABLE_FEE_SCALE, 'up');
    const sum = this.#base + variable;
    return { base: this.#base, variable, total: sum < MAX_FEE_NUMERATOR ? sum : MAX_FEE_NUMERATOR };
  }

  /** Highest possible rate, over 1e9. */
  get highest(): bigint {
    return this.rates(MAX_VOLATILITY).total;
  }

  /** The fee included in an amount, rounded up, and the protocol's share, rounded down. `numerator` is over 1e9. */
  within(amount: bigint, numerator: bigint): SplitFee {
    const fee = divide(amount * numerator, FEE_PRECISION, 'up');
    return { fee, protocolFee: shareOf(fee, this.#protocolShareBps) };
  }

  /** Updates the volatility after a trade; does nothing without a dynamic fee. */
  follow(volatility: ProductVolatility, from: bigint, to: bigint, now: number): void {
    if (this.#control === 0n) {
      return;
    }
    const seconds = Math.floor(now / 1000);
    const elapsed = seconds - volatility.volatilityUpdatedAt;
    if (elapsed >= PRODUCT_FEE_PERIODS.filterPeriod) {
      volatility.sqrtPriceReference = from;
      volatility.volatilityReference =
        elapsed < PRODUCT_FEE_PERIODS.decayPeriod ? shareOf(volatility.volatilityAccumulator, PRODUCT_FEE_PERIODS.reductionFactor) : 0n;
    }
    const volatilityNow = volatility.volatilityReference + stepsBetween(to, volatility.sqrtPriceReference) * BASIS_POINTS;
    volatility.volatilityAccumulator = volatilityNow < MAX_VOLATILITY ? volatilityNow : MAX_VOLATILITY;
    if (stepsBetween(from, to) > 0n) {
      volatility.volatilityUpdatedAt = seconds;
    }
  }
}

/** Steps of one basis point of the price between two square roots: twice the steps between the roots (get_delta_bin_id). */
function stepsBetween(one: bigint, other: bigint): bigint {
  const [upper, lower] = one > other ? [one, other] : [other, one];
  return 2n * (((upper << 64n) / lower - ONE_Q64) / BIN_STEP_Q64);
}

/** The control parameter with which the dynamic fee reaches a fifth of the base fee at the highest volatility. */
function variableFeeControl(base: bigint): bigint {
  const most = (base * MAX_DYNAMIC_PERCENT) / 100n;
  return (most * VARIABLE_FEE_SCALE - (VARIABLE_FEE_SCALE - 1n)) / (MAX_VOLATILITY * BIN_STEP_BPS) ** 2n;
}
