import { Hono } from 'hono';
import * as z from 'zod';
import type { EngineOf } from './engine';
import { success } from './answers';
import { addressNamed, readParameters, wordsIn } from './parameters';

const BALANCE = z.object({ owner: addressNamed('owner'), ca: z.string().default('') });

/** Routes under /token. */
export function tokenRoutes(engine: EngineOf): Hono {
  const routes = new Hono();
  routes.get('/balance', async (context) => {
    const { owner, ca } = readParameters(BALANCE, context.req.query());
    const mints = wordsIn(ca);
    return success(context, { data: await engine(context).tokenBalance(owner, mints.length === 0 ? undefined : mints) });
  });
  return routes;
}
