import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Arguments } from './arguments';
import { EngineError } from './engine';
import { BASE_PATH, createApp } from './http/app';
import type { Controls } from './http/controlRoutes';
import { ownerOf } from './identity';
import type { ReadyLine } from './instance';
import { LeaseKeeper } from './lease';
import { MarketEngine } from './market/marketEngine';
import { documentsOf, newContents, savedContents, type Contents } from './saved';
import { Store } from './store';

const HOST = '127.0.0.1';
const TICK_MS = 1_000;
/** The market is written down this often; what lands is written down at once. */
const KEEP_EVERY_MS = 15_000;
const FIRST_LEASE_MS = 60_000;

/** A sandbox that serves. */
export interface RunningSandbox {
  readonly line: ReadyLine;
  /** Resolves when nobody holds a lease any more; never without `--lease`. */
  readonly abandoned: Promise<void>;
  /** Ends all connections, writes everything down and closes the store. */
  stop(): Promise<void>;
}

/** Opens the world in a folder that is this process's alone, or makes a new one, and serves it. */
export async function startSandbox(options: Arguments, log: (message: string) => void): Promise<RunningSandbox> {
  const store = Store.open(options.data);
  try {
    return await serve(store, openContents(store, options, log), options, log);
  } catch (error) {
    store.close();
    throw error;
  }
}

function openContents(store: Store, { seed, priceSpeed }: Arguments, log: (message: string) => void): Contents {
  const random = (byteCount: number): Uint8Array => new Uint8Array(randomBytes(byteCount));
  const documents = store.documents();
  const contents = documents.size === 0 ? newContents({ seed, priceSpeed, random }) : savedContents(documents, { priceSpeed, random });
  if (contents.identity.seed !== seed) {
    log(`The folder holds a world made from seed ${contents.identity.seed}; it goes on, and seed ${seed} counts for nothing.`);
  }
  store.write(documentsOf(contents));
  return contents;
}

async function serve(store: Store, contents: Contents, options: Arguments, log: (message: string) => void): Promise<RunningSandbox> {
  const { identity, clock, market, chain, issued } = contents;
  const keep = (): void => store.write(documentsOf(contents));
  const random = (byteCount: number): Uint8Array => new Uint8Array(randomBytes(byteCount));
  const engine = new MarketEngine({ market, chain, issued, random, now: clock.now, keep });

  const leases = options.leaseSeconds === undefined ? undefined : new LeaseKeeper(options.leaseSeconds * 1_000, FIRST_LEASE_MS);
  const controls: Controls = {
    status: () => ({ pid: process.pid, now: new Date(market.now).toISOString() }),
    advance: (ms) => {
      clock.skip(ms);
      engine.advance();
      keep();
    },
    shock: (address, percent) => {
      const pool = market.poolAt(address);
      if (pool === undefined) {
        throw new EngineError('notFound', `Pool ${address} not found`);
      }
      market.shock(pool, percent);
      keep();
    },
    holdLease: () => leases?.hold() ?? (() => undefined),
  };

  const server = createAdaptorServer({ fetch: createApp({ engine, controls, apiKey: identity.apiKey, log }).fetch }) as Server;
  const port = await listen(server, options.port).catch((error: unknown) => {
    leases?.dispose();
    throw error;
  });
  const timers = [setInterval(guarded(() => engine.advance(), log), TICK_MS), setInterval(guarded(keep, log), KEEP_EVERY_MS)];
  return {
    line: { url: `http://${HOST}:${port}${BASE_PATH}`, apiKey: identity.apiKey, owner: ownerOf(identity), secretKey: identity.secretKey, pid: process.pid },
    abandoned: leases?.abandoned ?? new Promise(() => undefined),
    stop: async () => {
      timers.forEach(clearInterval);
      leases?.dispose();
      await close(server);
      keep();
      store.close();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: HOST }, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') {
        reject(new Error('The server has no port'));
      } else {
        resolve(address.port);
      }
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A timer that fails says so, and goes on. */
function guarded(run: () => void, log: (message: string) => void): () => void {
  return () => {
    try {
      run();
    } catch (error) {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  };
}
