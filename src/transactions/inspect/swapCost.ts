import { BASIS_POINTS } from '../../base/basisPoints';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { SLIPPAGE_SCALE } from '../../review/terms';
import type { TermTopic } from '../../review/terms';
import type { Review } from '../../review/types';

/** All of a quote, in the unit of the term `swapSlippage`. */
const WHOLE = BASIS_POINTS * SLIPPAGE_SCALE;

/**
 * What the swaps of an operation are expected to give less than the prices that were shown: their fees, and quotes below the price. A quote
 * follows from what a swap guarantees and its tolerance. `undefined` if the price of a token in SOL was not shown.
 */
export function swapCostLamports({ intent, terms }: Pick<Review, 'intent' | 'terms'>): bigint | undefined {
  const amountOf = (topic: TermTopic, of: string): bigint => terms.find((term) => term.topic === topic && term.of === of)?.amount ?? 0n;
  let cost = 0n;
  for (const { of, amount } of terms.filter(({ topic }) => topic === 'swapped')) {
    const [sold = '', bought = ''] = of.split(' ');
    const guaranteedPart = WHOLE - amountOf('swapSlippage', of);
    const paid = lamportsOf(sold, amount, intent);
    const quoted =
      guaranteedPart <= 0n ? undefined : lamportsOf(bought, (amountOf('guaranteedBySwaps', of) * WHOLE) / guaranteedPart, intent);
    if (paid === undefined || quoted === undefined) {
      return undefined;
    }
    cost += paid > quoted ? paid - quoted : 0n;
  }
  return cost;
}

/** An amount of a token in SOL, by the prices that were shown. */
function lamportsOf(mint: string, amountRaw: bigint, { references = [] }: Review['intent']): bigint | undefined {
  if (mint === WRAPPED_SOL_MINT) {
    return amountRaw;
  }
  for (const { inMint, outMint, inAmountRaw, outAmountRaw } of references) {
    if (inMint === mint && outMint === WRAPPED_SOL_MINT && inAmountRaw > 0n) {
      return (amountRaw * outAmountRaw) / inAmountRaw;
    }
    if (outMint === mint && inMint === WRAPPED_SOL_MINT && outAmountRaw > 0n) {
      return (amountRaw * inAmountRaw) / outAmountRaw;
    }
  }
  return undefined;
}
