import type { Address } from '../../base/solana/address';

/** Returns a token's ticker and decimals; without them amounts are shown in raw units. */
export type TokenNames = (mint: Address) => { readonly symbol: string; readonly decimals: number | undefined } | undefined;
