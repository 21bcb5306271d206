import { mkdirSync } from 'node:fs';
import { steadyClock, systemClock } from '../base/async/clock';
import { rpcName } from '../base/solana/rpcUrl';
import { errorText } from '../base/thrown';
import { isClientGone, type OnFault } from '../engine/http/answers';
import type { ProtocolNames } from '../engine/engine';
import { Leases } from '../engine/process/lease';
import { BASE_PATH, listen } from '../engine/http/listen';
import type { RunningService, Watcher } from '../engine/process/serviceProcess';
import { StoreError } from '../engine/store/sqliteStore';
import { isDamage } from '../engine/store/storeDamage';
import { createChainApp } from './app';
import type { ServiceOptions } from './arguments';
import { ChainEngine } from './engine';
import { FolderIdentity } from './identity';
import { StoredIssuedOperations } from './landing/issued';
import { JitoClient } from './landing/jito';
import { ChainLanding } from './landing/landing';
import { LandingNetwork } from './landing/network';
import { LandingStore } from './landing/store';
import { createParts } from './parts';
import { createChainRpc } from './rpc/client';

/** The line that a service prints when it is ready. */
interface ReadyLine {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

const PROTOCOLS: ProtocolNames = { bins: 'meteora', product: 'meteora_damm_v2' };
const FIRST_LEASE_MS = 60_000;
const FOLDER_MODE = 0o700;

/**
 * Opens the stores in a folder that only this process uses, and serves.
 * @throws StoreError if a store can't be read; also errors of the disk and the port
 */
export async function startService(options: ServiceOptions, watcher: Watcher): Promise<RunningService<ReadyLine>> {
  mkdirSync(options.data, { recursive: true, mode: FOLDER_MODE });
  const identity = new FolderIdentity(options.data, options.apiKey);
  const stopping = new AbortController();
  const { signal } = stopping;
  const rpc = createChainRpc({ url: options.rpc, requestsPerSecond: options.requestsPerSecond, signal });
  const landingStore = orDamaged(() => new LandingStore(options.data));
  const issued = new StoredIssuedOperations(landingStore, systemClock);
  const landing = new ChainLanding({
    store: landingStore,
    issued,
    network: new LandingNetwork(rpc, signal),
    bundles: options.jito === undefined ? undefined : new JitoClient(options.jito, signal),
    checkChain: () => identity.checkChain(rpc),
    clock: steadyClock,
    signal,
    log: watcher.log,
  });
  const {
    parts,
    index,
    close: closeParts,
  } = createParts({ options, protocols: PROTOCOLS, rpc, issued, landing, log: watcher.log, signal });
  const engine = new ChainEngine({ protocols: PROTOCOLS, checkChain: () => identity.checkChain(rpc), parts });
  const leases =
    options.leaseSeconds === undefined ? undefined : new Leases(options.leaseSeconds * 1_000, FIRST_LEASE_MS, () => landing.isSending);
  const startedAt = new Date().toISOString();
  const app = createChainApp({
    engine,
    apiKey: identity.apiKey,
    status: () => ({
      pid: process.pid,
      startedAt,
      rpc: { host: rpcName(options.rpc), requests: Object.fromEntries(rpc.counts) },
      index: index.progress(),
      landing: landing.progress,
    }),
    holdLease: () => leases?.hold() ?? (() => undefined),
    onFault: faultLog(watcher, signal),
  });
  const close = async (): Promise<void> => {
    stopping.abort();
    leases?.dispose();
    await Promise.all([landing.stopped(), closeParts()]);
    landingStore.close();
  };
  try {
    const { origin, close: closeServer } = await listen(app, options.port);
    landing.recover();
    return {
      line: { url: `${origin}${BASE_PATH}`, apiKey: identity.apiKey, pid: process.pid },
      abandoned: leases?.abandoned ?? new Promise(() => undefined),
      stop: async () => {
        stopping.abort();
        await closeServer();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the store of landings. @throws StoreError with the purpose of the store if it is damaged */
function orDamaged(open: () => LandingStore): LandingStore {
  try {
    return open();
  } catch (error) {
    if (isDamage(error)) {
      const reason = errorText(error);
      throw new StoreError(
        `landing.sqlite in the data folder cannot be read (${reason}). It records what was sent, so it is not replaced automatically. Move it to another folder to start with a new one.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Logs unexpected errors. Messages of the RPC's client hold no keys. */
function faultLog({ log }: Watcher, stopped: AbortSignal): OnFault {
  return (error, where) => {
    if (!stopped.aborted) {
      log(
        isClientGone(error)
          ? `${where}: the client ended the request`
          : `${where} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
    return undefined;
  };
}
