import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { base64FromBytes, bytesFromBase64, parseBase64Transaction } from '../../../../src/base/solana/base64Transaction';

describe('base64 of transactions', () => {
  it('goes there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 1_232 }), (bytes) => {
        const text = base64FromBytes(bytes);
        assert.equal(parseBase64Transaction(text), text);
        assert.deepEqual(bytesFromBase64(text), bytes);
      }),
    );
  });

  it('has one way to be written: what is taken is written again in the same way', () => {
    const alphabet = fc.constantFrom('A', 'B', 'a', 'b', '0', '1', '+', '/', '=', '-', '_', ' ', '\n');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
        const parsed = parseBase64Transaction(text);
        assert.ok(parsed === undefined || base64FromBytes(bytesFromBase64(parsed)) === text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is neither empty, nor of another alphabet, nor with bits left over', () => {
    for (const text of ['', 'A', 'AA', 'AAA', 'AA=', 'AB==', 'AAB=', 'AA==\n', 'A-_A', '====', 'AA==AAAA']) {
      assert.equal(parseBase64Transaction(text), undefined, JSON.stringify(text));
    }
    assert.equal(parseBase64Transaction('AA=='), 'AA==');
  });

  it("gives bytes of one's own each time", () => {
    const text = base64FromBytes(new Uint8Array([1, 2, 3]));
    bytesFromBase64(text).fill(0);
    assert.deepEqual(bytesFromBase64(text), new Uint8Array([1, 2, 3]));
  });
});
