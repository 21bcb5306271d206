import type { Address } from '../../solana/address';
import type { OperationContext } from '../context';
import type { PlaceNotes } from '../notes';
import { ALL_BPS } from '../policy';
import type { PriceReference } from '../types';
import type { SwapAmounts } from './swapTerms';

/** SWP-3: what a zap-out's swap gives at least is to be worth this much of what the user was shown, or it is asked about. Basis points. */
const LEAST_BPS = 9_000n;

/** What is swapped for what, as far as it is known. */
export interface SwappedMints {
  readonly sold: Address | undefined;
  readonly bought: Address | undefined;
}

/**
 * SWP-9, and the part of SWP-3 that goes by a known price. Slippage is counted from the service's own quote, so a quote through
 * a thin pool could take value inside of all other rules: it is measured by every price that the user was shown of these two
 * tokens, in whichever direction that price is given. Without one the user is told that nobody has compared it.
 */
export function reviewPrice(amounts: SwapAmounts, mints: SwappedMints, context: OperationContext, notes: PlaceNotes): void {
  const { intent, policy } = context;
  const { quotedSold, quotedBought, boughtLeast } = amounts;
  const prices = (intent.references ?? []).flatMap((reference) => priceOf(reference, mints) ?? []);
  if (prices.length === 0 || quotedSold === undefined || quotedBought === undefined) {
    notes.info('SWP-9', 'The price of the swap was not verified: it is the service\'s own, and there is no other to compare it with.');
    return;
  }
  const allowedBps = BigInt(Math.max(0, ALL_BPS - intent.slippageBps - policy.priceToleranceBps));
  const isWorth = (bought: bigint, bps: bigint): boolean => prices.every((price) => isWorthAtLeast(quotedSold, bought, bps, price));
  const words = (): string => `By the price that you were shown the quote of the swap is ${shortfall(quotedSold, quotedBought, prices)} % too low`;
  if (!isWorth(quotedBought, BigInt(policy.priceBlockBps))) {
    notes.block('SWP-9', `${words()}: it would lose more than ${(ALL_BPS - policy.priceBlockBps) / 100} % of what it takes.`, { amountRaw: quotedBought });
  } else if (!isWorth(quotedBought, allowedBps)) {
    const usual = `you allowed ${intent.slippageBps / 100} %, and ${policy.priceToleranceBps / 100} % more are left for fees and for how the price moves`;
    notes.confirm('SWP-9', `${words()}; ${usual}.`, { amountRaw: quotedBought });
  }
  if (intent.kind === 'zapOut' && boughtLeast !== undefined && !isWorth(boughtLeast, LEAST_BPS)) {
    notes.confirm('SWP-3', `By the price that you were shown the swap guarantees less than ${Number(LEAST_BPS) / 100} % of what it takes.`, { amountRaw: boughtLeast });
  }
}

/** So much of what is sold for so much of what is bought. */
interface Price {
  readonly sold: bigint;
  readonly bought: bigint;
}

/** Gives a reference as a price of this swap; a price the other way round is turned round, which loses nothing. */
function priceOf({ inMint, outMint, inAmountRaw, outAmountRaw }: PriceReference, { sold, bought }: SwappedMints): Price | undefined {
  if (sold === undefined || bought === undefined || sold === bought || inAmountRaw <= 0n || outAmountRaw <= 0n) {
    return undefined;
  }
  if (inMint === sold && outMint === bought) {
    return { sold: inAmountRaw, bought: outAmountRaw };
  }
  return inMint === bought && outMint === sold ? { sold: outAmountRaw, bought: inAmountRaw } : undefined;
}

/** Says whether `bought` for `sold` is at least that share of what the price gives; exactly, without dividing. */
function isWorthAtLeast(sold: bigint, bought: bigint, bps: bigint, price: Price): boolean {
  return bought * price.sold * BigInt(ALL_BPS) >= sold * price.bought * bps;
}

/** Gives by how much a quote is below the highest of the prices, in percent with two places, rounded down. For words only. */
function shortfall(sold: bigint, bought: bigint, prices: readonly Price[]): string {
  const missing = prices.map((price) => {
    const expected = sold * price.bought;
    return expected === 0n ? 0n : ((expected - bought * price.sold) * BigInt(ALL_BPS)) / expected;
  });
  return String(missing.reduce((most, bps) => Math.max(most, Number(bps)), 0) / 100);
}
