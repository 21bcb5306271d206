import { type Context, type Env, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { failure, failureOf, type OnFault } from './answers';
import type { Engine, ProtocolNames } from '../engine';
import { ownHostOnly, ownOriginOnly, withApiKey } from './guards';
import { BASE_PATH } from './listen';
import { positionRoutes, tokenRoutes } from './ownerRoutes';
import { poolRoutes } from './poolRoutes';
import { entryRoutes, positionOperationRoutes, swapRoutes } from './transactionRoutes';

/** Enough for a hundred transactions in base64, 5,464 characters each at the most. */
const MAX_BODY_BYTES = 640 * 1_024;

/** Parts of the app. */
export interface ServiceAppOptions<Served extends Env> {
  /** The engine that answers a request. */
  readonly engineOf: (context: Context<Served>) => Engine;
  readonly protocols: ProtocolNames;
  readonly apiKey: string;
  /** Run after the API key is checked and before the body is read. */
  readonly guards: readonly MiddlewareHandler<Served>[];
  /** Runs before every request, such as {@link Engine.advance}. */
  readonly before: (context: Context<Served>) => Promise<void>;
  readonly onFault: OnFault;
}

/** The service over HTTP: routes, guards and the form of failures. The caller may add routes, which are guarded, too. */
export function createServiceApp<Served extends Env>(options: ServiceAppOptions<Served>): Hono<Served> {
  const { engineOf, protocols, apiKey, guards, before, onFault } = options;
  // Many RPC clients add a trailing slash before the query.
  const app = new Hono<Served>({ strict: false });
  app.use(ownHostOnly());
  app.use(withApiKey(apiKey));
  app.use(ownOriginOnly());
  guards.forEach((guard) => app.use(guard));
  app.use(
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (context) => failure(context, 413, `The body is larger than ${MAX_BODY_BYTES} bytes`) }),
  );
  app.use(async (context, next) => {
    await before(context);
    await next();
  });
  app.route(`${BASE_PATH}/lp-positions`, positionRoutes(engineOf));
  app.route(`${BASE_PATH}/position`, positionOperationRoutes(engineOf, protocols));
  app.route(`${BASE_PATH}/pools`, poolRoutes(engineOf, protocols));
  app.route(`${BASE_PATH}/pools`, entryRoutes(engineOf));
  app.route(`${BASE_PATH}/token`, tokenRoutes(engineOf));
  app.route(`${BASE_PATH}/token`, swapRoutes(engineOf));
  app.notFound((context) => failure(context, 404, `There is no ${context.req.method} ${context.req.path}`));
  app.onError((error, context) => failureOf(context, error, onFault));
  return app;
}
