import { FEE_PRECISION } from '../../base/dlmm/fees';
import type { Address } from '../../base/solana/address';
import { DAY_S } from '../../base/time';
import { baseFeeOf } from './catalog';
import type { Random } from './random';
import { rawPrice, rawTokens, wholeTokens } from './units';
import type { BinPool, MarketPool, PoolToken, ProductPool, TokenSide, Trade, VolumeAndFees } from './types';

/** Margin for fees (at most a tenth of the payment) and floating-point errors. */
const ALLOWANCE = 1.12;
/** Raw reserve of each token that is never traded; it exceeds the sum of the roundings in all bins. */
const KEPT = 1_000_000;

/**
 * Tokens with which the rest of the world can trade. It cannot sell more than it has, however far a price moves. Counted again in
 * each step, and updated by its trades.
 */
export class WorldReserves {
  readonly #counted = new Map<Address, number>();

  readonly #count: (mint: Address) => bigint;

  /** @param count returns the raw balance of a token */
  constructor(count: (mint: Address) => bigint) {
    this.#count = count;
  }

  /** Forgets all balances; they are counted again on use. */
  reset(): void {
    this.#counted.clear();
  }

  /** Whether the rest of the world has this raw amount of a token plus fees. */
  covers(token: PoolToken, amount: number): boolean {
    return ALLOWANCE * amount <= this.#left(token);
  }

  /** The price nearest to `price` (raw Y per raw X) that the rest of the world can pay for; the pool's present price if it can pay nothing. */
  reach(pool: MarketPool, price: number): number {
    return pool.type === 'bins' ? this.#reachInBins(pool, price) : this.#reachOnCurve(pool, price);
  }

  /** Records a trade of the rest of the world. */
  spend({ tokenX, tokenY }: MarketPool, { sells, amountIn, amountOut }: Trade): void {
    const [paid, got] = sells === 'x' ? [tokenX, tokenY] : [tokenY, tokenX];
    this.#adjust(paid, -Number(amountIn));
    this.#adjust(got, Number(amountOut));
  }

  /** Balances that were not counted yet need no change: counting includes this trade. */
  #adjust({ mint }: PoolToken, by: number): void {
    const before = this.#counted.get(mint);
    if (before !== undefined) {
      this.#counted.set(mint, before + by);
    }
  }

  /** Multiplying the price by k costs √k − 1 times the pool's amount of the paid token. */
  #reachOnCurve(pool: ProductPool, price: number): number {
    const { liquidity, tokenX, tokenY } = pool;
    const falls = price < pool.price;
    const [paid, has] = falls ? [tokenX, Number(liquidity.x)] : [tokenY, Number(liquidity.y)];
    const most = (1 + Math.max(0, this.#left(paid)) / (ALLOWANCE * has)) ** 2;
    return falls ? Math.max(price, pool.price / most) : Math.min(price, pool.price * most);
  }

  #reachInBins(pool: BinPool, price: number): number {
    const { liquidity, tokenX, tokenY } = pool;
    const falls = price < pool.price;
    const paid = falls ? tokenX : tokenY;
    // Usually the reserve suffices to buy everything at the last price; only otherwise the bins are walked.
    if (this.covers(paid, falls ? Number(liquidity.y) / price : Number(liquidity.x) * price)) {
      return price;
    }
    const step = falls ? -1 : 1;
    let reached = pool.price;
    let cost = 0;
    for (let binId = pool.activeBinId; ; binId += step) {
      const at = pool.priceOf(binId);
      if (falls ? at < price : at > price) {
        return price;
      }
      const { x, y } = pool.binAmounts(binId);
      cost += falls ? Number(y) / at : Number(x) * at;
      if (!this.covers(paid, cost)) {
        return reached;
      }
      reached = at;
    }
  }

  #left({ mint }: PoolToken): number {
    let left = this.#counted.get(mint);
    if (left === undefined) {
      left = Math.max(0, Number(this.#count(mint)) - KEPT);
      this.#counted.set(mint, left);
    }
    return left;
  }
}

/** Most trades of a step; long steps have fewer. */
const MAX_SWAPS = 4;
const MAX_SWAPS_IN_LONG_STEP = 2;
const LONG_STEP_SECONDS = 300;
/** A trade buys at most this part of the pool's liquidity. */
const MAX_SIDE_PART = 0.12;
/** Trade sizes vary by this part either way. */
const SIZE_SPREAD = 0.4;
/** Smallest gain of arbitrage in pools without bins, as a part of the price; less does not pay for the transaction. */
const MIN_GAIN = 0.0004;

/** External prices and reserves during one step. */
export interface ExternalMarket {
  /** Milliseconds since 1970, at the end of the step. */
  readonly now: number;
  /** US dollars for one whole token. */
  readonly usdX: number;
  readonly usdY: number;
  /** Tokens of the traders. */
  readonly reserves: WorldReserves;
}

