import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Pool } from '../../../../src/service/pools';
import type { PoolSort } from '../../../../src/service/service';
import { boundFilters, filterSummary, readBound } from '../../../../src/ui/pools/poolFilters';
import { type PoolFilter, PoolQuery } from '../../../../src/ui/pools/poolQuery';
import { poolOrderName, poolRow } from '../../../../src/ui/pools/poolRow';
import { SavedSearches } from '../../../../src/ui/pools/savedSearches';
import { askForSearch } from '../../../../src/ui/pools/searchMenu';
import { ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { pool } from '../../../support/portfolio/fixtures';
import { ScriptedService } from '../../../support/service/scriptedService';
import { poolRecord, success } from '../../../support/service/given';
import { fail, MemoryState, remembered } from '../../../support/ui/memory';

/** What sets the parameters of discover that are no filters. */
const SET_ELSEWHERE: Readonly<Record<string, string>> = {
  chain: 'Binsight is for Solana only, which is the default',
  sortBy: 'Sort…',
  sortOrder: 'Sort…',
  feeTVLInterval: 'Sort…',
  page: 'Load More',
  pageSize: 'Load More',
  search: 'What is typed',
};

function parametersOfDiscover(): readonly string[] {
  const contract = JSON.parse(readFileSync('test/support/conformance/publishedContract.json', 'utf8')) as {
    readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly { readonly name: string }[] } }>>;
  };
  return contract.paths['/pools/discover']?.get.parameters.map(({ name }) => name) ?? [];
}

describe('Filters of pools', () => {
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(async () => {
    await service.stop();
  });

  it('Every parameter of discover can be set by a filter, unless it is set elsewhere', async () => {
    const query = new PoolQuery(remembered<PoolSort>('tvl'), fail);
    const ask = async (prompts: ScriptedPrompts): Promise<void> => {
      const choice = await askForSearch({ prompts, query, saved: new SavedSearches(new MemoryState()), pools: [] });
      assert.ok(choice?.kind === 'filter');
      query.filterBy(choice.filter, undefined);
      prompts.assertDone();
    };
    for (const { label } of boundFilters()) {
      await ask(new ScriptedPrompts([{ pick: label }, { type: '1' }, { type: '2' }]));
    }
    await ask(new ScriptedPrompts([{ pick: 'Pool type' }, { pick: 'DAMM v2' }]));
    await ask(new ScriptedPrompts([{ pick: 'Quote token' }, { pick: 'USDC' }]));
    service.willAnswer(success([]));
    await service.client().discoverPools(query.shown.filter);
    const sent = [...new URL(`http://any${service.lines.at(-1)?.split(' ')[1] ?? ''}`).searchParams.keys()];
    const all = parametersOfDiscover();
    assert.ok(all.length > 20);
    assert.deepEqual([...sent, ...Object.keys(SET_ELSEWHERE)].sort(), [...all].sort());
  });

  it('A bound is read with its unit, and what is not one says what is expected', () => {
    const read = (text: string, unit: Parameters<typeof readBound>[1]) => {
      const reading = readBound(text, unit);
      return reading.ok ? reading.value : reading.message;
    };
    assert.deepEqual(
      [read('$1.5m', 'usd'), read('10000', 'usd'), read('25 bps', 'bps'), read('0.25%', 'percent'), read('7d', 'hours'), read('', 'usd')],
      [1_500_000, 10_000, 25, 0.25, 168, undefined],
    );
    assert.match(String(read('10,000', 'usd')), /^"10,000" can mean 10 or 10000\. /);
    for (const text of ['-1', '1,5', '1e9', 'NaN', 'Infinity', '5d']) {
      assert.match(String(read(text, 'usd')), /^Enter a number/, text);
    }
    assert.equal(read('101', 'score'), 'At most 100.');
  });

  it('The summary names filters, pool type and quote token', () => {
    const filter: PoolFilter = { liquidityUsd: { min: 1e4 }, ageHours: { max: 168 }, baseFeePercent: { min: 1, max: 1 }, poolType: 'dlmm' };
    assert.equal(
      filterSummary(filter, () => 'SOL'),
      'DLMM · TVL ≥ $10K · Base fee 1% · Age ≤ 7d',
    );
    assert.equal(
      filterSummary({}, () => 'SOL'),
      undefined,
    );
  });
});

describe('The order of pools', () => {
  it('The order in the view’s description names interval and direction', () => {
    const name = (part: Partial<Parameters<typeof poolOrderName>[0]>) =>
      poolOrderName({ sortBy: 'fee_tvl_ratio', interval: '24h', isReversed: false, ...part });
    assert.deepEqual(
      [
        name({}),
        name({ interval: '5m', isReversed: true }),
        name({ sortBy: 'created_at' }),
        name({ sortBy: 'created_at', isReversed: true }),
      ],
      ['24h fees / TVL ↓', '5m fees / TVL ↑', 'Age ↑', 'Age ↓'],
    );
  });

  it('Sorted by fees / TVL of an interval, a row begins with that figure', async () => {
    const service = await ScriptedService.start();
    try {
      service.willAnswer(success([poolRecord({ fee_tvl_ratio: 0.0042, vol_1h: 400, fee: 1, tvl: 1_000 })]));
      const [listed] = (await service.client().discoverPools({ sortBy: 'fee_tvl_ratio', feeTvlInterval: '1h' })).items;
      assert.match(poolRow(listed as Pool, 'fee_tvl_ratio').description, /^0\.42%\/1h · /);
    } finally {
      await service.stop();
    }
    assert.match(poolRow(pool(1), 'fee_tvl_ratio').description, /^1%\/d · \$1M/);
  });

  it('An order that cannot be remembered still lists what was asked for, and says so', async () => {
    const query = new PoolQuery(
      remembered<PoolSort>('tvl', () => Promise.reject(new Error('read-only'))),
      fail,
    );
    const queries: unknown[] = [];
    query.onDidChange(({ search }) => queries.push(search));
    const order = { sortBy: 'mcap', interval: '24h', isReversed: false } as const;
    await assert.rejects(query.show({ text: 'BONK', filter: {}, filterText: undefined }, order), /read-only/);
    assert.deepEqual(queries, ['BONK']);
  });
});
