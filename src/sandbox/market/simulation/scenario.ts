import { WHOLE_BPS } from '../../../base/basisPoints';
import type { BinRange } from '../../../base/dlmm/bins';
import type { Strategy } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import type { BinPool, Market, Pool } from '../types';
import { HOUR, rawPrice, SECOND } from '../units';
import { type SimulationContext, WorldPayer } from './payers';
import { type OpenedPosition, ProviderPositions } from './providerPositions';

/** A position of the owner, from beginning to end. Times in milliseconds since 1970, each the end of a step of the past. */
export interface PositionScenario {
  /** Key of the catalogue. */
  readonly pool: string;
  readonly strategy: Strategy;
  /** What is put in, in SOL, and the part of it that goes into token X. */
  readonly worthSol: number;
  readonly partX: number;
  /** A range of bins, or the number of bins to either side of the active one; `null` in a constant-product pool. */
  readonly range: BinRange | { readonly halfWidthBins: number } | null;
  readonly openAt: number;
  /** `null`: it stays open. */
  readonly closeAt: number | null;
  readonly collectAt: readonly number[];
  readonly withdrawals: readonly { readonly at: number; readonly shareBps: number }[];
}

/** One thing that the owner does. */
interface ScenarioEvent {
  readonly at: number;
  readonly play: () => void;
}

/** Plays scenarios of the owner's past into a market. The rest of the world pays: the owner's own money is of today. */
export class ScenarioPlayer {
  readonly #events: ScenarioEvent[];
  readonly #payer: WorldPayer;
  readonly #positions: ProviderPositions;
  #next = 0;

  readonly #context: SimulationContext;
  readonly #owner: Address;

  constructor(context: SimulationContext, owner: Address, scenarios: readonly PositionScenario[]) {
    this.#context = context;
    this.#owner = owner;

    this.#payer = new WorldPayer(context);
    this.#positions = new ProviderPositions(context);
    this.#events = scenarios.flatMap((scenario, index) => this.#eventsOf(scenario, index)).sort((a, b) => a.at - b.at);
  }

  /** Plays what is due at the market's present, in order. */
  play(): void {
    for (let act = this.#events[this.#next]; act !== undefined && act.at <= this.#context.market.now; act = this.#events[this.#next]) {
      this.#next += 1;
      act.play();
    }
  }

