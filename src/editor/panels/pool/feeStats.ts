import { parseInstant } from '../../../api/wire/instants';
import { parseNumber } from '../../../api/wire/decimals';
import type { PoolView } from '../../../protocol/pool';

/** One interval of a pool's fee statistics. */
export type FeeStat = PoolView['feeStats'][number];

/** The interface does not say what the entries of `feeStats` are called; these are the names that are understood, the first one that fits. */
const TIME_NAMES = ['timestamp', 'time', 'hour', 'date', 'day', 'created_at', 'createdAt', 'start', 'ts'];
const FEE_NAMES = ['fee', 'fees', 'feeUsd', 'fee_usd', 'fees_usd', 'totalFee', 'total_fee'];
const VOLUME_NAMES = ['volume', 'vol', 'volumeUsd', 'volume_usd', 'totalVolume', 'total_volume'];

/** Seven days by the hour are 168; a hostile answer must not become a message of megabytes. */
const MOST_ENTRIES = 2_000;

/**
 * Reads a pool's fee statistics (spec §2.4: "item fields: not shown"; guides/service-quirks.md: hourly, last seven days), ascending by time; US dollars.
 * An entry without a time, or with neither figure, is left out; of two of the same time the later one is taken; of too many the newest.
 */
export function readFeeStats(entries: readonly Readonly<Record<string, unknown>>[]): readonly FeeStat[] {
  const byTime = new Map<number, FeeStat>();
  for (const entry of entries.slice(-10 * MOST_ENTRIES)) {
    const atMs = firstOf(entry, TIME_NAMES, parseInstant)?.getTime();
    const feeUsd = firstOf(entry, FEE_NAMES, parseNumber);
    const volumeUsd = firstOf(entry, VOLUME_NAMES, parseNumber);
    if (atMs !== undefined && (feeUsd !== undefined || volumeUsd !== undefined)) {
      byTime.set(atMs, { atMs, feeUsd, volumeUsd });
    }
  }
  return [...byTime.values()].sort((one, other) => one.atMs - other.atMs).slice(-MOST_ENTRIES);
}

function firstOf<Value>(entry: Readonly<Record<string, unknown>>, names: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
  for (const name of names) {
    const value = read(entry[name]);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}
