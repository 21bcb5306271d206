import assert from 'node:assert/strict';
import { systemClock, type Clock } from '../../../../src/base/async/clock';
import { parseAddress, type Address } from '../../../../src/base/solana/address';
import { DataApiClient } from '../../../../src/chain/dataApi/client';
import { DataApiError, type DataApiErrorKind } from '../../../../src/chain/dataApi/types';
import { DataApiServer } from '../../../support/chain/dataApiServer';
import { dataPool, dataToken, mintOf, NOVEMBER_S, poolAddressOf, SOL } from '../../../support/chain/dataPools';

describe("chain: client of Meteora's data API", () => {
  let server: DataApiServer;
  let now: number;
  let client: DataApiClient;

  before(async () => {
    server = await DataApiServer.start();
  });
  after(() => server.close());
  beforeEach(() => {
    now = 1_000;
    const clock: Clock = { now: () => now, after: (ms, run) => systemClock.after(ms, run) };
    client = new DataApiClient({ url: server.url, clock });
    server.trouble = undefined;
    server.requests.length = 0;
    server.pools = Array.from({ length: 5 }, (_, place) => dataPool(poolAddressOf(place), place));
  });
  afterEach(() => assert.deepEqual(server.violations, [], 'a request or an answer does not fit the contract'));

  it('Pools are requested with order, conditions and page as the contract names them, and read with their figures', async () => {
    const query = { page: 2, pageSize: 2, sortBy: 'volume_24h:desc', filters: ['tvl>=0', `token_y=${SOL}`] };
    const page = await client.pools(query);
    assert.deepEqual([page.total, page.pages], [5, 3]);
    assert.deepEqual(
      page.pools.map(({ address }) => address),
      [poolAddressOf(2), poolAddressOf(1)],
    );
    const [pool] = page.pools;
    assert.ok(pool !== undefined);
    assert.deepEqual(
      [
        pool.x.mint,
        pool.x.symbol,
        pool.x.priceUsd,
        pool.y.mint,
        pool.binStepBps,
        pool.createdAtMs,
        pool.volumeUsd['24h'],
        pool.feesUsd['1h'],
      ],
      [mintOf(2), 'T2', 3, SOL, 30, (NOVEMBER_S - 7_200) * 1_000, 4_800, 2],
    );
    assert.match(server.requests[0] ?? '', /^\/pools\?page=2&page_size=2&sort_by=volume_24h%3Adesc&filter_by=/);
  });

  it('A figure that the API writes as 0 or null because it does not know it is undefined', async () => {
    const token = dataToken(mintOf(1), 'T1', { price: 0, market_cap: 0, holders: 0, total_supply: 0 });
    server.pools = [dataPool(poolAddressOf(1), 1, { token_x: token, tvl: 0 })];
    const pool = await client.pool(known(poolAddressOf(1)));
    assert.deepEqual(
      [pool?.x.priceUsd, pool?.x.marketCapUsd, pool?.x.holders, pool?.x.supply, pool?.tvlUsd],
      [undefined, undefined, undefined, undefined, 0],
    );
  });

  it('A time in milliseconds is the same time as one in seconds', async () => {
    server.pools = [
      dataPool(poolAddressOf(1), 1, { created_at: NOVEMBER_S * 1_000 }),
      dataPool(poolAddressOf(2), 2, { created_at: NOVEMBER_S }),
    ];
    const { pools } = await client.pools({ page: 1, pageSize: 10 });
    assert.deepEqual(new Set(pools.map(({ createdAtMs }) => createdAtMs)), new Set([NOVEMBER_S * 1_000]));
  });

  it('Texts of tokens are shortened, on one line and without links', async () => {
    const token = dataToken(mintOf(1), 'A\u202eB\nhttps://example.org', { name: 'x'.repeat(5_000) });
    server.pools = [dataPool(poolAddressOf(1), 1, { token_x: token })];
    const pool = await client.pool(known(poolAddressOf(1)));
    assert.equal(pool?.x.symbol, 'A B https[:]//examp…'.slice(0, 19) + '…');
    assert.equal(pool.x.name?.length, 60);
  });

  it('A pool that cannot be read is left out, and the others are there', async () => {
    server.trouble = (response) =>
      response.end(JSON.stringify({ total: 2, pages: 1, current_page: 1, page_size: 2, data: [{ address: 'no' }, server.pools[1]] }));
    const { pools, total } = await client.pools({ page: 1, pageSize: 2 });
    assert.deepEqual([pools.map(({ address }) => address), total], [[poolAddressOf(1)], 2]);
  });

  it('A pool that the API does not know is not an error', async () => {
    assert.equal(await client.pool(known(mintOf(9))), undefined);
  });

  it('An answer about another pool is an error', async () => {
    server.trouble = (response) => response.end(JSON.stringify(server.pools[1]));
    await assert.rejects(client.pool(known(poolAddressOf(2))), (error) => error instanceof DataApiError && error.kind === 'unreadable');
    assert.equal((await client.pool(known(poolAddressOf(1))))?.address, poolAddressOf(1));
  });

  it('Candles and volumes are requested with their span and come oldest first', async () => {
    const candle = (timestamp: number) => ({ timestamp, timestamp_str: '', open: 1, high: 2, low: 1, close: 2, volume: 3 });
    server.candles = [candle(200), candle(100), { ...candle(300), close: 0 }, { ...candle(400), close: 5 }];
    server.volumes = [{ timestamp: 100, timestamp_str: '', volume: 7, fees: 1, protocol_fees: 0 }];
    const span = { timeframe: '1h', startS: 100, endS: 300 } as const;
    const pool = known(poolAddressOf(1));
    assert.deepEqual(
      (await client.candles(pool, span)).map(({ timeS }) => timeS),
      [100, 200],
      'without the one that has no price',
    );
    assert.deepEqual(await client.volumes(pool, span), [{ timeS: 100, volumeUsd: 7, feesUsd: 1 }]);
    assert.deepEqual(server.requests, [
      `/pools/${pool}/ohlcv?timeframe=1h&start_time=100&end_time=300`,
      `/pools/${pool}/volume/history?timeframe=1h&start_time=100&end_time=300`,
    ]);
  });

  it('After 429 no request is sent for as long as the API demands, at most a minute', async () => {
    server.trouble = (response) => response.writeHead(429, { 'retry-after': '7' }).end();
    await fails('rateLimited');
    server.trouble = undefined;
    now += 6_999;
    await fails('rateLimited');
    assert.equal(server.requests.length, 1);
    now += 1;
    assert.equal((await client.pools({ page: 1, pageSize: 1 })).total, 5);
    server.trouble = (response) => response.writeHead(429, { 'retry-after': '999999' }).end();
    await fails('rateLimited');
    server.trouble = undefined;
    now += 60_000;
    assert.equal((await client.pools({ page: 1, pageSize: 1 })).total, 5);
  });

  it('After a broken connection no request is sent for a while, and none waits for an answer', async () => {
    server.trouble = (response) => response.destroy();
    await fails('unreachable');
    await fails('unreachable');
    assert.equal(server.requests.length, 1);
    now += 10_000;
    server.trouble = undefined;
    assert.equal((await client.pools({ page: 1, pageSize: 1 })).total, 5);
  });

  it('The pause after a broken connection is twice as long after each further one, up to a minute, and short again after an answer', async () => {
    server.trouble = (response) => response.destroy();
    for (const pauseMs of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      server.requests.length = 0;
      await Promise.all([fails('unreachable'), fails('unreachable')]);
      now += pauseMs - 1;
      await fails('unreachable');
      assert.equal(server.requests.length, 2, `${pauseMs}`);
      now += 1;
    }
    server.trouble = undefined;
    await client.pools({ page: 1, pageSize: 1 });
    server.trouble = (response) => response.destroy();
    await fails('unreachable');
    server.trouble = undefined;
    now += 10_000;
    assert.equal((await client.pools({ page: 1, pageSize: 1 })).total, 5);
  });

  it('At the end of the service, running requests end at once, and no new one is sent', async () => {
    const ending = new AbortController();
    const stopped = new DataApiClient({ url: server.url, clock: systemClock, signal: ending.signal });
    const asked = new Promise<void>((resolve) => {
      server.trouble = () => resolve();
    });
    const waiting = assert.rejects(stopped.pool(known(poolAddressOf(1))), (error) => error instanceof DataApiError);
    await asked;
    ending.abort();
    await waiting;
    await assert.rejects(stopped.pool(known(poolAddressOf(1))), /the service ends/);
    assert.equal(server.requests.length, 1);
  });

  it('Errors, redirects, and answers that are not JSON, incomplete or outside the contract have a kind of error each', async () => {
    const body = JSON.stringify({ total: 1, pages: 1, data: [server.pools[0]] });
    const answers: readonly (readonly [DataApiErrorKind, NonNullable<typeof server.trouble>])[] = [
      ['failed', (response) => response.writeHead(503).end('<html>')],
      ['failed', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
      ['refused', (response) => response.writeHead(403).end()],
      ['unreadable', (response) => response.end('<html>')],
      ['unreadable', (response) => response.end(body.slice(0, -10))],
      ['unreadable', (response) => response.end('{"data": []}')],
    ];
    for (const [kind, trouble] of answers) {
      server.trouble = trouble;
      await fails(kind);
    }
  });

  it('An answer that never ends is not read to its end', async () => {
    server.trouble = (response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_000_000)));
      };
      response.on('drain', write);
      write();
    };
    await fails('unreadable');
  });

  async function fails(kind: DataApiErrorKind): Promise<void> {
    await assert.rejects(client.pools({ page: 1, pageSize: 1 }), (error) => error instanceof DataApiError && error.kind === kind);
  }
});

function known(text: string): Address {
  const address = parseAddress(text);
  assert.ok(address !== undefined);
  return address;
}
