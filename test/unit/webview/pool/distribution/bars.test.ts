import assert from 'node:assert/strict';
import fc from 'fast-check';
import { barsOf, binOf, visibleBins, mostIn, pathOf, scaleOf, type Plot } from '../../../../../webview/pool/distribution/bars';
import { within } from '../../../../../webview/pool/distribution/viewport';
import type { ValuedBin } from '../../../../../webview/pool/distribution/worth';

const PLOT: Plot = { left: 0, right: 700, top: 40, bottom: 300 };

function binsOf(count: number, first = -700): ValuedBin[] {
  return Array.from({ length: count }, (_, index) => {
    const worthY = index < count / 2 ? 1 + (index % 7) : 0;
    const worthX = index >= count / 2 ? 1 + (index % 5) : 0;
    return { binId: first + index, x: worthX, y: worthY, worthX, worthY, total: worthX + worthY };
  });
}

describe('Scale', () => {
  it('The scale converts bins to pixels and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5000, max: 5000 }),
        fc.double({ min: 1, max: 2000, noNaN: true }),
        fc.double({ min: -6000, max: 6000, noNaN: true }),
        (from, width, bin) => {
          const scale = scaleOf({ from, to: from + width }, PLOT);
          assert.ok(Math.abs(scale.placeAt(scale.xOf(bin)) - bin) < 1e-6);
        },
      ),
    );
  });
});

describe('Bars', () => {
  it('Only bins inside the viewport are drawn', () => {
    const bins = binsOf(1400);
    assert.deepEqual(
      visibleBins(bins, { from: -10.5, to: 10.5 }).map(({ binId }) => binId),
      Array.from({ length: 22 }, (_, index) => index - 11),
    );
    assert.deepEqual(visibleBins(bins, { from: 5000, to: 6000 }), []);
    assert.equal(binOf(bins, 3)?.binId, 3);
    assert.equal(binOf(bins, 700), undefined);
  });

  it('Bars are stacked by value, with token Y at the bottom and token X above it', () => {
    const bin: ValuedBin = { binId: 0, x: 1, y: 1, worthX: 1, worthY: 3, total: 4 };
    const scale = scaleOf({ from: 0, to: 10 }, PLOT);
    const [bar] = barsOf([bin], scale, PLOT, 4);
    assert.ok(bar !== undefined);
    assert.equal(bar.bottom, PLOT.bottom);
    assert.ok(Math.abs((bar.bottom - bar.middle) / (bar.bottom - bar.top) - 0.75) < 1e-9);
    assert.ok(bar.top > PLOT.top, 'leaves room above');
  });

  it('Every bin with liquidity has a visible bar, and an empty bin has none', () => {
    const empty: ValuedBin = { binId: 1, x: 0, y: 0, worthX: 0, worthY: 0, total: 0 };
    const tiny: ValuedBin = { binId: 2, x: 1, y: 0, worthX: 1e-9, worthY: 0, total: 1e-9 };
    const bars = barsOf([empty, tiny], scaleOf({ from: 0, to: 10 }, PLOT), PLOT, 1e6);
    assert.deepEqual(
      bars.map(({ binId }) => binId),
      [2],
    );
    assert.ok(bars.every(({ bottom, top }) => bottom - top >= 1));
  });

  it('Bars never overlap, and stay within the plot', () => {
    fc.assert(
      fc.property(fc.double({ min: -800, max: 600, noNaN: true }), fc.double({ min: 8, max: 1400, noNaN: true }), (from, width) => {
        const sight = within({ from, to: from + width }, { from: -1000, to: 1000 });
        const scale = scaleOf(sight, PLOT);
        const seen = visibleBins(binsOf(1400), sight);
        const bars = barsOf(seen, scale, PLOT, mostIn(seen));
        for (const [index, bar] of bars.entries()) {
          const next = bars[index + 1];
          assert.ok(next === undefined || bar.x + bar.width <= next.x + 1e-6);
          assert.ok(bar.top >= PLOT.top && bar.middle <= bar.bottom + 1e-9 && bar.top <= bar.middle + 1e-9);
        }
      }),
    );
  });

  it('Bins that share a pixel keep their group while panning, and show the fullest bin', () => {
    const bins = binsOf(1400);
    const groups = (from: number): Map<number, number> => {
      const sight = { from, to: from + 1390 };
      return new Map(
        barsOf(bins, scaleOf(sight, { ...PLOT, right: 300 }), { ...PLOT, right: 300 }, 7).map((bar) => [bar.binId, bar.bottom - bar.top]),
      );
    };
    const [one, other] = [groups(-700), groups(-695)];
    assert.ok(one.size <= 301);
    for (const [binId, height] of one) {
      assert.equal(other.get(binId), height);
    }
  });

  it('All bars of a token are drawn as one path', () => {
    const bars = barsOf(binsOf(10, 0), scaleOf({ from: 0, to: 10 }, PLOT), PLOT, 7);
    const count = (token: 'x' | 'y'): number => pathOf(bars, token).split('z').length - 1;
    assert.deepEqual([count('x'), count('y')], [5, 5]);
    assert.doesNotMatch(pathOf(bars, 'x') + pathOf(bars, 'y'), /NaN|Infinity|e-/);
  });
});
