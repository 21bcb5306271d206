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

describe('Prices of bins', () => {
  for (const [binId, binStepBps, expected] of [
    [-402, 100, 0.018315034428162583464],
    [-333, 100, 0.03639003978350194689],
    [-381, 100, 0.022571300816453571347],
    [1000, 25, 12.144546224313512057],
    [-4501, 20, 0.0001242754624644377836],
    [5000, 1, 1.6486800559311757696],
  ] as const) {
    it(`The price of bin ${binId} at ${binStepBps} bps has the known value`, () => {
      assertNear(priceOfBin(binId, binStepBps), expected, 1e-14);
    });
  }

  it('The price of bin 0 is exactly one', () => {
    assert.equal(priceOfBin(0, 100), 1);
    assert.equal(priceQ64OfBin(0, 100), 1n << 64n);
  });

  it("The Q64.64 prices equal the program's own figures", () => {
    assert.equal(priceQ64OfBin(1, 100), 18631211514446647132n);
    assert.equal(priceQ64OfBin(-402, 100), 337852752797494538n);
  });

  it('The UI price is a price in whole tokens for the decimals of both', () => {
    assertNear(uiPriceOfBin(-1973, 10, 9, 6), 139.1762508741624352, 1e-13);
  });

  it('The price rises from bin to bin', () => {
    fc.assert(
      fc.property(stepAndBin, ([binStepBps, binId]) => {
        fc.pre(binId < maxBinIdOf(binStepBps));
        assert.ok(priceOfBin(binId, binStepBps) < priceOfBin(binId + 1, binStepBps));
      }),
    );
  });

  it('The price agrees with the Q64.64 price within the precision of Q64.64', () => {
    fc.assert(
      fc.property(middleBin, ([binStepBps, binId]) => {
        const q64 = priceQ64OfBin(binId, binStepBps);
        assertNear(Number(q64) / 2 ** 64, priceOfBin(binId, binStepBps), 1e-6);
      }),
    );
  });

  it('The valid bins are those with a price that fits into Q64.64', () => {
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
    it(`The price functions refuse bin ${binId} at ${binStepBps} bps`, () => {
      assert.throws(() => priceOfBin(binId, binStepBps), RangeError);
      assert.throws(() => priceQ64OfBin(binId, binStepBps), RangeError);
    });
  }
});

describe('Bin of a price', () => {
  for (const [price, binStepBps, down, up] of [
    [0.0223, 100, -383, -382],
    [0.15, 10, -1899, -1898],
  ] as const) {
    it(`At ${binStepBps} bps, the price ${price} rounds down to bin ${down} and up to bin ${up}`, () => {
      assert.equal(binOfUiPrice(price, binStepBps, 6, 6, 'down'), down);
      assert.equal(binOfUiPrice(price, binStepBps, 6, 6, 'up'), up);
    });
  }

  it('The bin of the price of a bin is that bin, rounded either way', () => {
    fc.assert(
      fc.property(stepAndBin, decimals, decimals, ([binStepBps, binId], decimalsX, decimalsY) => {
        const price = uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY);
        assert.equal(binOfUiPrice(price, binStepBps, decimalsX, decimalsY, 'down'), binId);
        assert.equal(binOfUiPrice(price, binStepBps, decimalsX, decimalsY, 'up'), binId);
      }),
    );
  });

  it('Every price has one bin or two neighboring bins around it', () => {
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

  it('The bin of a price is never minus zero', () => {
    assert.ok(Object.is(binOfUiPrice(1 - 1e-12, 100, 6, 6, 'up'), 0));
  });

  for (const price of [0, -1, Number.NaN, Infinity, 1e300]) {
    it(`No bin exists for the price ${price}`, () => {
      assert.throws(() => binOfUiPrice(price, 100, 6, 6, 'down'), RangeError);
    });
  }
});

describe('Bin arrays', () => {
  it('Bin array indexes are negative below bin 0', () => {
    assert.deepEqual([-71, -70, -1, 0, 69, 70].map(binArrayIndex), [-2, -1, -1, 0, 0, 1]);
  });

  it('The bin arrays of a range cover both ends, each array once', () => {
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

describe('Ranges', () => {
  it('A range around the active bin has the same number of bins on each side', () => {
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
    it(`A range of 34 bins on each side has its edges at ${lower}% and ${upper}% at ${binStepBps} bps`, () => {
      const edges = rangeEdges(rangeAround(-381, 34), -381, binStepBps);
      const places = binStepBps === 1 ? 3 : 2;
      assert.equal(Number(edges.lowerPercent.toFixed(places)), lower);
      assert.equal(Number(edges.upperPercent.toFixed(places)), upper);
    });
  }

  it('The edges are measured from the active bin, also if it is outside the range', () => {
    const edges = rangeEdges({ fromBinId: 10, toBinId: 20 }, 5, 100);
    assertNear(edges.lowerPercent, 100 * (1.01 ** 5 - 1), 1e-12);
    assertNear(edges.upperPercent, 100 * (1.01 ** 15 - 1), 1e-12);
  });
});
