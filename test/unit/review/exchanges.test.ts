import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { describeReview } from '../../../src/review/describe/summary';
import { CaseError, readCase, writeCase } from '../../../src/review/report/caseFormat';
import type { SwapIntent } from '../../../src/review/types';
import { inputOf } from '../../corpus/attack';
import { swapPaying } from '../../corpus/exchanges';
import { reviewOf } from '../../corpus/judge';
import {
  buyToken,
  honestSwap,
  honestSwapOfSol,
  honestUnwrap,
  MINT,
  objections,
  reviewDrafts,
  route,
  SWAP,
  SWAP_SOL,
  tip,
  UNWRAP,
  VERSIONS,
} from '../../support/review/bundles';

describe('review: swaps and unwrapping of tokens of the wallet', () => {
  for (const version of VERSIONS) {
    it(`The review allows a swap to SOL, a swap of SOL, and unwrapping (${version})`, () => {
      for (const [intent, drafts] of [
        [SWAP, honestSwap(version)],
        [SWAP_SOL, honestSwapOfSol(version)],
        [UNWRAP, honestUnwrap(version)],
      ] as const) {
        const review = reviewDrafts(intent, drafts);
        assert.deepEqual([objections(review), review.verdict, review.reviewed.length], [[], 'allow', drafts.length]);
      }
    });
  }

  it('A swap may sell all of the chosen amount and not one raw unit more, over all of its transactions', () => {
    const sells = (intent: SwapIntent, ...drafts: ReturnType<typeof honestSwap>): string[] => objections(reviewDrafts(intent, drafts));
    const most = { ...SWAP, amountRaw: 4_999_999n };
    assert.deepEqual(sells(most, ...honestSwap()), ['block LIM-1']);
    const half = route({ in_amount: 2_500_000n, quoted_out_amount: 200_000_000n });
    const other = route({ in_amount: 2_500_001n, quoted_out_amount: 200_000_080n });
    const [, last] = honestSwap();
    assert.ok(last !== undefined);
    assert.deepEqual(sells(SWAP, { group: 'swap', instructions: [half] }, { group: 'swap', instructions: [half, tip()] }, last), []);
    assert.deepEqual(sells(SWAP, { group: 'swap', instructions: [half] }, { group: 'swap', instructions: [other] }, last), ['block LIM-1']);
    assert.deepEqual(sells({ ...SWAP_SOL, amountRaw: 499_999_999n }, ...honestSwapOfSol()), ['block LIM-1']);
    assert.deepEqual(sells({ ...SWAP_SOL, amountRaw: 500_000_000n }, { group: 'swap', instructions: [buyToken()] }), ['confirm SWP-7']);
  });

  it('Without a price that the user was shown, a swap is a question', () => {
    assert.deepEqual(objections(reviewDrafts({ ...SWAP, references: [] }, honestSwap())), ['confirm SWP-9']);
  });

  it('A simulation in which the guarantee arrives and the chosen amount leaves is no question', () => {
    const found = (sold: bigint, lamports: bigint): string[] =>
      reviewOf(swapPaying(sold, lamports)).found.flatMap(({ rule, verdict }) => (verdict === 'info' ? [] : [`${verdict} ${rule}`]));
    assert.deepEqual(found(5_000_000n, 388_000_000n), []);
    assert.deepEqual(found(5_000_000n, 387_999_999n), ['block SIM-2']);
  });

  it('The summary names what is sold, the least that is received, and that only own accounts receive', () => {
    const tokens = () => ({ symbol: 'MEME', decimals: 6 });
    const { title, lines } = describeReview(reviewDrafts(SWAP, honestSwap()), tokens);
    assert.equal(title, 'swap');
    const text = (label: string): string | undefined => lines.find((line) => line.label === label)?.text;
    assert.equal(text('You receive at least'), '0.388 SOL');
    assert.equal(text('Tokens that move at most'), 'Swapped: 5 MEME');
    assert.equal(text('Goes to'), 'only you, Jito tip');
    assert.deepEqual([text('Sold token'), text('Bought token'), text('Pool')], [MINT, WRAPPED_SOL_MINT, undefined]);
    const unwrapping = describeReview(reviewDrafts(UNWRAP, honestUnwrap()), tokens);
    assert.equal(unwrapping.title, 'SOL unwrap');
    assert.equal(unwrapping.lines.find(({ label }) => label === 'You receive at least')?.text, 'all your wrapped SOL, and its rent');
  });

  it('A case of the command line keeps the tokens and the amount of a swap, and needs no pool', () => {
    for (const [intent, drafts] of [
      [SWAP, honestSwap()],
      [UNWRAP, honestUnwrap()],
    ] as const) {
      const read = readCase(JSON.parse(JSON.stringify(writeCase(inputOf(intent, drafts), 'swap'))));
      assert.deepEqual(
        { ...read.intent, references: intent.references },
        { references: undefined, listedPrices: undefined, listedDecimals: undefined, ...intent },
      );
    }
    const written = writeCase(inputOf(SWAP, honestSwap()), 'swap');
    assert.throws(() => readCase({ ...written, kind: 'zapOut' }), CaseError);
  });
});
