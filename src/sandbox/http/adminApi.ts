import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { LAMPORTS_PER_SOL } from '../../base/solana/programs';
import { success } from '../../server/answers';
import { EngineError, type Eventually } from '../../server/engine';
import type { RateLimit } from '../../server/guards';
import { addressParameter, numberParameter, readBody, readOptionalBody, readParameters, textParameter } from '../../server/parameters';
import { EffectError } from '../chain/types';
import type { Leases } from '../lease';
import type { Pool } from '../market/types';
import { collectGarbageWhereMuch, readStoreStats, type StoreStats, storeVersion } from '../storeStats';
import type { WorldHost } from '../worldHost';
import { type FaultBoard, readFaults } from './faultRules';

/** State of the sandbox. */
export interface Status {
  /** Process number: other processes use it to check that this one lives. */
  readonly pid: number;
  /** The market's time, ISO 8601. */
  readonly now: string;
  readonly seed: number;
  /** Speed of prices, times the usual; kept while the market is paused. */
  readonly speed: number;
  readonly paused: boolean;
  readonly indexingLagMs: number;
  /** Version of the store's tables. */
  readonly storeVersion: number;
  readonly counts: StoreStats;
}

/** The admin API, for tests and demonstrations; not part of the service. Methods that name a pool throw EngineError if there is none. */
export interface Controls {
  status(): Status;
  /** Moves the clock of market and chain. */
  advance(ms: number): Eventually<void>;
  /** Moves the price of a pool's token X. @throws EngineError also if it would leave its bounds */
  shock(pool: string, percent: number): Eventually<void>;
  /** Moves prices and trades the pool to this active bin. @throws EngineError also if the pool has no such bin, or nobody can trade it there */
  setActiveBin(pool: string, binId: number): Eventually<void>;
  /** Stops or resumes the market; clock and blocks go on. */
  setPaused(paused: boolean): void;
  setSpeed(times: number): void;
  setIndexingLag(ms: number): void;
  /** Replaces the world by a new one, from that seed or from the same; the identity stays. */
  reset(seed: number | undefined): Eventually<void>;
  /** What does not add up, as sentences; empty if everything does. */
  audit(): Eventually<readonly string[]>;
  /** Gives SOL from the rest of the world to an owner. */
  airdrop(owner: Address, lamports: bigint): Eventually<void>;
  /** Keeps the process alive. @returns ends the lease */
  holdLease(): () => void;
}

const DAY_MS = 86_400_000;
const MAX_ADVANCE_MS = 90 * DAY_MS;

const ADVANCE = z.object({ ms: numberParameter('ms', { min: 0, max: MAX_ADVANCE_MS, isInteger: true }) });
const SHOCK = z.object({ pool: textParameter('pool'), percent: numberParameter('percent', { min: -99, max: 10_000 }) });
const ACTIVE_BIN = z.object({ pool: textParameter('pool'), binId: numberParameter('binId', { isInteger: true }) });
const SPEED = z.object({ times: numberParameter('times', { min: 0, max: 1_000 }) });
const SETTINGS = z.object({
  indexingLagMs: numberParameter('indexingLagMs', { min: 0, max: DAY_MS, isInteger: true }).optional(),
  rateLimitPerMinute: numberParameter('rateLimitPerMinute', { min: 1, max: 1_000_000, isInteger: true }).nullable().optional(),
});
const RESET = z.object({ seed: numberParameter('seed', { min: 0, isInteger: true }).optional() });
const AIRDROP = z.object({ owner: addressParameter('owner'), sol: numberParameter('sol', { min: 1e-9, max: 1_000 }) });

/** Everything under /sandbox. Whatever changes something answers with the status. */
export function adminRoutes(controls: Controls, faults: FaultBoard, rateLimit: RateLimit): Hono {
  const status = (): object => {
    const { indexingLagMs, ...rest } = controls.status();
    return { ...rest, settings: { indexingLagMs, rateLimitPerMinute: rateLimit.perMinute ?? null }, faults: faults.list };
  };
  const routes = new Hono();
  routes.get('/status', (context) => success(context, { data: status() }));

  /** A control that takes a JSON object and answers with the status. */
  const control = <Schema extends z.ZodType>(path: string, schema: Schema, run: (given: z.output<Schema>) => Eventually<void>): void => {
    routes.post(path, async (context) => {
      await run(readParameters(schema, await readOptionalBody(context)));
      return success(context, { data: status() });
    });
  };
  control('/advance', ADVANCE, ({ ms }) => controls.advance(ms));
  control('/shock', SHOCK, ({ pool, percent }) => controls.shock(pool, percent));
  control('/active-bin', ACTIVE_BIN, ({ pool, binId }) => controls.setActiveBin(pool, binId));
  control('/pause', z.object({}), () => controls.setPaused(true));
  control('/resume', z.object({}), () => controls.setPaused(false));
  control('/speed', SPEED, ({ times }) => controls.setSpeed(times));
  control('/settings', SETTINGS, ({ indexingLagMs, rateLimitPerMinute }) => {
    if (indexingLagMs !== undefined) {
      controls.setIndexingLag(indexingLagMs);
    }
    if (rateLimitPerMinute !== undefined) {
      rateLimit.perMinute = rateLimitPerMinute ?? undefined;
    }
  });
  control('/reset', RESET, ({ seed }) => controls.reset(seed));
  control('/airdrop', AIRDROP, ({ owner, sol }) => controls.airdrop(owner, BigInt(Math.round(sol * Number(LAMPORTS_PER_SOL)))));

  routes.get('/faults', (context) => success(context, { data: { faults: faults.list } }));
  routes.put('/faults', async (context) => {
    faults.set(readFaults(await readBody(context)));
    return success(context, { data: { faults: faults.list } });
  });
  routes.delete('/faults', (context) => {
    faults.set([]);
    return success(context, { data: { faults: faults.list } });
  });

  routes.get('/audit', async (context) => success(context, { data: await controls.audit() }));
  // Lasts as long as the client does.
  routes.get('/lease', (context) =>
    stream(context, async (held) => {
      const release = controls.holdLease();
      const gone = new Promise<void>((resolve) => held.onAbort(resolve));
      await held.write('{"lease":"held"}\n');
      await gone;
      release();
    }),
  );
  return routes;
}

