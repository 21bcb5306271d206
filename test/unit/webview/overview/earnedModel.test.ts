import assert from 'node:assert/strict';
import { figuresOf } from '../../../../webview/shared/figures';
import {
  cumulativeText,
  dailyText,
  earnedLeftOut,
  earnedPoints,
  localDay,
  extendedToPeriod,
} from '../../../../webview/overview/earnedModel';

const { text } = figuresOf('en-US');
const day = (number: number) => Date.UTC(2026, 10, number);
const earned = [10, -30, 25].map((usd, index) => ({
  dayMs: day(index + 1),
  pnl: { usd },
  cumulativePnl: { usd: [10, -20, 5][index] },
  invested: {},
}));

describe('Daily earnings', () => {
  it("A day of earnings stands at the service's calendar day in every time zone", () => {
    const before = process.env['TZ'];
    try {
      for (const zone of ['America/Los_Angeles', 'UTC', 'Pacific/Auckland']) {
        process.env['TZ'] = zone;
        const at = new Date(localDay(day(7)));
        assert.deepEqual([at.getFullYear(), at.getMonth(), at.getDate(), at.getHours()], [2026, 10, 7, 0], zone);
      }
    } finally {
      if (before === undefined) {
        delete process.env['TZ'];
      } else {
        process.env['TZ'] = before;
      }
    }
  });

  it('The note counts the days left out because of an implausible figure, in the shown currency', () => {
    const odd = [...earned, { dayMs: day(4), pnl: {}, cumulativePnl: { usd: 5 }, invested: {}, implausible: { usd: true, native: false } }];
    assert.equal(earnedLeftOut(odd, 'usd', text), 'Left out, as too large to be real: 1 day.');
    assert.deepEqual([earnedLeftOut(odd, 'native', text), earnedLeftOut(earned, 'usd', text)], [undefined, undefined]);
  });

  it('The text alternative tells the last value, the extremes, and days with gains and losses', () => {
    const points = earnedPoints(earned, 'usd');
    assert.equal(
      cumulativeText(points, 'usd', text),
      '+$5.00 by Nov 3, 2026. Highest: +$10.00 on Nov 1, 2026. Lowest: −$20.00 on Nov 2, 2026.',
    );
    assert.equal(
      dailyText(points, 'usd', text),
      '2 days with a gain, 1 with a loss. Best: +$25.00 on Nov 3, 2026. Worst: −$30.00 on Nov 2, 2026.',
    );
  });

  it('The text alternative says that the figures are not known if there are none', () => {
    const points = earnedPoints(earned, 'native');
    assert.match(cumulativeText(points, 'native', text), /^Not reported by the service\.$/);
    assert.match(dailyText(points, 'native', text), /^Not reported by the service\.$/);
  });

  it('The text alternative works for a single day', () => {
    const points = earnedPoints(earned.slice(0, 1), 'usd');
    assert.equal(
      cumulativeText(points, 'usd', text),
      '+$10.00 by Nov 1, 2026. Highest: +$10.00 on Nov 1, 2026. Lowest: +$10.00 on Nov 1, 2026.',
    );
  });

  const local = (month: number, date: number) => new Date(2026, month, date).getTime();
  const noon = local(10, 5) + 12 * 3_600_000;

  it('The cumulative chart runs from zero before the period until today', () => {
    const points = earnedPoints(earned, 'usd');
    const { times, cumulative } = extendedToPeriod(points, '1M', noon);
    assert.deepEqual(times, [local(9, 6), ...points.times, local(10, 5)]);
    assert.deepEqual(cumulative, [0, 10, -20, 5, 5]);
    assert.equal(extendedToPeriod(points, 'YTD', noon).times[0], new Date(2025, 11, 31).getTime());
    assert.equal(extendedToPeriod(points, 'ALL', noon).times[0], local(9, 31), 'the day before the first');
    assert.equal(extendedToPeriod(points, '7D', local(10, 20)).times[0], local(9, 31), 'never after the first');
    assert.deepEqual(extendedToPeriod(points, '1M', local(10, 3)).cumulative, [0, 10, -20, 5], 'the last day is today');
  });

  it('The cumulative chart begins with its first day if the sum does not begin there', () => {
    const later = earnedPoints(earned.slice(1), 'usd');
    assert.deepEqual(extendedToPeriod(later, '1M', noon).cumulative, [-20, 5, 5]);
    assert.deepEqual(extendedToPeriod(earnedPoints(earned, 'native'), '1M', noon).cumulative, [undefined, undefined, undefined, undefined]);
    assert.deepEqual(extendedToPeriod(earnedPoints([], 'usd'), '1M', noon), { times: [], cumulative: [] });
  });
});
