import { baseFeeOf, SOL_KEY, tokenSpec } from '../catalog';
import { DAY, HOUR } from '../units';
import type { BinPool, Market, Pool } from '../types';
import type { PositionScenario, PricePaths } from './scenario';

/** A scenario that fits a description; well from 1 on. */
interface Candidate {
  readonly scenario: PositionScenario;
  readonly score: number;
}

/** How a position is opened at a moment of the past. */
type Opening = Pick<PositionScenario, 'strategy' | 'worthSol' | 'partX' | 'range'> &
  Partial<Pick<PositionScenario, 'collectAt' | 'withdrawals'>>;

const HOURS_PER_DAY = DAY / HOUR;
const CALM_VOLATILITY = 0.1;

/** How much higher a price has to be now, in logarithms, for a big gain, fees included; and how much lower for a loss in spite of fees. */
const BIG_RISE = Math.log(1.3);
const MIN_RISE = Math.log(1.04);
const FALL = Math.log(1.16);
const MAX_FALL = Math.log(1.6);
/** How often a position near the price is traded in a day, at least and at most: so many times the pool's fee is what it earns. */
const MIN_TURNOVER_PER_DAY = 1;
const MAX_TURNOVER_PER_DAY = 2.5;
/** How long a position has to be out of range to be forgotten. */
const LONG_DAYS = 7;

/**
 * Positions that are open at the first start: one of each kind that an owner comes to see, whatever the seed. Since the prices are
 * known beforehand, each is opened when, and where, it had to be for its outcome; in another pool than usual only where the
 * usual one's price never went that way. What a short past has no moment for is left out.
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

  /** Large, in range, with hardly any gain. */
  calm(): PositionScenario | undefined {
    return this.#closestTo('SANDSOL-SOL-1', [480, 380], (end) => ({
      strategy: 'Spot',
      worthSol: 38.4,
      partX: 0.5,
      range: { fromBinId: end - 28, toBinId: end + 27 },
      collectAt: [this.#hoursAgo(180)],
    }));
  }

  /** Bought low, and sold on the way up, most of it late. */
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

  /** Opened when the price was higher; in range all the same. */
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

  /** The price has left the range upwards, by a few bins. */
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

  /** The price has been below the range for long; a quarter was taken out before. */
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

  /** Worth a few dollars, in a pool with little in it. */
  tiny(): PositionScenario | undefined {
    return this.#closestTo('GIGALAMB-SOL-250', [7, 2.5], (end) => ({
      strategy: 'Spot',
      worthSol: 0.021,
      partX: 0.5,
      range: { fromBinId: end - 22, toBinId: end + 26 },
    }));
  }

  /** A few hours old at most; nothing gained, nothing lost. */
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

  /** Most of it near the price, in the largest pool. */
  curve(): PositionScenario | undefined {
    return this.#closestTo('SOL-USDC-4', [40, 4], (end) => ({
      strategy: 'Curve',
      worthSol: 5.6,
      partX: 0.5,
      range: { fromBinId: end - 36, toBinId: end + 33 },
    }));
  }

  /** Constant product. */
  fullRange(): PositionScenario | undefined {
    const pool = this.#pool('JUPP-SOL-DAMM-25');
    const [moment] = this.#paths.between(pool, 310, 0);
    return moment === undefined
      ? undefined
      : this.#scenario(pool, moment, { strategy: 'Spot', worthSol: 4.2, partX: 0.5, range: null, collectAt: [this.#hoursAgo(120)] });
  }

  /** Opened at the moment of a span (hours ago) at which the price was nearest to where it is in the end. */
  #closestTo(key: string, [most, least]: readonly [number, number], opening: (end: number) => Opening): PositionScenario | undefined {
    const pool = this.#binPool(key);
    const end = this.#end(pool);
    const moment = maximum(this.#paths.between(pool, most, least), (candidate) => -Math.abs(this.#paths.binAt(pool, candidate) - end));
    return moment === undefined ? undefined : this.#scenario(pool, moment, opening(end));
  }

  /** The first pool where the description fits, those named before all other ones; where it fits nowhere, the one where it does best. */
  #best(named: readonly string[], find: (pool: BinPool) => Candidate | undefined): PositionScenario | undefined {
    const others = this.#market.pools.filter(
      (pool): pool is BinPool => pool.type === 'bins' && isRestless(pool) && !named.includes(pool.spec.key),
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

  /** How much more X is worth in the end, in logarithms; in the currency in which that is less where it rises, or falls. */
  #riseOfX(pool: Pool, moment: number): number {
    const [before, after] = [this.#paths.worthOfX(pool, moment), this.#paths.worthOfX(pool, this.#paths.last)];
    const [sol, usd] = [after.sol - before.sol, after.usd - before.usd];
    return Math.sign(sol) * Math.max(0, Math.min(Math.abs(sol), Math.sign(sol) * usd));
  }

  /** The pool's base fee, as a part of 1, times the days since. */
  #feeDays({ spec }: BinPool, moment: number): number {
    return (baseFeeOf(spec) * this.#paths.hoursAgo(moment)) / HOURS_PER_DAY;
  }

  #candidate(pool: Pool, moment: number | undefined, opening: Opening, score: number): Candidate | undefined {
    return moment === undefined ? undefined : { score, scenario: this.#scenario(pool, moment, opening) };
  }

  #scenario(pool: Pool, moment: number, opening: Opening): PositionScenario {
    return { collectAt: [], withdrawals: [], ...opening, pool: pool.spec.key, openAt: this.#paths.timeOf(moment), closeAt: null };
  }

  /** In which bin the outside price lies in the end. */
  #end(pool: BinPool): number {
    return Math.floor(this.#paths.binAt(pool, this.#paths.last));
  }

  #hoursAgo(hours: number): number {
    return this.#paths.timeOf(this.#paths.last) - hours * HOUR;
  }

  /** @throws RangeError where the catalogue has no such pool. */
  #pool(key: string): Pool {
    const pool = this.#market.pools.find(({ spec }) => spec.key === key);
    if (pool === undefined) {
      throw new RangeError(`No pool ${key}`);
    }
    return pool;
  }

  /** @throws RangeError where the catalogue has no such pool, or it has no bins. */
  #binPool(key: string): BinPool {
    const pool = this.#pool(key);
    if (pool.type !== 'bins') {
      throw new RangeError(`${key} has no bins`);
    }
    return pool;
  }
}

/** The one with the greatest score; the first of them where several have it. */
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

/** How many bins the pool's price may stay away from the outside one: arbitrage has to pay the fee. */
function feeBins({ spec }: BinPool): number {
  return Math.ceil(spec.baseFactor / 10_000);
}

/** Says whether it is a pool of a token that goes its own way, priced in SOL. */
function isRestless({ spec }: BinPool): boolean {
  return spec.tokenY === SOL_KEY && tokenSpec(spec.tokenX).volatility > CALM_VOLATILITY;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
