import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatRaw } from '../../../src/base/solana/amounts';
import { oneLine } from '../../../src/base/text';
import { isExactDecimal, parseInstant, parseNumber, plainDecimal, rawAmount } from '../../../src/service/parsing/scalars';

describe('Numbers from the service', () => {
  it('A number as text is read like the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => parseNumber(String(value)) === parseNumber(value)),
    );
  });

  for (const [text, value] of [
    ['105', 105],
    [' 0.0042 ', 0.0042],
    ['-3.2e-5', -3.2e-5],
    ['.5', 0.5],
    ['5.', 5],
    ['+7', 7],
  ] as const) {
    it(`The text ${JSON.stringify(text)} is read as a number`, () => {
      assert.equal(parseNumber(text), value);
    });
  }

  for (const value of ['', '-', '.', 'e5', 'NaN', 'Infinity', '1,234', '0x10', '12 SOL', '1e999', true, {}, [1]]) {
    it(`The value ${JSON.stringify(value)} is not read as a number`, () => {
      assert.equal(parseNumber(value), undefined);
    });
  }

  for (const [given, plain] of [
    ['1.5', '1.5'],
    [1.2e-7, '0.00000012'],
    ['-0.50', '-0.5'],
    ['000123.4500', '123.45'],
    [1e21, '1000000000000000000000'],
    ['1.25e1', '12.5'],
    ['-0.0', '0'],
  ] as const) {
    it(`The number ${JSON.stringify(given)} is written as ${plain}`, () => {
      assert.equal(plainDecimal(given), plain);
    });
  }

  it('A number in plain decimal form keeps its value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }), (value) => {
        const plain = plainDecimal(value);
        assert.ok(plain !== undefined && /^-?\d+(?:\.\d+)?$/.test(plain), plain);
        assert.equal(Number(plain), value === 0 ? 0 : value);
      }),
    );
  });

  it('Raw amounts convert to whole tokens and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 24 }), (raw, decimals) => {
        assert.equal(rawAmount(formatRaw(raw, decimals), decimals), raw);
      }),
    );
  });

  it('An amount with more decimals than the token has no raw amount', () => {
    assert.equal(rawAmount('1.2345', 3), undefined);
    assert.equal(rawAmount('1.234', 3), 1234n);
  });

  it('The check for exact decimals detects floats with too many digits', () => {
    assert.equal(isExactDecimal(1.5), true);
    assert.equal(isExactDecimal(0.00000012), true);
    assert.equal(isExactDecimal(6134.935664996853), false);
  });
});

describe('Dates from the service', () => {
  const noon = '2025-07-30T12:00:00.000Z';
  for (const [given, expected] of [
    ['2025-07-30T12:00:00.000Z', noon],
    ['2025-07-30T12:00:00Z', noon],
    ['2025-07-30T12:00:00.000+0000', noon],
    ['2025-07-30T14:00:00+02:00', noon],
    ['2025-07-30T09:30:00-0230', noon],
    ['2025-07-30 12:00:00.000', noon],
    ['2025-07-30 12:00:00', noon],
    ['2025-07-30 12:00:00+00', noon],
    ['2025-07-30T12:00:00.123456Z', '2025-07-30T12:00:00.123Z'],
    ['2025-07-30', '2025-07-30T00:00:00.000Z'],
    [1753876800, noon],
    [1753876800000, noon],
    ['1753876800', noon],
    ['1753876800000', noon],
  ] as const) {
    it(`The date ${JSON.stringify(given)} is read`, () => {
      assert.equal(parseInstant(given)?.toISOString(), expected);
    });
  }

  for (const value of [
    '',
    'yesterday',
    '2025-02-30T00:00:00Z',
    '2025-02-30T00:00:00.000Z',
    '2025-04-31T12:00:00.000Z',
    '2025-07-30T24:00:00.000Z',
    '2025-07-30T23:60:00.000Z',
    '2025-13-01',
    '2025-07-30T25:00:00Z',
    '0000-00-00 00:00:00',
    0,
    -5,
    7,
    1e300,
    true,
    {},
  ]) {
    it(`The value ${JSON.stringify(value)} is not read as a date`, () => {
      assert.equal(parseInstant(value), undefined);
    });
  }

  it('Dates are read as Date writes them, in all of its forms', () => {
    const dates = fc.date({ min: new Date('2001-10-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        assert.equal(parseInstant(date.toISOString())?.getTime(), date.getTime());
        assert.equal(parseInstant(date.toISOString().replace('T', ' ').replace('Z', ''))?.getTime(), date.getTime());
        assert.equal(parseInstant(date.getTime())?.getTime(), date.getTime());
      }),
    );
  });
});

describe('External text on one line', () => {
  it('Control characters, marks that reverse the text direction, and needless spaces are removed', () => {
    assert.equal(oneLine(' BO\u202eNK\u0000 \n\t/ SOL\u200b ', 40), 'BO NK / SOL');
  });

  it('Text is cut between characters, never within one', () => {
    assert.equal(oneLine('🙂'.repeat(10), 4), '🙂🙂🙂…');
  });

  it('A line never exceeds the given length, and never contains a line break', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '🙂',
      '\ud83d',
      ' ',
      '\n',
      '\u0000',
      '\u0085',
      '\u200b',
      '\u200d',
      '\u2028',
      '\u202e',
      '\u2066',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), fc.integer({ min: 1, max: 60 }), (text, longest) => {
        const line = oneLine(text, longest);
        assert.ok(Array.from(line).length <= longest);
        assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      }),
    );
  });
});
