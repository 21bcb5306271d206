import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binArraysOf } from '../../../src/dlmm/bins';
import { spreadOverBins } from '../../../src/dlmm/strategy';
import type { Address } from '../../../src/solana/address';
import { associatedTokenAddress, dlmmBinArray, dlmmOracle, dlmmReserve, eventAuthority } from '../../../src/solana/derive';
import { encodeInstruction, instructionNamed } from '../../../src/solana/instructionCodec';
import { DLMM_INSTRUCTIONS } from '../../../src/solana/generated/dlmmInstructions';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import { parseTransaction, type WireTransaction } from '../../../src/solana/wire';
import { buildAdd } from '../../../src/sandbox/build/buildAdd';
import { buildDecrease } from '../../../src/sandbox/build/buildDecrease';
import { depositPerBin } from '../../../src/sandbox/build/chunks';
import { HOP_ACCOUNTS, JUPITER_ROUTE, routeSwap } from '../../../src/sandbox/build/jupiterRoute';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import { assemble } from '../../../src/sandbox/build/transactions';
import { PlanError, type AddLiquidityEffect, type AddPlan, type Effect, type SwapHop, type SwapPlan } from '../../../src/sandbox/build/types';
import { EffectError } from '../../../src/sandbox/chain/types';
import { testKey } from '../chain/support';
import { addPlan, decreasePlan, hop, OTHER_MINT, OWNER, SOL_USDC, swap, swapThrough, TOKEN_SOL, TOKEN_USDC } from './plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const U64 = fc.bigInt(1n, 2n ** 64n - 1n);

