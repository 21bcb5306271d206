import type { Address } from '../../base/solana/address';
import { type AddParameters, EngineError } from '../../server/engine';
import { wrapped } from '../build/buildAdd';
import { routeSwap } from '../build/jupiterRoute';
import { tokensBought } from '../build/swapTokens';
import { assemble } from '../build/transactions';
import type { AddPlan, AddTransactions, SwapPlan } from '../build/types';
import { createTokenAccount } from '../build/walletInstructions';
import { bestRoute, follow, type Route } from '../market/engine/routes';
import type { Market, Pool } from '../market/types';

/**
 * Spends the whole input a second time, for a token of the pool. The market carries it out, so that the deposit is planned by the prices that
 * it leaves.
 * @throws EngineError if there is no input of SOL, or no pools sell that much for it.
 */
export function secondSpend(market: Market, { tokenX, tokenY }: Pool, input: AddParameters['input']): Route {
  if (input.mode !== 'zap-in') {
    throw new EngineError('invalid', 'The attack overspend is one on zap-ins');
  }
  const { lamports } = input;
  const token = tokenX.mint === market.sol.mint ? tokenY : tokenX;
  const route = bestRoute(market, market.sol, token, lamports);
  if (route === undefined) {
    throw new EngineError('invalid', `The attack overspend finds no pools that give ${token.spec.symbol} for ${lamports} lamports`);
  }
  follow(market, route);
  return route;
}

/** An entry with one more swap, wrapped and sold in a transaction of its own. */
export function withSwap(built: AddTransactions, plan: AddPlan, swap: SwapPlan): AddTransactions {
  const added = assemble(unaskedSteps(plan.owner, swap), { terms: plan, version: 0, lookupTable: plan.lookupTable });
  return { ...built, swapTransactions: [...built.swapTransactions, ...added] };
}

/** The order differs from that of the honest swaps: a second one just like the first would be the same transaction. */
function unaskedSteps(owner: Address, swap: SwapPlan): Parameters<typeof assemble>[0] {
  return [...tokensBought(swap).map((token) => createTokenAccount(owner, token)), wrapped(owner, swap.inAmount), routeSwap(owner, swap)];
}
