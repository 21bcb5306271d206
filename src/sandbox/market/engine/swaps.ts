import { binArrayIndex } from '../../../base/dlmm/bins';
import { dlmmBinArray } from '../../../base/solana/pda';
import type { SwapHop, SwapPlan } from '../../../engine/assembly/types';
import type { PlannedSwap, SwapSource } from '../../../engine/build/ports';
import type { Market, MarketPool } from '../types';
import { poolAccounts, poolState } from './poolState';
import { bestRoute, type Leg, type Route, tradeAlong } from './routes';

/** Quotes swaps on the market itself: accepted ones are traded. To be called within a dry run. */
export function marketSwaps(market: Market, pool: MarketPool, slippageBps: number): SwapSource {
  return { ...swapPlanner(market, slippageBps), poolAfter: () => poolState(pool) };
}

/** Quotes swaps that have no pool of their own, like {@link marketSwaps}. */
export function swapPlanner(market: Market, slippageBps: number): Pick<SwapSource, 'plan'> {
  return {
    plan: (sell, buy, inAmount) => {
      const route = bestRoute(market, sell, buy, inAmount);
      return route && plannedSwap(market, route, slippageBps);
    },
  };
}

/** The swap along a route. */
export function plannedSwap(market: Market, route: Route, slippageBps: number): PlannedSwap {
  const { legs, inAmount, out } = route;
  const [first, last] = [legs[0], legs.at(-1)];
  if (first === undefined || last === undefined) {
    throw new RangeError('A route has a trade');
  }
  const [ofFirst, ofLast] = [poolAccounts(first.via), poolAccounts(last.via)];
  return {
    sell: first.sells === 'x' ? ofFirst.tokenX : ofFirst.tokenY,
    buy: last.sells === 'x' ? ofLast.tokenY : ofLast.tokenX,
    inAmount,
    out,
    accept: () => void tradeAlong(market, route),
    write: () => swapPlanOf(route, slippageBps),
  };
}

/** The plan of a swap along a route. */
export function swapPlanOf({ legs, inAmount, out }: Route, slippageBps: number): SwapPlan {
  return { hops: legs.map(swapHop), inAmount, quotedOut: out, slippageBps };
}

/** A trade may touch the bin array of the active bin, and the next one in its direction. */
function swapHop({ via, sells }: Leg): SwapHop {
  const active = binArrayIndex(via.activeBinId);
  const next = sells === 'x' ? active - 1 : active + 1;
  return { type: 'bins', via: poolAccounts(via), sells, binArrays: [active, next].map((index) => dlmmBinArray(via.address, index)) };
}
