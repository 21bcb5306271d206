import { Hono } from 'hono';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { LAMPORTS_PER_SOL } from '../../base/solana/programs';
import { DAY_MS } from '../../base/time';
import { success } from '../../engine/http/answers';
import { EngineError } from '../../engine/engine';
import type { RateLimit } from '../../engine/http/guards';
import { type Leases, leaseRoute } from '../../engine/process/lease';
import {
  addressParameter,
  numberParameter,
  readBody,
  readOptionalBody,
  readParameters,
  textParameter,
  wordParameter,
} from '../../engine/http/parameters';
import { TRANSACTION_FORMATS, type TransactionFormat } from '../../engine/assembly/types';
import { EffectError } from '../chain/types';
import { SLOT_MS_BOUNDS } from '../arguments';
import type { MarketPool } from '../market/types';
import type { Database } from '../store/database';
import { collectGarbageIfLarge } from '../heap';
import type { WorldHost } from '../worldHost';
import { type FaultBoard, readFaults } from './faultRules';

/** State of the sandbox. */
interface Status {
  /** Process id; other processes use it to check that this one is running. */
  readonly pid: number;
  /** The market's time, ISO 8601. */
  readonly now: string;
  readonly seed: number;
  /** Speed of prices, times the usual; kept while the market is paused. */
  readonly speed: number;
  readonly paused: boolean;
  readonly indexingLagMs: number;
  readonly transactions: TransactionFormat;
  /** Version of the store's tables. */
  readonly storeVersion: number;
  readonly counts: StoreStats;
}

const MAX_ADVANCE_MS = 90 * DAY_MS;

const ADVANCE = z.object({ ms: numberParameter('ms', { min: 0, max: MAX_ADVANCE_MS, isInteger: true }) });
const SHOCK = z.object({ pool: textParameter('pool'), percent: numberParameter('percent', { min: -99, max: 10_000 }) });
const ACTIVE_BIN = z.object({ pool: textParameter('pool'), binId: numberParameter('binId', { isInteger: true }) });
const SPEED = z.object({ times: numberParameter('times', { min: 0, max: 1_000 }) });
const SLOT = z.object({ ms: numberParameter('ms', { ...SLOT_MS_BOUNDS, isInteger: true }) });
const SETTINGS = z.object({
  indexingLagMs: numberParameter('indexingLagMs', { min: 0, max: DAY_MS, isInteger: true }).optional(),
  rateLimitPerMinute: numberParameter('rateLimitPerMinute', { min: 1, max: 1_000_000, isInteger: true }).nullable().optional(),
  transactions: wordParameter('transactions', TRANSACTION_FORMATS).optional(),
});
const RESET = z.object({ seed: numberParameter('seed', { min: 0, isInteger: true }).optional() });
const AIRDROP = z.object({ owner: addressParameter('owner'), sol: numberParameter('sol', { min: 1e-9, max: 1_000 }) });

/** Routes of the admin API under /sandbox. Requests that change something answer with the status. */
export function adminRoutes(api: AdminApi, faults: FaultBoard, rateLimit: RateLimit): Hono {
  const status = (): object => {
    const { indexingLagMs, transactions, ...rest } = api.status();
    return { ...rest, settings: { indexingLagMs, rateLimitPerMinute: rateLimit.perMinute ?? null, transactions }, faults: faults.list };
  };
  const routes = new Hono();
  routes.get('/status', (context) => success(context, { data: status() }));

  /** A request that takes a JSON object, changes something and answers with the status. */
  const command = <Schema extends z.ZodType>(path: string, schema: Schema, run: (given: z.output<Schema>) => void): void => {
    routes.post(path, async (context) => {
      run(readParameters(schema, await readOptionalBody(context)));
      return success(context, { data: status() });
    });
  };
  command('/advance', ADVANCE, ({ ms }) => api.advance(ms));
  command('/shock', SHOCK, ({ pool, percent }) => api.shock(pool, percent));
  command('/active-bin', ACTIVE_BIN, ({ pool, binId }) => api.setActiveBin(pool, binId));
  command('/pause', z.object({}), () => api.setPaused(true));
  command('/resume', z.object({}), () => api.setPaused(false));
  command('/speed', SPEED, ({ times }) => api.setSpeed(times));
  command('/slot-length', SLOT, ({ ms }) => api.setSlotLength(ms));
  command('/settings', SETTINGS, ({ indexingLagMs, rateLimitPerMinute, transactions }) => {
    if (indexingLagMs !== undefined) {
      api.setIndexingLag(indexingLagMs);
    }
    if (transactions !== undefined) {
      api.setTransactions(transactions);
    }
    if (rateLimitPerMinute !== undefined) {
      rateLimit.perMinute = rateLimitPerMinute ?? undefined;
    }
  });
  command('/reset', RESET, ({ seed }) => api.reset(seed));
  command('/airdrop', AIRDROP, ({ owner, sol }) => api.airdrop(owner, BigInt(Math.round(sol * Number(LAMPORTS_PER_SOL)))));

  routes.get('/faults', (context) => success(context, { data: { faults: faults.list } }));
  routes.put('/faults', async (context) => {
    faults.set(readFaults(await readBody(context)));
    return success(context, { data: { faults: faults.list } });
  });
  routes.delete('/faults', (context) => {
    faults.set([]);
    return success(context, { data: { faults: faults.list } });
  });

  routes.get('/audit', (context) => success(context, { data: api.audit() }));
  routes.get(
    '/lease',
    leaseRoute(() => api.holdLease()),
  );
  return routes;
}

/**
 * The admin API of a sandbox, for tests and demonstrations. Methods that change the market throw EngineError if there is no such pool, or the
 * market or the chain refuses the change.
 */
