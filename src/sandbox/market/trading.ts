import { FEE_PRECISION } from '../../base/dlmm/fees';
import type { Address } from '../../base/solana/address';
import { baseFeeOf } from './catalog';
import type { Random } from './random';
import { rawPrice, rawTokens, wholeTokens } from './units';
import type { BinPool, Pool, PoolToken, ProductPool, Side, Trade, VolumeAndFees } from './types';

/** Fees are at most a tenth of what is paid; and counting in floats is a little uneven. */
const ALLOWANCE = 1.12;
/** So much of each token (raw) is never traded with: each bin rounds what is paid up, and that many of them do not add up to it. */
const KEPT = 1_000_000;

/**
 * What the rest of the world can trade with: nobody sells tokens that nobody has, however far a price goes. Counted anew for each
 * step, and within it as trades go on.
 */
export class WorldReserves {
  readonly #counted = new Map<Address, number>();

  readonly #count: (mint: Address) => bigint;

  /** `count`: what there is of a token, raw. */
  constructor(count: (mint: Address) => bigint) {
    this.#count = count;
  }

  /** Starts counting again. */
  reset(): void {
    this.#counted.clear();
  }

  /** The rest of the world has that much of a token (raw), fees included. */
  covers(token: PoolToken, amount: number): boolean {
    return ALLOWANCE * amount <= this.#left(token);
  }

  /** How far on the way to a price (raw Y for one raw X) a pool can be traded: there, or to a price before it; its present one where nothing can be paid. */
  reach(pool: Pool, price: number): number {
    return pool.type === 'bins' ? this.#reachInBins(pool, price) : this.#reachOnCurve(pool, price);
  }

  /** Takes note of a trade of the rest of the world. */
  spend({ tokenX, tokenY }: Pool, { sells, amountIn, amountOut }: Trade): void {
    const [paid, got] = sells === 'x' ? [tokenX, tokenY] : [tokenY, tokenX];
    this.#adjust(paid, -Number(amountIn));
    this.#adjust(got, Number(amountOut));
  }

  /** What has not been counted yet is counted when it is asked for, and then with this trade in it. */
  #adjust({ mint }: PoolToken, by: number): void {
    const before = this.#counted.get(mint);
    if (before !== undefined) {
      this.#counted.set(mint, before + by);
    }
  }

  /** What is paid grows with the square root of the price: to reach k times the price takes √k − 1 times what the pool has of it. */
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
    // Mostly all that there is can be bought even at the last price; only where not, bins are gone through.
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

const SECONDS_PER_DAY = 86_400;
/** Most trades that the volume of one step is split into; steps of minutes have this many. */
const MAX_SWAPS = 4;
const MAX_SWAPS_IN_LONG_STEP = 2;
const LONG_STEP_SECONDS = 300;
/** One trade asks for at most this part of what the pool has to give: traders know what they move. */
const MAX_SIDE_PART = 0.12;
/** Sizes differ by up to this part either way. */
const SIZE_SPREAD = 0.4;
/** Where prices are not steps apart, arbitrageurs wait until the price is past the fee by this part: less does not pay for the transaction. */
const MIN_GAIN = 0.0004;

/** The world outside a pool during one step. */
export interface ExternalMarket {
  /** Milliseconds since 1970, at the end of the step. */
  readonly now: number;
  /** US dollars for one whole token. */
  readonly usdX: number;
  readonly usdY: number;
  /** What the traders have. */
  readonly reserves: WorldReserves;
}

/** How much is traded in a step by chance. */
export interface TradingActivity {
  readonly seconds: number;
  /** 1 in usual times; more trade while prices are restless. */
  readonly activity: number;
  readonly random: Random;
}

/** Raw Y for one raw X outside the pool. */
function outsidePrice({ tokenX, tokenY }: Pool, { usdX, usdY }: ExternalMarket): number {
  return rawPrice(usdX / usdY, tokenX, tokenY);
}

/**
 * Lets people buy and sell in a pool as it occurs to them. How many they are is drawn (Poisson); what they trade is carried out in a
 * few swaps to and fro. Once that has moved the price further than the fee, the way back is left to {@link arbitrage}.
 */
export function tradeRandomly(pool: Pool, outside: ExternalMarket, { seconds, activity, random }: TradingActivity): Trade[] {
  const { tvlUsd, turnoverPerDay, tradeUsd } = pool.spec;
  const count = random.count((tvlUsd * turnoverPerDay * activity * seconds) / SECONDS_PER_DAY / tradeUsd);
  if (count === 0) {
    return [];
  }
  const volumeUsd = count * tradeUsd * Math.exp(random.normal() / (2 * Math.sqrt(count)));
  const swaps = Math.min(count, seconds < LONG_STEP_SECONDS ? MAX_SWAPS : MAX_SWAPS_IN_LONG_STEP);
  const trades: Trade[] = [];
  let sells: Side = random.uniform() < 0.5 ? 'x' : 'y';
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

/** Sells for that many dollars; for less if the pool has little liquidity. */
function sell(pool: Pool, outside: ExternalMarket, sells: Side, usd: number): Trade | undefined {
  const { now, usdX, usdY, reserves: means } = outside;
  const { liquidity, tokenX, tokenY } = pool;
  const [sold, soldUsd] = sells === 'x' ? [tokenX, usdX] : [tokenY, usdY];
  const toGiveUsd = sells === 'x' ? wholeTokens(liquidity.y, tokenY) * usdY : wholeTokens(liquidity.x, tokenX) * usdX;
  const amountIn = rawTokens(Math.min(usd, MAX_SIDE_PART * toGiveUsd) / soldUsd, sold);
  return amountIn === 0n || !means.covers(sold, Number(amountIn)) ? undefined : spent(pool, means, pool.swap(sells, amountIn, now));
}

/**
 * Lets arbitrageurs trade in a pool as far as it pays: up to where its price is the outside one less the fee, or down to where it is
 * the outside one and the fee. Changes nothing where the pool is within that.
 */
export function arbitrage(pool: Pool, outside: ExternalMarket): Trade | undefined {
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

/** Arbitrage pays at that fee when the pool's price is this multiple of the outside price. */
function pays({ type }: Pool, relative: number, fee: number): boolean {
  const worth = (1 - fee) * (type === 'product' ? 1 - MIN_GAIN : 1);
  return relative < worth || relative * worth > 1;
}

/** What trades are worth at outside prices, and their fees. */
export function volumeAndFeesOf({ tokenX, tokenY }: Pool, { usdX, usdY }: ExternalMarket, trades: readonly Trade[]): VolumeAndFees {
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

function spent(pool: Pool, means: WorldReserves, trade: Trade): Trade | undefined {
  means.spend(pool, trade);
  return trade.amountIn > 0n ? trade : undefined;
}
