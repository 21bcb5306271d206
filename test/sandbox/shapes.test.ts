import assert from 'node:assert/strict';
import { parseAddress } from '../../src/solana/address';
import { type Answer } from './support/client';
import { useSandbox } from './support/useSandbox';

/** What a field may be, as spec §2 writes it. */
type Kind =
  | 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  | 'number or null' | 'string or null'
  | 'address' | 'decimal text' | 'integer text' | 'iso date' | 'plain date' | 'plain date without milliseconds';
type Shape = Readonly<Record<string, Kind>>;
type Json = Readonly<Record<string, unknown>>;

const CHECKS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  'number or null': (value) => value === null || CHECKS.number(value),
  'string or null': (value) => value === null || CHECKS.string(value),
  address: (value) => typeof value === 'string' && parseAddress(value) !== undefined,
  'decimal text': (value) => typeof value === 'string' && /^-?\d+(\.\d+)?(e-?\d+)?$/.test(value),
  'integer text': (value) => typeof value === 'string' && /^\d+$/.test(value),
  'iso date': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  'plain date': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(value),
  'plain date without milliseconds': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
};

function each(kind: Kind, names: string): Shape {
  return Object.fromEntries(names.trim().split(/[\s,]+/).map((name) => [name, kind]));
}

/** Spec §2.1, both lists. */
const POSITION: Shape = {
  ...each('string', 'status strategyType pairName liquidity protocol logo0 logo1 tokenName0 tokenName1 creationType'),
  ...each('address', 'tokenId position pool token0 token1 owner'),
  ...each('decimal text', 'currentValue uncollectedFee age'),
  ...each('number', 'inputValue inputNative outputValue outputNative collectedReward collectedRewardNative collectedFee collectedFeeNative pnlNative dpr dprNative value valueNative'),
  ...each('integer', 'tickLower tickUpper decimal0 decimal1'),
  ...each('boolean', 'inRange'),
  ...each('iso date', 'createdAt updatedAt'),
  ...each('object', 'pnl token0Info token1Info poolInfo'),
  ...each('number or null', 'upnl yield24h apr'),
  ...each('string or null', 'ageHour'),
  ...each('array', 'priceRange'),
};
const OPEN: Shape = {
  ...POSITION,
  ...each('string', 'id'),
  ...each('array', 'range logs'),
  ...each('object', 'current'),
  ...each('number', 'unCollectedFee0 unCollectedFee1 unCollectedFee unCollectedFeeNative price0 price1'),
};
const CLOSED: Shape = {
  ...POSITION,
  ...each('iso date', 'close_At closeAt'),
  ...each('number', 'fee feeNative feePercent feePercentNative pnlNativeAudited solInAudited solOutAudited'),
  ...each('decimal text', 'ageHour'),
};
const PNL = each('number', 'value valueNative percent percentNative');
const TOKEN_INFO: Shape = { ...each('string', 'token_symbol token_name'), token_decimals: 'integer', token_address: 'address', logo: 'string or null' };
const LOG: Shape = {
  ...each('string', 'action'),
  ...each('address', 'owner'),
  ...each('integer text', 'amount0 amount1'),
  ...each('integer', 'decimal0 decimal1'),
  ...each('decimal text', 'price0 price1 nativePrice'),
  ...each('iso date', 'timestamp'),
};
/** Spec §2.2. */
const PERIODS = ['ALL', '7D', '1M', '3M', '1Y', 'YTD'];
const PERIOD_KEYED = 'avg_inflow total_fee total_pnl avg_inflow_native total_fee_native total_pnl_native win_rate win_rate_native expected_value expected_value_native'.split(' ');
const OVERVIEW: Shape = {
  ...each('address', 'owner'),
  ...each('string', 'chain protocol'),
  ...each('number', 'total_inflow total_outflow total_reward total_inflow_native total_outflow_native total_reward_native'),
  ...each('object', `${PERIOD_KEYED.join(' ')} closed_lp`),
  ...each('number', 'avg_age_hour fee_percent fee_percent_native apr roi roi_avg_inflow roi_avg_inflow_native'),
  ...each('integer text', 'total_lp win_lp win_lp_native opening_lp total_pool'),
  ...each('plain date', 'first_activity last_activity'),
  ...each('plain date without milliseconds', 'updated_at'),
  ...each('number', 'avg_pos_profit avg_pos_profit_native avg_monthly_profit_percent avg_monthly_pnl avg_monthly_inflow avg_monthly_profit_percent_native avg_monthly_pnl_native avg_monthly_inflow_native'),
};
/** Spec §2.3. */
const POOL: Shape = {
  ...each('address', 'pool token0 token1'),
  ...each('string', 'protocol chain token0_symbol token0_name token1_symbol token1_name'),
  ...each('number', 'tvl fee vol_5m vol_1h vol_6h vol_24h base_price quote_price mcap usd_price fdv organic_score top_holder price_5m_change price_1h_change price_6h_change price_24h_change bin_step liquidity_token0 liquidity_token1'),
  ...each('boolean', 'mint_freeze'),
  ...each('iso date', 'created_at updated_at first_pool_created_at'),
  ...each('integer', 'token0_decimals token1_decimals'),
  ...each('object', 'token0_stats token1_stats'),
};
/** Spec §2.4. */
const INFO: Shape = { ...each('string', 'type'), ...each('array', 'tokenInfo feeStats'), ...each('object', 'poolStats poolState poolDb feeInfo liquidityViz'), ...each('number', 'amountX amountY') };
const TOKEN_FACTS: Shape = { ...each('string', 'name symbol icon'), id: 'address', ...each('number', 'decimals mcap fdv usdPrice organicScore holderCount') };
const FEE_INFO = each('number', 'baseFeeRatePercentage maxFeeRatePercentage protocolFeePercentage dynamicFee');
const ACTIVE_BIN: Shape = { binId: 'integer', ...each('decimal text', 'price pricePerToken') };
/** Spec §2.5. */
const LPER: Shape = {
  ...each('address', 'pool owner token0 token1'),
  ...each('string', 'protocol'),
  ...each('number', 'total_inflow avg_inflow total_outflow total_fee total_pnl total_inflow_native avg_inflow_native total_outflow_native total_reward total_fee_native total_reward_native total_pnl_native total_lp avg_age_hour win_lp win_lp_native win_rate win_rate_native fee_percent fee_percent_native apr roi'),
  ...each('iso date', 'first_activity last_activity'),
};
/** Spec §4.7, and the published contract's names. */
const BALANCE: Shape = {
  ...each('address', 'address tokenAddress'),
  ...each('decimal text', 'uiAmount'),
  ...each('integer text', 'rawBalance'),
  ...each('number', 'price balance balanceInUsd'),
  ...each('string', 'symbol'),
  ...each('integer', 'decimals'),
  ...each('string or null', 'logo'),
};

