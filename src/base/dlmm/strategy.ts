import { checkBin, type BinRange } from './bins';

/** How liquidity is spread over bins: evenly, more of it near the active bin, or more of it far from the active bin. */
export const STRATEGIES = ['Spot', 'Curve', 'BidAsk'] as const;

/** One of them. */
export type Strategy = (typeof STRATEGIES)[number];

/** What is spread, and over which bins. */
export interface Spread extends BinRange {
  readonly activeBinId: number;
  /** Basis points. */
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** Raw units. */
  readonly amountX: bigint;
  readonly amountY: bigint;
}

/** What one bin gets, raw units. */
export interface BinAmounts {
  readonly binId: number;
  readonly amountX: bigint;
  readonly amountY: bigint;
}

const BASIS_POINTS = 10_000n;
/** Inverse prices are kept as fixed point numbers with this many bits: 1400 bins of 400 bps need 80 of them. */
const INVERSE_PRICE_BITS = 256n;

/**
 * Gives what each bin of the range gets, ascending, as the program's clients spread a deposit (npm @meteora-ag/dlmm,
 * `toAmountsBothSideByStrategy`, without transfer fees): whole number weights on each side of the active bin, token Y by weight, token X by
 * weight over price, each rounded down. The active bin takes Y if there is any, else X.
 *
 * A token that the range has no bins for (X below the active bin, Y above it) is not spread. What rounding leaves over
 * is less than one raw unit a bin.
 * @throws RangeError where the range is upside down, an amount is negative, or the bins are not ones that the program has.
 */
export function spreadOverBins(spread: Spread): readonly BinAmounts[] {
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
    ...shares(amountY, weightsY).map((amount, index) => ({ binId: fromBinId + index, amountX: 0n, amountY: amount })),
    ...shares(amountX, weightsX).map((amount, index) => ({ binId: firstX + index, amountX: amount, amountY: 0n })),
  ];
}

/** The weights of one side's bins, the nearest to the active bin first; none where the side has no bins. */
function weights(strategy: Strategy, count: number): bigint[] {
  return Array.from({ length: Math.max(count, 0) }, (_, index) => weight(strategy, index + 1, count));
}

/** The weight of the bin that is the `rank`th nearest (from 1) of `count` bins. */
function weight(strategy: Strategy, rank: number, count: number): bigint {
  switch (strategy) {
    case 'Spot':
      return 1n;
    case 'Curve':
      return BigInt(count - rank + 1);
    case 'BidAsk':
      return BigInt(rank);
  }
}

/** Weights, ascending by bin, divided by the bins' prices. Only ratios count, so that the first bin's price is taken as one. */
function overPrice(weightsX: readonly bigint[], binStepBps: bigint): bigint[] {
  let inversePrice = 1n << INVERSE_PRICE_BITS;
  return weightsX.map((of) => {
    const result = of * inversePrice;
    inversePrice = (inversePrice * BASIS_POINTS) / (BASIS_POINTS + binStepBps);
    return result;
  });
}

/** Shares of an amount by weight, each rounded down. */
function shares(amount: bigint, by: readonly bigint[]): bigint[] {
  const total = by.reduce((sum, of) => sum + of, 0n);
  return by.map((of) => (amount * of) / total);
}
