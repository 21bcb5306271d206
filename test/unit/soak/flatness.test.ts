import assert from 'node:assert/strict';
import { growthOf, LEAST_SAMPLES, type Series } from '../../soak/flatness';

const LIMIT = { mostPerMinute: 0.5, least: 1 };
const COUNT = 40;

/** Samples a quarter of a minute apart. */
function series(valueAt: (index: number) => number): readonly Series[] {
  return Array.from({ length: COUNT }, (_, index) => ({ minutes: index / 4, value: valueAt(index) }));
}

function isFlat(valueAt: (index: number) => number, limit = LIMIT): boolean | undefined {
  const growth = growthOf(series(valueAt), limit);
  return growth.kind === 'measured' ? growth.isFlat : undefined;
}

describe('The flatness of a figure over a run', () => {
  it('A figure that goes up and down is flat', () =>
    assert.equal(
      isFlat((index) => 60 + (index % 5)),
      true,
    ));

  it('A figure that grows steadily beyond the limit is not flat, and the slope is the real one', () => {
    const growth = growthOf(
      series((index) => 60 + index / 4 + (index % 3) / 10),
      LIMIT,
    );
    assert.ok(growth.kind === 'measured' && !growth.isFlat);
    assert.ok(Math.abs(growth.perMinute - 1) < 0.05, String(growth.perMinute));
  });

  it('Growth within the limit is flat', () =>
    assert.equal(
      isFlat((index) => 60 + index / 10),
      true,
    ));

  it('Growth during the warm-up alone is flat', () =>
    assert.equal(
      isFlat((index) => 60 + Math.min(index, 11)),
      true,
    ));

  it('Some samples in the middle of an operation do not make a flat figure grow', () =>
    assert.equal(
      isFlat((index) => (index > 30 && index % 4 === 0 ? 90 : 60)),
      true,
    ));

  it('A step that is smaller than what counts as growth is flat, however steep', () =>
    assert.equal(
      isFlat((index) => 5 + index / 50, { mostPerMinute: 0.01, least: 1 }),
      true,
    ));

  it('A run with too few samples is not judged', () =>
    assert.deepEqual(growthOf(series(() => 1).slice(0, LEAST_SAMPLES - 1), LIMIT).kind, 'tooShort'));
});
