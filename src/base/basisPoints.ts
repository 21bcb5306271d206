/** 100% in basis points. */
export const WHOLE_BPS = 10_000;

/** 100% in basis points, for raw amounts. */
export const BASIS_POINTS = 10_000n;

/** A share of a raw amount in basis points, rounded down. */
export function shareOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / BASIS_POINTS;
}
