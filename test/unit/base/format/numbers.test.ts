import assert from 'node:assert/strict';
import { counted } from '../../../../src/base/format/counted';
import { count, significant } from '../../../../src/base/format/numbers';

describe('Numbers', () => {
  it('Counts are written with thousands separators', () => {
    assert.equal(count(1234), '1,234');
    assert.equal(count(1234, 'de'), '1.234');
    assert.equal(count(999_999_999_999_999), '999,999,999,999,999');
    assert.equal(count(-1e308), '−1E308', 'and stay short');
  });

  it('A count is written with its noun in singular or plural', () => {
    assert.equal(counted(1, 'position'), '1 position');
    assert.equal(counted(0, 'position'), '0 positions');
    assert.equal(counted(1200, 'bin'), '1,200 bins');
  });

  for (const [value, expected] of [
    [123456, '123,456'],
    [12.3456, '12.35'],
    [0.00123456, '0.001235'],
    [-12.3456, '−12.35'],
    [0, '0'],
    [-0, '0'],
    [1e21, '1E21'],
    [5e-324, '5E-324'],
    [-1.234e-30, '−1.23E-30'],
    [0.000000001, '0.000000001'],
    [undefined, '–'],
    [Number.NaN, '–'],
    [Infinity, '–'],
  ] as const) {
    it(`A number is written with four significant digits: ${String(value)} as ${expected}`, () => {
      assert.equal(significant(value), expected);
    });
  }
});
