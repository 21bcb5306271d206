import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type PoolInfo, readFeeStats } from '../../../src/service/poolInfo';
import type { Pool } from '../../../src/service/pools';
import {
  CONTRACT,
  failureOf,
  GP_MINT,
  openRecord,
  OTHER_OWNER,
  OWNER,
  POOL,
  poolRecord,
  POSITION,
  SOL_MINT,
  success,
} from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';

const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

describe('Pools', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  describe('Discovery', () => {
    async function onePool(changes: Readonly<Record<string, unknown>>): Promise<Pool> {
      service.willAnswer(success([poolRecord(changes)]));
      const [pool] = (await service.client().discoverPools({})).items;
      assert.ok(pool !== undefined);
      return pool;
    }

    it('Discovery sends no parameters for an empty query', async () => {
      service.willAnswer(success([]));
      await service.client().discoverPools({ search: '  ', marketCapUsd: {} });
      assert.deepEqual(service.lines, ['GET /pools/discover']);
    });

    it('Discovery sends all parameters by the names that the service expects', async () => {
      service.willAnswer(success([]));
      await service
        .client()
        .discoverPools({
          chain: 'SOL',
          sortBy: 'fee_tvl_ratio',
          sortOrder: 'asc',
          page: 2,
          pageSize: 100,
          feeTvlInterval: '6h',
          quoteToken: SOL_MINT,
          marketCapUsd: { min: 1, max: 2 },
          binStepBps: { min: 3, max: 4 },
          organicScore: { min: 5, max: 6 },
          baseFeePercent: { min: 0.2, max: 8 },
          ageHours: { min: 9, max: 10 },
          liquidityUsd: { min: 11, max: 12 },
          fees24hUsd: { min: 13, max: 14 },
          volume24hUsd: { min: 15, max: 16 },
          volume1hUsd: { min: 17, max: 18 },
          poolType: 'dammV2',
          search: ' bonk & co ',
        });
      const [line = ''] = service.lines;
      assert.deepEqual(Object.fromEntries(new URL(line.replace('GET ', 'http://host')).searchParams), {
        chain: 'SOL',
        sortBy: 'fee_tvl_ratio',
        sortOrder: 'asc',
        page: '2',
        pageSize: '100',
        feeTVLInterval: '6h',
        quote_token: SOL_MINT,
        min_market_cap: '1',
        max_market_cap: '2',
        min_bin_step: '3',
        max_bin_step: '4',
        min_organic_score: '5',
        max_organic_score: '6',
        min_base_fee: '0.2',
        max_base_fee: '8',
        min_age_hr: '9',
        max_age_hr: '10',
        min_liquidity: '11',
        max_liquidity: '12',
        min_24h_fees: '13',
        max_24h_fees: '14',
        min_24h_vol: '15',
        max_24h_vol: '16',
        min_1h_vol: '17',
        max_1h_vol: '18',
        type: 'meteora_damm_v2',
        search: 'bonk & co',
      });
    });

    for (const [poolType, type] of [
      ['dlmm', 'meteora'],
      ['all', 'all'],
    ] as const) {
      it(`Discovery requests pools of type ${type}`, async () => {
        service.willAnswer(success([]));
        await service.client().discoverPools({ poolType });
        assert.deepEqual(service.lines, [`GET /pools/discover?type=${type}`]);
      });
    }

    it('Discovered pools are read with their units', async () => {
      service.willAnswer(
        success(
          [
            poolRecord({
              token1: USDC_MINT,
              fee: 0.2,
              vol_5m: '1',
              vol_1h: 2,
              vol_6h: 3,
              vol_24h: 800_000,
              tvl: 100_000,
              price_5m_change: -1.5,
              price_24h_change: '12',
              top_holder: 8.5,
              mint_freeze: false,
              liquidity_token0: 10,
              liquidity_token1: '20',
              fdv: 60_000_000,
              token0_stats: {
                holders: 1234,
                volume: { stats1h: { volume: 5_000, volume_change: -12.5 }, stats24h: { volume_change: '250' }, stats6h: null },
              },
              created_at: '2025-07-30T12:00:00.000Z',
            }),
          ],
          { pagination: { currentPage: 1, pageSize: 10, totalCount: 25, totalPages: 3, hasNextPage: true, hasPreviousPage: false } },
        ),
      );
      assert.deepEqual(await service.client().discoverPools({}), {
        items: [
          {
            address: POOL,
            pairName: 'SOL/USDC',
            token0: { address: SOL_MINT, symbol: 'SOL', name: 'Solana', decimals: 9 },
            token1: { address: USDC_MINT, symbol: 'USDC', name: undefined, decimals: 6 },
            protocol: 'meteora',
            poolType: 'dlmm',
            tvlUsd: 100_000,
            volumeUsd: { '5m': 1, '1h': 2, '6h': 3, '24h': 800_000 },
            volumeChangePercent: { '5m': undefined, '1h': -12.5, '6h': undefined, '24h': 250 },
            baseFeePercent: 0.2,
            feeTvlRatio24h: 0.016,
            binStepBps: 10,
            price0Usd: 150.25,
            price1Usd: 1,
            priceChangePercent: { '5m': -1.5, '1h': undefined, '6h': undefined, '24h': 12 },
            marketCapUsd: 50_000_000,
            fdvUsd: 60_000_000,
            organicScore: 75,
            topHolderPercent: 8.5,
            mintOrFreezeEnabled: false,
            holders: 1234,
            liquidity0: 10,
            liquidity1: 20,
            createdAt: new Date('2025-07-30T12:00:00.000Z'),
            updatedAt: undefined,
          },
        ],
        page: 1,
        pageSize: 10,
        totalCount: 25,
        totalPages: 3,
        hasNextPage: true,
        warnings: [],
      });
    });

    for (const [name, changes, ratio] of [
      ['volume, fee and TVL', { vol_24h: 1_000, fee: 1, tvl: 200 }, 0.05],
      ['its own figure as a fraction', { vol_24h: 1_000, fee: 1, tvl: 200, fee_tvl_ratio: 0.06 }, 0.06],
      ['its own figure in percent', { vol_24h: 1_000, fee: 1, tvl: 200, fee_tvl_ratio: '6' }, 0.06],
      ['its own figure where the fee has gone up a lot', { vol_24h: 1_000, fee: 1, tvl: 200, fee_tvl_ratio: 0.3 }, 0.3],
      ['its own figure where the rest is missing', { vol_24h: null, fee: 1, tvl: 200, fee_tvl_ratio: 0.06 }, 0.06],
      ['nothing where the TVL is 0', { vol_24h: 1_000, fee: 1, tvl: 0 }, undefined],
      ['nothing where the fee is missing', { vol_24h: 1_000, fee: null, tvl: 200 }, undefined],
    ] as const) {
      it(`The fees over TVL are computed from ${name}`, async () => {
        assert.equal((await onePool(changes)).feeTvlRatio24h, ratio);
      });
    }

    it('The fees over TVL are those of 24 hours, also if another interval was requested', async () => {
      service.willAnswer(success([poolRecord({ vol_24h: 1_000, fee: 1, tvl: 200, fee_tvl_ratio: 0.001 })]));
      const { items } = await service.client().discoverPools({ feeTvlInterval: '1h' });
      assert.equal(items[0]?.feeTvlRatio24h, 0.05);
    });

    it('A pool with invalid token volumes is read without them', async () => {
      const nothing = { '5m': undefined, '1h': undefined, '6h': undefined, '24h': undefined };
      for (const volume of [undefined, null, {}, 17, 'much', [], { stats1h: 4 }, { stats24h: { volume_change: {} } }]) {
        const pool = await onePool({ token0_stats: { holders: 7, volume } });
        assert.deepEqual(pool.volumeChangePercent, nothing, JSON.stringify(volume));
        assert.equal(pool.holders, 7);
      }
    });

    it('A pool without a pair name gets one from its tokens or its address', async () => {
      const pool = await onePool({
        token0: GP_MINT,
        token0_symbol: null,
        token1: SOL_MINT,
        token1_symbol: null,
        token0_stats: null,
        token1_stats: null,
        mcap: null,
      });
      assert.equal(pool.pairName, '31k8…Pygk/SOL');
      assert.equal(pool.holders, undefined);
      assert.equal((await onePool({ pairName: 'WIF-x/SOL' })).pairName, 'WIF-x/SOL');
      assert.equal((await onePool({ token0: null, token0_symbol: '', token1: undefined, token1_symbol: ' ' })).pairName, '2DeF…riKC');
    });

    it("Pools without an address are left out with a warning, also in the contract's example", async () => {
      service.willAnswer(success([...CONTRACT['GET /pools/discover 200'].data, {}, poolRecord(), poolRecord({ tvl: 1 })]));
      const { items, warnings } = await service.client().discoverPools({});
      assert.deepEqual(
        items.map(({ address, tvlUsd }) => [address, tvlUsd]),
        [[POOL, 125000.5]],
      );
      assert.deepEqual(warnings, [
        { path: 'data[0].pool', message: '"5rCfABCxyz123" is not a Solana address' },
        { path: 'data[0]', message: 'left out: pool is missing' },
        { path: 'data[1]', message: 'left out: pool is missing' },
        { path: 'data', message: `${POOL} is listed more than once: the first is taken` },
      ]);
    });

    for (const [name, pagination, expected] of [
      ['the contract', { currentPage: 2, pageSize: 1, totalCount: 9, totalPages: 9, hasNextPage: true }, [2, 1, 9, 9, true]],
      ['other names', { page: '2', pageSize: 1, total: 9 }, [2, 1, 9, 9, true]],
      ['only the number of pages', { currentPage: 9, totalPages: 9 }, [9, 1, undefined, 9, false]],
      ['nothing', {}, [2, 1, undefined, undefined, false]],
      ['null', null, [2, 1, undefined, undefined, false]],
      ['nonsense', 'next', [2, 1, undefined, undefined, false]],
    ] as const) {
      it(`The pagination of pools is read from ${name}`, async () => {
        service.willAnswer(success([poolRecord()], { pagination }));
        const { page, pageSize, totalCount, totalPages, hasNextPage } = await service.client().discoverPools({ page: 2, pageSize: 1 });
        assert.deepEqual([page, pageSize, totalCount, totalPages, hasNextPage], expected);
      });
    }
  });

  it('Pools and their pagination are read also if both are in data', async () => {
    const pagination = { page: 2, pageSize: 1, total: 9 };
    for (const data of [
      { pools: [poolRecord()], pagination },
      { data: [poolRecord()], pagination },
    ]) {
      service.willAnswer(success(data));
      const { items, page, totalPages, hasNextPage } = await service.client().discoverPools({ page: 2, pageSize: 1 });
      assert.deepEqual([items.length, page, totalPages, hasNextPage], [1, 2, 9, true]);
    }
  });

  describe('Pool details', () => {
    const token = (id: string, symbol: string, decimals: number): unknown => ({
      id,
      symbol,
      name: symbol,
      icon: '',
      decimals,
      mcap: 1,
      fdv: 2,
      usdPrice: '3.5',
      organicScore: 4,
      holderCount: 5,
    });
    const gp = token(GP_MINT, 'GP', 9);
    const sol = token(SOL_MINT, 'SOL', 9);

    async function infoOf(data: unknown): Promise<PoolInfo> {
      service.willAnswer(success(data));
      return service.client().poolInfo(POOL);
    }

    it('Pool details are requested by address, and read with their units', async () => {
      const info = await infoOf({
        type: 'meteora',
        tokenInfo: [
          { status: 'success', data: [gp] },
          { status: 'success', data: [sol] },
        ],
        amountX: 1500.25,
        amountY: '50000',
        feeInfo: { baseFeeRatePercentage: 1, maxFeeRatePercentage: '10', protocolFeePercentage: 5, dynamicFee: 1.75 },
        feeStats: [{ timestamp: '2026-11-19T22:00:00.000Z', fee: '1.5', volume: 150 }, { hour: 1 }, null],
        poolStats: { tvl: 7, vol_5m: 1, vol_1h: '2', vol_6h: 'much', vol_24h: 40, fee_24h: 10 },
        poolState: { activeId: -381, parameters: { collectFeeMode: 1 } },
        poolDb: { vol_6h: 3, bin_step: 80, created_at: '2026-01-02T00:00:00.000Z' },
        liquidityViz: {
          activeBin: { binId: -381, price: '0.0225', pricePerToken: '0.02257' },
          bins: [
            { binId: '-380', xAmount: 12, yAmount: 0, price: 0.0228, pricePerToken: 0.0229 },
            { binId: -382, xAmount: null, yAmount: '3.5', price: '0.0223', pricePerToken: '0.0224' },
            { binId: null, xAmount: 1, yAmount: 1 },
          ],
        },
      });
      assert.deepEqual(service.lines, [`GET /pools/${POOL}/info`]);
      const facts = { marketCapUsd: 1, fdvUsd: 2, priceUsd: 3.5, organicScore: 4, holders: 5 };
      assert.deepEqual(info, {
        poolType: 'dlmm',
        protocol: 'meteora',
        tokens: [
          { address: GP_MINT, symbol: 'GP', name: 'GP', decimals: 9, ...facts },
          { address: SOL_MINT, symbol: 'SOL', name: 'SOL', decimals: 9, ...facts },
        ],
        amountX: 1500.25,
        amountY: 50_000,
        fees: { basePercent: 1, maxPercent: 10, protocolPercent: 5, dynamicPercent: 1.75, collectedIn: 'y' },
        activeBin: { binId: -381, price: 0.02257 },
        bins: [
          { binId: -382, amountX: 0, amountY: 3.5, price: 0.0224 },
          { binId: -380, amountX: 12, amountY: 0, price: 0.0229 },
        ],
        feeStats: [{ at: new Date('2026-11-19T22:00:00.000Z'), feeUsd: 1.5, volumeUsd: 150 }],
        statistics: {
          tvlUsd: 7,
          volumeUsd: { '5m': 1, '1h': 2, '6h': 3, '24h': 40 },
          fees24hUsd: 10,
          binStepBps: 80,
          createdAt: new Date('2026-01-02T00:00:00.000Z'),
        },
      });
    });

    it('Pool details tell in which tokens fees are paid, unless the pool has a mode that is not known', async () => {
      for (const [poolState, expected] of [
        [{ collectFeeMode: 1 }, 'y'],
        [{ collect_fee_mode: 0 }, 'both'],
        [{ parameters: { collect_fee_mode: 1 } }, 'y'],
        [{ collectFeeMode: 2 }, undefined],
        [{ collectFeeMode: '1' }, undefined],
        [null, undefined],
      ] as const) {
        assert.equal((await infoOf({ poolState })).fees.collectedIn, expected, JSON.stringify(poolState));
      }
    });

    it("Pool details are read if most fields are missing, as in the contract's example and DAMM v2", async () => {
      const told: unknown[] = [];
      service.willAnswer({ body: CONTRACT['GET /pools/{poolId}/info 200'] });
      const info = await service.client({ onWarnings: (...odd) => void told.push(odd) }).poolInfo(POOL);
      assert.deepEqual([info.poolType, info.tokens, info.activeBin, info.bins, info.amountX], ['dlmm', [], undefined, [], 1500.25]);
      assert.deepEqual(told, []);
      const damm = await infoOf({ type: 'meteora_damm_v2', liquidityViz: null, poolStats: { bin_step: 0 } });
      assert.deepEqual([damm.poolType, damm.activeBin, damm.bins, damm.statistics.binStepBps], ['dammV2', undefined, [], undefined]);
    });

    for (const [name, tokenInfo, poolState, symbols] of [
      [
        'a list for each',
        [
          { status: 'success', data: [gp] },
          { status: 'success', data: [sol] },
        ],
        {},
        ['GP', 'SOL'],
      ],
      [
        'both in the first, the second an error',
        [
          { status: 'success', data: [gp, sol] },
          { status: 'error', data: [] },
        ],
        {},
        ['GP', 'SOL'],
      ],
      [
        'an object for each',
        [
          { status: 'success', data: gp },
          { status: 'success', data: sol },
        ],
        {},
        ['GP', 'SOL'],
      ],
      ['the tokens themselves', [gp, sol], {}, ['GP', 'SOL']],
      [
        'the other way round than the pool has them',
        [{ data: [sol] }, { data: [gp] }],
        { tokenXMint: GP_MINT, tokenYMint: SOL_MINT },
        ['GP', 'SOL'],
      ],
      [
        'only one, where the pool names both',
        [{ status: 'error', data: [] }, { data: [sol] }],
        { token_a_mint: GP_MINT, token_b_mint: SOL_MINT },
        ['31k8…Pygk', 'SOL'],
      ],
      ['only one', [{ status: 'error', data: null }, { data: [sol] }], {}, ['SOL']],
      ['none', null, {}, []],
    ] as const) {
      it(`The tokens of a pool are read from ${name}`, async () => {
        assert.deepEqual(
          (await infoOf({ type: 'meteora', tokenInfo, poolState })).tokens.map(({ symbol }) => symbol),
          symbols,
        );
      });
    }

    it('Prices are converted to whole tokens if only prices of raw amounts are reported', async () => {
      const usdc = token(USDC_MINT, 'USDC', 6);
      const liquidityViz = { activeBin: { binId: -1973, price: '0.139' }, bins: [{ binId: -1973, price: 0.139 }] };
      const info = await infoOf({ tokenInfo: [{ data: [sol] }, { data: [usdc] }], liquidityViz });
      assert.deepEqual([info.activeBin?.price, info.bins[0]?.price], [139, 139]);
      assert.equal((await infoOf({ liquidityViz })).activeBin?.price, undefined);
    });

    it('Pool details that are not a record are malformed', async () => {
      for (const data of [null, [], 'none']) {
        service.willAnswer(success(data));
        const error = await failureOf(service.client().poolInfo(POOL), 'malformed');
        assert.equal(error.field, 'data');
        assert.match(error.message, /GET \/pools\/\{id\}\/info/);
      }
    });
  });

  describe('Positions of a pool', () => {
    it('Positions of a pool are requested by pool, owner, status, page and order', async () => {
      service.willAnswer(success({ positions: [] }));
      await service
        .client()
        .poolPositions({ pool: POOL, owner: OWNER, status: 'Open', page: 2, pageSize: 20, orderBy: 'inputValue', sortOrder: 'asc' });
      assert.deepEqual(service.lines, [
        `GET /pools/${POOL}/positions?owner=${OWNER}&status=Open&page=2&pageSize=20&order_by=inputValue&sort_order=asc`,
      ]);
    });

    it('Positions of a pool get its active bin and prices where they lack them', async () => {
      service.willAnswer(
        success({
          pagination: { page: 1, pageSize: 20, total: 41, totalPages: 3 },
          positions: [openRecord({ range: null, price0: null, price1: null }), openRecord({ position: OWNER, tokenId: OWNER })],
          positionState: [],
          activeBin: { binId: '-380', price: '1', pricePerToken: '1' },
          prices: { [GP_MINT]: 3.9, [SOL_MINT]: '171' },
        }),
      );
      const { items, warnings, ...page } = await service.client().poolPositions({ pool: POOL });
      service.willAnswer(success({ positions: [openRecord()] }, { pagination: { page: 1, pageSize: 1, total: 41 } }));
      assert.equal((await service.client().poolPositions({ pool: POOL })).totalPages, 41);
      assert.deepEqual(warnings, []);
      assert.deepEqual(page, { page: 1, pageSize: 20, totalCount: 41, totalPages: 3, hasNextPage: true });
      assert.deepEqual(
        items.map(({ key, activeBinId, price0Usd, price1Usd }) => [key, activeBinId, price0Usd, price1Usd]),
        [
          [POSITION, -380, 3.9, 171],
          [OWNER, -381, 3.844231933777601, 170.66710334453902],
        ],
      );
    });
  });

  it('On-chain statistics are returned unchanged', async () => {
    service.willAnswer({ body: CONTRACT['GET /pools/{poolId}/onchain-stats 200'] });
    assert.deepEqual(await service.client().onchainStats(POOL), CONTRACT['GET /pools/{poolId}/onchain-stats 200'].data);
    assert.deepEqual(service.lines, [`GET /pools/${POOL}/onchain-stats`]);
  });

  describe('Top LPers', () => {
    it('Top LPers are requested by column, direction, page and page size', async () => {
      service.willAnswer(success([]));
      await service.client().topLpers({ pool: POOL, orderBy: 'total_pnl', sortOrder: 'desc', page: 1, pageSize: 5 });
      await service.client().topLpers({ pool: POOL });
      assert.deepEqual(service.lines, [
        `GET /pools/${POOL}/top-lpers?order_by=total_pnl&sort_order=desc&page=1&limit=5`,
        `GET /pools/${POOL}/top-lpers`,
      ]);
    });

    it('Top LPers are read with their units', async () => {
      const lper = {
        pool: POOL,
        owner: OTHER_OWNER,
        protocol: 'meteora',
        total_inflow: '100',
        total_inflow_native: 1,
        avg_inflow: 50,
        total_outflow: 110,
        total_fee: 4,
        total_pnl: 14,
        total_lp: '2',
        win_lp: 1,
        win_rate: '50',
        win_rate_native: 0.5,
        fee_percent: 0.04,
        roi: '0.14',
        avg_age_hour: 7.5,
        first_activity: '2025-04-25 01:37:08.000',
        last_activity: '2025-07-30T16:03:45.000Z',
      };
      service.willAnswer(
        success([lper, ...CONTRACT['GET /pools/{poolId}/top-lpers 200'].data], {
          pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1, hasNextPage: false },
        }),
      );
      const { items, warnings, hasNextPage } = await service.client().topLpers({ pool: POOL });
      assert.equal(hasNextPage, false);
      assert.deepEqual(warnings, [{ path: 'data[1]', message: 'left out: owner is missing' }]);
      const none = { usd: undefined, native: undefined };
      assert.deepEqual(items, [
        {
          owner: OTHER_OWNER,
          pool: POOL,
          protocol: 'meteora',
          inflow: { usd: 100, native: 1 },
          averageInflow: { usd: 50, native: undefined },
          outflow: { usd: 110, native: undefined },
          fee: { usd: 4, native: undefined },
          reward: none,
          pnl: { usd: 14, native: undefined },
          feeRate: { usd: 0.04, native: undefined },
          winRate: { usd: 0.5, native: 0.5 },
          roi: 0.14,
          apr: undefined,
          positions: 2,
          won: { usd: 1, native: undefined },
          averageAgeHours: 7.5,
          firstActivity: new Date('2025-04-25T01:37:08.000Z'),
          lastActivity: new Date('2025-07-30T16:03:45.000Z'),
        },
      ]);
    });
  });
});

