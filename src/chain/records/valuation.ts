import type { Address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type KnownOrNull, inBoth, product, quotient, sumOf, type UsdAndNative } from '../../engine/state/figures';
import { wholeTokens } from '../../engine/wire/positionRecord';
import type { TokenAmounts } from '../index/types';
import type { MintInfo } from '../pools/types';

/** The two tokens of a pool. */
export interface Pair {
  readonly x: Pick<MintInfo, 'mint' | 'decimals'>;
  readonly y: Pick<MintInfo, 'mint' | 'decimals'>;
}

/** What one whole token of each side is worth; null: not known. */
export interface ValuationPrices {
  readonly x: UsdAndNative;
  readonly y: UsdAndNative;
  /** US dollars for one SOL. */
  readonly usdSol: KnownOrNull;
}

/** US dollars for one whole token of a mint, from a source of prices; null: it knows none. */
export type UsdOf = (mint: Address) => KnownOrNull;

const ONE: KnownOrNull = 1;

/** Whole token Y for one whole token X, from the price in smallest units. */
export function uiPriceOf({ x, y }: Pair, rawPrice: number): number {
  return rawPrice * 10 ** (x.decimals - y.decimals);
}

/**
 * The mints whose prices {@link pairPrices} asks for: one side has to be known, the other follows from the pool's price. SOL comes first, for what
 * is worth how much SOL.
 */
export function anchorsOf({ x, y }: Pair): readonly Address[] {
  const mints = [x.mint, y.mint];
  if (mints.includes(USDC_MINT)) {
    return mints.includes(WRAPPED_SOL_MINT) ? [] : [WRAPPED_SOL_MINT];
  }
  return mints.includes(WRAPPED_SOL_MINT) ? [WRAPPED_SOL_MINT] : [WRAPPED_SOL_MINT, y.mint, x.mint];
}

/**
 * Prices of both tokens at a price of their pool. In SOL they follow from the pool alone if one side is SOL; in US dollars if one side is USDC, which
 * counts as one dollar. Anything else needs the price of one side from a source, and the other side follows from the pool.
 * @param uiPrice whole Y for one whole X; null: not known
 */
export function pairPrices(pair: Pair, uiPrice: KnownOrNull, usdOf: UsdOf): ValuationPrices {
  const fromOther = (mint: Address): { readonly x: KnownOrNull; readonly y: KnownOrNull } | undefined =>
    pair.x.mint === mint ? { x: ONE, y: quotient(1, uiPrice) } : pair.y.mint === mint ? { x: uiPrice, y: ONE } : undefined;
  const native = fromOther(WRAPPED_SOL_MINT);
  const dollars = fromOther(USDC_MINT);
  const usdSol = native !== undefined && dollars !== undefined ? solPrice(pair, dollars) : usdOf(WRAPPED_SOL_MINT);
  if (dollars !== undefined) {
    return {
      x: { usd: dollars.x, native: native === undefined ? inSol(dollars.x, usdSol) : native.x },
      y: { usd: dollars.y, native: native === undefined ? inSol(dollars.y, usdSol) : native.y },
      usdSol,
    };
  }
  if (native !== undefined) {
    return { x: { usd: product(native.x, usdSol), native: native.x }, y: { usd: product(native.y, usdSol), native: native.y }, usdSol };
  }
  const [knownX, knownY] = [usdOf(pair.x.mint), usdOf(pair.y.mint)];
  const usdX = knownY === null ? knownX : (product(knownY, uiPrice) ?? knownX);
  const usdY = knownY ?? (uiPrice === null || uiPrice === 0 ? null : quotient(knownX, uiPrice));
  return { x: { usd: usdX, native: inSol(usdX, usdSol) }, y: { usd: usdY, native: inSol(usdY, usdSol) }, usdSol };
}

/** The worth of amounts. An amount of 0 is worth 0, at any price. */
export function worthOf({ x, y }: Pair, amounts: TokenAmounts, prices: ValuationPrices): UsdAndNative {
  const part = (raw: bigint, token: Pair['x'], price: KnownOrNull): KnownOrNull =>
    raw === 0n ? 0 : product(wholeTokens(raw, token), price);
  return inBoth((unit) => sumOf(part(amounts.x, x, prices.x[unit]), part(amounts.y, y, prices.y[unit])));
}

function solPrice(pair: Pair, dollars: { readonly x: KnownOrNull; readonly y: KnownOrNull }): KnownOrNull {
  return pair.x.mint === WRAPPED_SOL_MINT ? dollars.x : dollars.y;
}

function inSol(usd: KnownOrNull, usdSol: KnownOrNull): KnownOrNull {
  return usdSol === null || usdSol <= 0 ? null : quotient(usd, usdSol);
}
