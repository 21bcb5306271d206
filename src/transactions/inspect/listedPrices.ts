import { WHOLE_BPS } from '../../base/basisPoints';
import { uiPriceOfBin } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { decimalOf, isDecimals } from '../../base/solana/amounts';
import { KNOWN_DECIMALS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { oneLine } from '../../base/text';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { ListedPrice, MintDecimals, PriceReference, TokenAmount, ZapInIntent, ZapOutIntent } from '../../review/types';
import type { Pool } from '../../service/pools';
import { type OpenPosition, withdrawablePart } from '../../service/positions';
import type { PricedToken } from '../journal/types';
import type { ZapInPlan } from '../types';

/** A token with the price that the user was shown for it. */
interface UnitPrice {
  readonly mint: Address;
  readonly decimals: number;
  /** US dollars per whole token, above 0. */
  readonly usd: number;
}

/** The prices between a position's tokens and SOL that the user was shown before zapping out. */
export function referencesOfPosition(position: OpenPosition): readonly PriceReference[] {
  return references([...tokensOf(position), ...tokenOf(WRAPPED_SOL_MINT, SOL_DECIMALS, solPriceOf(position))]);
}

/** The prices between a pool's tokens and SOL that the user was shown before zapping in. */
export function referencesOfPlan({ tokenX, tokenY, prices }: Pick<ZapInPlan, 'tokenX' | 'tokenY' | 'prices'>): readonly PriceReference[] {
  const { decimalsX, decimalsY, priceXUsd, priceYUsd, solUsd } = prices;
  return references([
    ...tokenOf(tokenX, decimalsX, priceXUsd),
    ...tokenOf(tokenY, decimalsY, priceYUsd),
    ...tokenOf(WRAPPED_SOL_MINT, SOL_DECIMALS, solUsd),
  ]);
}

/**
 * The value of a share of a position plus all of its fees, expressed in each of its tokens, by the figures that the user was shown.
 * `undefined` if the position was shown without a value.
 */
export function worthOfShare(position: OpenPosition, shareBps: number): ZapOutIntent['worth'] {
  const { uncollectedFee } = position;
  const { value } = withdrawablePart(position);
  const usd = value.usd === undefined ? undefined : (value.usd * shareBps) / WHOLE_BPS + (uncollectedFee.usd ?? 0);
  if (usd === undefined || !(usd >= 0 && Number.isFinite(usd))) {
    return undefined;
  }
  // A price close to 0 makes the quotient infinite; the value then counts as not shown.
  return tokensOf(position).flatMap(({ mint, decimals, usd: price }) =>
    Number.isFinite(usd / price) ? [{ mint, amountRaw: rawOf(usd / price, decimals) }] : [],
  );
}

/**
 * How much of each of its tokens a share of a position and all of its fees are, by the figures that the user was shown, raw units. A
 * token of which the amount or the decimals were not shown is missing.
 */
export function holdingsOfShare(position: OpenPosition, shareBps: number): NonNullable<ZapOutIntent['holdings']> {
  const { token0, token1, uncollectedFee0 = 0, uncollectedFee1 = 0 } = position;
  const { amount0, amount1 } = withdrawablePart(position);
  const holding = (token: OpenPosition['token0'], amount: number | undefined, fee: number): readonly TokenAmount[] =>
    tokenAmountOf(token, amount === undefined ? undefined : (amount * shareBps) / WHOLE_BPS + fee);
  return [...holding(token0, amount0, uncollectedFee0), ...holding(token1, amount1, uncollectedFee1)];
}

/**
 * The fees and rewards of a position by the figures that the user was shown, raw units. A token of which the amount or the decimals were not
 * shown is missing.
 */
export function feesOfPosition(position: OpenPosition): readonly TokenAmount[] {
  const { uncollectedRewards = [] } = position;
  return [...tokenFeesOf(position), ...uncollectedRewards.flatMap(({ token, amount }) => tokenAmountOf(token, amount))];
}

/** The same of the pool's own tokens, without rewards. */
export function tokenFeesOf({ token0, token1, uncollectedFee0, uncollectedFee1 }: OpenPosition): readonly TokenAmount[] {
  return [...tokenAmountOf(token0, uncollectedFee0), ...tokenAmountOf(token1, uncollectedFee1)];
}

function tokenAmountOf({ address: mint, decimals }: OpenPosition['token0'], amount: number | undefined): readonly TokenAmount[] {
  const isKnown = mint !== undefined && areDecimalsOf(mint, decimals) && amount !== undefined && amount >= 0 && Number.isFinite(amount);
  return isKnown ? [{ mint, amountRaw: rawOf(amount, decimals) }] : [];
}

/** The decimals that the figures of a position were converted with, for comparison with the mints' own (LIM-1). */
export function decimalsOfPosition({ token0, token1, uncollectedRewards = [] }: OpenPosition): readonly MintDecimals[] {
  const tokens = [token0, token1, ...uncollectedRewards.map(({ token }) => token)];
  return tokens.flatMap(({ address, decimals }) => decimalsOf(address, decimals));
}

/** The same for the prices of a plan. */
export function decimalsOfPlan({ tokenX, tokenY, prices }: Pick<ZapInPlan, 'tokenX' | 'tokenY' | 'prices'>): readonly MintDecimals[] {
  return [...decimalsOf(tokenX, prices.decimalsX), ...decimalsOf(tokenY, prices.decimalsY)];
}

function decimalsOf(mint: Address | undefined, decimals: number | undefined): readonly MintDecimals[] {
  return mint === undefined || !isDecimals(decimals) ? [] : [{ mint, decimals }];
}

/** The price references of an intent; none if the user was shown no prices. */
export function shown(list: readonly PriceReference[]): Pick<ZapInIntent, 'references'> {
  return list.length === 0 ? {} : { references: list };
}

function tokensOf({ token0, token1, price0Usd, price1Usd }: OpenPosition): readonly UnitPrice[] {
  return [...tokenOf(token0.address, token0.decimals, price0Usd), ...tokenOf(token1.address, token1.decimals, price1Usd)];
}

/** US dollars for one SOL, from the value of a position that is listed in both. `undefined` if SOL is one of the pair, or a value is missing. */
function solPriceOf({ value, token0, token1 }: OpenPosition): number | undefined {
  const isListed = token0.address === WRAPPED_SOL_MINT || token1.address === WRAPPED_SOL_MINT;
  return isListed || value.usd === undefined || value.native === undefined ? undefined : value.usd / value.native;
}

function tokenOf(mint: Address | undefined, decimals: number | undefined, usd: number | undefined): readonly UnitPrice[] {
  const isKnown = mint !== undefined && usd !== undefined && usd > 0 && Number.isFinite(usd) && areDecimalsOf(mint, decimals);
  return isKnown ? [{ mint, decimals, usd }] : [];
}

/** Wrong decimals of a well-known token make all amounts wrong: the price then counts as not shown, and the review asks. */
function areDecimalsOf(mint: Address, decimals: number | undefined): decimals is number {
  return isDecimals(decimals) && (KNOWN_DECIMALS.get(mint) ?? decimals) === decimals;
}

/** A reference for each ordered pair of tokens. The first price of a mint counts. */
function references(tokens: readonly UnitPrice[]): readonly PriceReference[] {
  const each = tokens.filter(({ mint }, place) => tokens.findIndex((other) => other.mint === mint) === place);
  return each.flatMap((from) => each.filter((to) => to !== from).map((to) => reference(from, to)));
}

/** `priceTo` units of `from` are worth `priceFrom` units of `to`: exact, without a division. */
function reference(from: UnitPrice, to: UnitPrice): PriceReference {
  const [fromPrice, toPrice] = [decimalOf(from.usd), decimalOf(to.usd)];
  const inExponent = toPrice.exponent + from.decimals;
  const outExponent = fromPrice.exponent + to.decimals;
  const least = Math.min(inExponent, outExponent);
  return {
    inMint: from.mint,
    outMint: to.mint,
    inAmountRaw: toPrice.digits * 10n ** BigInt(inExponent - least),
    outAmountRaw: fromPrice.digits * 10n ** BigInt(outExponent - least),
  };
}

/** Rounds down: a position may hold less than one unit of a token, and then pays none. */
function rawOf(amount: number, decimals: number): bigint {
  const { digits, exponent } = decimalOf(amount);
  const shift = exponent + decimals;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/** Maximum length of a stored symbol in characters. */
const LONGEST_SYMBOL = 40;

/** The tokens of a position and SOL for the journal, with the prices of the last listing. */
export function tokensOfPosition(position: OpenPosition): readonly PricedToken[] {
  const { token0, token1, price0Usd, price1Usd, value, uncollectedRewards = [] } = position;
  const solUsd = value.usd !== undefined && value.native !== undefined && value.native > 0 ? value.usd / value.native : undefined;
  return withSol(
    [
      ...priced(token0.address, token0.symbol, token0.decimals, price0Usd),
      ...priced(token1.address, token1.symbol, token1.decimals, price1Usd),
      ...uncollectedRewards.flatMap(({ token: { address, symbol, decimals }, amount, worth: { usd } }) =>
        priced(address, symbol, decimals, usd === undefined || amount === undefined || amount <= 0 ? undefined : usd / amount),
      ),
    ],
    solUsd,
  );
}

/** The same for a zap-in or a swap, with the prices that the user was shown. */
export function tokensOfPlan({
  tokenX,
  tokenY,
  symbolX,
  symbolY,
  prices,
}: Pick<ZapInPlan, 'tokenX' | 'tokenY' | 'symbolX' | 'symbolY' | 'prices'>): readonly PricedToken[] {
  return withSol(
    [...priced(tokenX, symbolX, prices.decimalsX, prices.priceXUsd), ...priced(tokenY, symbolY, prices.decimalsY, prices.priceYUsd)],
    prices.solUsd,
  );
}

function priced(
  mint: Address | undefined,
  symbol: string | undefined,
  decimals: number | undefined,
  priceUsd: number | undefined,
): readonly PricedToken[] {
  return mint === undefined
    ? []
    : [
        {
          mint,
          symbol: symbol === undefined ? undefined : oneLine(symbol, LONGEST_SYMBOL),
          decimals: isDecimals(decimals) ? decimals : undefined,
          priceUsd: priceText(priceUsd),
        },
      ];
}

function withSol(tokens: readonly PricedToken[], solUsd: number | undefined): readonly PricedToken[] {
  return tokens.some(({ mint }) => mint === WRAPPED_SOL_MINT)
    ? tokens
    : [...tokens, { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: SOL_DECIMALS, priceUsd: priceText(solUsd) }];
}

function priceText(price: number | undefined): string | undefined {
  return price !== undefined && Number.isFinite(price) && price > 0 ? String(price) : undefined;
}

/** Limit on compared prices: lists may hold thousands of pools with SOL. */
const MOST_ELSEWHERE = 48;

/** The lists that the user sees, as a source of prices. */
export type PricedLists = Pick<PortfolioSnapshot, 'positions' | 'pools'>;

/** The prices of a position's tokens and of SOL: by its own record, and by everything else that the service lists. */
export function listedPricesOfPosition(position: OpenPosition, lists: PricedLists): readonly ListedPrice[] {
  const { token0, token1, price0Usd, price1Usd } = position;
  const shown = [
    ...priceOf(token0.address, price0Usd),
    ...priceOf(token1.address, price1Usd),
    ...priceOf(WRAPPED_SOL_MINT, solPriceOf(position)),
  ];
  const others = { ...lists, positions: lists.positions.filter(({ key }) => key !== position.key) };
  return withElsewhere(shown, [
    ...priceOf(token0.address, priceByBin(position)).map((price) => ({ ...price, isByBin: true })),
    ...pricesIn(others),
  ]);
}

/** The prices of a pool's tokens and of SOL: those that the user chose by, and those of everything else that the service lists. */
export function listedPricesOfPlan(
  { tokenX, tokenY, prices: { priceXUsd, priceYUsd, solUsd } }: Pick<ZapInPlan, 'tokenX' | 'tokenY' | 'prices'>,
  lists: PricedLists,
): readonly ListedPrice[] {
  return withElsewhere(
    [...priceOf(tokenX, priceXUsd), ...priceOf(tokenY, priceYUsd), ...priceOf(WRAPPED_SOL_MINT, solUsd)],
    pricesIn(lists),
  );
}

function withElsewhere(prices: readonly ListedPrice[], others: readonly ListedPrice[]): readonly ListedPrice[] {
  // SOL may be one of the pair as well.
  const shown = prices.filter(({ mint, usd }, place) => prices.findIndex((other) => other.mint === mint && other.usd === usd) === place);
  const mints = new Set(shown.map(({ mint }) => mint));
  const elsewhere = others.filter(({ mint }) => mints.has(mint)).slice(0, MOST_ELSEWHERE);
  return [...shown, ...elsewhere.map((price) => ({ ...price, isElsewhere: true }))];
}

function pricesIn({ positions, pools }: PricedLists): readonly ListedPrice[] {
  const pairs: readonly Pick<Pool, 'token0' | 'token1' | 'price0Usd' | 'price1Usd'>[] = [...positions, ...pools];
  return pairs.flatMap(({ token0, token1, price0Usd, price1Usd }) => [
    ...priceOf(token0.address, price0Usd),
    ...priceOf(token1.address, price1Usd),
  ]);
}

/** US dollars for token 0, by the pool's active bin and the listed price of token 1. */
function priceByBin({ activeBinId, binStepBps, token0, token1, price1Usd }: OpenPosition): number | undefined {
  if (
    activeBinId === undefined ||
    binStepBps === undefined ||
    token0.decimals === undefined ||
    token1.decimals === undefined ||
    price1Usd === undefined
  ) {
    return undefined;
  }
  try {
    return uiPriceOfBin(activeBinId, binStepBps, token0.decimals, token1.decimals) * price1Usd;
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** Ignores prices that are not above 0; the review asks if one is missing. */
function priceOf(mint: Address | undefined, usd: number | undefined): readonly ListedPrice[] {
  return mint === undefined || usd === undefined || !(usd > 0 && Number.isFinite(usd)) ? [] : [{ mint, usd }];
}
