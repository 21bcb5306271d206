import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time';
import type { SqlValue } from '../../engine/store/sqliteStore';
import type { Database } from '../store/database';
import { WorkingSet } from '../store/workingSet';
import type { VolumeAndFees, TurnoverBook } from './types';

/** Trades of one interval. Times in milliseconds since 1970, money in US dollars. */
export interface Bucket {
  readonly startsAt: number;
  readonly volumeUsd: number;
  readonly feeUsd: number;
  /** Price of one whole X at the first trade. */
  readonly priceUsd: number;
}

/** Width of buckets and how long they are kept. */
export interface BucketLayout {
  readonly widthMs: number;
  readonly keptMs: number;
}

/**
 * Buckets of one width, oldest first; intervals without trades have none. They are stored as columns of numbers, because playing a past
 * creates hundreds of thousands of them, and allocating objects would dominate.
 */
export class RollingBuckets {
  #starts: number[] = [];
  #volumes: number[] = [];
  #fees: number[] = [];
  #prices: number[] = [];
  /** Start of the first unwritten bucket; `undefined` if all are written. */
  #unwrittenFrom: number | undefined;
  #grown = false;

  constructor(readonly layout: BucketLayout) {}

  /** Start of the newest bucket. */
  get newest(): number | undefined {
    return this.#starts.at(-1);
  }

  /** Whether buckets were added since {@link markWritten}. */
  get hasGrown(): boolean {
    return this.#grown;
  }

  /** Buckets that start at `from` or later, oldest first. */
  since(from: number): Bucket[] {
    const first = this.#starts.findLastIndex((startsAt) => startsAt < from) + 1;
    return this.#starts.slice(first).map((_, index) => this.#bucket(first + index));
  }

  /** Like {@link since}, without allocating: a list of pools reads tens of thousands of buckets. */
  eachSince(from: number, take: (startsAt: number, volumeUsd: number, feeUsd: number) => void): void {
    for (let place = this.#starts.findLastIndex((startsAt) => startsAt < from) + 1; place < this.#starts.length; place += 1) {
      take(this.#starts[place] ?? NaN, this.#volumes[place] ?? NaN, this.#fees[place] ?? NaN);
    }
  }

  /** The newest bucket that starts at `at` or before, or else the oldest bucket. */
  atOrBefore(at: number): Bucket | undefined {
    return this.#starts.length === 0
      ? undefined
      : this.#bucket(
          Math.max(
            0,
            this.#starts.findLastIndex((startsAt) => startsAt <= at),
          ),
        );
  }

  /** Adds trades to the newest bucket or starts a new one, and drops expired buckets. */
  add(now: number, volumeUsd: number, feeUsd: number, priceUsd: number): void {
    const { widthMs, keptMs } = this.layout;
    const startsAt = Math.floor(now / widthMs) * widthMs;
    const last = this.#starts.length - 1;
    if (this.#starts[last] === startsAt) {
      this.#volumes[last] = (this.#volumes[last] ?? 0) + volumeUsd;
      this.#fees[last] = (this.#fees[last] ?? 0) + feeUsd;
    } else {
      this.push({ startsAt, volumeUsd, feeUsd, priceUsd });
      this.#forget(startsAt - keptMs);
      this.#grown = true;
    }
    this.#unwrittenFrom ??= startsAt;
  }

  /** Appends a bucket that is already written. */
  push({ startsAt, volumeUsd, feeUsd, priceUsd }: Bucket): void {
    this.#starts.push(startsAt);
    this.#volumes.push(volumeUsd);
    this.#fees.push(feeUsd);
    this.#prices.push(priceUsd);
  }

  /** Unwritten buckets, oldest first. */
  unwritten(): Bucket[] {
    return this.#unwrittenFrom === undefined ? [] : this.since(this.#unwrittenFrom);
  }

  /** Marks all buckets as written. */
  markWritten(): void {
    this.#unwrittenFrom = undefined;
    this.#grown = false;
  }

