import assert from 'node:assert/strict';
import { poolSearch } from '../../../../src/ui/pools/poolSearch';
import { pool } from '../../../support/portfolio/fixtures';

const NEVER = new AbortController().signal;

describe('A search of pools in a list', () => {
  it('A search that fails says why, and a typed address can still be used', async () => {
    const search = poolSearch(
      () => Promise.reject(new Error("Can't reach the service")),
      ({ address }) => address,
      (address) => address,
    );
    const { heading, items } = await search(pool(5).address, NEVER);
    assert.equal(heading, "Can't reach the service.");
    assert.deepEqual(
      items.map(({ label, value }) => [label, value]),
      [['Pool Address', pool(5).address]],
    );
  });

  it('One letter is not sent to the service, and nothing found is said', async () => {
    const asked: string[] = [];
    const search = poolSearch(
      (text) => {
        asked.push(text);
        return Promise.resolve([]);
      },
      ({ address }) => address,
      (address) => address,
    );
    assert.match((await search('W', NEVER)).heading, /at least 2 characters/);
    assert.equal((await search('WY', NEVER)).heading, 'No pools match');
    assert.deepEqual(asked, ['WY']);
  });
});
