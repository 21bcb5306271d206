import { type BinRange, checkBin } from './bins';

/** Distributions of liquidity over bins: even, more near the active bin, more far from it. */
export const STRATEGIES = ['Spot', 'Curve', 'BidAsk'] as const;

/** Distribution of a position's liquidity over its bins. */
export type Strategy = (typeof STRATEGIES)[number];

/** Amounts to distribute, and the bins. */
export interface Spread extends BinRange {
  readonly activeBinId: number;
  /** Basis points. */
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** Raw units. */
  readonly amountX: bigint;
  readonly amountY: bigint;
}

/** The amounts of one bin, raw units. */
export interface BinAmounts {
  readonly binId: number;
  readonly amountX: bigint;
  readonly amountY: bigint;
}

const BASIS_POINTS = 10_000n;
/** Fractional bits of inverse prices: 1400 bins of 400 bps need 80. */
const INVERSE_PRICE_BITS = 256n;

/**
 * Returns the amounts of each bin, ascending, as the program's clients distribute a deposit (npm @meteora-ag/dlmm,
 * `toAmountsBothSideByStrategy`, without transfer fees): integer weights on each side of the active bin, token Y by weight, token X by weight
 * over price, each rounded down. The active bin gets Y if there is any, else X.
 *
 * A token without bins in the range (X below the active bin, Y above it) is not distributed. Rounding leaves less than one raw unit a bin.
 * @param within the part of the range that gets all of it, in the ratio that the strategy has there
 * @throws RangeError if the range is inverted, an amount is negative, or the program has no such bins
 */
export function spreadOverBins(spread: Spread, within: BinRange = spread): readonly BinAmounts[] {
  const { activeBinId, fromBinId, toBinId, binStepBps, strategy, amountX, amountY } = spread;
  for (const binId of [activeBinId, fromBinId, toBinId]) {
    checkBin(binId, binStepBps);
  }
  if (fromBinId > toBinId) {
    throw new RangeError(`A range goes upwards, not from ${fromBinId} to ${toBinId}`);
  }
  if (amountX < 0n || amountY < 0n) {
    throw new RangeError('Amounts to spread are not negative');
  }
  const activeTakesY = amountY > 0n;
  const lastY = Math.min(toBinId, activeTakesY ? activeBinId : activeBinId - 1);
  const firstX = Math.max(fromBinId, lastY + 1);
  const weightsY = weights(strategy, lastY - fromBinId + 1).reverse();
  const weightsX = overPrice(weights(strategy, toBinId - firstX + 1), BigInt(binStepBps));
  return [
    ...shares(amountY, within, fromBinId, weightsY).map(({ binId, amount }) => ({ binId, amountX: 0n, amountY: amount })),
    ...shares(amountX, within, firstX, weightsX).map(({ binId, amount }) => ({ binId, amountX: amount, amountY: 0n })),
  ];
}

/** The weights of the bins on one side, nearest to the active bin first. */
function weights(strategy: Strategy, count: number): bigint[] {
  return Array.from({ length: Math.max(count, 0) }, (_, index) => strategyWeight(strategy, index + 1, count));
}

/** The weight of the bin that is the `rank`th nearest to the active bin (from 1) of the `count` bins on its side: a share of their value. */
export function strategyWeight(strategy: Strategy, rank: number, count: number): bigint {
  switch (strategy) {
    case 'Spot':
      return 1n;
    case 'Curve':
      return BigInt(count - rank + 1);
    case 'BidAsk':
      return BigInt(rank);
  }
}

/** Divides weights, ascending by bin, by the bins' prices. Only ratios matter, so the first bin's price counts as one. */
function overPrice(weightsX: readonly bigint[], binStepBps: bigint): bigint[] {
  let inversePrice = 1n << INVERSE_PRICE_BITS;
  return weightsX.map((of) => {
    const result = of * inversePrice;
    inversePrice = (inversePrice * BASIS_POINTS) / (BASIS_POINTS + binStepBps);
    return result;
  });
}

/** Shares of an amount by weight, each rounded down. @param first the bin of the first weight */
function shares(
  amount: bigint,
  { fromBinId, toBinId }: BinRange,
  first: number,
  by: readonly bigint[],
): readonly { readonly binId: number; readonly amount: bigint }[] {
  const weighted = by
    .map((weight, index) => ({ binId: first + index, weight }))
    .filter(({ binId }) => fromBinId <= binId && binId <= toBinId);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0n);
  return weighted.map(({ binId, weight }) => ({ binId, amount: (amount * weight) / total }));
}
