import assert from 'node:assert/strict';
import { type ContractClient, list, EMPTY_WALLET, pagesOf, type Query, record } from './contractClient';
import { PROTOCOLS } from './engine';

const PAGE = 3;

/** Tests of the endpoints under /pools that only read. */
export function testPoolEndpoints(service: ContractClient): void {
  it('The discover endpoint follows the contract on every page, in every order and for every type', async () => {
    const all = await service.discovered({ pageSize: 100 });
    assert.ok(all.length >= service.engine.leastPools, `${all.length} pools`);
    const pageSize = Math.ceil(all.length / 2);
    for (const sortBy of ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility']) {
      for (const sortOrder of ['asc', 'desc', 'default']) {
        const pages = await pagesOf(all.length, pageSize, (page) => service.discovered({ sortBy, sortOrder, page, pageSize }));
        assert.deepEqual(addresses(pages.flat()), addresses(all), `${sortBy} ${sortOrder}`);
      }
    }
    for (const type of PROTOCOLS) {
      assert.deepEqual(new Set((await service.discovered({ type, pageSize: 100 })).map(({ protocol }) => protocol)), new Set([type]));
    }
    const { symbol } = service.engine;
    const found = await service.discovered({ search: symbol, pageSize: 100 });
    assert.ok(found.length > 0 && found.length < all.length, `${found.length} pools`);
    assert.ok(found.every(({ pairName }) => String(pairName).toLowerCase().includes(symbol)));
    assert.deepEqual(await service.discovered({ search: 'no such token' }), []);
  });

  it('The info endpoint follows the contract for every pool', async () => {
    const listed = await Promise.all(PROTOCOLS.map((type) => service.discovered({ type, pageSize: 100 })));
    for (const { pool, protocol } of listed.flat()) {
      const info = record((await service.got(`/pools/${String(pool)}/info`))['data']);
      assert.equal(info['type'], protocol);
      assert.equal('liquidityViz' in info, protocol === 'meteora');
    }
    await service.failed(404, 'GET', `/pools/${EMPTY_WALLET}/info`);
    await service.failed(404, 'GET', '/pools/nonsense/info');
  });

  it('The candles endpoint answers candles of the span in order for both types of pool, and names wrong parameters', async () => {
    const toS = Math.floor(Date.now() / 1_000);
    for (const protocol of PROTOCOLS) {
      const path = `/pools/${service.engine.pools[protocol]}/candles`;
      for (const [timeframe, lengthS] of [
        ['5m', 300],
        ['30m', 1_800],
        ['1h', 3_600],
        ['4h', 14_400],
        ['24h', 86_400],
      ] as const) {
        const from = toS - 50 * lengthS;
        const times = list(record((await service.got(path, { timeframe, from, to: toS }))['data'])['candles']).map(({ time }) =>
          Number(time),
        );
        assert.deepEqual(
          times,
          [...new Set(times)].sort((one, other) => one - other),
        );
        assert.ok(times.every((time) => time >= from && time <= toS && time % lengthS === 0));
      }
      for (const wrong of ['from=1&to=2&timeframe=2h', 'from=2&to=1', 'from=x&to=2', 'to=2', `from=0&to=${toS}&timeframe=5m`]) {
        await service.failed(400, 'GET', `${path}?${wrong}`);
      }
    }
    await service.failed(404, 'GET', `/pools/${EMPTY_WALLET}/candles?from=1&to=2`);
  });

  it('The counters endpoint answers the bins that were asked for, keeps each reading, and names wrong parameters', async () => {
    const [bins, product] = PROTOCOLS.map((protocol) => service.engine.pools[protocol]);
    const path = `/pools/${bins ?? ''}/counters`;
    const read = async (query: Query): Promise<readonly Query[]> =>
      list(record((await service.got(path, query))['data'])['snapshots']) as readonly Query[];
    const [first] = (await read({})).slice(-1);
    const active = Number(first?.['activeBinId']);
    assert.equal(list(first?.['bins']).length, 281);
    const snapshots = await read({ fromBinId: active - 2, toBinId: active + 3 });
    assert.deepEqual(
      list(snapshots.at(-1)?.['bins']).map(({ binId }) => Number(binId) - active),
      [-2, -1, 0, 1, 2, 3],
    );
    const times = snapshots.map(({ timeS }) => Number(timeS));
    assert.deepEqual(
      times,
      [...new Set(times)].sort((one, other) => one - other),
    );
    for (const wrong of [
      'fromBinId=2&toBinId=1',
      'fromBinId=1',
      'fromBinId=0&toBinId=1400',
      'fromBinId=x&toBinId=2',
      'from=2&to=1',
      'position=x',
    ]) {
      await service.failed(400, 'GET', `${path}?${wrong}`);
    }
    await service.failed(400, 'GET', `/pools/${product ?? ''}/counters`);
    await service.failed(404, 'GET', `${path}?position=${EMPTY_WALLET}`);
    await service.failed(404, 'GET', `/pools/${EMPTY_WALLET}/counters`);
  });

  it('The positions endpoint of a pool follows the contract by page, status, owner and profit, in both types of pool', async () => {
    for (const protocol of PROTOCOLS) {
      const pool = service.engine.pools[protocol];
      const total = Number(record((await service.positionsIn(pool, { pageSize: PAGE }))['pagination'])['total']);
      const pages = await pagesOf(total, PAGE, (page) => service.positionsIn(pool, { page, pageSize: PAGE }));
      const all = pages.flatMap(({ positions }) => list(positions));
      assert.equal(new Set(all.map(({ tokenId }) => tokenId)).size, total);
      assert.ok(all.length > PAGE, `${all.length} positions`);
      const filters: readonly Query[] = [
        { status: 'Open' },
        { status: 'Close' },
        { owner: String(all[0]?.['owner']) },
        { pnl_threshold: 1 },
        { pnl_native_threshold: 0.01, order_by: 'pnl', sort_order: 'asc' },
      ];
      for (const query of filters) {
        const answer = await service.positionsIn(pool, query);
        assert.ok(Number(record(answer['pagination'])['total']) < total, JSON.stringify(query));
        const { owner, status } = query;
        const fitting = list(answer['positions']).filter(
          (of) => [of['owner'], undefined].includes(owner) && [of['status'], undefined].includes(status),
        );
        assert.equal(fitting.length, list(answer['positions']).length, JSON.stringify(query));
      }
      const { activeBin, positionState } = await service.positionsIn(pool, { status: 'Open' });
      assert.equal(activeBin !== undefined, protocol === 'meteora');
      assert.equal(list(positionState).length > 0, protocol === 'meteora');
    }
    await service.failed(404, 'GET', `/pools/${EMPTY_WALLET}/positions`);
  });

  it('The onchain-stats endpoint follows the contract for both types and rejects an address that is not a pool', async () => {
    for (const protocol of PROTOCOLS) {
      const [stats] = list(record((await service.got(`/pools/${service.engine.pools[protocol]}/onchain-stats`))['data'])['poolStats']);
      assert.ok(Number(stats?.['total_open_positions']) >= Number(stats?.['unique_owners']) && Number(stats?.['unique_owners']) > 0);
    }
    await service.failed(404, 'GET', `/pools/${EMPTY_WALLET}/onchain-stats`);
  });

  it('The top-lpers endpoint follows the contract by page and in every order', async () => {
    const pool = service.engine.pools.meteora;
    const all = await service.lpers(pool, { limit: 100 });
    const pages = await pagesOf(all.length, PAGE, (page) => service.lpers(pool, { limit: PAGE, page }));
    assert.ok(pages.length > 1, `${all.length} providers`);
    assert.deepEqual(
      pages.flat().map(({ owner: of }) => of),
      all.map(({ owner: of }) => of),
    );
    for (const order_by of ['total_pnl', 'win_rate', 'roi', 'total_lp', 'avg_age_hour', 'first_activity', 'last_activity']) {
      for (const sort_order of ['asc', 'desc']) {
        const figures = (await service.lpers(pool, { order_by, sort_order, limit: 100 })).map((lper) => figureOf(lper[order_by]));
        const known = figures.filter((figure) => figure !== undefined);
        const ordered = known.sort((a, b) => (sort_order === 'asc' ? a - b : b - a));
        assert.deepEqual(figures, [...ordered, ...figures.slice(known.length).map(() => undefined)], `${order_by} ${sort_order}`);
        assert.ok(known.length > 0);
      }
    }
    await service.lpers(service.engine.pools.meteora_damm_v2);
    await service.failed(404, 'GET', `/pools/${EMPTY_WALLET}/top-lpers`);
    await service.failed(400, 'GET', `/pools/${pool}/top-lpers`, { order_by: 'owner' }, /order_by/);
  });
}

function addresses(pools: Awaited<ReturnType<ContractClient['discovered']>>): readonly unknown[] {
  return pools.map(({ pool }) => pool).sort();
}

/** A number, or a date as one; `undefined`: not known, which comes last in every order. */
function figureOf(value: unknown): number | undefined {
  return value === null ? undefined : typeof value === 'string' ? Date.parse(value) : Number(value);
}
