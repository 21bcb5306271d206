import type { Context, Hono } from 'hono';
import type { OnFault } from '../../engine/http/answers';
import { createServiceApp } from '../../engine/http/app';
import type { Engine, ProtocolNames } from '../../engine/engine';
import { type RateLimit, withRateLimit } from '../../engine/http/guards';
import { ADMIN_PATH, RPC_PATH } from '../../engine/http/listen';
import type { EngineOperations } from '../market/engine/marketEngine';
import { adminRoutes, type AdminApi } from './adminApi';
import type { FaultBoard } from './faultRules';
import { type SandboxBindings, withFaults } from './faults';

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
  const app = createServiceApp<SandboxBindings>({
    engineOf: (context: Context<SandboxBindings>) => (context.get('decorate') ?? ((honest): Engine => honest))(engine()),
    protocols,
    apiKey,
    guards: [withRateLimit(rateLimit), withFaults(faults, operations, stopped)],
    before: async (context) => {
      // A reset replaces the world, so it does not advance the old one first, which may be damaged.
      if (context.req.path !== RESET_PATH) {
        await engine().advance();
      }
    },
    onFault,
  });
  // Failures are answered with status 200, as JSON-RPC requires.
  app.post(RPC_PATH, async (context) => context.body(answerRpc(await context.req.text()), 200, { 'content-type': 'application/json' }));
  app.route(ADMIN_PATH, adminRoutes(adminApi, faults, rateLimit));
  return app;
}