describe('Fee statistics of a pool', () => {
  const AT = Date.UTC(2026, 10, 20);

  it('Fee statistics accept the field names of different services and are sorted ascending', () => {
    assert.deepEqual(
      readFeeStats([
        { hour: new Date(AT + 7_200_000).toISOString(), fees: '3' },
        { timestamp: AT, fee: 1, volume: 100 },
        { date: '2026-11-20 01:00:00.000', volume_usd: 200 },
      ]),
      [
        { at: new Date(AT), feeUsd: 1, volumeUsd: 100 },
        { at: new Date(AT + 3_600_000), feeUsd: undefined, volumeUsd: 200 },
        { at: new Date(AT + 7_200_000), feeUsd: 3, volumeUsd: undefined },
      ],
    );
  });

  it('Fee statistics omit entries without a time or figure and contain each time once', () => {
    assert.deepEqual(readFeeStats([{ hour: 1, fee: 1 }, { timestamp: AT }, { timestamp: AT, fee: 'none', volume: null }, { fee: 4 }]), []);
    assert.deepEqual(
      readFeeStats([
        { timestamp: AT, fee: 1 },
        { timestamp: AT, fee: 2 },
      ]),
      [{ at: new Date(AT), feeUsd: 2, volumeUsd: undefined }],
    );
  });

  it('Fee statistics ascend by time in any response', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.constant(null), fc.date(), fc.object());
    const entry = fc.dictionary(fc.constantFrom('timestamp', 'hour', 'date', 'fee', 'fees', 'volume', 'other'), value);
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, value)), (entries) => {
        const times = readFeeStats(entries).map(({ at }) => at.getTime());
        times.forEach((atMs, place) => assert.ok(Number.isFinite(atMs) && (place === 0 || atMs > (times[place - 1] ?? Infinity))));
      }),
    );
  });
});
