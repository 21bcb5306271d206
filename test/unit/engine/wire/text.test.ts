import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalText } from '../../../../src/engine/wire/text';

describe('Decimal text in records', () => {
  it('Any number of at least 0 is written without an exponent, and reads as the same number', () => {
    const written = fc.oneof(fc.double({ min: 0, max: 1e-12, noNaN: true }), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(written, (value) => {
        const text = decimalText(value);
        assert.match(text, /^\d+(?:\.\d+)?$/);
        assert.equal(Number(text), value);
      }),
    );
    assert.deepEqual([0, 0.1, 1e-9, 1e21, 2 ** 70].map(decimalText), [
      '0',
      '0.1',
      '0.000000001',
      '1000000000000000000000',
      '1180591620717411300000',
    ]);
  });
});
