import type { OpenPosition } from '../api/records/position';
import type { PriceReference, ZapInIntent, ZapOutIntent } from '../review/types';
import type { Address } from '../solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import type { ZapInPlan } from './types';

const WHOLE_BPS = 10_000;

/** A token with the price that the user was shown for it. */
interface PricedToken {
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
export function referencesOfPlan({ tokenX, tokenY, prices }: ZapInPlan): readonly PriceReference[] {
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
  return tokensOf(position).map(({ mint, decimals, usd: price }) => ({ mint, amountRaw: rawOf(usd / price, decimals) }));
}

/** What of the intent is known from what the user was shown; nothing where no prices were shown. */
export function shown(list: readonly PriceReference[]): Pick<ZapInIntent, 'references'> {
  return list.length === 0 ? {} : { references: list };
}

function tokensOf({ token0, token1, price0Usd, price1Usd }: OpenPosition): readonly PricedToken[] {
  return [...tokenOf(token0.address, token0.decimals, price0Usd), ...tokenOf(token1.address, token1.decimals, price1Usd)];
}

/** A position shows its worth in dollars and in SOL: that is a price of SOL too. */
function solPriceOf({ value, token0, token1 }: OpenPosition): number | undefined {
  const isListed = token0.address === WRAPPED_SOL_MINT || token1.address === WRAPPED_SOL_MINT;
  return isListed || value.usd === undefined || value.native === undefined ? undefined : value.usd / value.native;
}

function tokenOf(mint: Address | undefined, decimals: number | undefined, usd: number | undefined): readonly PricedToken[] {
  const isKnown = mint !== undefined && decimals !== undefined && usd !== undefined && usd > 0 && Number.isFinite(usd) && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255;
  return isKnown ? [{ mint, decimals, usd }] : [];
}

/** Every token for every other one. The first price of a mint counts. */
function references(tokens: readonly PricedToken[]): readonly PriceReference[] {
  const each = tokens.filter(({ mint }, place) => tokens.findIndex((other) => other.mint === mint) === place);
  return each.flatMap((from) => each.filter((to) => to !== from).map((to) => reference(from, to)));
}

/** So many tokens as the other one costs in dollars are worth as many of the other as the one costs: exact, without a quotient. */
function reference(from: PricedToken, to: PricedToken): PriceReference {
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
