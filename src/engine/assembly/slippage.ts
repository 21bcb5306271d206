import { BASIS_POINTS, WHOLE_BPS } from '../../base/basisPoints';

/** Most bins of slippage. */
const MAX_SLIPPAGE_BINS = 100;

/** Slippage in bins, rounded up. */
export function binsOfSlippage(slippageBps: number, binStepBps: number): number {
  return Math.min(MAX_SLIPPAGE_BINS, Math.ceil(slippageBps / binStepBps));
}

/**
 * Change of either amount of a constant-product position, in basis points, if the price moves by this slippage: amounts follow the
 * square root of the price.
 */
export function amountSlippageBps(slippageBps: number): number {
  return Math.floor((Math.sqrt(1 + slippageBps / WHOLE_BPS) - 1) * WHOLE_BPS);
}

/** Reduces an amount so that it still fits after growing by this many basis points. */
export function reducedByGrowth(amount: bigint, growthBps: number): bigint {
  return (amount * BASIS_POINTS) / BigInt(WHOLE_BPS + growthBps);
}
