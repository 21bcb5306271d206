import assert from 'node:assert/strict';
import { priceQ64OfBin } from '../../../../src/base/dlmm/bins';
import type { Trade } from '../../../../src/sandbox/market/types';
import { binWorld, evenly, holdingOver, NOON, stockedHolding, stored } from '../../../support/sandbox/market/bins/common';

const MILLION = 1_000_000n;

describe('Trades in a bin pool', () => {
  it('A trade executes at the price of the active bin, less the fee on the input', () => {
    const { pool } = binWorld({ variableFeeControl: 0 });
    stockedHolding(pool, -5, 5, 1_000n * MILLION);
    const trade = pool.swap('x', 10n * MILLION, NOON);
    // 0.2 % of ten million; bin 0 trades one for one.
    assert.deepEqual(trade, {
      sells: 'x',
      amountIn: 10n * MILLION,
      amountOut: 9_980_000n,
      fees: { x: 20_000n, y: 0n },
      protocolFees: { x: 1_000n, y: 0n },
    } satisfies Trade);
    assert.equal(pool.activeBinId, 0);
    assert.deepEqual(pool.binAmounts(0), { x: 1_009_980_000n, y: 990_020_000n });
    assert.deepEqual(pool.vaults, { x: 6_010_000_000n, y: 5_990_020_000n });
    assert.deepEqual(pool.protocolFees, { x: 1_000n, y: 0n });
  });

  it('A trade crosses bins downward when it sells X and upward when it sells Y', () => {
    const { pool } = binWorld({ variableFeeControl: 0 });
    stockedHolding(pool, -5, 5, MILLION);
    const down = pool.swap('x', 2_500_000n, NOON);
    assert.equal(pool.activeBinId, -2);
    assert.equal(down.amountIn, 2_500_000n);
    assert.deepEqual(pool.binAmounts(0).y, 0n);
    assert.deepEqual(pool.binAmounts(-1).y, 0n);
    assert.ok(pool.binAmounts(-2).y > 0n && pool.binAmounts(-2).x > 0n);
    assert.deepEqual(pool.binAmounts(-3), { x: 0n, y: MILLION });
    const up = pool.swap('y', 6n * MILLION, NOON);
    assert.equal(up.amountIn, 6n * MILLION);
    assert.equal(pool.activeBinId, 3);
  });

  it('A bin is emptied at its exact cost plus the fee, each rounded up', () => {
    const { pool } = binWorld({ variableFeeControl: 0 });
    stockedHolding(pool, 0, 1, 1_000_001n);
    pool.swapToBin(1, NOON);
    const trade = pool.swapTo(pool.priceOf(1) * 1.000_5, NOON);
    const price = priceQ64OfBin(1, 20);
    const cost = (1_000_001n * price + (1n << 64n) - 1n) >> 64n;
    const fee = (cost * 2_000_000n + 998_000_000n - 1n) / 998_000_000n;
    assert.deepEqual([trade.amountIn, trade.amountOut, trade.fees.y], [cost + fee, 1_000_001n, fee]);
  });

  it('A trade ends when liquidity runs out and leaves the active bin at the last traded bin', () => {
    const { pool } = binWorld();
    stockedHolding(pool, -3, 3, MILLION);
    const trade = pool.swap('x', 100n * MILLION, NOON);
    assert.ok(trade.amountIn < 5n * MILLION && trade.amountIn > 4n * MILLION, String(trade.amountIn));
    assert.equal(trade.amountOut, 4n * MILLION);
    assert.equal(pool.activeBinId, -3);
    assert.equal(pool.liquidity.y, 0n);
    const before = pool.vaults;
    assert.equal(pool.swap('x', MILLION, NOON).amountIn, 0n);
    assert.deepEqual(pool.vaults, before);
    assert.equal(pool.activeBinId, -3);
  });

  it('The active bin stays at a bin that was just used up', () => {
    const { pool } = binWorld({ variableFeeControl: 0 });
    stockedHolding(pool, -3, 3, MILLION);
    const whole = pool.quote('x', 2n * MILLION, NOON).amountIn;
    assert.equal(whole, 2n * MILLION);
    const cost = 1_000_000n + 2_005n; // ceil(1e6 × 0.002 / 0.998)
    assert.equal(pool.swap('x', cost, NOON).amountOut, MILLION);
    assert.equal(pool.activeBinId, 0);
    assert.equal(pool.binAmounts(0).y, 0n);
  });

  it('A trade skips bins and bin arrays without liquidity', () => {
    const { pool } = binWorld();
    stockedHolding(pool, -2, 2, MILLION);
    const far = holdingOver(pool, -1_000, -400);
    pool.deposit(far, evenly(pool, -705, -703, MILLION), NOON);
    const trade = pool.swap('x', 4n * MILLION, NOON);
    assert.equal(pool.activeBinId, -703);
    assert.equal(trade.amountIn, 4n * MILLION);
    const { x } = pool.liquidity;
    assert.equal(x, 3n * MILLION + trade.amountIn - trade.fees.x);
    assert.equal(pool.swap('y', 10n * MILLION, NOON).amountOut, x);
    assert.equal(pool.activeBinId, 2);
    assert.equal(pool.liquidity.x, 0n);
  });

  it('Tiny amounts also pay the fee', () => {
    const { pool } = binWorld();
    stockedHolding(pool, -2, 2, MILLION);
    assert.deepEqual(pool.swap('y', 1n, NOON), {
      sells: 'y',
      amountIn: 1n,
      amountOut: 0n,
      fees: { x: 0n, y: 1n },
      protocolFees: { x: 0n, y: 0n },
    });
  });

  it('A quote gives exactly what the trade then does and changes nothing', () => {
    const world = binWorld();
    const { pool } = world;
    stockedHolding(pool, -80, 80, MILLION);
    const before = stored(world);
    for (const sells of ['x', 'y'] as const) {
      const quote = pool.quote(sells, 50n * MILLION, NOON);
      assert.deepEqual(stored(world), before);
      assert.deepEqual(
        world.unit.dryRun(() => pool.swap(sells, 50n * MILLION, NOON)),
        quote,
      );
    }
  });

  it('A trade of zero returns zero, and a negative amount is refused', () => {
    const { pool } = binWorld();
    stockedHolding(pool, -2, 2, MILLION);
    assert.deepEqual(pool.swap('x', 0n, NOON), {
      sells: 'x',
      amountIn: 0n,
      amountOut: 0n,
      fees: { x: 0n, y: 0n },
      protocolFees: { x: 0n, y: 0n },
    });
    assert.throws(() => pool.swap('x', -1n, NOON), RangeError);
    assert.throws(() => pool.quote('y', -1n, NOON), RangeError);
  });

  describe('Trades to a price', () => {
    it('A trade to a price empties all bins up to that price', () => {
      const { pool } = binWorld();
      stockedHolding(pool, -5, 5, MILLION);
      const up = pool.swapTo(pool.priceOf(3), NOON);
      assert.equal(up.sells, 'y');
      assert.equal(up.amountOut, 4n * MILLION);
      assert.equal(pool.activeBinId, 3);
      assert.deepEqual(pool.binAmounts(3).x, 0n);
      assert.deepEqual(pool.binAmounts(4), { x: MILLION, y: 0n });
      const down = pool.swapTo(pool.priceOf(-2) * 0.999_5, NOON);
      assert.equal(down.sells, 'x');
      assert.equal(pool.activeBinId, -2);
      assert.equal(pool.binAmounts(-2).y, 0n);
      assert.deepEqual(pool.binAmounts(-3), { x: 0n, y: MILLION });
    });

    it('A trade to a price does nothing at that price or without liquidity on the way', () => {
      const world = binWorld();
      const { pool } = world;
      stockedHolding(pool, -5, 5, MILLION);
      const before = stored(world);
      assert.equal(pool.swapTo(pool.price, NOON).amountIn, 0n);
      assert.deepEqual(stored(world), before);
      const between = pool.price * 1.001;
      assert.equal(pool.swapTo(between, NOON).amountOut, MILLION);
      assert.equal(pool.activeBinId, 0);
      const after = stored(world);
      assert.equal(pool.swapTo(between, NOON).amountIn, 0n);
      assert.deepEqual(stored(world), after);
    });

    it('A trade to a price moves the active bin over empty bins', () => {
      const { pool } = binWorld();
      assert.equal(pool.swapTo(pool.priceOf(200), NOON).amountIn, 0n);
      assert.equal(pool.activeBinId, 200);
      stockedHolding(pool, 190, 210, MILLION);
      pool.swapTo(pool.priceOf(-40), NOON);
      assert.equal(pool.activeBinId, -40);
      assert.equal(pool.liquidity.y, 0n);
      assert.throws(() => pool.swapTo(0, NOON), RangeError);
      assert.throws(() => pool.swapTo(Infinity, NOON), RangeError);
    });
  });

  describe('Trades to a bin', () => {
    it('A trade to a bin empties all bins before it and leaves that bin untouched', () => {
      const { pool } = binWorld();
      stockedHolding(pool, -5, 5, MILLION);
      assert.equal(pool.swapToBin(3, NOON).amountOut, 3n * MILLION);
      assert.equal(pool.activeBinId, 3);
      assert.deepEqual(pool.binAmounts(3), { x: MILLION, y: 0n });
      assert.equal(pool.swapToBin(3, NOON).amountIn, 0n);
      pool.swapToBin(-4, NOON);
      assert.equal(pool.activeBinId, -4);
      assert.deepEqual(pool.binAmounts(-4), { x: 0n, y: MILLION });
      assert.equal(pool.binAmounts(-3).y, 0n);
    });

    it('A trade to a bin reaches it without any liquidity', () => {
      const { pool } = binWorld();
      pool.swapToBin(5_000, NOON);
      assert.equal(pool.activeBinId, 5_000);
      assert.throws(() => pool.swapToBin(1_000_000, NOON), RangeError);
    });
  });
});
