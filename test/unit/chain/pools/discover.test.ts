import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { systemClock } from '../../../../src/base/async/clock';
import { address, type Address } from '../../../../src/base/solana/address';
import { dlmmReserve } from '../../../../src/base/solana/pda';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { DataApiClient } from '../../../../src/chain/dataApi/client';
import { DiscoveryClient } from '../../../../src/chain/dataApi/discoveryClient';
import type { IndexedPosition, PoolProgram } from '../../../../src/chain/index/types';
import { PoolDiscovery } from '../../../../src/chain/records/discover';
import { DiscoveredMarkets } from '../../../../src/chain/records/discoveredMarkets';
import type { PoolOfTokens } from '../../../../src/chain/records/poolStates';
import { ChainRpcError } from '../../../../src/chain/rpc/errors';
import type { ChainRpc } from '../../../../src/chain/rpc/types';
import type { DiscoverBound, DiscoverParameters } from '../../../../src/engine/engine';
import type { WireDiscovered } from '../../../../src/engine/wire/pools';
import type { WirePool } from '../../../../src/engine/wire/poolRecord';
import { DataApiServer, type WireDataPool } from '../../../support/chain/dataApiServer';
import { DiscoveryServer } from '../../../support/chain/discoveryServer';
import { dammDataPool, dataPool, dataToken, mintOf, NOVEMBER_S, poolAddressOf, SOL } from '../../../support/chain/dataPools';

const PROTOCOLS = { bins: 'meteora', product: 'meteora_damm_v2' };
const DEFAULTS: DiscoverParameters = {
  ...{ chain: 'SOL', sortBy: 'mcap', sortOrder: 'desc', page: 1, pageSize: 100, feeTvlInterval: '24h' },
  ...{ quoteToken: undefined, search: undefined, protocol: undefined, bounds: [] },
};
const NOW = NOVEMBER_S * 1_000;
const COUNT = 25;

