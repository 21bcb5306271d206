import { BINS_PER_ARRAY } from '../../../base/dlmm/bins';
import { StoreError } from '../../../engine/store/sqliteStore';

const U64_BYTES = 8;
const LOW_64 = (1n << 64n) - 1n;

/** Writes 8 bytes, little-endian. @throws StoreError if the number does not fit */
export function writeU64(view: DataView, at: number, value: bigint): void {
  if (value < 0n || value > LOW_64) {
    throw new StoreError(`${value} does not fit in 64 bits`);
  }
  view.setBigUint64(at, value, true);
}

/** Writes 16 bytes, little-endian. @throws StoreError if the number does not fit */
export function writeU128(view: DataView, at: number, value: bigint): void {
  view.setBigUint64(at, value & LOW_64, true);
  writeU64(view, at + U64_BYTES, value >> 64n);
}

/** Reads 16 bytes, little-endian. */
export function readU128(view: DataView, at: number): bigint {
  return (view.getBigUint64(at + U64_BYTES, true) << 64n) | view.getBigUint64(at, true);
}

/** Contents of a bin. Raw amounts; changed in place. */
export interface Bin {
  /** Amounts of all positions, without fees. */
  x: bigint;
  y: bigint;
  /** Shares of all positions, Q64. One whole share is worth one raw Y at first, and its value never falls. */
  shares: bigint;
  /** Accumulated fees per whole share, Q64; never decrease. */
  feeX: bigint;
  feeY: bigint;
}

/** The bins of one bin array account: a row of the table `bin_array`. */
export interface BinArray {
  readonly bins: readonly Bin[];
  /** Number of bins with shares. */
  stocked: number;
}

const AMOUNT_BYTES = 8;
const COUNTER_BYTES = 16;
/** Like in the program's account, amounts have 64 bits, shares and fee counters 128. */
const BIN_BYTES = 2 * AMOUNT_BYTES + 3 * COUNTER_BYTES;

/** A bin array without shares. */
export function emptyBinArray(): BinArray {
  return { bins: Array.from({ length: BINS_PER_ARRAY }, emptyBin), stocked: 0 };
}

/** A deep copy. */
export function copyBinArray({ bins, stocked }: BinArray): BinArray {
  return { bins: bins.map((bin) => ({ ...bin })), stocked };
}

/**
 * Encodes all bins in order: amounts, shares, fee counters, little-endian.
 * @throws StoreError if a number is negative or too large for its field
 */
export function encodeBinArray({ bins }: BinArray): Uint8Array {
  const bytes = new Uint8Array(BINS_PER_ARRAY * BIN_BYTES);
  const view = new DataView(bytes.buffer);
  bins.forEach((bin, slot) => {
    if (bin.shares === 0n && bin.feeX === 0n && bin.feeY === 0n) {
      return; // It never had liquidity: its bytes are zeros already.
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

/** Decodes bytes of {@link encodeBinArray}. @throws StoreError if the length is wrong */
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
