import { DAY_MS, HOUR_MS } from '../../../base/time';
import { baseFeeOf, SOL_KEY, tokenSpec } from '../catalog';
import type { BinPool, Market, MarketPool } from '../types';
import type { PositionScenario, PricePaths } from './scenario';

/** A scenario for a description; it fits if the score is at least 1. */
interface Candidate {
  readonly scenario: PositionScenario;
  readonly score: number;
}

/** How a position is opened, apart from pool and time. */
type Opening = Pick<PositionScenario, 'strategy' | 'worthSol' | 'partX' | 'range'> &
  Partial<Pick<PositionScenario, 'collectAt' | 'withdrawals'>>;

const HOURS_PER_DAY = DAY_MS / HOUR_MS;
const CALM_VOLATILITY = 0.1;

/** Logarithms of price changes: a rise for a big gain (with fees), the smallest rise for one, and a fall for a loss in spite of fees. */
const BIG_RISE = Math.log(1.3);
const MIN_RISE = Math.log(1.04);
const FALL = Math.log(1.16);
const MAX_FALL = Math.log(1.6);
/** Bounds of the volume that a position near the price serves per day, as a multiple of its value; it earns the pool's fee on it. */
const MIN_TURNOVER_PER_DAY = 1;
const MAX_TURNOVER_PER_DAY = 2.5;
/** Days out of range of the position that was left alone. */
const LONG_DAYS = 7;

/**
 * Positions that are open at the first start: one of each kind that users meet, whatever the seed. Prices are known in advance, so
 * each position is opened at the time and range that lead to its outcome. If the price of the usual pool never moved that way,
 * another pool is chosen. A short past has fewer of them.
 */
export function openPositionScenarios(market: Market, paths: PricePaths): PositionScenario[] {
  if (paths.last < 0) {
    return [];
  }
  const finder = new ScenarioFinder(market, paths);
  return [
    finder.calm(),
    finder.bigGain(),
    finder.loss(),
    finder.justOut(),
    finder.longOut(),
    finder.tiny(),
    finder.young(),
    finder.curve(),
    finder.fullRange(),
  ].filter((scenario) => scenario !== undefined);
}

class ScenarioFinder {
  readonly #market: Market;
  readonly #paths: PricePaths;

  constructor(market: Market, paths: PricePaths) {
    this.#market = market;
    this.#paths = paths;
  }

