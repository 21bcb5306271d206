import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import { leastReceived } from '../../../src/review/leastReceived';
import { describeReview } from '../../../src/review/summary';
import { honestZapOut, MINT, reviewDrafts, route, ZAP_OUT, type Draft } from './bundles';
import { DAMM_OUT, dammZapOut } from './meteoraDrafts';

const line = (drafts: readonly Draft[]): string | undefined => describeReview(reviewDrafts(DAMM_OUT, drafts)).lines.find(({ label }) => label === 'You receive at least')?.text;

describe('review: what a zap-out leaves at least', () => {
  const [close, swap, last] = dammZapOut();

  it('is what the withdrawal and the swaps guarantee, without what is swapped', () => {
    // At least 4,000,000 of the token come out, and 5,000,000 are sold.
    assert.deepEqual([...leastReceived(reviewDrafts(DAMM_OUT, [close, swap, last]))], [[WRAPPED_SOL_MINT, 390_000_000n + 388_000_000n]]);
    assert.equal(line([close, swap, last]), '0.778 SOL; claimed fees come on top');
    const selling = (in_amount: bigint): Draft[] => [close, { ...swap, instructions: [route({ in_amount })] }, last];
    assert.deepEqual([...leastReceived(reviewDrafts(DAMM_OUT, selling(3_000_000n)))], [[MINT, 1_000_000n], [WRAPPED_SOL_MINT, 778_000_000n]]);
    assert.equal(line([close]), `4000000 raw units of ${MINT}, 0.39 SOL; claimed fees come on top`);
  });

  it('is what the swaps guarantee where the withdrawal states nothing', () => {
    assert.deepEqual([...leastReceived(reviewDrafts(ZAP_OUT, honestZapOut()))], [[WRAPPED_SOL_MINT, 388_000_000n]]);
  });

  it('counts no withdrawal where a token is sold that could not be determined', () => {
    const review = reviewDrafts(DAMM_OUT, [close, swap, last]);
    const unknown = { ...review, tokenSpends: [{ mint: undefined, amountRaw: 1n, into: 'swap' as const }] };
    assert.deepEqual([...leastReceived(unknown)], [[WRAPPED_SOL_MINT, 388_000_000n]]);
  });
});
