import type { Amounts } from '../types';
import type { Bin } from './binArrays';
import { type BinFees, compositionFee } from './binFees';

/** What a deposit does to a bin. Raw amounts; `shares` Q64. */
export interface BinDeposit {
  readonly shares: bigint;
  /** What the bin keeps; the rest of what was put in is the protocol's. */
  readonly x: bigint;
  readonly y: bigint;
}

/** Liquidity of amounts at a bin's price: their worth in raw Y, Q64 (commons `get_liquidity`). */
export function liquidityOf({ x, y }: Amounts, priceQ64: bigint): bigint {
  return priceQ64 * x + (y << 64n);
}

/** A deposit as it is into any bin but the active one: shares in proportion to what the bin is worth, rounded down. */
export function plainDeposit(bin: Bin, priceQ64: bigint, amounts: Amounts): BinDeposit {
  return { shares: sharesFor(bin, priceQ64, amounts), x: amounts.x, y: amounts.y };
}

/**
 * A deposit into the active bin: where its mix is unlike the bin's own, taking it out again at once would have swapped part
 * of it, and that part pays the swap fee. The protocol gets its share of it; the rest goes into the bin before the new
 * shares are counted (the program's `deposit_in_bin_id`).
 */
export function activeDeposit(bin: Bin, priceQ64: bigint, amounts: Amounts, fees: BinFees, volatilityAccumulator: number): BinDeposit {
  const plain = plainDeposit(bin, priceQ64, amounts);
  if (bin.shares === 0n) {
    return plain;
  }
  const supply = bin.shares + plain.shares;
  const outX = (plain.shares * (bin.x + amounts.x)) / supply;
  const outY = (plain.shares * (bin.y + amounts.y)) / supply;
  const rate = fees.rateAt(volatilityAccumulator);
  const feeX = outY > amounts.y ? compositionFee(amounts.x - outX, rate) : 0n;
  const feeY = outX > amounts.x ? compositionFee(amounts.y - outY, rate) : 0n;
  if (feeX === 0n && feeY === 0n) {
    return plain;
  }
  const protocolFeeX = fees.protocolPart(feeX);
  const protocolFeeY = fees.protocolPart(feeY);
  const withFee = { ...bin, x: bin.x + feeX - protocolFeeX, y: bin.y + feeY - protocolFeeY };
  const shares = sharesFor(withFee, priceQ64, { x: amounts.x - feeX, y: amounts.y - feeY });
  return { shares, x: amounts.x - protocolFeeX, y: amounts.y - protocolFeeY };
}

function sharesFor(bin: Bin, priceQ64: bigint, amounts: Amounts): bigint {
  const added = liquidityOf(amounts, priceQ64);
  return bin.shares === 0n ? added : (added * bin.shares) / liquidityOf(bin, priceQ64);
}
