import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { copyBinArray, decodeBinArray, emptyBinArray, encodeBinArray } from '../../../../src/sandbox/market/pools/binArrays';
import { decodeBinHolding, encodeBinHolding } from '../../../../src/sandbox/market/pools/holdings';
import type { BinHolding, BinPool } from '../../../../src/sandbox/market/types';
import { StoreError } from '../../../../src/engine/store/sqliteStore';
import { ALL_BINS, binWorld, holdingOver, NOON, stockedHolding, stored } from '../../../support/sandbox/market/bins/common';

const MILLION = 1_000_000n;
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const plain = { noNullPrototype: true };
const u128 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });

describe('The stored state of a bin pool', () => {
  it('A new pool starts empty at the bin of its start price', () => {
    const { pool, reopened } = binWorld({ binStepBps: 100 }, 0.0223);
    assert.equal(pool.activeBinId, -383);
    assert.deepEqual(
      [pool.vaults, pool.liquidity, pool.protocolFees],
      [
        { x: 0n, y: 0n },
        { x: 0n, y: 0n },
        { x: 0n, y: 0n },
      ],
    );
    assert.deepEqual(pool.binArrayIndexes, []);
    assert.deepEqual(pool.binAmounts(-383), { x: 0n, y: 0n });
    assert.equal(reopened().activeBinId, -383);
    assert.throws(() => binWorld({ binStepBps: 400 }, Infinity), RangeError);
  });

  it('A new pool is written with the first commit, before any activity', () => {
    const world = binWorld();
    assert.equal((stored(world) as { pools: unknown[] }).pools.length, 1);
  });

  it('A reopened pool is the same', () => {
    const world = binWorld();
    const { pool, unit, reopened } = world;
    const holding = stockedHolding(pool, -90, 200, MILLION);
    pool.swap('x', 20n * MILLION, NOON);
    pool.swap('y', 3n * MILLION, NOON + 1_000);
    unit.commit();
    const again = reopened();
    for (const of of [
      'activeBinId',
      'price',
      'liquidity',
      'vaults',
      'protocolFees',
      'binArrayIndexes',
      'maxFeeRate',
      'pairName',
    ] as const) {
      assert.deepEqual(again[of], pool[of], of);
    }
    assert.deepEqual(again.feeRates(NOON + 2_000), pool.feeRates(NOON + 2_000));
    const kept = decodeBinHolding(encodeBinHolding(holding));
    assert.deepEqual(kept, holding);
    assert.deepEqual([again.amountsOf(kept), again.feesOf(kept)], [pool.amountsOf(holding), pool.feesOf(holding)]);
    assert.deepEqual(again.swap('y', 70n * MILLION, NOON + 5_000), pool.swap('y', 70n * MILLION, NOON + 5_000));
    assert.deepEqual(again.withdraw(kept, ALL_BINS, 10_000), pool.withdraw(holding, ALL_BINS, 10_000));
    assert.deepEqual(again.collect(kept), pool.collect(holding));
    assert.deepEqual(again.vaults, pool.vaults);
    assert.deepEqual(decodeBinHolding(encodeBinHolding(holding)), holding);
  });

  describe('Single changes', () => {
    const changes: Record<string, (pool: BinPool, holding: BinHolding) => unknown> = {
      'a swap': (pool) => pool.swap('x', 20n * MILLION, NOON),
      'a trade to a price': (pool) => pool.swapTo(pool.priceOf(60), NOON),
      'a trade to a bin': (pool) => pool.swapToBin(-60, NOON),
      'a deposit': (pool, holding) => pool.deposit(holding, [{ binId: -10, amountX: 0n, amountY: MILLION }], NOON),
      'a withdrawal': (pool, holding) => pool.withdraw(holding, ALL_BINS, 5_000),
      'a collection of fees': (pool, holding) => pool.collect(holding),
      'a new bin array': (pool) => pool.addBinArray(20),
    };
    for (const [name, change] of Object.entries(changes)) {
      it(`A single change can be reverted and is there after a restart: ${name}`, () => {
        const world = binWorld();
        const { pool, unit } = world;
        const holding = stockedHolding(pool, -90, 90, MILLION);
        pool.swap('x', 5n * MILLION, NOON);
        const before = stored(world);
        unit.dryRun(() => change(pool, structuredClone(holding)));
        assert.deepEqual(stored(world), before);
        change(pool, holding);
        assert.notDeepEqual(stored(world), before);
        const again = world.reopened();
        const amounts = (of: BinPool) => [
          of.vaults,
          of.liquidity,
          of.binArrayIndexes,
          ...Array.from({ length: 181 }, (_, place) => of.binAmounts(place - 90)),
        ];
        assert.deepEqual(amounts(again), amounts(pool));
        assert.deepEqual([again.feesOf(holding), again.amountsOf(holding)], [pool.feesOf(holding), pool.amountsOf(holding)]);
      });
    }
  });

  it('A failed attempt is reverted as a whole', () => {
    const world = binWorld();
    const { pool, unit } = world;
    const holding = stockedHolding(pool, -90, 90, MILLION);
    pool.swap('x', 20n * MILLION, NOON);
    const before = stored(world);
    const lookedUp = [pool.vaults, pool.activeBinId, pool.feeRates(NOON)];
    assert.throws(
      () =>
        unit.attempt(() => {
          const own = structuredClone(holding);
          pool.swapToBin(60, NOON + 60_000);
          pool.deposit(own, [{ binId: 70, amountX: MILLION, amountY: 0n }], NOON + 60_000);
          pool.withdraw(own, ALL_BINS, 5_000);
          pool.collect(own);
          stockedHolding(pool, 300, 310, MILLION);
          pool.swap('y', 10_000n * MILLION, NOON + 61_000);
          throw new Error('no');
        }),
      /^Error: no$/,
    );
    assert.deepEqual([pool.vaults, pool.activeBinId, pool.feeRates(NOON)], lookedUp);
    assert.deepEqual(pool.binArrayIndexes, [-2, -1, 0, 1]);
    assert.throws(() => pool.deposit(holdingOver(binWorld().pool, 300, 300), [{ binId: 300, amountX: 1n, amountY: 0n }], NOON), RangeError);
    assert.deepEqual(stored(world), before);
    unit.attempt(() => pool.swapToBin(60, NOON + 60_000));
    assert.notDeepEqual(stored(world), before);
  });

  it('Damaged data is not read', () => {
    const world = binWorld();
    stockedHolding(world.pool, -3, 3, MILLION);
    world.unit.commit();
    const arrays = () => world.reopened().binAmounts(0);
    assert.equal(arrays().y, MILLION);
    world.database.run("UPDATE bin_array SET bins = x'00'");
    assert.throws(arrays, StoreError);
    world.database.run(`UPDATE pool SET state = '{"activeBinId":1}'`);
    assert.throws(() => world.reopened(), StoreError);
    world.database.run("UPDATE pool SET state = 'what'");
    assert.throws(() => world.reopened(), StoreError);
    world.database.run(`UPDATE pool SET state = '{}', type = 'product'`);
    assert.throws(() => world.reopened(), z.ZodError);
  });

  it('Every bin array survives writing and reading', () => {
    const bin = fc.oneof(
      fc.constant({ x: 0n, y: 0n, shares: 0n, feeX: 0n, feeY: 0n }),
      fc.record({ x: fc.constant(0n), y: fc.constant(0n), shares: fc.constant(0n), feeX: u128, feeY: u128 }, plain), // everybody has left
      fc.record({ x: u64, y: u64, shares: u128.filter((shares) => shares > 0n), feeX: u128, feeY: u128 }, plain),
    );
    fc.assert(
      fc.property(fc.array(bin, { minLength: 70, maxLength: 70 }), (bins) => {
        const array = { bins, stocked: bins.filter(({ shares }) => shares > 0n).length };
        const read = decodeBinArray(encodeBinArray(array));
        assert.deepEqual(read, array);
        assert.deepEqual(copyBinArray(array), array);
      }),
      { numRuns: 30 },
    );
  });

  it('Values that do not fit are refused on writing', () => {
    for (const [of, value] of [
      ['x', 1n << 64n],
      ['y', -1n],
      ['shares', 1n << 128n],
      ['feeX', 1n << 128n],
      ['feeY', -1n],
    ] as const) {
      const array = emptyBinArray();
      Object.assign(array.bins[3] ?? {}, { shares: 1n, [of]: value });
      assert.throws(() => encodeBinArray(array), StoreError, of);
    }
  });

  it('Every holding survives writing and reading', () => {
    const bin = fc.oneof(
      fc.constant({ shares: 0n, seenFeeX: 0n, seenFeeY: 0n }),
      fc.record({ shares: u128.filter((shares) => shares > 0n), seenFeeX: u128, seenFeeY: u128 }, plain),
    );
    const lowerBinId = fc.integer({ min: -443_636, max: 443_636 });
    fc.assert(
      fc.property(lowerBinId, fc.array(bin, { minLength: 1, maxLength: 200 }), u64, u64, (lower, bins, pendingX, pendingY) => {
        const holding: BinHolding = { type: 'bins', lowerBinId: lower, bins, pendingX, pendingY };
        assert.deepEqual(decodeBinHolding(encodeBinHolding(holding)), holding);
      }),
      { numRuns: 50 },
    );
    const longest: BinHolding = {
      type: 'bins',
      lowerBinId: -700,
      bins: Array.from({ length: 1_400 }, () => ({ shares: 1n, seenFeeX: 2n, seenFeeY: 3n })),
      pendingX: 0n,
      pendingY: 0n,
    };
    assert.deepEqual(decodeBinHolding(encodeBinHolding(longest)), longest);
  });

  it('Data that is not a holding is not read', () => {
    const bytes = encodeBinHolding({
      type: 'bins',
      lowerBinId: 0,
      bins: [{ shares: 1n, seenFeeX: 2n, seenFeeY: 3n }],
      pendingX: 0n,
      pendingY: 0n,
    });
    for (const damaged of [
      new Uint8Array(),
      bytes.subarray(1),
      bytes.map((byte, at) => (at === 4 ? 0 : byte)),
      bytes.map((byte, at) => (at === 24 ? 9 : byte)),
    ]) {
      assert.throws(() => decodeBinHolding(damaged), StoreError);
    }
  });
});
