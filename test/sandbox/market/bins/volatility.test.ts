import assert from 'node:assert/strict';
import type { BinPool } from '../../../../src/sandbox/market/types';
import { binWorld, NOON, stockedHolding } from '../../../support/sandbox/market/bins/common';

const MILLION = 1_000_000n;
const SECOND = 1_000;

describe('The dynamic fee of a bin pool', () => {
  const spec = { binStepBps: 100, variableFeeControl: 7_500, maxVolatility: 150_000 };

  function pool(more = {}): BinPool {
    const opened = binWorld({ ...spec, ...more }).pool;
    stockedHolding(opened, -40, 40, MILLION);
    return opened;
  }

  /** What the variable part is once so many ten thousandths of a bin have been crossed: control × (volatility × step)² / 1e11. */
  const variable = (accumulator: number) => BigInt(Math.ceil((7_500 * (accumulator * 100) ** 2) / 1e11));

  it('The dynamic fee equals the base fee while the price has not moved', () => {
    assert.deepEqual(pool().feeRates(NOON), { base: 10_000_000n, variable: 0n, total: 10_000_000n });
    assert.equal(pool().maxFeeRate, 10_000_000n + variable(150_000));
    assert.equal(pool({ baseFactor: 60_000, binStepBps: 250 }).maxFeeRate, 100_000_000n);
  });

  it('The dynamic fee rises with each crossed bin, up to its maximum', () => {
    const crossed = pool();
    const trade = crossed.swapTo(crossed.priceOf(3), NOON);
    const parts = [0, 1, 2, 3].map((away) => {
      const price = crossed.priceOf(away);
      const rate = 10_000_000n + variable(away * 10_000);
      const cost = BigInt(Math.ceil(1e6 * price));
      return (cost * rate + (999_999_999n - rate)) / (1_000_000_000n - rate);
    });
    const expected = parts.reduce((sum, part) => sum + part, 0n);
    assert.ok(trade.fees.y - expected <= 3n && expected - trade.fees.y <= 3n, `${trade.fees.y}, not about ${expected}`);
    assert.equal(crossed.feeRates(NOON).variable, variable(30_000));
    crossed.swapTo(crossed.priceOf(30), NOON);
    assert.equal(crossed.feeRates(NOON).variable, variable(150_000));
    assert.equal(crossed.feeRates(NOON).total, crossed.maxFeeRate);
  });

  it('The dynamic fee falls when the price returns to its reference', () => {
    const back = pool();
    back.swapTo(back.priceOf(5), NOON);
    back.swapTo(back.priceOf(0), NOON + 5 * SECOND);
    assert.equal(back.feeRates(NOON + 10 * SECOND).variable, 0n);
  });

  it('The volatility reference is kept for half a minute, then halved, and reset after ten minutes', () => {
    const moved = pool();
    moved.swapTo(moved.priceOf(8), NOON);
    for (const [seconds, accumulator] of [
      [0, 80_000],
      [29, 80_000],
      [30, 40_000],
      [599, 40_000],
      [600, 0],
      [86_400, 0],
    ] as const) {
      assert.equal(moved.feeRates(NOON + seconds * SECOND).variable, variable(accumulator), `${seconds} s`);
    }
  });

  it('Volatility is measured from the active bin of the trade after the filter period', () => {
    const moved = pool();
    moved.swapTo(moved.priceOf(8), NOON);
    moved.swapTo(moved.priceOf(10), NOON + 60 * SECOND);
    assert.equal(moved.feeRates(NOON + 61 * SECOND).variable, variable(40_000 + 20_000));
  });

  it('A trade within one bin does not count as volatility', () => {
    const still = pool();
    still.swapTo(still.priceOf(8), NOON);
    still.swap('x', 1_000n, NOON + 590 * SECOND);
    assert.equal(still.activeBinId, 8);
    assert.equal(still.feeRates(NOON + 600 * SECOND).variable, 0n);
  });

  it('Bins that the active bin crosses without a trade do not count as volatility', () => {
    const empty = binWorld(spec).pool;
    empty.swapTo(empty.priceOf(8), NOON);
    assert.equal(empty.feeRates(NOON).variable, 0n);
  });

  it('A deposit into the active bin updates the volatility', () => {
    const moved = pool();
    moved.swapTo(moved.priceOf(8), NOON);
    stockedHolding(moved, 8, 8, MILLION); // at NOON: still within the filter
    assert.equal(moved.feeRates(NOON + 100 * SECOND).variable, variable(40_000));
    const holding = moved.newHolding({ fromBinId: 8, toBinId: 8 });
    moved.deposit(holding, [{ binId: 8, amountX: MILLION, amountY: 0n }], NOON + 100 * SECOND);
    assert.equal(moved.feeRates(NOON + 200 * SECOND).variable, variable(20_000));
  });
});
