import { shareOf, WHOLE_BPS } from '../../../base/basisPoints';
import { binArrayIndex, type BinRange, BINS_PER_ARRAY, checkBin, MAX_BINS_PER_POSITION, widthOf } from '../../../base/dlmm/bins';
import type { BinAmounts } from '../../../base/dlmm/strategy';
import type { Amounts, BinHolding, HeldBin } from '../types';
import type { Bin, BinArray } from './binArrays';
import { type BinFees, compositionFee, feeVolatility } from './binFees';
import { earnedIn, emptyHeldBin, amountsOfShares, settleBin } from './holdings';
import type { BinPoolRows } from './poolStates';

/** Effect of a deposit on a bin. Raw amounts; `shares` Q64. */
export interface BinDeposit {
  readonly shares: bigint;
  /** Amounts that the bin keeps; the protocol gets the rest of the deposit. */
  readonly x: bigint;
  readonly y: bigint;
}

/** Liquidity of amounts at a bin's price: their value in raw Y, Q64 (commons `get_liquidity`). */
function liquidityOf({ x, y }: Amounts, priceQ64: bigint): bigint {
  return priceQ64 * x + (y << 64n);
}

/** A deposit into an inactive bin: shares in proportion to the bin's value, rounded down. */
function plainDeposit(bin: Bin, priceQ64: bigint, amounts: Amounts): BinDeposit {
  return { shares: sharesFor(bin, priceQ64, amounts), x: amounts.x, y: amounts.y };
}

/**
 * A deposit into the active bin. If its composition differs from the bin's, an immediate withdrawal would have swapped part of it;
 * that part pays the swap fee. The protocol gets its share of the fee, and the rest goes into the bin before the new shares are
 * computed (the program's `deposit_in_bin_id`).
 */
