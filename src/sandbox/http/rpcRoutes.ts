import { Hono } from 'hono';
import type { Eventually } from '../../server/engine';

/** Answers the body of a JSON-RPC request, a single one or a batch, with the body of its answer: JSON both. */
export type AnswerRpc = (body: string) => Eventually<string>;

/** Solana's JSON-RPC. Its failures are answered with status 200, as it has it. */
export function rpcRoutes(answer: AnswerRpc): Hono {
  const routes = new Hono();
  routes.post('/', async (context) => context.body(await answer(await context.req.text()), 200, { 'content-type': 'application/json' }));
  return routes;
}
