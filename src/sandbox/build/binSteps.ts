import { BINS_PER_DEFAULT_POSITION, widthOf } from '../../dlmm/bins';
import type { Address } from '../../solana/address';
import { WHOLE_BPS } from '../basisPoints';
import { chunksOf, depositsOf } from './chunks';
import { addLiquidity, claimFee, closePosition, increasePositionLength, initializeBinArray, initializePosition, removeLiquidity } from './dlmmInstructions';
import { together, type Step } from './transactions';
import type { BinAddPlan, BinDecreasePlan } from './types';

/** Bins that one instruction may make a position wider by (program constant MAX_RESIZE_LENGTH). */
const MAX_RESIZE_BINS = 91;

/** Liquidity and fees out of a position in a bin pool, at most 70 bins a step; then the position closed where all is taken. */
export function withdrawBins(plan: BinDecreasePlan): readonly Step[] {
  const { shareBps } = plan;
  return [
    ...chunksOf(plan).map(({ fromBinId, toBinId }) => together(removeLiquidity(plan, fromBinId, toBinId, shareBps), claimFee(plan, fromBinId, toBinId))),
    ...(shareBps === WHOLE_BPS ? [closePosition(plan, { onlyIfEmpty: true })] : []),
  ];
}

/** A position made in a bin pool, missing bin arrays made, liquidity put in: a step for every 70 bins. */
export function depositBins(plan: BinAddPlan, position: Address): readonly Step[] {
  const { owner, pool, fromBinId, toBinId, missingBinArrayIndexes } = plan;
  const roles = { owner, pool, position };
  const wider: Step[] = [];
  for (let last = fromBinId + BINS_PER_DEFAULT_POSITION - 1; last < toBinId; ) {
    last = Math.min(last + MAX_RESIZE_BINS, toBinId);
    wider.push(increasePositionLength(roles, last));
  }
  return [
    initializePosition(roles, fromBinId, Math.min(widthOf(plan), BINS_PER_DEFAULT_POSITION)),
    ...wider,
    ...missingBinArrayIndexes.map((index) => initializeBinArray(roles, index)),
    ...depositsOf(plan).map((of) => addLiquidity(roles, of)),
  ];
}