describe('build: effects', function () {
  this.timeout(30_000);

  describe('of a withdrawal', () => {
    it('are the plan again', () => {
      const plans = fc.record({ fromBinId: fc.integer({ min: -30_000, max: 30_000 }), width: fc.integer({ min: 1, max: 70 }), shareBps: fc.integer({ min: 1, max: 10_000 }), inAmount: U64, quotedOut: U64, slippageBps: fc.integer({ min: 0, max: 10_000 }), sells: fc.constantFrom('x' as const, 'y' as const) });
      fc.assert(
        fc.property(plans, ({ fromBinId, width, shareBps, inAmount, quotedOut, slippageBps, sells }) => {
          const toBinId = fromBinId + width - 1;
          const trade = { ...swap(SOL_USDC, sells, inAmount, quotedOut), slippageBps };
          const plan = decreasePlan(BLOCKHASH, { pool: SOL_USDC, fromBinId, toBinId, shareBps, swaps: [trade] });
          const [input, output] = sells === 'x' ? [SOL_USDC.tokenX, SOL_USDC.tokenY] : [SOL_USDC.tokenY, SOL_USDC.tokenX];
          const who = { owner: OWNER.address, pool: SOL_USDC.pool, position: plan.position };
          const expected: Effect[] = [
            { kind: 'removeLiquidity', ...who, fromBinId, toBinId, shareBps },
            { kind: 'claimFee', ...who, fromBinId, toBinId },
            ...(shareBps === 10_000 ? [{ kind: 'closePosition' as const, owner: OWNER.address, position: plan.position, onlyIfEmpty: true }] : []),
            { kind: 'swap', owner: OWNER.address, pools: [SOL_USDC.pool], inputMint: input.mint, outputMint: output.mint, inAmount, quotedOut, minimumOut: (quotedOut * BigInt(10_000 - slippageBps)) / 10_000n },
          ];
          assert.deepEqual(effectsOf(buildDecrease(plan)), expected);
        }),
        { numRuns: 40 },
      );
    });

    for (const width of [71, 200, 1_400]) {
      it(`take each of ${width} bins out once, then close`, () => {
        const plan = decreasePlan(BLOCKHASH, { fromBinId: -700, toBinId: -700 + width - 1, swaps: [] });
        const effects = effectsOf(buildDecrease(plan));
        for (const ranges of [effects.filter((effect) => effect.kind === 'removeLiquidity'), effects.filter((effect) => effect.kind === 'claimFee')]) {
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

  describe('of a deposit', () => {
    it('are the plan again', () => {
      const plans = fc.record({ fromBinId: fc.integer({ min: -800, max: 800 }), width: fc.integer({ min: 1, max: 70 }), activeBinId: fc.integer({ min: -800, max: 800 }), amountX: U64, amountY: U64, strategy: fc.constantFrom('Spot' as const, 'Curve' as const, 'BidAsk' as const), maxActiveBinSlippage: fc.integer({ min: 0, max: 100 }) });
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
            ...missing.map((index) => ({ kind: 'initializeBinArray', owner: who.owner, pool: who.pool, binArray: dlmmBinArray(who.pool, index), index })),
            { kind: 'addLiquidity', ...who, amountX, amountY, activeBinId, maxActiveBinSlippage, spread: { kind: 'strategy', strategy, fromBinId, toBinId } },
          ]);
        }),
        { numRuns: 40 },
      );
    });

    for (const strategy of ['Spot', 'Curve', 'BidAsk'] as const) {
      for (const width of [200, 1_400]) {
        it(`spread ${strategy} over ${width} bins as one instruction would`, () => checkWide(addPlan(BLOCKHASH, { strategy, fromBinId: -381 - width / 2, toBinId: -382 + width / 2, amountX: 10n ** 15n, amountY: 10n ** 15n, binStepBps: 20 })));
      }
    }

    it('leave with the owner what the range has no bins for', () => {
      const adds = addsOf(buildAdd(addPlan(BLOCKHASH, { fromBinId: -700, toBinId: -500, amountX: 5n, amountY: 1_000_000n })));
      assert.equal(sum(adds, 'amountX'), 0n);
      assert.equal(sum(adds, 'amountY'), 1_000_000n);
    });
  });

  describe('of a swap by way of two pools', () => {
    const there: readonly [SwapHop, SwapHop] = [hop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y', [0])];
    const write = (plan: SwapPlan): WireTransaction => parseTransaction(buildDecrease(decreasePlan(BLOCKHASH, { swaps: [plan] })).swapTransactions[0] ?? new Uint8Array());
    const written = write(swapThrough(there, 5n, 7n));
    const SECOND_TRADE = JUPITER_ROUTE.accounts.length + HOP_ACCOUNTS.length + there[0].binArrays.length;

    it('are the plan again', () => {
      const indexes = fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { maxLength: 3 });
      fc.assert(
        fc.property(fc.record({ first: indexes, second: indexes, back: fc.boolean(), inAmount: U64, quotedOut: U64 }), ({ first, second, back, inAmount, quotedOut }) => {
          const hops = back ? [hop(TOKEN_USDC, 'x', first), hop(SOL_USDC, 'y', second)] : [hop(SOL_USDC, 'x', first), hop(TOKEN_USDC, 'y', second)];
          const [inputMint, outputMint] = back ? [OTHER_MINT, WRAPPED_SOL_MINT] : [WRAPPED_SOL_MINT, OTHER_MINT];
          const minimumOut = (quotedOut * 9_700n) / 10_000n;
          assert.deepEqual(readEffects(write(swapThrough(hops, inAmount, quotedOut))), [
            { kind: 'swap', owner: OWNER.address, pools: hops.map(({ via }) => via.pool), inputMint, outputMint, inAmount, quotedOut, minimumOut },
          ]);
        }),
        { numRuns: 40 },
      );
    });

    it('are refused with an account of either trade that is not right', () => {
      const ownUsdc = associatedTokenAddress(OWNER.address, USDC_MINT);
      for (const replaced of [ownUsdc, dlmmOracle(SOL_USDC.pool), dlmmOracle(TOKEN_USDC.pool), dlmmReserve(SOL_USDC.pool, USDC_MINT), dlmmReserve(TOKEN_USDC.pool, USDC_MINT)]) {
        assertRefused(exchanged(written, replaced, testKey(99).address), /where .+ belongs$/);
      }
    });

    it('are refused where the trades do not belong together', () => {
      assertRefused(exchanged(written, USDC_MINT, WRAPPED_SOL_MINT), /no token comes up twice$/);
      assertRefused(withAccount(written, SECOND_TRADE + HOP_ACCOUNTS.indexOf('token_y_mint'), OTHER_MINT), /sells what the one before it bought$/);
    });

    it('are refused with steps that are not one after the other, all of it and in DLMM pools', () => {
      assertRefused(withData(written, () => encodedRoute([[0, 1]])), /^route has \d+ accounts; it takes \d+$/);
      const steps = [[0, 1], [1, 2]] as const;
      const others = [encodedRoute([[0, 1], [0, 1]]), encodedRoute([[0, 1], [1, 0]]), encodedRoute([[1, 2], [0, 1]]), encodedRoute(steps, { percent: 99 }), encodedRoute(steps, { swap: 7 })];
      for (const data of others) {
        assertRefused(withData(written, () => data), /written in a way that the sandbox does not carry out$/);
      }
    });

    it('are refused with no trade, or more than there are', () => {
      assertRefused(withData(written, () => encodedRoute([])), /^route: /);
      assertRefused(withData(written, () => encodedRoute([[0, 1], [1, 2], [2, 3]])), /^route: /);
      assertRefused(withData(write(swapThrough([there[0]], 5n, 7n)), () => encodedRoute([[0, 1], [1, 2]])), /^route has no account for /);
    });

    it('are refused with more bin arrays than a trade touches, or ones that cannot be written to', () => {
      const four = [1, 2, 3, 4];
      for (const hops of [[hop(SOL_USDC, 'x', four), there[1]], [there[0], hop(TOKEN_USDC, 'y', four)]]) {
        const [bytes] = assemble([routeSwap(OWNER.address, swapThrough(hops, 5n, 7n))], { terms: decreasePlan(BLOCKHASH), version: 0 });
        assertRefused(parseTransaction(bytes ?? new Uint8Array()), /accounts; it takes|before it bought$|^route has no account for/);
      }
      assertRefused(withAccount(written, SECOND_TRADE + HOP_ACCOUNTS.length, PROGRAMS.token), /^route has to be able to write to account \d+$/);
    });
  });

  it('of one deposit by weights land on the side of the active bin that they find', () => {
    const spread = { kind: 'weights' as const, bins: [0, 1, 2, 3].map((binId) => ({ binId, weight: 10 })) };
    const at = (activeBinId: number, amountX: bigint, amountY: bigint): (readonly [bigint, bigint])[] =>
      depositPerBin({ amountX, amountY, spread }, activeBinId, 100).map((bin) => [bin.amountX, bin.amountY] as const);
    assert.deepEqual(at(1, 0n, 100n), [[0n, 50n], [0n, 50n], [0n, 0n], [0n, 0n]]);
    assert.deepEqual(at(9, 7n, 100n), [[0n, 25n], [0n, 25n], [0n, 25n], [0n, 25n]]);
    // No Y: the active bin takes X; shares are as 1/1.01, 1/1.01², 1/1.01³.
    assert.deepEqual(at(1, 1_000_000n, 0n), [[0n, 0n], [336_655n, 0n], [333_322n, 0n], [330_022n, 0n]]);
    assert.deepEqual(at(-5, 0n, 100n), [[0n, 0n], [0n, 0n], [0n, 0n], [0n, 0n]]);
  });

  describe('are refused', () => {
    const plan = decreasePlan(BLOCKHASH);
    const built = buildDecrease(plan);
    const [close] = built.closeTransactions.map((bytes) => parseTransaction(bytes));
    const [trade] = built.swapTransactions.map((bytes) => parseTransaction(bytes));
    const stranger = testKey(99).address;
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
      it(`with ${what}`, () => assertRefused(exchanged(close, replaced, stranger), /where \w+ belongs$/));
    }

    it('with an oracle, or a token account, that is not of the swap', () => {
      for (const replaced of [dlmmOracle(pool), associatedTokenAddress(OWNER.address, mintY), associatedTokenAddress(OWNER.address, OTHER_MINT)]) {
        assertRefused(exchanged(trade, replaced, stranger), /where \w+ belongs$/);
      }
    });

    it('with data that is not written as the instruction is', () => {
      assertRefused(withData(close, (data) => Uint8Array.of(...data, 0)), /Bytes follow/);
      assertRefused(withData(close, (data) => data.subarray(0, data.length - 1)), /cut short/);
    });

    it('with a range that no position has, at once', () => {
      for (const [from_bin_id, to_bin_id] of [[-(2 ** 31), 2 ** 31 - 1], [5, 4], [0, 1_400], [443_600, 443_700]] as const) {
        const data = encodeInstruction(instructionNamed(DLMM_INSTRUCTIONS, 'remove_liquidity_by_range2'), { from_bin_id, to_bin_id, bps_to_remove: 10_000, remaining_accounts_info: { slices: [] } });
        assertRefused(withData(close, () => data), /^No position reaches from bin/);
      }
    });

    it('with instructions that the sandbox does not carry out', () => {
      const swap2 = encodeInstruction(instructionNamed(DLMM_INSTRUCTIONS, 'swap2'), { amount_in: 1n, min_amount_out: 1n, remaining_accounts_info: { slices: [] } });
      assertRefused(withData(close, () => swap2), /^The sandbox does not carry out swap2 of program LBUZ/);
      assertRefused(withData(close, () => new Uint8Array(8)), /^The sandbox does not carry out this instruction of program LBUZ/);
      assertRefused(withData(trade, () => new Uint8Array(8)), /^The sandbox does not carry out this instruction of program JUP6/);
      assertRefused(exchanged(close, PROGRAMS.dlmm, PROGRAMS.dammV2), /DAMM v2/);
    });

    it('with an owner who has not signed', () => {
      assert.ok(close !== undefined);
      assertRefused({ ...close, requiredSignatures: 0, readonlyUnsigned: 0 }, /needs the signature of sender$/);
    });
  });

  describe('plans out of bounds', () => {
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
      ['four bin arrays in a swap', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(TOKEN_SOL, 'y', [1, 2, 3, 4])], 1n, 1n)] }))],
      ['a swap without trades', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([], 1n, 1n)] }))],
      ['a swap of three trades', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y'), hop(TOKEN_SOL, 'x')], 1n, 1n)] }))],
      ['a trade of what the one before it did not buy', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(SOL_USDC, 'x'), hop(TOKEN_SOL, 'y')], 1n, 1n)] }))],
      ['a swap there and back', () => buildAdd(addPlan(BLOCKHASH, { swaps: [swapThrough([hop(SOL_USDC, 'x'), hop(SOL_USDC, 'y')], 1n, 1n)] }))],
    ];
    for (const [what, build] of bad) {
      it(`are refused: ${what}`, () => assert.throws(build, PlanError));
    }
  });
});

