import * as z from 'zod';
import type { Address } from '../../solana/address';
import type { Database, SqlValue } from '../store/database';
import { WorkingSet } from '../store/workingSet';
import { DAY, HOUR, MINUTE } from './spans';
import { RollingBuckets, type Bucket, type Keeping } from './track';

/** What a pool has traded, in several widths. */
export interface Series {
  readonly minutes: RollingBuckets;
  readonly tens: RollingBuckets;
  readonly hours: RollingBuckets;
}

/** A span of each, and the bucket that its beginning cuts: as much as any record says of it. */
const MINUTES: Keeping = { widthMs: MINUTE, keptMs: HOUR + MINUTE };
const TENS: Keeping = { widthMs: 10 * MINUTE, keptMs: DAY + 10 * MINUTE };
const HOURS: Keeping = { widthMs: HOUR, keptMs: 8 * DAY + HOUR };

const Row = z
  .object({ starts_at: z.number(), volume_usd: z.number(), fee_usd: z.number(), price_usd: z.number() })
  .transform((row): Bucket => ({ startsAt: row.starts_at, volumeUsd: row.volume_usd, feeUsd: row.fee_usd, priceUsd: row.price_usd }));

const SELECT = 'SELECT starts_at, volume_usd, fee_usd, price_usd FROM turnover WHERE pool = ? AND width_ms = ?';
const INSERT = 'INSERT OR REPLACE INTO turnover (pool, width_ms, starts_at, volume_usd, fee_usd, price_usd) VALUES ';
const ROW = '(?, ?, ?, ?, ?, ?)';
/** A statement for many rows takes less than half the time for each; where there are fewer, they go in one by one. */
const ROWS_AT_ONCE = 50;
const INSERT_MANY = INSERT + Array.from({ length: ROWS_AT_ONCE }, () => ROW).join();

/** The table `turnover`: a series for each pool, empty where nothing was traded yet. */
export function turnoverRows(database: Database): WorkingSet<Address, Series> {
  return new WorkingSet<Address, Series>({
    load: (pool) => ({
      minutes: trackIn(database, pool, MINUTES),
      tens: trackIn(database, pool, TENS),
      hours: trackIn(database, pool, HOURS),
    }),
    save: (pool, { minutes, tens, hours }) => [minutes, tens, hours].forEach((track) => saveTrack(database, pool, track)),
    remove: (pool) => database.run('DELETE FROM turnover WHERE pool = ?', pool),
    copy: ({ minutes, tens, hours }) => ({ minutes: minutes.copy(), tens: tens.copy(), hours: hours.copy() }),
  });
}

function trackIn(database: Database, pool: Address, keeping: Keeping): RollingBuckets {
  const track = new RollingBuckets(keeping);
  database.all(Row, `${SELECT} ORDER BY starts_at`, pool, keeping.widthMs).forEach((bucket) => track.push(bucket));
  return track;
}

function saveTrack(database: Database, pool: Address, track: RollingBuckets): void {
  const { widthMs, keptMs } = track.keeping;
  const rows = track.unwritten().map((bucket) => values(pool, widthMs, bucket));
  let written = 0;
  for (; rows.length - written >= ROWS_AT_ONCE; written += ROWS_AT_ONCE) {
    database.run(INSERT_MANY, ...rows.slice(written, written + ROWS_AT_ONCE).flat());
  }
  rows.slice(written).forEach((row) => database.run(INSERT + ROW, ...row));
  if (track.hasGrown && track.newest !== undefined) {
    database.run('DELETE FROM turnover WHERE pool = ? AND width_ms = ? AND starts_at < ?', pool, widthMs, track.newest - keptMs);
  }
  track.written();
}

function values(pool: Address, widthMs: number, { startsAt, volumeUsd, feeUsd, priceUsd }: Bucket): SqlValue[] {
  return [pool, widthMs, startsAt, volumeUsd, feeUsd, priceUsd];
}
