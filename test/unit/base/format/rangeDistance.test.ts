import assert from 'node:assert/strict';
import { rangeMark } from '../../../../src/base/format/rangeDistance';

describe('The distance of a price from a range', () => {
  const range = { lowerBinId: -10, upperBinId: 10, binStepBps: 100 };

  it('is how far the price is out of it, or else how far the nearer bound is', () => {
    assert.equal(rangeMark({ ...range, activeBinId: 13 }), '▲ 3.0%');
    assert.equal(rangeMark({ ...range, activeBinId: -50 }), '▼ 49%');
    assert.equal(rangeMark({ ...range, activeBinId: 4 }), '6.2% to bound');
    assert.equal(rangeMark({ ...range, activeBinId: -10 }), '0% to bound');
  });

  it('is not known without the bins or the bin step', () => {
    assert.equal(rangeMark({ ...range, activeBinId: undefined }), undefined);
    assert.equal(rangeMark({ ...range, activeBinId: 0, binStepBps: undefined }), undefined);
  });
});