describe('chain: discover with the data API', () => {
  let server: DataApiServer;
  let world: World;

  before(async () => {
    server = await DataApiServer.start();
  });
  after(() => server.close());
  beforeEach(() => {
    server.trouble = undefined;
    server.requests.length = 0;
    server.pools = Array.from({ length: COUNT }, (_, place) => dataPool(poolAddressOf(place), place));
    world = new World(server.url);
  });
  afterEach(() => assert.deepEqual(server.violations, [], 'a request does not fit the contract'));

  const discover = (over: Partial<DiscoverParameters> = {}): Promise<WireDiscovered> => world.discovery.discover({ ...DEFAULTS, ...over });
  const figures: Readonly<Record<DiscoverParameters['sortBy'], (pool: WireDataPool) => number>> = {
    mcap: ({ token_x: x }) => Number(x['market_cap']),
    created_at: ({ created_at: at }) => at,
    vol_24h: ({ volume }) => volume['24h'] ?? 0,
    tvl: ({ tvl }) => tvl,
    fee_tvl_ratio: ({ fee_tvl_ratio: ratio }) => ratio['24h'] ?? 0,
    volatility: ({ pool_config: { base_fee_pct: base }, ...pool }) => Number(pool['dynamic_fee_pct']) - base,
  };

  for (const sortBy of Object.keys(figures) as DiscoverParameters['sortBy'][]) {
    it(`Pools are ordered by ${sortBy} in both directions, page by page`, async () => {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const pages = await Promise.all([1, 2, 3].map((page) => discover({ sortBy, sortOrder, page, pageSize: 10 })));
        const records = pages.flatMap(({ data }) => data);
        const values = records.map(({ pool }) => figures[sortBy](known(server.pools.find((one) => one.address === pool))));
        const sorted = [...values].sort((a, b) => (sortOrder === 'asc' ? a - b : b - a));
        assert.equal(new Set(records.map(({ pool }) => pool)).size, COUNT);
        values.forEach((value, place) =>
          assert.ok(Math.abs(value - known(sorted[place])) < 1e-9, `${sortBy} ${sortOrder}: ${values.join(' ')}`),
        );
        assert.deepEqual(pages[1]?.pagination, {
          ...{ currentPage: 2, pageSize: 10, totalCount: COUNT, totalPages: 3, hasNextPage: true, hasPreviousPage: true },
        });
      }
    });
  }

  const bounded: Readonly<Record<DiscoverBound, (pool: WireDataPool) => number>> = {
    market_cap: figures.mcap,
    bin_step: ({ pool_config: { bin_step: step } }) => step ?? NaN,
    organic_score: () => NaN,
    base_fee: ({ pool_config: { base_fee_pct: fee } }) => fee,
    age_hr: ({ created_at: at }) => (NOVEMBER_S - at) / 3_600,
    liquidity: figures.tvl,
    '24h_fees': ({ fees }) => fees['24h'] ?? 0,
    '24h_vol': figures.vol_24h,
    '1h_vol': ({ volume }) => volume['1h'] ?? 0,
  };
  for (const of of Object.keys(bounded) as DiscoverBound[]) {
    it(`A bound of ${of} leaves what is within it${of === 'organic_score' ? ': nothing, for it is not known' : ''}`, async () => {
      const values = server.pools.map(bounded[of]).sort((a, b) => a - b);
      const [min, max] = of === 'organic_score' ? [1, 100] : [known(values[5]), known(values[15])];
      const { data, pagination } = await discover({ sortBy: 'vol_24h', bounds: [{ of, min, max }] });
      const expected = server.pools.filter((pool) => bounded[of](pool) >= min && bounded[of](pool) <= max).map((pool) => pool.address);
      assert.deepEqual(data.map(({ pool }) => pool).sort(), [...expected].sort());
      assert.equal(pagination.totalCount, expected.length);
      assert.equal(expected.length === 0, of === 'organic_score');
    });
  }

  it('An order and filters that the API has are requested page by page; other lists are made once for all their pages', async () => {
    await discover({
      sortBy: 'tvl',
      page: 2,
      pageSize: 5,
      quoteToken: address(SOL),
      bounds: [{ of: 'liquidity', min: 1_000, max: undefined }],
    });
    assert.deepEqual(server.requests.map(decodeURIComponent), [
      `/pools?page=2&page_size=5&sort_by=tvl:desc&filter_by=is_blacklisted=false+&&+token_y=${SOL}+&&+tvl>=1000`,
    ]);
    server.requests.length = 0;
    await Promise.all([discover({ page: 1, pageSize: 5 }), discover({ page: 2, pageSize: 5 })]);
    await discover({ page: 3, pageSize: 5, bounds: [{ of: 'bin_step', min: 50, max: undefined }] });
    assert.equal(server.requests.length, 1);
    world.now += 30_000;
    await discover();
    assert.equal(server.requests.length, 2);
  });

  it('An answer with more pools than a page has is cut', async () => {
    server.trouble = (response) => response.end(JSON.stringify({ total: COUNT, pages: 3, data: server.pools }));
    assert.equal((await discover({ sortBy: 'tvl', pageSize: 10 })).data.length, 10);
  });

  it('A record has the figures of the API, and null for the others', async () => {
    const { data } = await discover({ sortBy: 'vol_24h', feeTvlInterval: '1h' });
    const record = known(data.find(({ pool }) => pool === poolAddressOf(4)));
    const known24h = {
      tvl: 1_000,
      vol_1h: 400,
      vol_24h: 9_600,
      fee: 1,
      base_price: 5,
      usd_price: 5,
      quote_price: 150,
      mcap: 8_000_001,
      fdv: 5_000_000,
    };
    const unknown = Object.entries(record).flatMap(([name, value]) => (value === null ? [name] : []));
    for (const [name, value] of Object.entries(known24h)) {
      assert.equal(record[name as keyof WirePool], value, name);
    }
    assert.deepEqual(
      [record.bin_step, record.pairName, record.protocol, record.token0_decimals, record.fee_tvl_ratio, record.created_at],
      [50, 'T4/SOL', 'meteora', 9, 4 / 24 / 100, new Date(NOW - 4 * 3_600_000).toISOString()],
    );
    assert.deepEqual(unknown.sort(), [
      ...[
        'first_pool_created_at',
        'has_critical_warning',
        'mint_freeze',
        'organic_score',
        'price_1h_change',
        'price_24h_change',
        'price_5m_change',
      ],
      ...['price_6h_change', 'top_holder', 'vol_5m', 'vol_6h'],
    ]);
    const [five] = (await discover({ sortBy: 'vol_24h', feeTvlInterval: '5m' })).data;
    assert.equal(five?.fee_tvl_ratio, null, 'the API has no figure of five minutes');
  });

  it('Pools that the API has on its black list are left out, unless the search is for exactly that token', async () => {
    server.pools = [dataPool(poolAddressOf(1), 1, { is_blacklisted: true }), dataPool(poolAddressOf(2), 2)];
    assert.deepEqual(addressesOf(await discover()), [poolAddressOf(2)]);
    assert.deepEqual(addressesOf(await discover({ search: mintOf(1) })), [poolAddressOf(1)]);
  });

  it('A search finds names, and an address also finds pools of the other type on the chain', async () => {
    server.pools = [dataPool(poolAddressOf(1), 1, { token_x: dataToken(mintOf(1), 'BONQ') }), dataPool(poolAddressOf(2), 2)];
    assert.deepEqual(addressesOf(await discover({ search: ' bonq ' })), [poolAddressOf(1)]);
    assert.deepEqual(
      addressesOf(await discover({ search: 'T2/SOL' })),
      [poolAddressOf(2)],
      'pairs are called T2/SOL here and T2-SOL there',
    );
    world.add('damm', poolAddressOf(9), mintOf(1));
    const { data } = await discover({ search: mintOf(1) });
    assert.deepEqual(
      data.map(({ pool, protocol }) => [pool, protocol]).sort(),
      [
        [poolAddressOf(9), 'meteora_damm_v2'],
        [poolAddressOf(1), 'meteora'],
      ].sort(),
    );
  });

  it('While the API does not answer, known pools come from the chain, and the log says so', async () => {
    world.add('dlmm', poolAddressOf(9), mintOf(1));
    world.add('damm', poolAddressOf(10), mintOf(2));
    server.trouble = (response) => response.writeHead(503).end();
    assert.deepEqual(addressesOf(await discover()).sort(), [poolAddressOf(9), poolAddressOf(10)].sort());
    assert.match(world.lines.join(), /data API .* answered 503: DLMM pools are listed from the chain alone/);
    server.trouble = undefined;
    assert.equal((await discover()).pagination.totalCount, COUNT, 'a type without an API is listed where it is asked for');
  });

  it('Another chain or protocol has no pools', async () => {
    assert.deepEqual((await discover({ chain: 'ETH' })).data, []);
    assert.deepEqual((await discover({ protocol: 'orca' })).data, []);
    assert.deepEqual(server.requests, []);
  });
});

