import type { Address } from '../../../base/solana/address';
import type { Market } from '../types';
import type { VaultTransfers } from './vaultTransfers';

/** Where effects go. */
export interface EffectTarget {
  readonly market: Market;
  readonly custody: VaultTransfers;
  /** Who gets what swaps give beyond what they ask for, where they ask for next to nothing; nobody where transactions are only tried. */
  readonly sandwicher?: Address | undefined;
}
