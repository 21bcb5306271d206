import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binArraysOf } from '../../../src/base/dlmm/bins';
import { spreadOverBins } from '../../../src/base/dlmm/strategy';
import type { Address } from '../../../src/base/solana/address';
import { DLMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dlmmInstructions';
import { encodeInstruction, instructionNamed } from '../../../src/base/solana/instructionCodec';
import { associatedTokenAddress, dlmmBinArray, dlmmOracle, dlmmReserve, eventAuthority } from '../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { parseTransaction } from '../../../src/base/solana/wireTransaction';
import { depositPerBin } from '../../../src/engine/assembly/binDeposits';
import { buildAdd, buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import type { AddLiquidityEffect, BuildEffect } from '../../../src/sandbox/build/types';
import { type BinAddPlan, PlanError } from '../../../src/engine/assembly/types';
import { assertRefused, effectsOf, exchanged, withData } from '../../support/sandbox/build/hostile';
import {
  addPlan,
  addressOf,
  decreasePlan,
  hop,
  OTHER_MINT,
  OWNER,
  SOL_USDC,
  swap,
  swapThrough,
  TOKEN_SOL,
  TOKEN_USDC,
} from '../../support/sandbox/build/plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const U64 = fc.bigInt(1n, 2n ** 64n - 1n);

describe('Effects in bin pools', function () {
  describe('Withdrawals', () => {
    it('The effects of a withdrawal match its plan', () => {
      const plans = fc.record({
        fromBinId: fc.integer({ min: -30_000, max: 30_000 }),
        width: fc.integer({ min: 1, max: 70 }),
        shareBps: fc.integer({ min: 1, max: 10_000 }),
        inAmount: U64,
        quotedOut: U64,
        slippageBps: fc.integer({ min: 0, max: 10_000 }),
        sells: fc.constantFrom('x' as const, 'y' as const),
      });
      fc.assert(
        fc.property(plans, ({ fromBinId, width, shareBps, inAmount, quotedOut, slippageBps, sells }) => {
          const toBinId = fromBinId + width - 1;
          const trade = { ...swap(SOL_USDC, sells, inAmount, quotedOut), slippageBps };
          const plan = decreasePlan(BLOCKHASH, { pool: SOL_USDC, fromBinId, toBinId, shareBps, swaps: [trade] });
          const [input, output] = sells === 'x' ? [SOL_USDC.tokenX, SOL_USDC.tokenY] : [SOL_USDC.tokenY, SOL_USDC.tokenX];
          const who = { owner: OWNER.address, pool: SOL_USDC.pool, position: plan.position };
          const expected: BuildEffect[] = [
            { kind: 'removeLiquidity', ...who, fromBinId, toBinId, shareBps },
            { kind: 'claimFee', ...who, fromBinId, toBinId },
            ...(shareBps === 10_000
              ? [{ kind: 'closePosition' as const, owner: OWNER.address, position: plan.position, onlyIfEmpty: true }]
              : []),
            {
              kind: 'swap',
              owner: OWNER.address,
              pools: [SOL_USDC.pool],
              inputMint: input.mint,
              outputMint: output.mint,
              inAmount,
              quotedOut,
              minimumOut: (quotedOut * BigInt(10_000 - slippageBps)) / 10_000n,
            },
          ];
          assert.deepEqual(effectsOf(buildDecrease(plan)), expected);
        }),
        { numRuns: 40 },
      );
    });

    for (const width of [71, 200, 1_400]) {
      it(`A withdrawal empties each of ${width} bins once, then closes the position`, () => {
        const plan = decreasePlan(BLOCKHASH, { fromBinId: -700, toBinId: -700 + width - 1, swaps: [] });
        const effects = effectsOf(buildDecrease(plan));
        for (const ranges of [
          effects.filter((effect) => effect.kind === 'removeLiquidity'),
          effects.filter((effect) => effect.kind === 'claimFee'),
        ]) {
          let next = plan.fromBinId;
          for (const { fromBinId, toBinId } of ranges) {
            assert.equal(fromBinId, next);
            assert.ok(toBinId - fromBinId < 70);
            next = toBinId + 1;
          }
          assert.equal(next, plan.toBinId + 1);
        }
        assert.equal(effects.at(-1)?.kind, 'closePosition');
      });
    }
  });

  describe('Deposits', () => {
    it('The effects of a deposit match its plan', () => {
      const plans = fc.record({
        fromBinId: fc.integer({ min: -800, max: 800 }),
        width: fc.integer({ min: 1, max: 70 }),
        activeBinId: fc.integer({ min: -800, max: 800 }),
        amountX: U64,
        amountY: U64,
        strategy: fc.constantFrom('Spot' as const, 'Curve' as const, 'BidAsk' as const),
        maxActiveBinSlippage: fc.integer({ min: 0, max: 100 }),
      });
      fc.assert(
        fc.property(plans, ({ width, ...drawn }) => {
          const toBinId = drawn.fromBinId + width - 1;
          const missing = binArraysOf(drawn.fromBinId, toBinId);
          const plan = addPlan(BLOCKHASH, { ...drawn, toBinId, missingBinArrayIndexes: missing, swaps: [] });
          const built = buildAdd(plan);
          const who = { owner: OWNER.address, pool: TOKEN_SOL.pool, position: built.position };
          const { fromBinId, activeBinId, maxActiveBinSlippage, amountX, amountY, strategy } = plan;
          assert.deepEqual(effectsOf(built), [
            { kind: 'initializePosition', ...who, fromBinId, toBinId },
            ...missing.map((index) => ({
              kind: 'initializeBinArray',
              owner: who.owner,
              pool: who.pool,
              binArray: dlmmBinArray(who.pool, index),
              index,
            })),
            {
              kind: 'addLiquidity',
              ...who,
              amountX,
              amountY,
              activeBinId,
              maxActiveBinSlippage,
              spread: { kind: 'strategy', strategy, fromBinId, toBinId },
            },
          ]);
        }),
        { numRuns: 40 },
      );
    });

    for (const strategy of ['Spot', 'Curve', 'BidAsk'] as const) {
      for (const width of [200, 1_400]) {
        it(`A deposit spreads ${strategy} over ${width} bins as one instruction would`, () =>
          checkWide(
            addPlan(BLOCKHASH, {
              strategy,
              fromBinId: -381 - width / 2,
              toBinId: -382 + width / 2,
              amountX: 10n ** 15n,
              amountY: 10n ** 15n,
              binStepBps: 20,
            }),
          ));
      }
    }

    it('A deposit leaves tokens without bins in the range with the owner', () => {
      const adds = addsOf(buildAdd(addPlan(BLOCKHASH, { fromBinId: -700, toBinId: -500, amountX: 5n, amountY: 1_000_000n })));
      assert.equal(sum(adds, 'amountX'), 0n);
      assert.equal(sum(adds, 'amountY'), 1_000_000n);
    });
  });

  it('A deposit by weights fills the side of the active bin at the time of landing', () => {
    const spread = { kind: 'weights' as const, bins: [0, 1, 2, 3].map((binId) => ({ binId, weight: 10 })) };
    const at = (activeBinId: number, amountX: bigint, amountY: bigint): (readonly [bigint, bigint])[] =>
      depositPerBin({ amountX, amountY, spread }, activeBinId, 100).map((bin) => [bin.amountX, bin.amountY] as const);
    assert.deepEqual(at(1, 0n, 100n), [
      [0n, 50n],
      [0n, 50n],
      [0n, 0n],
      [0n, 0n],
    ]);
    assert.deepEqual(at(9, 7n, 100n), [
      [0n, 25n],
      [0n, 25n],
      [0n, 25n],
      [0n, 25n],
    ]);
    // No Y: the active bin takes X; shares are as 1/1.01, 1/1.01², 1/1.01³.
    assert.deepEqual(at(1, 1_000_000n, 0n), [
      [0n, 0n],
      [336_655n, 0n],
      [333_322n, 0n],
      [330_022n, 0n],
    ]);
    assert.deepEqual(at(-5, 0n, 100n), [
      [0n, 0n],
      [0n, 0n],
      [0n, 0n],
      [0n, 0n],
    ]);
  });

  describe('Rejected effects', () => {
    const plan = decreasePlan(BLOCKHASH);
    const built = buildDecrease(plan);
    const [close] = built.closeTransactions.map((bytes) => parseTransaction(bytes));
    const [trade] = built.swapTransactions.map((bytes) => parseTransaction(bytes));
    const stranger = addressOf(99);
    const { pool } = TOKEN_SOL;
    const mintY = WRAPPED_SOL_MINT;

    const foreign: readonly (readonly [string, Address])[] = [
      ["another's account for token X", associatedTokenAddress(OWNER.address, OTHER_MINT)],
      ["another's account for token Y", associatedTokenAddress(OWNER.address, mintY)],
      ['a vault that is not of the pool', dlmmReserve(pool, OTHER_MINT)],
      ['a bin array that is not of the range', dlmmBinArray(pool, -5)],
      ['an event authority that is not', eventAuthority(PROGRAMS.dlmm)],
      ['a memo program that is not', PROGRAMS.memo],
    ];
    for (const [what, replaced] of foreign) {
      it(`Reading effects rejects ${what}`, () => assertRefused(exchanged(close, replaced, stranger), /where \w+ belongs$/));
    }

    it('Reading effects rejects an oracle or a token account that does not belong to the swap', () => {
      for (const replaced of [
        dlmmOracle(pool),
        associatedTokenAddress(OWNER.address, mintY),
        associatedTokenAddress(OWNER.address, OTHER_MINT),
      ]) {
        assertRefused(exchanged(trade, replaced, stranger), /where \w+ belongs$/);
      }
    });

    it('Reading effects rejects instruction data of the wrong length', () => {
      assertRefused(
        withData(close, (data) => Uint8Array.of(...data, 0)),
        /Bytes follow/,
      );
      assertRefused(
        withData(close, (data) => data.subarray(0, data.length - 1)),
        /cut short/,
      );
    });

    it('Reading effects rejects a range that no position can have, before it reads on', () => {
      for (const [from_bin_id, to_bin_id] of [
        [-(2 ** 31), 2 ** 31 - 1],
        [5, 4],
        [0, 1_400],
        [443_600, 443_700],
      ] as const) {
        const data = encodeInstruction(instructionNamed(DLMM_INSTRUCTIONS, 'remove_liquidity_by_range2'), {
          from_bin_id,
          to_bin_id,
          bps_to_remove: 10_000,
          remaining_accounts_info: { slices: [] },
        });
        assertRefused(
          withData(close, () => data),
          /^No position reaches from bin/,
        );
      }
    });

    it('Reading effects rejects instructions that the sandbox does not support', () => {
      const swap2 = encodeInstruction(instructionNamed(DLMM_INSTRUCTIONS, 'swap2'), {
        amount_in: 1n,
        min_amount_out: 1n,
        remaining_accounts_info: { slices: [] },
      });
      assertRefused(
        withData(close, () => swap2),
        /^The sandbox does not carry out swap2 of program LBUZ/,
      );
      assertRefused(
        withData(close, () => new Uint8Array(8)),
        /^The sandbox does not carry out this instruction of program LBUZ/,
      );
      assertRefused(
        withData(trade, () => new Uint8Array(8)),
        /^The sandbox does not carry out this instruction of program JUP6/,
      );
      assertRefused(exchanged(close, PROGRAMS.dlmm, PROGRAMS.dammV2), /^The sandbox does not carry out this instruction of program cpam/);
    });

    it('Reading effects rejects an owner who has not signed', () => {
      assert.ok(close !== undefined);
      assertRefused({ ...close, requiredSignatures: 0, readonlyUnsigned: 0 }, /needs the signature of sender$/);
    });
  });

  describe('Plans out of bounds', () => {
    const bad: readonly (readonly [string, () => unknown])[] = [
      ['a share of nothing', () => buildDecrease(decreasePlan(BLOCKHASH, { shareBps: 0 }))],
      ['more than all', () => buildDecrease(decreasePlan(BLOCKHASH, { shareBps: 10_001 }))],
      ['a range upside down', () => buildDecrease(decreasePlan(BLOCKHASH, { fromBinId: 2, toBinId: 1 }))],
      ['1,401 bins', () => buildAdd(addPlan(BLOCKHASH, { fromBinId: 0, toBinId: 1_400 }))],
      ['bins beyond the bitmap', () => buildAdd(addPlan(BLOCKHASH, { fromBinId: 35_840, toBinId: 35_840 }))],
      ['half a bin', () => buildAdd(addPlan(BLOCKHASH, { fromBinId: 0.5, toBinId: 3 }))],
      ['nothing to deposit', () => buildAdd(addPlan(BLOCKHASH, { amountX: 0n, amountY: 0n }))],
      ['a bin array outside the range', () => buildAdd(addPlan(BLOCKHASH, { missingBinArrayIndexes: [7] }))],
      ['a short seed', () => buildAdd(addPlan(BLOCKHASH, { positionSeed: new Uint8Array(31) }))],
      ['a swap of nothing', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swap(TOKEN_SOL, 'y', 0n, 1n)] }))],
      [
        'four bin arrays in a swap',
        () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(TOKEN_SOL, 'y', [1, 2, 3, 4])], 1n, 1n)] })),
      ],
      ['a swap without trades', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([], 1n, 1n)] }))],
      [
        'a swap of three trades',
        () =>
          buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y'), hop(TOKEN_SOL, 'x')], 1n, 1n)] })),
      ],
      [
        'a trade of what the one before it did not buy',
        () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(SOL_USDC, 'x'), hop(TOKEN_SOL, 'y')], 1n, 1n)] })),
      ],
      [
        'a swap there and back',
        () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(SOL_USDC, 'x'), hop(SOL_USDC, 'y')], 1n, 1n)] })),
      ],
    ];
    for (const [what, build] of bad) {
      it(`Building rejects a plan out of bounds: ${what}`, () => assert.throws(build, PlanError));
    }
  });
});

