import assert from 'node:assert/strict';
import * as z from 'zod';
import { good, SOL } from '../support/sandbox/client';
import { useSandbox } from '../support/sandbox/useSandbox';

const Pool = z.looseObject({
  pool: z.string(),
  token0: z.string(),
  token1: z.string(),
  token0_symbol: z.string(),
  token0_name: z.string(),
  token1_symbol: z.string(),
  pairName: z.string(),
  tvl: z.number(),
  fee: z.number(),
  mcap: z.number(),
  bin_step: z.number(),
  organic_score: z.number(),
  created_at: z.string(),
  usd_price: z.number(),
  vol_5m: z.number(),
  vol_1h: z.number(),
  vol_6h: z.number(),
  vol_24h: z.number(),
  fee_tvl_ratio: z.number(),
  liquidity_token0: z.number(),
  liquidity_token1: z.number(),
  base_price: z.number(),
  quote_price: z.number(),
});
const Discovered = z.object({
  data: z.array(Pool),
  pagination: z.object({
    currentPage: z.int(),
    pageSize: z.int(),
    totalCount: z.int(),
    totalPages: z.int(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  }),
});
type Pool = z.output<typeof Pool>;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** Figures move between two requests. */
const AGES = 3_600_000;

describe('Discovering pools', function () {
  const client = useSandbox();

  async function discover(query: Readonly<Record<string, string | number>> = {}): Promise<z.output<typeof Discovered>> {
    return good(Discovered, await client().get('/pools/discover', query));
  }
  const all = async (query: Readonly<Record<string, string | number>> = {}): Promise<readonly Pool[]> =>
    (await discover({ pageSize: 100, ...query })).data;

  it('The discover endpoint lists two dozen pools of both types with varied sizes, bin steps and prices', async () => {
    const pools = await all();
    assert.ok(pools.length >= 24);
    assert.ok(new Set(pools.flatMap(({ token0, token1 }) => [token0, token1])).size >= 8);
    const spread = (of: (pool: Pool) => number): readonly [number, number] => [Math.min(...pools.map(of)), Math.max(...pools.map(of))];
    const [finest, coarsest] = [
      Math.min(...pools.map(({ bin_step }) => bin_step).filter((step) => step > 0)),
      spread(({ bin_step }) => bin_step)[1],
    ];
    assert.ok(finest === 1 && coarsest >= 250, `${finest} to ${coarsest}`);
    const [smallest, largest] = spread(({ tvl }) => tvl);
    assert.ok(smallest < 10_000 && largest > 1_000_000);
    assert.ok(spread(({ usd_price }) => usd_price)[0] < 0.0001);
    assert.ok(pools.some(({ token1 }) => token1 === USDC));
    assert.equal(new Set(pools.map(({ pool }) => pool)).size, pools.length);
  });

  it('The TVL of a pool equals the worth of its tokens', async () => {
    for (const { tvl, liquidity_token0, liquidity_token1, base_price, quote_price, pairName } of await all()) {
      const worth = liquidity_token0 * base_price + liquidity_token1 * quote_price;
      assert.ok(Math.abs(worth / tvl - 1) < 1e-9, pairName);
    }
  });

  it('Pools trade more over longer periods', async () => {
    for (const { vol_5m, vol_1h, vol_6h, vol_24h, pairName, tvl } of await all()) {
      assert.ok(vol_5m <= vol_1h && vol_1h <= vol_6h && vol_6h <= vol_24h, `${pairName} ${vol_5m} ${vol_1h} ${vol_6h} ${vol_24h}`);
      assert.ok(vol_24h > 0.1 * tvl && vol_24h < 30 * tvl, `${pairName} ${vol_24h} of ${tvl}`);
    }
  });

  for (const [sortBy, of] of [
    ['mcap', (pool: Pool) => pool.mcap],
    ['tvl', (pool: Pool) => pool.tvl],
    ['vol_24h', (pool: Pool) => pool.vol_24h],
    ['fee_tvl_ratio', (pool: Pool) => pool.fee_tvl_ratio],
    ['created_at', (pool: Pool) => Date.parse(pool.created_at)],
  ] as const) {
    it(`The discover endpoint sorts by ${sortBy}, descending unless requested otherwise`, async () => {
      const down = (await all({ sortBy })).map(of);
      assert.deepEqual(
        down,
        [...down].sort((a, b) => b - a),
      );
      const up = (await all({ sortBy, sortOrder: 'asc' })).map(of);
      assert.deepEqual(
        up,
        [...up].sort((a, b) => a - b),
      );
      const usual = (await all({ sortBy, sortOrder: 'default' })).map(of);
      assert.deepEqual(
        usual,
        [...usual].sort((a, b) => b - a),
      );
    });
  }

  it('The discover endpoint sorts by volatility, with dollar pairs as the calmest', async () => {
    const pools = await all({ sortBy: 'volatility', sortOrder: 'asc' });
    const calm = new Set(['PUSD', 'sandSOL']);
    const count = pools.filter(({ token0_symbol }) => calm.has(token0_symbol)).length;
    assert.ok(count > 0);
    assert.ok(pools.slice(0, count).every(({ token0_symbol }) => calm.has(token0_symbol)));
  });

  it('The pages of discover add up to the whole list', async () => {
    const whole = await all({ sortBy: 'created_at' });
    const pages = Math.ceil(whole.length / 7);
    const listed = await Promise.all(
      Array.from({ length: pages }, (_, index) => discover({ sortBy: 'created_at', pageSize: 7, page: index + 1 })),
    );
    assert.deepEqual(
      listed.flatMap(({ data }) => data).map(({ pool }) => pool),
      whole.map(({ pool }) => pool),
    );
    listed.forEach(({ pagination }, index) => {
      const counts = { pageSize: 7, totalCount: whole.length, totalPages: pages };
      assert.deepEqual(pagination, { currentPage: index + 1, ...counts, hasNextPage: index + 1 < pages, hasPreviousPage: index > 0 });
    });
    assert.deepEqual((await discover({ pageSize: 7, page: pages + 1 })).data, []);
    assert.equal((await discover()).data.length, 10);
  });

  for (const [name, of] of [
    ['bin_step', (pool: Pool) => pool.bin_step],
    ['market_cap', (pool: Pool) => pool.mcap],
    ['organic_score', (pool: Pool) => pool.organic_score],
    ['base_fee', (pool: Pool) => pool.fee],
    ['liquidity', (pool: Pool) => pool.tvl],
    ['24h_vol', (pool: Pool) => pool.vol_24h],
    ['1h_vol', (pool: Pool) => pool.vol_1h],
    ['age_hr', (pool: Pool) => (Date.now() - Date.parse(pool.created_at)) / AGES],
  ] as const) {
    it(`The discover endpoint filters by ${name}`, async () => {
      const values = (await all()).map(of).sort((a, b) => a - b);
      // Between two values, so that what moves meanwhile stays on its side.
      const third = ((values[3] ?? 0) + (values[4] ?? 0)) / 2;
      const upper = ((values[8] ?? 0) + (values[9] ?? 0)) / 2;
      const kept = (await all({ [`min_${name}`]: third, [`max_${name}`]: upper })).map(of);
      assert.equal(kept.length, values.filter((value) => value >= third && value <= upper).length);
      assert.ok(kept.every((value) => value >= third && value <= upper));
    });
  }

  it('The discover endpoint filters by quote token and searches names and addresses', async () => {
    assert.ok((await all({ quote_token: USDC })).every(({ token1 }) => token1 === USDC));
    assert.ok((await all({ quote_token: SOL })).every(({ token1 }) => token1 === SOL));
    const bonq = await all({ search: 'bonq' });
    const known = (await all()).filter(({ token0_symbol, token1_symbol }) => token0_symbol === 'BONQ' || token1_symbol === 'BONQ');
    assert.ok(bonq.length > 1);
    assert.deepEqual(bonq.map(({ pool }) => pool).sort(), known.map(({ pool }) => pool).sort());
    assert.deepEqual(
      new Set((await all({ search: bonq[0]?.token0 ?? '' })).map(({ pool }) => pool)),
      new Set(bonq.map(({ pool }) => pool)),
    );
    const juppiter = await all({ search: 'Juppiter' });
    assert.ok(
      juppiter.length > 0 && juppiter.every(({ token0_name, token0_symbol }) => token0_name === 'Juppiter' && token0_symbol === 'JUPP'),
    );
    assert.deepEqual(new Set((await all({ search: 'sol/usdc' })).map(({ pairName }) => pairName)), new Set(['SOL/USDC']));
    assert.deepEqual(await all({ search: 'no such thing' }), []);
  });

  it('The discover endpoint separates pools with bins from pools without', async () => {
    const [bins, product] = [await all({ type: 'meteora' }), await all({ type: 'meteora_damm_v2' })];
    assert.ok(bins.every(({ bin_step }) => bin_step > 0) && product.every(({ bin_step }) => bin_step === 0));
    assert.deepEqual([...bins, ...product].map(({ pool }) => pool).sort(), (await all()).map(({ pool }) => pool).sort());
    assert.ok(bins.length >= 16 && product.length >= 4);
  });

  it('The discover endpoint lists the liquidity providers of a pool in order', async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const Lpers = z.object({
      data: z.array(
        z.looseObject({
          owner: z.string(),
          total_pnl: z.number(),
          total_inflow: z.number(),
          total_fee: z.number(),
          total_outflow: z.number(),
          roi: z.number(),
          win_rate: z.number(),
        }),
      ),
      pagination: z.object({ totalCount: z.int(), hasNextPage: z.boolean() }),
    });
    const lpers = async (query: Readonly<Record<string, string | number>>): Promise<z.output<typeof Lpers>> =>
      good(Lpers, await client().get(`/pools/${pool}/top-lpers`, query));
    const best = await lpers({ limit: 100 });
    const profits = best.data.map(({ total_pnl }) => total_pnl);
    assert.deepEqual(
      profits,
      [...profits].sort((a, b) => b - a),
    );
    assert.ok(best.data.some(({ owner }) => owner === client().sandbox.owner));
    assert.equal(best.data.length, best.pagination.totalCount);
    assert.equal((await lpers({ limit: 5 })).pagination.hasNextPage, true);
    const rates = (await lpers({ order_by: 'win_rate', sort_order: 'asc', limit: 100 })).data.map(({ win_rate }) => win_rate);
    assert.deepEqual(
      rates,
      [...rates].sort((a, b) => a - b),
    );
    assert.ok(rates.every((rate) => rate >= 0 && rate <= 1));
    for (const { total_pnl, total_inflow, roi } of best.data) {
      assert.ok(Math.abs(roi - total_pnl / total_inflow) < 1e-9);
    }
  });
});
