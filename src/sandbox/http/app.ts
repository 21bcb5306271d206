import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Engine } from '../engine';
import { failure, failureOf } from './answers';
import { controlRoutes, type Controls } from './controlRoutes';
import { ownHostOnly, withApiKey } from './guards';
import { poolRoutes } from './poolRoutes';
import { positionRoutes } from './positionRoutes';
import { tokenRoutes } from './tokenRoutes';
import { transactionRoutes } from './transactionRoutes';

/** The path under which the service lives, version included. */
export const BASE_PATH = '/open-api/v1';

/** A hundred transactions in base64 and some more. */
const MOST_BODY_BYTES = 512 * 1_024;

/** What the routes talk to. */
export interface AppOptions {
  readonly engine: Engine;
  readonly controls: Controls;
  readonly apiKey: string;
  readonly log: (message: string) => void;
}

/** The service over HTTP, and the sandbox's own controls beside it. */
export function createApp({ engine, controls, apiKey, log }: AppOptions): Hono {
  const app = new Hono();
  app.use(ownHostOnly());
  app.use(withApiKey(apiKey));
  app.use(
    bodyLimit({
      maxSize: MOST_BODY_BYTES,
      onError: (context) => failure(context, 413, `The body is larger than ${MOST_BODY_BYTES} bytes`),
    }),
  );
  app.use(async (_context, next) => {
    engine.advance();
    await next();
  });
  app.route(`${BASE_PATH}/lp-positions`, positionRoutes(engine));
  app.route(`${BASE_PATH}/pools`, poolRoutes(engine));
  app.route(`${BASE_PATH}/token`, tokenRoutes(engine));
  app.route(BASE_PATH, transactionRoutes(engine));
  app.route('/sandbox', controlRoutes(controls));
  app.notFound((context) => failure(context, 404, `There is no ${context.req.method} ${context.req.path}`));
  app.onError((error, context) => failureOf(context, error, log));
  return app;
}
