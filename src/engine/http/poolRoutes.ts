import { Hono } from 'hono';
import * as z from 'zod';
import { MAX_BIN_ID, MAX_BINS_PER_POSITION, MIN_BIN_ID, widthOf } from '../../base/dlmm/bins';
import { success } from './answers';
import {
  type CandlesParameters,
  type CountersParameters,
  type DiscoverBound,
  type DiscoverParameters,
  EngineError,
  type EngineOf,
  type ProtocolNames,
} from '../engine';
import { CANDLE_SECONDS } from '../records/candles';
import {
  anyTextParameter,
  optionalAddressParameter,
  pageParameter,
  queryNumberParameter,
  readParameters,
  wordParameter,
} from './parameters';
import { CANDLE_TIMEFRAMES } from '../wire/candles';
import { LPER_COLUMNS, POOL_POSITION_COLUMNS } from '../wire/pools';

const ALL = 'all';
const BOUNDS = [
  'market_cap',
  'bin_step',
  'organic_score',
  'base_fee',
  'age_hr',
  'liquidity',
  '24h_fees',
  '24h_vol',
  '1h_vol',
] as const satisfies readonly DiscoverBound[];

const bound = (edge: 'min' | 'max', of: DiscoverBound): z.ZodType<number | undefined> =>
  queryNumberParameter(`${edge}_${of}`, {}).optional();

