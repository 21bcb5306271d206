import { RateLimit } from '../server/guards';
import { BASE_PATH, listen } from '../server/listen';
import type { SandboxOptions } from './arguments';
import { AdminApi } from './http/adminApi';
import { createApp } from './http/app';
import { FaultBoard } from './http/faultRules';
import type { ReadyLine } from './instance';
import { Leases } from './lease';
import { answerRpc } from './rpc/rpc';
import { damagedAnswer, DamagedStoreError, isDamage, setStoreAside } from './store/damage';
import { CommitError, Database, storeFile } from './store/database';
import { collectGarbageIfLarge, keepHeapCompact } from './heap';
import { ownerOf, WorldHost } from './worldHost';

/** Interval in which the market advances without requests. */
const TICK_MS = 5_000;
const FIRST_LEASE_MS = 60_000;

/** A running sandbox. */
export interface RunningSandbox {
  readonly line: ReadyLine;
  /** Resolves when the last lease has ended; never without `--lease`. */
  readonly abandoned: Promise<void>;
  /** Closes all connections and the store. Everything answered is stored already. */
  stop(): Promise<void>;
}

/** Receives messages and the fatal error of a sandbox. */
export interface Watcher {
  readonly log: (message: string) => void;
  /** Ends the process at once: changes can't be stored, so they must not be answered. */
  readonly end: (error: CommitError | DamagedStoreError) => never;
}

/**
 * Opens the world in a folder that only this process uses, or makes a new one, and serves it.
 * @throws DamagedStoreError if the store can't be read; also errors of the disk and the port
 */
export async function startSandbox(options: SandboxOptions, watcher: Watcher): Promise<RunningSandbox> {
  const file = storeFile(options.data);
  const aside = options.isReset === true ? setStoreAside(file, new Date()) : undefined;
  if (aside !== undefined) {
    watcher.log(`The old world was set aside as ${aside}.`);
  }
  const database = orDamaged(file, () => Database.open(options.data));
  let host: WorldHost;
  try {
    host = orDamaged(file, () => new WorldHost(database, options, watcher.log));
  } catch (error) {
    database.close();
    throw error;
  }
  try {
    return await serve(host, options, watcher);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The client closed the connection before the answer. */
function isAborted(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'AbortError' || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')))
  );
}

/** @throws DamagedStoreError if opening shows that the store is damaged */
function orDamaged<Result>(file: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    throw isDamage(error) ? new DamagedStoreError(file, error) : error;
  }
}

async function serve(host: WorldHost, options: SandboxOptions, watcher: Watcher): Promise<RunningSandbox> {
  keepHeapCompact();
  const stopping = new AbortController();
  const file = storeFile(options.data);
  const onFault = (error: unknown, where: string): string | undefined => {
    if (stopping.signal.aborted) {
      return undefined; // everything answered is stored, and no more requests are answered
    }
    if (error instanceof CommitError) {
      watcher.end(isDamage(error) ? new DamagedStoreError(file, error.cause) : error);
    }
    if (isDamage(error)) {
      if (host.noteDamage()) {
        watcher.log(`${where} failed: ${new DamagedStoreError(file, error).message}`);
      }
      return damagedAnswer(error);
    }
    if (isAborted(error)) {
      watcher.log(`${where}: the client ended the request`);
    } else {
      watcher.log(`${where} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    return undefined;
  };
  const guarded = (run: () => void, where: string): void => {
    try {
      run();
    } catch (error) {
      onFault(error, where);
    }
  };
  const leases = options.leaseSeconds === undefined ? undefined : new Leases(options.leaseSeconds * 1_000, FIRST_LEASE_MS);
  const app = createApp({
    engine: () => host.world.engine,
    operations: () => host.world.operations,
    protocols: host.world.engine.protocols,
    answerRpc: (body) => answerRpc(host.world.rpc, body),
    adminApi: new AdminApi(host, leases),
    faults: new FaultBoard(),
    rateLimit: new RateLimit(options.rateLimit),
    apiKey: host.identity.apiKey,
    onFault,
    stopped: stopping.signal,
  });
  const { origin, close } = await listen(app, options.port).catch((error: unknown) => {
    leases?.dispose();
    throw error;
  });
  const tick = (): void => {
    host.world.engine.advance();
    collectGarbageIfLarge();
  };
  const ticking = setInterval(() => guarded(tick, 'Moving on'), TICK_MS);
  const { apiKey, secretKey } = host.identity;
  return {
    line: { url: `${origin}${BASE_PATH}`, apiKey, owner: ownerOf(host.identity), secretKey, pid: process.pid },
    abandoned: leases?.abandoned ?? new Promise(() => undefined),
    stop: async () => {
      stopping.abort();
      clearInterval(ticking);
      leases?.dispose();
      await close();
      host.database.close();
    },
  };
}
