import type { DecreaseOutput } from '../../service/transactions';
import type { SwapPlan, TokenAccounts, WrittenSwap } from '../assembly/types';
import { WRAPPED_SOL } from '../assembly/walletInstructions';
import { type Build, wait } from './build';
import type { BuildAmounts, PlannedSwap, SwapWishTerms, PlannedWithdrawal } from './ports';

/** Smallest raw proceeds of a swap. Less stays unswapped, because wallets warn about swaps for next to nothing. */
const MIN_OUT = 2_000n;

/** The plans of swaps, in order. */
export function* writtenSwaps(swaps: readonly PlannedSwap[]): Build<readonly (SwapPlan | WrittenSwap)[]> {
  const written: (SwapPlan | WrittenSwap)[] = [];
  for (const swap of swaps) {
    written.push(yield* wait(swap.write()));
  }
  return written;
}

/** Swaps the proceeds of a withdrawal token by token; a token without a route stays as it is. */
export function* soldProceeds(
  { pool: { x, y }, swaps }: PlannedWithdrawal,
  terms: SwapWishTerms,
  output: DecreaseOutput,
  amounts: BuildAmounts,
): Build<readonly PlannedSwap[]> {
  const sales: readonly (readonly [TokenAccounts, TokenAccounts, bigint])[] = {
    both: [],
    allToken0: [[y, x, amounts.y]] as const,
    allToken1: [[x, y, amounts.x]] as const,
    // The base token is SOL: every other token is sold for it in one swap.
    allBaseToken: [
      [x, WRAPPED_SOL, amounts.x],
      [y, WRAPPED_SOL, amounts.y],
    ] as const,
  }[output];
  const source = swaps(terms);
  const sold: PlannedSwap[] = [];
  for (const [sell, buy, inAmount] of sales) {
    const swap = sell.mint === buy.mint ? undefined : yield* wait(source.plan(sell, buy, inAmount));
    if (swap !== undefined && swap.out >= MIN_OUT) {
      swap.accept();
      sold.push(swap);
    }
  }
  return sold;
}
