import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatRaw, lamportsToSol, parseDecimal, rawFromNumber } from '../../../../src/base/solana/amounts';

const raw = fc.bigInt({ min: 0n, max: 2n ** 128n });
const decimals = fc.nat({ max: 18 });

describe('Exact amounts', () => {
  it('Exact amounts are written and read back without loss', () => {
    fc.assert(fc.property(raw, decimals, (amount, places) => assert.equal(parseDecimal(formatRaw(amount, places), places), amount)));
  });

  it('Exact amounts are written without unnecessary zeros', () => {
    fc.assert(fc.property(raw, decimals, (amount, places) => assert.match(formatRaw(amount, places), /^(0|[1-9]\d*)(\.\d*[1-9])?$/)));
  });

  it('The written amount equals the raw amount by integer arithmetic', () => {
    fc.assert(
      fc.property(raw, decimals, (amount, places) => {
        const [whole = '', fraction = ''] = formatRaw(amount, places).split('.');
        assert.equal(BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0') || '0'), amount);
      }),
    );
  });

  it('Raw amounts are written as plain decimal numbers', () => {
    assert.equal(formatRaw(1_500_000_000n, 9), '1.5');
    assert.equal(formatRaw(1n, 9), '0.000000001');
    assert.equal(formatRaw(0n, 9), '0');
    assert.equal(formatRaw(1_000n, 0), '1000');
    assert.equal(formatRaw(-1_500n, 3), '-1.5');
    assert.equal(lamportsToSol(5_000n), '0.000005');
  });

  it('Amounts are read only from digits and at most one decimal point', () => {
    assert.equal(parseDecimal('1', 9), 1_000_000_000n);
    assert.equal(parseDecimal('0.1', 9), 100_000_000n);
    assert.equal(parseDecimal('.5', 9), 500_000_000n);
    assert.equal(parseDecimal('007', 0), 7n);
    assert.equal(parseDecimal('1.000000000', 9), 1_000_000_000n);
    const wrong = [
      '',
      '.',
      '1.',
      '-1',
      '+1',
      '1e3',
      '1E3',
      '1,5',
      '1 000',
      ' 1',
      '1 ',
      '0x10',
      'NaN',
      'Infinity',
      '١',
      '1_000',
      '1..2',
      '1.2.3',
      '9'.repeat(81),
    ];
    for (const text of wrong) {
      assert.equal(parseDecimal(text, 9), undefined, JSON.stringify(text));
    }
  });

  it('A number with up to 15 digits becomes the raw amount that it shows', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), decimals, (amount, places) => {
        assert.equal(rawFromNumber(Number(formatRaw(amount, places)), places), amount);
      }),
    );
    assert.equal(rawFromNumber(133.057769733, 9), 133_057_769_733n);
    assert.equal(rawFromNumber(123_456_789.012345, 9), 123_456_789_012_345_000n);
    assert.equal(rawFromNumber(1e21, 2), 10n ** 23n);
    assert.equal(rawFromNumber(1e-7, 9), 100n);
  });

  it('A number with more decimals than the token becomes the nearest raw amount', () => {
    assert.equal(rawFromNumber(0.1 + 0.2, 9), 300_000_000n);
    assert.equal(rawFromNumber(28.999999999999996, 6), 29_000_000n);
    assert.equal(rawFromNumber(1e-10, 9), 0n);
    assert.equal(rawFromNumber(0, 9), 0n);
  });

  it('A number that is no amount is refused', () => {
    for (const amount of [-1, NaN, Infinity]) {
      assert.throws(() => rawFromNumber(amount, 9), RangeError);
    }
  });

  it('An amount with more decimals than the token is refused', () => {
    fc.assert(
      fc.property(fc.nat({ max: 12 }), fc.stringMatching(/^[0-9]{1,14}$/), (places, fraction) => {
        assert.equal(parseDecimal(`1.${fraction}`, places) === undefined, fraction.length > places);
      }),
    );
  });
});