  #eventsOf(scenario: PositionScenario, index: number): ScenarioEvent[] {
    const pool = poolOf(this.#context.market, scenario.pool);
    let opened: OpenedPosition | undefined;
    const during = (at: number, play: (position: OpenedPosition) => void): ScenarioEvent => ({
      at,
      play: () => {
        if (opened !== undefined) {
          play(opened);
        }
      },
    });
    return [
      { at: scenario.openAt, play: () => (opened = this.#open(scenario, pool, index)) },
      ...scenario.collectAt.map((at) => during(at, ({ position }) => this.#positions.collect(pool, position, this.#payer))),
      ...scenario.withdrawals.map(({ at, shareBps }) =>
        during(at, ({ position }) => this.#positions.takeOut(pool, position, shareBps, this.#payer)),
      ),
      ...(scenario.closeAt === null ? [] : [during(scenario.closeAt, (position) => this.#positions.close(pool, position, this.#payer))]),
    ];
  }

  #open({ strategy, worthSol, partX, range }: PositionScenario, pool: Pool, index: number): OpenedPosition | undefined {
    const wish = {
      owner: this.#owner,
      label: `position of the owner ${index}`,
      strategy,
      usd: worthSol * this.#context.market.usdSol,
      partX,
    };
    return this.#positions.open(pool, { ...wish, range: rangeFor(pool, range) }, this.#payer);
  }
}

function rangeFor(pool: Pool, range: PositionScenario['range']): BinRange | null {
  if (pool.type === 'product' || range === null) {
    return null;
  }
  return 'fromBinId' in range
    ? range
    : { fromBinId: pool.activeBinId - range.halfWidthBins, toBinId: pool.activeBinId + range.halfWidthBins };
}

function poolOf(market: Market, key: string): Pool {
  const pool = market.pools.find(({ spec }) => spec.key === key);
  if (pool === undefined) {
    throw new RangeError(`No pool ${key}`);
  }
  return pool;
}

/** What something held would have been worth at one moment, logarithms: in SOL and in US dollars. */
export interface LogWorth {
  readonly sol: number;
  readonly usd: number;
}

/** What all prices outside will be at the end of each of some steps: they do not depend on what anybody does. Moments are counted from 0. */
export class PricePaths {
  readonly #market: Market;
  readonly #times: Float64Array;
  readonly #logs: ReadonlyMap<string, Float64Array>;

  private constructor(
    market: Market,
    /** When each moment is, milliseconds since 1970. */
    times: Float64Array,
    /** By key of the token: logarithms of US dollars for one whole token. */
    logs: ReadonlyMap<string, Float64Array>,
  ) {
    this.#market = market;
    this.#times = times;
    this.#logs = logs;
  }

  /** What will be if the market makes steps of so many seconds from now on. */
  static ahead(market: Market, steps: readonly number[]): PricePaths {
    const walk = market.previewPrices();
    const times = new Float64Array(steps.length);
    const logs = new Map(market.tokens.map(({ spec }) => [spec.key, new Float64Array(steps.length)]));
    let now = market.now;
    for (const [moment, seconds] of steps.entries()) {
      walk.step(seconds);
      now += seconds * SECOND;
      times[moment] = now;
      for (const { spec } of market.tokens) {
        const path = logs.get(spec.key);
        if (path !== undefined) {
          path[moment] = Math.log(walk.usd(spec));
        }
      }
    }
    return new PricePaths(market, times, logs);
  }

  /** The last moment: the present of the first start. -1 where there are no steps. */
  get last(): number {
    return this.#times.length - 1;
  }

  /** @throws RangeError where there is no such moment. */
  timeOf(moment: number): number {
    return known(this.#times[moment]);
  }

  /** How long before the last moment. */
  hoursAgo(moment: number): number {
    return (this.timeOf(this.last) - this.timeOf(moment)) / HOUR;
  }

  /** The first moment that is at most so many hours before the last one. */
  momentAgo(hours: number): number {
    const time = this.timeOf(this.last) - hours * HOUR;
    let low = 0;
    let high = this.last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeOf(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Moments that lie between so many hours before the last one, oldest first; none before the pool was an hour old, and none where the past is shorter. */
  between(pool: Pool, mostHoursAgo: number, leastHoursAgo: number): number[] {
    const moments: number[] = [];
    for (let moment = this.momentAgo(mostHoursAgo); moment <= this.last && this.hoursAgo(moment) >= leastHoursAgo; moment += 1) {
      if (this.timeOf(moment) >= pool.createdAt + HOUR) {
        moments.push(moment);
      }
    }
    return moments;
  }

  /** Where the outside price stands among the pool's bins, with fractions. The active bin is near it: arbitrage leaves the fee. */
  binAt({ spec, tokenX, tokenY }: BinPool, moment: number): number {
    const log = this.#logAt(tokenX.spec.key, moment) - this.#logAt(tokenY.spec.key, moment) + Math.log(rawPrice(1, tokenX, tokenY));
    return log / Math.log1p(spec.binStepBps / WHOLE_BPS);
  }

  /** What half of X and half of Y are worth, against any other moment. */
  halvesAt({ tokenX, tokenY }: Pool, moment: number): LogWorth {
    const usd = (this.#logAt(tokenX.spec.key, moment) + this.#logAt(tokenY.spec.key, moment)) / 2;
    return { usd, sol: usd - this.#logAt(this.#market.sol.spec.key, moment) };
  }

  /** What token X alone is worth, against any other moment. */
  worthOfX({ tokenX }: Pool, moment: number): LogWorth {
    const usd = this.#logAt(tokenX.spec.key, moment);
    return { usd, sol: usd - this.#logAt(this.#market.sol.spec.key, moment) };
  }

  #logAt(key: string, moment: number): number {
    return known(this.#logs.get(key)?.[moment]);
  }
}

function known(value: number | undefined): number {
  if (value === undefined) {
    throw new RangeError('There is no price at that moment');
  }
  return value;
}
