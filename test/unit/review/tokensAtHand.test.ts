import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { describeReview } from '../../../src/review/describe/summary';
import type { TokenNames } from '../../../src/review/describe/tokenNames';
import type { Review, ZapInIntent } from '../../../src/review/types';
import { INTO_POSITION, TOKENS_IN } from '../../corpus/tokensIn';
import {
  addByStrategy,
  addressOf,
  createAta,
  dlmm,
  FROM_BIN,
  honestZapIn,
  honestZapOut,
  MINT,
  NO_SLICES,
  objections,
  openPosition,
  OWN_SOL,
  OWNER,
  POSITION_KEY,
  reviewDrafts,
  syncNative,
  transferSol,
  unwrap,
  VERSIONS,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { addDamm, createDamm, DAMM_IN, NFT_KEY } from '../../support/review/meteoraDrafts';

const OTHER = addressOf('another mint');
const TOKENS: TokenNames = (mint) =>
  mint === MINT ? { symbol: 'MEME', decimals: 6 } : mint === OTHER ? { symbol: 'OTHER', decimals: 2 } : undefined;
const wrap = (lamports: bigint): Draft['instructions'] => [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, lamports), syncNative()];
const adding = (...instructions: Draft['instructions']): Draft => ({ group: 'add', instructions, signers: [POSITION_KEY] });
const linesOf = (review: Review): Record<string, string> =>
  Object.fromEntries(describeReview(review, TOKENS).lines.map(({ label, text }) => [label, text]));
const inPlaceOfSol = { user_token_y: associatedTokenAddress(OWNER, OTHER), token_y_mint: OTHER };

