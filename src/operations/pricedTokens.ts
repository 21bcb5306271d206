import { oneLine } from '../api/text';
import type { OpenPosition } from '../api/records/position';
import type { Address } from '../solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import type { PricedToken } from './journal/types';
import type { ZapInPlan } from './types';
import { isDecimals } from './validate';

/** Longest ticker that is kept, characters. */
const LONGEST_SYMBOL = 40;

/** What the journal keeps of a position's tokens and of SOL, at the prices of the last listing. */
export function tokensOfPosition({ token0, token1, price0Usd, price1Usd, value }: OpenPosition): readonly PricedToken[] {
  const solUsd = value.usd !== undefined && value.native !== undefined && value.native > 0 ? value.usd / value.native : undefined;
  return withSol([...priced(token0.address, token0.symbol, token0.decimals, price0Usd), ...priced(token1.address, token1.symbol, token1.decimals, price1Usd)], solUsd);
}

/** The same of a zap-in, at the prices that the user was shown. */
export function tokensOfPlan({ tokenX, tokenY, symbolX, symbolY, prices }: ZapInPlan): readonly PricedToken[] {
  return withSol([...priced(tokenX, symbolX, prices.decimalsX, prices.priceXUsd), ...priced(tokenY, symbolY, prices.decimalsY, prices.priceYUsd)], prices.solUsd);
}

function priced(mint: Address | undefined, symbol: string | undefined, decimals: number | undefined, priceUsd: number | undefined): readonly PricedToken[] {
  return mint === undefined ? [] : [{ mint, symbol: symbol === undefined ? undefined : oneLine(symbol, LONGEST_SYMBOL), decimals: isDecimals(decimals) ? decimals : undefined, priceUsd: priceText(priceUsd) }];
}

function withSol(tokens: readonly PricedToken[], solUsd: number | undefined): readonly PricedToken[] {
  return tokens.some(({ mint }) => mint === WRAPPED_SOL_MINT) ? tokens : [...tokens, { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: SOL_DECIMALS, priceUsd: priceText(solUsd) }];
}

function priceText(price: number | undefined): string | undefined {
  return price !== undefined && Number.isFinite(price) && price > 0 ? String(price) : undefined;
}
