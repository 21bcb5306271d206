import assert from 'node:assert/strict';
import { priceQ64OfBin } from '../../../../src/base/dlmm/bins';
import { ALL_BINS, binWorld, evenly, holdingOver, NOON, stockedHolding, stored } from '../../../support/sandbox/market/bins/common';

const MILLION = 1_000_000n;

describe('Deposits into and withdrawals from a bin pool', () => {
  it('The first shares of a bin equal its liquidity', () => {
    const { pool } = binWorld();
    const holding = holdingOver(pool, -2, 2);
    const put = pool.deposit(
      holding,
      [
        { binId: -1, amountX: 0n, amountY: 7n * MILLION },
        { binId: 2, amountX: MILLION, amountY: 0n },
      ],
      NOON,
    );
    assert.deepEqual(put, { x: MILLION, y: 7n * MILLION });
    assert.deepEqual(
      holding.bins.map((bin) => bin.shares),
      [0n, (7n * MILLION) << 64n, 0n, 0n, priceQ64OfBin(2, 20) * MILLION],
    );
    assert.deepEqual(pool.amountsOf(holding), put);
    assert.deepEqual(pool.amountsInBin(holding, 2), { x: MILLION, y: 0n });
    assert.deepEqual(pool.amountsInBin(holding, 3), { x: 0n, y: 0n });
    assert.deepEqual(pool.liquidity, put);
    assert.deepEqual(pool.vaults, put);
  });

  it('Later deposits get shares in proportion', () => {
    const { pool } = binWorld();
    const first = stockedHolding(pool, -3, -1, 3n * MILLION);
    const second = stockedHolding(pool, -3, -1, MILLION);
    assert.deepEqual(pool.amountsOf(first), { x: 0n, y: 9n * MILLION });
    assert.deepEqual(pool.amountsOf(second), { x: 0n, y: 3n * MILLION });
    assert.equal(first.bins[0]?.shares, 3n * (second.bins[0]?.shares ?? 0n));
  });

  it('A withdrawal takes its share of every bin of a range', () => {
    const { pool } = binWorld();
    const holding = stockedHolding(pool, -3, 3, MILLION);
    assert.deepEqual(pool.withdraw(holding, { fromBinId: -3, toBinId: -2 }, 2_500), { x: 0n, y: 500_000n });
    assert.deepEqual(pool.withdraw(holding, { fromBinId: 2, toBinId: 99 }, 10_000), { x: 2n * MILLION, y: 0n });
    assert.equal(holding.bins[5]?.shares, 0n);
    assert.deepEqual(pool.amountsOf(holding), { x: 2n * MILLION, y: 3_500_000n });
    assert.deepEqual(pool.withdraw(holding, ALL_BINS, 10_000), { x: 2n * MILLION, y: 3_500_000n });
    assert.deepEqual(pool.vaults, { x: 0n, y: 0n });
    assert.deepEqual(pool.liquidity, { x: 0n, y: 0n });
    assert.deepEqual(pool.withdraw(holding, ALL_BINS, 10_000), { x: 0n, y: 0n });
  });

  it('Shares that are not basis points are refused', () => {
    const { pool } = binWorld();
    const holding = stockedHolding(pool, -3, 3, MILLION);
    for (const bps of [-1, 10_001, 0.5, NaN]) {
      assert.throws(() => pool.withdraw(holding, ALL_BINS, bps), RangeError);
    }
  });

  it('A refused deposit changes nothing', () => {
    const world = binWorld();
    const { pool } = world;
    const holding = stockedHolding(pool, -3, 3, MILLION);
    const wide = pool.newHolding({ fromBinId: -100, toBinId: 100 });
    const good = { binId: -1, amountX: 0n, amountY: MILLION };
    const before = [stored(world), structuredClone(holding)];
    for (const bad of [
      { binId: 4, amountX: MILLION, amountY: 0n },
      { binId: -2, amountX: MILLION, amountY: 0n },
      { binId: 2, amountX: 0n, amountY: MILLION },
      { binId: 0, amountX: -1n, amountY: MILLION },
    ]) {
      assert.throws(() => pool.deposit(holding, [good, bad], NOON), RangeError);
    }
    assert.throws(
      () => pool.deposit(wide, [good, { binId: 99, amountX: MILLION, amountY: 0n }], NOON),
      /bin array of bin 99 does not exist/,
    );
    assert.deepEqual([stored(world), holding], before);
  });

  it('A deposit skips bins that get no tokens', () => {
    const { pool } = binWorld();
    const holding = stockedHolding(pool, -3, 3, MILLION);
    assert.deepEqual(pool.deposit(holding, [{ binId: 1, amountX: 0n, amountY: 0n }], NOON), { x: 0n, y: 0n });
    assert.deepEqual(pool.vaults, { x: 4n * MILLION, y: 4n * MILLION });
  });

  describe('A bin with less than one whole share', () => {
    /** One raw Y, rounded up for those who stay, and next to nothing of the shares. */
    function dust(): { pool: ReturnType<typeof binWorld>['pool']; holding: ReturnType<typeof stockedHolding> } {
      const { pool } = binWorld();
      const holding = holdingOver(pool, 0, 0);
      pool.deposit(holding, [{ binId: 0, amountX: 0n, amountY: 5n }], NOON);
      while ((holding.bins[0]?.shares ?? 0n) > 10_000n) {
        pool.withdraw(holding, ALL_BINS, 9_999);
      }
      assert.deepEqual(pool.binAmounts(0), { x: 0n, y: 1n });
      return { pool, holding };
    }

    it('Fees that the counters cannot hold stay in the bin', () => {
      const { pool, holding } = dust();
      const trade = pool.swap('x', 2n, NOON);
      assert.deepEqual([trade.amountIn, trade.amountOut, trade.fees.x], [2n, 1n, 1n]);
      assert.deepEqual(pool.binAmounts(0), { x: 2n, y: 0n });
      assert.deepEqual(pool.feesOf(holding), { x: 0n, y: 0n });
      assert.deepEqual(pool.withdraw(holding, ALL_BINS, 10_000), { x: 2n, y: 0n });
      assert.deepEqual(pool.vaults, { x: 0n, y: 0n });
    });

    it('A deposit worth less than the smallest share takes nothing in', () => {
      const { pool, holding } = dust();
      while ((holding.bins[0]?.shares ?? 0n) > 1n) {
        pool.withdraw(holding, ALL_BINS, 5_000);
      }
      pool.swap('x', 2n, NOON);
      const other = holdingOver(pool, 0, 0);
      assert.deepEqual(pool.deposit(other, [{ binId: 0, amountX: 1n, amountY: 0n }], NOON), { x: 0n, y: 0n });
      assert.equal(other.bins[0]?.shares, 0n);
      assert.deepEqual(pool.vaults, { x: 2n, y: 0n });
      assert.deepEqual(pool.deposit(other, [{ binId: 0, amountX: 5n, amountY: 0n }], NOON), { x: 5n, y: 0n });
      assert.deepEqual(pool.amountsOf(other), { x: 4n, y: 0n });
    });
  });

  it('Positions can be created and extended within the valid bins', () => {
    const { pool } = binWorld();
    const holding = pool.newHolding({ fromBinId: 10, toBinId: 79 });
    pool.extend(holding, 170);
    assert.equal(holding.bins.length, 161);
    pool.extend(holding, 100);
    assert.equal(holding.bins.length, 161);
    assert.throws(() => pool.extend(holding, 10 + 1_400), RangeError);
    assert.throws(() => pool.newHolding({ fromBinId: 5, toBinId: 4 }), RangeError);
    assert.throws(() => pool.newHolding({ fromBinId: -30_000, toBinId: -29_990 }), RangeError);
    assert.throws(() => pool.addBinArray(400), RangeError);
    assert.deepEqual(pool.binArrayIndexes, []);
  });

  it('A position lists its bin arrays once and in ascending order', () => {
    const { pool } = binWorld();
    [3, -2, 0, 3, -2, -1].forEach((index) => pool.addBinArray(index));
    assert.deepEqual(pool.binArrayIndexes, [-2, -1, 0, 3]);
  });

  describe('The active bin', () => {
    it('A deposit in the mix of the active bin pays no fee', () => {
      const { pool } = binWorld();
      stockedHolding(pool, 0, 0, 10n * MILLION);
      const holding = stockedHolding(pool, 0, 0, MILLION);
      assert.deepEqual(pool.amountsOf(holding), { x: MILLION, y: MILLION });
      assert.deepEqual(pool.protocolFees, { x: 0n, y: 0n });
    });

    it('A one-sided deposit into the active bin pays the composition fee', () => {
      const { pool } = binWorld({ variableFeeControl: 0 });
      const before = stockedHolding(pool, 0, 0, 10n * MILLION);
      const holding = holdingOver(pool, 0, 0);
      assert.deepEqual(pool.deposit(holding, [{ binId: 0, amountX: 0n, amountY: 2n * MILLION }], NOON), { x: 0n, y: 2n * MILLION });
      // 22 million of liquidity, 2 of them new: taking them out at once would give 2/22 of 10 million X and of 12 million Y.
      const outY = (2n * 12n * MILLION) / 22n;
      const swapped = 2n * MILLION - outY;
      const fee = (swapped * 2_000_000n * 1_002_000_000n) / 10n ** 18n;
      const forProtocol = (fee * 500n) / 10_000n;
      assert.ok(fee > 1_800n, String(fee));
      assert.deepEqual(pool.protocolFees, { x: 0n, y: forProtocol });
      assert.deepEqual(pool.binAmounts(0), { x: 10n * MILLION, y: 12n * MILLION - forProtocol });
      // Its shares are counted when the others' part of the fee is in the bin already.
      const supply = (20n * MILLION) << 64n;
      const shares = (((2n * MILLION - fee) << 64n) * supply) / ((20n * MILLION + fee - forProtocol) << 64n);
      assert.deepEqual(
        holding.bins.map((bin) => bin.shares),
        [shares],
      );
      const worth = ({ x, y }: { x: bigint; y: bigint }) => x + y; // bin 0: one for one
      assert.ok(worth(pool.amountsOf(before)) >= 20n * MILLION + ((fee - forProtocol) * 9n) / 10n);
      assert.deepEqual(pool.vaults, { x: 10n * MILLION, y: 12n * MILLION });
    });

    it('The composition fee applies to either token', () => {
      const { pool } = binWorld();
      stockedHolding(pool, 0, 0, 10n * MILLION);
      pool.deposit(holdingOver(pool, 0, 0), [{ binId: 0, amountX: 3n * MILLION, amountY: MILLION }], NOON);
      assert.ok(pool.protocolFees.x > 0n);
      assert.equal(pool.protocolFees.y, 0n);
    });

    it('A one-sided deposit and withdrawal costs at least as much as a swap', () => {
      const { pool } = binWorld({ variableFeeControl: 0 });
      stockedHolding(pool, 0, 0, 1_000n * MILLION);
      const holding = holdingOver(pool, 0, 0);
      pool.deposit(holding, [{ binId: 0, amountX: 0n, amountY: MILLION }], NOON);
      const { x, y } = pool.withdraw(holding, ALL_BINS, 10_000);
      assert.ok(x > 400_000n);
      // What was swapped in effect paid 0.2 % of it, but for what comes back as the share of the bin that the fee went to.
      assert.ok(MILLION - x - y >= (x * 19n) / 10_000n, String(MILLION - x - y));
    });
  });

  it('A position can have 1400 bins', () => {
    const { pool } = binWorld({ binStepBps: 1 });
    const holding = stockedHolding(pool, -700, 699, MILLION);
    assert.deepEqual(pool.amountsOf(holding), { x: 700n * MILLION, y: 701n * MILLION });
    pool.deposit(holding, evenly(pool, -700, 699, MILLION), NOON);
    assert.deepEqual(pool.withdraw(holding, ALL_BINS, 10_000), { x: 1_400n * MILLION, y: 1_402n * MILLION });
  });
});
