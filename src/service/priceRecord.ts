import { priceOfBin } from '../base/dlmm/bins';
import type { Address } from '../base/solana/address';
import { HOUR_MS, SECOND_MS } from '../base/time';
import { CANDLE_MS, type CandlesSpan, type PoolCandle } from './candles';
import { shownBin } from './poolInfo';
import type { LiquidityService } from './service';

/** The price of a pool at a time, milliseconds since 1970, in a unit that stays the same for the pool. */
export interface PriceReading {
  readonly atMs: number;
  readonly price: number;
}

/** Prices of pools that this machine read, kept for days. */
export interface PriceRecord {
  /** Keeps a reading. Never throws. */
  add(pool: Address, reading: PriceReading): void;
  /** The readings since a time, in order of time. Empty where they cannot be read. */
  since(pool: Address, fromMs: number): Promise<readonly PriceReading[]>;
}

/** A longer time between two readings says nothing about the price in it, as in the estimate of the volatility. */
const LONGEST_PAUSE_MS = 6 * HOUR_MS;
/** From less time, readings would give a volatility that is too low: what happened between two of them is not known. */
const LEAST_COVERED_MS = 6 * HOUR_MS;

/**
 * Gives a service without prices of the past those that this machine read of it: each read of positions or of a pool notes the prices of its DLMM pools.
 * Its candles are made of them, without a request.
 */
export function withPriceRecord(service: LiquidityService, record: PriceRecord, nowMs: () => number): LiquidityService {
  const note = (
    pool: Address | undefined,
    { activeBinId, binStepBps }: { readonly activeBinId: number | undefined; readonly binStepBps: number | undefined },
  ): void => {
    const price =
      pool === undefined || activeBinId === undefined || binStepBps === undefined ? undefined : priceOf(activeBinId, binStepBps);
    if (pool !== undefined && price !== undefined) {
      record.add(pool, { atMs: nowMs(), price });
    }
  };
  return {
    ...service,
    openPositions: async (owner, options) => {
      const listing = await service.openPositions(owner, options);
      for (const position of listing.items) {
        note(position.pool, position);
      }
      return listing;
    },
    poolInfo: async (pool, options) => {
      const info = await service.poolInfo(pool, options);
      note(pool, shownBin(info));
      return info;
    },
    candles: async (pool, span) => recordedCandles(await record.since(pool, span.fromS * SECOND_MS), span),
  };
}

/** `undefined`: no bin that the program has. */
function priceOf(binId: number, binStepBps: number): number | undefined {
  try {
    return priceOfBin(binId, binStepBps);
  } catch {
    return undefined;
  }
}

/** Candles of readings in order of time; none until they cover six hours. */
export function recordedCandles(readings: readonly PriceReading[], { length, fromS, toS }: CandlesSpan): readonly PoolCandle[] {
  const lengthMs = CANDLE_MS[length];
  const candles = new Map<number, PoolCandle>();
  let [coveredMs, beforeMs] = [0, Number.NEGATIVE_INFINITY];
  for (const { atMs, price } of readings) {
    coveredMs += atMs - beforeMs <= LONGEST_PAUSE_MS ? atMs - beforeMs : 0;
    beforeMs = atMs;
    const fromMs = Math.floor(atMs / lengthMs) * lengthMs;
    const known = candles.get(fromMs);
    candles.set(fromMs, {
      fromMs,
      toMs: fromMs + lengthMs,
      open: known?.open ?? price,
      high: Math.max(known?.high ?? price, price),
      low: Math.min(known?.low ?? price, price),
      close: price,
      volumeUsd: undefined,
    });
  }
  const isInSpan = ({ fromMs }: PoolCandle): boolean => fromMs >= fromS * SECOND_MS && fromMs <= toS * SECOND_MS;
  return coveredMs < LEAST_COVERED_MS ? [] : [...candles.values()].filter(isInSpan);
}
