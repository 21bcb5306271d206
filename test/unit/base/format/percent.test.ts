import assert from 'node:assert/strict';
import {
  bps,
  columnPercent,
  feeTvl,
  fractionAsPercent,
  percent,
  shortPercent,
  shortSignedPercent,
  signedColumnPercent,
  signedFractionAsPercent,
  signedPercent,
} from '../../../../src/base/format/percent';

describe('Percentages', () => {
  for (const [value, plain, signed] of [
    [0, '0%', '0%'],
    [-0, '0%', '0%'],
    [5.123, '5.12%', '+5.12%'],
    [-28.7, '−28.7%', '−28.7%'],
    [0.001, '<0.01%', '≈0%'],
    [-0.001, '≈0%', '≈0%'],
    [123.456, '123.5%', '+123.5%'],
    [12345.6, '12,346%', '+12,346%'],
    [18_000_000, '18M%', '+18M%'],
    [undefined, '–', '–'],
    [Number.NaN, '–', '–'],
    [-Infinity, '–', '–'],
  ] as const) {
    it(`The percentage ${String(value)} is written ${plain}, and ${signed} as a change`, () => {
      assert.equal(percent(value), plain);
      assert.equal(signedPercent(value), signed);
    });
  }

  it('Fractions are written as percentages', () => {
    assert.equal(fractionAsPercent(0.05), '5%');
    assert.equal(fractionAsPercent(undefined), '–');
    assert.equal(signedFractionAsPercent(-0.123), '−12.3%');
    assert.equal(signedFractionAsPercent(undefined), '–');
    assert.equal(feeTvl(0.0235), '2.35%');
  });

  it('Percentages in a column have the same number of decimal places', () => {
    assert.deepEqual(
      [0.605, 0.086, 0.1677, 0, undefined].map((value) => columnPercent(value)),
      ['60.50%', '8.60%', '16.77%', '0%', '–'],
    );
    assert.deepEqual(
      [0.16, -0.0472, 1.5].map((value) => signedColumnPercent(value)),
      ['+16.00%', '−4.72%', '+150.0%'],
    );
    assert.equal(columnPercent(0.605, 'de'), '60,50%');
  });

  it('In narrow places there is one decimal place at most, and none from 10% on', () => {
    assert.deepEqual(
      [0.04, 3.02, -9.96, -26.7, 48.8, 1_234.5].map((value) => shortSignedPercent(value)),
      ['+0.04%', '+3%', '−10%', '−27%', '+49%', '+1,235%'],
    );
    assert.deepEqual(
      [0.04, 3.02, 9.96, 48.8, undefined].map((value) => shortPercent(value)),
      ['0.04%', '3.0%', '10%', '49%', '–'],
    );
  });

  it('Basis points are written with their percentage', () => {
    assert.equal(bps(100), '100 bps (1%)');
    assert.equal(bps(10_000), '10,000 bps (100%)');
    assert.equal(bps(1), '1 bps (0.01%)');
    assert.equal(bps(undefined), '–');
  });
});
