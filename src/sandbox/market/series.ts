import * as z from 'zod';
import { Figure } from './codecs';
import { DAY, HOUR, MINUTE } from './spans';

/** One span of time: its number since 1970, what was traded and earned in it (US dollars), and the price as it began. */
const Bucket = z.tuple([z.int(), Figure, Figure, Figure]);
type Bucket = z.output<typeof Bucket>;

/** What a pool has traded: by the minute for an hour, by ten minutes for a day, by the hour for a week and a day. */
export const Series = z.object({ minutes: z.array(Bucket), tens: z.array(Bucket), hours: z.array(Bucket) });
export type Series = z.output<typeof Series>;

const TEN_MINUTES = 10 * MINUTE;
const KEPT = { minutes: 62, tens: 146, hours: 8 * 24 };

/** Volume and fees, US dollars. */
export interface Turnover {
  readonly volumeUsd: number;
  readonly feeUsd: number;
}

/** Nothing traded yet. */
export function emptySeries(): Series {
  return { minutes: [], tens: [], hours: [] };
}

/** Records what was traded at `now` (milliseconds). */
export function record(series: Series, now: number, turnover: Turnover, priceUsd: number): void {
  recordIn(series.minutes, now, MINUTE, KEPT.minutes, turnover, priceUsd);
  recordIn(series.tens, now, TEN_MINUTES, KEPT.tens, turnover, priceUsd);
  recordIn(series.hours, now, HOUR, KEPT.hours, turnover, priceUsd);
}

/** What was traded in the last `spanMs` before `now`. */
export function turnoverOf(series: Series, now: number, spanMs: number): Turnover {
  const { buckets, width } = resolution(series, spanMs);
  return sum(buckets, width, now, now - spanMs, now);
}

/** What was traded in the span before that one, read from the hours: what a change is measured against. */
export function turnoverBefore(series: Series, now: number, spanMs: number): Turnover {
  return sum(series.hours, HOUR, now, now - 2 * spanMs, now - spanMs);
}

/** The price of `spanMs` ago; the oldest known where that is younger. */
export function priceAgo(series: Series, at: number, spanMs: number): number | undefined {
  const { buckets, width } = resolution(series, spanMs);
  const wanted = Math.floor((at - spanMs) / width);
  return (buckets.findLast(([index]) => index <= wanted) ?? buckets[0])?.[3];
}

/** One entry for each hour that had trades, oldest first: start (milliseconds) and turnover. */
export function hourly(series: Series): (Turnover & { readonly startsAt: number })[] {
  return series.hours.map(([index, volumeUsd, feeUsd]) => ({ startsAt: index * HOUR, volumeUsd, feeUsd }));
}

function resolution(series: Series, spanMs: number): { buckets: readonly Bucket[]; width: number } {
  if (spanMs <= HOUR) {
    return { buckets: series.minutes, width: MINUTE };
  }
  return spanMs <= DAY ? { buckets: series.tens, width: TEN_MINUTES } : { buckets: series.hours, width: HOUR };
}

function recordIn(buckets: Bucket[], now: number, width: number, kept: number, turnover: Turnover, priceUsd: number): void {
  const index = Math.floor(now / width);
  const last = buckets.at(-1);
  if (last?.[0] === index) {
    last[1] += turnover.volumeUsd;
    last[2] += turnover.feeUsd;
    return;
  }
  buckets.push([index, turnover.volumeUsd, turnover.feeUsd, priceUsd]);
  const oldest = index - kept;
  while (buckets.length > 0 && (buckets[0]?.[0] ?? index) <= oldest) {
    buckets.shift();
  }
}

/** A bucket that lies partly in the span counts with that part; the one that still runs has lasted until `now`. */
function sum(buckets: readonly Bucket[], width: number, now: number, from: number, to: number): Turnover {
  let volumeUsd = 0;
  let feeUsd = 0;
  for (const [index, volume, fee] of buckets) {
    const start = index * width;
    const end = Math.max(start + 1, Math.min(start + width, now));
    const weight = Math.max(0, Math.min(end, to) - Math.max(start, from)) / (end - start);
    volumeUsd += weight * volume;
    feeUsd += weight * fee;
  }
  return { volumeUsd, feeUsd };
}
