import { createHash } from 'node:crypto';
import type { Address } from '../../solana/address';

const FIRST_PART_DIGITS = 32;

/**
 * The id under which an open position goes: opaque, other than its address, and in the form that the real service's have
 * (32 hex digits, a colon, 96 hex digits). The same for the same seed and position.
 */
export function opaqueId(seed: number, position: Address): string {
  const digits = createHash('sha512').update(`position ${seed} ${position}`).digest('hex');
  return `${digits.slice(0, FIRST_PART_DIGITS)}:${digits.slice(FIRST_PART_DIGITS)}`;
}
