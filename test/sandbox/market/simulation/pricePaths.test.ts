import assert from 'node:assert/strict';
import fc from 'fast-check';
import { historySteps } from '../../../../src/sandbox/market/simulation/history';
import { PricePaths } from '../../../../src/sandbox/market/simulation/scenario';
import { Database } from '../../../../src/sandbox/store/database';
import { binPoolOf, DAY, HOUR, NOON, worldIn } from '../../../support/sandbox/market/worlds';

describe('The steps of the history', () => {
  it('The steps add up to the past, to the second, and never grow towards its end', () => {
    fc.assert(
      fc.property(fc.nat(100 * DAY), (spanMs) => {
        const steps = historySteps(spanMs);
        assert.equal(
          steps.reduce((sum, seconds) => sum + seconds, 0),
          Math.floor(spanMs / 1_000),
        );
        assert.ok(steps.every((seconds, index) => seconds >= 1 && (index === 0 || seconds <= (steps[index - 1] ?? 0))));
      }),
    );
  });

  it('Ninety days take some thousands of steps, half a minute at the end, and no past takes none', () => {
    const steps = historySteps(90 * DAY);
    assert.ok(steps.length > 2_000 && steps.length < 5_500);
    assert.deepEqual(
      steps.slice(-180),
      Array.from({ length: 180 }, () => 30),
    );
    assert.deepEqual(historySteps(0), []);
  });
});

describe('Known price paths', () => {
  const past = 3 * DAY;
  const { market, database } = worldIn(Database.inMemory(), 61, NOON - past);
  const steps = historySteps(past);
  const paths = PricePaths.ahead(market, steps);
  const pool = binPoolOf(market, 'BONQ-SOL-100');
  after(() => database.close());

  it('Known paths match the later prices at each moment, in bins, in SOL and in dollars', () => {
    const first = { usd: 0, sol: 0 };
    for (const [moment, seconds] of steps.entries()) {
      market.step(seconds);
      const [usdX, usdY] = [market.usd(pool.tokenX), market.usd(pool.tokenY)];
      assert.equal(paths.timeOf(moment), market.now);
      assert.ok(Math.abs(paths.binAt(pool, moment) - Math.log((usdX / usdY) * 10 ** (9 - 5)) / Math.log(1.01)) < 1e-6);
      const now = { usd: Math.log(usdX), sol: Math.log(usdX / market.usdSol) };
      if (moment === 0) {
        Object.assign(first, now);
      }
      const [before, after] = [paths.worthOfX(pool, 0), paths.worthOfX(pool, moment)];
      assert.ok(
        Math.abs(after.usd - before.usd - (now.usd - first.usd)) < 1e-9 && Math.abs(after.sol - before.sol - (now.sol - first.sol)) < 1e-9,
      );
    }
    assert.equal(market.now, NOON);
  });

  it('Known prices are found by their age, and not before the pool exists', () => {
    assert.equal(paths.hoursAgo(paths.last), 0);
    for (const hours of [0, 0.3, 7, 50, 1_000]) {
      const moment = paths.momentAgo(hours);
      assert.ok(paths.hoursAgo(moment) <= hours && (moment === 0 || paths.hoursAgo(moment - 1) > hours));
    }
    const between = paths.between(pool, 30, 6);
    assert.ok(between.length > 50 && between.every((moment) => paths.hoursAgo(moment) <= 30 && paths.hoursAgo(moment) >= 6));
    const young = binPoolOf(market, 'GIGALAMB-SOL-250');
    assert.ok(paths.between(young, 70, 0).every((moment) => paths.timeOf(moment) >= young.createdAt + HOUR));
    assert.deepEqual(paths.between(pool, 500, 400), []);
    assert.throws(() => paths.timeOf(paths.last + 1), RangeError);
  });
});
