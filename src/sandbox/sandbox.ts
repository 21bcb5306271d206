import { isClientGone } from '../engine/http/answers';
import { RateLimit } from '../engine/http/guards';
import { Leases } from '../engine/process/lease';
import { BASE_PATH, listen } from '../engine/http/listen';
import type { RunningService, Watcher } from '../engine/process/serviceProcess';
import type { SandboxOptions } from './arguments';
import { AdminApi } from './http/adminApi';
import { createApp } from './http/app';
import { FaultBoard } from './http/faultRules';
import { answerRpc } from './rpc/rpc';
import { isDamage, setStoreAside } from '../engine/store/storeDamage';
import { damagedAnswer, DamagedStoreError } from './store/damage';
import { CommitError } from '../engine/store/sqliteStore';
import { Database, storeFile } from './store/database';
import { collectGarbageIfLarge, keepHeapCompact } from './heap';
import { ownerOf, WorldHost } from './worldHost';

/** Interval in which the market advances without requests. */
const TICK_MS = 5_000;
const FIRST_LEASE_MS = 60_000;

/** The line that a sandbox prints when it is ready. */
interface ReadyLine {
  readonly url: string;
  readonly apiKey: string;
  readonly owner: string;
  readonly secretKey: string;
  readonly pid: number;
}

/**
 * Opens the world in a folder that only this process uses, or makes a new one, and serves it.
 * @throws DamagedStoreError if the store can't be read; also errors of the disk and the port
 */
export async function startSandbox(options: SandboxOptions, watcher: Watcher): Promise<RunningService<ReadyLine>> {
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

/** @throws DamagedStoreError if opening shows that the store is damaged */
function orDamaged<Result>(file: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    throw isDamage(error) ? new DamagedStoreError(file, error) : error;
  }
}

async function serve(host: WorldHost, options: SandboxOptions, watcher: Watcher): Promise<RunningService<ReadyLine>> {
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
    if (isClientGone(error)) {
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
