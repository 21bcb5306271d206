import { MAX_BINS_PER_POSITION } from '../../../base/dlmm/bins';
import { StoreError } from '../../store/database';
import type { Amounts, BinHolding, HeldBin } from '../types';
import type { Bin } from './binArrays';
import { readU128, writeU128, writeU64 } from './littleEndian';

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

/** Lower bin, number of bins, number of bins with shares, fees to be collected. */
const HEADER_BYTES = 4 + 2 + 2 + 8 + 8;
/** Place, shares, fee counters. */
const BIN_BYTES = 2 + 3 * 16;

/**
 * Writes what a position holds: fixed-width little-endian numbers, of bins only those with shares.
 * @throws StoreError where a number is too large for its place.
 */
export function encodeBinHolding({ lowerBinId, bins, pendingX, pendingY }: BinHolding): Uint8Array {
  const stocked = bins.reduce((count, bin) => (bin.shares > 0n ? count + 1 : count), 0);
  const bytes = new Uint8Array(HEADER_BYTES + stocked * BIN_BYTES);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, lowerBinId, true);
  view.setUint16(4, bins.length, true);
  view.setUint16(6, stocked, true);
  writeU64(view, 8, pendingX);
  writeU64(view, 16, pendingY);
  let at = HEADER_BYTES;
  bins.forEach((bin, place) => {
    if (bin.shares > 0n) {
      view.setUint16(at, place, true);
      writeU128(view, at + 2, bin.shares);
      writeU128(view, at + 18, bin.seenFeeX);
      writeU128(view, at + 34, bin.seenFeeY);
      at += BIN_BYTES;
    }
  });
  return bytes;
}

/** Reads what {@link encodeBinHolding} wrote. @throws StoreError where the bytes are not that. */
export function decodeBinHolding(bytes: Uint8Array): BinHolding {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stocked = bytes.length < HEADER_BYTES ? 0 : view.getUint16(6, true);
  const count = bytes.length < HEADER_BYTES ? 0 : view.getUint16(4, true);
  if (bytes.length !== HEADER_BYTES + stocked * BIN_BYTES || count < 1 || count > MAX_BINS_PER_POSITION) {
    throw new StoreError(`A position's holding of ${bytes.length} bytes cannot be read`);
  }
  const bins = Array.from({ length: count }, emptyHeldBin);
  for (let at = HEADER_BYTES; at < bytes.length; at += BIN_BYTES) {
    const bin = bins[view.getUint16(at, true)];
    if (bin === undefined) {
      throw new StoreError('A position has shares outside its range');
    }
    bin.shares = readU128(view, at + 2);
    bin.seenFeeX = readU128(view, at + 18);
    bin.seenFeeY = readU128(view, at + 34);
  }
  return {
    type: 'bins',
    lowerBinId: view.getInt32(0, true),
    bins,
    pendingX: view.getBigUint64(8, true),
    pendingY: view.getBigUint64(16, true),
  };
}