function checkWide(plan: BinAddPlan): void {
  const built = buildAdd(plan);
  const filling = built.addTransactions
    .map((bytes) => readEffects(parseTransaction(bytes)))
    .filter((effects) => effects.some(({ kind }) => kind === 'increasePositionLength' || kind === 'addLiquidity'));
  // A position of more than 525 bins is made as long as it is by transactions of their own.
  const isLong = plan.toBinId - plan.fromBinId >= 525;
  let reached = plan.fromBinId + 69;
  for (const effects of filling) {
    const [made, ...more] = effects;
    assert.ok(made?.kind === 'initializePosition', 'each transaction opens the position before all else');
    assert.deepEqual([made.fromBinId, made.toBinId], [plan.fromBinId, plan.fromBinId + 69]);
    let reaches = isLong ? reached : made.toBinId;
    for (const { toBinId } of more.filter((effect) => effect.kind === 'increasePositionLength')) {
      assert.ok(toBinId > reaches && toBinId - reaches <= 91);
      reaches = toBinId;
    }
    assert.ok(isLong || reaches === plan.toBinId, 'each transaction makes it as long as the range');
    reached = reaches;
  }
  assert.equal(reached, plan.toBinId);

  const adds = addsOf(built);
  assert.equal(sum(adds, 'amountX'), plan.amountX);
  assert.equal(sum(adds, 'amountY'), plan.amountY);
  const whole = spreadOverBins(plan);
  const parts = adds.flatMap((add) => depositPerBin(add, plan.activeBinId, plan.binStepBps));
  assert.deepEqual(
    parts.map((bin) => bin.binId),
    whole.map((bin) => bin.binId),
  );
  whole.forEach((bin, index) => {
    const part = parts[index];
    assert.ok(part !== undefined && close(part.amountX, bin.amountX) && close(part.amountY, bin.amountY), `bin ${bin.binId}`);
  });
}

/** Equal but for what a weight of 16 bits cannot say: one part in a thousand. */
function close(one: bigint, other: bigint): boolean {
  const difference = one > other ? one - other : other - one;
  return difference * 1_000n <= other;
}

function addsOf(built: object): AddLiquidityEffect[] {
  return effectsOf(built).filter((effect) => effect.kind === 'addLiquidity');
}

function sum(adds: readonly AddLiquidityEffect[], token: 'amountX' | 'amountY'): bigint {
  return adds.reduce((all, add) => all + add[token], 0n);
}
