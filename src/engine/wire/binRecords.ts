import { maxBinIdOf, priceOfBin } from '../../base/dlmm/bins';
import type { BinPriceScale } from '../state/poolState';
import type { RawAmounts } from '../state/positionState';
import { wholeTokens } from './positionRecord';
import { decimalText } from './text';

export interface WireBinPrice {
  readonly binId: number;
  /** Raw token1 for one raw token0, decimal text. */
  readonly price: string;
  /** Whole token1 for one whole token0, decimal text. */
  readonly pricePerToken: string;
}

/** A bin and its contents, whole tokens. */
export interface WireBin extends WireBinPrice {
  readonly xAmount: number;
  readonly yAmount: number;
}

/** Smallest and largest number of bins shown on either side of the active one, depending on the liquidity: as far as outlooks look. */
const MIN_SHOWN = 35;
/** See {@link MIN_SHOWN}. */
export const MAX_SHOWN = 140;

/** A bin with its price in raw token1 per raw token0 and in whole tokens. */
export function binPrice({ binStepBps, token0, token1 }: BinPriceScale, binId: number): WireBinPrice {
  const price = priceOfBin(binId, binStepBps);
  return { binId, price: decimalText(price), pricePerToken: decimalText(price * 10 ** (token0.decimals - token1.decimals)) };
}

/** The bins around the active one, as far as there is liquidity, within the program's range. @param amountsOf raw amounts of a bin */
export function shownBins(scale: BinPriceScale, activeBinId: number, amountsOf: (binId: number) => RawAmounts): readonly WireBin[] {
  const last = maxBinIdOf(scale.binStepBps) - 1;
  const from = activeBinId - farthest(activeBinId, -1, amountsOf);
  const to = activeBinId + farthest(activeBinId, 1, amountsOf);
  const shown: WireBin[] = [];
  for (let binId = Math.max(from, -last); binId <= Math.min(to, last); binId += 1) {
    const { x, y } = amountsOf(binId);
    shown.push({ ...binPrice(scale, binId), xAmount: wholeTokens(x, scale.token0), yAmount: wholeTokens(y, scale.token1) });
  }
  return shown;
}

/** Number of bins shown on one side. */
function farthest(activeBinId: number, side: 1 | -1, amountsOf: (binId: number) => RawAmounts): number {
  for (let distance = MAX_SHOWN; distance > MIN_SHOWN; distance -= 1) {
    const { x, y } = amountsOf(activeBinId + side * distance);
    if (x > 0n || y > 0n) {
      return distance;
    }
  }
  return MIN_SHOWN;
}
