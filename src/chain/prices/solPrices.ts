import { type Address, address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { errorText } from '../../base/thrown';
import { DAY_S, SECOND_MS } from '../../base/time';
import type { DataApi } from '../dataApi/types';
import type { HistoryIndex } from '../index/types';
import type { PoolReader, OnchainPool } from '../pools/types';
import { SharedAnswers } from '../positions/sharedAnswers';

/** A pool and when its accounts were read, by the chain's clock. */
interface DatedPool {
  readonly state: OnchainPool;
  readonly clock: { readonly unixTimeS: bigint };
}

/** Sources of SOL's price. */
export interface SolPricesOptions {
  readonly pools: Pick<PoolReader, 'pools'> & { details(address: Address): Promise<DatedPool | undefined> };
  readonly index: Pick<HistoryIndex, 'positions' | 'pools'>;
  /** `undefined`: none is to be asked. */
  readonly dataApi: Pick<DataApi, 'candles'> | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Meteora's largest SOL/USDC pools (bin steps 4 and 10), on mainnet. Others are found in the index. */
const LARGE_POOLS: readonly Address[] = [
  address('5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6'),
  address('BGm1tav58oGcsQJehL9WXBFXF7D27vZsKefj4xJKD5Y'),
];
/** The price of a smaller pool may be away from the market: USDC, smallest units. */
const LEAST_RESERVE = 10_000_000_000n;
/** So may that of a pool with less than this part of the largest one's reserve: anyone can make a pool with a price of their own. */
const MOST_TIMES_SMALLER = 10n;
const MOST_POOLS = 50;
const POOLS_GOOD_FOR_MS = 600_000;
/** How long a present price is used, and for how long no pool is known before they are looked for again. */
const PRICE_GOOD_FOR_MS = 10_000;
/** An event, or a present price that was read, this near to a time is the price at that time. */
const NEAR_S = 60;
/** Present prices that are stored: at one each ten seconds, those of more than a day. */
const MOST_READ = 10_000;
const EVENTS_GOOD_FOR_MS = 30_000;
/** Candles of five minutes, in pieces of a day: one request each. */
const CANDLE = { timeframe: '5m', lengthS: 300 } as const;
const MOST_DAYS = 1_000;
/** When candles of an unfinished day, and those that could not be read, are asked for again. */
const TODAY_GOOD_FOR_MS = 60_000;

/** Key of answers of which there is one. */
const ONLY = 'only';

/** The price at a time. */
interface PricePoint {
  readonly timeS: number;
  readonly usd: number;
}

interface DayCandles {
  readonly points: readonly PricePoint[];
  /** The day was over when they were read. */
  readonly isFinal: boolean;
}

/** What prices are read from; the log names each failure once. */
type Source = 'present' | 'events' | 'candles';

/** US dollars for one SOL, from SOL/USDC pools: USDC counts as one dollar. */
export class SolPrices {
  readonly #options: SolPricesOptions;
  /** Present prices that were read, in order of time: the candles of the last minutes may not be there yet, or there is no data API. */
  readonly #read: PricePoint[] = [];
  readonly #failing = new Set<Source>();
  readonly #present: SharedAnswers<typeof ONLY, number | undefined>;
  readonly #pools: SharedAnswers<typeof ONLY, readonly OnchainPool[]>;
  readonly #events: SharedAnswers<typeof ONLY, readonly PricePoint[]>;
  /** By the number of the day since 1970. */
  readonly #days: SharedAnswers<number, DayCandles>;

  constructor(options: SolPricesOptions) {
    this.#options = options;
    const { now } = options;
    const unlessEmpty =
      (goodForMs: number) =>
      (found: readonly unknown[]): number =>
        found.length === 0 ? PRICE_GOOD_FOR_MS : goodForMs;
    this.#present = new SharedAnswers({ most: 1, goodForMs: PRICE_GOOD_FOR_MS, now });
    this.#pools = new SharedAnswers<typeof ONLY, readonly OnchainPool[]>({ most: 1, goodForMs: unlessEmpty(POOLS_GOOD_FOR_MS), now });
    this.#events = new SharedAnswers<typeof ONLY, readonly PricePoint[]>({ most: 1, goodForMs: unlessEmpty(EVENTS_GOOD_FOR_MS), now });
    this.#days = new SharedAnswers({ most: MOST_DAYS, goodForMs: ({ isFinal }) => (isFinal ? Infinity : TODAY_GOOD_FOR_MS), now });
  }

  /** The present price of the largest pool; `undefined`: no pool is known, or none can be read. */
  async now(): Promise<number | undefined> {
    return await this.#present.of(ONLY, () => this.#orUnknown('present', () => this.#readPresent(), undefined));
  }

  /**
   * The price at a time: that of an event of a large pool or of a present price that was read, within a minute, else that of the data API's
   * candle of these five minutes.
   */
  async at(timeS: number): Promise<number | undefined> {
    if (timeS > (this.#read.at(-1)?.timeS ?? -Infinity)) {
      // What has just happened: the present price is the price of that time, and is stored as such.
      await this.now();
    }
    const events = await this.#orUnknown('events', () => this.#pricesOfEvents(), []);
    const near = [events, this.#read]
      .flatMap((points) => nearestTo(points, timeS) ?? [])
      .sort((one, other) => Math.abs(one.timeS - timeS) - Math.abs(other.timeS - timeS))
      .find((point) => Math.abs(point.timeS - timeS) <= NEAR_S);
    if (near !== undefined) {
      return near.usd;
    }
    const candles = await this.#candlesOf(Math.floor(timeS / DAY_S));
    return candles.find((candle) => candle.timeS <= timeS && timeS < candle.timeS + CANDLE.lengthS)?.usd;
  }

  async #readPresent(): Promise<number | undefined> {
    const [largest] = await this.#largest();
    const present = largest === undefined ? undefined : await this.#options.pools.details(largest.address);
    if (present === undefined) {
      return undefined;
    }
    const point: PricePoint = { timeS: Number(present.clock.unixTimeS), usd: usdOf(present.state, present.state.rawPrice) };
    // A node that lags behind shows an earlier time.
    if (point.timeS > (this.#read.at(-1)?.timeS ?? -Infinity)) {
      this.#read.push(point);
      this.#read.splice(0, Math.max(0, this.#read.length - MOST_READ));
    }
    return point.usd;
  }

  /** A source that fails knows nothing: the failure is logged once, until the source answers again. */
  async #orUnknown<Value>(source: Source, read: () => Promise<Value>, unknown: Value): Promise<Value> {
    try {
      const value = await read();
      this.#failing.delete(source);
      return value;
    } catch (error) {
      if (!this.#failing.has(source)) {
        this.#failing.add(source);
        this.#options.log(`The price of SOL is unknown for now: ${errorText(error)}`);
      }
      return unknown;
    }
  }

  /** SOL/USDC pools that are large enough, the largest first. */
  #largest(): Promise<readonly OnchainPool[]> {
    return this.#pools.of(ONLY, () => this.#findPools());
  }

  async #findPools(): Promise<readonly OnchainPool[]> {
    const known = this.#options.index.pools(undefined, MOST_POOLS);
    const candidates = [...new Set([...LARGE_POOLS, ...known])].slice(0, MOST_POOLS);
    const pools = await this.#options.pools.pools(candidates);
    const large = [...pools.values()]
      .filter((pool) => isSolUsdc(pool) && usdcIn(pool) >= LEAST_RESERVE)
      .sort((one, other) => (usdcIn(one) < usdcIn(other) ? 1 : -1));
    return large.filter((pool) => usdcIn(pool) * MOST_TIMES_SMALLER >= usdcIn(large[0] ?? pool));
  }

  #pricesOfEvents(): Promise<readonly PricePoint[]> {
    return this.#events.of(ONLY, () => this.#readEvents());
  }

  async #readEvents(): Promise<readonly PricePoint[]> {
    const pools = await this.#largest();
    return pools
      .flatMap((pool) =>
        this.#options.index
          .positions({ pool: pool.address })
          .flatMap(({ events }) =>
            events.flatMap(({ blockTimeS, rawPrice }): readonly PricePoint[] =>
              blockTimeS === undefined || rawPrice === undefined ? [] : [{ timeS: blockTimeS, usd: usdOf(pool, rawPrice) }],
            ),
          ),
      )
      .sort((one, other) => one.timeS - other.timeS);
  }

  /** Never rejects: without the data API the price is unknown. */
  async #candlesOf(day: number): Promise<readonly PricePoint[]> {
    const { points } = await this.#days.of(day, async () => {
      const endsAt = ((day + 1) * DAY_S + CANDLE.lengthS) * SECOND_MS;
      const isOver = this.#options.now() >= endsAt;
      const read = await this.#orUnknown<readonly PricePoint[] | undefined>('candles', () => this.#askCandles(day), undefined);
      return { points: read ?? [], isFinal: isOver && read !== undefined };
    });
    return points;
  }

  async #askCandles(day: number): Promise<readonly PricePoint[]> {
    const { dataApi } = this.#options;
    const [pool] = dataApi === undefined ? [] : (await this.#largest()).filter(({ program }) => program === 'dlmm');
    if (dataApi === undefined || pool === undefined) {
      return [];
    }
    const candles = await dataApi.candles(pool.address, { timeframe: CANDLE.timeframe, startS: day * DAY_S, endS: (day + 1) * DAY_S - 1 });
    return candles.map(({ timeS, close }) => ({ timeS, usd: isSolFirst(pool) ? close : 1 / close }));
  }
}

/** The last point at or before the time, or the first behind it, whichever is nearer. Points are in order of time. */
function nearestTo(points: readonly PricePoint[], timeS: number): PricePoint | undefined {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.timeS ?? Infinity) <= timeS) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const [before, after] = [points[low - 1], points[low]];
  return before === undefined || (after !== undefined && after.timeS - timeS < timeS - before.timeS) ? after : before;
}

function isSolUsdc({ x, y }: OnchainPool): boolean {
  return (x.mint === WRAPPED_SOL_MINT && y.mint === USDC_MINT) || (x.mint === USDC_MINT && y.mint === WRAPPED_SOL_MINT);
}

function isSolFirst({ x }: OnchainPool): boolean {
  return x.mint === WRAPPED_SOL_MINT;
}

function usdcIn(pool: OnchainPool): bigint {
  return isSolFirst(pool) ? pool.reserves.y : pool.reserves.x;
}

function usdOf(pool: OnchainPool, rawPrice: number): number {
  const price = rawPrice * 10 ** (pool.x.decimals - pool.y.decimals);
  return isSolFirst(pool) ? price : 1 / price;
}
