import * as l10n from '@vscode/l10n';
import { BASIS_POINTS, WHOLE_BPS } from '../../base/basisPoints';
import { priceOfBin } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { deposits, poolFactOf } from '../intents';
import type { OperationContext } from '../context';
import type { PoolFact } from '../facts/facts';
import type { PlaceNotes } from '../notes';
import type { PolicySettings } from '../policy';
import type { PriceReference } from '../types';
import type { SwapAmounts } from './swapTerms';
import { acceptWords, unknownToken } from './words';

/** Scale of a price, bits: keeps all 53 significant bits of a double for every price of a pool (2^-64 to 2^64). */
const PRICE_BITS = 120;
const Q128 = 1n << 128n;

/**
 * Returns the price of a pool by its account on the chain, without fees: of the active bin, or of the constant-product curve.
 * `undefined` if there is no pool, or the program has no such bin, step or square root.
 */
export function priceOfPool(fact: PoolFact): PriceReference | undefined {
  if (fact.kind === 'none') {
    return undefined;
  }
  const { tokenX: inMint, tokenY: outMint } = fact;
  switch (fact.kind) {
    case 'dlmm': {
      const price = binPrice(fact.activeBinId, fact.binStepBps);
      return price === undefined
        ? undefined
        : { inMint, outMint, inAmountRaw: 1n << BigInt(PRICE_BITS), outAmountRaw: BigInt(Math.round(price * 2 ** PRICE_BITS)) };
    }
    case 'dammV2':
      return fact.sqrtPriceQ64 > 0n ? { inMint, outMint, inAmountRaw: Q128, outAmountRaw: fact.sqrtPriceQ64 ** 2n } : undefined;
  }
}