describe('what the service answers, field by field', function () {
  this.timeout(60_000);
  const client = useSandbox();

  it('opening', async () => {
    const body = succeeded(await client().get('/lp-positions/opening', { owner: client().sandbox.owner }));
    const positions = list(body['data'], 5);
    assert.equal(body['count'], positions.length);
    for (const position of positions) {
      fits(OPEN, position, 'position');
      nested(position);
      fits(each('integer', '0 1 2'), Object(position['range']) as Json, 'range');
      fits(each('number', '0 1 2'), Object(position['priceRange']) as Json, 'priceRange');
      fits({ ...each('integer text', 'amount0 amount1'), ...each('number', 'amount0Adjusted amount1Adjusted') }, record(position['current']), 'current');
      list(position['logs'], 1).forEach((log) => fits(LOG, log, 'log'));
      assert.equal(position['status'], 'Open');
      assert.match(String(position['id']), /^[0-9a-f]{32}:[0-9a-f]{96}$/);
      assert.match(String(position['strategyType']), /^(Spot|Curve|BidAsk)ImBalanced$/);
    }
  });

  it('historical', async () => {
    const data = record(succeeded(await client().get('/lp-positions/historical', { owner: client().sandbox.owner }))['data']);
    for (const position of list(data['data'], 10)) {
      fits(CLOSED, position, 'position');
      nested(position);
      assert.equal(position['status'], 'Close');
      assert.equal(position['closeAt'], position['close_At']);
    }
    fits(each('integer', 'currentPage totalPages totalCount pageSize'), record(data['pagination']), 'pagination');
  });

  it('overview', async () => {
    const overview = record(succeeded(await client().get('/lp-positions/overview', { owner: client().sandbox.owner }))['data']);
    fits(OVERVIEW, overview, 'overview');
    for (const name of PERIOD_KEYED) {
      const figures = record(overview[name]);
      assert.deepEqual(Object.keys(figures), PERIODS, name);
      fits(each('number', PERIODS.join(' ')), figures, name);
    }
    const closed = record(overview['closed_lp']);
    assert.deepEqual(Object.keys(closed), PERIODS);
    fits({ ALL: 'integer text', ...each('integer', '7D 1M 3M 1Y YTD') }, closed, 'closed_lp');
  });

  it('discover', async () => {
    const body = succeeded(await client().get('/pools/discover'));
    for (const pool of list(body['data'], 10)) {
      fits(POOL, pool, 'pool');
      for (const name of ['token0_stats', 'token1_stats']) {
        const stats = record(pool[name]);
        fits({ volume: 'object', holders: 'number' }, stats, name);
        for (const span of ['stats1h', 'stats6h', 'stats24h']) {
          fits(each('number', 'volume volume_change'), record(record(stats['volume'])[span]), `${name}.${span}`);
        }
      }
    }
    fits({ ...each('integer', 'currentPage pageSize totalCount totalPages'), ...each('boolean', 'hasNextPage hasPreviousPage') }, record(body['pagination']), 'pagination');
  });

  it('info', async () => {
    for (const { pool } of [await client().pool('SOL/USDC', 4), await client().pool('BONQ/SOL', 25), await client().pool('GIGALAMB/SOL', 250)]) {
      const info = record(succeeded(await client().get(`/pools/${pool}/info`))['data']);
      fits(INFO, info, 'info');
      const tokens = list(info['tokenInfo'], 2);
      assert.equal(tokens.length, 2);
      for (const token of tokens) {
        assert.equal(token['status'], 'success');
        list(token['data'], 1).forEach((facts) => fits(TOKEN_FACTS, facts, 'tokenInfo'));
      }
      fits(FEE_INFO, record(info['feeInfo']), 'feeInfo');
      const shown = record(info['liquidityViz']);
      fits(ACTIVE_BIN, record(shown['activeBin']), 'activeBin');
      list(shown['bins'], 70).forEach((bin) => fits({ ...ACTIVE_BIN, ...each('number', 'xAmount yAmount') }, bin, 'bin'));
      assert.ok(list(info['feeStats'], 1).length <= 7 * 24);
    }
  });

  it('top-lpers', async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const body = succeeded(await client().get(`/pools/${pool}/top-lpers`));
    list(body['data'], 20).forEach((lper) => fits(LPER, lper, 'lper'));
    fits({ ...each('integer', 'page pageSize totalCount totalPages'), hasNextPage: 'boolean' }, record(body['pagination']), 'pagination');
  });

  it('token balance', async () => {
    list(succeeded(await client().get('/token/balance', { owner: client().sandbox.owner }))['data'], 3).forEach((item) => fits(BALANCE, item, 'balance'));
  });

  it('decrease-quotes, decrease-tx and landing-decrease-tx', async () => {
    const position = await client().positionIn('SOL/USDC');
    const quote = record(succeeded(await client().post('/position/decrease-quotes', { id: position.id, bps: 5_000 }))['data']);
    fits(each('number', 'token0 token1'), record(quote['price']), 'price');

    const request = { position_id: position.id, bps: 5_000, owner: client().sandbox.owner, slippage_bps: 500, output: 'allBaseToken' };
    const built = record(succeeded(await client().post('/position/decrease-tx', request))['data']);
    fits({ ...each('integer', 'lastValidBlockHeight lastValidBlock'), ...each('array', 'closeTxs swapTxs closeTxsWithJito swapTxsWithJito') }, built, 'decrease-tx');
    assert.equal(built['lastValidBlock'], built['lastValidBlockHeight']);

    const landed = record(succeeded(await client().landDecrease(await client().decrease(position.id, 5_000)))['data']);
    fits(each('string', 'method signature'), landed, 'landing');
    assert.equal(landed['method'], 'JITO');
  });

  it('add-tx and landing-add-tx', async () => {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    const request = { stratergy: 'Curve', inputSOL: 0.5, percentX: 0.5, fromBinId: active - 30, toBinId: active + 30, owner: client().sandbox.owner, slippage_bps: 300, mode: 'zap-in' };
    const built = record(succeeded(await client().post(`/pools/${pool}/add-tx`, request))['data']);
    fits({ lastValidBlockHeight: 'integer', ...each('array', 'swapTxsWithJito addLiquidityTxsWithJito'), meta: 'object' }, built, 'add-tx');
    fits({ positionPubKey: 'address' }, record(built['meta']), 'meta');

    const landed = record(succeeded(await client().landAdd(await client().add(pool, request)))['data']);
    fits(each('string', 'method signature'), landed, 'landing');
  });

  function nested(position: Json): void {
    fits(PNL, record(position['pnl']), 'pnl');
    fits(TOKEN_INFO, record(position['token0Info']), 'token0Info');
    fits(TOKEN_INFO, record(position['token1Info']), 'token1Info');
    fits({ fee: 'number', tickSpacing: 'integer' }, record(position['poolInfo']), 'poolInfo');
  }
});

/** Every field of the shape is there and is what it says. */
function fits(shape: Shape, given: Json, what: string): void {
  for (const [name, kind] of Object.entries(shape)) {
    assert.ok(name in given, `${what} has no ${name}`);
    assert.ok(CHECKS[kind](given[name]), `${what}.${name} is ${JSON.stringify(given[name])}, which is no ${kind}`);
  }
}

function succeeded({ status, body }: Answer): Json {
  assert.equal(status, 200, JSON.stringify(body).slice(0, 400));
  const answer = record(body);
  assert.equal(answer['status'], 'success');
  return answer;
}

function record(value: unknown): Json {
  assert.ok(CHECKS.object(value), `${JSON.stringify(value)} is not an object`);
  return value as Json;
}

function list(value: unknown, atLeast: number): readonly Json[] {
  assert.ok(Array.isArray(value) && value.length >= atLeast, `not a list of at least ${atLeast}`);
  return value.map(record);
}
