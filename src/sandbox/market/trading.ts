import { FEE_PRECISION } from '../../base/dlmm/fees';
import { baseFeeOf } from './catalog';
import type { WorldReserves } from './reserves';
import type { Random } from './random';
import { rawPrice, rawTokens, wholeTokens } from './tokens';
import type { Pool, Side, Trade, Turnover } from './types';

const SECONDS_A_DAY = 86_400;
/** Most trades that the volume of one step is split into; steps of minutes have this many. */
const MOST_SWAPS = 4;
const MOST_SWAPS_OF_LONG_STEPS = 2;
const LONG_STEP_SECONDS = 300;
/** One trade asks for at most this part of what the pool has to give: traders know what they move. */
const MOST_OF_A_SIDE = 0.12;
/** Sizes differ by up to this part either way. */
const SIZE_SPREAD = 0.4;
/** Where prices are not steps apart, arbitrageurs wait until the price is past the fee by this part: less does not pay for the transaction. */
const LEAST_GAIN = 0.0004;

/** The world outside a pool during one step. */
export interface ExternalMarket {
  /** Milliseconds since 1970, at the end of the step. */
  readonly now: number;
  /** US dollars for one whole token. */
  readonly usdX: number;
  readonly usdY: number;
  /** What the traders have. */
  readonly means: WorldReserves;
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
export function tradeByChance(pool: Pool, outside: ExternalMarket, { seconds, activity, random }: TradingActivity): Trade[] {
  const { tvlUsd, turnoverPerDay, tradeUsd } = pool.spec;
  const count = random.count((tvlUsd * turnoverPerDay * activity * seconds) / SECONDS_A_DAY / tradeUsd);
  if (count === 0) {
    return [];
  }
  const volumeUsd = count * tradeUsd * Math.exp(random.normal() / (2 * Math.sqrt(count)));
  const swaps = Math.min(count, seconds < LONG_STEP_SECONDS ? MOST_SWAPS : MOST_SWAPS_OF_LONG_STEPS);
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
  const { now, usdX, usdY, means } = outside;
  const { liquidity, tokenX, tokenY } = pool;
  const [sold, soldUsd] = sells === 'x' ? [tokenX, usdX] : [tokenY, usdY];
  const toGiveUsd = sells === 'x' ? wholeTokens(liquidity.y, tokenY) * usdY : wholeTokens(liquidity.x, tokenX) * usdX;
  const amountIn = rawTokens(Math.min(usd, MOST_OF_A_SIDE * toGiveUsd) / soldUsd, sold);
  return amountIn === 0n || !means.covers(sold, Number(amountIn)) ? undefined : carriedOut(pool, means, pool.swap(sells, amountIn, now));
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
  const target = outside.means.reach(pool, relative < 1 ? price * (1 - fee) : price / (1 - fee));
  return carriedOut(pool, outside.means, pool.swapTo(target, outside.now));
}

/** Arbitrage pays at that fee when the pool's price is this multiple of the outside price. */
function pays({ type }: Pool, relative: number, fee: number): boolean {
  const worth = (1 - fee) * (type === 'product' ? 1 - LEAST_GAIN : 1);
  return relative < worth || relative * worth > 1;
}

/** What trades are worth at outside prices, and their fees. */
export function turnoverOf({ tokenX, tokenY }: Pool, { usdX, usdY }: ExternalMarket, trades: readonly Trade[]): Turnover {
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

function carriedOut(pool: Pool, means: WorldReserves, trade: Trade): Trade | undefined {
  means.spend(pool, trade);
  return trade.amountIn > 0n ? trade : undefined;
}
