import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { addressFromBytes } from '../../../src/base/solana/address';
import { base64FromBytes } from '../../../src/base/solana/wireTransaction';
import { dlmmBinArray } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { reviewOperation } from '../../../src/review/review';
import type { Intent, Review, TransactionGroup } from '../../../src/review/types';
import { buildAdd, buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import { TRANSACTION_FORMATS, type PoolAccounts, type SwapHop, type SwapPlan } from '../../../src/engine/assembly/types';
import {
  addressOf,
  BLOCKHASH,
  keyOf,
  MINT,
  NOW_MS,
  objections,
  OWNER,
  POOL,
  POSITION,
  SHOWN_WITH_USDC,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/review/bundles';

// The sandbox builds its transactions apart from the review, in all formats; what it builds for a wish must be what the review takes for it.

const SOL = { mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token };
const TOKEN = { mint: MINT, tokenProgram: PROGRAMS.token };
const NEWER_TOKEN = { mint: MINT, tokenProgram: PROGRAMS.token2022 };
const USDC = { mint: USDC_MINT, tokenProgram: PROGRAMS.token };
const tip = { account: JITO_TIP_ACCOUNTS[3] ?? POOL, lamports: 1_000_000n };
const terms = { owner: OWNER, blockhash: BLOCKHASH, microLamportsPerComputeUnit: 100_000n, tip };

const poolOf = (tokenX: typeof TOKEN, tokenY: typeof TOKEN, name = 'pool'): PoolAccounts => ({ pool: addressOf(name), tokenX, tokenY });

function hop(via: PoolAccounts, sells: 'x' | 'y'): SwapHop {
  return { type: 'bins', via, sells, binArrays: [-1, 0, 1].map((index) => dlmmBinArray(via.pool, index)) };
}

function swapThrough(inAmount: bigint, ...hops: readonly SwapHop[]): SwapPlan {
  return { hops, inAmount, quotedOut: 9_000_000n, slippageBps: 300 };
}

/** Sells token X at the price that the user was shown. */
function sellX(via: PoolAccounts): SwapPlan {
  return swapIn(via, 'x', 112_500n);
}

function swapIn(via: PoolAccounts, sells: 'x' | 'y', inAmount: bigint): SwapPlan {
  return swapThrough(inAmount, hop(via, sells));
}

function review(intent: Intent, ...groups: readonly (readonly [TransactionGroup, readonly Uint8Array[]])[]): Review {
  const transactions = groups.flatMap(([group, list]) => list.map((bytes) => ({ group, base64: base64FromBytes(bytes) })));
  return reviewOperation({ intent, transactions, lastValidBlockHeight: 9, nowMs: NOW_MS });
}

const formats = fc.constantFrom(...TRANSACTION_FORMATS);
const range = fc.record({ fromBinId: fc.integer({ min: -400, max: 400 }), width: fc.integer({ min: 1, max: 280 }) });

describe('review: bundles of the sandbox', function () {
  it('The review allows every withdrawal that the sandbox builds', () => {
    fc.assert(
      fc.property(
        range,
        fc.integer({ min: 1, max: 10_000 }),
        fc.boolean(),
        fc.boolean(),
        formats,
        ({ fromBinId, width }, shareBps, newer, swaps, format) => {
          const pool = poolOf(newer ? NEWER_TOKEN : TOKEN, SOL);
          const built = buildDecrease({
            type: 'bins',
            ...terms,
            format,
            pool,
            position: POSITION,
            fromBinId,
            toBinId: fromBinId + width - 1,
            shareBps,
            swaps: swaps ? [sellX(pool)] : [],
          });
          const result = review(
            { ...ZAP_OUT, shareBps, output: swaps ? 'allBaseToken' : 'both' },
            ['close', built.closeTransactions],
            ['swap', built.swapTransactions],
          );
          assert.deepEqual(objections(result), []);
          assert.deepEqual(
            result.recipients.map(({ role }) => role),
            ['Jito tip'],
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  it('The review allows a withdrawal from a pool without SOL that swaps both tokens', () => {
    const pool = poolOf(TOKEN, USDC);
    const dollars = poolOf(SOL, USDC, 'SOL to USDC');
    const swaps = [swapThrough(5n, hop(pool, 'x'), hop(dollars, 'y')), swapIn(dollars, 'y', 1_476_000n)];
    const built = buildDecrease({ type: 'bins', ...terms, pool, position: POSITION, fromBinId: 0, toBinId: 30, shareBps: 10_000, swaps });
    const result = review(
      { ...ZAP_OUT, tokenY: USDC_MINT, ...SHOWN_WITH_USDC },
      ['close', built.closeTransactions],
      ['swap', built.swapTransactions],
    );
    assert.deepEqual(objections(result), []);
  });

  it('The review allows a deposit into a pool without SOL, and asks if the second swap stands alone', () => {
    const pool = poolOf(TOKEN, USDC);
    const dollars = poolOf(SOL, USDC, 'SOL to USDC');
    const inputLamports = 1_000_000_000n;
    const half = inputLamports / 2n;
    const objectionsTo = (...swaps: readonly SwapPlan[]): string[] => {
      const built = buildAdd({
        type: 'bins',
        ...terms,
        pool,
        binStepBps: 25,
        positionSeed: keyOf('position').secretKey.slice(0, 32),
        strategy: 'Spot',
        fromBinId: -10,
        toBinId: 10,
        activeBinId: 0,
        maxActiveBinSlippage: 3,
        amountX: 8_900_000n,
        amountY: 8_900_000n,
        wrapLamports: inputLamports,
        swaps,
        missingBinArrayIndexes: [],
      });
      const references = [
        { inMint: WRAPPED_SOL_MINT, inAmountRaw: half, outMint: USDC_MINT, outAmountRaw: 9_000_000n },
        { inMint: WRAPPED_SOL_MINT, inAmountRaw: half, outMint: MINT, outAmountRaw: 9_000_000n },
        { inMint: USDC_MINT, inAmountRaw: 9_000_000n, outMint: MINT, outAmountRaw: 9_000_000n },
      ];
      const intent: Intent = {
        ...ZAP_IN,
        position: built.position,
        tokenY: USDC_MINT,
        inputLamports,
        fromBinId: -10,
        toBinId: 10,
        references,
      };
      const result = review(intent, ['swap', built.swapTransactions], ['add', built.addTransactions]);
      assert.deepEqual(
        result.minimumOut.map(({ mint }) => mint),
        swaps.map(({ hops }) => (hops.at(-1)?.via === pool ? MINT : USDC_MINT)),
      );
      return objections(result);
    };
    assert.deepEqual(objectionsTo(swapThrough(half, hop(dollars, 'x'), hop(pool, 'y')), swapIn(dollars, 'x', half)), []);
    assert.deepEqual(objectionsTo(swapIn(dollars, 'x', half), swapIn(pool, 'y', 9_000_000n)), ['confirm SWP-6']);
  });

  it('The review allows every deposit that the sandbox builds', () => {
    const strategies = fc.constantFrom('Spot', 'Curve', 'BidAsk');
    fc.assert(
      fc.property(range, strategies, fc.nat({ max: 10 }), formats, ({ fromBinId, width }, strategy, tenthsSwapped, format) => {
        const pool = poolOf(TOKEN, SOL);
        const inputLamports = 2_000_000_000n;
        const swapped = (inputLamports * BigInt(tenthsSwapped)) / 10n;
        const toBinId = fromBinId + width - 1;
        const activeBinId = fromBinId + Math.floor((width - 1) * (1 - tenthsSwapped / 10));
        const seed = keyOf('position').secretKey.slice(0, 32);
        const built = buildAdd({
          type: 'bins',
          ...terms,
          format,
          pool,
          binStepBps: 25,
          positionSeed: seed,
          strategy,
          fromBinId,
          toBinId,
          activeBinId,
          maxActiveBinSlippage: 3,
          amountX: tenthsSwapped === 0 ? 0n : 8_900_000n,
          amountY: inputLamports - swapped,
          wrapLamports: inputLamports,
          swaps: swapped > 0n ? [swapIn(pool, 'y', swapped)] : [],
          missingBinArrayIndexes: [Math.floor(fromBinId / 70)],
        });
        const references = [{ inMint: WRAPPED_SOL_MINT, inAmountRaw: swapped, outMint: MINT, outAmountRaw: 9_000_000n }];
        const intent: Intent = { ...ZAP_IN, position: built.position, inputLamports, strategy, fromBinId, toBinId, references };
        const result = review(intent, ['swap', built.swapTransactions], ['add', built.addTransactions]);
        assert.deepEqual(objections(result), []);
        assert.ok(result.spends.consumedLamports <= inputLamports);
      }),
      { numRuns: 25 },
    );
  });

  it('The review objects to the transactions of the sandbox if the user requested something else', () => {
    const pool = poolOf(TOKEN, SOL);
    const built = buildDecrease({
      type: 'bins',
      ...terms,
      pool,
      position: POSITION,
      fromBinId: 0,
      toBinId: 30,
      shareBps: 10_000,
      swaps: [sellX(pool)],
    });
    const against = (intent: Intent): string[] =>
      objections(review(intent, ['close', built.closeTransactions], ['swap', built.swapTransactions]));
    const stranger = addressFromBytes(new Uint8Array(32).fill(5));
    assert.deepEqual(against({ ...ZAP_OUT, position: stranger }), ['block DLMM-1']);
    assert.ok(against({ ...ZAP_OUT, pool: stranger }).includes('block DLMM-1'));
    assert.ok(against({ ...ZAP_OUT, owner: stranger }).includes('block SIG-1'));
    assert.deepEqual(against({ ...ZAP_OUT, shareBps: 2_500 }), ['confirm DLMM-4']);
    assert.deepEqual(against({ ...ZAP_OUT, slippageBps: 299 }), ['confirm SWP-2']);
    assert.ok(against(ZAP_IN).includes('block DLMM-8'));
  });
});
