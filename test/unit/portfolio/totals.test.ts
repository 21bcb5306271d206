import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Money } from '../../../src/api/records/money';
import { totalsOf } from '../../../src/portfolio/totals';
import { openPosition } from './fixtures';

const usd = (value: number | undefined): Money => ({ usd: value, native: undefined });

describe('totals of open positions', () => {
  it('are sums, and a percentage of all that was put in', () => {
    const totals = totalsOf([
      openPosition(1, { value: usd(110), pnl: usd(10), input: usd(100), uncollectedFee: usd(1), inRange: false }),
      openPosition(2, { value: usd(850), pnl: usd(-50), input: usd(900), uncollectedFee: usd(2) }),
    ]);
    assert.deepEqual(totals, {
      count: 2,
      outOfRange: 1,
      valueUsd: 960,
      valueNative: undefined,
      pnlUsd: -40,
      pnlNative: undefined,
      pnlPercent: -4,
      pnlPercentNative: undefined,
      uncollectedFeeUsd: 3,
      uncollectedFeeNative: undefined,
      unpriced: 0,
    });
  });

  it('leave out what is not reported, and say of how many positions', () => {
    const totals = totalsOf([
      openPosition(1, { value: usd(100), pnl: usd(10), input: usd(50) }),
      openPosition(2, { value: usd(undefined), pnl: usd(undefined), input: usd(1000) }),
      openPosition(3, { value: usd(100), pnl: usd(5), input: usd(undefined) }),
    ]);
    assert.equal(totals.valueUsd, 200);
    assert.equal(totals.pnlUsd, 15);
    assert.equal(totals.pnlPercent, 20); // 10 of 50: the others report only one of the two
    assert.equal(totals.unpriced, 1);
  });

  it('are not known where nothing is reported', () => {
    const totals = totalsOf([openPosition(1, { value: usd(undefined), pnl: usd(undefined), input: usd(undefined), uncollectedFee: usd(undefined) })]);
    assert.equal(totals.valueUsd, undefined);
    assert.equal(totals.pnlUsd, undefined);
    assert.equal(totals.pnlPercent, undefined);
    assert.equal(totals.uncollectedFeeUsd, undefined);
    assert.equal(totals.unpriced, 1);
  });

  it('have no percentage of nothing', () => {
    assert.equal(totalsOf([openPosition(1, { input: usd(0), pnl: usd(5) })]).pnlPercent, undefined);
    assert.equal(totalsOf([]).pnlPercent, undefined);
  });

  it('do not count positions whose range is not known as out of range', () => {
    assert.equal(totalsOf([openPosition(1, { inRange: undefined })]).outOfRange, 0);
  });

  it('lie between the least and the greatest percentage of the positions', () => {
    const position = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: -1000, max: 1000 }));
    fc.assert(
      fc.property(fc.array(position, { minLength: 1 }), (figures) => {
        const totals = totalsOf(figures.map(([input, pnl], index) => openPosition(index, { input: usd(input), pnl: usd(pnl) })));
        const percents = figures.map(([input, pnl]) => (100 * pnl) / input);
        assert.ok(totals.pnlPercent !== undefined);
        assert.ok(totals.pnlPercent >= Math.min(...percents) - 1e-6);
        assert.ok(totals.pnlPercent <= Math.max(...percents) + 1e-6);
      }),
    );
  });
});
