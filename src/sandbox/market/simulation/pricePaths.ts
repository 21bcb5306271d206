import { WHOLE_BPS } from '../../../base/basisPoints';
import { HOUR, SECOND } from '../spans';
import { rawPrice } from '../tokens';
import type { BinPool, Market, Pool } from '../types';

/** What something held would have been worth at one moment, logarithms: in SOL and in US dollars. */
export interface Worth {
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
  halvesAt({ tokenX, tokenY }: Pool, moment: number): Worth {
    const usd = (this.#logAt(tokenX.spec.key, moment) + this.#logAt(tokenY.spec.key, moment)) / 2;
    return { usd, sol: usd - this.#logAt(this.#market.sol.spec.key, moment) };
  }

  /** What token X alone is worth, against any other moment. */
  worthOfX({ tokenX }: Pool, moment: number): Worth {
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
