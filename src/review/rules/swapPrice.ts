import * as l10n from '@vscode/l10n';
import { BASIS_POINTS, WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import type { OperationContext } from '../context';
import type { PlaceNotes } from '../notes';
import { priceOfPool } from '../facts/poolPrice';
import type { PriceReference } from '../types';
import type { SwapAmounts } from './swapTerms';

/** SWP-3: the guaranteed result of a zap-out's swap is a question below this share of its value. Basis points. */
const LEAST_BPS = 9_000n;

/** What is swapped for what, as far as it is known. */
export interface SwappedMints {
  readonly sold: Address | undefined;
  readonly bought: Address | undefined;
}

/**
 * SWP-9, and the part of SWP-3 that goes by a known price. Slippage is relative to the service's own quote, so a quote through a thin
 * pool could take value within all other rules. The quote is compared with every price of these two tokens that the user was shown, in
 * either direction, and with the price of the operation's pool on the chain. The quote has to be good enough by each of them.
 *
 * A swap without a shown price is a question, also where the chain has one: anybody with enough money moves the price of a thin pool.
 */
export function reviewPrice(amounts: SwapAmounts, mints: SwappedMints, context: OperationContext, notes: PlaceNotes): void {
  const { intent, policy, facts } = context;
  const { quotedSold, quotedBought, boughtLeast } = amounts;
  const pool = facts.pools?.get(intent.pool);
  const onChain = pool && priceOfPool(pool);
  const shown = (intent.references ?? []).flatMap((reference) => priceOf(reference, 'shown', mints) ?? []);
  const prices = [...shown, ...[onChain].flatMap((reference) => (reference && priceOf(reference, 'chain', mints)) ?? [])];
  if (shown.length === 0) {
    notes.confirm(
      'SWP-9',
      l10n.t`You were shown no price for ${mints.sold ?? l10n.t('an unknown token')} in ${mints.bought ?? l10n.t('an unknown token')}. The quote of this swap is not verified and could be far too low. Sign only if you know what the swap is worth.`,
    );
  }
  if (quotedSold === undefined || quotedBought === undefined) {
    if (shown.length > 0) {
      notes.confirm('SWP-9', l10n.t('The swap does not say how much it sells or buys. Its price is not verified.'));
    }
    return;
  }
  const allowedBps = BigInt(Math.max(0, WHOLE_BPS - intent.slippageBps - policy.priceToleranceBps));
  const isWorth = (bought: bigint, bps: bigint): boolean => prices.every((price) => isWorthAtLeast(quotedSold, bought, bps, price));
  const words = (): string => shortfallText(quotedSold, quotedBought, prices);
  if (!isWorth(quotedBought, BigInt(policy.priceBlockBps))) {
    notes.block(
      'SWP-9',
      l10n.t`${words()}. You would lose more than ${(WHOLE_BPS - policy.priceBlockBps) / 100}% of what the swap takes.`,
      { amountRaw: quotedBought },
    );
  } else if (!isWorth(quotedBought, allowedBps)) {
    const usual = l10n.t`You allowed ${intent.slippageBps / 100}%, and ${policy.priceToleranceBps / 100}% more are left for fees and for how the price moves.`;
    notes.confirm('SWP-9', l10n.t`${words()}. ${usual} Sign only if you accept that loss.`, { amountRaw: quotedBought });
  }
  if (intent.kind === 'zapOut' && boughtLeast !== undefined && !isWorth(boughtLeast, LEAST_BPS)) {
    notes.confirm(
      'SWP-3',
      l10n.t`By the price that is known the swap guarantees less than ${Number(LEAST_BPS) / 100}% of what it takes. Part of your tokens could be lost in it. Sign only if you accept that.`,
      { amountRaw: boughtLeast },
    );
  }
}

/** So much of what is sold for so much of what is bought. */
interface Price {
  readonly sold: bigint;
  readonly bought: bigint;
  readonly from: 'shown' | 'chain';
}

/** Gives a reference as a price of this swap; the inverse price loses no precision. `undefined`: the price is of other tokens, or none. */
function priceOf(
  { inMint, outMint, inAmountRaw, outAmountRaw }: PriceReference,
  from: Price['from'],
  { sold, bought }: SwappedMints,
): Price | undefined {
  if (sold === undefined || bought === undefined || sold === bought || inAmountRaw <= 0n || outAmountRaw <= 0n) {
    return undefined;
  }
  if (inMint === sold && outMint === bought) {
    return { sold: inAmountRaw, bought: outAmountRaw, from };
  }
  return inMint === bought && outMint === sold ? { sold: outAmountRaw, bought: inAmountRaw, from } : undefined;
}

/** Says whether `bought` for `sold` is at least that share of what the price gives; exactly, without dividing. */
function isWorthAtLeast(sold: bigint, bought: bigint, bps: bigint, price: Price): boolean {
  return bought * price.sold * BASIS_POINTS >= sold * price.bought * bps;
}

const fromWords = (): Readonly<Record<Price['from'], string>> => ({
  shown: l10n.t('By the price that you were shown'),
  chain: l10n.t('By the price of the pool on the chain'),
});

/** Says by how much a quote is below the highest of the prices, in percent with two places, rounded down. */
function shortfallText(sold: bigint, bought: bigint, prices: readonly Price[]): string {
  const worst = prices
    .map((price) => ({ from: price.from, bps: missingBps(sold, bought, price) }))
    .reduce((most, next) => (next.bps > most.bps ? next : most), { from: 'shown', bps: 0 });
  return l10n.t`${fromWords()[worst.from]} the quote of the swap is ${worst.bps / 100}% too low`;
}

function missingBps(sold: bigint, bought: bigint, price: Price): number {
  const expected = sold * price.bought;
  return expected === 0n ? 0 : Number(((expected - bought * price.sold) * BASIS_POINTS) / expected);
}
