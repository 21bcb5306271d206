import { priceOfBin, type BinRange } from '../../../src/base/dlmm/bins';
import { spreadOverBins, type Strategy } from '../../../src/base/dlmm/strategy';

/** What of a plan decides how it lies. */
export interface ShapeOf extends BinRange {
  readonly activeBinId: number;
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** 0 to 1. */
  readonly percentX: number;
}

/** A bin of a plan. */
export interface ShapeBin {
  readonly binId: number;
  /** Its share of all that goes in, 0 to 1. */
  readonly share: number;
  readonly isX: boolean;
}

/** So much is spread to see how it lies, raw units: whole numbers hide nothing of the shape then. */
const AMOUNT = 1e24;

/**
 * How the strategy spreads what goes in over the bins of the range, ascending. The shares of a token's bins are to each other as what they
 * are worth at their own prices, which is as the strategy means it, and add up to the token's share. A token that the range has no bins for
 * is not spread: all together are less than one then.
 * @throws RangeError where the range is upside down, or the bins are not ones that the program has.
 */
export function shapeOf({ fromBinId, toBinId, activeBinId, binStepBps, strategy, percentX }: ShapeOf): readonly ShapeBin[] {
  // Worth in raw units of Y. Taken so large that both amounts have digits enough, however far apart the units are.
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
