import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OwnRange } from '../../../../../src/protocol/pool';
import { labelledBins } from '../../../../../webview/pool/distribution/picture';
import { keyAction, wheelAction } from '../../../../../webview/pool/distribution/gestures';
import { assignLanes, MOST_LANES, visiblePart } from '../../../../../webview/pool/distribution/model';

describe('labels on the axis of bins', () => {
  it('stand at round numbers, within sight, with room between them', () => {
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
});

describe('own ranges on the chart', () => {
  const range = (key: string, lowerBinId: number | undefined, upperBinId: number | undefined): OwnRange => ({
    key,
    lowerBinId,
    upperBinId,
    value: {},
    pnl: {},
    uncollectedFee: {},
  });

  it('lie beside each other where there is room, else in lanes below', () => {
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

  it('never need more lanes than there are', () => {
    const many = assignLanes(Array.from({ length: 9 }, (_, index) => range(String(index), index, 100)));
    assert.equal(Math.max(...many.map(({ lane }) => lane)), MOST_LANES - 1);
    assert.equal(many.length, 9);
  });

  it('are left out where an end is not known, or they are upside down', () =>
    assert.deepEqual(assignLanes([range('a', undefined, 5), range('b', 5, undefined), range('c', 9, 3)]), []));

  it('are cut at the ends of what is in sight', () => {
    assert.deepEqual(visiblePart({ fromBinId: -10, toBinId: 10 }, { from: 0.5, to: 50 }), { from: 0.5, to: 11 });
    assert.equal(visiblePart({ fromBinId: -10, toBinId: -1 }, { from: 0, to: 50 }), undefined);
  });
});

describe('keys and wheel on the chart', () => {
  const key = (name: string, with_: { ctrlKey?: boolean } = {}) =>
    keyAction({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...with_ });
  const wheel = (of: Partial<Parameters<typeof wheelAction>[0]>) =>
    wheelAction({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false, ...of });

  it('move the cursor as those of a slider do', () => {
    assert.deepEqual(
      ['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown'].map((name) => key(name)),
      [1, -1, 10, -10].map((by) => ({ kind: 'move', by })),
    );
    assert.deepEqual(
      ['Home', 'End', '0'].map((name) => key(name)),
      ['first', 'last', 'active'].map((to) => ({ kind: 'go', to })),
    );
  });

  it('leave to the editor what is its own', () => {
    for (const name of ['Tab', 'Enter', 'a', 'Escape', 'F1']) {
      assert.equal(key(name), undefined);
    }
    assert.equal(key('0', { ctrlKey: true }), undefined);
  });

  it('let the page scroll, unless it is turned sideways, or with a key held', () => {
    assert.equal(wheel({ deltaY: 120 }), undefined);
    assert.deepEqual(wheel({ deltaX: 30, deltaY: 2 }), { kind: 'pan', pixels: 30 });
    assert.deepEqual(wheel({ deltaY: 120, shiftKey: true }), { kind: 'pan', pixels: 120 });
    assert.deepEqual(wheel({ deltaY: 3, deltaMode: 1, shiftKey: true }), { kind: 'pan', pixels: 60 });
  });

  it('zoom with Ctrl, in and out alike, never by leaps', () => {
    const [into, out] = [wheel({ deltaY: -100, ctrlKey: true }), wheel({ deltaY: 100, ctrlKey: true })];
    assert.ok(into?.kind === 'zoom' && out?.kind === 'zoom');
    assert.ok(into.factor < 1 && Math.abs(into.factor * out.factor - 1) < 1e-12);
    const leap = wheel({ deltaY: 1e9, ctrlKey: true });
    assert.ok(leap?.kind === 'zoom' && leap.factor < 2);
  });
});
