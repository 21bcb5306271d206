import { uiPriceOfBin } from '../dlmm/bins';

/** The prices of a pool's two tokens, US dollars for a whole one of each. */
export interface PairPrices {
  readonly priceXUsd: number;
  readonly priceYUsd: number;
  readonly decimalsX: number;
  readonly decimalsY: number;
}

/** So far the price in a pool may be apart from that of other markets, and from itself a moment ago. */
export const MOST_RATIO = 1.1;
const ONE_BPS_DIVISOR = 10_000;

/**
 * Whether the prices of two tokens are those at which a pool trades them by its active bin, to a tenth and a bin. False also where the
 * program has no such bin or step, or a price is none.
 * @param stepBps the pool's bin step, basis points
 */
export function arePricesOfBin({ priceXUsd, priceYUsd, decimalsX, decimalsY }: PairPrices, activeBinId: number, stepBps: number): boolean {
  const most = MOST_RATIO * (1 + stepBps / ONE_BPS_DIVISOR);
  try {
    const ratio = priceXUsd / priceYUsd / uiPriceOfBin(activeBinId, stepBps, decimalsX, decimalsY);
    return ratio <= most && ratio >= 1 / most;
  } catch {
    return false;
  }
}
