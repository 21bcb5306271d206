import { addressFromBytes } from '../../../base/solana/address';
import { SOL_KEY, tokenSpec, USDC_KEY } from '../catalog';
import { Random, seededBytes } from '../random';
import { HOUR } from '../units';
import type { Market, Pool } from '../types';
import { sampleHabits, sample, STRATEGY_PROFILES, STYLES, type Habits, type Style } from './strategyProfile';
import type { Provider, ProviderSlot } from './provider';

/** What part of a pool's money its anchor brings at first; later as much as the others leave open. */
const ANCHOR_PART = 0.4;
/** Nobody but the anchor begins with more than this part of a pool. */
const LARGEST_PART = 0.12;
/** People of this kind bring so much, US dollars, whatever the pool. */
const TINY_USD = [8, 120] as const;
/** How much money people have, as a multiple of what they mean to put into pools; anchors have to make up for everybody else. */
const SAVINGS = 1.7;
const ANCHOR_SAVINGS = 4;
/** Out of a hundred. */
const WHALES = 6;
const TINY = 18;
const WHALE_FACTOR = 6;
/** Spread of the others' money: standard deviation of its logarithm. */
const SIZE_SPREAD = 0.7;
/** They come one after the other, within the first hours of a pool or of the market. */
const ARRIVAL_HOURS = 36;
/** Where a pool is younger than that, within this part of its age. */
const ARRIVAL_PART = 0.6;
/** Tokens that move more than this in a year by themselves are chased. */
const CHASED_VOLATILITY = 1.2;
const CALM_VOLATILITY = 0.1;
/** How uneven the choice of pools is. */
const TASTE = 0.25;

/** How much money somebody has, beside others. */
type Size = 'whale' | 'usual' | 'tiny';

/** Somebody who comes to the market, and with how much money, US dollars. */
export interface NewProvider {
  readonly provider: Provider;
  readonly savingsUsd: number;
}

/** A seat before it is known how the money of its pool is divided. */
interface PlannedSlot {
  readonly pool: Pool;
  readonly habits: Habits;
  readonly size: Size;
  readonly weight: number;
}

/**
 * The simulated people of a market, the same for the same seed: who likes which pools and brings how much, so that all
 * together put about its catalogue figure into each pool. Nobody has a position yet; they come from `market.now` on.
 */
export function seedProviders(market: Market): NewProvider[] {
  const random = Random.seeded(market.seed, 'people');
  const filled = new Map<Pool, number>();
  const planned = STYLES.flatMap((style) =>
    Array.from({ length: STRATEGY_PROFILES[style].providers }, (_, index) => {
      const habits = sampleHabits(style, random);
      const size = sizeOf(style, random);
      const pools =
        style === 'anchor'
          ? market.pools.filter((_pool, at) => at % STRATEGY_PROFILES.anchor.providers === index)
          : chosenPools(market, style, filled, random);
      return { habits, places: pools.map((pool): PlannedSlot => ({ pool, habits, size, weight: weightOf(style, size, random) })) };
    }),
  );
  const totals = new Map<Pool, number>();
  for (const { pool, habits, weight } of planned.flatMap(({ places }) => places)) {
    totals.set(pool, (totals.get(pool) ?? 0) + weight * STRATEGY_PROFILES[habits.style].presence);
  }
  return planned.map(({ habits, places }, number) => {
    const seats = places.map((place) => seatOf(place, totals.get(place.pool) ?? 0, market.now, random));
    const dollars = places.filter(({ pool }) => pool.spec.tokenY === USDC_KEY).length;
    const provider: Provider = {
      owner: addressFromBytes(seededBytes(market.seed, `provider ${number}`)),
      number,
      dueAt: Math.min(...seats.map(({ enterAt }) => enterAt)),
      habits,
      home: 2 * dollars > places.length ? USDC_KEY : SOL_KEY,
      seats,
      opened: 0,
      random: Random.seeded(market.seed, `provider ${number}`).save(),
    };
    const budgetUsd = seats.reduce((sum, seat) => sum + seat.budgetUsd, 0);
    return { provider, savingsUsd: (habits.style === 'anchor' ? ANCHOR_SAVINGS : SAVINGS) * budgetUsd };
  });
}

/** Pools that the style suits, those first in which few people are yet. */
function chosenPools(market: Market, style: Style, filled: Map<Pool, number>, random: Random): Pool[] {
  const [least, most] = STRATEGY_PROFILES[style].pools;
  return market.pools
    .filter((pool) => suits(style, pool))
    .map((pool) => ({ pool, need: (popularity(pool) / (0.5 + (filled.get(pool) ?? 0))) * Math.exp(TASTE * random.normal()) }))
    .sort((a, b) => b.need - a.need)
    .slice(0, random.integer(least, most))
    .map(({ pool }) => {
      filled.set(pool, (filled.get(pool) ?? 0) + 1);
      return pool;
    });
}

function suits(style: Style, pool: Pool): boolean {
  const x = tokenSpec(pool.spec.tokenX);
  const isCalm = x.volatility < CALM_VOLATILITY && x.beta === tokenSpec(pool.spec.tokenY).beta;
  switch (style) {
    case 'anchor':
      return true;
    case 'fullRange':
      return pool.type === 'product';
    case 'stablePair':
      return pool.type === 'bins' && isCalm;
    case 'chaser':
      return pool.type === 'bins' && x.volatility >= CHASED_VOLATILITY;
    case 'ladder':
    case 'bidAsk':
      return pool.type === 'bins' && !isCalm;
    case 'marketMaker':
    case 'patient':
      return pool.type === 'bins';
  }
}

/** More people go where more money is; but not in proportion. */
function popularity(pool: Pool): number {
  return 2 + Math.log10(pool.spec.tvlUsd);
}

function sizeOf(style: Style, random: Random): Size {
  const draw = 100 * random.uniform();
  return draw < WHALES && STRATEGY_PROFILES[style].presence >= 0.9 ? 'whale' : draw >= 100 - TINY && style !== 'anchor' ? 'tiny' : 'usual';
}

function weightOf(style: Style, size: Size, random: Random): number {
  const usual = STRATEGY_PROFILES[style].weight * Math.exp(SIZE_SPREAD * random.normal());
  return size === 'tiny' ? 0 : size === 'whale' ? WHALE_FACTOR * usual : usual;
}

function seatOf({ pool, habits, size, weight }: PlannedSlot, total: number, now: number, random: Random): ProviderSlot {
  const { spec } = pool;
  const part =
    habits.style === 'anchor' ? ANCHOR_PART : Math.min(LARGEST_PART, ((1 - ANCHOR_PART) * weight) / Math.max(total, Number.MIN_VALUE));
  const delayHours = habits.style === 'anchor' ? 0 : random.uniform() * Math.min(ARRIVAL_HOURS, ARRIVAL_PART * spec.ageHours);
  return {
    pool: spec.key,
    budgetUsd: size === 'tiny' ? Math.min(sample(TINY_USD, random), LARGEST_PART * spec.tvlUsd) : part * spec.tvlUsd,
    halfWidthBins:
      spec.type === 'bins' ? Math.max(1, Math.round(spec.halfWidthBins * sample(STRATEGY_PROFILES[habits.style].halfWidth, random))) : 0,
    side: random.uniform() < 0.5 ? 'x' : 'y',
    enterAt: Math.max(now, pool.createdAt) + Math.round(delayHours * HOUR),
    stay: null,
  };
}