/** Parameters of random trading in one step. */
export interface TradingActivity {
  readonly seconds: number;
  /** Factor on the usual volume, which follows volatility. */
  readonly activity: number;
  readonly random: Random;
}

/** External price, raw Y per raw X. */
function outsidePrice({ tokenX, tokenY }: MarketPool, { usdX, usdY }: ExternalMarket): number {
  return rawPrice(usdX / usdY, tokenX, tokenY);
}

/**
 * Makes random trades in a pool. The number of traders has a Poisson distribution; their volume is traded in a few swaps in
 * alternating directions. The trades end when arbitrage pays, see {@link arbitrage}.
 */
export function tradeRandomly(pool: MarketPool, outside: ExternalMarket, { seconds, activity, random }: TradingActivity): Trade[] {
  const { tvlUsd, turnoverPerDay, tradeUsd } = pool.spec;
  const count = random.count((tvlUsd * turnoverPerDay * activity * seconds) / DAY_S / tradeUsd);
  if (count === 0) {
    return [];
  }
  const volumeUsd = count * tradeUsd * Math.exp(random.normal() / (2 * Math.sqrt(count)));
  const swaps = Math.min(count, seconds < LONG_STEP_SECONDS ? MAX_SWAPS : MAX_SWAPS_IN_LONG_STEP);
  const trades: Trade[] = [];
  let sells: TokenSide = random.uniform() < 0.5 ? 'x' : 'y';
  for (let swap = 0; swap < swaps; swap += 1) {
    const trade = sell(pool, outside, sells, (volumeUsd / swaps) * random.between(1 - SIZE_SPREAD, 1 + SIZE_SPREAD));
    if (trade !== undefined) {
      trades.push(trade);
    }
    if (pays(pool, pool.price / outsidePrice(pool, outside), baseFeeOf(pool.spec))) {
      break;
    }
    sells = sells === 'x' ? 'y' : 'x';
  }
  return trades;
}

/** Sells tokens of this value, or of less if the pool has little liquidity. */
function sell(pool: MarketPool, outside: ExternalMarket, sells: TokenSide, usd: number): Trade | undefined {
  const { now, usdX, usdY, reserves: means } = outside;
  const { liquidity, tokenX, tokenY } = pool;
  const [sold, soldUsd] = sells === 'x' ? [tokenX, usdX] : [tokenY, usdY];
  const toGiveUsd = sells === 'x' ? wholeTokens(liquidity.y, tokenY) * usdY : wholeTokens(liquidity.x, tokenX) * usdX;
  const amountIn = rawTokens(Math.min(usd, MAX_SIDE_PART * toGiveUsd) / soldUsd, sold);
  return amountIn === 0n || !means.covers(sold, Number(amountIn)) ? undefined : spent(pool, means, pool.swap(sells, amountIn, now));
}

/**
 * Makes the arbitrage trade in a pool, if any: it moves the pool's price to the external price minus the fee if it is below, or plus
 * the fee if it is above.
 */
export function arbitrage(pool: MarketPool, outside: ExternalMarket): Trade | undefined {
  const price = outsidePrice(pool, outside);
  const relative = pool.price / price;
  if (!pays(pool, relative, baseFeeOf(pool.spec))) {
    return undefined;
  }
  const fee = Number(pool.feeRates(outside.now).total) / Number(FEE_PRECISION);
  if (!pays(pool, relative, fee)) {
    return undefined;
  }
  const target = outside.reserves.reach(pool, relative < 1 ? price * (1 - fee) : price / (1 - fee));
  return spent(pool, outside.reserves, pool.swapTo(target, outside.now));
}

/** Whether arbitrage pays. @param relative price of the pool divided by the external price */
function pays({ type }: MarketPool, relative: number, fee: number): boolean {
  const worth = (1 - fee) * (type === 'product' ? 1 - MIN_GAIN : 1);
  return relative < worth || relative * worth > 1;
}

/** Volume and fees of trades at external prices. */
export function volumeAndFeesOf({ tokenX, tokenY }: MarketPool, { usdX, usdY }: ExternalMarket, trades: readonly Trade[]): VolumeAndFees {
  const rawX = usdX / 10 ** tokenX.spec.decimals;
  const rawY = usdY / 10 ** tokenY.spec.decimals;
  let volumeUsd = 0;
  let feeUsd = 0;
  for (const { sells, amountIn, fees } of trades) {
    volumeUsd += Number(amountIn) * (sells === 'x' ? rawX : rawY);
    feeUsd += Number(fees.x) * rawX + Number(fees.y) * rawY;
  }
  return { volumeUsd, feeUsd };
}

function spent(pool: MarketPool, means: WorldReserves, trade: Trade): Trade | undefined {
  means.spend(pool, trade);
  return trade.amountIn > 0n ? trade : undefined;
}
