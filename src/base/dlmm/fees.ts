/** The denominator of fee rates (program constant FEE_PRECISION). */
export const FEE_PRECISION = 1_000_000_000n;

/** The highest fee rate of any pool: 10% (program constant MAX_FEE_RATE). */
export const MAX_FEE_NUMERATOR = 100_000_000n;

const VARIABLE_FEE_SCALE = 100_000_000_000n;

/** The fee parameters in a pool's account. */
export interface FeeParameters {
  readonly binStepBps: number;
  readonly baseFactor: number;
  /** `base_fee_power_factor` */
  readonly power: number;
  readonly variableFeeControl: number;
  /** Increases by 10,000 for each bin that the price has recently crossed. */
  readonly volatilityAccumulator: number;
}

/** Fee rates over 1e9: 10_000_000n is 1%. `total` is capped at 10%; `base` and `variable` are not. */
export interface FeeNumerators {
  readonly base: bigint;
  readonly variable: bigint;
  readonly total: bigint;
}

/**
 * The fee rates of a pool (docs.meteora.ag, DLMM fee calculation; commons/src/extensions/lb_pair.rs):
 * base = baseFactor × step × 10 × 10^power; variable = control × (volatility × step)² / 1e11, rounded up.
 * @throws RangeError if a parameter is not a whole number
 */
export function feeNumerators(parameters: FeeParameters): FeeNumerators {
  const step = BigInt(parameters.binStepBps);
  const base = BigInt(parameters.baseFactor) * step * 10n * 10n ** BigInt(parameters.power);
  const volatility = BigInt(parameters.volatilityAccumulator) * step;
  const variable = ceilDiv(BigInt(parameters.variableFeeControl) * volatility * volatility, VARIABLE_FEE_SCALE);
  const sum = base + variable;
  return { base, variable, total: sum < MAX_FEE_NUMERATOR ? sum : MAX_FEE_NUMERATOR };
}

/** The fee included in `amount` (raw units), rounded up; `numerator` over 1e9. */
export function feeOnIncluded(amount: bigint, numerator: bigint): bigint {
  return ceilDiv(amount * numerator, FEE_PRECISION);
}

/** The fee to add to `amount` (raw units) so that `amount` remains after it, rounded up; `numerator` over 1e9. */
export function feeOnExcluded(amount: bigint, numerator: bigint): bigint {
  return ceilDiv(amount * numerator, FEE_PRECISION - numerator);
}

/** Divides two non-negative numbers and rounds up. */
function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
