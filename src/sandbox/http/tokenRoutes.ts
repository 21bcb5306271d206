import { Hono } from 'hono';
import * as z from 'zod';
import type { Engine } from '../engine';
import { success } from './answers';
import { addressNamed, readParameters } from './parameters';

const BALANCE = z.object({ owner: addressNamed('owner'), ca: z.string().optional() });

/** Everything under /token. */
export function tokenRoutes(engine: Engine): Hono {
  const routes = new Hono();
  routes.get('/balance', async (context) => {
    const { owner, ca } = readParameters(BALANCE, context.req.query());
    const mints = ca?.split(',').map((mint) => mint.trim()).filter((mint) => mint !== '');
    return success(context, { data: await engine.tokenBalance(owner, mints?.length === 0 ? undefined : mints) });
  });
  return routes;
}
