import { Hono } from 'hono';
import * as z from 'zod';
import type { DiscoverBound, DiscoverParameters, Engine } from '../engine';
import { LPER_COLUMNS } from '../wire/pools';
import { success } from './answers';
import { addressNamed, queryNumberNamed, readParameters, wordNamed } from './parameters';

const POOL_TYPES = ['all', 'meteora', 'meteora_damm_v2'] as const;
const BOUNDS = ['market_cap', 'bin_step', 'organic_score', 'base_fee', 'age_hr', 'liquidity', '24h_fees', '24h_vol', '1h_vol'] as const satisfies readonly DiscoverBound[];

const bound = (edge: 'min' | 'max', of: DiscoverBound): z.ZodType<number | undefined> => queryNumberNamed(`${edge}_${of}`, {}).optional();

const DISCOVER = z.object({
  chain: z.string().default('SOL'),
  sortBy: wordNamed('sortBy', ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility']).default('mcap'),
  sortOrder: wordNamed('sortOrder', ['asc', 'desc', 'default']).default('desc'),
  page: queryNumberNamed('page', { least: 1, whole: true }).default(1),
  pageSize: queryNumberNamed('pageSize', { least: 1, most: 100, whole: true }).default(10),
  feeTVLInterval: wordNamed('feeTVLInterval', ['5m', '1h', '6h', '24h']).default('24h'),
  quote_token: addressNamed('quote_token').optional(),
  search: z.string().optional(),
  type: wordNamed('type', POOL_TYPES).default('all'),
  ...Object.fromEntries(BOUNDS.flatMap((of) => [[`min_${of}`, bound('min', of)], [`max_${of}`, bound('max', of)]])),
});

const TOP_LPERS = z.object({
  order_by: wordNamed('order_by', LPER_COLUMNS).default('total_pnl'),
  sort_order: wordNamed('sort_order', ['asc', 'desc']).default('desc'),
  page: queryNumberNamed('page', { least: 1, whole: true }).default(1),
  limit: queryNumberNamed('limit', { least: 1, most: 100, whole: true }).default(20),
});

/** What is read under /pools. Names that clients use by mistake are taken for the right ones. */
export function poolRoutes(engine: Engine): Hono {
  const routes = new Hono();
  routes.get('/discover', async (context) => {
    const { limit, ...query } = context.req.query();
    return success(context, await engine.discover(discoverParameters(readParameters(DISCOVER, { pageSize: limit, ...query }))));
  });
  routes.get('/:poolId/info', async (context) => success(context, { data: await engine.poolInfo(context.req.param('poolId')) }));
  routes.get('/:poolId/top-lpers', async (context) => {
    const { pageSize, ...query } = context.req.query();
    const { order_by, sort_order, page, limit } = readParameters(TOP_LPERS, { limit: pageSize, ...query });
    const pool = context.req.param('poolId');
    return success(context, await engine.topLpers({ pool, orderBy: order_by, sortOrder: sort_order, page, pageSize: limit }));
  });
  return routes;
}

function discoverParameters(query: z.output<typeof DISCOVER>): DiscoverParameters {
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
    protocol: query.type === 'all' ? undefined : query.type,
    bounds: BOUNDS.map((of) => ({ of, least: at(`min_${of}`), most: at(`max_${of}`) })),
  };
}
