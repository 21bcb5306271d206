import type { BinRange } from '../../base/dlmm/bins';
import type { BinCounters } from '../../base/insight/replay';
import type { Address } from '../../base/solana/address';
import { DAY_S, HOUR_S } from '../../base/time';
import * as z from 'zod';
import { type Migration, SqliteStore } from '../store/sqliteStore';

/** Counters of a pool's bins at one moment. */
export interface CounterReading {
  /** Seconds since 1970. */
  readonly timeS: number;
  readonly slot: number;
  readonly activeBinId: number;
  /** Raw. */
  readonly active: { readonly x: bigint; readonly y: bigint };
  /** The bins that were read, both bounds included. */
  readonly range: BinRange;
  /** All of these bins, ascending. */
  readonly bins: readonly BinCounters[];
}

/**
 * `counters`: supply and both fee counters, 16 bytes each, as they are from that time on until the next row of the bin; without a row they are
 * zeros. Only changes are stored.
 */
const SCHEMA = `
CREATE TABLE pool (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE reading (
  pool INTEGER NOT NULL, time_s INTEGER NOT NULL, slot INTEGER NOT NULL, active_bin INTEGER NOT NULL, active_x TEXT NOT NULL,
  active_y TEXT NOT NULL, from_bin INTEGER NOT NULL, to_bin INTEGER NOT NULL, PRIMARY KEY (pool, time_s)
) STRICT, WITHOUT ROWID;
CREATE TABLE bin (
  pool INTEGER NOT NULL, bin_id INTEGER NOT NULL, time_s INTEGER NOT NULL, counters BLOB NOT NULL, PRIMARY KEY (pool, bin_id, time_s)
) STRICT, WITHOUT ROWID;
`;

/** From the empty file on. */
export const COUNTER_MIGRATIONS: readonly Migration[] = [(database) => database.exec(SCHEMA)];

/** All readings are kept this long; then one an hour. */
const ALL_FOR_S = 2 * DAY_S;
const HOURLY_FOR_S = 30 * DAY_S;
const PRUNED_EVERY_S = 6 * HOUR_S;
/** Bounds the file: 48 bytes of counters a row, and its key. Beyond, the oldest readings go. */
const MOST_BIN_ROWS = 400_000;
/** What an answer has at most: bins of all its readings together. */
const MOST_ANSWERED_BINS = 100_000;

/** Pools that are read because clients asked for them. */
const MOST_ASKED = 20;
const WORD_BYTES = 16;

const Id = z.object({ id: z.int() });
const Count = z.object({ count: z.int() });
const Newest = z.object({ time_s: z.int().nullable() });
const BinRow = z.object({ bin_id: z.int(), time_s: z.int(), counters: z.instanceof(Uint8Array) });
const Counters = BinRow.pick({ counters: true });
const ReadingRow = z.object({
  time_s: z.int(),
  slot: z.int(),
  active_bin: z.int(),
  active_x: z.string().transform(BigInt),
  active_y: z.string().transform(BigInt),
  from_bin: z.int(),
  to_bin: z.int(),
});

const ActiveBinRow = ReadingRow.pick({ time_s: true, active_bin: true });

/** Readings that end with the process. */
export function passingReadings(): CounterReadings {
  return new CounterReadings(new SqliteStore(undefined, COUNTER_MIGRATIONS));
}

/** Readings of bins' counters. They cannot be read from the chain later, so they are kept, within bounds. */
export class CounterReadings {
  readonly #store: SqliteStore;
  /** What clients asked for last. */
  readonly #asked = new Map<Address, BinRange>();
  #prunedAtS = -Infinity;

  constructor(store: SqliteStore) {
    this.#store = store;
  }