describe('chain: discover with the data APIs of both programs', () => {
  let [dlmm, damm]: DataApiServer[] = [];
  let world: World;
  const servers = (): readonly DataApiServer[] => [known(dlmm), known(damm)];

  before(async () => {
    dlmm = await DataApiServer.start();
    damm = await DataApiServer.start('damm');
  });
  after(() => Promise.all(servers().map((server) => server.close())));
  beforeEach(() => {
    servers().forEach((server, which) => {
      server.trouble = undefined;
      server.requests.length = 0;
      // Pools with even numbers are of the one program, those with odd numbers of the other: their orders alternate.
      const make = which === 0 ? dataPool : dammDataPool;
      server.pools = Array.from({ length: COUNT }, (_, place) => make(poolAddressOf(2 * place + which), 2 * place + which));
    });
    world = new World(dlmm?.url, damm?.url);
  });
  afterEach(() =>
    assert.deepEqual(
      servers().map(({ violations }) => violations),
      [[], []],
      'a request does not fit the contract',
    ),
  );

  const discover = (over: Partial<DiscoverParameters> = {}): Promise<WireDiscovered> => world.discovery.discover({ ...DEFAULTS, ...over });
  const places = Array.from({ length: 2 * COUNT }, (_, place) => place);

  for (const sortBy of ['vol_24h', 'fee_tvl_ratio', 'created_at', 'mcap', 'volatility'] as const) {
    it(`Pools of both types are one list ordered by ${sortBy}: no pool is twice in it or missing, page by page`, async () => {
      for (const feeTvlInterval of ['5m', '24h'] as const) {
        const pages = [1, 2, 3, 4, 5].map((page) => discover({ sortBy, feeTvlInterval, page, pageSize: 10 }));
        const records = (await Promise.all(pages)).flatMap(({ data, pagination }) => {
          assert.equal(pagination.totalCount, 2 * COUNT);
          return data;
        });
        assert.deepEqual(records.map(({ pool }) => pool).sort(), places.map(poolAddressOf).sort());
        if (sortBy !== 'mcap' && sortBy !== 'volatility') {
          const expected = sortBy === 'created_at' ? places : places.toReversed();
          assert.deepEqual(
            records.map(({ pool }) => pool),
            expected.map(poolAddressOf),
          );
        }
      }
    });
  }

  it('A DAMM v2 pool has volumes, fees, TVL and age, and neither a bin step nor a volatility', async () => {
    const { data } = await discover({ sortBy: 'vol_24h', protocol: 'meteora_damm_v2' });
    const record = known(data.find(({ pool }) => pool === poolAddressOf(3)));
    assert.deepEqual(
      [record.protocol, record.bin_step, record.vol_24h, record.tvl, record.fee, record.created_at, record.pairName],
      ['meteora_damm_v2', 0, 7_200, 9_000, 0.8, new Date(NOW - 3 * 3_600_000).toISOString(), 'T3/SOL'],
    );
    assert.deepEqual(known(dlmm).requests, [], 'the other API is not asked');
  });

  it('Filters hold for both types', async () => {
    const bounds = [{ of: '24h_vol', min: 2_400 * 10, max: 2_400 * 13 }] as const;
    for (const sortBy of ['vol_24h', 'mcap'] as const) {
      const { data, pagination } = await discover({ sortBy, bounds });
      assert.deepEqual(data.map(({ pool }) => pool).sort(), [10, 11, 12, 13].map(poolAddressOf).sort());
      assert.equal(pagination.totalCount, 4);
    }
  });

  it('While one API does not answer, the pools of the other are listed with those that the chain knows of the missing type', async () => {
    world.add('dlmm', poolAddressOf(100), mintOf(1));
    world.add('damm', poolAddressOf(101), mintOf(1));
    for (const [down, type, chainPool] of [
      [0, 'DLMM', 100],
      [1, 'DAMM v2', 101],
    ] as const) {
      const [server, other] = [known(servers()[down]), known(servers()[1 - down])];
      server.trouble = (response) => response.writeHead(503).end();
      for (const sortBy of ['tvl', 'mcap'] as const) {
        const found = addressesOf(await discover({ sortBy }));
        assert.deepEqual([...found].sort(), [...other.pools.map((pool) => pool.address), poolAddressOf(chainPool)].sort(), sortBy);
      }
      assert.match(known(world.lines.at(-1)), new RegExp(`${type} pools are listed from the chain alone`));
      server.trouble = undefined;
      world.now += 30_000;
    }
    assert.equal(world.lines.length, 2, 'each failure is logged once');
  });
});

