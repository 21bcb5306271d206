import type { Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Env, Hono } from 'hono';

const HOST = '127.0.0.1';

/** A listening server. */
export interface Listening {
  /** "http://127.0.0.1:4100" */
  readonly origin: string;
  /** Closes all connections and stops listening. */
  readonly close: () => Promise<void>;
}

/** Serves an app on 127.0.0.1 only. @param port 0: any free port @throws Error if the port is taken */
export async function listen<Served extends Env & { Bindings: HttpBindings }>(app: Hono<Served>, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: HOST }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port');
  }
  return { origin: `http://${HOST}:${address.port}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Base path of the service, with its version. */
export const BASE_PATH = '/open-api/v1';

/** Base path of the admin API. */
export const ADMIN_PATH = '/sandbox';

/** Path of Solana's JSON-RPC. */
export const RPC_PATH = '/rpc';

/** Returns true if a request path equals `folder` or is below it. */
export function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
