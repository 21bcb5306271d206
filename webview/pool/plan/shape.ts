import { priceOfBin, type BinRange } from '../../../src/base/dlmm/bins';
import { spreadOverBins, type Strategy } from '../../../src/base/dlmm/strategy';

/** The part of a plan that determines its shape. */
export interface ShapeOf extends BinRange {
  readonly activeBinId: number;
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** 0 to 1. */
  readonly percentX: number;
}

export interface ShapeBin {
  readonly binId: number;
  /** The bin's share of the whole deposit, 0 to 1. */
  readonly share: number;
  readonly isX: boolean;
}

/** The amount that is spread to compute the shape, raw units: large enough for rounding to be invisible. */
const AMOUNT = 1e24;

/**
 * How the strategy spreads the deposit over the bins of the range, ascending. A bin is valued at its own price, as the strategies define it; a
 * token's bins add up to the token's share. A token without bins in the range is not spread: then the sum is below 1.
 * @throws RangeError if the bounds are inverted or outside the program's limits
 */
export function shapeOf({ fromBinId, toBinId, activeBinId, binStepBps, strategy, percentX }: ShapeOf): readonly ShapeBin[] {
  // Value in raw units of Y, large enough that both amounts have enough digits, however different their units are.
  const price = priceOfBin(activeBinId, binStepBps);
  const worth = AMOUNT * Math.max(price, 1);
  const bins = spreadOverBins({
    fromBinId,
    toBinId,
    activeBinId,
    binStepBps,
    strategy,
    amountX: BigInt(Math.floor((worth * percentX) / price)),
    amountY: BigInt(Math.floor(worth * (1 - percentX))),
  });
  const worths = bins.map(({ binId, amountX, amountY }) => ({
    binId,
    isX: amountX > 0n,
    worth: Number(amountX) * priceOfBin(binId, binStepBps) + Number(amountY),
  }));
  const worthX = worths.reduce((sum, bin) => sum + (bin.isX ? bin.worth : 0), 0);
  return worths.map((bin) => ({ binId: bin.binId, isX: bin.isX, share: bin.isX ? (percentX * bin.worth) / worthX : bin.worth / worth }));
}
