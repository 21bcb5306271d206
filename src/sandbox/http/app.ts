import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Engine } from '../engine';
import { failure, failureOf, type OnFault } from './answers';
import { controlRoutes, type Controls } from './controlRoutes';
import { entryRoutes } from './entryRoutes';
import type { FaultBoard } from './faultBoard';
import { withFaults, type ServerBindings } from './faults';
import { ownHostOnly, withApiKey } from './guards';
import { BASE_PATH, CONTROL_PATH, RPC_PATH } from './paths';
import { poolRoutes } from './poolRoutes';
import { positionRoutes } from './positionRoutes';
import { withRateLimit, type RateLimit } from './rateLimit';
import { rpcRoutes, type AnswerRpc } from './rpcRoutes';
import { tokenRoutes } from './tokenRoutes';
import { withdrawalRoutes } from './withdrawalRoutes';

/** A hundred transactions in base64 and some more. */
const MOST_BODY_BYTES = 512 * 1_024;

/** What the routes talk to. */
export interface AppOptions {
  /** The present one: a reset puts another one in its place. All of them name their protocols alike. */
  readonly engine: () => Engine;
  readonly answerRpc: AnswerRpc;
  readonly controls: Controls;
  readonly faults: FaultBoard;
  readonly rateLimit: RateLimit;
  readonly apiKey: string;
  readonly onFault: OnFault;
}

/** The service over HTTP, Solana's JSON-RPC, and the sandbox's own controls beside them. */
export function createApp({ engine, answerRpc, controls, faults, rateLimit, apiKey, onFault }: AppOptions): Hono<ServerBindings> {
  const app = new Hono<ServerBindings>();
  app.use(ownHostOnly());
  app.use(withApiKey(apiKey));
  app.use(withRateLimit(rateLimit));
  app.use(withFaults(faults));
  app.use(
    bodyLimit({
      maxSize: MOST_BODY_BYTES,
      onError: (context) => failure(context, 413, `The body is larger than ${MOST_BODY_BYTES} bytes`),
    }),
  );
  app.use(async (_context, next) => {
    await engine().advance();
    await next();
  });
  app.route(`${BASE_PATH}/lp-positions`, positionRoutes(engine));
  app.route(`${BASE_PATH}/position`, withdrawalRoutes(engine));
  app.route(`${BASE_PATH}/pools`, poolRoutes(engine));
  app.route(`${BASE_PATH}/pools`, entryRoutes(engine));
  app.route(`${BASE_PATH}/token`, tokenRoutes(engine));
  app.route(RPC_PATH, rpcRoutes(answerRpc));
  app.route(CONTROL_PATH, controlRoutes(controls, faults, rateLimit));
  app.notFound((context) => failure(context, 404, `There is no ${context.req.method} ${context.req.path}`));
  app.onError((error, context) => failureOf(context, error, onFault));
  return app;
}
