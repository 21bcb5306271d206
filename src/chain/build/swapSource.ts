import type { PlannedSwap, BuildPool, SwapSource, SwapWishTerms } from '../../engine/build/ports';
import { EngineError } from '../../engine/engine';
import type { AnyPool } from './operations';
import { PoolRouter, swapPlanOf } from './poolRoutes';
import type { PoolSource } from './poolSearch';
import { type SwapApi, SwapUnansweredError, type SwapWish } from './swapApi';

/** Where swaps of an operation go. */
interface Exchanges {
  readonly api: SwapApi | undefined;
  readonly source: PoolSource;
  readonly log: (text: string) => void;
}

/**
 * Plans swaps through the swap API; without one, or if it gives no usable swap, through Meteora's pools. What follows a swap depends on its quote, so the
 * API writes each swap as soon as it has quoted it, unless quotes are all that is asked for.
 * @param own the pool of the operation, in the state in which the swaps meet it
 */
export function swapSource(exchanges: Exchanges, own: AnyPool, terms: SwapWishTerms): SwapSource {
  const router = new PoolRouter(exchanges.source, own);
  return {
    ...swapPlanner(exchanges, router, terms),
    poolAfter: (): Promise<BuildPool> | BuildPool => {
      const side = router.soldInOwn('x') > 0n ? 'x' : 'y';
      return own.after(side, router.soldInOwn(side));
    },
  };
}

/** Plans swaps of one operation like {@link swapSource}; without a pool of their own if the router has none. */
export function swapPlanner(
  exchanges: Exchanges,
  router: PoolRouter,
  { owner, slippageBps, isQuote = false }: SwapWishTerms,
): Pick<SwapSource, 'plan'> {
  const throughPools: SwapSource['plan'] = async (sell, buy, inAmount) => {
    const route = await router.best({ sell: sell.mint, buy: buy.mint, inAmount });
    return (
      route && { sell, buy, inAmount, out: route.out, accept: () => router.follow(route), write: () => swapPlanOf(route, slippageBps) }
    );
  };
  return {
    plan: async (sell, buy, inAmount) =>
      inAmount <= 0n || sell.mint === buy.mint
        ? undefined
        : ((await throughApi(exchanges, { owner, sell, buy, inAmount, slippageBps }, isQuote)) ??
          (await throughPools(sell, buy, inAmount))),
  };
}

/** `undefined`: another way is to be taken. */
async function throughApi({ api, log }: Exchanges, wish: SwapWish, isQuote: boolean): Promise<PlannedSwap | undefined> {
  const orPools =
    (kind: typeof EngineError) =>
    (error: unknown): undefined => {
      if (!(error instanceof kind)) {
        throw error;
      }
      log(`${error.message}. Swaps go through Meteora's pools.`);
    };
  const quote = await api?.quote(wish).catch(orPools(EngineError));
  if (quote === undefined) {
    return undefined;
  }
  const { sell, buy, inAmount } = wish;
  const swap = { sell, buy, inAmount, out: quote.out, accept: () => undefined };
  if (isQuote) {
    return { ...swap, write: () => quote.write() };
  }
  // Instructions for another swap than the one that was quoted are an error: a service that lies is not passed over in silence.
  const written = await quote.write().catch(orPools(SwapUnansweredError));
  return written && { ...swap, write: () => written };
}
