import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linesOf, type Line } from '../../../src/cli/lines';

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let begin = 0; begin < bytes.length; begin += size) {
    yield bytes.subarray(begin, begin + size);
  }
}

async function read(text: string, size = 3, longestBytes?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of linesOf(chunksOf(text, size), longestBytes)) {
    lines.push(line);
  }
  return lines;
}

describe('cli: lines', () => {
  it('Reading returns the written lines, however the bytes are split into chunks', async () => {
    const texts = fc.array(
      fc
        .string({ unit: fc.constantFrom('a', 'é', '\u2028', '\u2029', '\u0085', '\r', '🙂'), maxLength: 6 })
        .filter((text) => !text.endsWith('\r')),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), async (lines, end, size) => {
        assert.deepEqual(await read(lines.map((line) => `${line}${end}`).join(''), size), lines);
      }),
    );
  });

  it('A last line without a line break is read, and empty input has no line', async () => {
    assert.deepEqual(await read('a\nb'), ['a', 'b']);
    assert.deepEqual(await read('a\n\n'), ['a', '']);
    assert.deepEqual(await read(''), []);
  });

  it('A line that is too long is discarded, and reading continues with the next line', async () => {
    assert.deepEqual(await read('12345\n1234\n123456789', 2, 4), [undefined, '1234', undefined]);
  });
});
