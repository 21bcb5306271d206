import assert from 'node:assert/strict';
import fc from 'fast-check';
import { price, priceUsd } from '../../../../src/base/format/price';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** Reads "0.0₅1234" and "1,234.57". */
function parse(text: string): number {
  const plain = text.replace(/0([₀-₉]+)/, (_, subscript: string) =>
    '0'.repeat(Number(Array.from(subscript, (digit) => SUBSCRIPTS.indexOf(digit)).join(''))),
  );
  return Number(plain.replaceAll(',', ''));
}

describe('prices', () => {
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
    it(`${String(value)} is ${plain}, in US dollars ${dollars}`, () => {
      assert.equal(price(value), plain);
      assert.equal(priceUsd(value), dollars);
    });
  }

  it('keep their size, however small', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-200, max: 9_999_999, noNaN: true }), (value) => {
        assert.ok(Math.abs(parse(price(value)) / value - 1) < 1e-3);
      }),
    );
  });

  it('have the marks of another locale', () => {
    assert.equal(price(0.000001234, 'de'), '0,0₅1234');
  });
});
