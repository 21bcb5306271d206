import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sidesOf, widthOf } from '../../../../../src/base/dlmm/bins';
import { STRATEGIES } from '../../../../../src/base/dlmm/strategy';
import { outlineOf, type ShapeBin, shapeOf, type ShapeOf } from '../../../../../webview/pool/plan/shape';

const cases = fc.record({
  activeBinId: fc.integer({ min: -300, max: 300 }),
  binStepBps: fc.integer({ min: 1, max: 400 }),
  strategy: fc.constantFrom(...STRATEGIES),
  percentX: fc.integer({ min: 0, max: 100 }),
  below: fc.integer({ min: -50, max: 300 }),
  width: fc.integer({ min: 1, max: 500 }),
});

function caseOf({
  activeBinId,
  binStepBps,
  strategy,
  percentX,
  below,
  width,
}: {
  readonly activeBinId: number;
  readonly binStepBps: number;
  readonly strategy: ShapeOf['strategy'];
  readonly percentX: number;
  readonly below: number;
  readonly width: number;
}): ShapeOf {
  return {
    fromBinId: activeBinId - below,
    toBinId: activeBinId - below + width - 1,
    activeBinId,
    binStepBps,
    strategy,
    percentX: percentX / 100,
  };
}

describe('The shape of a plan', () => {
  it('The shape contains all bins of the range, with X above and Y below, and the whole deposit', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const of = caseOf(drawn);
        const shape = shapeOf(of);
        assert.deepEqual(
          shape.map(({ binId }) => binId),
          Array.from({ length: widthOf(of) }, (_, index) => of.fromBinId + index),
        );
        for (const { binId, isX, share } of shape) {
          assert.ok(share >= 0 && share <= 1 + 1e-9);
          assert.ok(!isX || binId >= of.activeBinId);
          assert.ok(isX || share === 0 || binId <= of.activeBinId);
        }
        const sides = sidesOf(of, of.activeBinId);
        const hasX = of.toBinId > of.activeBinId || (of.percentX === 1 && sides === 'both');
        const hasY = of.fromBinId <= of.activeBinId && sides !== 'onlyX';
        const expected = (hasX ? of.percentX : 0) + (hasY ? 1 - of.percentX : 0);
        const sum = shape.reduce((all, { share }) => all + share, 0);
        assert.ok(Math.abs(sum - expected) < 1e-9, `${sum}, not ${expected}`);
      }),
      { numRuns: 60 },
    );
  });

  it('The shape of Spot is flat, of Curve a hill, and of BidAsk a valley', () => {
    const shape = (strategy: ShapeOf['strategy']): readonly number[] =>
      shapeOf({ fromBinId: -10, toBinId: 10, activeBinId: 0, binStepBps: 1, strategy, percentX: 0.5 }).map(({ share }) => share);
    const [spot, curve, bidAsk] = [shape('Spot'), shape('Curve'), shape('BidAsk')];
    const at = (list: readonly number[], index: number): number => list[index] ?? NaN;
    assert.ok(Math.abs(at(spot, 0) / at(spot, 5) - 1) < 1e-6 && Math.abs(at(spot, 20) / at(spot, 12) - 1) < 1e-6);
    assert.ok(at(curve, 9) > at(curve, 0) && at(curve, 11) > at(curve, 20));
    assert.ok(at(bidAsk, 9) < at(bidAsk, 0) && at(bidAsk, 11) < at(bidAsk, 20));
  });

  const FRAME = { left: 0, right: 100, top: 10, bottom: 110, binWidth: 10, xOf: (binId: number) => binId * 10 };
  const bin = (binId: number, share: number, isX: boolean): ShapeBin => ({ binId, share, isX });

  it('The shape is drawn as steps from the base line, each token separately', () => {
    const shape = [bin(2, 0.25, false), bin(3, 0.5, false), bin(4, 0.25, true)];
    assert.equal(outlineOf(shape, false, FRAME), 'M20 110V70H30V30H40V110');
    assert.equal(outlineOf(shape, true, FRAME), 'M40 110V70H50V110');
    assert.equal(outlineOf([], true, FRAME), '');
  });

  it('The shape is drawn only inside the viewport', () => {
    const shape = Array.from({ length: 1_000 }, (_, index) => bin(index - 500, 0.001, false));
    const path = outlineOf(shape, false, FRAME);
    assert.ok(path.startsWith('M0 110') && path.includes('H100') && !path.includes('-'), path.slice(0, 80));
    assert.equal((path.match(/H/g) ?? []).length, 10);
    assert.equal(outlineOf([bin(50, 1, true)], true, FRAME), '');
  });
});
