import assert from 'node:assert/strict';
import { emptySnapshot, withParts } from '../../../../src/portfolio/snapshot';
import type { PoolSort } from '../../../../src/service/service';
import { PoolQuery } from '../../../../src/ui/pools/poolQuery';
import { poolCommands } from '../../../../src/ui/pools/poolCommands';
import { MOST_SAVED, type SavedSearch, SavedSearches } from '../../../../src/ui/pools/savedSearches';
import { ScriptedPrompts, type ScriptedAnswer } from '../../../support/editor/scriptedPrompts';
import { addressOf, OWNER, pool } from '../../../support/portfolio/fixtures';
import { fail, MemoryState, remembered } from '../../../support/ui/memory';

const STATE = 'binsight.poolSearches';
const ORDER = { sortBy: 'tvl', interval: '24h', isReversed: false } as const;
const search = (name: string): SavedSearch => ({ name, text: 'BONK', filter: { liquidityUsd: { min: 5 } }, order: ORDER });

function setUp(answers: readonly ScriptedAnswer[], state = new MemoryState()) {
  const query = new PoolQuery(remembered<PoolSort>('tvl'), fail);
  const prompts = new ScriptedPrompts(answers);
  const pools = [pool(1, { token1: { address: addressOf(601), symbol: 'JUP', name: undefined, decimals: 6 } })];
  const unused = () => assert.fail('A saved search needs no service');
  const { 'binsight.searchPools': searchPools } = poolCommands({
    ...{ prompts, query, connect: unused, command: unused, showProgress: unused },
    saved: new SavedSearches(state),
    portfolio: { snapshot: withParts(emptySnapshot(OWNER), { pools }), loadMorePools: unused },
    waiting: { nowMs: () => 0, log: () => undefined },
  });
  return { query, prompts, state, searchPools: () => searchPools(undefined) };
}

describe('Saved searches of pools', () => {
  it('A search is saved with its filters and order, applied with one request in another window, and deleted', async () => {
    const first = setUp([{ pick: 'Save Search' }, { type: ' ' }, { type: 'Big BONK' }]);
    await first.query.sort({ sortBy: 'fee_tvl_ratio', interval: '1h', isReversed: true });
    first.query.searchFor('BONK');
    first.query.filterBy({ liquidityUsd: { min: 1e6 }, poolType: 'dlmm' }, 'any');
    await first.searchPools();
    first.prompts.assertDone();
    assert.equal(first.prompts.refused.length, 1);

    const { query, searchPools, prompts } = setUp(
      [{ pick: 'Big BONK' }, { pick: 'Delete Saved Search' }, { pick: 'Big BONK' }, 'escape'],
      first.state,
    );
    const queries: unknown[] = [];
    query.onDidChange((changed) => queries.push(changed));
    await searchPools();
    assert.deepEqual(queries, [first.query.query]);
    assert.equal(query.shown.filterText, 'DLMM · TVL ≥ $1M');
    assert.match(prompts.asked[0]?.text ?? '', /Big BONK · “BONK” · DLMM · TVL ≥ \$1M · 1h fees \/ TVL ↑/);
    await searchPools();
    assert.equal(new SavedSearches(first.state).all.length, 0);
    await searchPools();
    const shown = prompts.asked.at(-1)?.shown ?? [];
    assert.deepEqual(
      [shown.includes('Big BONK'), shown.includes('Delete Saved Search…'), shown.includes('Save Search…')],
      [false, false, true],
    );
    prompts.assertDone();
  });

  it('A search names its quote token by the symbol that the listed pools have for it', async () => {
    const { searchPools, prompts, query, state } = setUp([{ pick: 'Save Search' }, { type: 'Against JUP' }]);
    query.filterBy({ quoteToken: addressOf(601) }, 'any');
    await searchPools();
    assert.match(prompts.asked[1]?.text ?? '', /Quote token JUP · TVL ↓/);
    const again = setUp([{ pick: 'Against JUP' }], state);
    await again.searchPools();
    assert.deepEqual([again.query.shown.filterText, again.query.query.quoteToken], ['Quote token JUP', addressOf(601)]);
  });

  it('No more searches are saved than the limit; one of the same name is replaced', async () => {
    const state = new MemoryState();
    await state.update(
      STATE,
      Array.from({ length: MOST_SAVED }, (_, index) => search(`Search ${index}`)),
    );
    const { searchPools, prompts, query } = setUp([{ pick: 'Save Search' }, { type: 'One more' }, { type: 'Search 3' }], state);
    query.searchFor('JUP');
    await searchPools();
    prompts.assertDone();
    assert.equal(prompts.refused.length, 1);
    const { all } = new SavedSearches(state);
    assert.deepEqual([all.length, all.find(({ name }) => name === 'Search 3')?.text], [MOST_SAVED, 'JUP']);
  });

  it('What is stored and cannot be read is left out', async () => {
    const state = new MemoryState();
    const wrong = [
      null,
      5,
      { name: 'x' },
      { ...search('y'), filter: { liquidityUsd: { min: '5' } } },
      { ...search('z'), order: { sortBy: 'x' } },
    ];
    await state.update(STATE, [...wrong, search('Good'), { ...search('q'), filter: { quoteToken: 'no address' } }]);
    assert.deepEqual(new SavedSearches(state).all, [search('Good')]);
    await state.update(STATE, 'nonsense');
    assert.deepEqual(new SavedSearches(state).all, []);
  });
});
