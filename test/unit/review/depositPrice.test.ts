import assert from 'node:assert/strict';
import type { TransactionInstruction } from '@solana/web3.js';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { type ChainFacts, NO_FACTS } from '../../../src/review/facts/facts';
import type { Review, ZapInIntent } from '../../../src/review/types';
import { MINT, objections, openPosition, POOL, POSITION_KEY, reviewDrafts, TO_BIN } from '../../support/review/bundles';
import {
  byLiquidity,
  byLiquidityAt,
  byRebalance,
  byStrategy,
  byStrategyOneSide,
  byWeight,
  byWeightOneSide,
  byZap,
  byZapIntoDamm,
  exactAmounts,
  ledger,
  SHOWN_BIN,
  SHOWN_PRICE,
  type Bound,
} from '../../support/review/deposits';
import { createDamm, damm, NFT_KEY, thresholds } from '../../support/review/meteoraDrafts';

const intoBins = (instructions: readonly TransactionInstruction[], intent: ZapInIntent = SHOWN_BIN, facts?: ChainFacts): Review =>
  reviewDrafts(
    intent,
    [{ group: 'add', instructions: [openPosition(), ...instructions], signers: [POSITION_KEY] }],
    undefined,
    facts && { facts },
  );
const intoProduct = (instruction: TransactionInstruction, intent: ZapInIntent = SHOWN_PRICE, facts?: ChainFacts): Review =>
  reviewDrafts(intent, [{ group: 'add', instructions: [createDamm(), instruction], signers: [NFT_KEY] }], undefined, facts && { facts });
const chain = (activeBinId: number, binStepBps: number): ChainFacts => ({
  ...NO_FACTS,
  pools: new Map([[POOL, { kind: 'dlmm', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, activeBinId, binStepBps }]]),
});
const messageOf = (review: Review, rule: string): string => review.findings.find((finding) => finding.rule === rule)?.message ?? '';

