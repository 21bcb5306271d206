import type { Amounts, BinHolding, HeldBin } from '../types';
import type { Bin } from './binArrays';

const NOTHING: Amounts = { x: 0n, y: 0n };

/** A part of a bin's amounts, rounded down. `shares`: not more than the bin has. */
export function partOf(bin: Bin, shares: bigint): Amounts {
  return shares === 0n ? NOTHING : { x: (shares * bin.x) / bin.shares, y: (shares * bin.y) / bin.shares };
}

/** Fees that shares have earned since they were last settled, rounded down; whole shares count, as in the program. */
export function earnedIn(bin: Bin, held: HeldBin): Amounts {
  if (held.seenFeeX === bin.feeX && held.seenFeeY === bin.feeY) {
    return NOTHING;
  }
  const wholeShares = held.shares >> 64n;
  return { x: (wholeShares * (bin.feeX - held.seenFeeX)) >> 64n, y: (wholeShares * (bin.feeY - held.seenFeeY)) >> 64n };
}

/** Puts what one bin's shares have earned with the fees to be collected. */
export function settleBin(holding: BinHolding, held: HeldBin, bin: Bin): void {
  if (held.seenFeeX !== bin.feeX || held.seenFeeY !== bin.feeY) {
    const { x, y } = earnedIn(bin, held);
    holding.pendingX += x;
    holding.pendingY += y;
    held.seenFeeX = bin.feeX;
    held.seenFeeY = bin.feeY;
  }
}

/** The bin as it is where nobody has a part of it: nothing is left to be settled. */
export function emptyHeldBin(): HeldBin {
  return { shares: 0n, seenFeeX: 0n, seenFeeY: 0n };
}
