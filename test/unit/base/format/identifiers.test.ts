import assert from 'node:assert/strict';
import { binRange, shortAddress } from '../../../../src/base/format/identifiers';

describe('Addresses and bin ranges', () => {
  it('A shortened address keeps its first and last characters', () => {
    assert.equal(shortAddress('So11111111111111111111111111111111111111112'), 'So11…1112');
    assert.equal(shortAddress('short'), 'short');
    assert.equal(shortAddress('123456789'), '123456789');
    assert.equal(shortAddress(''), '–');
    assert.equal(shortAddress(undefined), '–');
  });

  it('A bin range is written with its first bin, last bin and width', () => {
    assert.equal(binRange(-386, -376), '−386 to −376 (11 bins)');
    assert.equal(binRange(5, 5), '5 to 5 (1 bin)');
    assert.equal(binRange(-1000, 399), '−1000 to 399 (1,400 bins)');
    assert.equal(binRange(undefined, 4), '–');
    assert.equal(binRange(4, Number.NaN), '–');
  });
});
