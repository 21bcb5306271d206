import type { Market } from './market';
import { wholeTokens, type Pool, type PoolToken } from './pool';

/** What the router takes, as a part of what it gives. */
const ROUTER_PART = 0.0006;
/** How much less a trade as large as the pool's TVL gives for each unit than a tiny one: 1 / (1 + this). */
const IMPACT = 0.25;

/** One trade of a swap. */
export interface Leg {
  readonly via: Pool;
  readonly sells: 'x' | 'y';
}

/** A swap at the present prices: each leg sells what the one before it gave. Raw amounts, first in and last out. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly inAmount: bigint;
  readonly out: bigint;
}

/**
 * The swap of one token for another at the present prices: in the largest pool that has both, else by way of one more
 * pool. `undefined` where no way leads there.
 */
export function quote(market: Market, sell: PoolToken, buy: PoolToken, inAmount: bigint): Route | undefined {
  if (sell.mint === buy.mint) {
    return undefined;
  }
  const direct = trade(market, sell, buy, inAmount);
  if (direct !== undefined) {
    return direct;
  }
  for (const between of [market.usdc, market.sol]) {
    const first = trade(market, sell, between, inAmount);
    const second = first === undefined ? undefined : trade(market, between, buy, first.out);
    if (first !== undefined && second !== undefined) {
      return { legs: [...first.legs, ...second.legs], inAmount, out: second.out };
    }
  }
  return undefined;
}

/** What `inAmount` of a token gives in a pool now, raw. */
export function swapOut(market: Market, via: Pool, sells: 'x' | 'y', inAmount: bigint): bigint {
  const [sold, bought] = sells === 'x' ? [via.tokenX, via.tokenY] : [via.tokenY, via.tokenX];
  const usd = wholeTokens(inAmount, sold) * market.usd(sold);
  const out = (usd * (1 - ROUTER_PART)) / (1 + (IMPACT * usd) / via.spec.tvlUsd) / market.usd(bought);
  return BigInt(Math.floor(out * 10 ** bought.spec.decimals));
}

function trade(market: Market, sell: PoolToken, buy: PoolToken, inAmount: bigint): Route | undefined {
  const [via] = market.pools
    .filter(({ tokenX, tokenY }) => (tokenX.mint === sell.mint && tokenY.mint === buy.mint) || (tokenX.mint === buy.mint && tokenY.mint === sell.mint))
    .sort((a, b) => b.spec.tvlUsd - a.spec.tvlUsd);
  if (via === undefined) {
    return undefined;
  }
  const sells = via.tokenX.mint === sell.mint ? 'x' : 'y';
  return { legs: [{ via, sells }], inAmount, out: swapOut(market, via, sells, inAmount) };
}
