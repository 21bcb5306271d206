import assert from 'node:assert/strict';
import type { DiscoverParameters } from '../../../../src/engine/engine';
import { discoveredRecord, matchingPools } from '../../../../src/engine/records/discover';
import { poolStates } from '../../../../src/sandbox/market/records/poolStates';
import type { MarketPool } from '../../../../src/sandbox/market/types';
import type { WithoutNulls } from '../../../support/withoutNulls';
import type { WirePool } from '../../../../src/engine/wire/poolRecord';
import { DAY, HOUR, MINUTE, poolOf } from '../../../support/sandbox/market/worlds';
import { isNear } from '../../../support/sandbox/market/records/naive';
import { known, PROTOCOLS, smallMarket, type SmallMarket } from '../../../support/sandbox/market/records/smallMarket';

const DEFAULTS: DiscoverParameters = {
  chain: 'SOL',
  sortBy: 'mcap',
  sortOrder: 'desc',
  page: 1,
  pageSize: 100,
  feeTvlInterval: '24h',
  quoteToken: undefined,
  search: undefined,
  protocol: undefined,
  bounds: [],
};
const SPANS = { '5m': 5 * MINUTE, '1h': HOUR, '6h': 6 * HOUR, '24h': DAY } as const;

describe('The discover list', function () {
  let market: SmallMarket;
  before(() => {
    market = smallMarket(17);
  });

  it('The discover list contains every existing pool of both types in its current state', () => {
    const records = discover();
    assert.deepEqual(
      addressesOf(records).sort(),
      existing()
        .map(({ address }) => address)
        .sort(),
    );
    assert.deepEqual([...new Set(records.map(({ protocol }) => protocol))].sort(), [PROTOCOLS.bins, PROTOCOLS.product]);
    assert.ok(records.filter(({ vol_5m }) => vol_5m > 0).length >= 5, 'there is trade');
    for (const record of records) {
      const pool = poolAt(record.pool);
      near(record.tvl, record.liquidity_token0 * record.base_price + record.liquidity_token1 * record.quote_price);
      assert.equal(record.bin_step, pool.type === 'bins' ? pool.spec.binStepBps : 0);
      assert.equal(record.fee, Number(pool.feeRates(market.market.now).base) / 1e7);
      const volumes = [record.vol_5m, record.vol_1h, record.vol_6h, record.vol_24h];
      assert.ok(
        volumes.every((volume, place) => place === 0 || volume > known(volumes[place - 1]) * (1 - 1e-9) || volume === 0),
        volumes.join(),
      );
      assert.equal(
        record.first_pool_created_at,
        records
          .filter(({ token0, token1 }) => token0 === record.token0 || token1 === record.token0)
          .map(({ created_at }) => created_at)
          .sort()[0],
      );
      for (const [stats, mint] of [
        [record.token0_stats, record.token0],
        [record.token1_stats, record.token1],
      ] as const) {
        near(
          stats.volume.stats24h.volume,
          records.filter(({ token0, token1 }) => token0 === mint || token1 === mint).reduce((sum, { vol_24h }) => sum + vol_24h, 0),
        );
      }
    }
  });

  it('The discover list gives fees over TVL for the requested interval', () => {
    for (const feeTvlInterval of ['5m', '1h', '6h', '24h'] as const) {
      for (const record of discover({ feeTvlInterval })) {
        const fees = market.market.turnoverOf(poolAt(record.pool)).within(market.market.now, SPANS[feeTvlInterval]).feeUsd;
        near(record.fee_tvl_ratio * record.tvl, fees);
      }
    }
  });

  it('The discover list includes both ends of a bound', () => {
    assert.deepEqual([...new Set(discover({ bounds: [{ of: 'bin_step', min: 25, max: 25 }] }).map(({ bin_step }) => bin_step))], [25]);
  });

  it('The discover list filters by protocol, quote token and chain', () => {
    const all = discover();
    for (const protocol of Object.values(PROTOCOLS) as string[]) {
      assert.deepEqual(addressesOf(discover({ protocol })), addressesOf(all.filter((record) => record.protocol === protocol)));
    }
    const quoteToken = market.market.usdc.mint;
    assert.deepEqual(addressesOf(discover({ quoteToken })), addressesOf(all.filter(({ token1 }) => token1 === quoteToken)));
    assert.deepEqual(discover({ protocol: 'orca' }), []);
    assert.deepEqual(discover({ chain: 'ETH' }), []);
    assert.equal(discover({ chain: 'sol' }).length, all.length);
  });

  it('The discover list searches names, symbols and addresses', () => {
    const all = discover();
    const found = (search: string): readonly string[] =>
      discover({ search })
        .map(({ pairName }) => pairName)
        .sort();
    const named = (of: (record: WithoutNulls<WirePool>) => boolean): readonly string[] =>
      all
        .filter(of)
        .map(({ pairName }) => pairName)
        .sort();
    for (const search of ['bonq/sol', 'BONQ-SOL', ' bonq sol ', 'Bonq the']) {
      assert.deepEqual(
        found(search),
        named(({ pairName }) => (search === 'Bonq the' ? pairName.startsWith('BONQ') : pairName === 'BONQ/SOL')),
        search,
      );
    }
    const [pool] = all;
    assert.deepEqual(addressesOf(discover({ search: known(pool).pool })), [known(pool).pool]);
    assert.deepEqual(
      found(market.market.usdc.mint),
      named(({ token0, token1 }) => [token0, token1].includes(market.market.usdc.mint)),
    );
    assert.deepEqual(
      found(''),
      named(() => true),
    );
    for (const search of ['%', '_', 'no such thing', known(pool).pool.slice(0, 20)]) {
      assert.deepEqual(found(search), [], search);
    }
  });

  it('The discover list follows the market', () => {
    const pool = poolOf(market.market, 'BONQ-SOL-25');
    const of = (): WithoutNulls<WirePool> => known(discover({ sortBy: 'tvl' }).find((record) => record.pool === pool.address));
    const before_ = of();
    market.market.shock(pool, 40);
    const after_ = of();
    near(after_.mcap, 1.4 * before_.mcap);
    assert.ok(after_.price_5m_change > 30);
    const tvls = discover({ sortBy: 'tvl' }).map(({ tvl }) => tvl);
    assert.deepEqual(
      tvls,
      [...tvls].sort((a, b) => b - a),
    );
  });

  function discover(parameters: Partial<DiscoverParameters> = {}): readonly WithoutNulls<WirePool>[] {
    const asked = { ...DEFAULTS, ...parameters };
    return discoveredRecord(matchingPools(poolStates(market.reading), asked), asked, market.market.now)
      .data as readonly WithoutNulls<WirePool>[];
  }

  function existing(): readonly MarketPool[] {
    return market.market.pools.filter(({ createdAt }) => createdAt <= market.market.now);
  }

  function poolAt(address: string): MarketPool {
    return known(market.market.poolAt(address));
  }
});

function addressesOf(records: readonly WithoutNulls<WirePool>[]): string[] {
  return records.map(({ pool }) => pool);
}

function near(actual: number, expected: number): void {
  assert.ok(isNear(actual, expected), `${actual} is not ${expected}`);
}
