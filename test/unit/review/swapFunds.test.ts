import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { Review, ZapInIntent, ZapOutIntent } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  buyToken,
  claim,
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
} from '../../support/review/bundles';

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

describe('review: funds that swaps may sell (SWP-7)', () => {
  it('A zap-in may swap only SOL that the operation wrapped before', () => {
    assert.deepEqual(zapIn([...wrap(500_000_000n), ...buy(500_000_000n)]), []);
    assert.deepEqual(zapIn([...wrap(500_000_000n), ...buy(500_000_001n)]), ['confirm SWP-7']);
    assert.deepEqual(zapIn(buy(500_000n)), ['confirm SWP-7']);
    assert.deepEqual(zapIn([...buy(500_000_000n), ...wrap(500_000_000n)]), ['confirm SWP-7']);
  });

  it('Later transactions may swap unused wrapped SOL of an earlier one until it is unwrapped', () => {
    assert.deepEqual(zapIn([...wrap(500_000_000n), ...buy(200_000_000n)], buy(300_000_000n)), []);
    assert.deepEqual(zapIn([...wrap(500_000_000n), ...buy(200_000_000n)], buy(300_000_001n)), ['confirm SWP-7']);
    assert.deepEqual(zapIn([...wrap(500_000_000n), ...buy(200_000_000n), unwrap()], buy(300_000_000n)), ['confirm SWP-7']);
  });

  it('A swap may not use SOL that a deposit has already used', () => {
    const [swap] = honestZapIn();
    const add: Draft = { group: 'add', signers: [POSITION_KEY], instructions: [openPosition(), addByStrategy()] };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [swap, add])), []);
    const after: Draft = { group: 'add', instructions: buy(500_000n) };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [swap, add, after])), ['confirm SWP-7']);
  });

  it('The finding about excess sales names the transaction and the lamports', () => {
    const review = reviewDrafts(ZAP_IN, [
      { group: 'swap', instructions: [...wrap(500_000_000n), ...buy(200_000_000n)] },
      { group: 'swap', instructions: buy(1_000_000_000n) },
    ]);
    const [finding] = review.findings.filter(({ rule }) => rule === 'SWP-7');
    assert.deepEqual([finding?.transaction, finding?.amountRaw], [1, 700_000_000n]);
  });

  it('A zap-out may sell no more than the share is worth in all swaps together', () => {
    const worth = [
      { mint: MINT, amountRaw: 10_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
    ];
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 11_000_000n)), []);
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 11_000_001n)), ['confirm SWP-7']);
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 5_000_000n, 6_000_000n)), []);
    assert.deepEqual(objectionsBesidesPrice(sell(worth, 5_000_000n, 6_000_001n)), ['confirm SWP-7']);
  });

  it('The limit applies to the sum of both tokens as shares, and a token without worth may not be sold', () => {
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

  it('The review asks about any sale of a token whose worth was not shown', () => {
    for (const worth of [undefined, [], [{ mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n }]]) {
      assert.deepEqual(objectionsBesidesPrice(sell(worth, 1n)), ['confirm SWP-7']);
      assert.deepEqual(objectionsBesidesPrice(sell(worth, 2n ** 63n)), ['confirm SWP-7']);
    }
    const [close] = honestZapOut();
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, worth: undefined, references: [] }, [close])), [], 'nothing is sold');
  });

  it('The review asks about a sale of wrapped SOL if the pool has none, whatever the shown worth', () => {
    const worth = [
      { mint: MINT, amountRaw: 10_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 10n ** 12n },
    ];
    const withoutSol = { ...UNPRICED_OUT, worth, output: undefined, tokenY: addressOf('another mint') };
    assert.deepEqual(
      objectionsBesidesPrice(reviewDrafts(withoutSol, [{ group: 'swap', instructions: [buyToken({ in_amount: 5_000_000n })] }])),
      ['confirm SWP-7', 'confirm SWP-6'],
    );
  });

  it('The review asks about a sale of wrapped SOL if the withdrawal names other tokens than the listing', () => {
    const other = addressOf('another mint');
    const close: Draft = {
      group: 'close',
      instructions: [removal(10_000, { token_y_mint: other, user_token_y: associatedTokenAddress(OWNER, other) })],
    };
    const swap: Draft = { group: 'swap', instructions: [buyToken({ in_amount: 5_000_000n })] };
    assert.deepEqual(objectionsBesidesPrice(reviewDrafts({ ...UNPRICED_OUT, output: undefined }, [close, swap])), [
      'confirm SWP-7',
      'confirm SWP-6',
    ]);
  });

  it('A zap-in may deposit no more of a token than its swaps buy at the known price, whatever their quotes say', () => {
    const [swap, add, rest] = honestZapIn();
    const deposit = (amountX: bigint): Draft => ({ ...add, instructions: [openPosition(), addByStrategy({ amountX })] });
    const solOnly: ZapInIntent = { ...ZAP_IN, isSolOnly: true };
    const said = (intent: ZapInIntent, ...drafts: readonly Draft[]): string[] => objections(reviewDrafts(intent, drafts));
    for (const intent of [ZAP_IN, solOnly]) {
      // The swap is quoted at 4,100,000.
      assert.deepEqual(said(intent, swap, deposit(4_510_000n), rest), []);
      assert.deepEqual(said(intent, swap, deposit(4_510_001n), rest), ['confirm SWP-7']);
    }
    // The quote limits the deposit only where it is below the price.
    const quoted = (quoted_out_amount: bigint): Draft => ({
      ...swap,
      instructions: [...swap.instructions.slice(0, -1), buyToken({ quoted_out_amount })],
    });
    assert.deepEqual(said(ZAP_IN, quoted(4_020_000n), deposit(4_422_001n), rest), ['confirm SWP-7']);
    assert.deepEqual(said(ZAP_IN, quoted(4_300_000n), deposit(4_510_000n), rest), []);
    assert.deepEqual(said(ZAP_IN, quoted(4_300_000n), deposit(4_510_001n), rest), ['confirm SWP-7']);
    // Without a swap the tokens are the wallet's, unless the swap is no part of what is reviewed.
    assert.deepEqual(said(solOnly, deposit(1n)), ['confirm SWP-7']);
    assert.deepEqual(said(solOnly, deposit(0n)), []);
    assert.deepEqual(said(ZAP_IN, deposit(1n)), []);
  });

  it('Where no price is known, nothing is known to be bought, so a deposit is a question for itself', () => {
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_IN, references: [] }, honestZapIn())), ['confirm SWP-7', 'confirm SWP-9']);
  });
});

