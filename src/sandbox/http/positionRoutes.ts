import { Hono } from 'hono';
import * as z from 'zod';
import type { Engine } from '../engine';
import { success } from './answers';
import { addressNamed, dateNamed, queryNumberNamed, readParameters, textNamed } from './parameters';

const DEFAULT_PROTOCOL = 'meteora';
const DEFAULT_PAGE_SIZE = 20;
/** The contract names no maximum; clients ask for 50 and 100. */
const MOST_PAGE_SIZE = 1_000;

const OWNER = z.object({ owner: addressNamed('owner') });
const OVERVIEW = OWNER.extend({ protocol: textNamed('protocol').default(DEFAULT_PROTOCOL) });
const HISTORICAL = OWNER.extend({
  from_date: dateNamed('from_date', 'first').optional(),
  to_date: dateNamed('to_date', 'last').optional(),
  page: queryNumberNamed('page', { least: 1, whole: true }).default(1),
  limit: queryNumberNamed('limit', { least: 1, most: MOST_PAGE_SIZE, whole: true }).default(DEFAULT_PAGE_SIZE),
});

/** Everything under /lp-positions. Names that clients use by mistake are taken for the right ones. */
export function positionRoutes(engine: Engine): Hono {
  const routes = new Hono();
  routes.get('/opening', async (context) => {
    const { owner } = readParameters(OWNER, context.req.query());
    return success(context, await engine.opening(owner));
  });
  routes.get('/historical', async (context) => {
    const { pageSize, startDate, endDate, ...query } = context.req.query();
    const { owner, from_date, to_date, page, limit } = readParameters(HISTORICAL, { limit: pageSize, from_date: startDate, to_date: endDate, ...query });
    return success(context, { data: await engine.historical({ owner, from: from_date, to: to_date, page, pageSize: limit }) });
  });
  routes.get('/overview', async (context) => {
    const { owner, protocol } = readParameters(OVERVIEW, context.req.query());
    return success(context, { data: await engine.overview(owner, protocol) });
  });
  return routes;
}
