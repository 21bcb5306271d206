import { MAX_BIN_ID, MAX_BINS_PER_POSITION, maxBinIdOf, rangeAround, widthOf, type BinRange } from '../../base/dlmm/bins';

/**
 * The range that is entered around the active bin: the half width to either side or, without one, as many bins as
 * before (of an even number the odd one is above). No more bins than a position holds, and only such as the program has.
 * @param binStepBps `undefined`: it is not known, and only what no pool has is cut off
 * @throws RangeError where the active bin is none.
 */
export function reentryRange(
  before: BinRange,
  halfWidthBins: number | undefined,
  activeBinId: number,
  binStepBps: number | undefined,
): BinRange {
  const most = mostBinId(binStepBps);
  if (!Number.isInteger(activeBinId) || Math.abs(activeBinId) > most) {
    throw new RangeError(`The service reports the active bin ${activeBinId}, which the pool cannot have`);
  }
  const { fromBinId, toBinId } =
    halfWidthBins === undefined
      ? centred(activeBinId, widthOf(before))
      : rangeAround(activeBinId, Math.min(halfWidthBins, MOST_HALF_WIDTH));
  return { fromBinId: Math.max(fromBinId, -most), toBinId: Math.min(toBinId, most) };
}

const MOST_HALF_WIDTH = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);

function centred(activeBinId: number, width: number): BinRange {
  const bins = Math.min(Math.max(width, 1), MAX_BINS_PER_POSITION);
  const fromBinId = activeBinId - Math.floor((bins - 1) / 2);
  return { fromBinId, toBinId: fromBinId + bins - 1 };
}

function mostBinId(binStepBps: number | undefined): number {
  try {
    return binStepBps === undefined ? MAX_BIN_ID : Math.min(MAX_BIN_ID, maxBinIdOf(binStepBps));
  } catch {
    // A step that no pool has says nothing.
    return MAX_BIN_ID;
  }
}
