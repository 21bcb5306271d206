import assert from 'node:assert/strict';
import * as z from 'zod';
import { good } from '../support/sandbox/client';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

const Pnl = z.object({ value: z.number(), valueNative: z.number(), percent: z.number(), percentNative: z.number() });
const Position = z.looseObject({
  position: z.string(),
  protocol: z.string(),
  tokenId: z.string(),
  pool: z.string(),
  pairName: z.string(),
  strategyType: z.string(),
  inputValue: z.number(),
  inputNative: z.number(),
  outputValue: z.number(),
  outputNative: z.number(),
  collectedFee: z.number(),
  collectedFeeNative: z.number(),
  value: z.number(),
  valueNative: z.number(),
  pnl: Pnl,
  pnlNative: z.number(),
  dpr: z.number(),
  dprNative: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  age: z.string(),
  inRange: z.boolean(),
  tickLower: z.int(),
  tickUpper: z.int(),
  decimal0: z.int(),
  decimal1: z.int(),
  priceRange: z.tuple([z.number(), z.number(), z.number()]),
  poolInfo: z.object({ tickSpacing: z.int() }),
  currentValue: z.string(),
  uncollectedFee: z.string(),
  token1: z.string(),
});
const Open = Position.extend({
  range: z.tuple([z.int(), z.int(), z.int()]),
  price0: z.number(),
  price1: z.number(),
  unCollectedFee0: z.number(),
  unCollectedFee1: z.number(),
  unCollectedFee: z.number(),
  unCollectedFeeNative: z.number(),
  current: z.object({ amount0: z.string(), amount1: z.string(), amount0Adjusted: z.number(), amount1Adjusted: z.number() }),
});
const Closed = Position.extend({
  closeAt: z.string(),
  ageHour: z.string(),
  fee: z.number(),
  feePercent: z.number(),
  solInAudited: z.number(),
  solOutAudited: z.number(),
  pnlNativeAudited: z.number(),
});
const PerPeriod = z.object({ ALL: z.number(), '7D': z.number(), '1M': z.number(), '3M': z.number(), '1Y': z.number(), YTD: z.number() });
const Overview = z.looseObject({
  total_inflow: z.number(),
  total_outflow: z.number(),
  avg_inflow: PerPeriod,
  total_fee: PerPeriod,
  total_pnl: PerPeriod,
  total_pnl_native: PerPeriod,
  win_rate: PerPeriod,
  expected_value: PerPeriod,
  closed_lp: PerPeriod.extend({ ALL: z.string() }),
  total_lp: z.string(),
  win_lp: z.string(),
  opening_lp: z.string(),
  total_pool: z.string(),
  roi: z.number(),
  fee_percent: z.number(),
  roi_avg_inflow: z.number(),
  avg_age_hour: z.number(),
  first_activity: z.string(),
  last_activity: z.string(),
  avg_monthly_pnl: z.number(),
  avg_monthly_inflow: z.number(),
});

const DAY = 86_400_000;
/** Sums of figures for display differ by the last digit. */
const ROUNDING = 1 + 1e-9;

