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
