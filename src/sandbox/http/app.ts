import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { failure, failureOf, type OnFault } from '../../server/answers';
import type { Engine, ProtocolNames } from '../../server/engine';
import { ownHostOnly, type RateLimit, withApiKey, withRateLimit } from '../../server/guards';
import { BASE_PATH, ADMIN_PATH, RPC_PATH } from '../../server/listen';
import { positionRoutes, tokenRoutes } from '../../server/ownerRoutes';
import { poolRoutes } from '../../server/poolRoutes';
import { entryRoutes, withdrawalRoutes } from '../../server/transactionRoutes';
import type { EngineOperations } from '../market/engine/marketEngine';
import { adminRoutes, type AdminApi } from './adminApi';
import type { FaultBoard } from './faultRules';
import { type SandboxBindings, withFaults } from './faults';

/** Enough for a hundred transactions in base64, 5,464 characters each at the most. */
const MAX_BODY_BYTES = 640 * 1_024;

const RESET_PATH = `${ADMIN_PATH}/reset`;

/** Parts of the app. */
export interface AppOptions {
  /** The present engine; a reset replaces it. */
  readonly engine: () => Engine;
  /** The build stages of the present engine, for hostile faults. */
  readonly operations: () => EngineOperations;
  readonly protocols: ProtocolNames;
  /** Answers the JSON body of a JSON-RPC request, single or batch, with JSON. */
  readonly answerRpc: (body: string) => string;
  readonly adminApi: AdminApi;
  readonly faults: FaultBoard;
  readonly rateLimit: RateLimit;
  readonly apiKey: string;
  readonly onFault: OnFault;
  /** Aborted when the sandbox stops. */
  readonly stopped: AbortSignal;
}

/** The service over HTTP, with Solana's JSON-RPC and the admin API beside it. */
export function createApp(options: AppOptions): Hono<SandboxBindings> {
  const { engine, operations, protocols, answerRpc, adminApi, faults, rateLimit, apiKey, onFault, stopped } = options;
  const engineOf = (context: Context<SandboxBindings>): Engine => (context.get('decorate') ?? ((honest): Engine => honest))(engine());
  // Many RPC clients add a trailing slash before the query.
  const app = new Hono<SandboxBindings>({ strict: false });
  app.use(ownHostOnly());
  app.use(withApiKey(apiKey));
  app.use(withRateLimit(rateLimit));
  app.use(withFaults(faults, operations, stopped));
  app.use(
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (context) => failure(context, 413, `The body is larger than ${MAX_BODY_BYTES} bytes`) }),
  );
  app.use(async (context, next) => {
    // A reset replaces the world, so it does not advance the old one first, which may be damaged.
    if (context.req.path !== RESET_PATH) {
      await engine().advance();
    }
    await next();
  });
  app.route(`${BASE_PATH}/lp-positions`, positionRoutes(engineOf));
  app.route(`${BASE_PATH}/position`, withdrawalRoutes(engineOf, protocols));
  app.route(`${BASE_PATH}/pools`, poolRoutes(engineOf, protocols));
  app.route(`${BASE_PATH}/pools`, entryRoutes(engineOf));
  app.route(`${BASE_PATH}/token`, tokenRoutes(engineOf));
  // Failures are answered with status 200, as JSON-RPC requires.
  app.post(RPC_PATH, async (context) => context.body(answerRpc(await context.req.text()), 200, { 'content-type': 'application/json' }));
  app.route(ADMIN_PATH, adminRoutes(adminApi, faults, rateLimit));
  app.notFound((context) => failure(context, 404, `There is no ${context.req.method} ${context.req.path}`));
  app.onError((error, context) => failureOf(context, error, onFault));
  return app;
}