describe('review: direct token deposits (mode normal)', () => {
  it('The review allows the chosen amounts of one or both tokens up to the tolerance', () => {
    const honest = (intent: ZapInIntent, ...drafts: readonly Draft[]): string[] => objections(reviewDrafts(intent, drafts));
    for (const version of VERSIONS) {
      assert.deepEqual(honest(TOKENS_IN, ...INTO_POSITION.drafts(version)), []);
    }
    assert.deepEqual(
      honest(TOKENS_IN, adding(...wrap(505_000_000n), openPosition(), addByStrategy({ amountX: 4_040_000n, amountY: 505_000_000n }))),
      [],
    );
    assert.deepEqual(
      honest({ ...TOKENS_IN, inputLamports: 0n }, adding(openPosition(), addByStrategy({ amountX: 4_000_000n, amountY: 0n }))),
      [],
    );
    assert.deepEqual(
      honest({ ...TOKENS_IN, tokens: [] }, adding(...wrap(500_000_000n), openPosition(), addByStrategy({ amountX: 0n }))),
      [],
    );
    const withoutSol: ZapInIntent = {
      ...TOKENS_IN,
      tokenY: OTHER,
      inputLamports: 0n,
      tokens: [
        { mint: MINT, amountRaw: 4_000_000n },
        { mint: OTHER, amountRaw: 700n },
      ],
    };
    assert.deepEqual(
      honest(withoutSol, adding(openPosition(), addByStrategy({ amountX: 4_000_000n, amountY: 700n, accounts: inPlaceOfSol }))),
      [],
    );
    assert.deepEqual(
      honest(withoutSol, adding(openPosition(), addByStrategy({ amountX: 4_000_000n, amountY: 708n, accounts: inPlaceOfSol }))),
      ['block LIM-1'],
    );
    const product: ZapInIntent = { ...DAMM_IN, inputLamports: 500_000_000n, tokens: [{ mint: MINT, amountRaw: 4_200_000n }] };
    assert.deepEqual(
      honest(
        product,
        { group: 'add', signers: [NFT_KEY], instructions: [...wrap(500_000_000n), createDamm(), addDamm()] },
        { group: 'add', instructions: [unwrap()] },
      ),
      [],
    );
  });

  it('The review does not confuse swap results with wallet tokens in either mode', () => {
    assert.ok(objections(reviewDrafts(TOKENS_IN, honestZapIn())).includes('block SWP-6'));
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_IN, isSolOnly: true }, INTO_POSITION.drafts(0))), ['confirm SWP-7']);
  });

  it('LIM-1: No split over several deposits takes more of either token than its amount and tolerance', () => {
    const deposit = fc.record({ x: fc.bigInt(0n, 3_000_000n), y: fc.bigInt(0n, 300_000_000n), own: fc.boolean() });
    fc.assert(
      fc.property(fc.array(deposit, { minLength: 1, maxLength: 4 }), (deposits) => {
        const parts = deposits.map(({ x, y }) => addByStrategy({ amountX: x, amountY: y }));
        const inOne = deposits.flatMap(({ own }, at) => (own ? [] : (parts[at] ?? [])));
        const alone = deposits.flatMap(({ own }, at) => (own ? (parts[at] ?? []) : []));
        const drafts = [
          adding(...wrap(500_000_000n), openPosition(), ...inOne),
          ...alone.map((one, at): Draft => ({ group: 'add', instructions: [one], blockhash: addressOf(`hash ${at}`) })),
        ];
        const [x, y] = [deposits.reduce((sum, one) => sum + one.x, 0n), deposits.reduce((sum, one) => sum + one.y, 0n)];
        const isTooMuch = x > 4_040_000n || y > 505_000_000n;
        assert.equal(objections(reviewDrafts(TOKENS_IN, drafts)).includes('block LIM-1'), isTooMuch, `${x} and ${y}`);
      }),
      { numRuns: 60 },
    );
  });

  it('The finding about an excess deposit names the token and its amount', () => {
    const review = reviewDrafts(TOKENS_IN, [adding(...wrap(1n), openPosition(), addByStrategy({ amountX: 9_000_000n, amountY: 1n }))]);
    const found = review.findings.find(({ rule, address }) => rule === 'LIM-1' && address === MINT);
    assert.deepEqual([found?.verdict, found?.amountRaw], ['block', 9_000_000n]);
    assert.match(found?.message ?? '', /would use 9000000 raw units of .+\. You entered 4000000 raw units of .+\.$/);
  });

  it('The review sums the amounts of a mint that the intent names several times', () => {
    const twice: ZapInIntent = {
      ...TOKENS_IN,
      tokens: [
        { mint: MINT, amountRaw: 3_000_000n },
        { mint: MINT, amountRaw: 1_000_000n },
      ],
    };
    assert.deepEqual(objections(reviewDrafts(twice, INTO_POSITION.drafts(0))), []);
    // SOL is measured by its lamports alone.
    const asToken: ZapInIntent = {
      ...TOKENS_IN,
      inputLamports: 0n,
      tokens: [...(TOKENS_IN.tokens ?? []), { mint: WRAPPED_SOL_MINT, amountRaw: 500_000_000n }],
    };
    assert.deepEqual(objections(reviewDrafts(asToken, INTO_POSITION.drafts(0))), ['block LIM-1']);
  });

  it('The review compares the entered decimals with those of the mint if an RPC tells them', () => {
    const known = {
      facts: {
        ...NO_FACTS,
        decimals: new Map([
          [MINT, 6],
          [OTHER, 2],
        ]),
      },
    };
    const reckonedWith = (decimals: number | undefined, amountRaw = 4_000_000n): string[] =>
      objections(
        reviewDrafts(
          {
            ...TOKENS_IN,
            tokens: [
              { mint: MINT, amountRaw, decimals },
              { mint: OTHER, amountRaw: 0n, decimals: 9 },
            ],
          },
          INTO_POSITION.drafts(0),
          undefined,
          known,
        ),
      );
    assert.deepEqual(reckonedWith(6), []);
    assert.deepEqual(reckonedWith(undefined), []);
    assert.deepEqual(reckonedWith(5), ['block LIM-1']);
    const offline = objections(
      reviewDrafts({ ...TOKENS_IN, tokens: [{ mint: MINT, amountRaw: 4_000_000n, decimals: 5 }] }, INTO_POSITION.drafts(0)),
    );
    assert.deepEqual(offline, []);
  });

  it('An RPC never overrules the known decimals of a well-known token: it must agree with them and with the service', () => {
    const said = (listed: number, onChain?: number): string[] =>
      objections(
        reviewDrafts({ ...ZAP_OUT, listedDecimals: [{ mint: WRAPPED_SOL_MINT, decimals: listed }] }, honestZapOut(), undefined, {
          facts: { ...NO_FACTS, ...(onChain === undefined ? {} : { decimals: new Map([[WRAPPED_SOL_MINT, onChain]]) }) },
        }),
      );
    assert.deepEqual(said(9), []);
    assert.deepEqual(said(9, 9), []);
    assert.deepEqual(said(6), ['block LIM-1'], 'wrong without an RPC');
    assert.deepEqual(said(6, 6), ['block LIM-1'], 'an RPC that agrees with the service');
    assert.deepEqual(said(9, 6), ['block LIM-1'], 'an RPC that is wrong alone');
  });

  it('The summary states the deposited tokens and that nothing is swapped', () => {
    const review = reviewDrafts(TOKENS_IN, INTO_POSITION.drafts(0));
    assert.equal(describeReview(review, TOKENS).title, 'zap-in');
    const lines = linesOf(review);
    assert.equal(lines['The swaps give at least'], 'nothing is swapped');
    assert.equal(lines['Tokens that move at most'], 'Into the position: 4 MEME');
    assert.match(lines['You spend at most'] ?? '', /^0\.5\d+ SOL \(Into swaps and the pool: 0\.5, /);
    const onlyTokens = reviewDrafts({ ...TOKENS_IN, inputLamports: 0n }, [
      adding(openPosition(), addByStrategy({ amountX: 4_000_000n, amountY: 0n })),
    ]);
    assert.equal(linesOf(onlyTokens)['Tokens that move at most'], 'Into the position: 4 MEME');
    assert.match(onlyTokens.findings.find(({ rule }) => rule === 'LIM-3')?.message ?? '', /SOL from your wallet\.$/);
    const onlySol = reviewDrafts({ ...TOKENS_IN, tokens: [] }, [
      adding(...wrap(500_000_000n), openPosition(), addByStrategy({ amountX: 0n })),
    ]);
    assert.match(linesOf(onlySol)['You spend at most'] ?? '', /Into swaps and the pool: 0\.5, /);
  });

  it('The review also limits deposits that name a share for each bin', () => {
    const byWeight = (amount: bigint): string[] =>
      objections(
        reviewDrafts(TOKENS_IN, [
          adding(
            openPosition(),
            dlmm('add_liquidity_by_weight2', {
              liquidity_parameter: {
                amount_x: amount,
                amount_y: 0n,
                active_id: 0,
                max_active_bin_slippage: 3,
                bin_liquidity_dist: [{ bin_id: FROM_BIN, weight: 1 }],
              },
              ...NO_SLICES,
            }),
          ),
        ]),
      );
    assert.deepEqual(byWeight(4_040_000n), []);
    assert.deepEqual(byWeight(4_040_001n), ['block LIM-1']);
  });
});
