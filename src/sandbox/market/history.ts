import { addressFromBytes, type Address } from '../../solana/address';
import { spreadOverBins, STRATEGIES, type Strategy } from '../../dlmm/strategy';
import { bookClosing, bookDeposit, bookFees, bookWithdrawal } from './books';
import { Market, type Script } from './market';
import type { Pool } from './pool';
import { emptyPosition, type PositionState } from './position';
import { Random, seededBytes } from './random';
import { HOUR } from './spans';

/** How far back the market is played before the first start. */
const HISTORY_HOURS = 45 * 24;
/** Steps get finer towards the present, so that the last minutes have volumes of their own. */
const STEPS = [
  { untilHoursAgo: 196, seconds: 900 },
  { untilHoursAgo: 1.5, seconds: 300 },
  { untilHoursAgo: 0, seconds: 30 },
];

/** By token: how far its price was from the present one (logarithm), so many hours ago. In between it finds its own way. */
const PATHS: Readonly<Record<string, readonly (readonly [hoursAgo: number, own: number])[]>> = {
  SOL: [[1_080, -0.09], [700, 0.05], [320, -0.05], [140, 0.025], [46, -0.012], [7, 0.004], [0, 0]],
  PUSD: [[1_080, 0], [0, 0]],
  SANDSOL: [[1_080, -0.004], [437, -0.0002], [0, 0]],
  JUPP: [[1_080, 0.12], [600, -0.06], [200, 0.04], [0, 0]],
  BONQ: [[1_080, -0.2], [520, -0.1], [223, -0.25], [60, -0.09], [0, 0]],
  WYFF: [[1_080, 0.1], [500, -0.05], [146, 0.26], [48, 0.07], [0, 0]],
  POPKAT: [[1_080, -0.25], [400, 0.1], [27, -0.12], [3, -0.04], [0, 0]],
  TRUMPET: [[1_080, 0.3], [400, 0.15], [90, -0.06], [2.3, 0.001], [0, 0]],
  PENGO: [[1_080, 0.1], [466, 0.55], [400, 0.48], [310, 0.02], [150, 0.08], [0, 0]],
  MEWO: [[1_080, -0.1], [500, 0.35], [250, -0.1], [0, 0]],
  GIGALAMB: [[1_080, -0.9], [31, -0.9], [24, 0.1], [5, 0.25], [0, 0]],
};

/** A position of the owner. Bins are counted from the active bin of the present, or, for those closed, of its opening. */
interface Chapter {
  readonly pool: string;
  readonly strategy: Strategy;
  readonly openedHoursAgo: number;
  readonly closedHoursAgo?: number;
  /** What was put in, in SOL, and the part of it that went into token X. */
  readonly worthSol: number;
  readonly partX: number;
  readonly lower: number;
  readonly upper: number;
  /** When fees were collected, or part of it (basis points) was taken out. */
  readonly collectedHoursAgo?: readonly number[];
  readonly withdrawn?: readonly { readonly hoursAgo: number; readonly bps: number }[];
}

/** What is open at the first start. */
const OPEN: readonly Chapter[] = [
  // Large, calm, hardly any gain.
  { pool: 'SANDSOL-SOL-1', strategy: 'Spot', openedHoursAgo: 437, worthSol: 38.4, partX: 0.5, lower: -28, upper: 27, collectedHoursAgo: [180] },
  // A big gain: bought low, most of it sold on the way up.
  { pool: 'BONQ-SOL-100', strategy: 'BidAsk', openedHoursAgo: 222, worthSol: 6.2, partX: 0.93, lower: -36, upper: 12 },
  // A loss, still in range.
  { pool: 'WYFF-SOL-80', strategy: 'Spot', openedHoursAgo: 145, worthSol: 9.75, partX: 0.45, lower: -17, upper: 44, collectedHoursAgo: [70] },
  // Just out of range, above it.
  { pool: 'POPKAT-SOL-100', strategy: 'Spot', openedHoursAgo: 26.4, worthSol: 3.1, partX: 0.5, lower: -38, upper: -3 },
  // Out of range for weeks, below it.
  { pool: 'PENGO-SOL-125', strategy: 'Curve', openedHoursAgo: 465, worthSol: 4.8, partX: 0.5, lower: 17, upper: 70, withdrawn: [{ hoursAgo: 420, bps: 2_500 }] },
  // Tiny.
  { pool: 'GIGALAMB-SOL-250', strategy: 'Spot', openedHoursAgo: 4.7, worthSol: 0.021, partX: 0.5, lower: -22, upper: 26 },
  // Young, nothing gained and nothing lost.
  { pool: 'TRUMPET-USDC-50', strategy: 'Spot', openedHoursAgo: 2.2, worthSol: 2.5, partX: 0.5, lower: -34, upper: 34 },
  { pool: 'SOL-USDC-4', strategy: 'Curve', openedHoursAgo: 6.8, worthSol: 5.6, partX: 0.5, lower: -36, upper: 33 },
];

const CLOSED_COUNT = 16;
const CLOSED_POOLS = ['SOL-USDC-4', 'JUPP-SOL-20', 'BONQ-SOL-25', 'TRUMPET-USDC-50', 'WYFF-SOL-80', 'POPKAT-SOL-100', 'PENGO-SOL-125', 'BONQ-SOL-100', 'MEWO-SOL-200'];

/**
 * A market with a past: played from weeks ago up to `startedAt` by the same rules as it goes on, with scripted turning points,
 * so that the owner has won here, lost there and is out of range elsewhere, whatever the seed.
 */
