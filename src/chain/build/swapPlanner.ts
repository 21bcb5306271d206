import type { SwapPlan, TokenAccounts, WrittenSwap } from '../../engine/assembly/types';
import type { Address } from '../../base/solana/address';
import { EngineError } from '../../engine/engine';
import type { LivePool, PoolSide } from './livePool';
import { type PoolRoute, PoolRouter, swapPlanOf } from './poolRoutes';
import type { PoolSource } from './poolSearch';
import { type ApiQuote, type SwapApi, SwapUnansweredError, type SwapWish } from './swapApi';

/** What a swap gives. */
export interface QuotedSwap {
  readonly out: bigint;
}

/** A swap of one token for another. */
export interface PlannedSwap extends QuotedSwap {
  readonly plan: SwapPlan | WrittenSwap;
}

/** The swaps of one operation, in order: each is quoted as those before it leave the pools. */
export interface SwapPlanner<Swap extends QuotedSwap> {
  /** `undefined`: there is no way. */
  plan(sell: TokenAccounts, buy: TokenAccounts, inAmount: bigint): Promise<Swap | undefined>;
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

/** What plans swaps. */
interface PlannerContext {
  readonly api: SwapApi | undefined;
  readonly log: (text: string) => void;
}

/**
 * Plans swaps through the swap API; without one, or if it gives no usable swap, through Meteora's pools. What follows a swap depends on its quote, so the
 * API writes each swap as soon as it has quoted it.
 */
export function swapPlanner(context: PlannerContext, terms: PlannerTerms): SwapPlanner<PlannedSwap> {
  return planner<PlannedSwap>(context, terms, {
    byApi: async (quote) => ({ out: quote.out, plan: await quote.write() }),
    byPools: (route) => ({ out: route.out, plan: swapPlanOf(route, terms.slippageBps) }),
  });
}

/** Quotes swaps as {@link swapPlanner} plans them, without their instructions. */
export function swapQuoter(context: PlannerContext, terms: PlannerTerms): SwapPlanner<QuotedSwap> {
  return planner<QuotedSwap>(context, terms, { byApi: (quote) => Promise.resolve(quote), byPools: (route) => route });
}

function planner<Swap extends QuotedSwap>(
  { api, log }: PlannerContext,
  { owner, own, source, slippageBps }: PlannerTerms,
  { byApi, byPools }: { readonly byApi: (quote: ApiQuote) => Promise<Swap>; readonly byPools: (route: PoolRoute) => Swap },
): SwapPlanner<Swap> {
  const router = new PoolRouter(source, own);
  const throughApi = async (wish: SwapWish): Promise<Swap | undefined> => {
    const orPools =
      (kind: typeof EngineError) =>
      (error: unknown): undefined => {
        if (!(error instanceof kind)) {
          throw error;
        }
        log(`${error.message}. Swaps go through Meteora's pools.`);
      };
    const quote = await api?.quote(wish).catch(orPools(EngineError));
    // Instructions for another swap than the one that was quoted are an error: a service that lies is not passed over in silence.
    return quote === undefined ? undefined : await byApi(quote).catch(orPools(SwapUnansweredError));
  };
  const throughPools = async (sell: TokenAccounts, buy: TokenAccounts, inAmount: bigint): Promise<Swap | undefined> => {
    const route = await router.best({ sell: sell.mint, buy: buy.mint, inAmount });
    if (route === undefined) {
      return undefined;
    }
    router.follow(route);
    return byPools(route);
  };
  return {
    plan: async (sell, buy, inAmount) =>
      inAmount <= 0n || sell.mint === buy.mint
        ? undefined
        : ((await throughApi({ owner, sell, buy, inAmount, slippageBps })) ?? (await throughPools(sell, buy, inAmount))),
    soldInOwn: (side) => router.soldInOwn(side),
  };
}
