import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OwnRange } from '../../../../../src/protocol/pool';
import { labelledBins } from '../../../../../webview/pool/distribution/picture';
import { keyAction, wheelAction } from '../../../../../webview/pool/distribution/gestures';
import { assignLanes, MOST_LANES, visiblePart } from '../../../../../webview/pool/distribution/model';

describe('Labels of the bin axis', () => {
  it('Labels are at round bins inside the viewport, with enough room between them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5000, max: 5000 }),
        fc.integer({ min: 8, max: 2000 }),
        fc.integer({ min: 250, max: 1600 }),
        (from, width, pixels) => {
          const bins = labelledBins({ from, to: from + width }, pixels);
          assert.ok(bins.length >= 1 && bins.length <= Math.max(Math.floor(pixels / 84), 2) + 1, String(bins));
          assert.ok(bins.every((bin) => Number.isInteger(bin) && !Object.is(bin, -0) && bin + 0.5 >= from && bin + 0.5 <= from + width));
        },
      ),
    );
  });

  it('The axis has labels if its viewport is between two numbers that are too round for it', () =>
    assert.deepEqual(labelledBins({ from: -2401, to: -2000 }, 250), [-2400, -2200]));
});

describe("The user's ranges on the chart", () => {
  const range = (key: string, lowerBinId: number | undefined, upperBinId: number | undefined): OwnRange => ({
    key,
    lowerBinId,
    upperBinId,
    value: {},
    pnl: {},
    uncollectedFee: {},
  });

  it("The user's ranges share a lane where there is room, and use lanes below otherwise", () => {
    const lanes = assignLanes([range('b', 5, 20), range('a', 0, 10), range('c', 11, 30), range('d', 40, 50)]);
    assert.deepEqual(
      lanes.map(({ own, lane }) => [own.key, lane]),
      [
        ['a', 0],
        ['b', 1],
        ['c', 0],
        ['d', 0],
      ],
    );
  });

  it("The user's ranges never use more than the available lanes", () => {
    const many = assignLanes(Array.from({ length: 9 }, (_, index) => range(String(index), index, 100)));
    assert.equal(Math.max(...many.map(({ lane }) => lane)), MOST_LANES - 1);
    assert.equal(many.length, 9);
  });

  it('Ranges with a missing end or reversed ends are left out', () =>
    assert.deepEqual(assignLanes([range('a', undefined, 5), range('b', 5, undefined), range('c', 9, 3)]), []));

  it('Ranges are cut at the ends of the viewport', () => {
    assert.deepEqual(visiblePart({ fromBinId: -10, toBinId: 10 }, { from: 0.5, to: 50 }), { from: 0.5, to: 11 });
    assert.equal(visiblePart({ fromBinId: -10, toBinId: -1 }, { from: 0, to: 50 }), undefined);
  });
});

describe('Keys and wheel on the chart', () => {
  const key = (name: string, with_: { ctrlKey?: boolean } = {}) =>
    keyAction({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...with_ });
  const wheel = (of: Partial<Parameters<typeof wheelAction>[0]>) =>
    wheelAction({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false, ...of });

  it('Keys move the cursor like those of a slider', () => {
    assert.deepEqual(
      ['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown'].map((name) => key(name)),
      [1, -1, 10, -10].map((by) => ({ kind: 'move', by })),
    );
    assert.deepEqual(
      ['Home', 'End', '0'].map((name) => key(name)),
      ['first', 'last', 'active'].map((to) => ({ kind: 'go', to })),
    );
  });

  it('Keys of the editor are ignored by the chart', () => {
    for (const name of ['Tab', 'Enter', 'a', 'Escape', 'F1']) {
      assert.equal(key(name), undefined);
    }
    assert.equal(key('0', { ctrlKey: true }), undefined);
  });

  it('The wheel scrolls the page, and pans the chart only sideways or with Shift', () => {
    assert.equal(wheel({ deltaY: 120 }), undefined);
    assert.deepEqual(wheel({ deltaX: 30, deltaY: 2 }), { kind: 'pan', pixels: 30 });
    assert.deepEqual(wheel({ deltaY: 120, shiftKey: true }), { kind: 'pan', pixels: 120 });
    assert.deepEqual(wheel({ deltaY: 3, deltaMode: 1, shiftKey: true }), { kind: 'pan', pixels: 60 });
  });

  it('The wheel with Ctrl zooms in and out by limited, symmetric steps', () => {
    const [into, out] = [wheel({ deltaY: -100, ctrlKey: true }), wheel({ deltaY: 100, ctrlKey: true })];
    assert.ok(into?.kind === 'zoom' && out?.kind === 'zoom');
    assert.ok(into.factor < 1 && Math.abs(into.factor * out.factor - 1) < 1e-12);
    const leap = wheel({ deltaY: 1e9, ctrlKey: true });
    assert.ok(leap?.kind === 'zoom' && leap.factor < 2);
  });
});
