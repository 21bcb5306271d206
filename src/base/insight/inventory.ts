import { priceOfBin } from '../dlmm/bins';
import type { OutlookBin } from './outlook';

/** A position and the pool's active bin. Raw units. */
export interface InventoryInput {
  readonly binStepBps: number;
  /** What was deposited, bin by bin. */
  readonly entry: readonly OutlookBin[];
  readonly activeBinId: number;
  /** What the pool holds in the active bin; `undefined`: not known. */
  readonly activeX: number | undefined;
  readonly activeY: number | undefined;
  /** Raw Y for one raw X; `undefined`: the price of the active bin. */
  readonly price?: number | undefined;
}

/** What a position consists of, and what it is worth beside the deposit. Raw units; values in Y. */
export type Inventory =
  | { readonly known: false; readonly why: 'activeBinNotKnown' | 'noAmount' }
  | {
      readonly known: true;
      readonly x: number;
      readonly y: number;
      readonly valueY: number;
      readonly heldY: number;
      readonly impermanentLossY: number;
    };

/**
 * The content of a position without fees. Swaps keep the liquidity l = P·x + y of each bin: below the active bin it is all Y, above it all X, and
 * in it both have the pool's proportion.
 * @throws RangeError if the program has no such bins
 */
export function inventory({ binStepBps, entry, activeBinId, activeX, activeY, price }: InventoryInput): Inventory {
  const priceNow = price ?? priceOfBin(activeBinId, binStepBps);
  let [x, y, heldX, heldY] = [0, 0, 0, 0];
  for (const bin of entry) {
    const binPrice = priceOfBin(bin.binId, binStepBps);
    const liquidity = bin.x * binPrice + bin.y;
    heldX += bin.x;
    heldY += bin.y;
    if (bin.binId < activeBinId) {
      y += liquidity;
    } else if (bin.binId > activeBinId) {
      x += liquidity / binPrice;
    } else if (liquidity > 0) {
      const ofPool = activeX === undefined || activeY === undefined ? 0 : activeX * binPrice + activeY;
      if (activeX === undefined || activeY === undefined || !(ofPool > 0)) {
        return { known: false, why: 'activeBinNotKnown' };
      }
      x += (liquidity * activeX) / ofPool;
      y += (liquidity * activeY) / ofPool;
    }
  }
  if (heldX === 0 && heldY === 0) {
    return { known: false, why: 'noAmount' };
  }
  const valueY = x * priceNow + y;
  const worthY = heldX * priceNow + heldY;
  return { known: true, x, y, valueY, heldY: worthY, impermanentLossY: valueY - worthY };
}
