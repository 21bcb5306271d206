import type { TokenSpec } from './catalog';
import type { PoolToken } from './types';

/** Whole tokens of a raw amount; for display and valuation. */
export function wholeTokens(raw: bigint, { spec }: { readonly spec: Pick<TokenSpec, 'decimals'> }): number {
  return Number(raw) / 10 ** spec.decimals;
}

/** The raw amount nearest to an amount of whole tokens, exact to about 15 digits; never negative. */
export function rawTokens(whole: number, { spec }: { readonly spec: Pick<TokenSpec, 'decimals'> }): bigint {
  return BigInt(Math.round(Math.max(0, whole) * 10 ** spec.decimals));
}

/** Raw Y for one raw X, from the price in whole Y for one whole X. */
export function rawPrice(whole: number, tokenX: PoolToken, tokenY: PoolToken): number {
  return whole * 10 ** (tokenY.spec.decimals - tokenX.spec.decimals);
}

/** Whole Y for one whole X, from the price in raw Y for one raw X. */
export function wholePrice(raw: number, tokenX: PoolToken, tokenY: PoolToken): number {
  return raw * 10 ** (tokenX.spec.decimals - tokenY.spec.decimals);
}

/** Whole seconds since 1970, as the chain's clock has them. */
export function secondsOf(now: number): number {
  return Math.floor(now / 1_000);
}
