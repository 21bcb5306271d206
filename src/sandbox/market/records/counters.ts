import type { BinRange } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import { SECOND_MS } from '../../../base/time';
import { type CountersParameters, EngineError } from '../../../engine/engine';
import type { CounterReading, CounterReadings } from '../../../engine/counters/readings';
import { COUNTERS_EVERY_S, countersRecord, rangeOfCounters, rangeToRecord } from '../../../engine/counters/answer';
import type { WireCounters } from '../../../engine/wire/counters';
import type { BinHolding, BinPool, Market, MarketPool } from '../types';
import type { RecordContext } from './recordContext';

type Source = Pick<RecordContext, 'chain' | 'market'>;

/** Counters of a pool's bins: what was recorded since the sandbox started, and now. @throws EngineError if the pool has no bins, or the position is not in it */
export function poolCounters(
  { chain, market }: Source,
  readings: CounterReadings,
  pool: MarketPool,
  { range, position, ...span }: Omit<CountersParameters, 'pool'>,
): WireCounters {
  if (pool.type !== 'bins') {
    throw new EngineError('invalid', 'A pool without bins has no counters');
  }
  const held = position === undefined ? undefined : holdingIn(market, pool, position);
  const ofPosition = held === undefined ? undefined : { fromBinId: held.lowerBinId, toBinId: held.lowerBinId + held.bins.length - 1 };
  const reading = readingOf({ chain, market }, pool, rangeOfCounters(range, ofPosition, pool.activeBinId));
  const shares = held?.bins.map(({ shares: share }, place) => ({ binId: held.lowerBinId + place, share }));
  return countersRecord(readings, pool.address, span, { binStepBps: pool.spec.binStepBps, reading, shares });
}

/** Reads the pools that clients asked for, if the last reading is old enough. @returns when the last one was, seconds since 1970 */
export function recordCounters({ chain, market }: Source, readings: CounterReadings, lastS: number): number {
  const nowS = Math.floor(market.now / SECOND_MS);
  if (nowS - lastS < COUNTERS_EVERY_S) {
    return lastS;
  }
  for (const [address, range] of readings.asked()) {
    const pool = market.poolAt(address);
    if (pool?.type === 'bins') {
      readings.keep(address, readingOf({ chain, market }, pool, rangeToRecord([range], pool.activeBinId)));
    }
  }
  return nowS;
}

function holdingIn(market: Market, pool: BinPool, address: Address): BinHolding {
  const position = market.positions.at(address);
  if (position?.pool !== pool.address || position.holding?.type !== 'bins') {
    throw new EngineError('notFound', `There is no open position ${address} in this pool`);
  }
  return position.holding;
}

function readingOf({ chain, market }: Source, pool: BinPool, range: BinRange): CounterReading {
  const { activeBinId } = pool;
  return {
    timeS: Math.floor(market.now / SECOND_MS),
    slot: chain.slot,
    activeBinId,
    active: pool.binAmounts(activeBinId),
    range,
    bins: Array.from({ length: range.toBinId - range.fromBinId + 1 }, (_, place) => pool.countersOf(range.fromBinId + place)),
  };
}
