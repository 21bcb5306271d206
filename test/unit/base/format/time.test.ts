import assert from 'node:assert/strict';
import fc from 'fast-check';
import { age, calendarDay, calendarMonth, clockTime, exactTime, monthDay, relativeTime, timeOfDay } from '../../../../src/base/format/time';

const NOW = Date.UTC(2026, 10, 20, 10, 3, 12);
const MINUTE = 60_000;

describe('Ages', () => {
  for (const [hours, expected] of [
    [0, '<1m'],
    [0.01, '<1m'],
    [-3, '<1m'],
    [0.2, '12m'],
    [0.9999, '59m'],
    [1, '1h'],
    [3.9, '3h'],
    [23.99, '23h'],
    [24, '1d'],
    [52.5, '2d 4h'],
    [29 * 24 + 23, '29d 23h'],
    [45 * 24 + 5, '45d'],
    [365 * 24, '1y'],
    [385 * 24, '1y 20d'],
    [1e308, '1.14E304y'],
    [undefined, '–'],
    [Number.NaN, '–'],
    [Infinity, '–'],
  ] as const) {
    it(`An age of ${String(hours)} hours is written ${expected}`, () => {
      assert.equal(age(hours), expected);
    });
  }

  it('The text of an age is never empty', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (hours) => {
        assert.match(age(hours), /^(<1m|[\d,]+[mhdy]( \d+[hd])?)$/);
      }),
    );
  });
});

describe('Times', () => {
  for (const [offset, expected] of [
    [0, 'now'],
    [-30_000, '30 seconds ago'],
    [-2 * MINUTE - 59_000, '2 minutes ago'],
    [3 * 60 * MINUTE, 'in 3 hours'],
    [-24 * 60 * MINUTE, 'yesterday'],
    [-10 * 24 * 60 * MINUTE, '10 days ago'],
  ] as const) {
    it(`A time ${offset / 1000} seconds from now is written ${expected}`, () => {
      assert.equal(relativeTime(new Date(NOW + offset), NOW), expected);
    });
  }

  it('An exact time is written to the second, in the given time zone', () => {
    assert.equal(exactTime(new Date(NOW), 'en-US', 'UTC'), 'Nov 20, 2026, 10:03:12');
    assert.equal(exactTime(new Date(NOW), 'en-US', 'Asia/Tokyo'), 'Nov 20, 2026, 19:03:12');
    assert.equal(timeOfDay(new Date(NOW), 'en-US', 'UTC'), '10:03:12');
    assert.equal(timeOfDay(new Date(Date.UTC(2026, 0, 1)), 'en-US', 'UTC'), '00:00:00');
  });

  it('An unknown time is written as a dash', () => {
    for (const unknown of [undefined, new Date(Number.NaN)]) {
      assert.equal(relativeTime(unknown, NOW), '–');
      assert.equal(exactTime(unknown), '–');
      assert.equal(timeOfDay(unknown), '–');
    }
  });
});

describe('Dates and times of day', () => {
  const at = new Date(NOW);

  it('Dates and times show only the parts that their format needs', () => {
    assert.equal(clockTime(at, 'en-US', 'UTC'), '10:03');
    assert.equal(calendarDay(at, 'en-US', 'UTC'), 'Nov 20, 2026');
    assert.equal(monthDay(at, 'en-US', 'UTC'), 'Nov 20');
    assert.equal(calendarMonth(at, 'en-US', 'UTC'), 'Nov 2026');
  });

  it('Dates and times follow the time zone and the locale', () => {
    assert.equal(calendarDay(at, 'en-US', 'Pacific/Kiritimati'), 'Nov 21, 2026');
    assert.equal(calendarDay(at, 'de-DE', 'UTC'), '20. Nov. 2026');
    assert.equal(clockTime(new Date(Date.UTC(2026, 0, 1)), 'en-US', 'UTC'), '00:00');
  });

  it('Unknown dates and times are written as a dash', () => {
    for (const write of [clockTime, calendarDay, monthDay, calendarMonth]) {
      assert.deepEqual([write(undefined), write(new Date(NaN))], ['–', '–']);
    }
  });
});