  copy(): RollingBuckets {
    const copy = new RollingBuckets(this.layout);
    copy.#starts = this.#starts.slice();
    copy.#volumes = this.#volumes.slice();
    copy.#fees = this.#fees.slice();
    copy.#prices = this.#prices.slice();
    copy.#unwrittenFrom = this.#unwrittenFrom;
    copy.#grown = this.#grown;
    return copy;
  }

  #bucket(place: number): Bucket {
    const of = (column: readonly number[]): number => column[place] ?? NaN;
    return { startsAt: of(this.#starts), volumeUsd: of(this.#volumes), feeUsd: of(this.#fees), priceUsd: of(this.#prices) };
  }

  /** Drops buckets that start before a time. */
  #forget(before: number): void {
    while ((this.#starts[0] ?? before) < before) {
      this.#starts.shift();
      this.#volumes.shift();
      this.#fees.shift();
      this.#prices.shift();
    }
  }
}

/** Volume and fees of a pool in buckets of three widths. */
export interface TurnoverSeries {
  readonly minutes: RollingBuckets;
  readonly tens: RollingBuckets;
  readonly hours: RollingBuckets;
}

/** Each width is kept for the longest interval it serves, plus the bucket in which that interval starts. */
const MINUTES: BucketLayout = { widthMs: MINUTE_MS, keptMs: HOUR_MS + MINUTE_MS };
const TENS: BucketLayout = { widthMs: 10 * MINUTE_MS, keptMs: DAY_MS + 10 * MINUTE_MS };
const HOURS: BucketLayout = { widthMs: HOUR_MS, keptMs: 8 * DAY_MS + HOUR_MS };

const Row = z
  .object({ starts_at: z.number(), volume_usd: z.number(), fee_usd: z.number(), price_usd: z.number() })
  .transform((row): Bucket => ({ startsAt: row.starts_at, volumeUsd: row.volume_usd, feeUsd: row.fee_usd, priceUsd: row.price_usd }));

const SELECT = 'SELECT starts_at, volume_usd, fee_usd, price_usd FROM turnover WHERE pool = ? AND width_ms = ?';
const INSERT = 'INSERT OR REPLACE INTO turnover (pool, width_ms, starts_at, volume_usd, fee_usd, price_usd) VALUES ';
const ROW = '(?, ?, ?, ?, ?, ?)';
/** Inserting many rows in one statement takes less than half the time per row. */
const ROWS_AT_ONCE = 50;
const INSERT_MANY = INSERT + Array.from({ length: ROWS_AT_ONCE }, () => ROW).join();

/** The table `turnover`: a series for each pool, empty without trades. */
export function turnoverRows(database: Database): WorkingSet<Address, TurnoverSeries> {
  return new WorkingSet<Address, TurnoverSeries>({
    load: (pool) => ({
      minutes: loadBuckets(database, pool, MINUTES),
      tens: loadBuckets(database, pool, TENS),
      hours: loadBuckets(database, pool, HOURS),
    }),
    save: (pool, { minutes, tens, hours }) => [minutes, tens, hours].forEach((track) => saveBuckets(database, pool, track)),
    remove: (pool) => database.run('DELETE FROM turnover WHERE pool = ?', pool),
    copy: ({ minutes, tens, hours }) => ({ minutes: minutes.copy(), tens: tens.copy(), hours: hours.copy() }),
  });
}

function loadBuckets(database: Database, pool: Address, keeping: BucketLayout): RollingBuckets {
  const track = new RollingBuckets(keeping);
  database.all(Row, `${SELECT} ORDER BY starts_at`, pool, keeping.widthMs).forEach((bucket) => track.push(bucket));
  return track;
}

function saveBuckets(database: Database, pool: Address, track: RollingBuckets): void {
  const { widthMs, keptMs } = track.layout;
  const rows = track.unwritten().map((bucket) => values(pool, widthMs, bucket));
  let written = 0;
  for (; rows.length - written >= ROWS_AT_ONCE; written += ROWS_AT_ONCE) {
    database.run(INSERT_MANY, ...rows.slice(written, written + ROWS_AT_ONCE).flat());
  }
  rows.slice(written).forEach((row) => database.run(INSERT + ROW, ...row));
  if (track.hasGrown && track.newest !== undefined) {
    database.run('DELETE FROM turnover WHERE pool = ? AND width_ms = ? AND starts_at < ?', pool, widthMs, track.newest - keptMs);
  }
  track.markWritten();
}

function values(pool: Address, widthMs: number, { startsAt, volumeUsd, feeUsd, priceUsd }: Bucket): SqlValue[] {
  return [pool, widthMs, startsAt, volumeUsd, feeUsd, priceUsd];
}

/** How far back {@link PoolTurnover.hourly} goes. */
const HOURLY_SPAN = 7 * DAY_MS;

/** Turnover of one pool: minutes of the last hour, ten minutes of the last day, hours of the last eight days. */
export class PoolTurnover implements TurnoverBook {
  readonly #pool: Address;
  readonly #rows: WorkingSet<Address, TurnoverSeries>;

