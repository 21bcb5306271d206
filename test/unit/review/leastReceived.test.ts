import assert from 'node:assert/strict';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { leastReceived } from '../../../src/review/spends';
import { describeReview } from '../../../src/review/describe/summary';
import type { Review, ZapOutIntent } from '../../../src/review/types';
import {
  buyToken,
  honestZapOut,
  MINT,
  OWN_SOL,
  OWNER,
  reviewDrafts,
  route,
  THIEF,
  tokenAmount,
  tokenInstruction,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { DAMM_OUT, dammZapOut } from '../../support/review/meteoraDrafts';

const moneyOf = (review: Review): Readonly<Record<string, string>> =>
  Object.fromEntries(describeReview(review).lines.map(({ label, text }) => [label, text]));
const line = (drafts: readonly Draft[]): string | undefined => moneyOf(reviewDrafts(DAMM_OUT, drafts))['You receive at least'];

describe('review: guaranteed minimum of a zap-out', () => {
  const [close, swap, last] = dammZapOut();

  it('The guaranteed minimum is the sum of withdrawal and swaps minus the tokens that are sold', () => {
    // At least 4,000,000 of the token come out, and 5,000,000 are sold.
    assert.deepEqual([...leastReceived(reviewDrafts(DAMM_OUT, [close, swap, last]))], [[WRAPPED_SOL_MINT, 390_000_000n + 388_000_000n]]);
    assert.equal(line([close, swap, last]), '0.778 SOL');
    const selling = (in_amount: bigint): Draft[] => [
      close,
      { ...swap, instructions: [route({ in_amount, quoted_out_amount: in_amount * 80n })] },
      last,
    ];
    assert.deepEqual(
      [...leastReceived(reviewDrafts(DAMM_OUT, selling(3_000_000n)))],
      [
        [MINT, 1_000_000n],
        [WRAPPED_SOL_MINT, 390_000_000n + 232_800_000n],
      ],
    );
    assert.equal(line([close]), `4000000 raw units of ${MINT}, 0.39 SOL`);
  });

  it('The guaranteed minimum is that of the swaps if the withdrawal states none', () => {
    assert.deepEqual([...leastReceived(reviewDrafts(ZAP_OUT, honestZapOut()))], [[WRAPPED_SOL_MINT, 388_000_000n]]);
  });

  it('The guaranteed minimum excludes a swap whose quote is too good to be true, because nobody has to land it', () => {
    const part = (in_amount: bigint, quoted_out_amount: bigint): Draft => ({
      group: 'swap',
      instructions: [route({ in_amount, quoted_out_amount })],
    });
    const [first, , rest] = honestZapOut();
    const review = reviewDrafts(ZAP_OUT, [first, part(4_500_000n, 360_000_000n), part(500_000n, 60_000_000n), rest]);
    assert.equal(review.verdict, 'confirm');
    assert.deepEqual([...leastReceived(review)], [[WRAPPED_SOL_MINT, 349_200_000n]]);
    assert.match(moneyOf(review)['You receive at least'] ?? '', /^0\.3492 SOL from swaps;/);
  });

  it('The guaranteed minimum excludes withdrawals if a swap sells a token that could not be determined', () => {
    const review = reviewDrafts(DAMM_OUT, [close, swap, last]);
    const unknown = { ...review, tokenSpends: [{ mint: undefined, amountRaw: 1n, into: 'swap' as const }] };
    assert.deepEqual([...leastReceived(unknown)], [[WRAPPED_SOL_MINT, 388_000_000n]]);
  });

  it('The guaranteed minimum excludes payments to others and tokens that another swap sells again', () => {
    const stranger = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
    const fee = (amount: bigint) => tokenInstruction(tokenAmount(3, amount), [OWN_SOL, stranger, OWNER]);
    const taking = (intent: ZapOutIntent, [first, ...others]: readonly Draft[], amount: bigint): Review =>
      reviewDrafts(intent, first === undefined ? [] : [{ ...first, instructions: [...first.instructions, fee(amount)] }, ...others]);
    const product = taking(DAMM_OUT, [close, swap, last], 390_000_000n);
    assert.deepEqual([...leastReceived(product)], [[WRAPPED_SOL_MINT, 388_000_000n]]);
    assert.deepEqual(
      product.tokenSpends.filter(({ into }) => into === 'others'),
      [{ mint: WRAPPED_SOL_MINT, amountRaw: 390_000_000n, into: 'others' }],
    );
    assert.match(moneyOf(product)['Tokens that move at most'] ?? '', /; Sent to others: 0\.39 SOL$/);
    assert.match(moneyOf(taking(ZAP_OUT, honestZapOut(), 88_000_000n))['You receive at least'] ?? '', /^0\.3 SOL from swaps;/);
    assert.match(moneyOf(taking(ZAP_OUT, honestZapOut(), 388_000_000n))['You receive at least'] ?? '', /^no guaranteed minimum$/);
    const back: Draft = {
      group: 'swap',
      instructions: [buyToken({ in_amount: 388_000_000n, quoted_out_amount: 5_044_000n, slippage_bps: 0 })],
    };
    const roundTrip = reviewDrafts({ ...ZAP_OUT, output: undefined }, [...honestZapOut(), back]);
    assert.match(moneyOf(roundTrip)['You receive at least'] ?? '', new RegExp(`^44000 raw units of ${MINT} from swaps;`));
  });
});
