import { binOfUiPrice, checkBin } from '../../../base/dlmm/bins';
import type { Amounts, Side, Trade } from '../types';
import type { BinFees } from './binFees';
import type { BinPoolRows } from './binState';
import { type Order, type Walk, walkBins } from './binWalk';
import { secondsOf } from './volatility';

/** Trades in a bin pool: what they move, and where they leave the active bin. */
export class BinTrading {
  readonly #rows: BinPoolRows;
  readonly #fees: BinFees;
  readonly #binStepBps: number;

  constructor(rows: BinPoolRows, fees: BinFees, binStepBps: number) {
    this.#rows = rows;
    this.#fees = fees;
    this.#binStepBps = binStepBps;
  }

  /** @throws RangeError where the amount is negative. */
  quote(sells: Side, amountIn: bigint, now: number): Trade {
    return tradeOf(sells, walkBins(this.#rows, this.#fees, exactIn(sells, amountIn, now), false));
  }

  /** The active bin is the last one that traded, also where nothing is left in it. @throws RangeError where the amount is negative. */
  swap(sells: Side, amountIn: bigint, now: number): Trade {
    const order = exactIn(sells, amountIn, now);
    const walk = walkBins(this.#rows, this.#fees, order, true);
    return this.#settled(order, walk, walk.lastBinId ?? this.#rows.state.activeBinId);
  }

  /** Ends in the last bin whose price is not past `price`, also where bins without liquidity lie before it (the program's `go_to_a_bin`). @throws RangeError where no bin has that price. */
  swapTo(price: number, now: number): Trade {
    const { activeBinId } = this.#rows.state;
    const below = binOfUiPrice(price, this.#binStepBps, 0, 0, 'down');
    const above = below > activeBinId ? below : binOfUiPrice(price, this.#binStepBps, 0, 0, 'up');
    if (above > activeBinId) {
      return this.#emptyBins('y', below, below, now);
    }
    return below < activeBinId ? this.#emptyBins('x', above, above, now) : NOTHING_TRADED;
  }

  /** @throws RangeError where there is no such bin. */
  swapToBin(binId: number, now: number): Trade {
    checkBin(binId, this.#binStepBps);
    const { activeBinId } = this.#rows.state;
    if (binId === activeBinId) {
      return NOTHING_TRADED;
    }
    return binId > activeBinId ? this.#emptyBins('y', binId - 1, binId, now) : this.#emptyBins('x', binId + 1, binId, now);
  }

  /** Empties all bins up to `lastBinId`, and leaves the active bin at `endsAt`, before which nothing is left. */
  #emptyBins(sells: Side, lastBinId: number, endsAt: number, now: number): Trade {
    const order = { sells, offered: undefined, lastBinId, now };
    return this.#settled(order, walkBins(this.#rows, this.#fees, order, true), endsAt);
  }

  /** Brings the pool's own state to where a walk has led. */
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
      // The program notes the time only of trades that move the active bin, as can be seen of its accounts.
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

function exactIn(sells: Side, amountIn: bigint, now: number): Order {
  if (amountIn < 0n) {
    throw new RangeError('An amount to sell must not be negative');
  }
  return { sells, offered: amountIn, lastBinId: sells === 'x' ? -Infinity : Infinity, now };
}

function tradeOf(sells: Side, { amountIn, amountOut, fee, protocolFee }: Walk): Trade {
  const ofSold = (amount: bigint): Amounts => (sells === 'x' ? { x: amount, y: 0n } : { x: 0n, y: amount });
  return { sells, amountIn, amountOut, fees: ofSold(fee), protocolFees: ofSold(protocolFee) };
}
