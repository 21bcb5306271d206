import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decimalMark } from '../../../../src/base/format/numbers';
import { decimalText, numberText, pointed, readDecimal } from '../../../../src/base/format/typedNumbers';

/** Languages of VS Code's language packs, and others with unusual marks. */
const LOCALES = [
  'en-US',
  'zh-CN',
  'zh-TW',
  'fr',
  'de',
  'it',
  'es',
  'ja',
  'ko',
  'ru',
  'pt-BR',
  'tr',
  'pl',
  'cs',
  'hu',
  'de-CH',
  'ar',
  'fa',
  'hi',
];
const locale = fc.constantFrom(...LOCALES);
const PLACES = 9;

/** The number that a text means to a person who groups thousands with these marks, or has them before decimals. Scaled by {@link PLACES}. */
function meanings(text: string): readonly bigint[] {
  const scaled = (plain: string): bigint | undefined => {
    const [, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(plain) ?? [];
    return whole + fraction === '' || fraction.length > PLACES ? undefined : BigInt(whole + fraction.padEnd(PLACES, '0'));
  };
  const readings = [
    [',', '.'],
    ['.', ','],
  ].flatMap(([group = '', decimal = '']) => {
    const [whole = '', ...rest] = text.split(decimal);
    const isGrouped = whole.includes(group) && /^[1-9]\d{0,2}(?:D\d{3})+$/.test(whole.replaceAll(group, 'D'));
    if (rest.length > 1 || (whole.includes(group) && !isGrouped) || (rest[0] ?? '').includes(group)) {
      return [];
    }
    return [scaled(`${whole.replaceAll(group, '')}${rest[0] === undefined ? '' : `.${rest[0]}`}`)];
  });
  return [...new Set(readings.filter((one) => one !== undefined))];
}

describe('Typed numbers', () => {
  it('A number that is written for a field is read back unchanged, in every language', () => {
    fc.assert(
      fc.property(locale, fc.bigInt(0n, 10n ** 27n), fc.integer({ min: 0, max: 18 }), (tag, value, places) =>
        assert.deepEqual(readDecimal(decimalText(value, places, tag), places, tag), { ok: true, value }),
      ),
    );
    fc.assert(
      fc.property(locale, fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (tag, value) => {
        const plain = pointed(numberText(value, { maximumSignificantDigits: 17 }, tag), tag);
        assert.ok(plain.ok && Math.abs(Number(plain.value) / value - 1) < 1e-9, JSON.stringify(plain));
      }),
    );
  });

  it('A text that is read has one meaning, or the meaning of the decimal mark of the language', () => {
    const text = fc.stringMatching(/^\d{0,4}(?:[.,]\d{0,4}){0,3}$/);
    fc.assert(
      fc.property(locale, text, (tag, typed) => {
        const reading = readDecimal(typed, PLACES, tag);
        const [one, ...others] = meanings(typed);
        if (!reading.ok) {
          return;
        }
        assert.ok(one !== undefined && [one, ...others].includes(reading.value), `${typed} was read as ${String(reading.value)}`);
        // Ambiguous: only where it is written as the figures of this language are.
        assert.ok(
          others.length === 0 || (typed.includes(decimalMark(tag)) && !typed.includes(decimalMark(tag) === '.' ? ',' : '.')),
          typed,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('Three digits behind the mark that is not the language’s own are refused with both readings, and never read', () => {
    fc.assert(
      fc.property(locale, fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), (tag, whole, thousand) => {
        const mark = decimalMark(tag);
        const other = mark === '.' ? ',' : '.';
        const digits = String(thousand).padStart(3, '0');
        const reading = readDecimal(`${whole}${other}${digits}`, PLACES, tag);
        assert.ok(!reading.ok);
        const decimal = decimalText(BigInt(`${whole}${digits}`), 3, tag);
        assert.equal(reading.message, `"${whole}${other}${digits}" can mean ${decimal} or ${whole}${digits}. Enter one of them.`);
        for (const [text, value] of [
          [decimal, BigInt(`${whole}${digits}`)],
          [`${whole}${digits}`, BigInt(`${whole}${digits}000`)],
        ] as const) {
          assert.deepEqual(readDecimal(text, 3, tag), { ok: true, value }, 'both suggestions are read as they say');
        }
      }),
    );
  });

  it('A point is read as a decimal mark in every language where it can only be one', () => {
    for (const tag of LOCALES) {
      for (const [text, value] of [
        ['1.5', 1_500_000_000n],
        ['0.004', 4_000_000n],
        ['.125', 125_000_000n],
        ['1200.500', 1_200_500_000_000n],
        ['1.2345', 1_234_500_000n],
        ['7.', 7_000_000_000n],
      ] as const) {
        assert.deepEqual(readDecimal(text, PLACES, tag), { ok: true, value }, `${tag} ${text}`);
      }
    }
    assert.deepEqual(readDecimal('1,5', PLACES, 'de'), { ok: true, value: 1_500_000_000n });
    assert.deepEqual(readDecimal('1,200', PLACES, 'de'), { ok: true, value: 1_200_000_000n });
    assert.deepEqual(readDecimal('1.200', PLACES, 'en-US'), { ok: true, value: 1_200_000_000n });
  });

  it('Signs, exponents, spaces, several marks and too many decimals are refused in every language', () => {
    for (const tag of LOCALES) {
      for (const text of [
        '',
        '.',
        '-1',
        '+1',
        '1e3',
        '1 000',
        '1.234,5',
        '1,234.5',
        '1.234.567',
        '1.0000000001',
        '٣',
        "1'000",
        '9'.repeat(41),
      ]) {
        assert.equal(readDecimal(text, PLACES, tag).ok, false, `${tag} ${text}`);
      }
    }
  });
});
