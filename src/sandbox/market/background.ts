import type { Pool } from './pool';
import { texture } from './random';

/** Other people's liquidity reaches so many half widths to either side. */
const REACH = 4;
/** The area under the shape below, over one half width. */
const AREA = 2 * Math.atan(REACH);
/** They follow the price before it leaves them behind by more than this. */
const LAGGARD = 2.5;
const FOLLOWING_SECONDS = 3 * 3_600;
const DEPTH_SECONDS = 2 * 86_400;
const DEPTH_SPREAD = 0.1;

/** A bin's amounts in raw units, as floats: other people's money is scenery. */
export interface Scenery {
  readonly x: number;
  readonly y: number;
}

/**
 * Other people's liquidity in a bin: price × x + y in raw Y. Most of it around the middle, a little uneven from bin to bin,
 * so that all bins together are worth the pool's TVL. `usdY`: US dollars for one whole Y.
 */
export function othersIn(pool: Pool, binId: number, usdY: number): number {
  const { spec, state } = pool;
  const distance = Math.abs(binId - state.center) / spec.halfWidthBins;
  if (distance > REACH) {
    return 0;
  }
  const tvlRawY = (spec.tvlUsd * Math.exp(state.depth) * 10 ** pool.tokenY.spec.decimals) / usdY;
  const shape = 1 / (1 + distance * distance);
  return (tvlRawY / (AREA * spec.halfWidthBins)) * shape * (0.75 + 0.5 * texture(spec.binStepBps * 1_009 + spec.ageHours, binId));
}

/** The bins in which other people have liquidity. */
export function othersRange(pool: Pool): { readonly from: number; readonly to: number } {
  const reach = REACH * pool.spec.halfWidthBins;
  return { from: Math.ceil(pool.state.center - reach), to: Math.floor(pool.state.center + reach) };
}

/** What other people's liquidity in a bin consists of at the present price. */
export function othersAmounts(pool: Pool, binId: number, usdY: number): Scenery {
  const liquidity = othersIn(pool, binId, usdY);
  const partY = binId < pool.activeBinId ? 1 : binId > pool.activeBinId ? 0 : pool.fillY;
  return { x: (liquidity * (1 - partY)) / pool.priceOf(binId), y: liquidity * partY };
}

/** Lets other people follow the price and come and go; `normal` is a draw with mean 0 and variance 1. */
export function moveOthers(pool: Pool, seconds: number, normal: number): void {
  const { state, spec } = pool;
  state.center += (state.cursor - state.center) * (1 - Math.exp(-seconds / FOLLOWING_SECONDS));
  const most = LAGGARD * spec.halfWidthBins;
  state.center = Math.min(Math.max(state.center, state.cursor - most), state.cursor + most);
  const stay = Math.exp(-seconds / DEPTH_SECONDS);
  state.depth = state.depth * stay + DEPTH_SPREAD * Math.sqrt(1 - stay * stay) * normal;
}
