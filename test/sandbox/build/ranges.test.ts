import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binArraysOf } from '../../../src/base/dlmm/bins';
import { spreadOverBins } from '../../../src/base/dlmm/strategy';
import { MAX_TRANSACTION_BYTES, MAX_V1_TRANSACTION_BYTES } from '../../../src/base/solana/programs';
import { parseTransaction } from '../../../src/base/solana/wireTransaction';
import { depositPerBin } from '../../../src/engine/assembly/binDeposits';
import { buildAdd, buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import type { BuildEffect } from '../../../src/sandbox/build/types';
import { TRANSACTION_FORMATS } from '../../../src/engine/assembly/types';
import { withoutTip } from '../../../src/engine/assembly/walletInstructions';
import { addPlan, decreasePlan } from '../../support/sandbox/build/plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const RANGES = fc.record({
  fromBinId: fc.integer({ min: -20_000, max: 20_000 }),
  width: fc.oneof(fc.integer({ min: 1, max: 140 }), fc.integer({ min: 1, max: 1_400 })),
});

describe('Ranges of up to 1,400 bins', function () {
  it('A deposit reaches every bin of a wide range completely, in transactions within the size limit', () => {
    const amount = fc.bigInt(0n, 2n ** 60n);
    const plans = fc.record({
      range: RANGES,
      /** Where the active bin is, as a part of the range and some bins on both sides. */
      active: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
      amountX: amount,
      amountY: amount,
      strategy: fc.constantFrom('Spot' as const, 'Curve' as const, 'BidAsk' as const),
      binStepBps: fc.constantFrom(1, 10, 20),
      missing: fc.boolean(),
      format: fc.constantFrom(...TRANSACTION_FORMATS),
      tip: fc.boolean(),
    });
    fc.assert(
      fc.property(plans, ({ range: { fromBinId, width }, active, missing, tip, ...drawn }) => {
        fc.pre(drawn.amountX + drawn.amountY > 0n);
        const toBinId = fromBinId + width - 1;
        const activeBinId = Math.round(fromBinId + active * width);
        const plan = addPlan(BLOCKHASH, {
          ...drawn,
          fromBinId,
          toBinId,
          activeBinId,
          missingBinArrayIndexes: missing ? binArraysOf(fromBinId, toBinId) : [],
          swaps: [],
        });
        const transactions = buildAdd(tip ? plan : withoutTip(plan)).addTransactions.map((bytes) => effectsWithin([bytes]));
        const effects = transactions.flat();

        const received = new Map<number, { x: bigint; y: bigint }>();
        let longest: number | undefined;
        for (const transaction of transactions) {
          // What a transaction relies on is in it: it may land alone. Only beyond 525 bins, others have made the position long enough.
          let reaches = width > 525 ? longest : undefined;
          let isOpened = false;
          for (const effect of transaction) {
            if (effect.kind === 'initializePosition' || effect.kind === 'increasePositionLength') {
              isOpened ||= effect.kind === 'initializePosition';
              assert.ok(isOpened && (effect.kind === 'initializePosition' || reaches === undefined || effect.toBinId > reaches));
              reaches = Math.max(reaches ?? effect.toBinId, effect.toBinId);
            } else if (effect.kind === 'addLiquidity') {
              for (const { binId, amountX, amountY } of depositPerBin(effect, activeBinId, plan.binStepBps)) {
                assert.ok(
                  isOpened && binId >= fromBinId && reaches !== undefined && binId <= reaches,
                  `bin ${binId} is not in the position yet`,
                );
                assert.ok(!received.has(binId), `bin ${binId} is deposited into twice`);
                received.set(binId, { x: amountX, y: amountY });
              }
            }
          }
          longest = reaches ?? longest;
        }
        assert.equal(longest, toBinId);

        const wanted = spreadOverBins(plan);
        const given = total(wanted.map(({ amountX: x, amountY: y }) => ({ x, y })));
        const stated = total(
          effects.flatMap((effect) => (effect.kind === 'addLiquidity' ? [{ x: effect.amountX, y: effect.amountY }] : [])),
        );
        // A token that the range has no bins for stays with the owner; of the other, every raw unit goes in.
        assert.equal(stated.x, given.x === 0n && width > 70 ? 0n : plan.amountX);
        assert.equal(stated.y, given.y === 0n && width > 70 ? 0n : plan.amountY);
        const arrived = total([...received.values()]);
        const binsOfEach = BigInt(wanted.length);
        assert.ok((arrived.x <= stated.x && stated.x - arrived.x <= binsOfEach) || given.x === 0n, 'rounding takes less than a unit a bin');
        assert.ok((arrived.y <= stated.y && stated.y - arrived.y <= binsOfEach) || given.y === 0n, 'rounding takes less than a unit a bin');
      }),
      { numRuns: 60 },
    );
  });

  it('A withdrawal empties every bin of a wide range once, in transactions within the size limit', () => {
    const plans = fc.record({
      range: RANGES,
      shareBps: fc.oneof(fc.constant(10_000), fc.integer({ min: 1, max: 9_999 })),
      format: fc.constantFrom(...TRANSACTION_FORMATS),
      tip: fc.boolean(),
    });
    fc.assert(
      fc.property(plans, ({ range: { fromBinId, width }, shareBps, format, tip }) => {
        const plan = decreasePlan(BLOCKHASH, { fromBinId, toBinId: fromBinId + width - 1, shareBps, format, swaps: [] });
        const effects = effectsWithin(buildDecrease(tip ? plan : withoutTip(plan)).closeTransactions);
        for (const kind of ['removeLiquidity', 'claimFee'] as const) {
          let next = fromBinId;
          for (const effect of effects) {
            if (effect.kind === kind) {
              assert.equal(effect.fromBinId, next);
              next = effect.toBinId + 1;
            }
          }
          assert.equal(next, fromBinId + width);
        }
        assert.equal(effects.filter(({ kind }) => kind === 'closePosition').length, shareBps === 10_000 ? 1 : 0);
      }),
      { numRuns: 50 },
    );
  });
});

/** What transactions do, which all fit the wire. */
function effectsWithin(transactions: readonly Uint8Array[]): readonly BuildEffect[] {
  return transactions.flatMap((bytes) => {
    const wire = parseTransaction(bytes);
    assert.ok(bytes.length <= (wire.version === 1 ? MAX_V1_TRANSACTION_BYTES : MAX_TRANSACTION_BYTES), `${bytes.length} bytes`);
    return [...readEffects(wire)];
  });
}

function total(amounts: readonly { readonly x: bigint; readonly y: bigint }[]): { x: bigint; y: bigint } {
  return amounts.reduce<{ x: bigint; y: bigint }>((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0n, y: 0n });
}
