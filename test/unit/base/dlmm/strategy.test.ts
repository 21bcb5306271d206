import assert from 'node:assert/strict';
import fc from 'fast-check';
import { spreadOverBins, STRATEGIES, type Spread, type Strategy } from '../../../../src/base/dlmm/strategy';

const BILLION = 1_000_000_000n;

/** Around the active bin -381, unless said otherwise. */
function spread(strategy: Strategy, part: Partial<Spread>): ReturnType<typeof spreadOverBins> {
  return spreadOverBins({
    activeBinId: -381,
    fromBinId: -386,
    toBinId: -376,
    binStepBps: 100,
    strategy,
    amountX: BILLION,
    amountY: BILLION,
    ...part,
  });
}

const anySpread: fc.Arbitrary<Spread> = fc
  .record({
    activeBinId: fc.integer({ min: -500, max: 500 }),
    below: fc.integer({ min: -60, max: 120 }),
    above: fc.integer({ min: -60, max: 120 }),
    binStepBps: fc.integer({ min: 1, max: 400 }),
    strategy: fc.constantFrom(...STRATEGIES),
    amountX: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    amountY: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  })
  .filter(({ below, above }) => -below <= above)
  .map(({ below, above, ...rest }) => ({ ...rest, fromBinId: rest.activeBinId - below, toBinId: rest.activeBinId + above }));

describe('Spread of a deposit by strategy', () => {
  for (const [strategy, y, x] of [
    ['Spot', Array<bigint>(6).fill(166666666n), [203999801n, 201980001n, 199980199n, 198000197n, 196039799n]],
    [
      'Curve',
      [47619047n, 95238095n, 142857142n, 190476190n, 238095238n, 285714285n],
      [337759221n, 267532056n, 198662418n, 131130309n, 64915994n],
    ],
    [
      'BidAsk',
      [285714285n, 238095238n, 190476190n, 142857142n, 95238095n, 47619047n],
      [68454007n, 135552490n, 201315580n, 265763141n, 328914779n],
    ],
  ] as const) {
    it(`The ${strategy} strategy spreads both tokens as expected around the active bin`, () => {
      const bins = spread(strategy, {});
      assert.deepEqual(
        bins.map((bin) => bin.binId),
        [-386, -385, -384, -383, -382, -381, -380, -379, -378, -377, -376],
      );
      assert.deepEqual(
        bins.map((bin) => bin.amountY),
        [...y, 0n, 0n, 0n, 0n, 0n],
      );
      assert.deepEqual(
        bins.map((bin) => bin.amountX),
        [0n, 0n, 0n, 0n, 0n, 0n, ...x],
      );
    });
  }

  it('A range below the active bin gets token Y only', () => {
    const only = (strategy: Strategy) => spread(strategy, { fromBinId: -391, toBinId: -382, amountX: 0n }).map((bin) => bin.amountY);
    assert.deepEqual(only('Spot'), Array<bigint>(10).fill(100000000n));
    assert.deepEqual([only('Curve')[0], only('Curve')[9]], [18181818n, 181818181n]);
    assert.deepEqual([only('BidAsk')[0], only('BidAsk')[9]], [181818181n, 18181818n]);
  });

  it('A range above the active bin gets token X only', () => {
    const only = spread('Spot', { fromBinId: -380, toBinId: -371, amountY: 0n }).map((bin) => bin.amountX);
    assert.deepEqual([only[0], only[9]], [104536709n, 95582076n]);
  });

  it('The active bin gets token X if there is no token Y', () => {
    const bins = spread('Spot', { amountY: 0n });
    assert.ok((bins.find((bin) => bin.binId === -381)?.amountX ?? 0n) > 0n);
  });

  it('The spread lists every bin of the range once, in ascending order', () => {
    fc.assert(
      fc.property(anySpread, (of) => {
        const expected = Array.from({ length: of.toBinId - of.fromBinId + 1 }, (_, index) => of.fromBinId + index);
        assert.deepEqual(
          spreadOverBins(of).map((bin) => bin.binId),
          expected,
        );
      }),
    );
  });

  it('The spread never exceeds the deposit, and leaves less than one unit per bin', () => {
    fc.assert(
      fc.property(anySpread, (of) => {
        const bins = spreadOverBins(of);
        const room = {
          y: bins.filter((bin) => bin.binId < of.activeBinId || (bin.binId === of.activeBinId && of.amountY > 0n)).length,
          x: bins.filter((bin) => bin.binId > of.activeBinId || (bin.binId === of.activeBinId && of.amountY === 0n)).length,
        };
        for (const [spreadOut, amount, count] of [
          [bins.reduce((sum, bin) => sum + bin.amountY, 0n), of.amountY, room.y],
          [bins.reduce((sum, bin) => sum + bin.amountX, 0n), of.amountX, room.x],
        ] as const) {
          assert.ok(spreadOut <= amount);
          assert.ok(count === 0 ? spreadOut === 0n : spreadOut > amount - BigInt(count));
        }
      }),
    );
  });

  it('No bin gets both tokens, or a token of the other side of the price', () => {
    fc.assert(
      fc.property(anySpread, (of) => {
        for (const { binId, amountX, amountY } of spreadOverBins(of)) {
          assert.ok(amountX === 0n || binId >= of.activeBinId);
          assert.ok(amountY === 0n || binId <= of.activeBinId);
          assert.ok(amountX === 0n || amountY === 0n);
        }
      }),
    );
  });

  it('The spread keeps its precision over the widest range with the largest bin step', () => {
    const bins = spreadOverBins({
      activeBinId: -600,
      fromBinId: -600,
      toBinId: 799,
      binStepBps: 400,
      strategy: 'Spot',
      amountX: 10n ** 30n,
      amountY: 0n,
    });
    const [first, second] = bins;
    const last = bins.at(-1);
    assert.ok(first && second && last);
    // The inverse prices fall by 1.04 a bin, and 1.04^1399 is 6.7e23.
    const scaled = (second.amountX * 1_040n) / first.amountX;
    assert.ok(scaled === 1_000n || scaled === 999n);
    assert.equal(Number(first.amountX / last.amountX).toExponential(1), (1.04 ** 1399).toExponential(1));
  });

  it('The spread refuses invalid ranges, amounts and bin steps', () => {
    assert.throws(() => spread('Spot', { fromBinId: 5, toBinId: 4 }), RangeError);
    assert.throws(() => spread('Spot', { amountX: -1n }), RangeError);
    assert.throws(() => spread('Spot', { binStepBps: 0 }), RangeError);
    assert.throws(() => spread('Spot', { fromBinId: -1e9 }), RangeError);
  });
});
