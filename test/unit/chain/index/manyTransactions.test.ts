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
    // The list is two pages, and an empty one that ends it; one request asks how far history reaches, one the parameters of the pool, and one for a page of transactions.
    assert.equal(figures.requests, TRANSACTIONS + 6);
    assert.equal(figures.requestsAfter, 1);
    assert.ok(figures.bytesOnDisk < TRANSACTIONS * 1_100, `${figures.bytesOnDisk} bytes`);
  });

  it('takes one request for a hundred where the node gives pages of transactions, and those that pages lack are read by themselves', async () => {
    const whole = await measureIndex(TRANSACTIONS, { hasPages: true });
    assert.deepEqual([whole.progress.state, whole.positions, whole.complete], ['current', POSITIONS, POSITIONS]);
    // Eleven pages, five for lists and parameters, and some transactions beside the first page and after the last one.
    assert.ok(whole.requests <= 11 + 5 + 2 * 20, `${whole.requests} requests`);
    const lacking = await measureIndex(TRANSACTIONS, { hasPages: true, missingInPages: (number) => number % 50 === 0 });
    assert.deepEqual([lacking.progress.state, lacking.positions, lacking.complete], ['current', POSITIONS, POSITIONS]);
    assert.ok(lacking.requests < 80, `${lacking.requests} requests`);
    const empty = await measureIndex(200, { hasPages: true, missingInPages: () => true });
    assert.deepEqual([empty.progress.state, empty.complete], ['current', empty.positions]);
  });
});
