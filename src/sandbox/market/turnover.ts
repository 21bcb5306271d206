import type { Address } from '../../solana/address';
import type { WorkingSet } from '../store/workingSet';
import { DAY, HOUR } from './spans';
import type { RollingBuckets } from './track';
import type { Series } from './turnoverRows';
import type { Turnover, TurnoverBook } from './types';

/** How far back {@link PoolTurnover.hourly} goes. */
const HOURLY_SPAN = 7 * DAY;

/** What one pool has traded: minutes of the last hour, ten minutes of the last day, hours of the last eight days. */
export class PoolTurnover implements TurnoverBook {
  constructor(
    private readonly pool: Address,
    private readonly rows: WorkingSet<Address, Series>,
  ) {}

  record(now: number, { volumeUsd, feeUsd }: Turnover, priceUsd: number): void {
    const { minutes, tens, hours } = present(this.rows.edit(this.pool));
    minutes.add(now, volumeUsd, feeUsd, priceUsd);
    tens.add(now, volumeUsd, feeUsd, priceUsd);
    hours.add(now, volumeUsd, feeUsd, priceUsd);
  }

  within(now: number, spanMs: number): Turnover {
    return this.sum(now, now - spanMs, now);
  }

  before(now: number, spanMs: number): Turnover {
    return this.sum(now, now - 2 * spanMs, now - spanMs);
  }

  priceAgo(now: number, spanMs: number): number | undefined {
    const at = now - spanMs;
    return this.finest(now, at).by(at)?.priceUsd;
  }

  hourly(now: number): readonly (Turnover & { readonly startsAt: number })[] {
    return present(this.rows.get(this.pool)).hours.since(now - HOURLY_SPAN + 1);
  }

  /** A bucket that lies partly in the span counts with that part; the one that still runs has lasted until `now`. */
  private sum(now: number, from: number, to: number): Turnover {
    const track = this.finest(now, from);
    const { widthMs } = track.keeping;
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

  /** The finest buckets that are kept back to that moment. */
  private finest(now: number, from: number): RollingBuckets {
    const { minutes, tens, hours } = present(this.rows.get(this.pool));
    return from >= now - HOUR ? minutes : from >= now - DAY ? tens : hours;
  }
}

/** A series is loaded for every pool, empty where it has none. */
function present<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw new RangeError('The pool has no turnover');
  }
  return row;
}