describe('review: price of deposits (DLMM-7, DAMM-7)', () => {
  const FORMS: readonly (readonly [string, (bound: Bound) => readonly TransactionInstruction[], string[]])[] = [
    ['by strategy', (of) => [byStrategy(of)], []],
    ['by strategy, one token', (of) => [byStrategyOneSide(of)], []],
    ['by weight', (of) => [byWeight(of)], []],
    ['by weight, one token', (of) => [byWeightOneSide(of)], []],
    ['by rebalance', (of) => [byRebalance(of)], ['confirm DLMM-9']],
    ['by Meteora Zap', (of) => [...ledger(), byZap(of)], ['confirm ZAP-1']],
  ];
  for (const [name, form, own] of FORMS) {
    it(`A deposit ${name} may land as far from the shown bin as the tolerance and one move of the market, on either side`, () => {
      // ⌈(1% + 2%) / 1%⌉ + 1 = 4 bins.
      for (const of of [{ slippageBins: 4 }, { activeBinId: 3, slippageBins: 1 }, { activeBinId: -3, slippageBins: 1 }]) {
        assert.deepEqual(
          objections(intoBins(form(of)))
            .filter((found) => found !== 'confirm DLMM-7')
            .sort(),
          own,
        );
        // Only the bins around another active bin may be others than chosen.
        assert.doesNotMatch(messageOf(intoBins(form(of)), 'DLMM-7'), /lands/);
      }
      for (const of of [{ slippageBins: 5 }, { activeBinId: 4, slippageBins: 1 }, { activeBinId: -4, slippageBins: 1 }]) {
        assert.ok(intoBins(form(of)).findings.some(({ rule, message }) => rule === 'DLMM-7' && message.includes('lands only at')));
      }
    });
  }

  it('The question says at which prices the deposit lands, how far they are from the shown one, and what is lost at worst', () => {
    assert.equal(
      messageOf(intoBins([byStrategy({ slippageBins: 10 })]), 'DLMM-7'),
      'The deposit lands only at these prices: −9.47% to +10.5% against the price that you were shown (active bin -10 to 10). Your slippage tolerance covers less. At worst, 1.7% of the deposit is lost (0.008527347 SOL). Sign only if you accept that.',
    );
    assert.equal(
      messageOf(intoProduct(byLiquidityAt(50)), 'DAMM-7'),
      'The deposit lands only at these prices: −98% to +4900% against the price that you were shown. Your slippage tolerance covers less. At worst, 72% of the deposit is lost (0.368578644 SOL).',
    );
  });

  it('The question says what is lost in SOL also where SOL is the first token of the pool', () => {
    // Four raw units of the other token for each lamport: half as much SOL, and twice as much of the other, for the same liquidity.
    const references = [{ inMint: WRAPPED_SOL_MINT, outMint: MINT, inAmountRaw: 1_000n, outAmountRaw: 4_000n }];
    const liquidity_delta = BigInt(Math.floor(500_000_000 / Math.sqrt(50))) * 2n ** 64n;
    const add = damm(
      'add_liquidity',
      { params: { liquidity_delta, ...thresholds(250_000_000n, 1_000_000_000n) } },
      { token_a_mint: WRAPPED_SOL_MINT, token_b_mint: MINT },
    );
    assert.match(
      messageOf(intoProduct(add, { ...SHOWN_PRICE, references }), 'DAMM-7'),
      /At worst, 72% of the deposit is lost \(0\.184\d* SOL\)\./,
    );
  });

  it('The bins of the chain are compared with its own bin step, so that an RPC cannot make the review laxer', () => {
    const large: ZapInIntent = { ...SHOWN_BIN, binStepBps: 400 };
    assert.deepEqual(objections(intoBins([byStrategy({ slippageBins: 2 })], large, chain(0, 100))), []);
    assert.deepEqual(objections(intoBins([byStrategy({ slippageBins: 3 })], large, chain(0, 100))), ['confirm DLMM-7']);
    assert.deepEqual(objections(intoBins([byStrategy({ slippageBins: 3 })], SHOWN_BIN, chain(0, 400))), ['confirm DLMM-7']);
    const unknown: ZapInIntent = { ...SHOWN_BIN, binStepBps: undefined };
    assert.deepEqual(objections(intoBins([byStrategy({ slippageBins: 6 })], unknown, chain(0, 1))), ['confirm DLMM-7']);
  });

  it('The price that the user was shown gives the active bin where none was shown', () => {
    const priced: ZapInIntent = { ...SHOWN_BIN, activeBinId: undefined };
    assert.deepEqual(objections(intoBins([byStrategy({ slippageBins: 4 })], priced)), []);
    assert.deepEqual(objections(intoBins([byStrategy({ activeBinId: TO_BIN })], priced)), ['confirm DLMM-7']);
  });

  it('Exact amounts below the price are no question, wherever the price goes, and amounts above it are', () => {
    assert.deepEqual(objections(intoBins([exactAmounts(0)])), []);
    assert.deepEqual(objections(intoBins([exactAmounts(-4)])), []);
    assert.doesNotMatch(messageOf(intoBins([exactAmounts(-10)]), 'DLMM-7'), /lands/);
    assert.match(
      messageOf(intoBins([exactAmounts(5)]), 'DLMM-7'),
      /at least \+5.1% against the price that you were shown \(active bin at least 5\)/,
    );
    assert.deepEqual(objections(intoBins([exactAmounts(0)], { ...SHOWN_BIN, activeBinId: undefined, references: [] })), ['confirm DLMM-7']);
  });

  it('Weights are the chosen shape whatever they are scaled by, within their rounding', () => {
    const curve: ZapInIntent = { ...SHOWN_BIN, strategy: 'Curve' };
    const rank = (binId: number): number => (binId <= 0 ? 21 + binId : 20 - binId);
    assert.deepEqual(objections(intoBins([byWeight({}, (binId) => rank(binId) * 3_000)], curve)), []);
    assert.deepEqual(objections(intoBins([byWeight({}, (binId) => rank(binId) * 3_000 + (binId % 2))], curve)), []);
    assert.deepEqual(objections(intoBins([byWeight({}, (binId) => (binId === -20 ? 6_000 : rank(binId) * 3_000))], curve)), [
      'confirm DLMM-7',
    ]);
    assert.deepEqual(objections(intoBins([byWeight({}, (binId) => (binId === -9 ? 0 : 100))])), ['confirm DLMM-7']);
  });

  it('Liquidity of DAMM v2 may cost the thresholds within the tolerance of every known price', () => {
    assert.deepEqual(objections(intoProduct(byLiquidity())), []);
    // At 1.13 times the price, the liquidity costs √1.13 times as much SOL: the tolerance, and what prices of lists may differ by.
    assert.deepEqual(objections(intoProduct(byLiquidity({ mostY: 531_500_000n }))), []);
    assert.deepEqual(objections(intoProduct(byLiquidity({ mostY: 531_600_000n }))), ['confirm DAMM-7']);
    assert.deepEqual(objections(intoProduct(byLiquidity({ mostX: 535_700_000n }))), []);
    assert.deepEqual(objections(intoProduct(byLiquidity({ mostX: 536_300_000n }))), ['confirm DAMM-7']);
    assert.deepEqual(objections(intoProduct(byZapIntoDamm(100))), ['block ZAP-1', 'confirm ZAP-1']);
  });

  it('The range of the pool on the chain widens the prices at which liquidity lands', () => {
    const one = 2n ** 64n;
    const pool = { kind: 'dammV2', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, sqrtPriceQ64: one } as const;
    const within = (minQ64: bigint, maxQ64: bigint): ChainFacts => ({
      ...NO_FACTS,
      pools: new Map([[POOL, { ...pool, range: { minQ64, maxQ64 } }]]),
    });
    // From a quarter of the price to four times the price, the liquidity costs half of what it would over the full range.
    const range = within(one / 2n, 2n * one);
    assert.deepEqual(objections(intoProduct(byLiquidity({ mostX: 251_000_000n, mostY: 251_000_000n }), SHOWN_PRICE, range)), []);
    assert.deepEqual(objections(intoProduct(byLiquidity(), SHOWN_PRICE, range)), ['block DAMM-7']);
  });

  it('The review asks if the shown price and the shown active bin contradict each other', () => {
    const wrong: ZapInIntent = { ...SHOWN_BIN, activeBinId: 10, binStepBps: 400 };
    assert.deepEqual(objections(intoBins([byStrategy()], SHOWN_BIN)), []);
    assert.deepEqual(objections(intoBins([byStrategy({ activeBinId: 10 })], wrong)), []);
    assert.deepEqual(objections(intoBins([byStrategy({ activeBinId: 20 })], { ...wrong, activeBinId: 20 })), ['confirm SWP-9']);
  });
});
