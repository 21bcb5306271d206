import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  binArrayIndex,
  binArraysOf,
  binOfUiPrice,
  BINS_PER_ARRAY,
  maxBinIdOf,
  MAX_BIN_ID,
  MIN_BIN_ID,
  priceOfBin,
  priceQ64OfBin,
  rangeAround,
  rangeEdges,
  uiPriceOfBin,
  widthOf,
} from '../../../../src/base/dlmm/bins';

const step = fc.integer({ min: 1, max: 400 });
/** A bin step, and a bin that it has. */
const stepAndBin = step.chain((of) => fc.tuple(fc.constant(of), fc.integer({ min: -maxBinIdOf(of), max: maxBinIdOf(of) })));
/** Away from the ends, where truncation takes most of the digits of a Q64.64. */
const middleBin = stepAndBin.map(([of, bin]) => [of, Math.trunc(bin / 2)] as const);
const decimals = fc.integer({ min: 0, max: 12 });

function assertNear(actual: number, expected: number, relative: number): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual} is not within ${relative} of ${expected}`);
}

describe('prices of bins', () => {
  for (const [binId, binStepBps, expected] of [
    [-402, 100, 0.018315034428162583464],
    [-333, 100, 0.03639003978350194689],
    [-381, 100, 0.022571300816453571347],
    [1000, 25, 12.144546224313512057],
    [-4501, 20, 0.0001242754624644377836],
    [5000, 1, 1.6486800559311757696],
  ] as const) {
    it(`gives that of bin ${binId} at ${binStepBps} bps`, () => {
      assertNear(priceOfBin(binId, binStepBps), expected, 1e-14);
    });
  }

  it('gives one for bin 0, exactly', () => {
    assert.equal(priceOfBin(0, 100), 1);
    assert.equal(priceQ64OfBin(0, 100), 1n << 64n);
  });

  it("gives the program's own Q64.64 figures", () => {
    assert.equal(priceQ64OfBin(1, 100), 18631211514446647132n);
    assert.equal(priceQ64OfBin(-402, 100), 337852752797494538n);
  });

  it('gives whole tokens for whole tokens', () => {
    assertNear(uiPriceOfBin(-1973, 10, 9, 6), 139.1762508741624352, 1e-13);
  });

  it('rises from bin to bin', () => {
    fc.assert(
      fc.property(stepAndBin, ([binStepBps, binId]) => {
        fc.pre(binId < maxBinIdOf(binStepBps));
        assert.ok(priceOfBin(binId, binStepBps) < priceOfBin(binId + 1, binStepBps));
      }),
    );
  });

  it('agrees with the Q64.64 figure as far as that has digits', () => {
    fc.assert(
      fc.property(middleBin, ([binStepBps, binId]) => {
        const q64 = priceQ64OfBin(binId, binStepBps);
        assertNear(Number(q64) / 2 ** 64, priceOfBin(binId, binStepBps), 1e-6);
      }),
    );
  });

  it('has the bins that Q64.64 has room for', () => {
    assert.equal(maxBinIdOf(1), MAX_BIN_ID);
    assert.equal(MIN_BIN_ID, -MAX_BIN_ID);
    assert.ok(priceOfBin(maxBinIdOf(400), 400) < 2 ** 64);
    assert.throws(() => priceOfBin(maxBinIdOf(400) + 1, 400), RangeError);
  });

  for (const [binId, binStepBps] of [
    [0.5, 100],
    [Number.NaN, 100],
    [0, 0],
    [0, 401],
    [0, 1.5],
    [443_637, 1],
  ] as const) {
    it(`refuses bin ${binId} at ${binStepBps} bps`, () => {
      assert.throws(() => priceOfBin(binId, binStepBps), RangeError);
      assert.throws(() => priceQ64OfBin(binId, binStepBps), RangeError);
    });
  }
});

describe('the bin of a price', () => {
  for (const [price, binStepBps, down, up] of [
    [0.0223, 100, -383, -382],
    [0.15, 10, -1899, -1898],
  ] as const) {
    it(`lies between ${down} and ${up} for ${price} at ${binStepBps} bps`, () => {
      assert.equal(binOfUiPrice(price, binStepBps, 6, 6, 'down'), down);
      assert.equal(binOfUiPrice(price, binStepBps, 6, 6, 'up'), up);
    });
  }

  it('is the inverse of the price of the bin, rounded either way', () => {
    fc.assert(
      fc.property(stepAndBin, decimals, decimals, ([binStepBps, binId], decimalsX, decimalsY) => {
        const price = uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY);
        assert.equal(binOfUiPrice(price, binStepBps, decimalsX, decimalsY, 'down'), binId);
        assert.equal(binOfUiPrice(price, binStepBps, decimalsX, decimalsY, 'up'), binId);
      }),
    );
  });

  it('encloses any price between two neighbours', () => {
    fc.assert(
      fc.property(step, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (binStepBps, price) => {
        const down = binOfUiPrice(price, binStepBps, 6, 6, 'down');
        const up = binOfUiPrice(price, binStepBps, 6, 6, 'up');
        assert.ok(up - down === 0 || up - down === 1);
        assert.ok(uiPriceOfBin(down, binStepBps, 6, 6) <= price * (1 + 1e-9));
        assert.ok(uiPriceOfBin(up, binStepBps, 6, 6) >= price * (1 - 1e-9));
      }),
    );
  });

  it('is never minus zero', () => {
    assert.ok(Object.is(binOfUiPrice(1 - 1e-12, 100, 6, 6, 'up'), 0));
  });

  for (const price of [0, -1, Number.NaN, Infinity, 1e300]) {
    it(`does not exist for ${price}`, () => {
      assert.throws(() => binOfUiPrice(price, 100, 6, 6, 'down'), RangeError);
    });
  }
});

describe('bin arrays', () => {
  it('count downwards below bin 0', () => {
    assert.deepEqual([-71, -70, -1, 0, 69, 70].map(binArrayIndex), [-2, -1, -1, 0, 0, 1]);
  });

  it('cover a range', () => {
    assert.deepEqual(binArraysOf(-1, 70), [-1, 0, 1]);
    assert.deepEqual(binArraysOf(5, 5), [0]);
    assert.deepEqual(binArraysOf(100, 0), []);
    fc.assert(
      fc.property(fc.integer({ min: -9999, max: 9999 }), fc.nat(1399), (fromBinId, more) => {
        const indexes = binArraysOf(fromBinId, fromBinId + more);
        for (const binId of [fromBinId, fromBinId + more]) {
          assert.ok(indexes.some((index) => index * BINS_PER_ARRAY <= binId && binId < (index + 1) * BINS_PER_ARRAY));
        }
        assert.equal(new Set(indexes).size, indexes.length);
      }),
    );
  });
});

describe('ranges', () => {
  it('lie evenly around the active bin', () => {
    assert.deepEqual(rangeAround(-381, 34), { fromBinId: -415, toBinId: -347 });
    assert.equal(widthOf(rangeAround(-381, 34)), 69);
    assert.equal(widthOf({ fromBinId: 4, toBinId: 4 }), 1);
  });

  for (const [binStepBps, lower, upper] of [
    [100, -28.7, 40.26],
    [20, -6.57, 7.03],
    [10, -3.34, 3.46],
    [1, -0.339, 0.341],
  ] as const) {
    it(`of 34 bins to each side reach ${lower}% and ${upper}% at ${binStepBps} bps`, () => {
      const edges = rangeEdges(rangeAround(-381, 34), -381, binStepBps);
      const places = binStepBps === 1 ? 3 : 2;
      assert.equal(Number(edges.lowerPercent.toFixed(places)), lower);
      assert.equal(Number(edges.upperPercent.toFixed(places)), upper);
    });
  }

  it('measure from the active bin wherever it is', () => {
    const edges = rangeEdges({ fromBinId: 10, toBinId: 20 }, 5, 100);
    assertNear(edges.lowerPercent, 100 * (1.01 ** 5 - 1), 1e-12);
    assertNear(edges.upperPercent, 100 * (1.01 ** 15 - 1), 1e-12);
  });
});