  /** A large position in range, with hardly any gain. */
  calm(): PositionScenario | undefined {
    return this.#closestTo('SANDSOL-SOL-1', [480, 380], (end) => ({
      strategy: 'Spot',
      worthSol: 38.4,
      partX: 0.5,
      range: { fromBinId: end - 28, toBinId: end + 27 },
      collectAt: [this.#hoursAgo(180)],
    }));
  }

  /** A position opened at a low price; it sold while the price rose, mostly late. */
  bigGain(): PositionScenario | undefined {
    return this.#best(['BONQ-SOL-100', 'BONQ-SOL-25'], (pool) => {
      const gain = (moment: number): number => {
        const rise = this.#riseOfX(pool, moment);
        return rise < MIN_RISE ? rise - MIN_RISE : rise + MIN_TURNOVER_PER_DAY * this.#feeDays(pool, moment);
      };
      const moments = this.#paths.between(pool, 75 * HOURS_PER_DAY, 20);
      const moment = moments.findLast((candidate) => gain(candidate) >= BIG_RISE) ?? maximum(moments, gain);
      if (moment === undefined) {
        return undefined;
      }
      const fromBinId = Math.floor(this.#paths.binAt(pool, moment)) - 3;
      const toBinId = Math.max(fromBinId + 20, this.#end(pool) + 12);
      return this.#candidate(
        pool,
        moment,
        { strategy: 'BidAsk', worthSol: 6.2, partX: 0.93, range: { fromBinId, toBinId } },
        gain(moment) / BIG_RISE,
      );
    });
  }

  /** A position opened at a higher price, and still in range. */
  loss(): PositionScenario | undefined {
    return this.#best(['WYFF-SOL-80', 'WYFF-SOL-160', 'PHARTO-SOL-80', 'MEWO-SOL-200'], (pool) => {
      const loss = (moment: number): number =>
        Math.min(MAX_FALL, -this.#riseOfX(pool, moment)) - MAX_TURNOVER_PER_DAY * this.#feeDays(pool, moment);
      const moments = this.#paths.between(pool, 60 * HOURS_PER_DAY, 20);
      const moment = moments.findLast((candidate) => loss(candidate) >= FALL) ?? maximum(moments, loss);
      if (moment === undefined) {
        return undefined;
      }
      const end = this.#end(pool);
      const range = { fromBinId: end - 17, toBinId: Math.max(end + 44, Math.ceil(this.#paths.binAt(pool, moment)) + 6) };
      const halfWay = (this.#paths.timeOf(moment) + this.#paths.timeOf(this.#paths.last)) / 2;
      return this.#candidate(
        pool,
        moment,
        { strategy: 'Spot', worthSol: 9.75, partX: 0.55, range, collectAt: [halfWay] },
        loss(moment) / FALL,
      );
    });
  }

  /** The price is a few bins above the range. */
  justOut(): PositionScenario | undefined {
    return this.#best(['POPKAT-SOL-100', 'WYFF-SOL-80', 'PHARTO-SOL-80'], (pool) => {
      const toBinId = this.#end(pool) - feeBins(pool) - 2;
      const inside = this.#paths
        .between(pool, 85 * HOURS_PER_DAY, 12)
        .filter((moment) => isBetween(this.#paths.binAt(pool, moment), toBinId - 28, toBinId - 4));
      return this.#candidate(
        pool,
        inside.at(-1),
        { strategy: 'Spot', worthSol: 3.1, partX: 0.5, range: { fromBinId: toBinId - 35, toBinId } },
        1,
      );
    });
  }

  /** The price has been below the range for days; a quarter was withdrawn before. */
  longOut(): PositionScenario | undefined {
    return this.#best(['PENGO-SOL-125', 'PENGO-SOL-50'], (pool) => {
      for (const days of [14, 10, LONG_DAYS, 4, 2]) {
        const since = this.#paths.between(pool, days * HOURS_PER_DAY, 0).map((moment) => this.#paths.binAt(pool, moment));
        const fromBinId = Math.ceil(Math.max(...since, this.#end(pool) + 9)) + feeBins(pool) + 2;
        const inside = this.#paths
          .between(pool, 80 * HOURS_PER_DAY, days * HOURS_PER_DAY + 12)
          .filter((moment) => isBetween(this.#paths.binAt(pool, moment), fromBinId + 3, fromBinId + 48));
        const moment = inside.at(-1);
        if (moment !== undefined) {
          const at = this.#paths.timeOf(moment) + 0.1 * (this.#paths.timeOf(this.#paths.last) - this.#paths.timeOf(moment));
          return this.#candidate(
            pool,
            moment,
            {
              strategy: 'Curve',
              worthSol: 4.8,
              partX: 0.5,
              range: { fromBinId, toBinId: fromBinId + 53 },
              withdrawals: [{ at, shareBps: 2_500 }],
            },
            days / LONG_DAYS,
          );
        }
      }
      return undefined;
    });
  }

  /** A position worth a few dollars in a small pool. */
  tiny(): PositionScenario | undefined {
    return this.#closestTo('GIGALAMB-SOL-250', [7, 2.5], (end) => ({
      strategy: 'Spot',
      worthSol: 0.021,
      partX: 0.5,
      range: { fromBinId: end - 22, toBinId: end + 26 },
    }));
  }

  /** At most a few hours old, without gain or loss. */
  young(): PositionScenario | undefined {
    const pool = this.#binPool('TRUMPET-USDC-50');
    const end = this.#paths.halvesAt(pool, this.#paths.last);
    const change = (moment: number): number => {
      const { sol, usd } = this.#paths.halvesAt(pool, moment);
      return -Math.max(Math.abs(sol - end.sol), Math.abs(usd - end.usd));
    };
    const moment = maximum(this.#paths.between(pool, 3, 0.7), change);
    const range = { fromBinId: this.#end(pool) - 34, toBinId: this.#end(pool) + 34 };
    return moment === undefined ? undefined : this.#scenario(pool, moment, { strategy: 'Spot', worthSol: 2.5, partX: 0.5, range });
  }

  /** A Curve position in the largest pool. */
  curve(): PositionScenario | undefined {
    return this.#closestTo('SOL-USDC-4', [40, 4], (end) => ({
      strategy: 'Curve',
      worthSol: 5.6,
      partX: 0.5,
      range: { fromBinId: end - 36, toBinId: end + 33 },
    }));
  }

  /** A position in a constant-product pool. */
  fullRange(): PositionScenario | undefined {
    const pool = this.#pool('JUPP-SOL-DAMM-25');
    const [moment] = this.#paths.between(pool, 310, 0);
    return moment === undefined
      ? undefined
      : this.#scenario(pool, moment, { strategy: 'Spot', worthSol: 4.2, partX: 0.5, range: null, collectAt: [this.#hoursAgo(120)] });
  }

  /** Opens at the moment between two ages (hours) whose price is nearest to the last one. */
  #closestTo(key: string, [oldest, youngest]: readonly [number, number], opening: (end: number) => Opening): PositionScenario | undefined {
    const pool = this.#binPool(key);
    const end = this.#end(pool);
    const moment = maximum(this.#paths.between(pool, oldest, youngest), (candidate) => -Math.abs(this.#paths.binAt(pool, candidate) - end));
    return moment === undefined ? undefined : this.#scenario(pool, moment, opening(end));
  }

  /** The scenario of the first pool that fits, named pools first; if none fits, the one with the best score. */
  #best(named: readonly string[], find: (pool: BinPool) => Candidate | undefined): PositionScenario | undefined {
    const others = this.#market.pools.filter(
      (pool): pool is BinPool => pool.type === 'bins' && isVolatile(pool) && !named.includes(pool.spec.key),
    );
    const candidates: Candidate[] = [];
    for (const pool of [...named.map((key) => this.#binPool(key)), ...others]) {
      const candidate = find(pool);
      if (candidate !== undefined && candidate.score >= 1) {
        return candidate.scenario;
      }
      candidates.push(...(candidate === undefined ? [] : [candidate]));
    }
    return candidates.sort((a, b) => b.score - a.score)[0]?.scenario;
  }

  /** Logarithm of the change in value of X up to the end; in the currency in which it is smaller, and 0 if the currencies disagree. */
  #riseOfX(pool: MarketPool, moment: number): number {
    const [before, after] = [this.#paths.worthOfX(pool, moment), this.#paths.worthOfX(pool, this.#paths.last)];
    const [sol, usd] = [after.sol - before.sol, after.usd - before.usd];
    return Math.sign(sol) * Math.max(0, Math.min(Math.abs(sol), Math.sign(sol) * usd));
  }

  /** The pool's base fee (a fraction) times the days since. */
  #feeDays({ spec }: BinPool, moment: number): number {
    return (baseFeeOf(spec) * this.#paths.hoursAgo(moment)) / HOURS_PER_DAY;
  }

  #candidate(pool: MarketPool, moment: number | undefined, opening: Opening, score: number): Candidate | undefined {
    return moment === undefined ? undefined : { score, scenario: this.#scenario(pool, moment, opening) };
  }

  #scenario(pool: MarketPool, moment: number, opening: Opening): PositionScenario {
    return { collectAt: [], withdrawals: [], ...opening, pool: pool.spec.key, openAt: this.#paths.timeOf(moment), closeAt: null };
  }

  /** The bin of the external price at the end. */
  #end(pool: BinPool): number {
    return Math.floor(this.#paths.binAt(pool, this.#paths.last));
  }

  #hoursAgo(hours: number): number {
    return this.#paths.timeOf(this.#paths.last) - hours * HOUR_MS;
  }

  /** @throws RangeError if the catalog has no such pool */
  #pool(key: string): MarketPool {
    const pool = this.#market.pools.find(({ spec }) => spec.key === key);
    if (pool === undefined) {
      throw new RangeError(`No pool ${key}`);
    }
    return pool;
  }

  /** @throws RangeError if the catalog has no such pool, or it has no bins */
  #binPool(key: string): BinPool {
    const pool = this.#pool(key);
    if (pool.type !== 'bins') {
      throw new RangeError(`${key} has no bins`);
    }
    return pool;
  }
}

/** The first moment with the highest score. */
function maximum(moments: readonly number[], score: (moment: number) => number): number | undefined {
  let best: number | undefined;
  let highest = -Infinity;
  for (const moment of moments) {
    const here = score(moment);
    if (here > highest) {
      best = moment;
      highest = here;
    }
  }
  return best;
}

/** Bins between the price of the pool and the external one that arbitrage leaves, because it has to pay the fee. */
function feeBins({ spec }: BinPool): number {
  return Math.ceil(spec.baseFactor / 10_000);
}

/** Whether the pool trades a volatile token against SOL. */
function isVolatile({ spec }: BinPool): boolean {
  return spec.tokenY === SOL_KEY && tokenSpec(spec.tokenX).volatility > CALM_VOLATILITY;
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