export class AdminApi {
  /** Speed after the pause; `undefined` while the market is not paused. */
  #pausedSpeed: number | undefined;

  readonly #host: WorldHost;
  readonly #leases: Leases | undefined;

  /** @param leases `undefined` if the process does not end with the last lease */
  constructor(host: WorldHost, leases: Leases | undefined) {
    this.#host = host;
    this.#leases = leases;
  }

  status(): Status {
    const { database, identity } = this.#host;
    const { market, settings } = this.#host.world;
    return {
      pid: process.pid,
      now: new Date(market.now).toISOString(),
      seed: identity.seed,
      speed: this.#pausedSpeed ?? market.speed,
      paused: this.#pausedSpeed !== undefined,
      indexingLagMs: settings.current.indexingLagMs,
      transactions: settings.current.transactions,
      storeVersion: storeVersion(database),
      counts: readStoreStats(database),
    };
  }

  /** Moves the clock of market and chain. */
  advance(ms: number): void {
    this.#host.clock.skip(ms);
    this.#host.world.engine.advance();
    collectGarbageIfLarge();
  }

  /** Moves the price of a pool's token X in all pools that trade it. */
  shock(address: string, percent: number): void {
    const pool = this.#pool(address);
    const { engine, market } = this.#host.world;
    engine.change(() => refusedAsEngineError(() => market.shock(pool, percent)));
  }

  /** Moves prices and trades the pool to this active bin. */
  setActiveBin(address: string, binId: number): void {
    const pool = this.#pool(address);
    const { engine, market } = this.#host.world;
    if (pool.type !== 'bins') {
      throw new EngineError('invalid', `Pool ${address} has no bins`);
    }
    engine.change(() => refusedAsEngineError(() => market.setActiveBin(pool, binId)));
  }

  /** Stops or resumes the market; clock and blocks continue. */
  setPaused(paused: boolean): void {
    if (paused) {
      this.#pausedSpeed ??= this.#host.world.market.speed;
      this.#setMarketSpeed(0);
    } else if (this.#pausedSpeed !== undefined) {
      this.#setMarketSpeed(this.#pausedSpeed);
      this.#pausedSpeed = undefined;
    }
  }

  setSpeed(times: number): void {
    if (this.#pausedSpeed === undefined) {
      this.#setMarketSpeed(times);
    } else {
      this.#pausedSpeed = times;
    }
  }

  /** Sets the length of the slots to come. */
  setSlotLength(ms: number): void {
    const { engine, chain } = this.#host.world;
    engine.advance();
    chain.slotMs = ms;
  }

  setIndexingLag(indexingLagMs: number): void {
    this.#host.world.settings.change({ indexingLagMs });
  }

  /** Sets the versions of the transactions that are built from now on. */
  setTransactions(transactions: TransactionFormat): void {
    this.#host.world.settings.change({ transactions });
  }

  /** Replaces the world by a new one, from this seed or from the same; the identity stays. */
  reset(seed: number | undefined): void {
    this.#host.reset(seed);
  }

  /** Lists inconsistencies, as sentences; empty if there are none. */
  audit(): readonly string[] {
    return this.#host.world.audit();
  }

  /** Transfers SOL from the rest of the world to an owner. */
  airdrop(owner: Address, lamports: bigint): void {
    const { engine, chain, market } = this.#host.world;
    engine.change(() =>
      refusedAsEngineError(() => {
        chain.setLamports(market.world, chain.lamports(market.world) - lamports);
        chain.setLamports(owner, chain.lamports(owner) + lamports);
      }),
    );
  }

  /** Keeps the process alive. @returns ends the lease */
  holdLease(): () => void {
    return this.#leases?.hold() ?? (() => undefined);
  }

  #setMarketSpeed(speed: number): void {
    const { engine, market } = this.#host.world;
    engine.change(() => (market.speed = speed));
  }

  #pool(address: string): MarketPool {
    const pool = this.#host.world.market.poolAt(address);
    if (pool === undefined) {
      throw new EngineError('notFound', `Pool ${address} not found`);
    }
    return pool;
  }
}

/** Turns a refusal of the market or the chain into an EngineError. */
function refusedAsEngineError(change: () => void): void {
  try {
    change();
  } catch (error) {
    throw error instanceof RangeError || error instanceof EffectError ? new EngineError('invalid', error.message, { cause: error }) : error;
  }
}

const Count = z.object({ count: z.int() });
const Version = z.object({ user_version: z.int() });

const COUNTED = {
  tokens: 'SELECT count(*) AS count FROM token',
  pools: 'SELECT count(*) AS count FROM pool',
  openPositions: 'SELECT count(*) AS count FROM position WHERE closed_at IS NULL',
  closedPositions: 'SELECT count(*) AS count FROM position WHERE closed_at IS NOT NULL',
  providers: 'SELECT count(*) AS count FROM provider',
  accounts: 'SELECT count(*) AS count FROM account',
  landedTransactions: 'SELECT count(*) AS count FROM landed_transaction',
} as const;

/** Numbers of rows by kind. */
type StoreStats = Readonly<Record<keyof typeof COUNTED, number>>;

/** Counts the rows of the store, as of the last commit. */
function readStoreStats(database: Database): StoreStats {
  const counts = Object.entries(COUNTED).map(([name, sql]) => [name, database.get(Count, sql)?.count ?? 0]);
  return Object.fromEntries(counts) as StoreStats;
}

/** Version of the tables of the store. */
function storeVersion(database: Database): number {
  return database.get(Version, 'PRAGMA user_version')?.user_version ?? 0;
}
