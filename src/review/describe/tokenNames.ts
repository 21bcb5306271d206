import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';

/** Returns a token's ticker and decimals; without them amounts are shown in raw units. */
export type TokenNames = (mint: Address) => { readonly symbol: string; readonly decimals: number | undefined } | undefined;

/** A token by its mint; SOL always has its name. */
export function tokenOf(mint: Address | undefined, tokens: TokenNames): ReturnType<TokenNames> {
  return mint === undefined ? undefined : mint === WRAPPED_SOL_MINT ? { symbol: 'SOL', decimals: SOL_DECIMALS } : tokens(mint);
}
