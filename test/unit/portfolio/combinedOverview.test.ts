import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Money } from '../../../src/service/common';
import type { Overview, Period, PerPeriod } from '../../../src/service/overview';
import { combineOverviews } from '../../../src/portfolio/combinedOverview';

const PERIODS: readonly Period[] = ['ALL', '7D', '1M', '3M', '1Y', 'YTD'];
const DAYS: Readonly<Record<Period, number>> = { ALL: Infinity, '7D': 7, '1M': 30, '3M': 90, '1Y': 365, YTD: 320 };
const NO_MONEY: Money = { usd: undefined, native: undefined };

interface Closed {
  readonly closedDaysAgo: number;
  readonly ageHours: number;
  readonly pool: number;
  readonly inflow: number;
  readonly fee: number;
  readonly pnl: number;
  readonly pnlNative: number;
}

const cents = (most: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: most }).map((amount) => amount / 100);
const signed = fc.integer({ min: -5_000, max: 5_000 }).map((amount) => amount / 100);
const closed: fc.Arbitrary<Closed> = fc.record({
  closedDaysAgo: fc.integer({ min: 0, max: 500 }),
  ageHours: cents(100_000),
  pool: fc.nat(5),
  inflow: cents(1_000_000),
  fee: cents(10_000),
  pnl: signed,
  pnlNative: signed,
});

/** What the service reports for these positions and so many open ones, by the identities of its own example. */
function overviewOf(positions: readonly Closed[], open: number, firstPool: number): Overview {
  const perPeriod = <Figure>(figure: (inPeriod: readonly Closed[]) => Figure): PerPeriod<Figure> => {
    const of = (period: Period): Figure => figure(positions.filter(({ closedDaysAgo }) => closedDaysAgo < DAYS[period]));
    return { ALL: of('ALL'), '7D': of('7D'), '1M': of('1M'), '3M': of('3M'), '1Y': of('1Y'), YTD: of('YTD') };
  };
  const total = (some: readonly Closed[], figure: (one: Closed) => number): number => some.reduce((all, one) => all + figure(one), 0);
  const ratio = (dividend: number, divisor: number): number => (divisor === 0 ? 0 : dividend / divisor);
  const both =
    (usd: (one: Closed) => number, native: (one: Closed) => number) =>
    (some: readonly Closed[]): Money => ({ usd: total(some, usd), native: total(some, native) });
  const inflow = both(
    (one) => one.inflow,
    (one) => one.inflow / 200,
  );
  const fee = both(
    (one) => one.fee,
    (one) => one.fee / 200,
  );
  const pnl = both(
    (one) => one.pnl,
    (one) => one.pnlNative,
  );
  const wins = both(
    (one) => (one.pnl > 0 ? 1 : 0),
    (one) => (one.pnlNative > 0 ? 1 : 0),
  );
  const results = both(
    (one) => (one.pnl === 0 ? 0 : 1),
    (one) => (one.pnlNative === 0 ? 0 : 1),
  );
  const over =
    (dividend: (some: readonly Closed[]) => Money, divisor: (some: readonly Closed[]) => Money) =>
    (some: readonly Closed[]): Money => ({
      usd: ratio(dividend(some).usd ?? 0, divisor(some).usd ?? 0),
      native: ratio(dividend(some).native ?? 0, divisor(some).native ?? 0),
    });
  const count = (some: readonly Closed[]): Money => ({ usd: some.length, native: some.length });
  const expected = over(pnl, results)(positions);
  const averageInflow = over(inflow, count)(positions);
  return {
    owner: undefined,
    chain: 'SOL',
    protocol: 'meteora',
    totalInflow: inflow(positions),
    totalOutflow: both(
      (one) => one.inflow + one.pnl,
      (one) => one.inflow / 200 + one.pnlNative,
    )(positions),
    totalReward: { usd: 0, native: 0 },
    averageInflow: perPeriod(over(inflow, count)),
    totalFee: perPeriod(fee),
    totalPnl: perPeriod(pnl),
    winRate: perPeriod(over(wins, results)),
    expectedValue: perPeriod(over(pnl, results)),
    closedPositions: perPeriod((some) => some.length),
    averageAgeHours: ratio(
      total(positions, ({ ageHours }) => ageHours),
      positions.length,
    ),
    feeRate: over(fee, inflow)(positions),
    apr: 12,
    roi: ratio(
      total(positions, (one) => one.pnl),
      total(positions, (one) => one.inflow),
    ),
    roiOnAverageInflow: {
      usd: ratio(expected.usd ?? 0, averageInflow.usd ?? 0),
      native: ratio(expected.native ?? 0, averageInflow.native ?? 0),
    },
    totalPositions: positions.length + open,
    wonPositions: wins(positions),
    openPositions: open,
    totalPools: new Set(positions.map(({ pool }) => firstPool + pool)).size,
    firstActivity: undefined,
    lastActivity: positions.length === 0 ? undefined : new Date(-Math.min(...positions.map(({ closedDaysAgo }) => closedDaysAgo))),
    updatedAt: undefined,
    averagePositionProfit: expected,
    monthlyProfitPercent: { usd: 1, native: 1 },
    monthlyPnl: { usd: 1, native: 1 },
    monthlyInflow: { usd: 1, native: 1 },
  };
}

