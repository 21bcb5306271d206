import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  centered,
  extentOf,
  initialViewport,
  LEAST_VISIBLE_BINS,
  panned,
  revealing,
  viewportOf,
  within,
  zoomed,
  type Viewport,
} from '../../../../../webview/pool/distribution/viewport';

const EXTENT: Viewport = { from: -900, to: 1100 };
const sight = fc
  .tuple(fc.double({ min: -900, max: 1000, noNaN: true }), fc.double({ min: LEAST_VISIBLE_BINS, max: 1500, noNaN: true }))
  .map(([from, width]) => within({ from, to: from + width }, EXTENT));
const width = ({ from, to }: Viewport): number => to - from;

function assertInside(of: Viewport): void {
  assert.ok(of.from >= EXTENT.from - 1e-6 && of.to <= EXTENT.to + 1e-6, JSON.stringify(of));
  assert.ok(width(of) >= LEAST_VISIBLE_BINS - 1e-6, JSON.stringify(of));
}

describe('Viewport', () => {
  it('The viewport stays within the extent after any panning and zooming', () => {
    fc.assert(
      fc.property(
        sight,
        fc.double({ min: -5000, max: 5000, noNaN: true }),
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, by, factor, share) => {
          assertInside(panned(of, by, EXTENT));
          assertInside(zoomed(of, factor, of.from + share * width(of), EXTENT));
          assertInside(centered(of, Math.round(by), EXTENT));
        },
      ),
    );
  });

  it('Panning keeps the width of the viewport', () => {
    fc.assert(
      fc.property(sight, fc.double({ min: -5000, max: 5000, noNaN: true }), (of, by) =>
        assert.ok(Math.abs(width(panned(of, by, EXTENT)) - width(of)) < 1e-6),
      ),
    );
  });

  it('Zooming keeps the bin under the pointer in place', () => {
    const before = { from: 0, to: 100 };
    const after = zoomed(before, 0.5, 30, EXTENT);
    assert.equal((30 - after.from) / width(after), (30 - before.from) / width(before));
    assert.equal(width(after), 50);
  });

  it('Revealing a bin moves the viewport only if the bin is outside of it', () => {
    fc.assert(
      fc.property(sight, fc.integer({ min: -900, max: 1098 }), (of, bin) => {
        const after = revealing(of, bin, EXTENT);
        assert.ok(after.from <= bin + 1e-6 && after.to >= bin + 1 - 1e-6, JSON.stringify([of, bin, after]));
      }),
    );
    const seen = { from: 0, to: 100 };
    assert.equal(revealing(seen, 50, EXTENT), seen);
  });

  it('The viewport of a range contains the whole range with room at both ends', () => {
    for (const range of [
      { fromBinId: 5, toBinId: 5 },
      { fromBinId: -34, toBinId: 34 },
      { fromBinId: -700, toBinId: 699 },
    ]) {
      const of = viewportOf(range, EXTENT);
      assert.ok(of.from < range.fromBinId && of.to > range.toBinId + 1, JSON.stringify(of));
    }
  });

  it('An invalid saved viewport is replaced by the whole extent', () => {
    for (const of of [
      { from: 5, to: 5 },
      { from: 9, to: 1 },
      { from: NaN, to: 4 },
      { from: -Infinity, to: Infinity },
    ]) {
      assert.deepEqual(within(of, EXTENT), EXTENT);
    }
  });
});

describe('First viewport', () => {
  const bins = Array.from({ length: 1400 }, (_, index) => ({ binId: index - 700, total: Math.abs(index - 700) <= 30 ? 1000 : 0.001 }));

  it('The first viewport contains nearly all liquidity, centered on the active bin', () => {
    const { from, to } = initialViewport(bins, 0, []);
    assert.ok(from <= -30 && to >= 31 && to - from < 100, `${from} ${to}`);
    assert.equal((from + to) / 2, 0.5);
  });

  it('The first viewport is neither too narrow nor too wide', () => {
    assert.equal(width(initialViewport([{ binId: 7, total: 5 }], 7, [])), 49);
    assert.equal(
      width(
        initialViewport(
          bins.map(({ binId }) => ({ binId, total: 1 })),
          0,
          [],
        ),
      ),
      141,
    );
  });

  it("The first viewport contains the user's ranges nearby, but not those far away", () => {
    assert.ok(initialViewport(bins, 0, [{ fromBinId: 50, toBinId: 120 }]).to > 121);
    assert.ok(initialViewport(bins, 0, [{ fromBinId: 5000, toBinId: 5010 }]).to < 200);
  });

  it('The first viewport is around the active bin if the pool is empty', () =>
    assert.deepEqual(initialViewport([], -4112, []), { from: -4136, to: -4087 }));
});

describe('Extent', () => {
  it('The extent contains every bin and range, and the maximum width of a position', () => {
    const of = extentOf([{ binId: -2000 }, { binId: 90 }], 0, [{ fromBinId: 10, toBinId: 1500 }]);
    assert.ok(of.from < -2000 && of.to > 1501);
    assert.ok(width(extentOf([], 0, [])) >= 1400);
  });
});
