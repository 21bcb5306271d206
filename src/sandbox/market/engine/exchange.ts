import type { Address } from '../../../base/solana/address';
import { EffectError } from '../../chain/types';
import type { Market, Pool } from '../types';
import { sideOf, type Route } from './quotes';

/** An amount of a token, raw. */
export interface TokenAmount {
  readonly mint: Address;
  readonly amount: bigint;
}

/**
 * Trades in one pool after the other; each sells all that the one before it gave. Gives what the last one gave.
 * @throws EffectError where a pool does not trade what it gets, or has too little to take all of it.
 */
export function sellThrough(market: Market, pools: readonly Pool[], sold: TokenAmount): TokenAmount {
  return pools.reduce((held, pool) => sellIn(market, pool, held), sold);
}

/** Carries a route out at the present prices; gives what comes out. */
export function follow(market: Market, { legs, inAmount }: Route): bigint {
  return legs.reduce((amount, { via, sells }) => {
    const { mint } = sells === 'x' ? via.tokenX : via.tokenY;
    return sellIn(market, via, { mint, amount }).amount;
  }, inAmount);
}

function sellIn(market: Market, pool: Pool, { mint, amount }: TokenAmount): TokenAmount {
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