const FIXED = z.object({
  chain: z.string().default('SOL'),
  sortBy: wordParameter('sortBy', ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility']).default('mcap'),
  sortOrder: wordParameter('sortOrder', ['asc', 'desc', 'default']).default('desc'),
  page: pageParameter('page'),
  pageSize: queryNumberParameter('pageSize', { min: 1, max: 100, isInteger: true }).default(10),
  feeTVLInterval: wordParameter('feeTVLInterval', ['5m', '1h', '6h', '24h']).default('24h'),
  quote_token: optionalAddressParameter('quote_token'),
  search: anyTextParameter('search').optional(),
  ...Object.fromEntries(
    BOUNDS.flatMap((of) => [
      [`min_${of}`, bound('min', of)],
      [`max_${of}`, bound('max', of)],
    ]),
  ),
});

/** Query parameters of discover; the protocol names are values of `type`. */
function discoverSchema({ bins, product }: ProtocolNames): DiscoverSchema {
  return FIXED.extend({ type: wordParameter('type', [ALL, bins, product]).default(ALL) });
}
type DiscoverSchema = ReturnType<typeof FIXED.extend<{ type: z.ZodType<string> }>>;

/** Reads the query of discover; the default order is descending. @throws EngineError that names the parameter */
function readDiscover(schema: DiscoverSchema, given: unknown): DiscoverParameters {
  const query = readParameters(schema, given);
  const numbers: Readonly<Record<string, unknown>> = query;
  const at = (name: string): number | undefined => (typeof numbers[name] === 'number' ? numbers[name] : undefined);
  return {
    chain: query.chain,
    sortBy: query.sortBy,
    sortOrder: query.sortOrder === 'asc' ? 'asc' : 'desc',
    page: query.page,
    pageSize: query.pageSize,
    feeTvlInterval: query.feeTVLInterval,
    quoteToken: query.quote_token,
    search: query.search,
    protocol: query.type === ALL ? undefined : query.type,
    bounds: BOUNDS.map((of) => ({ of, min: at(`min_${of}`), max: at(`max_${of}`) })),
  };
}

const MOST_CANDLES = 1_000;
/** The year 5138: larger numbers are milliseconds. */
const LAST_SECOND = 100_000_000_000;

const second = (name: string): z.ZodType<number> => queryNumberParameter(name, { min: 0, max: LAST_SECOND, isInteger: true });
const CANDLES = z.object({
  timeframe: wordParameter('timeframe', CANDLE_TIMEFRAMES).default('1h'),
  from: second('from'),
  to: second('to'),
});

/** Reads the query of candles. @throws EngineError that names the parameter */
function readCandles(given: unknown): Omit<CandlesParameters, 'pool'> {
  const { timeframe, from, to } = readParameters(CANDLES, given);
  if (from > to || to - from >= MOST_CANDLES * CANDLE_SECONDS[timeframe]) {
    throw new EngineError('invalid', `from and to must span at most ${MOST_CANDLES} candles, and from must not be after to`);
  }
  return { timeframe, fromS: from, toS: to };
}

const binId = (name: string): z.ZodType<number | undefined> =>
  queryNumberParameter(name, { min: MIN_BIN_ID, max: MAX_BIN_ID, isInteger: true }).optional();
const COUNTERS = z.object({
  fromBinId: binId('fromBinId'),
  toBinId: binId('toBinId'),
  from: second('from').optional(),
  to: second('to').optional(),
  position: optionalAddressParameter('position'),
});

/** Reads the query of counters. @throws EngineError that names the parameter */
function readCounters(given: unknown): Omit<CountersParameters, 'pool'> {
  const { fromBinId, toBinId, from: fromS, to: toS, position } = readParameters(COUNTERS, given);
  if ((fromBinId === undefined) !== (toBinId === undefined)) {
    throw new EngineError('invalid', 'fromBinId and toBinId belong together');
  }
  const range = fromBinId === undefined || toBinId === undefined ? undefined : { fromBinId, toBinId };
  if (range !== undefined && (range.fromBinId > range.toBinId || widthOf(range) > MAX_BINS_PER_POSITION)) {
    throw new EngineError('invalid', `fromBinId and toBinId must be 1 to ${MAX_BINS_PER_POSITION} bins, in order`);
  }
  if (fromS !== undefined && toS !== undefined && fromS > toS) {
    throw new EngineError('invalid', 'from must not be after to');
  }
  return { range, fromS, toS, position };
}

const POSITIONS = z.object({
  owner: optionalAddressParameter('owner'),
  status: wordParameter('status', ['Open', 'Close']).optional(),
  page: pageParameter('page'),
  pageSize: queryNumberParameter('pageSize', { min: 1, max: 20, isInteger: true }).default(20),
  order_by: wordParameter('order_by', POOL_POSITION_COLUMNS).default('inputNative'),
  sort_order: wordParameter('sort_order', ['asc', 'desc']).default('desc'),
  pnl_threshold: queryNumberParameter('pnl_threshold', {}).optional(),
  pnl_native_threshold: queryNumberParameter('pnl_native_threshold', {}).optional(),
});

const TOP_LPERS = z.object({
  order_by: wordParameter('order_by', LPER_COLUMNS).default('total_pnl'),
  sort_order: wordParameter('sort_order', ['asc', 'desc']).default('desc'),
  page: pageParameter('page'),
  limit: queryNumberParameter('limit', { min: 1, max: 100, isInteger: true }).default(20),
});

/** Reading routes under /pools. Parameter names that clients confuse are accepted. */
export function poolRoutes(engine: EngineOf, protocols: ProtocolNames): Hono {
  const discover = discoverSchema(protocols);
  const routes = new Hono();
  routes.get('/discover', async (context) => {
    const { limit, ...query } = context.req.query();
    return success(context, await engine(context).discover(readDiscover(discover, { pageSize: limit, ...query })));
  });
  routes.get('/:poolId/info', async (context) => success(context, { data: await engine(context).poolInfo(context.req.param('poolId')) }));
  routes.get('/:poolId/candles', async (context) => {
    const span = readCandles(context.req.query());
    return success(context, { data: await engine(context).candles({ pool: context.req.param('poolId'), ...span }) });
  });
  routes.get('/:poolId/counters', async (context) => {
    const asked = readCounters(context.req.query());
    return success(context, { data: await engine(context).counters({ pool: context.req.param('poolId'), ...asked }) });
  });
  routes.get('/:poolId/positions', async (context) => {
    const { limit, ...query } = context.req.query();
    const { owner, status, page, pageSize, order_by, sort_order, pnl_threshold, pnl_native_threshold } = readParameters(POSITIONS, {
      pageSize: limit,
      ...query,
    });
    const positions = await engine(context).poolPositions({
      pool: context.req.param('poolId'),
      owner,
      status,
      orderBy: order_by,
      sortOrder: sort_order,
      page,
      pageSize,
      minPnlUsd: pnl_threshold,
      minPnlNative: pnl_native_threshold,
    });
    return success(context, { data: positions });
  });
  routes.get('/:poolId/onchain-stats', async (context) =>
    success(context, { data: await engine(context).onchainStats(context.req.param('poolId')) }),
  );
  routes.get('/:poolId/top-lpers', async (context) => {
    const { pageSize, ...query } = context.req.query();
    const { order_by, sort_order, page, limit } = readParameters(TOP_LPERS, { limit: pageSize, ...query });
    return success(
      context,
      await engine(context).topLpers({
        pool: context.req.param('poolId'),
        orderBy: order_by,
        sortOrder: sort_order,
        page,
        pageSize: limit,
      }),
    );
  });
  return routes;
}
