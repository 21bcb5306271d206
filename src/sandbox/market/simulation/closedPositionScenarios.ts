import { STRATEGIES } from '../../../base/dlmm/strategy';
import { HOUR_MS } from '../../../base/time';
import { Random } from '../random';
import type { Market, MarketPool } from '../types';
import type { PositionScenario, PricePaths, LogWorth } from './scenario';
import { sample } from './strategyProfile';

const COUNT = 20;
/** One position in this many is in a constant-product pool. */
const PRODUCT_EVERY = 4;
/** Pools of the owner's closed positions. */
const BIN_POOLS = [
  'SOL-USDC-4',
  'JUPP-SOL-20',
  'BONQ-SOL-25',
  'TRUMPET-USDC-50',
  'WYFF-SOL-80',
  'POPKAT-SOL-100',
  'PENGO-SOL-125',
  'BONQ-SOL-100',
  'MEWO-SOL-200',
];
const PRODUCT_POOLS = ['SOL-USDC-DAMM-4', 'JUPP-SOL-DAMM-25', 'BONQ-SOL-DAMM-25', 'WYFF-SOL-DAMM-100'];

/** Youngest and oldest opening: hours, and part of the past. */
const YOUNGEST_HOURS_AGO = 50;
const OLDEST_PART = 0.99;
const CLOSED_HOURS_AGO = 9;
const HOLD_HOURS = [3, 140] as const;
const HALF_WIDTH_BINS = [9, 34] as const;
const WORTH_SOL = [0.4, 9] as const;
/** Number of random candidates from which the best one is chosen. */
const CANDIDATES = 16;

/** Positions that were closed before the first start, spread over the past; gains and losses alternate as far as prices allow. */
export function closedPositionScenarios(market: Market, paths: PricePaths): PositionScenario[] {
  if (paths.last < 0) {
    return [];
  }
  const random = Random.seeded(market.seed, 'closed positions');
  const oldest = OLDEST_PART * paths.hoursAgo(0);
  return Array.from({ length: COUNT }, (_, index) => {
    const keys = index % PRODUCT_EVERY === PRODUCT_EVERY - 1 ? PRODUCT_POOLS : BIN_POOLS;
    const candidates = Array.from({ length: CANDIDATES }, () =>
      drawHoldingPeriod(
        market,
        paths,
        keys,
        YOUNGEST_HOURS_AGO + ((oldest - YOUNGEST_HOURS_AGO) * (index + random.uniform())) / COUNT,
        random,
      ),
    );
    const wanted = index % 2 === 0 ? wonBy : lostBy;
    const best = candidates.filter((candidate) => candidate !== undefined).sort((a, b) => wanted(b.change) - wanted(a.change))[0];
    return best === undefined ? undefined : scenarioOf(best, random);
  }).filter((scenario) => scenario !== undefined);
}

/** A time in a pool, and the change of value of equal parts of both tokens meanwhile. */
interface HoldingPeriod {
  readonly pool: MarketPool;
  readonly openAt: number;
  readonly closeAt: number;
  readonly change: LogWorth;
}

function drawHoldingPeriod(
  market: Market,
  paths: PricePaths,
  keys: readonly string[],
  hoursAgo: number,
  random: Random,
): HoldingPeriod | undefined {
  const key = keys[random.integer(0, keys.length - 1)];
  const pool = market.pools.find(({ spec }) => spec.key === key);
  const opened = paths.momentAgo(hoursAgo);
  const closed = paths.momentAgo(Math.max(CLOSED_HOURS_AGO, hoursAgo - sample(HOLD_HOURS, random)));
  if (pool === undefined || closed <= opened || paths.timeOf(opened) < pool.createdAt + HOUR_MS) {
    return undefined;
  }
  const [before, after] = [paths.halvesAt(pool, opened), paths.halvesAt(pool, closed)];
  return {
    pool,
    openAt: paths.timeOf(opened),
    closeAt: paths.timeOf(closed),
    change: { sol: after.sol - before.sol, usd: after.usd - before.usd },
  };
}

function scenarioOf({ pool, openAt, closeAt }: HoldingPeriod, random: Random): PositionScenario {
  return {
    pool: pool.spec.key,
    strategy: pool.type === 'product' ? 'Spot' : (STRATEGIES[random.integer(0, STRATEGIES.length - 1)] ?? 'Spot'),
    worthSol: Number(sample(WORTH_SOL, random).toFixed(2)),
    partX: 0.5,
    range: pool.type === 'product' ? null : { halfWidthBins: random.integer(...HALF_WIDTH_BINS) },
    openAt,
    closeAt,
    collectAt: [],
    withdrawals: [],
  };
}

/** Gain in the currency in which it is smaller. */
function wonBy({ sol, usd }: LogWorth): number {
  return Math.min(sol, usd);
}

function lostBy({ sol, usd }: LogWorth): number {
  return -Math.max(sol, usd);
}
