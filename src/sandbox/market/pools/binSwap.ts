import { feeOnExcluded, feeOnIncluded } from '../../../dlmm/fees';
import type { Side } from '../types';

/** What one bin takes of a trade: written anew for each bin, so that a long walk makes no objects. Raw amounts. */
export interface Fill {
  /** What the trader pays, fee included. */
  amountIn: bigint;
  amountOut: bigint;
  /** All of the fee. */
  fee: bigint;
}

/**
 * The trade of one bin (commons `swap_exact_in_quote_at_bin`; npm @meteora-ag/dlmm, `swapExactInQuoteAtBin`): at the bin's
 * price, the fee taken from what is put in, costs rounded up and gains down.
 * @param reserve what the bin has of the token that is bought; more than nothing.
 * @param rate the fee rate, over 1e9.
 * @param offered fee included; `undefined`: whatever the whole bin costs.
 */
export function fillBin(fill: Fill, sells: Side, reserve: bigint, priceQ64: bigint, rate: bigint, offered: bigint | undefined): void {
  const cost = sells === 'x' ? ((reserve << 64n) + priceQ64 - 1n) / priceQ64 : -((-reserve * priceQ64) >> 64n);
  if (offered !== undefined) {
    const fee = feeOnIncluded(offered, rate);
    const net = offered - fee;
    if (net <= cost) {
      fill.amountIn = offered;
      fill.fee = fee;
      fill.amountOut = net === cost ? reserve : sells === 'x' ? (net * priceQ64) >> 64n : (net << 64n) / priceQ64;
      return;
    }
  }
  fill.fee = feeOnExcluded(cost, rate);
  fill.amountIn = cost + fill.fee;
  fill.amountOut = reserve;
}
