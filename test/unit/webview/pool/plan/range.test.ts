import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { MAX_BINS_PER_POSITION, widthOf } from '../../../../../src/base/dlmm/bins';
import { firstRange, limitsOf, moved, placeText, presetsOf, type RangeHandle } from '../../../../../webview/pool/plan/range';
import { figuresOf } from '../../../../../webview/shared/figures';
import { mostBinOf, problemOfRange } from '../../../../../webview/pool/plan/parseInput';

const steps = fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined });

describe('The range of a plan', () => {
  it('A dragged range stays possible for a position, and a dragged end stays at its bin', () => {
    const cases = fc.record({
      step: steps,
      at: fc.double({ min: -1, max: 1, noNaN: true }),
      width: fc.integer({ min: 1, max: MAX_BINS_PER_POSITION }),
      grip: fc.constantFrom<RangeHandle>('from', 'to', 'whole'),
      bin: fc.integer({ min: -500_000, max: 500_000 }),
    });
    fc.assert(
      fc.property(cases, ({ step, at, width, grip, bin }) => {
        const most = mostBinOf(step);
        const from = Math.max(-most, Math.min(Math.round(at * most), most - width + 1));
        const range = { fromBinId: from, toBinId: from + width - 1 };
        const next = moved(range, grip, bin, step);
        assert.equal(problemOfRange(next, step), undefined);
        assert.deepEqual(moved(next, grip, bin, step), next);
        if (grip === 'whole') {
          assert.equal(widthOf(next), width);
        } else {
          assert.equal(grip === 'from' ? next.toBinId : next.fromBinId, grip === 'from' ? range.toBinId : range.fromBinId);
        }
        const { least, most: greatest } = limitsOf(range, grip, step);
        const held = grip === 'to' ? next.toBinId : next.fromBinId;
        assert.equal(held, Math.min(Math.max(bin, least), greatest));
      }),
    );
  });

  it('The first range is around the active bin', () => {
    assert.deepEqual(firstRange(-350, 100), { fromBinId: -384, toBinId: -316 });
    const most = mostBinOf(100);
    assert.deepEqual(firstRange(most, 100), { fromBinId: most - 34, toBinId: most });
    for (const step of [0, -1, 0.5, 401, 1e308, Number.MAX_SAFE_INTEGER]) {
      assert.deepEqual(firstRange(-350, step), { fromBinId: -384, toBinId: -316 }, 'a service may name a step that there is not');
    }
  });

  it('Presets offer ranges around the price, and one-sided ranges for each token', () => {
    assert.deepEqual(
      presetsOf(-350, 100, 'BONK', 'SOL').map(({ label, range }) => [label, range.fromBinId, range.toBinId]),
      [
        ['±10', -360, -340],
        ['±34', -384, -316],
        ['±50', -400, -300],
        ['Only BONK, above', -349, -281],
        ['Only SOL, below', -419, -351],
      ],
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: -443_636, max: 443_636 }), (step, active) => {
        for (const { range } of presetsOf(active, step, 'X', 'Y')) {
          assert.equal(problemOfRange(range, step), undefined);
        }
      }),
    );
  });

  it('A range is placed by the changes of the displayed price to its ends, and by its bins where the pool is not known', () => {
    const { text } = figuresOf('en-US');
    const [range, pool] = [
      { fromBinId: -360, toBinId: -340 },
      { activeBinId: -350, binStepBps: 100 },
    ];
    assert.equal(placeText(range, pool, false, text), '−9.47% to +10.46% · 21 bins');
    assert.equal(placeText(range, pool, true, text), '−9.47% to +10.46% · 21 bins', 'as far below as above');
    assert.equal(placeText({ fromBinId: -351, toBinId: -340 }, pool, true, text), '−9.47% to +1% · 12 bins');
    assert.equal(placeText(range, undefined, false, text), '−360 to −340 (21 bins)');
  });
});
