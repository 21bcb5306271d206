import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/errors';
import type { DiscoverQuery, PoolSort } from '../../../src/service/service';
import { poolCommands } from '../../../src/ui/pools/poolCommands';
import { PoolQuery } from '../../../src/ui/pools/poolQuery';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { fakeService, FakeClock, pageOf, pool } from '../../support/portfolio/fixtures';

const RANKING = Array.from({ length: 12 }, (_, index) => pool(index));
const DOWN = new ServiceError('The service failed (503).', { kind: 'server', endpoint: 'GET /pools/discover', status: 503 });

function setUp(answers: readonly ScriptedAnswer[] = []) {
  let sortBy: PoolSort = 'tvl';
  let isDown = false;
  let shown = 0;
  const asked: DiscoverQuery[] = [];
  const portfolio = new Portfolio({
    service: () =>
      Promise.resolve(
        fakeService({
          discoverPools: (query) => {
            asked.push(query);
            return isDown ? Promise.reject(DOWN) : Promise.resolve(pageOf(RANKING, query.page ?? 1, query.pageSize ?? 10));
          },
        }),
      ),
    log: () => undefined,
    clock: new FakeClock(),
  });
  const query = new PoolQuery({ get: () => sortBy, set: (by) => Promise.resolve(void (sortBy = by)) }, (error) =>
    assert.fail(String(error)),
  );
  portfolio.setPoolQuery(query.query);
  const prompts = new ScriptedPrompts(answers);
  const commands = poolCommands({
    prompts,
    portfolio,
    query,
    waiting: { nowMs: () => 0, log: () => undefined },
    showProgress: (work) => {
      shown += 1;
      return work();
    },
  });
  return { commands, portfolio, query, prompts, asked, goDown: () => void (isDown = true), shown: () => shown };
}

describe('Commands of the Pools view', () => {
  it('Load More loads the next page of pools and shows its progress', async () => {
    const { commands, portfolio, shown } = setUp();
    await portfolio.refresh('visible', ['pools']);
    assert.deepEqual([portfolio.snapshot.pools.length, portfolio.snapshot.poolsHaveMore], [10, true]);
    await commands['binsight.loadMorePools'](undefined);
    assert.deepEqual([portfolio.snapshot.pools.length, portfolio.snapshot.poolsHaveMore, shown()], [12, false, 1]);
  });

  it('A refresh reads all listed pools again with one request', async () => {
    const { commands, portfolio, asked } = setUp();
    await portfolio.refresh('visible', ['pools']);
    await commands['binsight.loadMorePools'](undefined);
    asked.length = 0;
    await portfolio.refresh('interval', ['pools']);
    assert.deepEqual([asked.length, portfolio.snapshot.pools.length], [1, 12]);
  });

  it('Load More reports an unreadable page and keeps the listed pools', async () => {
    const { commands, portfolio, goDown } = setUp();
    await portfolio.refresh('visible', ['pools']);
    goDown();
    await assert.rejects(commands['binsight.loadMorePools'](undefined), DOWN);
    assert.equal(portfolio.snapshot.pools.length, 10);
  });

  it('Sort Pools applies the chosen order and highlights the current one', async () => {
    const { commands, query, prompts } = setUp([{ pick: '24 h fees / TVL' }]);
    await commands['binsight.sortPools'](undefined);
    prompts.assertDone();
    assert.equal(query.sortBy, 'fee_tvl_ratio');
  });

  it('Search Pools searches for the entered text, and an empty text lists all pools again', async () => {
    const { commands, query, prompts } = setUp([{ type: 'x'.repeat(101) }, { type: '  BONK ' }, { type: '' }]);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual([query.search, prompts.refused.length], ['BONK', 1]);
    await commands['binsight.searchPools'](undefined);
    prompts.assertDone();
    assert.equal(query.search, undefined);
  });
});
