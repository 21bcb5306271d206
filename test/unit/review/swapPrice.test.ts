import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { Address } from '../../../src/base/solana/address';
import { lessSlippage, plusSlippage, slippageBetween } from '../../../src/review/rules/swapTerms';
import type { PriceReference, Review } from '../../../src/review/types';
import { addressOf, dlmm, MINT, objections, reviewDrafts, route, THIEF, ZAP_OUT } from '../../support/review/bundles';

const price = (inMint: Address, inAmountRaw: bigint, outMint: Address, outAmountRaw: bigint): PriceReference => ({
  inMint,
  inAmountRaw,
  outMint,
  outAmountRaw,
});

/** 1 M raw units of the token are worth 80 M lamports, said both ways round. */
const SELLING = price(MINT, 1_000_000n, WRAPPED_SOL_MINT, 80_000_000n);
const BUYING = price(WRAPPED_SOL_MINT, 80_000_000n, MINT, 1_000_000n);

/** 5 M of the token are sold, which are worth 400 M lamports; the slippage tolerance is 3%. */
function quoted(quoted_out_amount: bigint, ...references: readonly PriceReference[]): Review {
  return reviewDrafts({ ...ZAP_OUT, references }, [{ group: 'swap', instructions: [route({ quoted_out_amount, slippage_bps: 0 })] }]);
}

const rules = (review: Review, rule: string): string[] =>
  review.findings.filter((finding) => finding.rule === rule).map(({ verdict }) => verdict);

