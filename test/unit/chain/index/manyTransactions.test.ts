import assert from 'node:assert/strict';
import { measureIndex } from '../../../support/chain/measureIndex';

/** More than one page of signatures. */
const TRANSACTIONS = 1_020;
const POSITIONS = 170;

describe('The index of many transactions', () => {
  it('takes one request for each, three for their list, and under a kilobyte each on disk', async () => {
    const figures = await measureIndex(TRANSACTIONS);
    assert.equal(figures.progress.state, 'current');
    assert.deepEqual([figures.positions, figures.complete], [POSITIONS, POSITIONS]);
    // The list is two pages, and an empty one that ends it; one request asks how far history reaches, and one the parameters of the pool.
    assert.equal(figures.requests, TRANSACTIONS + 5);
    assert.equal(figures.requestsAfter, 1);
    assert.ok(figures.bytesOnDisk < TRANSACTIONS * 1_100, `${figures.bytesOnDisk} bytes`);
  });
});
