import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { withdrawBins } from './binSteps';
import { routeWithAccounts } from './jupiterRoute';
import { checkDecreasePlan } from './planChecks';
import { withdrawProduct } from './productSteps';
import { tokensBought } from './swapTokens';
import { assemble, together } from './transactions';
import type { DecreasePlan, DecreaseTransactions } from './types';
import { createTokenAccount, unwrapSol, withTip } from './walletInstructions';

/**
 * Builds a withdrawal: liquidity and fees out of the position, the position closed where all is taken, then the swaps. SOL
 * that came is unwrapped by a transaction of its own at the end, since what a stand-in program did takes effect only after
 * its transaction. Legacy transactions but for the swaps, which are v0 and take accounts of pools from the lookup table.
 * @throws PlanError where the plan is out of bounds.
 */
export function buildDecrease(plan: DecreasePlan): DecreaseTransactions {
  checkDecreasePlan(plan);
  const { owner, pool, swaps } = plan;
  const legacy = { terms: plan, version: 'legacy' } as const;

  const accounts = together(createTokenAccount(owner, pool.tokenX), createTokenAccount(owner, pool.tokenY));
  const [first, ...more] = plan.type === 'bins' ? withdrawBins(plan) : withdrawProduct(plan);
  const withdrawal = [together(accounts, ...(first === undefined ? [] : [first])), ...more];
  const trades = swaps.map((swap) => routeWithAccounts(owner, swap));
  const unwrap = bringsSol(plan) ? assemble([unwrapSol(owner)], legacy) : [];

  const closeTransactions = assemble(withTip(withdrawal, plan), legacy);
  const swapTransactions = assemble(trades, { terms: plan, version: 0, lookupTable: plan.lookupTable });
  return swaps.length > 0
    ? { closeTransactions, swapTransactions: [...swapTransactions, ...unwrap] }
    : { closeTransactions: [...closeTransactions, ...unwrap], swapTransactions };
}

function bringsSol({ pool, swaps }: DecreasePlan): boolean {
  const tokens = [pool.tokenX, pool.tokenY, ...swaps.flatMap(tokensBought)];
  return tokens.some((token) => token.mint === WRAPPED_SOL_MINT);
}
