import type { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { type OnFault, success } from '../engine/http/answers';
import { createServiceApp } from '../engine/http/app';
import type { Engine } from '../engine/engine';
import { BASE_PATH, isUnder } from '../engine/http/listen';
import { leaseRoute } from '../engine/process/lease';

/** Path of the status of the process. */
export const STATUS_PATH = '/status';

const LEASE_PATH = '/lease';

/** Parts of the app. */
export interface ChainAppOptions {
  readonly engine: Engine;
  readonly apiKey: string;
  /** The status of the process, without secrets. */
  readonly status: () => object;
  /** Takes a lease. @returns ends it */
  readonly holdLease: () => () => void;
  readonly onFault: OnFault;
}

/** The service over HTTP, with the status of the process and the leases. */
export function createChainApp({ engine, apiKey, status, holdLease, onFault }: ChainAppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = createServiceApp<{ Bindings: HttpBindings }>({
    engineOf: () => engine,
    protocols: engine.protocols,
    apiKey,
    guards: [],
    before: async ({ req }) => {
      // The status is available even while the RPC is not.
      if (isUnder(req.path, BASE_PATH)) {
        await engine.advance();
      }
    },
    onFault,
  });
  app.get(STATUS_PATH, (context) => success(context, { data: status() }));
  app.get(LEASE_PATH, leaseRoute(holdLease));
  return app;
}
