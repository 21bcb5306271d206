/** Large, as on mainnet. */
export const FIRST_SLOT = 450_000_000;
/** Difference between slot and block height, about as on mainnet, so that a client that confuses the two fails. */
const SKIPPED_SLOTS = 21_700_000;

/** When the slots of a chain are. */
export interface ChainTime {
  /** Time of the first slot, milliseconds since 1970. */
  readonly beganMs: number;
  readonly slotMs: number;
}

/** Block height in a slot. */
export function blockHeightOf(slot: number): number {
  return slot - SKIPPED_SLOTS;
}

/** Time of a slot, seconds since 1970. */
export function blockTimeOf({ beganMs, slotMs }: ChainTime, slot: number): number {
  return Math.floor((beganMs + (slot - FIRST_SLOT) * slotMs) / 1_000);
}
