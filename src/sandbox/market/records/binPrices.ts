import type { WireBinPrice } from '../../wire/pools';
import type { BinPool } from '../types';
import { decimalText } from './common';

/** A bin with its price: raw Y for one raw X, and whole Y for one whole X. */
export function binPrice(pool: BinPool, binId: number): WireBinPrice {
  return { binId, price: decimalText(pool.priceOf(binId)), pricePerToken: decimalText(pool.uiPriceOf(binId)) };
}
