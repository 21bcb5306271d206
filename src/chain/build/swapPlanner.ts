import type { SwapPlan, TokenAccounts, WrittenSwap } from '../../engine/assembly/types';
import type { Address } from '../../base/solana/address';
import { EngineError } from '../../engine/engine';
import type { LivePool, PoolSide } from './livePool';
import { PoolRouter, swapPlanOf } from './poolRoutes';
import type { PoolSource } from './poolSearch';
import type { SwapApi } from './swapApi';

/** A swap of one token for another. */
export interface PlannedSwap {
  readonly out: bigint;
  /** The plan; the swap API is asked for it only when it is needed. */
  write(): Promise<SwapPlan | WrittenSwap>;
}

/** The swaps of one operation, in order: each is quoted as those before it leave the pools. */
export interface SwapPlanner {
  /** `undefined`: there is no way. */
  plan(sell: TokenAccounts, buy: TokenAccounts, inAmount: bigint): Promise<PlannedSwap | undefined>;
  /** What the swaps so far sell in the operation's own pool. */
  soldInOwn(side: PoolSide): bigint;
}

/** Whose swaps are planned, and around which pool. */
interface PlannerTerms {
  readonly owner: Address;
  /** The pool of the operation, in the state in which the swaps meet it. */
  readonly own: LivePool;
  readonly source: PoolSource;
  readonly slippageBps: number;
}

/** Plans swaps through the swap API; without one, or if it gives no usable quote, through Meteora's pools. */
export function swapPlanner(
  { api, log }: { readonly api: SwapApi | undefined; readonly log: (text: string) => void },
  { owner, own, source, slippageBps }: PlannerTerms,
): SwapPlanner {
  const router = new PoolRouter(source, own);
  const throughPools = async (sell: TokenAccounts, buy: TokenAccounts, inAmount: bigint): Promise<PlannedSwap | undefined> => {
    const route = await router.best({ sell: sell.mint, buy: buy.mint, inAmount });
    if (route === undefined) {
      return undefined;
    }
    router.follow(route);
    return { out: route.out, write: () => Promise.resolve(swapPlanOf(route, slippageBps)) };
  };
  return {
    plan: async (sell, buy, inAmount) => {
      if (inAmount <= 0n || sell.mint === buy.mint) {
        return undefined;
      }
      const quote = await api?.quote({ owner, sell, buy, inAmount, slippageBps }).catch((error: unknown) => {
        if (error instanceof EngineError) {
          log(`${error.message}. Swaps go through Meteora's pools.`);
          return undefined;
        }
        throw error;
      });
      return quote === undefined ? throughPools(sell, buy, inAmount) : { out: quote.out, write: () => quote.write() };
    },
    soldInOwn: (side) => router.soldInOwn(side),
  };
}
