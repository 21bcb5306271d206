import { StoreError } from '../../store/database';
import type { ProductHolding } from '../types';

/** Fields in the order in which they are written, and how many bytes each has: as wide as in the program's position account. */
const FIELDS = [
  ['liquidity', 16],
  ['seenFeeX', 32],
  ['seenFeeY', 32],
  ['pendingX', 8],
  ['pendingY', 8],
] as const;

const BYTES = FIELDS.reduce((sum, [, width]) => sum + width, 0);

/**
 * Writes a holding as fixed-width little-endian numbers.
 * @throws StoreError where a number is negative or wider than its field.
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
 * Reads what {@link encodeProductHolding} wrote.
 * @throws StoreError if the number of bytes is wrong.
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