export function marketWithPast(seed: number, startedAt: number, owner: Address, priceSpeed: number): Market {
  const market = Market.blank(seed, startedAt, startedAt - HISTORY_HOURS * HOUR, 1);
  const present = new Map(market.pools.map((pool) => [pool.spec.key, pool.activeBinId]));
  market.place(Object.fromEntries(Object.entries(PATHS).map(([key, points]) => [key, points[0]?.[1] ?? 0])));

  const acts = [...OPEN.map((chapter) => ({ chapter, from: present })), ...closedChapters(seed).map((chapter) => ({ chapter, from: undefined }))]
    .flatMap(({ chapter, from }, index) => actsOf(chapter, seed, index, owner, from))
    .sort((a, b) => b.hoursAgo - a.hoursAgo);
  for (let hoursAgo = HISTORY_HOURS; hoursAgo > 0; hoursAgo = (startedAt - market.now) / HOUR) {
    while (acts[0] !== undefined && acts[0].hoursAgo >= hoursAgo) {
      acts.shift()?.play(market);
    }
    const step = STEPS.find(({ untilHoursAgo }) => hoursAgo > untilHoursAgo);
    market.step(Math.min(step?.seconds ?? 1, Math.ceil(hoursAgo * 3_600)), scriptAt(hoursAgo));
  }
  return Market.restored(market.save(), priceSpeed);
}

/** The next turning point of each token. */
function scriptAt(hoursAgo: number): Script {
  return (tokenKey) => {
    const next = PATHS[tokenKey]?.find(([at]) => at < hoursAgo);
    return next === undefined ? undefined : { own: next[1], inSeconds: (hoursAgo - next[0]) * 3_600 };
  };
}

/** What the owner does at some moment. */
interface Act {
  readonly hoursAgo: number;
  readonly play: (market: Market) => void;
}

function actsOf(chapter: Chapter, seed: number, index: number, owner: Address, present: ReadonlyMap<string, number> | undefined): Act[] {
  const address = addressFromBytes(seededBytes(seed, `position ${index}`));
  const withPosition = (hoursAgo: number, play: (market: Market, pool: Pool, position: PositionState) => void): Act => ({
    hoursAgo,
    play: (market) => {
      const position = market.positionAt(address);
      if (position !== undefined) {
        play(market, poolNamed(market, chapter.pool), position);
      }
    },
  });
  const acts: Act[] = [
    { hoursAgo: chapter.openedHoursAgo, play: (market) => open(market, chapter, address, owner, present?.get(chapter.pool)) },
    ...(chapter.collectedHoursAgo ?? []).map((hoursAgo) => withPosition(hoursAgo, bookFees)),
    ...(chapter.withdrawn ?? []).map(({ hoursAgo, bps }) => withPosition(hoursAgo, (market, pool, position) => takeOut(market, pool, position, bps))),
  ];
  if (chapter.closedHoursAgo !== undefined) {
    acts.push(
      withPosition(chapter.closedHoursAgo, (market, pool, position) => {
        takeOut(market, pool, position, 10_000);
        bookFees(market, pool, position);
        bookClosing(market, pool, position);
      }),
    );
  }
  return acts;
}

function open(market: Market, chapter: Chapter, address: Address, owner: Address, from: number | undefined): void {
  const pool = poolNamed(market, chapter.pool);
  const { activeBinId } = pool;
  const middle = from ?? activeBinId;
  const range = { fromBinId: middle + chapter.lower, toBinId: middle + chapter.upper };
  const usd = chapter.worthSol * market.usdSol;
  const raw = (part: number, token: Pool['tokenX']): bigint => BigInt(Math.round(((usd * part) / market.usd(token)) * 10 ** token.spec.decimals));
  const bins = spreadOverBins({
    activeBinId,
    ...range,
    binStepBps: pool.spec.binStepBps,
    strategy: chapter.strategy,
    amountX: raw(chapter.partX, pool.tokenX),
    amountY: raw(1 - chapter.partX, pool.tokenY),
  });
  const position = emptyPosition({
    address,
    owner,
    pool: pool.address,
    strategy: chapter.strategy,
    lowerBinId: range.fromBinId,
    upperBinId: range.toBinId,
    createdAt: market.now,
  });
  market.addPosition(position);
  bookDeposit(market, pool, position, bins);
}

function takeOut(market: Market, pool: Pool, position: PositionState, shareBps: number): void {
  bookWithdrawal(market, pool, position, { fromBinId: position.lowerBinId, toBinId: position.upperBinId, shareBps });
}

function closedChapters(seed: number): Chapter[] {
  const random = Random.seeded(seed, 'closed positions');
  return Array.from({ length: CLOSED_COUNT }, () => {
    const openedHoursAgo = random.between(60, HISTORY_HOURS - 20);
    const half = random.integer(9, 34);
    return {
      pool: CLOSED_POOLS[random.integer(0, CLOSED_POOLS.length - 1)] ?? 'SOL-USDC-4',
      strategy: STRATEGIES[random.integer(0, STRATEGIES.length - 1)] ?? 'Spot',
      openedHoursAgo,
      closedHoursAgo: Math.max(9, openedHoursAgo - Math.exp(random.between(Math.log(3), Math.log(110)))),
      worthSol: Number(Math.exp(random.between(Math.log(0.4), Math.log(9))).toFixed(2)),
      partX: 0.5,
      lower: -half,
      upper: half,
    };
  });
}

function poolNamed(market: Market, key: string): Pool {
  const pool = market.pools.find(({ spec }) => spec.key === key);
  if (pool === undefined) {
    throw new RangeError(`No pool ${key}`);
  }
  return pool;
}
