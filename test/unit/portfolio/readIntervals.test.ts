import assert from 'node:assert/strict';
import { intervalOf, isNearEdge, type ReadingFacts } from '../../../src/portfolio/readIntervals';
import { openPosition } from '../../support/portfolio/fixtures';

const SECOND = 1_000;
const MINUTE = 60_000;

const intervalWith = (part: Partial<ReadingFacts>): number =>
  intervalOf({
    list: 'positions',
    isVisible: true,
    isFocused: true,
    isWatched: false,
    isLively: false,
    everyMs: MINUTE,
    perMinute: undefined,
    ...part,
  });

describe('The interval of reads', () => {
  it('Positions near an edge, or after an operation, are read four times as often, but at most every 15 seconds', () => {
    assert.equal(intervalWith({ isLively: true }), 15 * SECOND);
    assert.equal(intervalWith({ isLively: true, everyMs: 4 * MINUTE }), MINUTE);
    assert.equal(intervalWith({ isLively: true, everyMs: 15 * SECOND }), 15 * SECOND);
    assert.equal(intervalWith({ isLively: true, list: 'pools', everyMs: 5 * MINUTE }), 5 * MINUTE);
  });

  it('Fast reads take a third of the limit at most, and are never slower than the setting', () => {
    assert.deepEqual(
      [5, 10, 20].map((perMinute) => intervalWith({ isLively: true, perMinute })),
      [36 * SECOND, 18 * SECOND, 15 * SECOND],
    );
    assert.equal(intervalWith({ isLively: true, perMinute: 1 }), MINUTE);
  });

  it('Without the focus or a view, reads are slow or do not happen, however lively positions are', () => {
    assert.equal(intervalWith({ isFocused: false, isLively: true }), 5 * MINUTE);
    assert.equal(intervalWith({ isFocused: false, everyMs: 15 * SECOND }), 5 * MINUTE);
    assert.equal(intervalWith({ isFocused: false, list: 'pools', everyMs: 5 * MINUTE }), 25 * MINUTE);
    assert.equal(intervalWith({ isVisible: false, isLively: true }), Infinity);
    assert.equal(intervalWith({ isVisible: false, isWatched: true, isLively: true }), 5 * MINUTE);
    assert.equal(intervalWith({ isVisible: false, isWatched: true, list: 'pools' }), Infinity);
  });

  it('A position is near an edge within three bins of it, inside or outside', () => {
    const near = (activeBinId: number | undefined) => isNearEdge(openPosition(1, { activeBinId, lowerBinId: 100, upperBinId: 168 }));
    assert.deepEqual([96, 97, 103, 104, 164, 165, 171, 172].map(near), [false, true, true, false, false, true, true, false]);
    assert.equal(near(undefined), false);
    assert.equal(isNearEdge(openPosition(1, { activeBinId: 5, lowerBinId: undefined, upperBinId: undefined })), false);
  });
});
