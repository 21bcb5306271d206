import * as z from 'zod';
import type { Database } from '../store/database';
import { putMeta, readMeta } from '../store/meta';
import type { Participant } from '../store/workingSet';
import { Random, RandomState } from './random';

const META_KEY = 'market';

const Saved = z.object({
  seed: z.int(),
  startedAt: z.number(),
  now: z.number(),
  speed: z.number().nonnegative(),
  random: z.object({ prices: RandomState, trades: RandomState }),
});
type Saved = z.output<typeof Saved>;

/** Seed and times of a new market. Times in milliseconds since 1970. */
export interface MarketBeginning {
  readonly seed: number;
  /** Creation of the sandbox; ages of pools count from it. */
  readonly startedAt: number;
  /** Start of the simulation: `startedAt`, or earlier to play a past. */
  readonly playedFrom: number;
}

/** Seed, time, speed and random generators of a market: the value `market` of the table `meta`. */
export class MarketState implements Participant {
  readonly seed: number;
  readonly startedAt: number;
  /** Prices and trades have separate generators, so that trades do not change future prices. */
  readonly prices: Random;
  readonly trades: Random;
  #now: number;
  #speed: number;
  #changed: boolean;
  #before: Saved | undefined;

  readonly #database: Database;

  private constructor(
    database: Database,
    saved: Saved,
    /** Whether the database does not have it yet. */
    readonly isNew: boolean,
  ) {
    this.#database = database;

    this.seed = saved.seed;
    this.startedAt = saved.startedAt;
    this.#now = saved.now;
    this.#speed = saved.speed;
    this.prices = Random.restored(saved.random.prices);
    this.trades = Random.restored(saved.random.trades);
    this.#changed = isNew;
  }

  /** Opens the state of the database, or creates one. @throws StoreError if it cannot be read */
  static open(database: Database, { seed, startedAt, playedFrom }: MarketBeginning): MarketState {
    const stored = readMeta(database, META_KEY, Saved);
    if (stored !== undefined) {
      return new MarketState(database, stored, false);
    }
    const random = { prices: Random.seeded(seed, 'prices').save(), trades: Random.seeded(seed, 'trades').save() };
    return new MarketState(database, { seed, startedAt, now: playedFrom, speed: 1, random }, true);
  }

  get now(): number {
    return this.#now;
  }

  get speed(): number {
    return this.#speed;
  }

  /** @throws RangeError if it is negative or not finite */
  set speed(times: number) {
    if (!Number.isFinite(times) || times < 0) {
      throw new RangeError(`A speed is a number from 0 on, not ${times}`);
    }
    this.#speed = times;
    this.#changed = true;
  }

  /** Advances the clock. Every use of the generators comes with it, so that both are stored together. */
  advanceClock(ms: number): void {
    this.#now += ms;
    this.#changed = true;
  }

  begin(): void {
    this.#before = this.#saved();
  }

  release(): void {
    this.#before = undefined;
  }

  rollBack(): void {
    if (this.#before !== undefined) {
      this.#now = this.#before.now;
      this.#speed = this.#before.speed;
      this.prices.restore(this.#before.random.prices);
      this.trades.restore(this.#before.random.trades);
    }
    this.#before = undefined;
  }

  flush(): void {
    if (this.#changed) {
      putMeta(this.#database, META_KEY, this.#saved());
      this.#changed = false;
    }
  }

  #saved(): Saved {
    const { seed, startedAt } = this;
    const [now, speed] = [this.#now, this.#speed];
    return { seed, startedAt, now, speed, random: { prices: this.prices.save(), trades: this.trades.save() } };
  }
}
