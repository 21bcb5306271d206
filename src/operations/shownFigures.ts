import type { OpenPosition } from '../api/records/position';
import type { PriceReference, TokenAmount, ZapInIntent, ZapOutIntent } from '../review/types';
import type { Address } from '../solana/address';
import { KNOWN_DECIMALS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import type { ZapInPlan } from './types';
import { isDecimals } from './validate';

const WHOLE_BPS = 10_000;

/** A token with the price that the user was shown for it. */
interface UnitPrice {
  readonly mint: Address;
  readonly decimals: number;
  /** US dollars for one whole token, above 0. */
  readonly usd: number;
}

/** The prices between a position's tokens and SOL that the user was shown before zapping out. */
export function referencesOfPosition(position: OpenPosition): readonly PriceReference[] {
  return references([...tokensOf(position), ...tokenOf(WRAPPED_SOL_MINT, SOL_DECIMALS, solPriceOf(position))]);
}

/** The prices between a pool's tokens and SOL that the user was shown before zapping in. */
export function referencesOfPlan({ tokenX, tokenY, prices }: Pick<ZapInPlan, 'tokenX' | 'tokenY' | 'prices'>): readonly PriceReference[] {
  const { decimalsX, decimalsY, priceXUsd, priceYUsd, solUsd } = prices;
  return references([...tokenOf(tokenX, decimalsX, priceXUsd), ...tokenOf(tokenY, decimalsY, priceYUsd), ...tokenOf(WRAPPED_SOL_MINT, SOL_DECIMALS, solUsd)]);
}

/**
 * What a share of a position and all of its fees are worth, in each of its tokens as if all of it were that one, by the figures
 * that the user was shown. `undefined` where the position was shown without its worth.
 */
export function worthOfShare(position: OpenPosition, shareBps: number): ZapOutIntent['worth'] {
  const { value, uncollectedFee } = position;
  const usd = value.usd === undefined ? undefined : (value.usd * shareBps) / WHOLE_BPS + (uncollectedFee.usd ?? 0);
  if (usd === undefined || !(usd >= 0 && Number.isFinite(usd))) {
    return undefined;
  }
  // At a price that is next to nothing the quotient is more than a number can be: the worth then counts as not shown.
  return tokensOf(position).flatMap(({ mint, decimals, usd: price }) => (Number.isFinite(usd / price) ? [{ mint, amountRaw: rawOf(usd / price, decimals) }] : []));
}

/**
 * How much of each of its tokens a share of a position and all of its fees are, by the figures that the user was shown, raw units. A
 * token of which the amount or the decimals were not shown is missing.
 */
export function holdingsOfShare({ token0, token1, amount0, amount1, uncollectedFee0 = 0, uncollectedFee1 = 0 }: OpenPosition, shareBps: number): NonNullable<ZapOutIntent['holdings']> {
  const holding = ({ address: mint, decimals }: OpenPosition['token0'], amount: number | undefined, fee: number): readonly TokenAmount[] => {
    const total = amount === undefined ? undefined : (amount * shareBps) / WHOLE_BPS + fee;
    const isKnown = mint !== undefined && areDecimalsOf(mint, decimals) && total !== undefined && total >= 0 && Number.isFinite(total);
    return isKnown ? [{ mint, amountRaw: rawOf(total, decimals) }] : [];
  };
  return [...holding(token0, amount0, uncollectedFee0), ...holding(token1, amount1, uncollectedFee1)];
}

/** What of the intent is known from what the user was shown; nothing where no prices were shown. */
export function shown(list: readonly PriceReference[]): Pick<ZapInIntent, 'references'> {
  return list.length === 0 ? {} : { references: list };
}

function tokensOf({ token0, token1, price0Usd, price1Usd }: OpenPosition): readonly UnitPrice[] {
  return [...tokenOf(token0.address, token0.decimals, price0Usd), ...tokenOf(token1.address, token1.decimals, price1Usd)];
}

/** What SOL costs by a position in another pair, in US dollars: its value is listed in dollars and in SOL. `undefined` where SOL is one of the pair, or the value is not listed. */
export function solPriceOf({ value, token0, token1 }: OpenPosition): number | undefined {
  const isListed = token0.address === WRAPPED_SOL_MINT || token1.address === WRAPPED_SOL_MINT;
  return isListed || value.usd === undefined || value.native === undefined ? undefined : value.usd / value.native;
}

function tokenOf(mint: Address | undefined, decimals: number | undefined, usd: number | undefined): readonly UnitPrice[] {
  const isKnown = mint !== undefined && usd !== undefined && usd > 0 && Number.isFinite(usd) && areDecimalsOf(mint, decimals);
  return isKnown ? [{ mint, decimals, usd }] : [];
}

/** Wrong decimals of a well-known token make all amounts wrong: it then counts as not shown, and the review asks. */
function areDecimalsOf(mint: Address, decimals: number | undefined): decimals is number {
  return isDecimals(decimals) && (KNOWN_DECIMALS.get(mint) ?? decimals) === decimals;
}

/** Every token for every other one. The first price of a mint counts. */
function references(tokens: readonly UnitPrice[]): readonly PriceReference[] {
  const each = tokens.filter(({ mint }, place) => tokens.findIndex((other) => other.mint === mint) === place);
  return each.flatMap((from) => each.filter((to) => to !== from).map((to) => reference(from, to)));
}

/** So many tokens as the other one costs in dollars are worth as many of the other as the one costs: exact, without a quotient. */
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

/** A positive number as digits × 10^exponent, just as it is written. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function rawOf(amount: number, decimals: number): bigint {
  const { digits, exponent } = amount > 0 ? decimalOf(amount) : { digits: 0n, exponent: 0 };
  const shift = exponent + decimals;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}
