import { WHOLE_BPS } from '../../../base/basisPoints';
import type { BinRange } from '../../../base/dlmm/bins';
import type { Strategy } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import { HOUR_MS, SECOND_MS } from '../../../base/time';
import type { BinPool, Market, MarketPool } from '../types';
import { rawPrice } from '../units';
import { type SimulationContext, WorldPayer } from './payers';
import { type MadePosition, ProviderPositions } from './providerPositions';

/** The life of one position of the owner in the played past. Times are ends of steps, milliseconds since 1970. */
export interface PositionScenario {
  /** Key in the catalog. */
  readonly pool: string;
  readonly strategy: Strategy;
  /** Value of the deposit in SOL, and the part of it in token X (0 to 1). */
  readonly worthSol: number;
  readonly partX: number;
  /** Bins, or the number of bins to either side of the active one; `null` in a constant-product pool. */
  readonly range: BinRange | { readonly halfWidthBins: number } | null;
  readonly openAt: number;
  /** `null`: it stays open. */
  readonly closeAt: number | null;
  readonly collectAt: readonly number[];
  readonly withdrawals: readonly { readonly at: number; readonly shareBps: number }[];
}

/** An action of the owner. */
interface ScenarioEvent {
  readonly at: number;
  readonly play: () => void;
}

/** Plays the owner's past into a market. The rest of the world pays, because the owner's wallet starts with a fixed amount. */
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

  /** Plays all events that are due at the market's time, in order. */
  play(): void {
    const { now } = this.#context.market;
    for (let event = this.#events[this.#next]; event !== undefined && event.at <= now; event = this.#events[this.#next]) {
      this.#next += 1;
      event.play();
    }
  }

  #eventsOf(scenario: PositionScenario, index: number): ScenarioEvent[] {
    const pool = poolOf(this.#context.market, scenario.pool);
    let opened: MadePosition | undefined;
    const during = (at: number, play: (position: MadePosition) => void): ScenarioEvent => ({
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
        during(at, ({ position }) => this.#positions.withdraw(pool, position, shareBps, this.#payer)),
      ),
      ...(scenario.closeAt === null ? [] : [during(scenario.closeAt, (position) => this.#positions.close(pool, position, this.#payer))]),
    ];
  }

  #open({ strategy, worthSol, partX, range }: PositionScenario, pool: MarketPool, index: number): MadePosition | undefined {
    const request = {
      owner: this.#owner,
      label: `position of the owner ${index}`,
      strategy,
      usd: worthSol * this.#context.market.usdSol,
      partX,
      range: rangeFor(pool, range),
    };
    return this.#positions.open(pool, request, this.#payer);
  }
}

function rangeFor(pool: MarketPool, range: PositionScenario['range']): BinRange | null {
  if (pool.type === 'product' || range === null) {
    return null;
  }
  return 'fromBinId' in range
    ? range
    : { fromBinId: pool.activeBinId - range.halfWidthBins, toBinId: pool.activeBinId + range.halfWidthBins };
}

function poolOf(market: Market, key: string): MarketPool {
  const pool = market.pools.find(({ spec }) => spec.key === key);
  if (pool === undefined) {
    throw new RangeError(`No pool ${key}`);
  }
  return pool;
}

/** Natural logarithms of a value in SOL and in US dollars. */
export interface LogWorth {
  readonly sol: number;
  readonly usd: number;
}

/** External prices at the end of each future step. They are known in advance because trades do not change them. A moment is the index of a step. */
export class PricePaths {
  readonly #market: Market;
  readonly #times: Float64Array;
  readonly #logs: ReadonlyMap<string, Float64Array>;

  private constructor(
    market: Market,
    /** Milliseconds since 1970, by moment. */
    times: Float64Array,
    /** Logarithm of the US dollar price of one whole token, by the token's key and moment. */
    logs: ReadonlyMap<string, Float64Array>,
  ) {
    this.#market = market;
    this.#times = times;
    this.#logs = logs;
  }

  /** Computes the prices that steps of these lengths (seconds) will reach. */
  static ahead(market: Market, steps: readonly number[]): PricePaths {
    const walk = market.previewPrices();
    const times = new Float64Array(steps.length);
    const logs = new Map(market.tokens.map(({ spec }) => [spec.key, new Float64Array(steps.length)]));
    let now = market.now;
    for (const [moment, seconds] of steps.entries()) {
      walk.step(seconds);
      now += seconds * SECOND_MS;
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

  /** The last moment, which is the first start of the sandbox; -1 if there are no steps. */
  get last(): number {
    return this.#times.length - 1;
  }

  /** Milliseconds since 1970. @throws RangeError if there is no such moment */
  timeOf(moment: number): number {
    return known(this.#times[moment]);
  }

  /** Hours from a moment to the last one. */
  hoursAgo(moment: number): number {
    return (this.timeOf(this.last) - this.timeOf(moment)) / HOUR_MS;
  }

  /** The first moment at most this many hours before the last one. */
  momentAgo(hours: number): number {
    const time = this.timeOf(this.last) - hours * HOUR_MS;
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

  /** Moments between two ages, oldest first; only those at which the pool was at least an hour old. */
  between(pool: MarketPool, maxHoursAgo: number, minHoursAgo: number): number[] {
    const moments: number[] = [];
    for (let moment = this.momentAgo(maxHoursAgo); moment <= this.last && this.hoursAgo(moment) >= minHoursAgo; moment += 1) {
      if (this.timeOf(moment) >= pool.createdAt + HOUR_MS) {
        moments.push(moment);
      }
    }
    return moments;
  }

  /** The bin of the external price, with a fraction. The active bin is near it: arbitrage leaves a difference of the fee. */
  binAt({ spec, tokenX, tokenY }: BinPool, moment: number): number {
    const log = this.#logAt(tokenX.spec.key, moment) - this.#logAt(tokenY.spec.key, moment) + Math.log(rawPrice(1, tokenX, tokenY));
    return log / Math.log1p(spec.binStepBps / WHOLE_BPS);
  }

  /** Value of equal parts of X and Y (geometric mean); only differences between moments are meaningful. */
  halvesAt({ tokenX, tokenY }: MarketPool, moment: number): LogWorth {
    const usd = (this.#logAt(tokenX.spec.key, moment) + this.#logAt(tokenY.spec.key, moment)) / 2;
    return { usd, sol: usd - this.#logAt(this.#market.sol.spec.key, moment) };
  }

  /** Value of token X alone; only differences between moments are meaningful. */
  worthOfX({ tokenX }: MarketPool, moment: number): LogWorth {
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