/** The admin API of a sandbox. `leases`: `undefined` if the process does not end with the last one. */
export function controlsOf(keeper: WorldHost, leases: Leases | undefined): Controls {
  return new WorldControls(keeper, leases);
}

class WorldControls implements Controls {
  /** Speed after the pause; `undefined` while the market is not paused. */
  #pausedSpeed: number | undefined;

  readonly #keeper: WorldHost;
  readonly #leases: Leases | undefined;

  constructor(keeper: WorldHost, leases: Leases | undefined) {
    this.#keeper = keeper;
    this.#leases = leases;
  }

  status(): ReturnType<Controls['status']> {
    const { database, identity } = this.#keeper;
    const { market, settings } = this.#keeper.world;
    return {
      pid: process.pid,
      now: new Date(market.now).toISOString(),
      seed: identity.seed,
      speed: this.#pausedSpeed ?? market.speed,
      paused: this.#pausedSpeed !== undefined,
      indexingLagMs: settings.current.indexingLagMs,
      storeVersion: storeVersion(database),
      counts: readStoreStats(database),
    };
  }

  advance(ms: number): void {
    this.#keeper.clock.skip(ms);
    this.#keeper.world.engine.advance();
    collectGarbageWhereMuch();
  }

  shock(address: string, percent: number): void {
    const pool = this.#pool(address);
    const { engine, market } = this.#keeper.world;
    engine.change(() => possible(() => market.shock(pool, percent)));
  }

  setActiveBin(address: string, binId: number): void {
    const pool = this.#pool(address);
    const { engine, market } = this.#keeper.world;
    if (pool.type !== 'bins') {
      throw new EngineError('invalid', `Pool ${address} has no bins`);
    }
    engine.change(() => possible(() => market.setActiveBin(pool, binId)));
  }

  setPaused(paused: boolean): void {
    if (paused) {
      this.#pausedSpeed ??= this.#keeper.world.market.speed;
      this.#move(0);
    } else if (this.#pausedSpeed !== undefined) {
      this.#move(this.#pausedSpeed);
      this.#pausedSpeed = undefined;
    }
  }

  setSpeed(times: number): void {
    if (this.#pausedSpeed === undefined) {
      this.#move(times);
    } else {
      this.#pausedSpeed = times;
    }
  }

  setIndexingLag(indexingLagMs: number): void {
    this.#keeper.world.settings.change({ indexingLagMs });
  }

  reset(seed: number | undefined): void {
    this.#keeper.reset(seed);
  }

  audit(): readonly string[] {
    return this.#keeper.world.audit();
  }

  airdrop: Controls['airdrop'] = (owner, lamports) => {
    const { engine, chain, market } = this.#keeper.world;
    engine.change(() =>
      possible(() => {
        chain.setLamports(market.world, chain.lamports(market.world) - lamports);
        chain.setLamports(owner, chain.lamports(owner) + lamports);
      }),
    );
  };

  holdLease(): () => void {
    return this.#leases?.hold() ?? (() => undefined);
  }

  #move(speed: number): void {
    const { engine, market } = this.#keeper.world;
    engine.change(() => (market.speed = speed));
  }

  #pool(address: string): Pool {
    const pool = this.#keeper.world.market.poolAt(address);
    if (pool === undefined) {
      throw new EngineError('notFound', `Pool ${address} not found`);
    }
    return pool;
  }
}

/** Turns a refusal of market or chain into one of the request. @throws EngineError */
function possible(change: () => void): void {
  try {
    change();
  } catch (error) {
    throw error instanceof RangeError || error instanceof EffectError ? new EngineError('invalid', error.message, { cause: error }) : error;
  }
}
