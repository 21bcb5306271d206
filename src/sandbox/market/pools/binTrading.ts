import { binArrayIndex, binOfUiPrice, BINS_PER_ARRAY, checkBin } from '../../../base/dlmm/bins';
import { feeOnExcluded, feeOnIncluded } from '../../../base/dlmm/fees';
import type { Amounts, TokenSide, Trade } from '../types';
import type { Bin } from './binArrays';
import { accumulatorIn, type BinFees, referredTo, type Volatility } from './binFees';
import type { BinPoolRows } from './poolStates';
import { secondsOf } from '../units';

/** A bin's part of a trade, raw. One object is reused for all bins, so that a long walk does not allocate. */
export interface Fill {
  /** Paid by the trader, including the fee. */
  amountIn: bigint;
  amountOut: bigint;
  /** The whole fee. */
  fee: bigint;
}

/**
 * Trades in one bin at its price (commons `swap_exact_in_quote_at_bin`; npm @meteora-ag/dlmm, `swapExactInQuoteAtBin`). The fee is
 * taken from the input; costs are rounded up and gains down.
 * @param reserve the bin's amount of the bought token, more than 0
 * @param rate fee rate, over 1e9
 * @param offered input including the fee; `undefined` buys the whole bin
 */
export function fillBin(fill: Fill, sells: TokenSide, reserve: bigint, priceQ64: bigint, rate: bigint, offered: bigint | undefined): void {
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

/** A trade from the active bin on: downwards if X is sold, upwards if Y is sold. */
export interface Order {
  readonly sells: TokenSide;
  /** Input including fees; `undefined` buys all bins up to the last one. */
  readonly offered: bigint | undefined;
  /** The trade ends here at the latest. */
  readonly lastBinId: number;
  readonly now: number;
}

/** Result of a walk over bins. Raw amounts. */
export interface Walk {
  /** Paid by the trader, including fees. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly fee: bigint;
  readonly protocolFee: bigint;
  /** The part of the payment that goes into bins. */
  readonly intoBins: bigint;
  /** The last bin that traded; `undefined` if none did. */
  readonly lastBinId: number | undefined;
  /** Volatility at the start; its accumulator is that of earlier trades. */
  readonly volatility: Volatility;
  /** Accumulator of the last bin that traded. */
  readonly accumulator: number;
}

/**
 * Walks from bin to bin like the program (commons/src/quote.rs, `quote_exact_in`): skips bins and bin arrays without the bought token,
 * and trades in each other bin at the fee rate of the volatility there.
 * @param record whether to change the bins; the caller changes the state of the pool
 */
function walkBins(rows: BinPoolRows, fees: BinFees, order: Order, record: boolean): Walk {
  const { sells, lastBinId } = order;
  const { state } = rows;
  const step = sells === 'x' ? -1 : 1;
  const volatility = referredTo(state.volatility, state.activeBinId, secondsOf(order.now));
  const fill = { amountIn: 0n, amountOut: 0n, fee: 0n };
  let { offered } = order;
  let accumulator = -1;
  let rate = 0n;
  let amountIn = 0n;
  let amountOut = 0n;
  let fee = 0n;
  let protocolFee = 0n;
  let intoBins = 0n;
  let tradedIn: number | undefined;

  let from = state.activeBinId;
  let index = offered === 0n ? undefined : rows.nextStocked(binArrayIndex(from), step);
  while (index !== undefined) {
    const first = index * BINS_PER_ARRAY;
    const last = first + BINS_PER_ARRAY - 1;
    const until = step > 0 ? Math.min(last, lastBinId) : Math.max(first, lastBinId);
    const bins = rows.array(index)?.bins ?? [];
    const prices = rows.pricesOf(index);
    let changed = false;
    from = step > 0 ? Math.max(from, first) : Math.min(from, last);
    for (; (until - from) * step >= 0 && offered !== 0n; from += step) {
      const bin = bins[from - first];
      const reserve = bin === undefined ? 0n : sells === 'x' ? bin.y : bin.x;
      if (bin === undefined || reserve === 0n) {
        continue;
      }
      const here = accumulatorIn(volatility, from, fees.maxVolatility);
      if (here !== accumulator) {
        accumulator = here;
        rate = fees.rateAt(here);
      }
      fillBin(fill, sells, reserve, rows.priceIn(prices, index, from - first), rate, offered);
      const forProtocol = fees.protocolPart(fill.fee);
      const forBin = fill.amountIn - fill.fee + uncounted(bin, fill.fee - forProtocol);
      if (record) {
        if (!changed) {
          rows.editArray(index);
          changed = true;
        }
        tradeIn(bin, sells, forBin, fill.amountOut, fill.fee - forProtocol);
      }
      amountIn += fill.amountIn;
      amountOut += fill.amountOut;
      fee += fill.fee;
      protocolFee += forProtocol;
      intoBins += forBin;
      tradedIn = from;
      if (offered !== undefined) {
        offered -= fill.amountIn;
      }
    }
    const done = offered === 0n || (lastBinId - from) * step < 0;
    index = done ? undefined : rows.nextStocked(index + step, step);
  }
  return { amountIn, amountOut, fee, protocolFee, intoBins, lastBinId: tradedIn, volatility, accumulator };
}

/**
 * The part of a fee that the counters cannot record: they count per whole share, and the program fails if the bin has less than one.
 * Here, such a fee goes into the bin like a composition fee.
 */
function uncounted(bin: Bin, fee: bigint): bigint {
  return bin.shares >> 64n === 0n ? fee : 0n;
}

/** Updates a bin's amounts and its fee counter (`update_fee_per_token_stored`, rounded down). */
function tradeIn(bin: Bin, sells: TokenSide, amountIn: bigint, amountOut: bigint, fee: bigint): void {
  const wholeShares = bin.shares >> 64n;
  const counted = wholeShares === 0n ? 0n : (fee << 64n) / wholeShares;
  if (sells === 'x') {
    bin.x += amountIn;
    bin.y -= amountOut;
    bin.feeX += counted;
  } else {
    bin.y += amountIn;
    bin.x -= amountOut;
    bin.feeY += counted;
  }
}

/** Trades in a bin pool. */
export class BinTrading {
  readonly #rows: BinPoolRows;
  readonly #fees: BinFees;
  readonly #binStepBps: number;

  constructor(rows: BinPoolRows, fees: BinFees, binStepBps: number) {
    this.#rows = rows;
    this.#fees = fees;
    this.#binStepBps = binStepBps;
  }

  /** @throws RangeError if the amount is negative */
  quote(sells: TokenSide, amountIn: bigint, now: number): Trade {
    return tradeOf(sells, walkBins(this.#rows, this.#fees, exactIn(sells, amountIn, now), false));
  }

  /** Leaves the last bin that traded as the active one, even if it is empty. @throws RangeError if the amount is negative */
  swap(sells: TokenSide, amountIn: bigint, now: number): Trade {
    const order = exactIn(sells, amountIn, now);
    const walk = walkBins(this.#rows, this.#fees, order, true);
    return this.#settled(order, walk, walk.lastBinId ?? this.#rows.state.activeBinId);
  }

  /** Ends in the last bin whose price is not past `price`, even behind bins without liquidity (the program's `go_to_a_bin`). @throws RangeError if no bin has that price */
  swapTo(price: number, now: number): Trade {
    const { activeBinId } = this.#rows.state;
    const below = binOfUiPrice(price, this.#binStepBps, 0, 0, 'down');
    const above = below > activeBinId ? below : binOfUiPrice(price, this.#binStepBps, 0, 0, 'up');
    if (above > activeBinId) {
      return this.#emptyBins('y', below, below, now);
    }
    return below < activeBinId ? this.#emptyBins('x', above, above, now) : NOTHING_TRADED;
  }

  /** @throws RangeError if there is no such bin */
  swapToBin(binId: number, now: number): Trade {
    checkBin(binId, this.#binStepBps);
    const { activeBinId } = this.#rows.state;
    if (binId === activeBinId) {
      return NOTHING_TRADED;
    }
    return binId > activeBinId ? this.#emptyBins('y', binId - 1, binId, now) : this.#emptyBins('x', binId + 1, binId, now);
  }

  /** Buys all bins up to `lastBinId`, and makes `endsAt` the active bin. */
  #emptyBins(sells: TokenSide, lastBinId: number, endsAt: number, now: number): Trade {
    const order = { sells, offered: undefined, lastBinId, now };
    return this.#settled(order, walkBins(this.#rows, this.#fees, order, true), endsAt);
  }

  /** Updates the state of the pool after a walk. */
  #settled({ sells, now }: Order, walk: Walk, endsAt: number): Trade {
    const { activeBinId } = this.#rows.state;
    if (walk.lastBinId === undefined && endsAt === activeBinId) {
      return tradeOf(sells, walk);
    }
    const state = this.#rows.editState();
    state.activeBinId = endsAt;
    if (walk.lastBinId !== undefined) {
      const { accumulator, volatility } = walk;
      const { reference, referenceBin } = volatility;
      // The program's accounts show that it records only the time of trades that move the active bin.
      const movedAt = endsAt === activeBinId ? volatility.movedAt : secondsOf(now);
      state.volatility = { accumulator, reference, referenceBin, movedAt };
    }
    if (sells === 'x') {
      state.liquidityX += walk.intoBins;
      state.liquidityY -= walk.amountOut;
      state.protocolFeeX += walk.protocolFee;
      state.vaultX += walk.amountIn;
      state.vaultY -= walk.amountOut;
    } else {
      state.liquidityY += walk.intoBins;
      state.liquidityX -= walk.amountOut;
      state.protocolFeeY += walk.protocolFee;
      state.vaultY += walk.amountIn;
      state.vaultX -= walk.amountOut;
    }
    return tradeOf(sells, walk);
  }
}

const NOTHING: Amounts = { x: 0n, y: 0n };
const NOTHING_TRADED: Trade = { sells: 'x', amountIn: 0n, amountOut: 0n, fees: NOTHING, protocolFees: NOTHING };

function exactIn(sells: TokenSide, amountIn: bigint, now: number): Order {
  if (amountIn < 0n) {
    throw new RangeError('An amount to sell must not be negative');
  }
  return { sells, offered: amountIn, lastBinId: sells === 'x' ? -Infinity : Infinity, now };
}

function tradeOf(sells: TokenSide, { amountIn, amountOut, fee, protocolFee }: Walk): Trade {
  const ofSold = (amount: bigint): Amounts => (sells === 'x' ? { x: amount, y: 0n } : { x: 0n, y: amount });
  return { sells, amountIn, amountOut, fees: ofSold(fee), protocolFees: ofSold(protocolFee) };
}
