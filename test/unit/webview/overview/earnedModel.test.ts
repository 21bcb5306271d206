import assert from 'node:assert/strict';
import { figuresOf } from '../../../../webview/shared/figures';
import { cumulativeWords, dailyWords, earnedPoints, localDay } from '../../../../webview/overview/earnedModel';

const { text } = figuresOf('en-US');
const day = (number: number) => Date.UTC(2026, 10, number);
const earned = [10, -30, 25].map((usd, index) => ({ dayMs: day(index + 1), pnl: { usd }, cumulativePnl: { usd: [10, -20, 5][index] }, invested: {} }));

describe('what each day earned', () => {
  it("stands at the service's calendar day, wherever one is", () => {
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

  it('is told in words: where it ended, its extremes, gains and losses', () => {
    const points = earnedPoints(earned, 'usd');
    assert.equal(cumulativeWords(points, 'usd', text), '+$5.00 by Nov 3, 2026. Highest +$10.00 on Nov 1, 2026. Lowest −$20.00 on Nov 2, 2026.');
    assert.equal(dailyWords(points, 'usd', text), '2 days with a gain, 1 with a loss. Best +$25.00 on Nov 3, 2026, worst −$30.00 on Nov 2, 2026.');
  });

  it('says so where nothing is known', () => {
    const points = earnedPoints(earned, 'native');
    assert.match(cumulativeWords(points, 'native', text), /not known/);
    assert.match(dailyWords(points, 'native', text), /not known/);
  });

  it('needs no more than one day', () => {
    const points = earnedPoints(earned.slice(0, 1), 'usd');
    assert.equal(cumulativeWords(points, 'usd', text), '+$10.00 by Nov 1, 2026. That is the highest it stood.');
  });
});
