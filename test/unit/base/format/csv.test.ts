import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csvLines, withoutFormulas } from '../../../../src/base/format/csv';

/** Reads CSV as RFC 4180 has it: nothing in here knows how it was written. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at += 1;
      for (; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        assert.ok(at < text.length, 'A quotation does not end');
        field += text[at] ?? '';
        at += text[at] === '"' ? 1 : 0;
      }
      at += 1;
    } else {
      for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at += 1) {
        assert.ok(text[at] !== '"' && text[at] !== '\n', 'A field without quotation marks has a character that needs them');
        field += text[at] ?? '';
      }
    }
    row.push(field);
    if (text[at] === '\r') {
      assert.equal(text[at + 1], '\n');
      rows.push(row);
      row = [];
      at += 2;
    } else {
      assert.equal(text[at], ',');
      at += 1;
    }
  }
  assert.deepEqual(row, [], 'The last line has no end');
  return rows;
}

/** Takes out the apostrophes that were put in. */
function unguarded(text: string): string {
  return text.replace(/(^|[,;|\t\r\n])([ \u00a0]*)'(?=['=+\-@＝＋－＠])/g, '$1$2');
}

/** Text as a hostile service would choose it. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '|', '\t', '\r', '\n', ' ', '\u00a0', '＝', '＠', 'SUM(A1)', 'x', '1', '💥'),
    )
    .map((parts) => parts.join('')),
);
const cell = fc.oneof(nasty, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(undefined));

describe('CSV of the history', () => {
  it('The CSV reads back unchanged, with any texts from the service and any number of digits', () => {
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }).map((rows) => ({ width, rows })),
      );
    fc.assert(
      fc.property(table, ({ width, rows }) => {
        const names = Array.from({ length: width }, (_, index) => `column_${index}`);
        const [first, ...read] = readCsv(csvLines([names, ...rows]));
        assert.deepEqual(first, names);
        assert.equal(read.length, rows.length);
        rows.forEach((row, at) => {
          row.forEach((value, column) => {
            const text = read[at]?.[column] ?? assert.fail('A field is missing');
            if (typeof value === 'number') {
              assert.ok(Number(text) === value, `${text} is not ${value}`);
            } else {
              assert.equal(unguarded(text), value ?? '');
            }
          });
        });
      }),
      { numRuns: 500 },
    );
  });

  it('The CSV contains no text that a spreadsheet takes for a formula, with any column separator', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        for (const piece of withoutFormulas(text).split(/[,;|\t\r\n]/)) {
          assert.doesNotMatch(piece, /^[ \u00a0]*[=+\-@＝＋－＠]/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('The CSV leaves numbers and harmless texts unchanged', () => {
    assert.equal(
      csvLines([
        ['a', 'b', 'c'],
        ['BONK/SOL', -0.1, 1e-9],
        ['say "hi"', undefined, 12_345_678.1234567],
        ['=1+1', 0, -5],
      ]),
      'a,b,c\r\nBONK/SOL,-0.1,1e-9\r\n"say ""hi""",,12345678.1234567\r\n\'=1+1,0,-5\r\n',
    );
  });
});
