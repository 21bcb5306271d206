import type { Address } from '../../solana/address';
import { SOL_DECIMALS, USDC_MINT, WRAPPED_SOL_MINT } from '../../solana/programs';
import type { Money, PoolType, Token } from '../records/money';
import { group, label, solanaAddress, tokenDecimals } from './scalars';

/** `token0Info` and `token1Info` of a position; `symbol` and `name` are what some answers have instead. */
export const tokenInfo = group({
  token_symbol: label,
  symbol: label,
  token_name: label,
  name: label,
  token_decimals: tokenDecimals,
  token_address: solanaAddress,
});

/** What stands for a token of which neither symbol nor mint is known. */
const UNKNOWN = '?';

/** What a record tells of a token; what it leaves out is filled in. */
export interface TokenParts {
  readonly address: Address | undefined;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
}

const WELL_KNOWN: ReadonlyMap<Address, { readonly symbol: string; readonly decimals: number }> = new Map([
  [WRAPPED_SOL_MINT, { symbol: 'SOL', decimals: SOL_DECIMALS }],
  [USDC_MINT, { symbol: 'USDC', decimals: 6 }],
]);

/** Gives the decimals of the few mints that records name without them. */
export function knownDecimals(mint: Address): number | undefined {
  return WELL_KNOWN.get(mint)?.decimals;
}

/** Gives a token with a symbol to show: its own, the well-known one, its shortened address, or "?". */
export function tokenFrom({ address, symbol, name, decimals }: TokenParts): Token {
  const known = address === undefined ? undefined : WELL_KNOWN.get(address);
  return { address, symbol: symbol ?? known?.symbol ?? shortAddress(address), name, decimals: decimals ?? known?.decimals };
}

/** The two symbols of a pair label: "A/B" and "A · B" name both, "A" names only the base. */
export function pairSides(pairName: string | undefined): { readonly base: string | undefined; readonly quote: string | undefined } {
  const [base, quote, ...more] = (pairName ?? '').split(/\s*[/·]\s*|\s+[-–|]\s+/).filter((side) => side !== '');
  return more.length > 0 ? { base: undefined, quote: undefined } : { base, quote };
}

/**
 * Gives "BONK/SOL": the service's own label where it names both tokens, else one from their symbols, else the shortened address of the row
 * itself: two rows of unknown pairs must not look the same.
 * @param row the address of the position, or else of the pool
 */
export function pairNameOf(pairName: string | undefined, token0: Token, token1: Token, row: Address | undefined): string {
  const { base, quote } = pairSides(pairName);
  if ((base === undefined || quote === undefined) && token0.symbol === UNKNOWN && token1.symbol === UNKNOWN) {
    return shortAddress(row);
  }
  return base === undefined || quote === undefined ? `${token0.symbol}/${token1.symbol}` : `${base}/${quote}`;
}

/** Gives the kind of pool that a `protocol` or `type` of the service means. */
export function poolTypeOf(protocol: string | undefined): PoolType | undefined {
  switch (protocol?.toLowerCase()) {
    case undefined:
      return undefined;
    case 'meteora':
    case 'meteora_dlmm':
      return 'dlmm';
    case 'meteora_damm_v2':
      return 'dammV2';
    default:
      return 'other';
  }
}

/** Puts a figure in both currencies together. */
export function money(usd: number | undefined, native: number | undefined): Money {
  return { usd, native };
}

function shortAddress(address: Address | undefined): string {
  return address === undefined ? UNKNOWN : `${address.slice(0, 4)}…${address.slice(-4)}`;
}