/** Raw units of Y for one raw unit of X; `undefined` for a bin or step that the program does not have. */
function binPrice(binId: number, binStepBps: number): number | undefined {
  try {
    return priceOfBin(binId, binStepBps);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** SWP-3: below this share of the value, basis points, the guaranteed result of a zap-out's swap is a question. */
const LEAST_BPS = 9_000n;

/** The tokens of a swap, as far as they are known. */
export interface SwappedMints {
  readonly sold: Address | undefined;
  readonly bought: Address | undefined;
}

/** A price as a ratio of raw units: this much sold for that much bought. */
export interface SwapPrice {
  readonly sold: bigint;
  readonly bought: bigint;
  readonly from: 'shown' | 'chain';
}

/** Returns every price of a swap's two tokens that the user was shown, in either direction, and the price of the operation's pool on the chain. */
export function knownPrices(mints: SwappedMints, { intent, facts }: OperationContext): readonly SwapPrice[] {
  const pool = poolFactOf(intent, facts);
  const onChain = pool && priceOfPool(pool);
  const shown = (intent.references ?? []).flatMap((reference) => priceOf(reference, 'shown', mints) ?? []);
  return [...shown, ...[onChain].flatMap((reference) => (reference && priceOf(reference, 'chain', mints)) ?? [])];
}

/** Returns what the sold amount buys at the lowest of the prices, raw units rounded down; `undefined` without a price or an amount. */
export function leastWorth(quotedSold: bigint | undefined, prices: readonly SwapPrice[]): bigint | undefined {
  const worths = quotedSold === undefined ? [] : prices.map(({ sold, bought }) => (quotedSold * bought) / sold);
  return worths.reduce<bigint | undefined>((least, worth) => (least === undefined || worth < least ? worth : least), undefined);
}

/** How far a quote may be from a known price, basis points of the price. */
function toleranceBps({ intent, policy }: OperationContext): bigint {
  return BigInt(intent.slippageBps + policy.priceToleranceBps);
}

/**
 * Returns whether a quote is so far above one of the prices that the swap may be meant not to land (SWP-9). Nobody can count on what it
 * guarantees, or on the tokens that it would buy.
 */
export function isTooGood({ quotedSold, quotedBought }: SwapAmounts, prices: readonly SwapPrice[], context: OperationContext): boolean {
  const mostBps = BASIS_POINTS + toleranceBps(context);
  return (
    quotedSold !== undefined &&
    quotedBought !== undefined &&
    prices.some((price) => compareWithPrice(quotedSold, quotedBought, mostBps, price) > 0n)
  );
}

/**
 * SWP-9, and the part of SWP-3 that depends on a known price. Slippage is relative to the service's own quote, so a quote through a thin
 * pool could lose value within all other rules. The quote must meet every known price of the two tokens, and what the swap guarantees every
 * shown one, less the fees that go with a higher tolerance: a low quote and the slippage add up, and a fixed result or a commission may cost more than quoted. A quote far above a price is no gift: such a swap does not
 * land, and the other transactions then use what was in the wallet before.
 *
 * A swap without a shown price is a question even if the chain has one: anyone with enough money can move the price of a thin pool.
 */
export function reviewPrice(
  amounts: SwapAmounts,
  mints: SwappedMints,
  prices: readonly SwapPrice[],
  context: OperationContext,
  notes: PlaceNotes,
): void {
  const { intent, policy } = context;
  const { quotedSold, quotedBought, soldMost = quotedSold, boughtLeast = quotedBought } = amounts;
  // Fees and price impact make a quote lower. Whoever tolerates more trades in pools where they are higher.
  const feeBps = Math.max(policy.priceToleranceBps, intent.slippageBps);
  const isShown = prices.some(({ from }) => from === 'shown');
  if (!isShown) {
    notes.confirm(
      'SWP-9',
      l10n.t`You were shown no price for ${mints.sold ?? unknownToken()} in ${mints.bought ?? unknownToken()}, so the quote could be far too low. Sign only if you know what it is worth.`,
    );
  }
  if (quotedSold === undefined || quotedBought === undefined || soldMost === undefined || boughtLeast === undefined) {
    if (isShown) {
      notes.confirm('SWP-9', l10n.t('The swap does not state what it sells or buys, so its price is unverified.'));
    }
    return;
  }
  const isWorth = (sold: bigint, bought: bigint, bps: bigint): boolean =>
    prices.every((price) => compareWithPrice(sold, bought, bps, price) >= 0n);
  const isQuoteLow = !isWorth(quotedSold, quotedBought, BASIS_POINTS - toleranceBps(context));
  const leastBps = BASIS_POINTS - BigInt(intent.slippageBps + feeBps);
  const isGuaranteeLow = prices.some((price) => price.from === 'shown' && compareWithPrice(soldMost, boughtLeast, leastBps, price) < 0n);
  const allowed = (moreBps = policy.priceToleranceBps): string =>
    l10n.t`You allowed ${intent.slippageBps / 100}%, and Binsight allows ${moreBps / 100}% more for fees and price moves.`;
  if (!isWorth(quotedSold, quotedBought, BigInt(policy.priceBlockBps))) {
    const words = shortfallText(quotedSold, quotedBought, prices);
    notes.block('SWP-9', `${words} ${l10n.t`You would lose more than ${(WHOLE_BPS - policy.priceBlockBps) / 100}% of the value.`}`, {
      amountRaw: quotedBought,
    });
  } else if (isQuoteLow || isGuaranteeLow) {
    const words = guaranteeText(soldMost, boughtLeast, prices);
    notes.confirm('SWP-9', `${words} ${allowed(isQuoteLow ? undefined : feeBps)} ${acceptWords()}`, { amountRaw: boughtLeast });
  }
  if (isTooGood(amounts, prices, context)) {
    reviewExcess(quotedSold, quotedBought, prices, allowed(), policy, notes);
  }
  if (!deposits(intent) && amounts.boughtLeast !== undefined && !isWorth(quotedSold, boughtLeast, LEAST_BPS)) {
    notes.confirm(
      'SWP-3',
      `${l10n.t`The swap guarantees less than ${Number(LEAST_BPS) / 100}% of the value that it takes.`} ${acceptWords()}`,
      { amountRaw: boughtLeast },
    );
  }
}

/** SWP-9 for a quote that is too good: a question, and blocked where it promises as many times the value as a quote may not lose. */
function reviewExcess(
  sold: bigint,
  bought: bigint,
  prices: readonly SwapPrice[],
  allowed: string,
  { priceBlockBps }: PolicySettings,
  notes: PlaceNotes,
): void {
  const words = excessText(sold, bought, prices);
  const detail = { amountRaw: bought };
  const isFar = prices.some(({ sold: unit, bought: price }) => bought * unit * BigInt(priceBlockBps) > sold * price * BASIS_POINTS);
  if (isFar) {
    notes.block('SWP-9', `${words} ${notLandingWords()}`, detail);
  } else {
    const advice = l10n.t('Try again, or sign only if you know why the price is so good.');
    notes.confirm('SWP-9', `${words} ${allowed} ${notLandingWords()} ${advice}`, detail);
  }
}

const notLandingWords = (): string => l10n.t('If the swap does not land, a deposit may take tokens that were in your wallet before.');

/** Returns a reference as the price of this swap; inverting loses no precision. `undefined`: it is for other tokens, or not a price. */
function priceOf(
  { inMint, outMint, inAmountRaw, outAmountRaw }: PriceReference,
  from: SwapPrice['from'],
  { sold, bought }: SwappedMints,
): SwapPrice | undefined {
  if (sold === undefined || bought === undefined || sold === bought || inAmountRaw <= 0n || outAmountRaw <= 0n) {
    return undefined;
  }
  if (inMint === sold && outMint === bought) {
    return { sold: inAmountRaw, bought: outAmountRaw, from };
  }
  return inMint === bought && outMint === sold ? { sold: outAmountRaw, bought: inAmountRaw, from } : undefined;
}

/** Compares `bought` for `sold` with a share of the price: above 0 if it is more. Exact, without division. */
function compareWithPrice(sold: bigint, bought: bigint, bps: bigint, price: SwapPrice): bigint {
  return bought * price.sold * BASIS_POINTS - sold * price.bought * bps;
}

/** Says by how much a quote is below the highest of the prices, in percent with two decimal places, rounded down. */
function shortfallText(sold: bigint, bought: bigint, prices: readonly SwapPrice[]): string {
  const { from, bps } = farthest(prices, (price) => missingBps(sold, bought, price));
  return quoteWords(againstText(`−${bps / 100}%`, from));
}

/** The same for what the swap guarantees. */
function guaranteeText(sold: bigint, bought: bigint, prices: readonly SwapPrice[]): string {
  const { from, bps } = farthest(prices, (price) => missingBps(sold, bought, price));
  return l10n.t`The swap guarantees too little: ${againstText(`−${bps / 100}%`, from)}.`;
}

/** The same for a quote above the lowest of the prices. */
function excessText(sold: bigint, bought: bigint, prices: readonly SwapPrice[]): string {
  const { from, bps } = farthest(prices, (price) => -missingBps(sold, bought, price));
  return quoteWords(againstText(`+${bps / 100}%`, from));
}

const quoteWords = (difference: string): string => l10n.t`The quote of the swap is off: ${difference}.`;

/** "−12% against the price that you were shown" */
export function againstText(difference: string, from: SwapPrice['from']): string {
  return from === 'shown'
    ? l10n.t`${difference} against the price that you were shown`
    : l10n.t`${difference} against the pool's price on the chain`;
}

function farthest(
  prices: readonly SwapPrice[],
  bpsOf: (price: SwapPrice) => number,
): { readonly from: SwapPrice['from']; readonly bps: number } {
  return prices
    .map((price) => ({ from: price.from, bps: bpsOf(price) }))
    .reduce((most, next) => (next.bps > most.bps ? next : most), { from: 'shown', bps: 0 });
}

function missingBps(sold: bigint, bought: bigint, price: SwapPrice): number {
  const expected = sold * price.bought;
  return expected === 0n ? 0 : Number(((expected - bought * price.sold) * BASIS_POINTS) / expected);
}
