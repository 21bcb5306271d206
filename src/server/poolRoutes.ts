import { Hono } from 'hono';
import * as z from 'zod';
import type { EngineOf, ProtocolNames } from './engine';
import { POOL_POSITION_COLUMNS } from './wire/poolPositions';
import { LPER_COLUMNS } from './wire/pools';
import { success } from './answers';
import { discoverSchema, readDiscover } from './discoverParameters';
import { optionalAddressNamed, pageNamed, queryNumberNamed, readParameters, wordNamed } from './parameters';

const POSITIONS = z.object({
  owner: optionalAddressNamed('owner'),
  status: wordNamed('status', ['Open', 'Close']).optional(),
  page: pageNamed('page'),
  pageSize: queryNumberNamed('pageSize', { least: 1, most: 20, whole: true }).default(20),
  order_by: wordNamed('order_by', POOL_POSITION_COLUMNS).default('inputNative'),
  sort_order: wordNamed('sort_order', ['asc', 'desc']).default('desc'),
  pnl_threshold: queryNumberNamed('pnl_threshold', {}).optional(),
  pnl_native_threshold: queryNumberNamed('pnl_native_threshold', {}).optional(),
});

const TOP_LPERS = z.object({
  order_by: wordNamed('order_by', LPER_COLUMNS).default('total_pnl'),
  sort_order: wordNamed('sort_order', ['asc', 'desc']).default('desc'),
  page: pageNamed('page'),
  limit: queryNumberNamed('limit', { least: 1, most: 100, whole: true }).default(20),
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
      leastPnlUsd: pnl_threshold,
      leastPnlNative: pnl_native_threshold,
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