  /** Remembers that a client asked for a pool: it is read from now on, until others take its place. */
  ask(pool: Address, range: BinRange): void {
    this.#asked.delete(pool);
    this.#asked.set(pool, range);
    const oldest = [...this.#asked.keys()].slice(0, Math.max(0, this.#asked.size - MOST_ASKED));
    oldest.forEach((one) => this.#asked.delete(one));
  }

  /** Pools that clients asked for last, and the bins. */
  asked(): ReadonlyMap<Address, BinRange> {
    return this.#asked;
  }

  /** Keeps a reading if it is newer than the last one of the pool. */
  keep(pool: Address, reading: CounterReading): void {
    const { timeS, slot, activeBinId, active, range, bins } = reading;
    const id = this.#idOf(pool);
    const newest = this.#store.get(Newest, 'SELECT MAX(time_s) AS time_s FROM reading WHERE pool = ?', id)?.time_s ?? null;
    if (newest !== null && timeS <= newest) {
      return;
    }
    this.#store.transaction(() => {
      this.#store.run(
        'INSERT INTO reading VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        id,
        timeS,
        slot,
        activeBinId,
        String(active.x),
        String(active.y),
        range.fromBinId,
        range.toBinId,
      );
      for (const bin of bins) {
        const bytes = encoded(bin);
        const [known] = this.#store.all(
          Counters,
          'SELECT counters FROM bin WHERE pool = ? AND bin_id = ? ORDER BY time_s DESC LIMIT 1',
          id,
          bin.binId,
        );
        if (!isSame(bytes, known?.counters ?? NOTHING)) {
          this.#store.run('INSERT INTO bin VALUES (?, ?, ?, ?)', id, bin.binId, timeS, bytes);
        }
      }
    });
    if (timeS - this.#prunedAtS >= PRUNED_EVERY_S) {
      this.#prunedAtS = timeS;
      this.#prune(timeS);
    }
  }

  /**
   * Readings of a pool within a time, oldest first; evenly fewer of them, with the first and the last, if an answer would be too large.
   * @param range the bins; a reading has those of them that it covered, and is left out if it covered none
   */
  between(pool: Address, range: BinRange, { fromS, toS }: { readonly fromS: number; readonly toS: number }): readonly CounterReading[] {
    const id = this.#idOf(pool);
    const { fromBinId, toBinId } = range;
    const rows = this.#store.all(
      ReadingRow,
      'SELECT * FROM reading WHERE pool = ? AND time_s BETWEEN ? AND ? AND from_bin <= ? AND to_bin >= ? ORDER BY time_s',
      id,
      fromS,
      toS,
      toBinId,
      fromBinId,
    );
    const readings = thinned(rows, Math.max(2, Math.floor(MOST_ANSWERED_BINS / (toBinId - fromBinId + 1))));
    const changes = this.#store.all(
      BinRow,
      'SELECT bin_id, time_s, counters FROM bin WHERE pool = ? AND bin_id BETWEEN ? AND ? AND time_s <= ? ORDER BY time_s',
      id,
      fromBinId,
      toBinId,
      toS,
    );
    const current = new Map<number, Uint8Array>();
    let next = 0;
    return readings.map((row): CounterReading => {
      for (let change = changes[next]; change !== undefined && change.time_s <= row.time_s; change = changes[next]) {
        current.set(change.bin_id, change.counters);
        next += 1;
      }
      const covered = { fromBinId: Math.max(fromBinId, row.from_bin), toBinId: Math.min(toBinId, row.to_bin) };
      return {
        timeS: row.time_s,
        slot: row.slot,
        activeBinId: row.active_bin,
        active: { x: row.active_x, y: row.active_y },
        range: covered,
        bins: Array.from({ length: covered.toBinId - covered.fromBinId + 1 }, (_, place) => {
          const binId = covered.fromBinId + place;
          return decoded(binId, current.get(binId) ?? NOTHING);
        }),
      };
    });
  }

  /** The active bins of a pool's readings within a time, oldest first. */
  activeBins(
    pool: Address,
    { fromS, toS }: { readonly fromS: number; readonly toS: number },
  ): readonly Pick<CounterReading, 'timeS' | 'activeBinId'>[] {
    return this.#store
      .all(
        ActiveBinRow,
        'SELECT time_s, active_bin FROM reading JOIN pool ON pool.id = reading.pool WHERE address = ? AND time_s BETWEEN ? AND ? ORDER BY time_s',
        pool,
        fromS,
        toS,
      )
      .map(({ time_s: timeS, active_bin: activeBinId }) => ({ timeS, activeBinId }));
  }

  #idOf(pool: Address): number {
    this.#store.run('INSERT OR IGNORE INTO pool (address) VALUES (?)', pool);
    return this.#store.get(Id, 'SELECT id FROM pool WHERE address = ?', pool)?.id ?? 0;
  }

  #prune(nowS: number): void {
    this.#store.transaction(() => {
      this.#store.run('DELETE FROM reading WHERE time_s < ?', nowS - HOURLY_FOR_S);
      this.#store.run(
        `DELETE FROM reading WHERE time_s < ? AND EXISTS (
           SELECT 1 FROM reading o WHERE o.pool = reading.pool AND o.time_s < reading.time_s AND o.time_s / ${HOUR_S} = reading.time_s / ${HOUR_S}
         )`,
        nowS - ALL_FOR_S,
      );
      this.#dropUnused(nowS - ALL_FOR_S);
      const rows = this.#store.get(Count, 'SELECT COUNT(*) AS count FROM bin')?.count ?? 0;
      if (rows > MOST_BIN_ROWS) {
        // If the older half of the time is not enough, the next time half of what is left goes.
        this.#store.run('DELETE FROM reading WHERE time_s < (SELECT (MIN(time_s) + MAX(time_s)) / 2 FROM reading)');
        this.#dropUnused(nowS);
      }
    });
  }

  /** Drops what no reading shows: counters that changed again before the next reading that is kept. Newer ones than `beforeS` are all shown. */
  #dropUnused(beforeS: number): void {
    this.#store.run(
      `DELETE FROM bin WHERE time_s < ? AND NOT EXISTS (
         SELECT 1 FROM reading r WHERE r.pool = bin.pool AND r.time_s >= bin.time_s AND r.time_s < COALESCE(
           (SELECT MIN(n.time_s) FROM bin n WHERE n.pool = bin.pool AND n.bin_id = bin.bin_id AND n.time_s > bin.time_s), ${Number.MAX_SAFE_INTEGER}
         )
       )`,
      beforeS,
    );
  }
}

const NOTHING = new Uint8Array(3 * WORD_BYTES);

function encoded({ supply, feeX, feeY }: BinCounters): Uint8Array {
  return new Uint8Array(Buffer.from([supply, feeX, feeY].map((word) => word.toString(16).padStart(2 * WORD_BYTES, '0')).join(''), 'hex'));
}

function decoded(binId: number, bytes: Uint8Array): BinCounters {
  const word = (place: number): bigint =>
    BigInt(`0x${Buffer.from(bytes.subarray(place * WORD_BYTES, (place + 1) * WORD_BYTES)).toString('hex')}`);
  return { binId, supply: word(0), feeX: word(1), feeY: word(2) };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** At most so many of a list, evenly, with the first and the last. */
function thinned<Item>(list: readonly Item[], most: number): readonly Item[] {
  if (list.length <= most) {
    return list;
  }
  const places = new Set(Array.from({ length: most }, (_, number) => Math.round((number * (list.length - 1)) / (most - 1))));
  return list.filter((_, place) => places.has(place));
}
