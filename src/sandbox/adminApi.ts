import { EngineError } from '../server/engine';
import { EffectError } from './chain/types';
import type { Controls } from './http/controlRoutes';
import type { LeaseKeeper } from './lease';
import type { Pool } from './market/types';
import { collectGarbageWhereMuch, readStoreStats, storeVersion } from './storeStats';
import type { WorldHost } from './worldHost';

/** The admin API of a sandbox. `leases`: `undefined` if the process does not end with the last one. */
export function controlsOf(keeper: WorldHost, leases: LeaseKeeper | undefined): Controls {
  return new WorldControls(keeper, leases);
}

class WorldControls implements Controls {
  /** Speed after the pause; `undefined` while the market is not paused. */
  #pausedSpeed: number | undefined;

  readonly #keeper: WorldHost;
  readonly #leases: LeaseKeeper | undefined;

  constructor(keeper: WorldHost, leases: LeaseKeeper | undefined) {
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
