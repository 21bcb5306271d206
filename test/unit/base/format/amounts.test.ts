import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactAmount, price, priceUsd, shortAmount } from '../../../../src/base/format/amounts';

const raw = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const decimals = fc.integer({ min: 0, max: 18 });

/** Reads what `exactAmount` wrote. */
function parseAmount(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

describe('Exact token amounts', () => {
  for (const [amount, places, expected] of [
    [1_234_567_000n, 6, '1,234.567'],
    [1n, 9, '0.000000001'],
    [0n, 9, '0'],
    [42n, 0, '42'],
    [-1_500_000n, 6, '−1.5'],
    [10n ** 30n, 6, '1,000,000,000,000,000,000,000,000'],
  ] as const) {
    it(`The raw amount ${amount} with ${places} decimals is written ${expected}`, () => {
      assert.equal(exactAmount(amount, places), expected);
    });
  }

  it('An exact amount is written without loss of precision', () => {
    fc.assert(
      fc.property(raw, decimals, (amount, places) => {
        assert.equal(parseAmount(exactAmount(amount, places), places), amount);
      }),
    );
  });

  it('Exact amounts use the separators of another locale', () => {
    assert.equal(exactAmount(1_234_567_000n, 6, 'de'), '1.234,567');
  });

  it('Exact amounts refuse decimals that no token can have', () => {
    for (const wrong of [-1, 0.5, Number.NaN]) {
      assert.throws(() => exactAmount(1n, wrong), RangeError);
    }
  });
});

describe('Shortened token amounts', () => {
  for (const [amount, places, expected] of [
    [1_234_567_891n, 6, '1,234.56'],
    [12_345_678n, 6, '12.3456'],
    [999_999_999_999n, 6, '999,999.99'],
    [1_234_567_891_234n, 6, '1.23M'],
    [1_999_999_999_999n, 6, '1.99M'],
    [1_234n, 6, '0.001234'],
    [1_234_567n, 9, '0.001234'],
    [12n, 6, '0.0₄12'],
    [1n, 9, '0.0₈1'],
    [-1_234_567_891n, 6, '−1,234.56'],
    [0n, 6, '0'],
    [undefined, 6, '–'],
    [5n, undefined, '–'],
  ] as const) {
    it(`The raw amount ${String(amount)} with ${String(places)} decimals is shortened to ${expected}`, () => {
      assert.equal(shortAmount(amount, places), expected);
    });
  }

  it('A shortened amount never shows more than there is', () => {
    fc.assert(
      fc.property(raw, decimals, (amount, places) => {
        const text = shortAmount(amount, places);
        fc.pre(/^[\d,.]+$/.test(text)); // neither shortened to K, M … nor with a subscript
        assert.ok(parseAmount(text, places) <= amount);
      }),
    );
  });
});

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** Reads "0.0₅1234" and "1,234.57". */
function parsePrice(text: string): number {
  const plain = text.replace(/0([₀-₉]+)/, (_, subscript: string) =>
    '0'.repeat(Number(Array.from(subscript, (digit) => SUBSCRIPTS.indexOf(digit)).join(''))),
  );
  return Number(plain.replaceAll(',', ''));
}

describe('Prices', () => {
  for (const [value, plain, dollars] of [
    [139.1762508, '139.18', '$139.18'],
    [2.5, '2.5', '$2.50'],
    [1.2345678, '1.2346', '$1.2346'],
    [1234.567, '1,234.57', '$1,234.57'],
    [123456.7, '123,456.7', '$123,456.70'],
    [12_345_678, '12.3M', '$12.3M'],
    [0.0225713, '0.02257', '$0.02257'],
    [0.0001234, '0.0001234', '$0.0001234'],
    [0.00001234, '0.0₄1234', '$0.0₄1234'],
    [0.000001234, '0.0₅1234', '$0.0₅1234'],
    [0.0000012, '0.0₅12', '$0.0₅12'],
    [0.0000099999, '0.0₄1', '$0.0₄1'],
    [0.99999, '1', '$1'],
    [1e-12, '0.0₁₁1', '$0.0₁₁1'],
    [-0.000001234, '−0.0₅1234', '−$0.0₅1234'],
    [0, '0', '$0.00'],
    [1.5e18, '1.5E18', '$1.5E18'],
    [5e-324, '0.0₃₂₃4941', '$0.0₃₂₃4941'],
    [undefined, '–', '–'],
    [Number.NaN, '–', '–'],
    [Infinity, '–', '–'],
  ] as const) {
    it(`The price ${String(value)} is written ${plain}, and ${dollars} in US dollars`, () => {
      assert.equal(price(value), plain);
      assert.equal(priceUsd(value), dollars);
    });
  }

  it('A written price keeps its magnitude, however small it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-200, max: 9_999_999, noNaN: true }), (value) => {
        assert.ok(Math.abs(parsePrice(price(value)) / value - 1) < 1e-3);
      }),
    );
  });

  it('Prices use the separators of another locale', () => {
    assert.equal(price(0.000001234, 'de'), '0,0₅1234');
  });
});
