import assert from 'node:assert/strict';
import { extentOf, indexAfterKey, timeLabels } from '../../../../webview/shared/chart/timeAxis';

const text = { clock: (at: number | undefined) => `clock ${at}`, monthDay: (at: number | undefined) => `day ${at}`, month: (at: number | undefined) => `month ${at}` };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the words below an axis of time', () => {
  it('are times of day where marks are hours apart, and the day where it is a new one', () => {
    const noon = new Date(2026, 10, 20, 12).getTime();
    const times = [noon, noon + 6 * HOUR, noon + 12 * HOUR];
    assert.deepEqual(timeLabels(times, text), [`clock ${times[0]}`, `clock ${times[1]}`, `day ${times[2]}`]);
  });

  it('are days, or months where those are enough', () => {
    assert.deepEqual(timeLabels([0, DAY], text), ['day 0', `day ${DAY}`]);
    assert.deepEqual(timeLabels([0, 30 * DAY], text), ['month 0', `month ${30 * DAY}`]);
  });

  it('are a day where there is one mark', () => {
    assert.deepEqual(timeLabels([5], text), ['day 5']);
    assert.deepEqual(timeLabels([], text), []);
  });
});

describe('keys in a chart', () => {
  it('begin at the newest point', () => {
    assert.equal(indexAfterKey('ArrowLeft', undefined, 60), 59);
  });

  it('lead from point to point, and not beyond the ends', () => {
    assert.deepEqual(['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => indexAfterKey(key, 30, 60)), [31, 29, 36, 24, 0, 59]);
    assert.deepEqual([indexAfterKey('ArrowRight', 59, 60), indexAfterKey('ArrowLeft', 0, 60)], [59, 0]);
    assert.equal(indexAfterKey('Enter', 3, 60), undefined);
    assert.equal(indexAfterKey('Home', undefined, 0), undefined);
  });
});

describe('the extent of values', () => {
  it('leaves out what is not known', () => {
    assert.deepEqual(extentOf([3, undefined, NaN, -2], false), [-2, 3]);
    assert.equal(extentOf([undefined, Infinity], false), undefined);
  });

  it('has zero in it where bars stand on it', () => {
    assert.deepEqual(extentOf([3, 5], true), [0, 5]);
    assert.deepEqual(extentOf([-3], true), [-3, 0]);
  });
});