describe('chain: discover without the data API', () => {
  let world: World;

  beforeEach(() => {
    world = new World(undefined);
    world.add('dlmm', poolAddressOf(1), mintOf(1));
    world.add('dlmm', poolAddressOf(2), mintOf(2));
    world.add('damm', poolAddressOf(3), mintOf(1));
  });

  const discover = (over: Partial<DiscoverParameters> = {}): Promise<WireDiscovered> =>
    world.discovery.discover({ ...DEFAULTS, sortBy: 'tvl', ...over });

  it('The pools of known positions are listed with their reserves at present prices; without a price their value is not known, and last', async () => {
    const { data } = await discover();
    assert.deepEqual(
      data.map(({ pool, tvl, fee, vol_24h: volume }) => [pool, tvl, fee, volume]),
      [
        [poolAddressOf(3), 20, 0.2, null],
        [poolAddressOf(1), 20, 0.2, null],
        [poolAddressOf(2), null, 0.2, null],
      ],
    );
    assert.deepEqual(addressesOf(await discover({ protocol: 'meteora_damm_v2' })), [poolAddressOf(3)]);
    assert.deepEqual(addressesOf(await discover({ search: 'S2/' })), [poolAddressOf(2)]);
    assert.deepEqual(addressesOf(await discover({ bounds: [{ of: 'liquidity', min: 1, max: undefined }] })).length, 2);
    assert.deepEqual(addressesOf(await discover({ page: 2, pageSize: 2 })), [poolAddressOf(2)]);
  });

  it("A token's mint finds its pools on the chain, on either side, with four searches for their addresses alone", async () => {
    world.found = { [mintOf(7)]: [poolAddressOf(7)] };
    world.add('dlmm', poolAddressOf(7), mintOf(7), false);
    assert.deepEqual(addressesOf(await discover({ search: mintOf(7) })), [poolAddressOf(7)]);
    assert.equal(world.searches.length, 4);
    assert.ok(world.searches.every((search) => JSON.stringify(search).includes('"length":0')));
    await discover({ search: mintOf(7), page: 2 });
    assert.equal(world.searches.length, 4, 'the answer is good for a minute');
  });

  it('If a token is in many pools, those that hold most of it are listed', async () => {
    const places = Array.from({ length: 300 }, (_, place) => place + 20);
    world.found = { [mintOf(7)]: places.map(poolAddressOf) };
    places.forEach((place) => world.add('dlmm', poolAddressOf(place), mintOf(7), false));
    const largest = places.slice(-3).map((place) => address(poolAddressOf(place)));
    largest.forEach((pool) => world.vaults.set(dlmmReserve(pool, address(mintOf(7))), 1_000n));
    const found = addressesOf(await discover({ search: mintOf(7), protocol: 'meteora' }));
    assert.equal(found.length, 99, 'a hundred with the address itself, which could be a pool');
    assert.ok(largest.every((pool) => found.includes(pool)));
  });

  it('A known pool of a token is listed also where the token is in many other pools', async () => {
    const places = Array.from({ length: 300 }, (_, place) => place + 20);
    world.found = { [mintOf(1)]: places.map(poolAddressOf) };
    places.forEach((place) => world.add('dlmm', poolAddressOf(place), mintOf(1), false));
    const { data, pagination } = await discover({ search: mintOf(1), pageSize: 100, page: 2 });
    assert.equal(pagination.totalCount, 50 + 2, 'fifty of each program, and the known ones');
    assert.deepEqual(data, []);
    const found = addressesOf(await discover({ search: mintOf(1) }));
    assert.ok(found.includes(poolAddressOf(1)) && found.includes(poolAddressOf(3)));
    assert.equal(world.reads, 1, 'a list is read once for all its pages');
    world.now += 10_000;
    await discover({ search: mintOf(1) });
    assert.equal(world.reads, 2);
  });

  it('A pool that has just become known is listed at once, although a list was made a moment before', async () => {
    const before = addressesOf(await discover({}));
    world.add('dlmm', poolAddressOf(9), mintOf(9), true);
    assert.deepEqual(addressesOf(await discover({})).sort(), [...before, poolAddressOf(9)].sort());
  });

  it('A pool is found by its own address', async () => {
    world.add('damm', poolAddressOf(8), mintOf(8), false);
    assert.deepEqual(addressesOf(await discover({ search: poolAddressOf(8) })), [poolAddressOf(8)]);
  });

  it('The chain is not searched for the pools of SOL, which are a large part of all pools', async () => {
    assert.equal((await discover({ search: SOL })).pagination.totalCount, 3);
    assert.deepEqual(world.searches, []);
  });

  it('Where the RPC refuses to search, the known pools of a token are listed, and the log says so once', async () => {
    world.refuses = true;
    assert.deepEqual(addressesOf(await discover({ search: mintOf(1) })).sort(), [poolAddressOf(1), poolAddressOf(3)].sort());
    await discover({ search: mintOf(2) });
    assert.equal(world.lines.length, 1);
    world.now += 59_999;
    await discover({ search: mintOf(1) });
    assert.equal(world.searches.length, 8, 'each token is searched for once a minute');
  });
});

