import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Review, ZapOutIntent } from '../../../src/review/types';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import {
  buyToken,
  claim,
  honestZapOut,
  MINT,
  objections,
  objectionsBesidesPrice,
  removal,
  reviewDrafts,
  route,
  UNPRICED_OUT,
  ZAP_OUT,
  type Draft,
} from './bundles';

const [CLOSE] = honestZapOut();
const held = (token: bigint | undefined, lamports: bigint | undefined): NonNullable<ZapOutIntent['holdings']> => [
  ...(token === undefined ? [] : [{ mint: MINT, amountRaw: token }]),
  ...(lamports === undefined ? [] : [{ mint: WRAPPED_SOL_MINT, amountRaw: lamports }]),
];
/** A position that is worth 10,000,000 of the token or 800,000,000 lamports. */
const selling = (holdings: ZapOutIntent['holdings'], amountRaw: bigint, part: Partial<ZapOutIntent> = {}): Review =>
  reviewDrafts({ ...UNPRICED_OUT, holdings, ...part }, [CLOSE, { group: 'swap', instructions: [route({ in_amount: amountRaw })] }]);
const said = (review: Review): string[] => objectionsBesidesPrice(review);

describe('review: what a zap-out sells of each token (SWP-7)', () => {
  it('is no more than the position holds of it, and a tenth of its worth', () => {
    const holdings = held(5_000_000n, 400_000_000n);
    assert.deepEqual(said(selling(holdings, 6_000_000n)), []);
    assert.deepEqual(said(selling(holdings, 6_000_001n)), ['confirm SWP-7']);
    const other: Draft = { group: 'swap', instructions: [buyToken({ in_amount: 480_000_001n })] };
    assert.deepEqual(said(reviewDrafts({ ...UNPRICED_OUT, holdings, output: undefined }, [CLOSE, other])), ['confirm SWP-7']);
  });

  it('is nothing of a token that the position holds none of, although the position is worth that much', () => {
    assert.deepEqual(said(selling(held(0n, 800_000_000n), 1n)), ['confirm SWP-7']);
  });

  it('is no more than ten times what the position holds, since a listed price that is a million times too low makes its worth as large', () => {
    const cheap = [
      { mint: MINT, amountRaw: 10n ** 13n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
    ];
    const holdings = held(10_000n, 800_000_000n);
    assert.deepEqual(said(selling(holdings, 100_000n, { worth: cheap })), []);
    assert.deepEqual(said(selling(holdings, 100_001n, { worth: cheap })), ['confirm SWP-7']);
  });

  it('is a question where the worth of one of the two tokens is missing, so that nothing can be compared', () => {
    for (const worth of [
      [{ mint: MINT, amountRaw: 10n ** 13n }],
      [
        { mint: MINT, amountRaw: 10n ** 13n },
        { mint: WRAPPED_SOL_MINT, amountRaw: 0n },
      ],
      [
        { mint: MINT, amountRaw: -5n },
        { mint: WRAPPED_SOL_MINT, amountRaw: -5n },
      ],
    ]) {
      assert.deepEqual(said(selling(held(10n ** 13n, 0n), 5n, { worth })), ['confirm SWP-7']);
    }
  });

  it('is a question where fees are claimed and no liquidity is taken out', () => {
    const swap: Draft = { group: 'swap', instructions: [route()] };
    const claiming: Draft = { group: 'close', instructions: [claim()] };
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, holdings: held(5_000_000n, 400_000_000n) }, [claiming, swap])), [
      'confirm SWP-7',
    ]);
  });

  it('is a question where less liquidity is taken out than was asked for', () => {
    const swap: Draft = { group: 'swap', instructions: [route()] };
    const taking = (...shares: readonly number[]): Draft => ({ group: 'close', instructions: shares.map((bps) => removal(bps)) });
    const intent = { ...ZAP_OUT, shareBps: 5_000, holdings: held(5_000_000n, 400_000_000n) };
    assert.deepEqual(objections(reviewDrafts(intent, [taking(2_499, 2_500), swap])), ['confirm SWP-7']);
    assert.deepEqual(objections(reviewDrafts(intent, [taking(2_500, 2_500), swap])), []);
    assert.deepEqual(objections(reviewDrafts(intent, [taking(2_499, 2_500)])), [], 'nothing is sold');
  });

  it('is a question where it was not shown how much the position holds', () => {
    for (const holdings of [[], held(undefined, 400_000_000n)]) {
      assert.deepEqual(said(selling(holdings, 5n)), ['confirm SWP-7']);
    }
    assert.deepEqual(
      objections(reviewDrafts({ ...ZAP_OUT, holdings: [], worth: undefined, references: [] }, [CLOSE])),
      [],
      'nothing is sold',
    );
  });

  it('is a question where nothing is taken out of the pool', () => {
    const swap: Draft = { group: 'swap', instructions: [route()] };
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, holdings: held(5_000_000n, 400_000_000n) }, [swap])), ['confirm SWP-7']);
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, holdings: held(5_000_000n, 400_000_000n) }, [CLOSE, swap])), []);
  });

  it('is a question where holdings and worth contradict each other', () => {
    assert.deepEqual(said(selling(held(5_500_000n, 440_000_000n), 5n)), []);
    assert.deepEqual(said(selling(held(5_500_001n, 440_000_000n), 5n)), ['confirm SWP-7']);
    assert.deepEqual(said(selling(held(5_000n, 400_000n), 5n)), ['confirm SWP-7']);
    const inflated = [
      { mint: MINT, amountRaw: 10n ** 15n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 8n * 10n ** 16n },
    ];
    assert.deepEqual(said(selling(held(5_000_000n, 400_000_000n), 5n, { worth: inflated })), ['confirm SWP-7']);
  });

  it('for all amounts: what passes is within the holdings and a tenth of the worth', () => {
    const amount = fc.bigInt({ min: 0n, max: 12_000_000n });
    fc.assert(
      fc.property(amount, amount, (holding, sold) => {
        // The rest of the position is SOL, at 80 lamports a raw unit.
        const rest = holding > 10_000_000n ? 0n : (10_000_000n - holding) * 80n;
        const isWithin = sold <= holding + 1_000_000n && sold <= holding * 10n && sold <= 11_000_000n && holding <= 11_000_000n;
        assert.deepEqual(said(selling(held(holding, rest), sold)).length === 0, isWithin || sold === 0n);
      }),
      { numRuns: 150 },
    );
  });
});