describe('Consistency of figures', function () {
  const client = useSandbox('all', { ...STILL, seed: 11 });

  const opening = async (): Promise<z.output<typeof Open>[]> =>
    good(z.object({ data: z.array(Open) }), await client().get('/lp-positions/opening', { owner: client().sandbox.owner })).data;
  const historical = async (): Promise<z.output<typeof Closed>[]> =>
    good(
      z.object({ data: z.object({ data: z.array(Closed) }) }),
      await client().get('/lp-positions/historical', { owner: client().sandbox.owner, limit: 100 }),
    ).data.data;

  it('The figures of every open position are consistent', async () => {
    const {
      data: [sol],
    } = good(
      z.object({ data: z.array(z.looseObject({ price: z.number() })) }),
      await client().get('/token/balance', { owner: client().sandbox.owner }),
    );
    for (const position of await opening()) {
      const { value, unCollectedFee, pnl, current } = position;
      near(value, current.amount0Adjusted * position.price0 + current.amount1Adjusted * position.price1, 'value');
      near(unCollectedFee, position.unCollectedFee0 * position.price0 + position.unCollectedFee1 * position.price1, 'unCollectedFee');
      near(position.valueNative * (sol?.price ?? NaN), value, 'valueNative', 1e-3);
      near(position.unCollectedFeeNative * value, unCollectedFee * position.valueNative, 'unCollectedFeeNative');
      near(current.amount0Adjusted, Number(current.amount0) / 10 ** position.decimal0, 'amount0');
      near(current.amount1Adjusted, Number(current.amount1) / 10 ** position.decimal1, 'amount1');
      near(pnl.value, value + position.collectedFee + unCollectedFee + position.outputValue - position.inputValue, 'pnl.value');
      near(
        pnl.valueNative,
        position.valueNative + position.collectedFeeNative + position.unCollectedFeeNative + position.outputNative - position.inputNative,
        'pnl.valueNative',
      );
      near(pnl.percent, (100 * pnl.value) / position.inputValue, 'pnl.percent');
      near(pnl.percentNative, (100 * pnl.valueNative) / position.inputNative, 'pnl.percentNative');
      near(position.pnlNative, position.outputNative + position.collectedFeeNative - position.inputNative, 'pnlNative');
      assert.equal(Number(position.currentValue), value);
      assert.equal(Number(position.uncollectedFee), unCollectedFee);
      assert.equal(position.tokenId, position.position);
    }
  });

  it('Ages and daily returns are consistent', async () => {
    for (const position of await opening()) {
      const days = Number(position.age);
      near(days, (Date.now() - Date.parse(position.createdAt)) / DAY, 'age', 0, 0.011);
      if (days > 1) {
        near(position.dpr, position.pnl.percent / 100 / days, 'dpr', 0.02);
      }
      assert.ok(Date.parse(position.updatedAt) >= Date.parse(position.createdAt));
    }
    for (const position of await historical()) {
      const hours = Number(position.ageHour);
      near(hours, (Date.parse(position.closeAt) - Date.parse(position.createdAt)) / 3_600_000, 'ageHour');
      assert.equal(position.age, (hours / 24).toFixed(2));
      near(position.dpr, position.pnl.percent / 100 / (hours / 24), 'dpr');
    }
  });

  it('Ranges, prices and the active bin are consistent', async () => {
    for (const position of (await opening()).filter(({ protocol }) => protocol === 'meteora')) {
      const {
        range: [lower, upper, active],
        priceRange,
        poolInfo,
        inRange,
        pool,
      } = position;
      assert.deepEqual([lower, upper], [position.tickLower, position.tickUpper]);
      assert.equal(inRange, lower <= active && active <= upper);
      await agreesWithInfo(position.position, pool);
      const price = (binId: number): number =>
        (1 + poolInfo.tickSpacing / 10_000) ** binId * 10 ** (position.decimal0 - position.decimal1) * position.price1;
      [lower, upper, active].forEach((binId, index) => near(priceRange[index] ?? NaN, price(binId), 'priceRange', 1e-9));
      // Arbitrage keeps the active bin near the price outside.
      near(priceRange[2], position.price0, 'active price', 0.06);
    }
  });

  /** Prices move between two requests: the active bin is read before and after, until it is the same. */
  async function agreesWithInfo(position: string, pool: string): Promise<void> {
    for (;;) {
      const before = await client().activeBin(pool);
      const listed = await client().position(position);
      if (before === (await client().activeBin(pool))) {
        assert.equal(listed?.range[2], before);
        return;
      }
    }
  }

  it('Bins below the active bin hold Y, and bins above it hold X', async () => {
    for (const position of await opening()) {
      const [lower, upper, active] = position.range;
      if (active > upper) {
        assert.equal(position.current.amount0, '0');
      }
      if (active < lower) {
        assert.equal(position.current.amount1, '0');
      }
    }
    const { pool } = await client().pool('WYFF/SOL', 80);
    const Info = z.object({
      data: z.looseObject({
        amountX: z.number(),
        amountY: z.number(),
        liquidityViz: z.object({
          activeBin: z.object({ binId: z.int() }),
          bins: z.array(
            z.object({ binId: z.int(), xAmount: z.number(), yAmount: z.number(), price: z.string(), pricePerToken: z.string() }),
          ),
        }),
      }),
    });
    const { amountX, amountY, liquidityViz } = good(Info, await client().get(`/pools/${pool}/info`)).data;
    const active = liquidityViz.activeBin.binId;
    for (const [index, bin] of liquidityViz.bins.entries()) {
      assert.equal(bin.binId, (liquidityViz.bins[0]?.binId ?? NaN) + index);
      assert.ok(bin.xAmount + bin.yAmount > 0);
      if (bin.binId < active) assert.equal(bin.xAmount, 0);
      if (bin.binId > active) assert.equal(bin.yAmount, 0);
      near(Number(bin.pricePerToken), 1.008 ** bin.binId * 10 ** (6 - 9), 'pricePerToken');
      near(Number(bin.price), 1.008 ** bin.binId, 'price');
    }
    assert.ok(liquidityViz.bins.reduce((sum, bin) => sum + bin.xAmount, 0) <= amountX * ROUNDING);
    assert.ok(liquidityViz.bins.reduce((sum, bin) => sum + bin.yAmount, 0) <= amountY * ROUNDING);
  });

  it('The figures of every closed position are consistent', async () => {
    for (const position of await historical()) {
      near(position.pnl.value, position.outputValue + position.collectedFee - position.inputValue, 'pnl.value');
      near(position.pnl.valueNative, position.outputNative + position.collectedFeeNative - position.inputNative, 'pnl.valueNative');
      near(position.pnl.percent, (100 * position.pnl.value) / position.inputValue, 'pnl.percent');
      near(position.pnlNative, position.pnl.valueNative, 'pnlNative');
      near(position.pnlNativeAudited, position.solOutAudited - position.solInAudited, 'pnlNativeAudited');
      near(position.fee, position.collectedFee, 'fee');
      near(position.feePercent, (100 * position.fee) / position.inputValue, 'feePercent');
    }
  });

  for (const protocol of ['meteora', 'meteora_damm_v2']) {
    it(`The overview of ${protocol} is consistent with the lists`, () => overviewAgrees(protocol));
  }

  async function overviewAgrees(protocol: string): Promise<void> {
    const overview = good(
      z.object({ data: Overview }),
      await client().get('/lp-positions/overview', { owner: client().sandbox.owner, protocol }),
    ).data;
    const [closed, open] = [
      (await historical()).filter((position) => position.protocol === protocol),
      (await opening()).filter((position) => position.protocol === protocol),
    ];
    assert.ok(closed.length > 1);
    const sum = (of: (position: z.output<typeof Closed>) => number): number => closed.reduce((total, position) => total + of(position), 0);
    assert.equal(overview.closed_lp.ALL, String(closed.length));
    assert.equal(overview.opening_lp, String(open.length));
    assert.equal(overview.total_lp, String(closed.length + open.length));
    assert.equal(overview.win_lp, String(closed.filter(({ pnl }) => pnl.value > 0).length));
    assert.equal(overview.total_pool, String(new Set([...closed, ...open].map(({ pool }) => pool)).size));
    near(
      overview.total_inflow,
      sum(({ inputValue }) => inputValue),
      'total_inflow',
    );
    near(
      overview.total_outflow,
      sum(({ outputValue }) => outputValue),
      'total_outflow',
    );
    near(
      overview.total_fee.ALL,
      sum(({ collectedFee }) => collectedFee),
      'total_fee',
    );
    near(
      overview.total_pnl.ALL,
      sum(({ pnl }) => pnl.value),
      'total_pnl',
    );
    near(
      overview.total_pnl_native.ALL,
      sum(({ pnl }) => pnl.valueNative),
      'total_pnl_native',
    );
    near(overview.avg_inflow.ALL, overview.total_inflow / closed.length, 'avg_inflow');
    near(overview.roi, overview.total_pnl.ALL / overview.total_inflow, 'roi');
    near(overview.fee_percent, overview.total_fee.ALL / overview.total_inflow, 'fee_percent');
    near(overview.win_rate.ALL, Number(overview.win_lp) / closed.length, 'win_rate');
    near(overview.expected_value.ALL, overview.total_pnl.ALL / closed.length, 'expected_value');
    near(overview.roi_avg_inflow, overview.expected_value.ALL / overview.avg_inflow.ALL, 'roi_avg_inflow');
    near(overview.avg_age_hour, sum(({ ageHour }) => Number(ageHour)) / closed.length, 'avg_age_hour');
    const months = new Set(closed.map(({ closeAt }) => closeAt.slice(0, 7))).size;
    near(overview.avg_monthly_pnl, overview.total_pnl.ALL / months, 'avg_monthly_pnl');
    near(overview.avg_monthly_inflow, overview.total_inflow / months, 'avg_monthly_inflow');
    for (const [period, days] of [
      ['7D', 7],
      ['1M', 30],
      ['3M', 90],
      ['1Y', 365],
    ] as const) {
      const within = closed.filter(({ closeAt }) => Date.parse(closeAt) >= Date.now() - days * DAY);
      assert.equal(overview.closed_lp[period], within.length, period);
      near(
        overview.total_pnl[period],
        within.reduce((total, { pnl }) => total + pnl.value, 0),
        period,
      );
    }
    assert.equal(
      overview.first_activity,
      [...closed, ...open]
        .map(({ createdAt }) => createdAt)
        .sort()[0]
        ?.replace('T', ' ')
        .replace('Z', ''),
    );
  }

  it('Historical pages and dates are consistent', async () => {
    const all = await historical();
    const page = async (query: Record<string, string | number>): Promise<{ positions: string[]; pagination: unknown }> => {
      const Page = z.object({ data: z.object({ data: z.array(Closed), pagination: z.unknown() }) });
      const { data, pagination } = good(
        Page,
        await client().get('/lp-positions/historical', { owner: client().sandbox.owner, ...query }),
      ).data;
      return { positions: data.map(({ position }) => position), pagination };
    };
    const first = await page({ page: 1, limit: 6 });
    const second = await page({ page: 2, limit: 6 });
    assert.deepEqual(
      [...first.positions, ...second.positions],
      all.slice(0, 12).map(({ position }) => position),
    );
    assert.deepEqual(second.pagination, { currentPage: 2, totalPages: Math.ceil(all.length / 6), totalCount: all.length, pageSize: 6 });
    assert.deepEqual((await page({ page: 99 })).positions, []);
    const middle = all[7]?.closeAt ?? '';
    assert.deepEqual(
      (await page({ from_date: middle, limit: 100 })).positions,
      all.filter(({ closeAt }) => closeAt >= middle).map(({ position }) => position),
    );
    assert.deepEqual(
      (await page({ to_date: middle, limit: 100 })).positions,
      all.filter(({ closeAt }) => closeAt <= middle).map(({ position }) => position),
    );
    const day = middle.slice(0, 10);
    assert.deepEqual(
      (await page({ from_date: day, to_date: day, limit: 100 })).positions,
      all.filter(({ closeAt }) => closeAt.startsWith(day)).map(({ position }) => position),
    );
  });
});

function near(actual: number, expected: number, what: string, relative = 1e-9, absolute = 1e-9): void {
  assert.ok(Math.abs(actual - expected) <= absolute + relative * Math.abs(expected), `${what} is ${actual} and should be ${expected}`);
}
