import { addressFromBytes } from '../../../base/solana/address';
import { HOUR_MS } from '../../../base/time';
import { SOL_KEY, tokenSpec, USDC_KEY } from '../catalog';
import { Random, seededBytes } from '../random';
import type { Market, MarketPool } from '../types';
import { sampleHabits, sample, STRATEGY_PROFILES, STYLES, type Habits, type Style } from './strategyProfile';
import type { Provider, ProviderSlot } from './provider';

/** Part of a pool's liquidity that its anchor provides at first; later it fills what the others leave open. */
const ANCHOR_PART = 0.4;
/** Largest part of a pool with which anyone but the anchor begins. */
const MAX_PART = 0.12;
/** Budget of tiny providers, US dollars, whatever the pool. */
const TINY_USD = [8, 120] as const;
/** Money of a provider, as a multiple of its budgets; anchors have to make up for everybody else. */
const SAVINGS = 1.7;
const ANCHOR_SAVINGS = 4;
/** Whales and tiny providers in a hundred. */
const WHALES = 6;
const TINY = 18;
const WHALE_FACTOR = 6;
/** Standard deviation of the logarithm of the other providers' money. */
const SIZE_SPREAD = 0.7;
/** Providers enter a pool during the first hours of the pool or of the market. */
const ARRIVAL_HOURS = 36;
/** In a younger pool they enter within this part of its age. */
const ARRIVAL_PART = 0.6;
/** Chasers choose tokens with at least this yearly volatility. */
const CHASED_VOLATILITY = 1.2;
const CALM_VOLATILITY = 0.1;
/** Standard deviation of the logarithm of a random factor in the choice of pools. */
const TASTE = 0.25;

/** Size class of a provider. */
type Size = 'whale' | 'usual' | 'tiny';

/** A provider that joins the market, and its money, US dollars. */
export interface NewProvider {
  readonly provider: Provider;
  readonly savingsUsd: number;
}

/** A slot before the pool's liquidity is divided among its providers. */
interface PlannedSlot {
  readonly pool: MarketPool;
  readonly habits: Habits;
  readonly size: Size;
  readonly weight: number;
}

/**
 * Creates the providers of a market, the same for the same seed: which pools each of them chooses, and how much it brings, so that
 * each pool reaches about the liquidity of the catalog. None has a position yet; they enter from `market.now` on.
 */
export function seedProviders(market: Market): NewProvider[] {
  const random = Random.seeded(market.seed, 'people');
  const filled = new Map<MarketPool, number>();
  const providers = STYLES.flatMap((style) =>
    Array.from({ length: STRATEGY_PROFILES[style].providers }, (_, index) => {
      const habits = sampleHabits(style, random);
      const size = sizeOf(style, random);
      const pools =
        style === 'anchor'
          ? market.pools.filter((_pool, at) => at % STRATEGY_PROFILES.anchor.providers === index)
          : chosenPools(market, style, filled, random);
      return { habits, plannedSlots: pools.map((pool): PlannedSlot => ({ pool, habits, size, weight: weightOf(style, size, random) })) };
    }),
  );
  const totals = new Map<MarketPool, number>();
  for (const { pool, habits, weight } of providers.flatMap(({ plannedSlots }) => plannedSlots)) {
    totals.set(pool, (totals.get(pool) ?? 0) + weight * STRATEGY_PROFILES[habits.style].presence);
  }
  return providers.map(({ habits, plannedSlots }, number) => {
    const slots = plannedSlots.map((planned) => slotOf(planned, totals.get(planned.pool) ?? 0, market.now, random));
    const dollars = plannedSlots.filter(({ pool }) => pool.spec.tokenY === USDC_KEY).length;
    const provider: Provider = {
      owner: addressFromBytes(seededBytes(market.seed, `provider ${number}`)),
      number,
      dueAt: Math.min(...slots.map(({ enterAt }) => enterAt)),
      habits,
      home: 2 * dollars > plannedSlots.length ? USDC_KEY : SOL_KEY,
      seats: slots,
      opened: 0,
      random: Random.seeded(market.seed, `provider ${number}`).save(),
    };
    const budgetUsd = slots.reduce((sum, slot) => sum + slot.budgetUsd, 0);
    return { provider, savingsUsd: (habits.style === 'anchor' ? ANCHOR_SAVINGS : SAVINGS) * budgetUsd };
  });
}

/** Chooses pools that suit the style, preferably those with few providers so far. */
function chosenPools(market: Market, style: Style, filled: Map<MarketPool, number>, random: Random): MarketPool[] {
  const [min, max] = STRATEGY_PROFILES[style].pools;
  return market.pools
    .filter((pool) => suits(style, pool))
    .map((pool) => ({ pool, need: (popularity(pool) / (0.5 + (filled.get(pool) ?? 0))) * Math.exp(TASTE * random.normal()) }))
    .sort((a, b) => b.need - a.need)
    .slice(0, random.integer(min, max))
    .map(({ pool }) => {
      filled.set(pool, (filled.get(pool) ?? 0) + 1);
      return pool;
    });
}

function suits(style: Style, pool: MarketPool): boolean {
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

/** Grows with the liquidity of a pool, but less than in proportion. */
function popularity(pool: MarketPool): number {
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

function slotOf({ pool, habits, size, weight }: PlannedSlot, total: number, now: number, random: Random): ProviderSlot {
  const { spec } = pool;
  const part =
    habits.style === 'anchor' ? ANCHOR_PART : Math.min(MAX_PART, ((1 - ANCHOR_PART) * weight) / Math.max(total, Number.MIN_VALUE));
  const delayHours = habits.style === 'anchor' ? 0 : random.uniform() * Math.min(ARRIVAL_HOURS, ARRIVAL_PART * spec.ageHours);
  return {
    pool: spec.key,
    budgetUsd: size === 'tiny' ? Math.min(sample(TINY_USD, random), MAX_PART * spec.tvlUsd) : part * spec.tvlUsd,
    halfWidthBins:
      spec.type === 'bins' ? Math.max(1, Math.round(spec.halfWidthBins * sample(STRATEGY_PROFILES[habits.style].halfWidth, random))) : 0,
    side: random.uniform() < 0.5 ? 'x' : 'y',
    enterAt: Math.max(now, pool.createdAt) + Math.round(delayHours * HOUR_MS),
    stay: null,
  };
}
