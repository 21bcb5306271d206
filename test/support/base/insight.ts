import { priceOfBin } from '../../../src/base/dlmm/bins';
import type { Strategy } from '../../../src/base/dlmm/strategy';
import { type OutlookBin, type BinnedOutlook, binnedOutlook, type KnownOutlook, plannedBins } from '../../../src/base/insight/outlook';

const DAY_S = 86_400;

/** Random numbers from a seed, evenly from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Normal random numbers (Box, Muller). */
export function normalFrom(seed: number): () => number {
  const random = randomFrom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A plan around bin 0 in a pool with even liquidity, unless said otherwise. */
export interface PlanParts extends Partial<Omit<BinnedOutlook, 'own' | 'sigma'>> {
  readonly strategy?: Strategy;
  readonly fromBinId?: number;
  readonly toBinId?: number;
  readonly amountX?: bigint;
  readonly amountY?: bigint;
  readonly sigmaPerDay?: number;
  readonly sigmaLow?: number;
  readonly sigmaHigh?: number;
}

/** The question of an outlook for a plan. */
export function planOf(parts: PlanParts = {}): BinnedOutlook {
  const { strategy = 'Spot', fromBinId = -34, toBinId = 34, amountX = 10n ** 9n, amountY = 10n ** 9n, ...rest } = parts;
  const { binStepBps = 20, activeBinId = 0, sigmaPerDay = 0.02, sigmaLow = sigmaPerDay, sigmaHigh = sigmaPerDay, ...more } = rest;
  const range = { fromBinId, toBinId };
  return {
    own: plannedBins({ ...range, strategy, activeBinId, binStepBps, amountX, amountY }),
    range,
    others: evenPool(activeBinId, binStepBps, 140, 1e10),
    lpFeesPerDayY: 1e9,
    horizonS: DAY_S,
    ...more,
    ...{ binStepBps, activeBinId, sigma: { value: sigmaPerDay, low: sigmaLow, high: sigmaHigh } },
  };
}

/** Bins that each hold the same value, at most this far from the active one. */
export function evenPool(activeBinId: number, binStepBps: number, halfWidthBins: number, valueY: number): readonly OutlookBin[] {
  return Array.from({ length: 2 * halfWidthBins + 1 }, (_, index) => {
    const binId = activeBinId - halfWidthBins + index;
    return binId <= activeBinId ? { binId, x: 0, y: valueY } : { binId, x: valueY / priceOfBin(binId, binStepBps), y: 0 };
  });
}

/** The outlook of a plan whose volatility and amount are known. */
export function outlookOf(parts: PlanParts = {}): KnownOutlook {
  const outlook = binnedOutlook(planOf(parts));
  if (!outlook.known) {
    throw new Error(`Not known: ${outlook.why}`);
  }
  return outlook;
}
