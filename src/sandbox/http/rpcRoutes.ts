import { Hono } from 'hono';
import type { Eventually } from '../../server/engine';

/** Answers the JSON body of a JSON-RPC request, single or batch, with the JSON body of the answer. */
export type AnswerRpc = (body: string) => Eventually<string>;

/** Solana's JSON-RPC. Failures are answered with status 200, as the protocol requires. */
export function rpcRoutes(answer: AnswerRpc): Hono {
  const routes = new Hono();
  routes.post('/', async (context) => context.body(await answer(await context.req.text()), 200, { 'content-type': 'application/json' }));
  return routes;
}
