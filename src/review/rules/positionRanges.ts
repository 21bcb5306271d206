import { PROGRAMS } from '../../solana/programs';
import { numberAt } from '../argumentValues';
import { REVIEW_PROGRAMS } from '../knownPrograms';
import { lengthensPosition } from '../positions';
import { isInstruction, type DecodedCall } from '../reading';
import { depositBins } from './dlmmRange';

/** On which side `increase_position_length` adds bins (DLMM IDL, ResizeSide). */
const UPPER_SIDE = 1;

/** Bins of a position. Both ends are in it. */
export interface BinRange {
  readonly lowerBinId: number;
  readonly upperBinId: number;
}

/** Gives the bins of a position as an instruction opens it; `undefined` in DAMM v2, whose positions have none. */
export function openedRange(reading: DecodedCall): BinRange | undefined {
  if (reading.view.program === PROGRAMS.dammV2) {
    return undefined;
  }
  if (reading.view.program === REVIEW_PROGRAMS.meteoraZap) {
    const bins = depositBins(reading);
    return { lowerBinId: Math.min(...bins), upperBinId: Math.max(...bins) };
  }
  const lowerBinId = numberAt(reading.args, 'lower_bin_id') ?? 0;
  return { lowerBinId, upperBinId: lowerBinId + (numberAt(reading.args, 'width') ?? 0) - 1 };
}

/** Gives the bins of a position after an instruction that fills or lengthens it. A rebalance makes a position as long as it needs. */
export function rangeAfter(reading: DecodedCall, before: BinRange): BinRange {
  if (lengthensPosition(reading)) {
    return lengthened(reading, before);
  }
  const bins = isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity') ? depositBins(reading) : [];
  return { lowerBinId: Math.min(before.lowerBinId, ...bins), upperBinId: Math.max(before.upperBinId, ...bins) };
}

/** Gives the least range that holds both. */
export function joined(one: BinRange, other: BinRange): BinRange {
  return { lowerBinId: Math.min(one.lowerBinId, other.lowerBinId), upperBinId: Math.max(one.upperBinId, other.upperBinId) };
}

export function widthOf({ lowerBinId, upperBinId }: BinRange): number {
  return upperBinId - lowerBinId + 1;
}

function lengthened(reading: DecodedCall, { lowerBinId, upperBinId }: BinRange): BinRange {
  const added = numberAt(reading.args, 'length_to_add') ?? 0;
  const minimumUpperBinId = numberAt(reading.args, 'minimum_upper_bin_id');
  if (minimumUpperBinId !== undefined) {
    return { lowerBinId, upperBinId: Math.max(upperBinId, minimumUpperBinId) };
  }
  return numberAt(reading.args, 'side') === UPPER_SIDE ? { lowerBinId, upperBinId: upperBinId + added } : { lowerBinId: lowerBinId - added, upperBinId };
}
