import { WHOLE_BPS } from '../../base/basisPoints';
import { buildDecrease } from '../../engine/assembly/buildTransactions';
import type { DecreasePlan, TokenAccounts } from '../../engine/assembly/types';
import { widthOf } from '../../base/dlmm/bins';
import { lamportsToSol } from '../../base/solana/amounts';
import { type DecreaseParameters, EngineError } from '../../engine/engine';
import type { WireDecrease } from '../../engine/wire/transactions';
import type { DecreaseOutput } from '../../service/transactions';
import type { TokenAmounts } from '../index/types';
import { WRAPPED } from './chainTerms';
import { handOut } from './handOut';
import type { ChainBuildContext } from './operations';
import { type QuotedSwap, type SwapPlanner, swapPlanner } from './swapPlanner';
import { type Withdrawal, withdrawalOf } from './withdrawals';

/** Smallest raw proceeds of a swap. Less stays unswapped, because wallets warn about swaps for next to nothing. */
const MIN_OUT = 2_000n;

/** How much less of the proceeds is sold where a moving price changes them until the landing. The rest stays in the wallet. */
const KEPT_BACK_BPS = 50n;
const BASIS_POINTS = 10_000n;

/** Bins of a withdrawing transaction. */
const BINS_PER_TRANSACTION = 70;
const NETWORK_FEE_ROOM = 120_000n;

/** A swap of proceeds, and the tokens of it. */
export interface SoldProceeds<Swap extends QuotedSwap> {
  readonly sell: TokenAccounts;
  readonly buy: TokenAccounts;
  readonly inAmount: bigint;
  readonly swap: Swap;
}

/**
 * Builds a withdrawal from an open position.
 * @throws EngineError if the position is not the owner's, or a transaction would fail
 */
export async function buildExit(context: ChainBuildContext, parameters: DecreaseParameters): Promise<WireDecrease> {
  const { owner, slippageBps, output, positionId } = parameters;
  const withdrawal = await withdrawalOf(context, positionId, parameters);
  if (withdrawal.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${withdrawal.owner}`);
  }
  const { pool, poolAfter, position, plan: part } = withdrawal;
  if (part.type === 'bins' && part.filledRanges?.length === 0 && part.shareBps < WHOLE_BPS) {
    throw new EngineError('invalid', 'There is nothing to withdraw: these bins of the position hold neither liquidity nor fees');
  }
  const planner = swapPlanner(context, { owner, own: poolAfter, source: context.search.once(), slippageBps });
  const sold = await sellProceeds(planner, withdrawal, output, amountsToSell(withdrawal));
  const swaps = sold.map(({ swap }) => swap.plan);
  const transactions = swaps.length + 2 + (part.type === 'bins' ? Math.ceil(widthOf(part) / BINS_PER_TRANSACTION) : 1);
  const [{ terms, lastValidBlockHeight }, rent, wallet] = await Promise.all([
    context.terms.build(owner, [pool.accounts.pool], transactions),
    context.terms.rent(),
    context.terms.wallet(owner, [pool.x, pool.y]),
  ]);
  const missing = [WRAPPED, pool.x, pool.y].filter((token) => wallet.balance(token) === undefined).length;
  const needed = NETWORK_FEE_ROOM * BigInt(transactions) + rent.token2022Account * BigInt(missing);
  if (wallet.lamports < needed) {
    throw new EngineError(
      'invalid',
      `Insufficient balance: ${lamportsToSol(needed)} SOL are needed for fees and rent, ${lamportsToSol(wallet.lamports)} SOL are there`,
    );
  }
  const plan: DecreasePlan = { ...terms, pool: pool.accounts, position, swaps, ...part };
  const { withJito, plain, coverage } = await handOut(context, {
    kind: 'decrease',
    owner,
    lastValidBlockHeight,
    plan,
    lists: ['close', 'swap'],
    build: (of: DecreasePlan) => {
      const { closeTransactions, swapTransactions } = buildDecrease(of);
      return { close: closeTransactions, swap: swapTransactions };
    },
  });
  context.log(`Built a withdrawal of ${coverage.transactions} transactions from ${position}; ${coverage.simulated} are simulated.`);
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    closeTxs: plain.close,
    swapTxs: plain.swap,
    closeTxsWithJito: withJito.close,
    swapTxsWithJito: withJito.swap,
    simulation: coverage,
  };
}

/** What the swaps sell: all of the proceeds, or a little less if a moving price changes them until the landing. */
function amountsToSell({ proceeds: { x, y }, isMoving }: Withdrawal): TokenAmounts {
  const kept = (amount: bigint): bigint => (isMoving ? amount - (amount * KEPT_BACK_BPS) / BASIS_POINTS : amount);
  return { x: kept(x), y: kept(y) };
}

/** Swaps the proceeds token by token; a token without a route stays as it is. */
export async function sellProceeds<Swap extends QuotedSwap>(
  planner: SwapPlanner<Swap>,
  { pool }: Withdrawal,
  output: DecreaseOutput,
  amounts: TokenAmounts,
): Promise<readonly SoldProceeds<Swap>[]> {
  const sales: readonly (readonly [TokenAccounts, TokenAccounts, bigint])[] = {
    both: [],
    allToken0: [[pool.y, pool.x, amounts.y]] as const,
    allToken1: [[pool.x, pool.y, amounts.x]] as const,
    // The base token is SOL: every other token is sold for it in one swap.
    allBaseToken: [
      [pool.x, WRAPPED, amounts.x],
      [pool.y, WRAPPED, amounts.y],
    ] as const,
  }[output];
  const sold: SoldProceeds<Swap>[] = [];
  for (const [sell, buy, inAmount] of sales) {
    const swap = sell.mint === buy.mint ? undefined : await planner.plan(sell, buy, inAmount);
    if (swap !== undefined && swap.out >= MIN_OUT) {
      sold.push({ sell, buy, inAmount, swap });
    }
  }
  return sold;
}