  constructor(pool: Address, rows: WorkingSet<Address, TurnoverSeries>) {
    this.#pool = pool;
    this.#rows = rows;
  }

  record(now: number, { volumeUsd, feeUsd }: VolumeAndFees, priceUsd: number): void {
    const { minutes, tens, hours } = required(this.#rows.edit(this.#pool));
    minutes.add(now, volumeUsd, feeUsd, priceUsd);
    tens.add(now, volumeUsd, feeUsd, priceUsd);
    hours.add(now, volumeUsd, feeUsd, priceUsd);
  }

  within(now: number, spanMs: number): VolumeAndFees {
    return this.#sum(now, now - spanMs, now);
  }

  before(now: number, spanMs: number): VolumeAndFees {
    return this.#sum(now, now - 2 * spanMs, now - spanMs);
  }

  priceAgo(now: number, spanMs: number): number | undefined {
    const at = now - spanMs;
    return this.#finest(now, at).atOrBefore(at)?.priceUsd;
  }

  recorded(longestMs: number): readonly Bucket[] {
    const { minutes, tens, hours } = required(this.#rows.get(this.#pool));
    const track = [hours, tens].find(({ layout }) => layout.widthMs <= longestMs) ?? minutes;
    return track.since(-Infinity);
  }

  hourly(now: number): readonly (VolumeAndFees & { readonly startsAt: number })[] {
    return required(this.#rows.get(this.#pool)).hours.since(now - HOURLY_SPAN + 1);
  }

  /** Counts a bucket by the part that lies in the span; the current bucket ends `now`. */
  #sum(now: number, from: number, to: number): VolumeAndFees {
    const track = this.#finest(now, from);
    const { widthMs } = track.layout;
    let volumeUsd = 0;
    let feeUsd = 0;
    track.eachSince(from - widthMs, (startsAt, volume, fee) => {
      const end = Math.max(startsAt + 1, Math.min(startsAt + widthMs, now));
      const part = Math.max(0, Math.min(end, to) - Math.max(startsAt, from)) / (end - startsAt);
      volumeUsd += part * volume;
      feeUsd += part * fee;
    });
    return { volumeUsd, feeUsd };
  }

  /** The finest buckets that reach back to `from`. */
  #finest(now: number, from: number): RollingBuckets {
    const { minutes, tens, hours } = required(this.#rows.get(this.#pool));
    return from >= now - HOUR_MS ? minutes : from >= now - DAY_MS ? tens : hours;
  }
}

/** @throws RangeError if there is no series; every pool has one, if only an empty one */
function required<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw new RangeError('The pool has no turnover');
  }
  return row;
}
