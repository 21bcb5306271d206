import { type BinRange, shareOfXBins } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { Strategy } from '../../service/common';
import type { PoolInfo } from '../../service/poolInfo';
import type { Pool } from '../../service/pools';
import type { TokensAtHand } from '../../transactions/types';
import { UserError } from '../shell/errors';
import { runSteps } from '../shell/prompts/steps';
import type { ShownProgress } from '../shell/requestWait';
import type { AmountDependencies } from './zapInAmount';
import type { ActiveBin, Balances, ZapInDraft, ZapInTarget } from './zapInDraft';
import { noTokensText, tokensOf, tokenSteps } from './zapInTokens';

/** The user's choices for a zap-in. */
export interface ZapInChoices {
  readonly target: ZapInTarget;
  /** 0 where tokens are deposited as they are. */
  readonly inputLamports: bigint;
  /** The pool's tokens that are deposited from the wallet, raw units; `undefined`: SOL, which is swapped. */
  readonly tokens?: TokensAtHand | undefined;
  /** `undefined` for pools without bins, whose positions span all prices. */
  readonly bins: BinChoices | undefined;
  /** Share of token X, 0 to 1. */
  readonly percentX: number;
  /** 0 to 10000. */
  readonly slippageBps: number;
  /** US dollars per SOL, as shown with the wallet's balance. */
  readonly solUsd: number | undefined;
  /** What differs from what the user saw when choosing, in sentences. */
  readonly warnings?: readonly string[] | undefined;
}

/** Distribution of the liquidity in a pool with bins. */
export interface BinChoices {
  readonly strategy: Strategy;
  readonly range: BinRange;
  /** The active bin when the range was chosen. */
  readonly activeBin: ActiveBin;
}

export interface ZapInDialogDependencies extends AmountDependencies {
  readonly pools: readonly Pool[];
  readonly readPoolInfo: (pool: Address, signal: AbortSignal, progress: ShownProgress) => Promise<PoolInfo>;
}

/**
 * Asks how much of each token of the pool is deposited from the wallet.
 * @returns `undefined` if the user cancels
 * @throws UserError if the wallet has none that can be deposited
 */
export async function askTokens(
  { prompts }: Pick<ZapInDialogDependencies, 'prompts'>,
  choices: ZapInChoices,
  balances: Balances,
): Promise<ZapInChoices | undefined> {
  const { target, bins } = choices;
  if (balances.tokens === undefined) {
    throw new UserError(noTokensText());
  }
  const initial: ZapInDraft = { target, balances, amount: 'tokens', range: bins?.range, activeBin: bins?.activeBin };
  const draft = await runSteps(initial, tokenSteps(prompts));
  return draft === undefined
    ? undefined
    : {
        ...choices,
        inputLamports: 0n,
        tokens: tokensOf(draft),
        percentX: bins === undefined ? choices.percentX : shareOfXBins(bins.range, bins.activeBin.binId),
      };
}
