import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clamp, linearScale, nearestIndex, niceStep, niceTicks } from '../../../../webview/shared/geometry';

const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });

describe('a linear scale', () => {
  it('puts both ends where they belong, and the rest between them', () => {
    const scale = linearScale([10, 20], [0, 100]);
    assert.deepEqual([10, 15, 20, 25].map((value) => scale.at(value)), [0, 50, 100, 150]);
    assert.equal(scale.valueAt(75), 17.5);
  });

  it('runs downwards as well: larger values are higher on a screen', () => {
    assert.deepEqual([0, 1, 4].map((value) => linearScale([0, 4], [200, 0]).at(value)), [200, 150, 0]);
  });

  it('puts all values in the middle where there is only one', () => {
    assert.equal(linearScale([7, 7], [0, 100]).at(7), 50);
    assert.equal(linearScale([0, 10], [5, 5]).valueAt(5), 0);
  });

  it('finds the value of the place of a value', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (from, size, share) => {
        const scale = linearScale([from, from + size], [0, 800]);
        const value = from + size * share;
        assert.ok(Math.abs(scale.valueAt(scale.at(value)) - value) <= 1e-6 * Math.max(Math.abs(value), size));
      }),
    );
  });
});

describe('ticks', () => {
  for (const [from, to, most, expected] of [
    [0, 10, 5, [0, 5, 10]],
    [0, 10, 10, [0, 2, 4, 6, 8, 10]],
    [-3, 3, 4, [-2, 0, 2]],
    [0, 0.3, 4, [0, 0.1, 0.2, 0.3]],
    [0.00001, 0.00005, 5, [0.00001, 0.00002, 0.00003, 0.00004, 0.00005]],
    [120, 980, 3, [500]],
    [5, 5, 4, [5]],
  ] as const) {
    it(`of ${from} to ${to} are ${expected.join(', ')}`, () => {
      const ticks = niceTicks(from, to, most);
      assert.equal(ticks.length, expected.length, ticks.join(', '));
      ticks.forEach((tick, index) => assert.ok(Math.abs(tick - (expected[index] ?? NaN)) < 1e-12, ticks.join(', ')));
    });
  }

  it('are none where the ends make no sense', () => {
    for (const [from, to] of [[1, 0], [NaN, 1], [0, Infinity]] as const) {
      assert.deepEqual(niceTicks(from, to, 5), []);
    }
  });

  it('are ascending, within the ends, and no more than asked for', () => {
    fc.assert(
      fc.property(number, fc.double({ min: 1e-6, max: 1e9, noNaN: true }), fc.integer({ min: 1, max: 40 }), (from, size, most) => {
        const to = from + size;
        fc.pre(to > from && size > Math.abs(from) * 1e-9);
        const ticks = niceTicks(from, to, most);
        const slack = size * 1e-9 + Math.abs(from) * 1e-12;
        assert.ok(ticks.length <= most);
        ticks.forEach((tick, index) => {
          assert.ok(tick >= from - slack && tick <= to + slack);
          assert.ok(index === 0 || tick > (ticks[index - 1] ?? tick));
        });
      }),
    );
  });

  it('are 1, 2 or 5 times a power of ten apart', () => {
    for (const [least, expected] of [[1, 1], [1.1, 2], [3, 5], [7, 10], [0.03, 0.05], [1e-5, 1e-5]] as const) {
      assert.ok(Math.abs(niceStep(least) - expected) < expected * 1e-9, `${niceStep(least)}`);
    }
  });
});

describe('the nearest of some numbers', () => {
  it('is the one that is looked for', () => {
    assert.equal(nearestIndex([], 3), undefined);
    assert.deepEqual([-5, 1, 2, 2.6, 9].map((value) => nearestIndex([1, 3, 4], value)), [0, 0, 0, 1, 2]);
  });

  it('is as near as any other', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), number, (values, value) => {
        const ascending = values.toSorted((one, other) => one - other);
        const found = ascending[nearestIndex(ascending, value) ?? -1];
        assert.ok(found !== undefined);
        assert.equal(Math.abs(found - value), Math.min(...ascending.map((other) => Math.abs(other - value))));
      }),
    );
  });
});

it('what is kept within ends is within them', () => {
  assert.deepEqual([-1, 3, 12].map((value) => clamp(value, 0, 10)), [0, 3, 10]);
});
