import { BINS_PER_ARRAY } from '../../../base/dlmm/bins';
import { StoreError } from '../../store/database';

const U64_BYTES = 8;
const LOW_64 = (1n << 64n) - 1n;

/** Writes 8 bytes, little-endian. @throws StoreError where the number does not fit. */
export function writeU64(view: DataView, at: number, value: bigint): void {
  if (value < 0n || value > LOW_64) {
    throw new StoreError(`${value} does not fit in 64 bits`);
  }
  view.setBigUint64(at, value, true);
}

/** Writes 16 bytes, little-endian. @throws StoreError where the number does not fit. */
export function writeU128(view: DataView, at: number, value: bigint): void {
  view.setBigUint64(at, value & LOW_64, true);
  writeU64(view, at + U64_BYTES, value >> 64n);
}

/** Reads 16 bytes, little-endian. */
export function readU128(view: DataView, at: number): bigint {
  return (view.getBigUint64(at + U64_BYTES, true) << 64n) | view.getBigUint64(at, true);
}

/** What a bin holds. Raw amounts; changed in place. */
export interface Bin {
  /** Of all positions together; fees that are owed are not in it. */
  x: bigint;
  y: bigint;
  /** Of all positions together, Q64: what one whole share is worth begins at one raw Y and only ever grows. */
  shares: bigint;
  /** Fees so far for one whole share, Q64. Only ever grow. */
  feeX: bigint;
  feeY: bigint;
}

/** Seventy bins, as in one bin array account: a row of the table `bin_array`. */
export interface BinArray {
  readonly bins: readonly Bin[];
  /** How many of its bins somebody has shares in. */
  stocked: number;
}

const AMOUNT_BYTES = 8;
const COUNTER_BYTES = 16;
/** As in the program's account: amounts have 64 bits, shares and fee counters 128. */
const BIN_BYTES = 2 * AMOUNT_BYTES + 3 * COUNTER_BYTES;

/** Seventy bins that nobody has anything in. */
export function emptyBinArray(): BinArray {
  return { bins: Array.from({ length: BINS_PER_ARRAY }, emptyBin), stocked: 0 };
}

/** A copy that shares nothing with the original. */
export function copyBinArray({ bins, stocked }: BinArray): BinArray {
  return { bins: bins.map((bin) => ({ ...bin })), stocked };
}

/**
 * Writes seventy bins one after the other: amounts, shares, fee counters, little-endian.
 * @throws StoreError where a number is negative or too large for its place.
 */
export function encodeBinArray({ bins }: BinArray): Uint8Array {
  const bytes = new Uint8Array(BINS_PER_ARRAY * BIN_BYTES);
  const view = new DataView(bytes.buffer);
  bins.forEach((bin, slot) => {
    if (bin.shares === 0n && bin.feeX === 0n && bin.feeY === 0n) {
      return; // nobody was ever in it: zeros stand there already
    }
    const at = slot * BIN_BYTES;
    writeU64(view, at, bin.x);
    writeU64(view, at + AMOUNT_BYTES, bin.y);
    writeU128(view, at + 2 * AMOUNT_BYTES, bin.shares);
    writeU128(view, at + 2 * AMOUNT_BYTES + COUNTER_BYTES, bin.feeX);
    writeU128(view, at + 2 * AMOUNT_BYTES + 2 * COUNTER_BYTES, bin.feeY);
  });
  return bytes;
}

/** Reads what {@link encodeBinArray} wrote. @throws StoreError where the bytes are not seventy bins. */
export function decodeBinArray(bytes: Uint8Array): BinArray {
  if (bytes.length !== BINS_PER_ARRAY * BIN_BYTES) {
    throw new StoreError(`A bin array of ${bytes.length} bytes cannot be read`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bins = Array.from({ length: BINS_PER_ARRAY }, (_, slot) => {
    const at = slot * BIN_BYTES;
    return {
      x: view.getBigUint64(at, true),
      y: view.getBigUint64(at + AMOUNT_BYTES, true),
      shares: readU128(view, at + 2 * AMOUNT_BYTES),
      feeX: readU128(view, at + 2 * AMOUNT_BYTES + COUNTER_BYTES),
      feeY: readU128(view, at + 2 * AMOUNT_BYTES + 2 * COUNTER_BYTES),
    };
  });
  return { bins, stocked: bins.filter((bin) => bin.shares > 0n).length };
}

function emptyBin(): Bin {
  return { x: 0n, y: 0n, shares: 0n, feeX: 0n, feeY: 0n };
}
