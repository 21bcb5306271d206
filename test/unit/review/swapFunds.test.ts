import assert from 'node:assert/strict';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { Review, ZapInIntent, ZapOutIntent } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  buyToken,
  type Draft,
  honestZapIn,
  honestZapOut,
  MINT,
  objections,
  objectionsBesidesPrice,
  openPosition,
  OWN_SOL,
  OWNER,
  POSITION_KEY,
  removal,
  reviewDrafts,
  route,
  syncNative,
  transferSol,
  UNPRICED_OUT,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
} from './bundles';

const wrap = (lamports: bigint): Draft['instructions'] => [transferSol(OWN_SOL, lamports), syncNative()];
const buy = (lamports: bigint): Draft['instructions'] => [buyToken({ in_amount: lamports })];
const zapIn = (...transactions: readonly Draft['instructions'][]): string[] =>
  objections(
    reviewDrafts(
      ZAP_IN,
      transactions.map((instructions) => ({ group: 'swap', instructions })),
    ),
  );

/** Sells so much of the token, in one swap each. */
function sell(worth: ZapOutIntent['worth'], ...amounts: readonly bigint[]): Review {
  const drafts = amounts.map((in_amount): Draft => ({ group: 'swap', instructions: [route({ in_amount })] }));
  return reviewDrafts({ ...UNPRICED_OUT, worth }, drafts);
}

describe('review: what swaps may sell (SWP-7)', () => {
  it('a zap-in swaps what is wrapped before', () => {
    assert.deepEqual(zapIn([...wrap(500n), ...buy(500n)]), []);
    assert.deepEqual(zapIn([...wrap(500n), ...buy(501n)]), ['confirm SWP-7']);
    assert.deepEqual(zapIn(buy(1n)), ['confirm SWP-7']);
    assert.deepEqual(zapIn([...buy(500n), ...wrap(500n)]), ['confirm SWP-7']);
  });

  it('what an earlier transaction wrapped and did not use is there for later ones, until it is unwrapped', () => {
    assert.deepEqual(zapIn([...wrap(500n), ...buy(200n)], buy(300n)), []);
    assert.deepEqual(zapIn([...wrap(500n), ...buy(200n)], buy(301n)), ['confirm SWP-7']);
    assert.deepEqual(zapIn([...wrap(500n), ...buy(200n), unwrap()], buy(300n)), ['confirm SWP-7']);
  });

  it('what a deposit has used is gone for swaps', () => {
    const [swap] = honestZapIn();
    const add: Draft = { group: 'add', signers: [POSITION_KEY], instructions: [openPosition(), addByStrategy()] };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [swap, add])), []);
    const after: Draft = { group: 'add', instructions: buy(1n) };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [swap, add, after])), ['confirm SWP-7']);
  });

  it('names the transaction and the lamports', () => {
    const review = reviewDrafts(ZAP_IN, [
      { group: 'swap', instructions: [...wrap(500n), ...buy(200n)] },
      { group: 'swap', instructions: buy(1_000n) },
    ]);
    const [finding] = review.findings.filter(({ rule }) => rule === 'SWP-7');
    assert.deepEqual([finding?.transaction, finding?.amountRaw], [1, 700n]);
  });

  it('a zap-out sells no more than the share is worth, all swaps together', () => {
    const worth = [
      { mint: MINT, amountRaw: 10_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
    ];
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 11_000_000n)), []);
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 11_000_001n)), ['confirm SWP-7']);
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 5_000_000n, 6_000_000n)), []);
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 5_000_000n, 6_000_001n)), ['confirm SWP-7']);
  });

  it('half of each token is one whole, and a token that the position has none of is none', () => {
    const worth = [
      { mint: MINT, amountRaw: 10_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
    ];
    const both = (sol: bigint): string[] => {
      const solToToken = buyToken({ in_amount: sol });
      return objectionsBesidesPrice(
        reviewDrafts({ ...UNPRICED_OUT, worth, output: undefined }, [
          { group: 'swap', instructions: [route({ in_amount: 5_500_000n }), solToToken] },
        ]),
      );
    };
    assert.deepEqual(both(440_000_000n), []);
    assert.deepEqual(both(440_000_001n), ['confirm SWP-7']);
    assert.deepEqual(objectionsBesidesPrice(sell([{ mint: MINT, amountRaw: 0n }], 1n)), ['confirm SWP-7']);
  });

  it('asks where the worth of what is sold was not shown, however little it is', () => {
    for (const worth of [undefined, [], [{ mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n }]]) {
      assert.deepEqual(objectionsBesidesPrice(sell(worth, 1n)), ['confirm SWP-7']);
      assert.deepEqual(objectionsBesidesPrice(sell(worth, 2n ** 63n)), ['confirm SWP-7']);
    }
    const [close] = honestZapOut();
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, worth: undefined, references: [] }, [close])), [], 'nothing is sold');
  });

  it('asks about wrapped SOL where the pool has none, whatever its worth is said to be', () => {
    const worth = [
      { mint: MINT, amountRaw: 10_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 10n ** 12n },
    ];
    const withoutSol = { ...UNPRICED_OUT, worth, output: undefined, tokenY: addressOf('another mint') };
    assert.deepEqual(objectionsBesidesPrice(reviewDrafts(withoutSol, [{ group: 'swap', instructions: [buyToken({ in_amount: 5n })] }])), [
      'confirm SWP-7',
      'confirm SWP-6',
    ]);
  });

  it('asks about wrapped SOL also where the listing gives the pool SOL and the withdrawal names other tokens', () => {
    const other = addressOf('another mint');
    const close: Draft = {
      group: 'close',
      instructions: [removal(10_000, { token_y_mint: other, user_token_y: associatedTokenAddress(OWNER, other) })],
    };
    const swap: Draft = { group: 'swap', instructions: [buyToken({ in_amount: 5n })] };
    assert.deepEqual(objectionsBesidesPrice(reviewDrafts({ ...UNPRICED_OUT, output: undefined }, [close, swap])), [
      'confirm SWP-7',
      'confirm SWP-6',
    ]);
  });

  it('a zap-in deposits no more of a token than its swaps are expected to give', () => {
    const [swap, add, rest] = honestZapIn();
    const deposit = (amountX: bigint): Draft => ({ ...add, instructions: [openPosition(), addByStrategy({ amountX })] });
    const solOnly: ZapInIntent = { ...ZAP_IN, isSolOnly: true };
    const said = (intent: ZapInIntent, ...drafts: readonly Draft[]): string[] => objections(reviewDrafts(intent, drafts));
    for (const intent of [ZAP_IN, solOnly]) {
      // The swap is quoted at 4,100,000.
      assert.deepEqual(said(intent, swap, deposit(4_510_000n), rest), []);
      assert.deepEqual(said(intent, swap, deposit(4_510_001n), rest), ['confirm SWP-7']);
    }
    // Without a swap the tokens are the wallet's, unless the swap is no part of what is reviewed.
    assert.deepEqual(said(solOnly, deposit(1n)), ['confirm SWP-7']);
    assert.deepEqual(said(solOnly, deposit(0n)), []);
    assert.deepEqual(said(ZAP_IN, deposit(1n)), []);
  });
});
