import { priceOfBin } from '../../base/dlmm/bins';
import { STRATEGIES, type Strategy, strategyWeight } from '../../base/dlmm/strategy';
import type { PositionBin } from './ports';

/** One shape fits better than another only by more than this part of the squared values: rounding is no reason to prefer one. */
const LEAST_DIFFERENCE = 1e-6;

/** How well a strategy fits. */
interface Fit {
  readonly strategy: Strategy;
  /** Squared differences, as a part of the squared values. */
  readonly error: number;
  /** Bins between the price that it supposes for the deposit and the present one. */
  readonly bins: number;
}

/**
 * The strategy that the liquidity of a position is nearest to. Trades turn one token of a bin into the other at the price of the bin, so its value
 * at that price is still the one that was deposited. Where the price was then is not known: each bin is tried, and of shapes that fit equally the
 * one with the nearest price counts. Without a difference at all, as with a single bin, that is the first of {@link STRATEGIES}.
 */
export function shapeOf(bins: readonly PositionBin[], pool: { readonly activeBinId: number; readonly binStepBps: number }): Strategy {
  const values = bins.map(({ binId, liquidity: { x, y } }) => Number(x) * priceOfBin(binId, pool.binStepBps) + Number(y));
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  const [lowest] = bins;
  if (lowest === undefined || squares === 0) {
    return 'Spot';
  }
  let best: Fit | undefined;
  for (const strategy of STRATEGIES) {
    for (let below = 0; below <= values.length; below += 1) {
      const error = errorOf(strategy, values, below) / squares;
      const fit = { strategy, error, bins: Math.abs(lowest.binId + below - pool.activeBinId) };
      best = best === undefined || isBetter(fit, best) ? fit : best;
    }
  }
  return best?.strategy ?? 'Spot';
}

function isBetter(one: Fit, other: Fit): boolean {
  const isEqual = Math.abs(one.error - other.error) <= LEAST_DIFFERENCE;
  return isEqual ? one.bins < other.bins : one.error < other.error;
}

/** The least sum of squared differences between values and the strategy, with so many bins below the price and any amount of each token. */
function errorOf(strategy: Strategy, values: readonly number[], below: number): number {
  return (
    errorOfSide(strategy, below, (rank) => values[below - rank] ?? 0) +
    errorOfSide(strategy, values.length - below, (rank) => values[below + rank - 1] ?? 0)
  );
}

/** @param valueOf the value of the bin that is the `rank`th nearest to the price, from 1 */
function errorOfSide(strategy: Strategy, count: number, valueOf: (rank: number) => number): number {
  let [ofValues, ofWeights, ofBoth] = [0, 0, 0];
  for (let rank = 1; rank <= count; rank += 1) {
    const [value, weight] = [valueOf(rank), Number(strategyWeight(strategy, rank, count))];
    ofValues += value * value;
    ofWeights += weight * weight;
    ofBoth += value * weight;
  }
  return ofWeights === 0 ? 0 : Math.max(0, ofValues - (ofBoth * ofBoth) / ofWeights);
}