describe('review: price of swaps (SWP-9)', () => {
  for (const [name, reference] of [
    ['given as the swap goes', SELLING],
    ['given the other way round', BUYING],
  ] as const) {
    it(`The review compares the quote exactly with a price ${name}`, () => {
      assert.deepEqual(objections(quoted(380_000_000n, reference)), []);
      assert.deepEqual(rules(quoted(380_000_000n, reference), 'SWP-9'), []);
      assert.deepEqual(objections(quoted(379_999_999n, reference)), ['confirm SWP-9']);
      assert.deepEqual(rules(quoted(200_000_000n, reference), 'SWP-9'), ['confirm']);
      assert.deepEqual(rules(quoted(199_999_999n, reference), 'SWP-9'), ['block']);
      assert.match(
        quoted(379_000_000n, reference).findings[0]?.message ?? '',
        /guarantees too little: −5\.25% against the price that you were shown\. You allowed 3%, and Binsight allows 2% more/,
      );
    });
  }

  it('The review asks about a quote far above a known price, and blocks one above twice the price', () => {
    // 5% above 400 M lamports: the slippage tolerance and 2%.
    assert.deepEqual(objections(quoted(420_000_000n, SELLING)), []);
    assert.deepEqual(objections(quoted(420_000_001n, SELLING)), ['confirm SWP-9']);
    assert.deepEqual(objections(quoted(800_000_000n, BUYING)), ['confirm SWP-9']);
    assert.deepEqual(objections(quoted(800_000_001n, BUYING)), ['block SWP-9']);
    assert.match(
      quoted(500_000_000n, SELLING).findings[0]?.message ?? '',
      /is off: \+25% against the price that you were shown\. You allowed 3%, and Binsight allows 2% more .+ If the swap does not land, /,
    );
  });

  it('A quote is too good if it is far above the lowest of several prices', () => {
    const lower = price(MINT, 1_000_000n, WRAPPED_SOL_MINT, 76_000_000n);
    assert.deepEqual(objections(quoted(399_000_000n, SELLING, lower)), []);
    assert.deepEqual(objections(quoted(399_000_001n, SELLING, lower)), ['confirm SWP-9']);
  });

  it('The finding states the price difference in percent and what it means', () => {
    const words = (review: Review, rule: string): readonly string[] =>
      review.findings.filter((finding) => finding.rule === rule).map(({ message }) => message);
    assert.deepEqual(words(quoted(379_000_000n, SELLING), 'SWP-9'), [
      'The swap guarantees too little: −5.25% against the price that you were shown. You allowed 3%, and Binsight allows 2% more for fees and price moves. Sign only if you accept that.',
    ]);
    assert.deepEqual(words(quoted(100_000_000n, SELLING), 'SWP-9'), [
      'The quote of the swap is off: −75% against the price that you were shown. You would lose more than 50% of the value.',
    ]);
    assert.deepEqual(words(quoted(350_000_000n, SELLING), 'SWP-3'), [
      'The swap guarantees less than 90% of the value that it takes. Sign only if you accept that.',
    ]);
    const slipping = (slippage_bps: number, slippageBps = 300): Review =>
      reviewDrafts({ ...ZAP_OUT, slippageBps, references: [SELLING] }, [{ group: 'swap', instructions: [route({ slippage_bps })] }]);
    assert.deepEqual(words(slipping(325), 'SWP-2'), [
      'The swap could pay out 3.25% less than quoted. You allowed 3%. Sign only if you accept that.',
    ]);
    assert.deepEqual(words(slipping(5_001), 'SWP-2'), ['The swap could pay out 50.01% less than quoted. Binsight blocks more than 50%.']);
    const charging = reviewDrafts({ ...ZAP_OUT, references: [SELLING] }, [
      { group: 'swap', instructions: [route({ platform_fee_bps: 225 }, { platform_fee_account: THIEF })] },
    ]);
    assert.match(words(charging, 'SWP-4')[0] ?? '', new RegExp(`^The swap pays a fee to ${THIEF}: platform fee \\(2\\.25%\\)\\.$`));
  });

  it('The review asks if there is no price to compare with', () => {
    const others = [
      price(addressOf('another mint'), 1n, WRAPPED_SOL_MINT, 1n),
      price(MINT, 0n, WRAPPED_SOL_MINT, 1n),
      price(MINT, 1n, WRAPPED_SOL_MINT, 0n),
    ];
    for (const references of [[], others]) {
      const review = quoted(1_000_000n, ...references);
      assert.deepEqual(rules(review, 'SWP-9'), ['confirm']);
      assert.deepEqual(objections(review), ['confirm SWP-9']);
    }
  });

  it('The review uses the worst of several prices', () => {
    assert.deepEqual(objections(quoted(380_000_000n, SELLING, price(MINT, 1_000_000n, WRAPPED_SOL_MINT, 80_000_001n))), ['confirm SWP-9']);
  });

  it('SWP-3: The review asks about a zap-out that guarantees less than 90% of its shown worth', () => {
    const withSlippage = (slippage_bps: number, slippageBps: number): string[] =>
      objections(
        reviewDrafts({ ...ZAP_OUT, slippageBps, references: [SELLING] }, [{ group: 'swap', instructions: [route({ slippage_bps })] }]),
      );
    assert.deepEqual(withSlippage(1_000, 1_000), []);
    assert.deepEqual(withSlippage(1_001, 1_001), ['confirm SWP-3']);
  });

  it('The review measures a swap in the pool by its minimum result', () => {
    const least = (min_amount_out: bigint): Review =>
      reviewDrafts({ ...ZAP_OUT, references: [BUYING] }, [
        { group: 'swap', instructions: [dlmm('swap', { amount_in: 5_000_000n, min_amount_out })] },
      ]);
    assert.deepEqual(rules(least(380_000_000n), 'SWP-9'), []);
    assert.deepEqual(rules(least(379_999_999n), 'SWP-9'), ['confirm']);
    assert.deepEqual(rules(least(199_999_999n), 'SWP-9'), ['block']);
  });

  it('The review measures a swap with a fixed result by its cost', () => {
    const cost = (quoted_in_amount: bigint): Review => {
      const swap = route({ out_amount: 400_000_000n, quoted_in_amount, slippage_bps: 0 }, {}, 'exact_out_route');
      return reviewDrafts({ ...ZAP_OUT, references: [SELLING] }, [{ group: 'swap', instructions: [swap] }]);
    };
    // 400 M lamports are 95% of what 5263157.89 of the token are worth.
    assert.deepEqual(rules(cost(5_263_157n), 'SWP-9'), []);
    assert.deepEqual(rules(cost(5_263_158n), 'SWP-9'), ['confirm']);
    assert.deepEqual(rules(cost(10_000_001n), 'SWP-9'), ['block']);
  });

  it('The review gives the same findings for a price and its inverse, for all amounts', () => {
    const amount = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(amount, amount, amount, (quote, sold, bought) => {
        const one = quoted(quote, price(MINT, sold, WRAPPED_SOL_MINT, bought));
        const other = quoted(quote, price(WRAPPED_SOL_MINT, bought, MINT, sold));
        assert.deepEqual(one.findings, other.findings);
        const [is, should] = [quote * sold, 5_000_000n * bought];
        assert.equal(rules(one, 'SWP-9')[0] === 'block', is * 2n < should || is > should * 2n);
      }),
      { numRuns: 60 },
    );
  });
});

describe('review: slippage', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const bps = fc.bigInt({ min: 0n, max: 10_000n });

  it('The computed slippage is the smallest that reaches the minimum', () => {
    fc.assert(
      fc.property(amount, amount, (expected, least) => {
        const between = slippageBetween(expected, least);
        assert.ok(lessSlippage(expected, BigInt(between)) <= least || least > expected || between === 0);
        assert.ok(between === 0 || lessSlippage(expected, BigInt(between - 1)) > least);
        assert.ok(between >= 0 && between <= 10_000);
      }),
    );
  });

  it('The computed slippage equals the slippage that was taken off the quote', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10_000n, max: 2n ** 64n - 1n }),
        bps,
        (expected, taken) => slippageBetween(expected, lessSlippage(expected, taken)) === Number(taken),
      ),
    );
  });

  it('Slippage never makes a result larger or a cost smaller', () => {
    fc.assert(fc.property(amount, bps, (quote, taken) => lessSlippage(quote, taken) <= quote && plusSlippage(quote, taken) >= quote));
    assert.equal(lessSlippage(10n ** 18n, 65_535n), 0n);
  });
});
