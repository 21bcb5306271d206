import type { Market } from '../types';
import type { VaultTransfers } from './vaultTransfers';

/** Where effects go. */
export interface EffectTarget {
  readonly market: Market;
  readonly custody: VaultTransfers;
}
