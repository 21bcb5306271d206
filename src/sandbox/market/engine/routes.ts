import type { Address } from '../../../base/solana/address';
import { EffectError } from '../../chain/types';
import type { BinPool, Market, MarketPool, PoolToken, TokenSide } from '../types';

type Token = Pick<PoolToken, 'mint'>;

/** One trade of a swap. */
export interface Leg {
  readonly via: BinPool;
  readonly sells: TokenSide;
}

/** A swap at the present prices; each leg sells the proceeds of the one before. Raw amounts of the first input and the last output. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly inAmount: bigint;
  readonly out: bigint;
}

/**
 * The best swap of one token for another through bin pools: in the best pool of both, or else through USDC or SOL. A pool that
 * cannot take the whole amount is skipped. `undefined` if there is no route.
 */
export function bestRoute(market: Market, sell: Token, buy: Token, inAmount: bigint): Route | undefined {
  if (sell.mint === buy.mint || inAmount <= 0n) {
    return undefined;
  }
  return (
    bestTrade(market, sell, buy, inAmount) ??
    best([market.usdc, market.sol].map((between) => bestDetour(market, sell, between, buy, inAmount)))
  );
}

/** The side of a token in a pool; `undefined` if the pool does not trade it. */
export function sideOf(pool: MarketPool, mint: Address): TokenSide | undefined {
  return mint === pool.tokenX.mint ? 'x' : mint === pool.tokenY.mint ? 'y' : undefined;
}

function bestDetour(market: Market, sell: Token, between: Token, buy: Token, inAmount: bigint): Route | undefined {
  if (between.mint === sell.mint || between.mint === buy.mint) {
    return undefined;
  }
  const first = bestTrade(market, sell, between, inAmount);
  const second = first === undefined ? undefined : bestTrade(market, between, buy, first.out);
  return first === undefined || second === undefined ? undefined : { legs: [...first.legs, ...second.legs], inAmount, out: second.out };
}

function bestTrade(market: Market, sell: Token, buy: Token, inAmount: bigint): Route | undefined {
  return best(
    market.pools.map((via) => {
      const sells = sideOf(via, sell.mint);
      if (via.type !== 'bins' || via.createdAt > market.now || sells === undefined || sideOf(via, buy.mint) === undefined) {
        return undefined;
      }
      const { amountIn, amountOut } = via.quote(sells, inAmount, market.now);
      return amountIn === inAmount ? { legs: [{ via, sells }], inAmount, out: amountOut } : undefined;
    }),
  );
}

/** The first route with the highest output. */
function best(routes: readonly (Route | undefined)[]): Route | undefined {
  return routes.reduce((most, route) => (route !== undefined && route.out > (most?.out ?? 0n) ? route : most), undefined);
}

/** An amount of a token, raw. */
export interface RouteAmount {
  readonly mint: Address;
  readonly amount: bigint;
}

/**
 * Trades in one pool after the other; each sells the proceeds of the one before. Returns the last output.
 * @throws EffectError if a pool does not trade the token, or has too little liquidity for the whole amount
 */
export function sellThrough(market: Market, pools: readonly MarketPool[], sold: RouteAmount): RouteAmount {
  return pools.reduce((held, pool) => sellIn(market, pool, held), sold);
}

/** Executes a route at the present prices; returns the raw output. */
export function tradeAlong(market: Market, { legs, inAmount }: Route): bigint {
  return legs.reduce((amount, { via, sells }) => {
    const { mint } = sells === 'x' ? via.tokenX : via.tokenY;
    return sellIn(market, via, { mint, amount }).amount;
  }, inAmount);
}

function sellIn(market: Market, pool: MarketPool, { mint, amount }: RouteAmount): RouteAmount {
  const sells = sideOf(pool, mint);
  if (sells === undefined) {
    throw new EffectError(`The pool ${pool.pairName} does not trade ${mint}`);
  }
  const trade = market.trade(pool, sells, amount);
  if (trade.amountIn < amount) {
    const { symbol } = (sells === 'x' ? pool.tokenX : pool.tokenY).spec;
    throw new EffectError(`${pool.pairName} has too little liquidity: it takes ${trade.amountIn} of ${amount} ${symbol} (raw)`);
  }
  return { mint: (sells === 'x' ? pool.tokenY : pool.tokenX).mint, amount: trade.amountOut };
}
