import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dataOf, distinctLabels, type TimeChart } from '../../../../webview/shared/chart/plot';
import { calendarMarks, extentOf, indexAfterKey, timeLabels, timeMarks } from '../../../../webview/shared/chart/timeAxis';
import { figuresOf } from '../../../../webview/shared/figures';

const text = {
  clock: (at: number | undefined) => `clock ${at}`,
  monthDay: (at: number | undefined) => `day ${at}`,
  month: (at: number | undefined) => `month ${at}`,
};
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('Labels of a time axis', () => {
  it('Labels are times of day if marks are hours apart, and the date at a new day', () => {
    const noon = new Date(2026, 10, 20, 12).getTime();
    const times = [noon, noon + 6 * HOUR, noon + 12 * HOUR];
    assert.deepEqual(timeLabels(times, text), [`clock ${times[0]}`, `clock ${times[1]}`, `day ${times[2]}`]);
  });

  it('Labels are days, or months if those suffice', () => {
    assert.deepEqual(timeLabels([0, DAY], text), ['day 0', `day ${DAY}`]);
    assert.deepEqual(timeLabels([0, 30 * DAY], text), ['month 0', `month ${30 * DAY}`]);
  });

  it('Labels follow the smallest distance between marks', () => {
    assert.deepEqual(timeLabels([0, 40 * DAY, 41 * DAY], text), ['day 0', `day ${40 * DAY}`, `day ${41 * DAY}`]);
    assert.deepEqual(timeLabels([0, 23 * HOUR], text), ['day 0', `day ${23 * HOUR}`], 'the clocks were put forward');
  });

  it('The label of a single mark is a day', () => {
    assert.deepEqual(timeLabels([5], text), ['day 5']);
    assert.deepEqual(timeLabels([], text), []);
  });
});

describe('Marks of a time axis', () => {
  const at = (month: number, date: number, hour = 0) => new Date(2026, month, date, hour).getTime();

  it('Marks are data points that keep the minimum distance', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: at(0, 1), max: at(11, 1) })), fc.integer({ min: 1, max: 40 * DAY }), (points, least) => {
        const times = points.toSorted((a, b) => a - b);
        const marks = timeMarks(times, least);
        assert.ok(marks.every((mark, index) => times.includes(mark) && mark - (marks[index - 1] ?? -Infinity) >= least));
        assert.equal(marks.length === 0, times.length === 0);
      }),
    );
    const days = [at(9, 22), at(9, 26), at(10, 5), at(10, 10), at(10, 11), at(10, 18)];
    assert.deepEqual(timeMarks(days, 4 * DAY), [at(9, 22), at(9, 26), at(10, 5), at(10, 11), at(10, 18)]);
  });

  it('A line over weeks has evenly spaced marks, however few points it has', () => {
    assert.deepEqual(calendarMarks(at(9, 20), at(10, 19, 15), 5 * DAY), [at(9, 22), at(9, 29), at(10, 5), at(10, 12), at(10, 19)]);
    assert.deepEqual(calendarMarks(at(0, 15), at(10, 19), 60 * DAY), [at(1, 1), at(4, 1), at(7, 1), at(10, 1)]);
    assert.deepEqual(calendarMarks(at(10, 18), at(10, 19), HOUR), [], 'too short');
    fc.assert(
      fc.property(
        fc.integer({ min: at(0, 1), max: at(5, 1) }),
        fc.integer({ min: 3 * DAY, max: 4_000 * DAY }),
        fc.integer({ min: 1, max: 900 * DAY }),
        (from, span, least) => {
          const marks = calendarMarks(from, from + span, least);
          assert.ok(marks.every((mark, index) => mark >= from && mark <= from + span && mark - (marks[index - 1] ?? -Infinity) >= least));
        },
      ),
    );
  });

  it('The last step of a stepped line is as visible as the others', () => {
    const chart: TimeChart = {
      ...{ id: 'c', label: 'c', summary: '', kind: 'line', format: String, figures: figuresOf('en-US') },
      times: [0, 50, 100],
      series: [{ label: 'c', values: [1, 2, undefined], isStepped: true }],
    };
    assert.deepEqual(dataOf(chart), [
      [0, 50, 100, 103],
      [1, 2, null, null],
    ]);
    assert.deepEqual(dataOf({ ...chart, series: [{ label: 'c', values: [1, 2, 3] }] })[0], [0, 50, 100]);
    assert.deepEqual(dataOf({ ...chart, times: [5], series: [{ label: 'c', values: [1], isStepped: true }] })[0], [5]);
  });

  it('Marks are at the beginning of days, or of months if those suffice', () => {
    const hours = Array.from({ length: 6 * 24 }, (_, hour) => at(10, 2, 12 + hour));
    assert.deepEqual(timeMarks(hours, 20 * HOUR), [at(10, 3), at(10, 4), at(10, 5), at(10, 6), at(10, 7), at(10, 8)]);
    const year = Array.from({ length: 364 }, (_, day) => at(0, 1 + day));
    assert.deepEqual(timeMarks(year, 85 * DAY), [at(2, 1), at(5, 1), at(8, 1), at(11, 1)]);
    assert.deepEqual(timeMarks(hours.slice(0, 24), 6 * HOUR).length, 4, 'one day');
    assert.deepEqual(timeMarks(hours.slice(0, 48), 20 * HOUR), [at(10, 3), at(10, 4)], 'two days, in little room');
  });
});

describe('Keys in a chart', () => {
  it('The first key press selects the newest point', () => {
    assert.equal(indexAfterKey('ArrowLeft', undefined, 60), 59);
  });

  it('Keys move from point to point, and not beyond the ends', () => {
    assert.deepEqual(
      ['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => indexAfterKey(key, 30, 60)),
      [31, 29, 36, 24, 0, 59],
    );
    assert.deepEqual([indexAfterKey('ArrowRight', 59, 60), indexAfterKey('ArrowLeft', 0, 60)], [59, 0]);
    assert.equal(indexAfterKey('Enter', 3, 60), undefined);
    assert.equal(indexAfterKey('Home', undefined, 0), undefined);
  });
});

describe('Extent of values', () => {
  it('The extent of values leaves out unknown values', () => {
    assert.deepEqual(extentOf([3, undefined, NaN, -2], false), [-2, 3]);
    assert.equal(extentOf([undefined, Infinity], false), undefined);
  });

  it('The extent of values includes zero for bars', () => {
    assert.deepEqual(extentOf([3, 5], true), [0, 5]);
    assert.deepEqual(extentOf([-3], true), [-3, 0]);
  });
});

describe('Labels of a value axis', () => {
  it('Values that are written alike are labeled once', () => {
    assert.deepEqual(distinctLabels(['$0.00', '<$0.01', '<$0.01', '$0.01']), ['$0.00', '<$0.01', '', '$0.01']);
  });
});
