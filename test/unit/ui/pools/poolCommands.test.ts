import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/errors';
import type { DiscoverQuery, PoolSort } from '../../../../src/service/service';
import { poolCommands } from '../../../../src/ui/pools/poolCommands';
import { PoolQuery } from '../../../../src/ui/pools/poolQuery';
import { SavedSearches } from '../../../../src/ui/pools/savedSearches';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import { ScriptedPrompts, type ScriptedAnswer } from '../../../support/editor/scriptedPrompts';
import { fakeService, FakeClock, pageOf, pool } from '../../../support/portfolio/fixtures';
import { fail, MemoryState, remembered } from '../../../support/ui/memory';

const RANKING = Array.from({ length: 12 }, (_, index) => pool(index));
const DOWN = new ServiceError('The service failed (503).', { kind: 'server', endpoint: 'GET /pools/discover', status: 503 });

const NO_SUCH_POOL = new ServiceError('Not found', { kind: 'notFound', endpoint: 'GET /pools/{id}/info', status: 404 });

function setUp(answers: readonly ScriptedAnswer[] = []) {
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
  const query = new PoolQuery(remembered<PoolSort>('tvl'), fail);
  portfolio.setPoolQuery(query.query);
  const prompts = new ScriptedPrompts(answers);
  const opened: unknown[] = [];
  const commands = poolCommands({
    prompts,
    portfolio,
    query,
    saved: new SavedSearches(new MemoryState()),
    connect: () =>
      Promise.resolve(
        fakeService({
          poolInfo: (address) =>
            RANKING.some((one) => one.address === address) ? Promise.resolve(undefined as never) : Promise.reject(NO_SUCH_POOL),
        }),
      ),
    command: (id, argument) => Promise.resolve(void opened.push([id, argument])),
    waiting: { nowMs: () => 0, log: () => undefined },
    showProgress: (work) => {
      shown += 1;
      return work();
    },
  });
  return { commands, portfolio, query, prompts, asked, opened, goDown: () => void (isDown = true), shown: () => shown };
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

  it('Search Pools sorts: it applies the chosen order', async () => {
    const { commands, query, prompts } = setUp([{ pick: 'Sort…' }, { pick: '24h fees / TVL' }]);
    await commands['binsight.searchPools'](undefined);
    prompts.assertDone();
    assert.deepEqual(query.order, { sortBy: 'fee_tvl_ratio', interval: '24h', isReversed: false });
  });

  it('Search Pools takes the interval of fees / TVL, reverses the order, and a step back leads to the menu', async () => {
    const { commands, query, prompts } = setUp([
      ...[{ pick: 'Sort…' }, { pick: '1h fees / TVL' }],
      ...[{ pick: 'Sort…' }, 'back' as const, { pick: 'Sort…' }, { pick: 'Reverse Order' }],
      ...[{ pick: 'Sort…' }, { pick: 'TVL' }],
    ]);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual([query.query.sortBy, query.query.feeTvlInterval, query.query.sortOrder], ['fee_tvl_ratio', '1h', 'desc']);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual([query.query.sortBy, query.query.feeTvlInterval, query.query.sortOrder], ['fee_tvl_ratio', '1h', 'asc']);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual([query.query.sortBy, query.query.feeTvlInterval, query.query.sortOrder], ['tvl', undefined, 'desc']);
    prompts.assertDone();
  });

  it('Search Pools searches for what is typed, refuses a text that is too long, and clears the search', async () => {
    const { commands, query, prompts } = setUp([{ pick: 'Search for', search: '  BONK ' }, { pick: 'Clear Search' }]);
    await commands['binsight.searchPools'](undefined);
    assert.equal(query.shown.text, 'BONK');
    await commands['binsight.searchPools'](undefined);
    assert.equal(query.shown.text, undefined);
    prompts.assertDone();
    const tooLong = setUp([{ pick: 'Search for', search: 'x'.repeat(101) }]);
    await assert.rejects(tooLong.commands['binsight.searchPools'](undefined));
  });

  it('Search Pools opens the pool of an entered address, and searches for the address of a token', async () => {
    const [token] = [pool(99).address];
    const { commands, query, opened } = setUp([
      { pick: 'Search for', search: ` ${pool(3).address}` },
      { pick: 'Search for', search: token },
    ]);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual(opened, [['binsight.openPool', { kind: 'pool', pool: { address: pool(3).address } }]]);
    assert.equal(query.shown.text, undefined);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual([opened.length, query.shown.text], [1, token]);
  });

  it('Search Pools filters: it takes a minimum and a maximum, shows them when it is opened again, and refuses what is no bound', async () => {
    const { commands, query, prompts } = setUp([
      ...[{ pick: 'TVL' }, { type: 'much' }, { type: '$10K' }, { type: '5,000' }, { type: '5000' }, { type: '1.5M' }],
      ...[{ pick: 'Pool type' }, { pick: 'DLMM' }],
      'escape',
    ]);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual(query.query.liquidityUsd, { min: 10_000, max: 1_500_000 });
    assert.equal(query.shown.filterText, 'TVL $10K to $1.5M');
    assert.deepEqual(prompts.refused, [
      'Enter a number, for example $10K.',
      '"5,000" can mean 5 or 5000. Enter one of them.',
      'The maximum is below the minimum of $10K.',
    ]);
    await commands['binsight.searchPools'](undefined);
    assert.equal(query.shown.filterText, 'DLMM · TVL $10K to $1.5M');
    await commands['binsight.searchPools'](undefined);
    assert.match(prompts.asked.at(-1)?.text ?? '', /TVL · \$10K to \$1.5M\nPool type · DLMM\nClear Filters\n/);
    assert.equal(query.shown.filterText, 'DLMM · TVL $10K to $1.5M');
    prompts.assertDone();
  });

  it('A filter is removed with empty bounds, and all are cleared at once', async () => {
    const { commands, query, prompts } = setUp([
      ...[{ pick: '24h volume' }, { type: '1000' }, { type: '' }],
      ...[{ pick: 'Quote token' }, { pick: 'SOL' }],
      ...[{ pick: '24h volume' }, { type: '' }, { type: '' }],
      ...[{ pick: 'Quote token' }, { pick: 'Token Address' }, 'back' as const, { pick: 'Any token' }],
      ...[{ pick: 'Bin step' }, { type: '' }, { type: '100' }],
      { pick: 'Clear Filters' },
    ]);
    const texts: (string | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) {
      await commands['binsight.searchPools'](undefined);
      texts.push(query.shown.filterText);
    }
    prompts.assertDone();
    assert.deepEqual(texts, [
      '24h volume ≥ $1K',
      'Quote token SOL · 24h volume ≥ $1K',
      'Quote token SOL',
      undefined,
      'Bin step ≤ 100 bps',
      undefined,
    ]);
    assert.deepEqual(query.shown.filter, {});
  });

  it('The quote tokens of the listed pools are offered by their symbols, each once, and a step back marks what was chosen', async () => {
    const { commands, portfolio, query, prompts } = setUp([
      ...[{ pick: 'Quote token' }, 'back' as const, { pick: 'Quote token' }, { pick: 'SOL' }],
      ...[{ pick: 'Quote token' }, 'escape' as const],
    ]);
    await portfolio.refresh('visible', ['pools']);
    await commands['binsight.searchPools'](undefined);
    assert.deepEqual([query.query.quoteToken, query.shown.filterText], [RANKING[0]?.token1.address, 'Quote token SOL']);
    await commands['binsight.searchPools'](undefined);
    prompts.assertDone();
    assert.deepEqual(prompts.asked.at(-1)?.shown, ['Any token', 'SOL', 'USDC', 'Token Address…']);
  });

  it('Load More continues with the filters, and another filter starts at the first page', async () => {
    const { commands, portfolio, query, asked } = setUp([{ pick: 'TVL' }, { type: '100' }, { type: '' }]);
    query.onDidChange((changed) => portfolio.setPoolQuery(changed));
    await commands['binsight.searchPools'](undefined);
    await portfolio.refresh('configuration', ['pools']);
    await commands['binsight.loadMorePools'](undefined);
    assert.deepEqual(
      asked.map(({ page, liquidityUsd }) => [page, liquidityUsd?.min]),
      [
        [1, 100],
        [2, 100],
      ],
    );
    await commands['binsight.showAllPools'](undefined);
    assert.equal(portfolio.snapshot.pools.length, 0);
    await portfolio.refresh('configuration', ['pools']);
    assert.deepEqual([asked.at(-1)?.page, asked.at(-1)?.liquidityUsd, portfolio.snapshot.pools.length], [1, undefined, 10]);
  });
});
