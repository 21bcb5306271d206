import { USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { Money } from '../service/common';
import type { OpenPosition } from '../service/positions';
import type { PoolFact } from '../review/facts/facts';
import { chainPriceOf, isFigure } from './plausibility';

// A loss that the chain proves needs no waiting: the price fell in the pool itself, and the position lost no more than that price explains. The
// pool proves prices in its second token only, so a fall of SOL in US dollars is never proven by a pool with SOL.

/** What is in a position, in its token 1 at the price of the pool on the chain. */
export interface ChainWorth {
  /** Token 1 for one token 0. */
  readonly price: number;
  /** Amounts and uncollected fees in token 1. */
  readonly worth: number;
}

/** Relative tolerance: amounts and price are read at slightly different moments. */
const TOLERANCE = 0.02;
/** The same for a value that the service converts, with a price that may be older. */
const LISTED_TOLERANCE = 0.05;

/** What is in a position by the price on the chain; `undefined` if price or amounts are not known. */
export function chainWorthOf(position: OpenPosition, pool: PoolFact | undefined): ChainWorth | undefined {
  const { amount0, amount1, uncollectedFee0 = 0, uncollectedFee1 = 0 } = position;
  const price = pool && chainPriceOf(position, pool);
  if (price === undefined || !isFigure(amount0) || !isFigure(amount1)) {
    return undefined;
  }
  return { price, worth: (amount0 + uncollectedFee0) * price + amount1 + uncollectedFee1 };
}

/** The currency in which the pool of a position proves a loss; `undefined`: neither. */
export function provenCurrency({ token1: { address: mint } }: OpenPosition): keyof Money | undefined {
  return mint === WRAPPED_SOL_MINT ? 'native' : mint === USDC_MINT || mint === USDT_MINT ? 'usd' : undefined;
}

/** Whether a position is listed with what it is worth by the chain, in the currency of its token 1. A dollar token that is listed at half a dollar is not. */
export function isListedAsOnChain(position: OpenPosition, currency: keyof Money, onChain: ChainWorth): boolean {
  const listed = (position.value[currency] ?? 0) + (position.uncollectedFee[currency] ?? 0);
  return Math.abs(listed - onChain.worth) <= LISTED_TOLERANCE * onChain.worth;
}

/**
 * Whether the price on the chain explains what a position lost since it was last seen without that loss. A position loses at most the share
 * that the price of its token 0 lost: it then held nothing else.
 * @param recent what the checks saw, oldest first
 * @param isLost whether an observation shows the loss
 */
export function isExplainedByChain<Observed extends { readonly onChain: ChainWorth | undefined }>(
  recent: readonly Observed[],
  isLost: (observation: Observed) => boolean,
): boolean {
  const last = recent.findLastIndex((observation) => !isLost(observation));
  const before = recent[last]?.onChain;
  return (
    before !== undefined &&
    recent
      .slice(last + 1)
      .every(({ onChain: now }) => now !== undefined && now.worth >= before.worth * Math.min(1, now.price / before.price) * (1 - TOLERANCE))
  );
}
