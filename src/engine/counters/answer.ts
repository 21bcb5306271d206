import { type BinRange, MAX_BINS_PER_POSITION, rangeAround, widthOf } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { DAY_S, HOUR_S } from '../../base/time';
import type { CountersParameters } from '../engine';
import type { WireCounters, WireCounterSnapshot } from '../wire/counters';
import type { CounterReading, CounterReadings } from './readings';

/** A position's liquidity in its bins. */
export type BinShares = readonly { readonly binId: number; readonly share: bigint }[];

/** How often pools are read. */
export const COUNTERS_EVERY_S = HOUR_S / 4;
/** Around the active bin, where nothing else is asked for: as far as a panel asks for what a plan would have earned. */
const HALF_WIDTH_BINS = 140;
/** How far an answer goes back by default. */
const DEFAULT_SPAN_S = DAY_S;

/** The bins that a client means. @param ofPosition its range, if a position was asked for */
export function rangeOfCounters(asked: BinRange | undefined, ofPosition: BinRange | undefined, activeBinId: number): BinRange {
  return asked ?? ofPosition ?? rangeAround(activeBinId, HALF_WIDTH_BINS);
}

/** What is recorded of a pool: ranges that matter, and what is around the active bin, as far as one answer goes. */
export function rangeToRecord(ranges: readonly BinRange[], activeBinId: number): BinRange {
  const all = [...ranges, rangeAround(activeBinId, HALF_WIDTH_BINS)];
  const hull = { fromBinId: Math.min(...all.map(({ fromBinId }) => fromBinId)), toBinId: Math.max(...all.map(({ toBinId }) => toBinId)) };
  return widthOf(hull) <= MAX_BINS_PER_POSITION ? hull : rangeAround(activeBinId, MAX_BINS_PER_POSITION / 2 - 1);
}

/** Keeps a fresh reading, and answers it with those that were kept before. */
export function countersRecord(
  readings: CounterReadings,
  pool: Address,
  { fromS, toS }: Pick<CountersParameters, 'fromS' | 'toS'>,
  fresh: { readonly binStepBps: number; readonly reading: CounterReading; readonly shares: BinShares | undefined },
): WireCounters {
  const { binStepBps, reading, shares } = fresh;
  const { range, timeS } = reading;
  const kept = readings.between(pool, range, { fromS: fromS ?? timeS - DEFAULT_SPAN_S, toS: Math.min(toS ?? timeS, timeS - 1) });
  readings.ask(pool, range);
  readings.keep(pool, reading);
  const held = shares?.filter(({ binId, share }) => share > 0n && binId >= range.fromBinId && binId <= range.toBinId);
  return {
    binStepBps,
    snapshots: [...kept, reading].map(snapshotRecord),
    ...(held === undefined ? {} : { position: held.map(({ binId, share }) => ({ binId, share: String(share) })) }),
  };
}

function snapshotRecord({ timeS, slot, activeBinId, active, bins }: CounterReading): WireCounterSnapshot {
  return {
    timeS,
    slot,
    activeBinId,
    activeX: String(active.x),
    activeY: String(active.y),
    bins: bins.map(({ binId, supply, feeX, feeY }) => ({ binId, supply: String(supply), feeX: String(feeX), feeY: String(feeY) })),
  };
}
