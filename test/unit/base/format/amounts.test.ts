import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactAmount, shortAmount } from '../../../../src/base/format/amounts';

const raw = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const decimals = fc.integer({ min: 0, max: 18 });

/** Reads what `exactAmount` wrote. */
function parse(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

describe('exact token amounts', () => {
  for (const [amount, places, expected] of [
    [1_234_567_000n, 6, '1,234.567'],
    [1n, 9, '0.000000001'],
    [0n, 9, '0'],
    [42n, 0, '42'],
    [-1_500_000n, 6, '−1.5'],
    [10n ** 30n, 6, '1,000,000,000,000,000,000,000,000'],
  ] as const) {
    it(`${amount} with ${places} decimals is ${expected}`, () => {
      assert.equal(exactAmount(amount, places), expected);
    });
  }

  it('lose nothing', () => {
    fc.assert(
      fc.property(raw, decimals, (amount, places) => {
        assert.equal(parse(exactAmount(amount, places), places), amount);
      }),
    );
  });

  it('have the marks of another locale', () => {
    assert.equal(exactAmount(1_234_567_000n, 6, 'de'), '1.234,567');
  });

  it('refuse decimals that no token has', () => {
    for (const wrong of [-1, 0.5, Number.NaN]) {
      assert.throws(() => exactAmount(1n, wrong), RangeError);
    }
  });
});

describe('shortened token amounts', () => {
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
    it(`${String(amount)} with ${String(places)} decimals is ${expected}`, () => {
      assert.equal(shortAmount(amount, places), expected);
    });
  }

  it('never show more than there is', () => {
    fc.assert(
      fc.property(raw, decimals, (amount, places) => {
        const text = shortAmount(amount, places);
        fc.pre(/^[\d,.]+$/.test(text)); // neither shortened to K, M … nor with a subscript
        assert.ok(parse(text, places) <= amount);
      }),
    );
  });
});