describe('chain: discover with pool discovery', () => {
  let server: DataApiServer;
  let discovery: DiscoveryServer;
  let world: World;

  before(async () => {
    [server, discovery] = await Promise.all([DataApiServer.start(), DiscoveryServer.start()]);
  });
  after(() => Promise.all([server.close(), discovery.close()]));
  beforeEach(() => {
    server.pools = Array.from({ length: 3 }, (_, place) => dataPool(poolAddressOf(place), place));
    discovery.requests.length = 0;
    discovery.trouble = undefined;
    discovery.pools = [1, 2].map((place) => ({
      ...{ pool_address: poolAddressOf(place), name: `T${place}-SOL`, pool_type: 'dlmm', tvl: 2_000, dlmm_params: { bin_step: 10 } },
      token_x: {
        ...{ address: mintOf(place), organic_score: 30 * place, holders: 77, top_holders_pct: 20.5 },
        warnings: [{ type: 'HAS_FREEZE_AUTHORITY', message: 'm', severity: place === 1 ? 'critical' : 'info' }],
      },
      token_y: { address: SOL },
      in: {
        '5m': { volume: '500.5', fee: 10, pool_price_change_pct: -1.5 },
        '1h': { volume: 1, pool_price_change_pct: 2 },
        '24h': { volume: 1, fee: 1, pool_price_change_pct: 'much' },
      },
    }));
    world = new World(server.url, undefined, discovery.url);
  });
  afterEach(() => assert.deepEqual(discovery.violations, []));

  const discover = (over: Partial<DiscoverParameters> = {}): Promise<WireDiscovered> => world.discovery.discover({ ...DEFAULTS, ...over });
  const recordOf = (record: WireDiscovered, place: number): WirePool =>
    known(record.data.find(({ pool }) => pool === poolAddressOf(place)));

  it('Figures that the data API lacks come from pool discovery, and none that is known is replaced', async () => {
    const record = recordOf(await discover({ feeTvlInterval: '5m' }), 1);
    assert.deepEqual(
      [record.organic_score, record.top_holder, record.mint_freeze, record.has_critical_warning],
      [30, null, true, true],
      'facts of the token',
    );
    assert.deepEqual([record.vol_5m, record.fee_tvl_ratio, record.vol_6h], [500.5, 0.005, null]);
    assert.deepEqual([record.price_5m_change, record.price_1h_change, record.price_24h_change], [-1.5, 2, null]);
    assert.deepEqual([record.vol_24h, record.token0_stats.holders], [2_400, 1_000]);
    assert.equal(recordOf(await discover(), 2).has_critical_warning, false);
  });

  it('A pool that is not among those listed first is asked for by its address, and answers are used again', async () => {
    const rest = Array.from({ length: 100 }, (_, place) => ({ ...known(discovery.pools[0]), pool_address: mintOf(place + 200) }));
    discovery.pools = [...rest, ...discovery.pools];
    assert.equal(recordOf(await discover(), 2).organic_score, 60);
    const asked = discovery.requests.length;
    assert.equal(asked, 3 + 3, 'a list for each window, and one request for each pool');
    await discover({ sortBy: 'tvl' });
    assert.equal(discovery.requests.length, asked);
  });

  it('A bound of the organic score leaves the pools that pool discovery lists within it', async () => {
    const { data, pagination } = await discover({ bounds: [{ of: 'organic_score', min: 50, max: 100 }] });
    assert.deepEqual([data.map(({ pool }) => pool), pagination.totalCount], [[poolAddressOf(2)], 1]);
  });

  it('Nothing else changes where pool discovery is down, hangs, or writes what nobody understands', async () => {
    const { data: expected } = await new World(server.url).discovery.discover(DEFAULTS);
    const troubles: readonly ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(500).end('<html>'),
      (response) => response.destroy(),
      () => undefined,
      (response) => response.end(JSON.stringify({ data: [{ pool_address: poolAddressOf(1), token_x: 7, volume: {} }, 5, null] })),
    ];
    for (const trouble of troubles) {
      world = new World(server.url, undefined, discovery.url);
      discovery.trouble = trouble;
      assert.deepEqual((await discover()).data, expected);
    }
  });
});

