import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clamp, niceStep, niceTicks } from '../../../../webview/shared/geometry';

const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });

describe('Ticks', () => {
  for (const [from, to, most, expected] of [
    [0, 10, 5, [0, 5, 10]],
    [0, 10, 10, [0, 2, 4, 6, 8, 10]],
    [-3, 3, 4, [-2, 0, 2]],
    [0, 0.3, 4, [0, 0.1, 0.2, 0.3]],
    [0.00001, 0.00005, 5, [0.00001, 0.00002, 0.00003, 0.00004, 0.00005]],
    [120, 980, 3, [500]],
    [5, 5, 4, [5]],
  ] as const) {
    it(`The ticks from ${from} to ${to} are ${expected.join(', ')}`, () => {
      const ticks = niceTicks(from, to, most);
      assert.equal(ticks.length, expected.length, ticks.join(', '));
      ticks.forEach((tick, index) => assert.ok(Math.abs(tick - (expected[index] ?? NaN)) < 1e-12, ticks.join(', ')));
    });
  }

  it('There are no ticks for invalid ends', () => {
    for (const [from, to] of [
      [1, 0],
      [NaN, 1],
      [0, Infinity],
    ] as const) {
      assert.deepEqual(niceTicks(from, to, 5), []);
    }
  });

  it('Ticks are ascending, within the ends, and no more than the given maximum', () => {
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

  it('Ticks are 1, 2 or 5 times a power of ten apart', () => {
    for (const [least, expected] of [
      [1, 1],
      [1.1, 2],
      [3, 5],
      [7, 10],
      [0.03, 0.05],
      [1e-5, 1e-5],
    ] as const) {
      assert.ok(Math.abs(niceStep(least) - expected) < expected * 1e-9, `${niceStep(least)}`);
    }
  });
});

it('A clamped value is within the given limits', () => {
  assert.deepEqual(
    [-1, 3, 12].map((value) => clamp(value, 0, 10)),
    [0, 3, 10],
  );
});