const [CLOSE] = honestZapOut();
const held = (token: bigint | undefined, lamports: bigint | undefined): NonNullable<ZapOutIntent['holdings']> => [
  ...(token === undefined ? [] : [{ mint: MINT, amountRaw: token }]),
  ...(lamports === undefined ? [] : [{ mint: WRAPPED_SOL_MINT, amountRaw: lamports }]),
];
/** A position that is worth 10,000,000 of the token or 800,000,000 lamports. */
const selling = (holdings: ZapOutIntent['holdings'], amountRaw: bigint, part: Partial<ZapOutIntent> = {}): Review =>
  reviewDrafts({ ...UNPRICED_OUT, holdings, ...part }, [CLOSE, { group: 'swap', instructions: [route({ in_amount: amountRaw })] }]);
const said = (review: Review): string[] => objectionsBesidesPrice(review);

describe("review: limit of a zap-out's sales of each token (SWP-7)", () => {
  it("The limit of a sale is the holding of the token plus a tenth of the position's worth", () => {
    const holdings = held(5_000_000n, 400_000_000n);
    assert.deepEqual(said(selling(holdings, 6_000_000n)), []);
    assert.deepEqual(said(selling(holdings, 6_000_001n)), ['confirm SWP-7']);
    const other: Draft = { group: 'swap', instructions: [buyToken({ in_amount: 480_000_001n })] };
    assert.deepEqual(said(reviewDrafts({ ...UNPRICED_OUT, holdings, output: undefined }, [CLOSE, other])), ['confirm SWP-7']);
  });

  it('The limit of a sale is zero for a token that the position does not hold, whatever the position is worth', () => {
    assert.deepEqual(said(selling(held(0n, 800_000_000n), 1n)), ['confirm SWP-7']);
  });

  it('The limit of a sale is ten times the holding, because a false listed price can inflate the worth', () => {
    const cheap = [
      { mint: MINT, amountRaw: 10n ** 13n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
    ];
    const holdings = held(10_000n, 800_000_000n);
    assert.deepEqual(said(selling(holdings, 100_000n, { worth: cheap })), []);
    assert.deepEqual(said(selling(holdings, 100_001n, { worth: cheap })), ['confirm SWP-7']);
  });

  it('The review asks if the worth of one of the two tokens is missing', () => {
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
      assert.ok(said(selling(held(10n ** 13n, 0n), 5n, { worth })).includes('confirm SWP-7'));
    }
  });

  it('The review asks about a sale after a claim without a withdrawal of liquidity', () => {
    const swap: Draft = { group: 'swap', instructions: [route()] };
    const claiming: Draft = { group: 'close', instructions: [claim()] };
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, holdings: held(5_000_000n, 400_000_000n) }, [claiming, swap])), [
      'confirm SWP-7',
    ]);
  });

  it('The review asks about a sale after a smaller withdrawal than the user requested', () => {
    const swap: Draft = { group: 'swap', instructions: [route()] };
    const taking = (...shares: readonly number[]): Draft => ({ group: 'close', instructions: shares.map((bps) => removal(bps)) });
    const intent = { ...ZAP_OUT, shareBps: 5_000, holdings: held(5_000_000n, 400_000_000n) };
    assert.deepEqual(objections(reviewDrafts(intent, [taking(2_499, 2_500), swap])), ['confirm SWP-7']);
    assert.deepEqual(objections(reviewDrafts(intent, [taking(2_500, 2_500), swap])), []);
    assert.deepEqual(objections(reviewDrafts(intent, [taking(2_499, 2_500)])), [], 'nothing is sold');
  });

  it('The review asks about a sale if the holdings of the position were not shown', () => {
    for (const holdings of [[], held(undefined, 400_000_000n)]) {
      assert.deepEqual(said(selling(holdings, 5n)), ['confirm SWP-7']);
    }
    assert.deepEqual(
      objections(reviewDrafts({ ...ZAP_OUT, holdings: [], worth: undefined, references: [] }, [CLOSE])),
      [],
      'nothing is sold',
    );
  });

  it('The review asks about a sale without any withdrawal from the pool', () => {
    const swap: Draft = { group: 'swap', instructions: [route()] };
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, holdings: held(5_000_000n, 400_000_000n) }, [swap])), ['confirm SWP-7']);
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_OUT, holdings: held(5_000_000n, 400_000_000n) }, [CLOSE, swap])), []);
  });

  it('The review asks if holdings and worth contradict each other', () => {
    assert.deepEqual(said(selling(held(5_500_000n, 440_000_000n), 5n)), []);
    assert.deepEqual(said(selling(held(5_500_001n, 440_000_000n), 5n)), ['confirm SWP-7']);
    assert.deepEqual(said(selling(held(5_000n, 400_000n), 5n)), ['confirm SWP-7']);
    const inflated = [
      { mint: MINT, amountRaw: 10n ** 15n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 8n * 10n ** 16n },
    ];
    assert.deepEqual(said(selling(held(5_000_000n, 400_000_000n), 5n, { worth: inflated })), ['confirm SWP-7']);
  });

  it('The review allows exactly the sales within the holding plus a tenth of the worth, for all amounts', () => {
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