/** Figures that are the same but for the rounding of sums; 0 and "not known" are both said of an average of nothing. */
function assertSame(found: unknown, expected: unknown, where: string): void {
  if (typeof found === 'object' && found !== null && !(found instanceof Date)) {
    for (const [name, value] of Object.entries(found)) {
      assertSame(value, (expected as Record<string, unknown>)[name], `${where}.${name}`);
    }
    return;
  }
  if (typeof expected === 'number') {
    assert.ok(
      Math.abs(Number(found ?? 0) - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
      `${where}: ${String(found)} is not ${expected}`,
    );
    return;
  }
  assert.deepEqual(found, expected, where);
}

/** Sums of floats that are zero but for rounding say nothing of how many positions they are of. */
const isExact = (positions: readonly Closed[]): boolean =>
  PERIODS.every((period) => {
    const some = positions.filter(({ closedDaysAgo }) => closedDaysAgo < DAYS[period]);
    return [some.map(({ pnl }) => pnl), some.map(({ pnlNative }) => pnlNative)].every(
      (figures) => figures.every((figure) => figure === 0) || Math.abs(figures.reduce((all, figure) => all + figure, 0)) > 0.005,
    );
  });

describe('Combined overview of several protocols', () => {
  it('The combined overview equals one of all positions, apart from figures that cannot be combined', () => {
    fc.assert(
      fc.property(
        fc.array(closed, { maxLength: 12 }).filter(isExact),
        fc.array(closed, { maxLength: 12 }).filter(isExact),
        fc.nat(3),
        fc.nat(3),
        (some, others, open, moreOpen) => {
          const together = combineOverviews([overviewOf(some, open, 0), overviewOf(others, moreOpen, 100)]);
          const expected = overviewOf([...some, ...others.map((one) => ({ ...one, pool: one.pool + 100 }))], open + moreOpen, 0);
          assertSame(
            together,
            {
              ...expected,
              protocol: undefined,
              apr: undefined,
              monthlyProfitPercent: NO_MONEY,
              monthlyPnl: NO_MONEY,
              monthlyInflow: NO_MONEY,
            },
            'overview',
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('The combined overview does not depend on the order of the protocols', () => {
    fc.assert(
      fc.property(fc.array(closed, { maxLength: 6 }), fc.array(closed, { maxLength: 6 }), (some, others) => {
        const [one, other] = [overviewOf(some, 1, 0), overviewOf(others, 2, 100)];
        assertSame(combineOverviews([one, other]), combineOverviews([other, one]), 'overview');
      }),
    );
  });

  const loss: Closed = { closedDaysAgo: 1, ageHours: 3, pool: 0, inflow: 200, fee: 1, pnl: -50.47, pnlNative: -0.3 };
  const gain: Closed = { closedDaysAgo: 2, ageHours: 3, pool: 1, inflow: 100, fee: 1, pnl: 0.91, pnlNative: 0.01 };

  it('A loss in the second protocol lowers the combined win rate and expected value', () => {
    const bins = overviewOf([gain, gain, gain], 1, 0);
    const before = combineOverviews([bins, overviewOf([], 1, 100)]);
    const after = combineOverviews([bins, overviewOf([loss], 0, 100)]);
    assert.deepEqual(
      [before.winRate['1M'].usd, after.winRate['1M'].usd, after.closedPositions['1M'], after.openPositions],
      [1, 0.75, 4, 1],
    );
    assertSame(after.expectedValue['1M'].usd, (3 * 0.91 - 50.47) / 4, 'expected value');
  });

  it('A single overview is returned unchanged', () => {
    const only = overviewOf([gain], 0, 0);
    assert.equal(combineOverviews([only]), only);
  });

  it('A figure that one protocol does not report is unknown, unless that protocol closed no position then', () => {
    const silent = { ...overviewOf([loss], 0, 100), totalFee: { ...overviewOf([loss], 0, 100).totalFee, '7D': NO_MONEY } };
    const together = combineOverviews([overviewOf([gain], 0, 0), silent]);
    assert.deepEqual([together.totalFee['7D'], together.totalFee.ALL.usd], [NO_MONEY, 2]);
    const nothing: Overview = {
      ...overviewOf([], 4, 100),
      totalFee: { ...overviewOf([], 0, 100).totalFee, '7D': NO_MONEY },
      winRate: { ...overviewOf([], 0, 100).winRate, '7D': NO_MONEY },
    };
    const beside = combineOverviews([overviewOf([gain], 0, 0), nothing]);
    assert.deepEqual([beside.totalFee['7D'].usd, beside.winRate['7D'].usd, beside.openPositions], [1, 1, 4]);
  });

  it('The win rate is unknown if the figures do not reveal how many positions it covers', () => {
    const noExpected = { ...overviewOf([loss, gain], 0, 100), expectedValue: overviewOf([], 0, 0).expectedValue };
    const together = combineOverviews([overviewOf([gain], 0, 0), noExpected]);
    assert.equal(together.winRate['7D'].usd, undefined);
    // Over all time the positions that won say it.
    assertSame(together.winRate.ALL.usd, 2 / 3, 'win rate');
  });
});