/** A chain that has some pools, and an index that knows positions in some of them. */
class World {
  now = NOW;
  readonly lines: string[] = [];
  readonly searches: unknown[] = [];
  found: Readonly<Record<string, readonly string[]>> = {};
  refuses = false;
  /** How often pools were read. */
  reads = 0;
  /** Amounts in vaults. */
  readonly vaults = new Map<Address, bigint>();
  readonly discovery: PoolDiscovery;
  readonly #details = new Map<Address, PoolOfTokens>();
  readonly #positions: Pick<IndexedPosition, 'pool' | 'program'>[] = [];

  constructor(dlmm: string | undefined, damm?: string, discovery?: string) {
    const client = (program: PoolProgram, url: string | undefined): DataApiClient | undefined =>
      url === undefined ? undefined : new DataApiClient({ url, program, clock: systemClock });
    this.discovery = new PoolDiscovery({
      dataApis: { dlmm: client('dlmm', dlmm), damm: client('damm', damm) },
      markets:
        discovery === undefined
          ? undefined
          : new DiscoveredMarkets({
              api: new DiscoveryClient({ url: discovery, clock: systemClock }),
              clock: systemClock,
              log: (line) => this.lines.push(line),
            }),
      protocols: PROTOCOLS,
      rpc: { call: (method: string, parameters: readonly unknown[]) => this.#answer(method, parameters) } as unknown as ChainRpc,
      index: {
        pools: (program) => this.#positions.filter((known) => program === undefined || known.program === program).map(({ pool }) => pool),
      },
      pools: {
        detailsOf: async (wanted) => {
          this.reads += 1;
          return new Map([...this.#details].filter(([pool]) => wanted.includes(pool)));
        },
      },
      prices: {
        now: async () =>
          new Map([
            [address(mintOf(1)), 2],
            [address(SOL), 1],
          ]),
        at: async () => undefined,
      },
      now: () => this.now,
      log: (line) => this.lines.push(line),
    });
  }

  /** A pool with 5 of the token and 10 SOL, without decimals. */
  add(program: PoolProgram, pool: string, mint: string, isKnown = true): void {
    const token = (of: string, symbol: string): PoolOfTokens['x'] => ({
      ...{
        mint: address(of),
        decimals: 0,
        tokenProgram: PROGRAMS.token,
        symbol,
        name: symbol,
        logo: undefined,
        supply: 100n,
        hasAuthority: false,
      },
    });
    const [x, y] = [token(mint, `S${this.#details.size + 1}`), token(SOL, 'SOL')];
    const fees = { basePercent: 0.2, maximumPercent: 10, protocolPercent: 10, dynamicPercent: 0.3 };
    const state = {
      address: address(pool),
      program,
      x,
      y,
      binStep: 10,
      activeBinId: 1,
      rawPrice: 2,
      reserves: { x: 5n, y: 10n },
      hasRewards: false,
      rewardTokens: [],
      fees,
    };
    this.#details.set(address(pool), { state, x, y });
    if (isKnown) {
      this.#positions.push({ pool: address(pool), program });
    }
  }

  /** Answers searches and accounts. */
  async #answer(method: string, parameters: readonly unknown[]): Promise<unknown> {
    return method === 'getProgramAccounts' ? this.#search(parameters) : { value: this.#accounts(parameters[0] as readonly Address[]) };
  }

  #accounts(addresses: readonly Address[]): readonly unknown[] {
    return addresses.map((of) => {
      const data = Buffer.alloc(165);
      data.writeBigUInt64LE(this.vaults.get(of) ?? 0n, 64);
      return { owner: PROGRAMS.token, data };
    });
  }

  async #search(parameters: readonly unknown[]): Promise<unknown> {
    this.searches.push(parameters);
    if (this.refuses) {
      throw new ChainRpcError('refusedMethod', 'getProgramAccounts', 'Not on this plan.');
    }
    return Object.entries(this.found).flatMap(([mint, pools]) =>
      JSON.stringify(parameters).includes(mint) ? pools.map((pubkey) => ({ pubkey })) : [],
    );
  }
}

function addressesOf({ data }: WireDiscovered): string[] {
  return data.map(({ pool }) => pool);
}

function known<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined);
  return value;
}