function activeDeposit(bin: Bin, priceQ64: bigint, amounts: Amounts, fees: BinFees, volatilityAccumulator: number): BinDeposit {
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

/** Deposits, withdrawals and holdings of positions in a bin pool. */
export class BinPositions {
  readonly #rows: BinPoolRows;
  readonly #fees: BinFees;
  readonly #binStepBps: number;

  constructor(rows: BinPoolRows, fees: BinFees, binStepBps: number) {
    this.#rows = rows;
    this.#fees = fees;
    this.#binStepBps = binStepBps;
  }

  /** @throws RangeError if the range is reversed, too long, or outside the program's range */
  newHolding(range: BinRange): BinHolding {
    this.#checkRange(range);
    const bins = Array.from({ length: widthOf(range) }, emptyHeldBin);
    return { type: 'bins', lowerBinId: range.fromBinId, bins, pendingX: 0n, pendingY: 0n };
  }

  /** @throws RangeError like {@link newHolding} */
  extend(holding: BinHolding, upperBinId: number): void {
    this.#checkRange({ fromBinId: holding.lowerBinId, toBinId: upperBinId });
    while (holding.lowerBinId + holding.bins.length <= upperBinId) {
      holding.bins.push(emptyHeldBin());
    }
  }

  /**
   * Skips bins whose amounts are too small for any share.
   * @throws RangeError if a bin is outside the holding, its bin array does not exist, or it would get X below or Y above the
   * active bin; nothing has changed then
   */
  deposit(holding: BinHolding, deposits: readonly BinAmounts[], now: number): Amounts {
    deposits.forEach((deposit) => this.#checkDeposit(holding, deposit));
    const { activeBinId, volatility } = this.#rows.state;
    let after = volatility;
    let [x, y, keptX, keptY] = [0n, 0n, 0n, 0n];
    let index = NaN;
    let array: BinArray | undefined;
    for (const { binId, amountX, amountY } of deposits) {
      const held = holding.bins[binId - holding.lowerBinId];
      if (amountX === 0n && amountY === 0n) {
        continue;
      }
      if (binArrayIndex(binId) !== index) {
        index = binArrayIndex(binId);
        array = this.#rows.editArray(index);
      }
      const bin = array?.bins[binId - index * BINS_PER_ARRAY];
      if (held === undefined || array === undefined || bin === undefined) {
        continue; // unreachable: all deposits were checked before
      }
      const price = this.#rows.priceQ64(binId);
      const amounts = { x: amountX, y: amountY };
      if (binId === activeBinId) {
        after = feeVolatility(volatility, activeBinId, now, this.#fees.maxVolatility);
      }
      const deposit =
        binId === activeBinId ? activeDeposit(bin, price, amounts, this.#fees, after.accumulator) : plainDeposit(bin, price, amounts);
      if (deposit.shares === 0n) {
        continue;
      }
      settleBin(holding, held, bin);
      array.stocked += bin.shares === 0n ? 1 : 0;
      bin.x += deposit.x;
      bin.y += deposit.y;
      bin.shares += deposit.shares;
      held.shares += deposit.shares;
      x += amountX;
      y += amountY;
      keptX += deposit.x;
      keptY += deposit.y;
    }
    const state = this.#rows.editState();
    state.volatility = after;
    state.liquidityX += keptX;
    state.liquidityY += keptY;
    state.protocolFeeX += x - keptX;
    state.protocolFeeY += y - keptY;
    state.vaultX += x;
    state.vaultY += y;
    return { x, y };
  }

  /** Skips bins outside the holding. @throws RangeError unless `shareBps` is from 0 to 10000 */
  withdraw(holding: BinHolding, range: BinRange, shareBps: number): Amounts {
    if (!Number.isInteger(shareBps) || shareBps < 0 || shareBps > WHOLE_BPS) {
      throw new RangeError(`A share is a whole number of basis points from 0 to ${WHOLE_BPS}, not ${shareBps}`);
    }
    let [x, y] = [0n, 0n];
    this.#eachStocked(holding, range, (held, bin, index) => {
      const array = this.#rows.editArray(index);
      settleBin(holding, held, bin);
      const shares = shareOf(held.shares, shareBps);
      const out = amountsOfShares(bin, shares);
      bin.x -= out.x;
      bin.y -= out.y;
      bin.shares -= shares;
      held.shares -= shares;
      if (array !== undefined && bin.shares === 0n) {
        array.stocked -= 1;
      }
      if (held.shares === 0n) {
        Object.assign(held, emptyHeldBin());
      }
      x += out.x;
      y += out.y;
    });
    const state = this.#rows.editState();
    state.liquidityX -= x;
    state.liquidityY -= y;
    state.vaultX -= x;
    state.vaultY -= y;
    return { x, y };
  }

  collect(holding: BinHolding, range = wholeRangeOf(holding)): Amounts {
    this.#eachStocked(holding, range, (held, bin) => settleBin(holding, held, bin));
    const fees = { x: holding.pendingX, y: holding.pendingY };
    const state = this.#rows.editState();
    holding.pendingX = 0n;
    holding.pendingY = 0n;
    state.vaultX -= fees.x;
    state.vaultY -= fees.y;
    return fees;
  }

  amountsOf(holding: BinHolding, range = wholeRangeOf(holding)): Amounts {
    let [x, y] = [0n, 0n];
    this.#eachStocked(holding, range, (held, bin) => {
      const part = amountsOfShares(bin, held.shares);
      x += part.x;
      y += part.y;
    });
    return { x, y };
  }

  /** Fees since the last settlement. */
  earnedBy(holding: BinHolding, range = wholeRangeOf(holding)): Amounts {
    let [x, y] = [0n, 0n];
    this.#eachStocked(holding, range, (held, bin) => {
      const earned = earnedIn(bin, held);
      x += earned.x;
      y += earned.y;
    });
    return { x, y };
  }

  /** Calls back for each bin of the range with shares of the holding, with the index of its bin array. */
  #eachStocked(holding: BinHolding, range: BinRange, call: (held: HeldBin, bin: Bin, index: number) => void): void {
    const last = Math.min(range.toBinId, holding.lowerBinId + holding.bins.length - 1);
    let index = NaN;
    let bins: readonly Bin[] = [];
    for (let binId = Math.max(range.fromBinId, holding.lowerBinId); binId <= last; binId += 1) {
      const held = holding.bins[binId - holding.lowerBinId];
      if (held === undefined || held.shares === 0n) {
        continue;
      }
      if (binArrayIndex(binId) !== index) {
        index = binArrayIndex(binId);
        bins = this.#rows.array(index)?.bins ?? [];
      }
      const bin = bins[binId - index * BINS_PER_ARRAY];
      if (bin !== undefined) {
        call(held, bin, index);
      }
    }
  }

  #checkDeposit(holding: BinHolding, { binId, amountX, amountY }: BinAmounts): void {
    const { activeBinId } = this.#rows.state;
    if (holding.bins[binId - holding.lowerBinId] === undefined) {
      throw new RangeError(`Bin ${binId} is outside the position`);
    }
    if (this.#rows.array(binArrayIndex(binId)) === undefined) {
      throw new RangeError(`The bin array of bin ${binId} does not exist`);
    }
    if (amountX < 0n || amountY < 0n) {
      throw new RangeError('Amounts to deposit must not be negative');
    }
    if ((binId < activeBinId && amountX > 0n) || (binId > activeBinId && amountY > 0n)) {
      throw new RangeError(`Below the active bin there is only Y, above it only X; bin ${binId} would get the other one`);
    }
    this.#rows.priceQ64(binId);
  }

  #checkRange(range: BinRange): void {
    checkBin(range.fromBinId, this.#binStepBps);
    checkBin(range.toBinId, this.#binStepBps);
    if (widthOf(range) < 1 || widthOf(range) > MAX_BINS_PER_POSITION) {
      throw new RangeError(`A position has from 1 to ${MAX_BINS_PER_POSITION} bins, not ${widthOf(range)}`);
    }
  }
}

function wholeRangeOf({ lowerBinId, bins }: BinHolding): BinRange {
  return { fromBinId: lowerBinId, toBinId: lowerBinId + bins.length - 1 };
}
