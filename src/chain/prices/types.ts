import type { Address } from '../../base/solana/address';

/** Prices in US dollars per whole token. What is not known is absent: never an estimate. */
export interface PriceSource {
  /** Present prices. */
  now(mints: readonly Address[]): Promise<ReadonlyMap<Address, number>>;
  /** The price at that time; `undefined` if no source knows it. */
  at(mint: Address, timeS: number): Promise<number | undefined>;
}
