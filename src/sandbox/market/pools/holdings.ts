import { MAX_BINS_PER_POSITION } from '../../../base/dlmm/bins';
import { StoreError } from '../../../engine/store/sqliteStore';
import type { Amounts, BinHolding, HeldBin, ProductHolding } from '../types';
import { type Bin, readU128, writeU128, writeU64 } from './binArrays';

const NOTHING: Amounts = { x: 0n, y: 0n };

/** Raw amounts of a number of a bin's shares, rounded down. */
export function amountsOfShares(bin: Bin, shares: bigint): Amounts {
  return shares === 0n ? NOTHING : { x: (shares * bin.x) / bin.shares, y: (shares * bin.y) / bin.shares };
}

/** Fees of a holding in a bin since the last settlement, rounded down. Only whole shares count, as in the program. */
export function earnedIn(bin: Bin, held: HeldBin): Amounts {
  if (held.seenFeeX === bin.feeX && held.seenFeeY === bin.feeY) {
    return NOTHING;
  }
  const wholeShares = held.shares >> 64n;
  return { x: (wholeShares * (bin.feeX - held.seenFeeX)) >> 64n, y: (wholeShares * (bin.feeY - held.seenFeeY)) >> 64n };
}

/** Adds the fees earned in a bin to the holding's pending fees. */
export function settleBin(holding: BinHolding, held: HeldBin, bin: Bin): void {
  if (held.seenFeeX !== bin.feeX || held.seenFeeY !== bin.feeY) {
    const { x, y } = earnedIn(bin, held);
    holding.pendingX += x;
    holding.pendingY += y;
    held.seenFeeX = bin.feeX;
    held.seenFeeY = bin.feeY;
  }
}

/** A holding's bin without shares. */
export function emptyHeldBin(): HeldBin {
  return { shares: 0n, seenFeeX: 0n, seenFeeY: 0n };
}

/** Lower bin, number of bins, number of bins with shares, pending fees. */
const HEADER_BYTES = 4 + 2 + 2 + 8 + 8;
/** Index in the range, shares, fee counters. */
const BIN_BYTES = 2 + 3 * 16;

/**
 * Encodes a holding as fixed-width little-endian numbers; bins without shares are left out.
 * @throws StoreError if a number is too large for its field
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

/** Decodes bytes of {@link encodeBinHolding}. @throws StoreError if the bytes are malformed */
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

/** Fields in encoding order with their bytes, as in the program's position account. */
const FIELDS = [
  ['liquidity', 16],
  ['seenFeeX', 32],
  ['seenFeeY', 32],
  ['pendingX', 8],
  ['pendingY', 8],
] as const;

const BYTES = FIELDS.reduce((sum, [, width]) => sum + width, 0);

/**
 * Encodes a holding as fixed-width little-endian numbers.
 * @throws StoreError if a number is negative or too large for its field
 */
export function encodeProductHolding(holding: ProductHolding): Uint8Array {
  const bytes = new Uint8Array(BYTES);
  let at = 0;
  for (const [name, width] of FIELDS) {
    let rest = holding[name];
    if (BigInt.asUintN(8 * width, rest) !== rest) {
      throw new StoreError(`${name} of a holding does not fit ${width} bytes`);
    }
    for (let place = 0; rest > 0n; place += 1, rest >>= 8n) {
      bytes[at + place] = Number(rest & 0xffn);
    }
    at += width;
  }
  return bytes;
}

/**
 * Decodes bytes of {@link encodeProductHolding}.
 * @throws StoreError if the number of bytes is wrong
 */
export function decodeProductHolding(bytes: Uint8Array): ProductHolding {
  if (bytes.length !== BYTES) {
    throw new StoreError(`A holding in a constant-product pool has ${BYTES} bytes, not ${bytes.length}`);
  }
  const holding: ProductHolding = { type: 'product', liquidity: 0n, seenFeeX: 0n, seenFeeY: 0n, pendingX: 0n, pendingY: 0n };
  let at = 0;
  for (const [name, width] of FIELDS) {
    for (let place = width - 1; place >= 0; place -= 1) {
      holding[name] = (holding[name] << 8n) | BigInt(bytes[at + place] ?? 0);
    }
    at += width;
  }
  return holding;
}