/** A route's data with these steps: where each takes its token from, and puts it to. */
function encodedRoute(steps: readonly (readonly [from: number, to: number])[], more: { readonly swap?: number; readonly percent?: number } = {}): Uint8Array {
  const route_plan = steps.map(([input_index, output_index]) => ({ swap: 38, percent: 100, ...more, input_index, output_index }));
  return encodeInstruction(JUPITER_ROUTE, { route_plan, in_amount: 5n, quoted_out_amount: 7n, slippage_bps: 300, platform_fee_bps: 0 });
}

function checkWide(plan: AddPlan): void {
  const built = buildAdd(plan);
  const effects = effectsOf(built);
  const [made] = effects.filter((effect) => effect.kind === 'initializePosition');
  assert.equal(made?.fromBinId, plan.fromBinId);
  let reaches = made.toBinId;
  assert.equal(reaches, plan.fromBinId + 69);
  for (const { toBinId } of effects.filter((effect) => effect.kind === 'increasePositionLength')) {
    assert.ok(toBinId > reaches && toBinId - reaches <= 91);
    reaches = toBinId;
  }
  assert.equal(reaches, plan.toBinId);

  const adds = addsOf(built);
  assert.equal(sum(adds, 'amountX'), plan.amountX);
  assert.equal(sum(adds, 'amountY'), plan.amountY);
  const whole = spreadOverBins(plan);
  const parts = adds.flatMap((add) => depositPerBin(add, plan.activeBinId, plan.binStepBps));
  assert.deepEqual(parts.map((bin) => bin.binId), whole.map((bin) => bin.binId));
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

function effectsOf(built: object): Effect[] {
  const transactions = (Object.values(built) as unknown[]).filter((group): group is readonly Uint8Array[] => Array.isArray(group));
  // Swaps come first in a deposit and last in a withdrawal: the order of the groups here is that of the record.
  return transactions.flat().flatMap((bytes) => [...readEffects(parseTransaction(bytes))]);
}

function addsOf(built: object): AddLiquidityEffect[] {
  return effectsOf(built).filter((effect) => effect.kind === 'addLiquidity');
}

function sum(adds: readonly AddLiquidityEffect[], token: 'amountX' | 'amountY'): bigint {
  return adds.reduce((all, add) => all + add[token], 0n);
}

function exchanged(transaction: WireTransaction | undefined, from: Address, to: Address): WireTransaction {
  assert.ok(transaction !== undefined && transaction.staticKeys.includes(from));
  return { ...transaction, staticKeys: transaction.staticKeys.map((key) => (key === from ? to : key)) };
}

/** Puts another account of the transaction into a place of its route. */
function withAccount(transaction: WireTransaction, place: number, account: Address): WireTransaction {
  const index = transaction.staticKeys.indexOf(account);
  assert.ok(index >= 0);
  const isRoute = (programIdIndex: number): boolean => transaction.staticKeys[programIdIndex] === PROGRAMS.jupiterV6;
  const changed = (indexes: readonly number[]): number[] => indexes.map((given, at) => (at === place ? index : given));
  return { ...transaction, instructions: transaction.instructions.map((one) => (isRoute(one.programIdIndex) ? { ...one, accountIndexes: changed(one.accountIndexes) } : one)) };
}

/** Changes the data of the first instruction that a stand-in program gets. */
function withData(transaction: WireTransaction | undefined, change: (data: Uint8Array) => Uint8Array): WireTransaction {
  assert.ok(transaction !== undefined);
  const isStoodInFor = (programIdIndex: number): boolean => ([PROGRAMS.dlmm, PROGRAMS.jupiterV6] as readonly (Address | undefined)[]).includes(transaction.staticKeys[programIdIndex]);
  const first = transaction.instructions.findIndex(({ programIdIndex }) => isStoodInFor(programIdIndex));
  return { ...transaction, instructions: transaction.instructions.map((instruction, index) => (index === first ? { ...instruction, data: change(instruction.data) } : instruction)) };
}

function assertRefused(transaction: WireTransaction, message: RegExp): void {
  assert.throws(() => readEffects(transaction), (error) => error instanceof EffectError && message.test(error.message));
}
