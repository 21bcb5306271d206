import * as z from 'zod';
import { STRATEGIES, type Strategy } from '../../../base/dlmm/strategy';
import type { Random } from '../random';

/** Styles of liquidity provision. */
export const STYLES = [
  /** Wide and always present; adds liquidity to a pool that has too little for its trading, and withdraws from a crowded one. */
  'anchor',
  /** Tight around the price; follows it at once. */
  'marketMaker',
  /** Wide; waits for days until the price comes back. */
  'patient',
  /** One token on one side of the price; once it is sold, the other token on the other side. */
  'ladder',
  /** Mostly far from the price, for the fees of large moves. */
  'bidAsk',
  /** Pairs that hardly move, mostly near the price. */
  'stablePair',
  /** Constant-product pools, for weeks. */
  'fullRange',
  /** Volatile tokens for hours or days, closed at a profit or a loss. */
  'chaser',
] as const;
/** One of {@link STYLES}. */
export type Style = (typeof STYLES)[number];

/** Habits of a provider, drawn once. Hours are averages, except for patience. */
export const Habits = z.object({
  style: z.enum(STYLES),
  strategy: z.enum(STRATEGIES),
  /** Time between two checks of the positions. */
  lookHours: z.number().positive(),
  /** Time out of range before a position is moved. */
  patienceHours: z.number().nonnegative(),
  collectHours: z.number().positive(),
  /** Time until a position is closed in any case; `null`: no limit. */
  holdHours: z.number().positive().nullable(),
  /** Time between closing a position for good and the next entry. */
  pauseHours: z.number().nonnegative(),
  /** Rise and fall of the pool's price since opening, as parts of it, at which the position is closed. */
  exit: z.object({ profit: z.number().positive(), loss: z.number().positive() }).nullable(),
});
export type Habits = z.output<typeof Habits>;

type Bounds = readonly [min: number, max: number];

/** Habits and numbers of the providers of one style. */
export interface StrategyProfile {
  /** Number of providers. */
  readonly providers: number;
  /** Number of pools of each provider. */
  readonly pools: Bounds;
  readonly strategies: readonly Strategy[];
  /** Half of a position's width, as a multiple of the pool's usual one. */
  readonly halfWidth: Bounds;
  readonly lookHours: Bounds;
  readonly patienceHours: Bounds;
  readonly collectHours: Bounds;
  readonly holdHours: Bounds | null;
  readonly pauseHours: Bounds;
  readonly exit: { readonly profit: Bounds; readonly loss: Bounds } | null;
  /** Relative share of a pool's liquidity. */
  readonly weight: number;
  /** Approximate part of the time with an open position. */
  readonly presence: number;
}

/** Two hundred providers in total. */
export const STRATEGY_PROFILES: Readonly<Record<Style, StrategyProfile>> = {
  anchor: {
    providers: 14,
    pools: [2, 3],
    strategies: ['Spot'],
    halfWidth: [2.6, 3],
    lookHours: [2, 4],
    patienceHours: [0, 0],
    collectHours: [200, 500],
    holdHours: null,
    pauseHours: [0.5, 1],
    exit: null,
    weight: 0,
    presence: 1,
  },
  marketMaker: {
    providers: 8,
    pools: [2, 2],
    strategies: ['Spot', 'Spot', 'Curve'],
    halfWidth: [0.3, 0.55],
    lookHours: [6, 20],
    patienceHours: [0, 0],
    collectHours: [90, 300],
    holdHours: [400, 1_200],
    pauseHours: [2, 20],
    exit: null,
    weight: 1.2,
    presence: 0.97,
  },
  patient: {
    providers: 72,
    pools: [2, 4],
    strategies: ['Spot', 'Spot', 'Curve', 'BidAsk'],
    halfWidth: [0.7, 1.3],
    lookHours: [24, 72],
    patienceHours: [300, 1_000],
    collectHours: [300, 1_000],
    holdHours: [1_500, 6_000],
    pauseHours: [12, 96],
    exit: null,
    weight: 1,
    presence: 0.95,
  },
  ladder: {
    providers: 14,
    pools: [2, 3],
    strategies: ['Spot', 'BidAsk'],
    halfWidth: [0.25, 0.7],
    lookHours: [24, 70],
    patienceHours: [200, 700],
    collectHours: [300, 900],
    holdHours: [600, 2_500],
    pauseHours: [6, 48],
    exit: null,
    weight: 0.6,
    presence: 0.95,
  },
  bidAsk: {
    providers: 18,
    pools: [2, 3],
    strategies: ['BidAsk'],
    halfWidth: [0.4, 1],
    lookHours: [16, 50],
    patienceHours: [80, 350],
    collectHours: [120, 400],
    holdHours: [500, 2_500],
    pauseHours: [6, 48],
    exit: null,
    weight: 0.7,
    presence: 0.95,
  },
  stablePair: {
    providers: 14,
    pools: [1, 3],
    strategies: ['Curve', 'Curve', 'Spot'],
    halfWidth: [0.5, 1.5],
    lookHours: [8, 30],
    patienceHours: [2, 24],
    collectHours: [150, 600],
    holdHours: [600, 3_000],
    pauseHours: [12, 72],
    exit: null,
    weight: 1.6,
    presence: 0.97,
  },
  fullRange: {
    providers: 34,
    pools: [2, 4],
    strategies: ['Spot'],
    halfWidth: [1, 1],
    lookHours: [24, 80],
    patienceHours: [0, 0],
    collectHours: [150, 700],
    holdHours: [900, 5_000],
    pauseHours: [24, 200],
    exit: { profit: [0.5, 1.5], loss: [0.7, 0.9] },
    weight: 1,
    presence: 0.9,
  },
  chaser: {
    providers: 26,
    pools: [2, 3],
    strategies: ['Spot', 'BidAsk', 'Curve'],
    halfWidth: [0.3, 0.8],
    lookHours: [6, 24],
    patienceHours: [12, 90],
    collectHours: [40, 150],
    holdHours: [60, 500],
    pauseHours: [250, 1_500],
    exit: { profit: [0.1, 0.6], loss: [0.1, 0.35] },
    weight: 0.5,
    presence: 0.35,
  },
};

/** Draws the habits of a provider of this style. */
export function sampleHabits(style: Style, random: Random): Habits {
  const { strategies, lookHours, patienceHours, collectHours, holdHours, pauseHours, exit } = STRATEGY_PROFILES[style];
  return {
    style,
    strategy: strategies[random.integer(0, strategies.length - 1)] ?? 'Spot',
    lookHours: sample(lookHours, random),
    patienceHours: sample(patienceHours, random),
    collectHours: sample(collectHours, random),
    holdHours: holdHours === null ? null : sample(holdHours, random),
    pauseHours: sample(pauseHours, random),
    exit: exit === null ? null : { profit: sample(exit.profit, random), loss: sample(exit.loss, random) },
  };
}

/** Draws a value between two bounds, uniformly on a logarithmic scale; 0 if the upper bound is 0. */
export function sample([min, max]: Bounds, random: Random): number {
  return max === 0 ? 0 : Math.exp(random.between(Math.log(min), Math.log(max)));
}
