import * as l10n from '@vscode/l10n';
import { shareOfXBins } from '../../base/dlmm/bins';
import type { OpenPosition } from '../../service/positions';
import type { AddLiquidityPlan } from '../../transactions/types';
import { UserError } from '../shell/errors';
import type { Prompts } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { slippageSteps } from './slippage';
import { type AmountDependencies, amountSteps } from './zapInAmount';
import { hasBins, targetOfPosition, titleOf, type ZapInDraft } from './zapInDraft';
import { tokensOf, tokenSteps } from './zapInTokens';

/** The user's choices for a deposit from the wallet into a position. */
export type AddLiquidityChoices = Pick<AddLiquidityPlan, 'position' | 'deposit' | 'slippageBps'>;

export interface AddLiquidityDialogDependencies extends AmountDependencies {
  readonly prompts: Prompts;
  readonly defaultSlippageBps: () => number;
}

/** A position in a pool without bins holds both tokens in equal value. */
const HALF = 0.5;

/**
 * Asks what to add to a position: SOL, or the pool's tokens, and the slippage tolerance.
 * @param planned the answers that a panel has already
 * @returns `undefined` if the user cancels
 * @throws UserError if the position cannot be added to or there is nothing to deposit; ServiceError if the balances cannot be read
 */
export async function askAddLiquidity(
  dependencies: AddLiquidityDialogDependencies,
  position: OpenPosition,
  planned: Pick<ZapInDraft, 'amount' | 'slippageBps'> = {},
): Promise<AddLiquidityChoices | undefined> {
  const { prompts, defaultSlippageBps } = dependencies;
  const steps: readonly Step<ZapInDraft>[] = [
    ...amountSteps(dependencies),
    ...tokenSteps(prompts),
    ...slippageSteps<ZapInDraft>(prompts, titleOf, defaultSlippageBps),
  ];
  const draft = await runSteps<ZapInDraft>({ ...draftOf(position), ...planned }, steps);
  if (draft === undefined) {
    return undefined;
  }
  const { amount, slippageBps, range, activeBin } = draft;
  if (amount === undefined || amount === 'own' || typeof slippageBps !== 'number') {
    throw new Error('The dialog of a deposit ended with a step unanswered');
  }
  const percentX = typeof range === 'object' && activeBin !== undefined ? shareOfXBins(range, activeBin.binId) : HALF;
  return { position, slippageBps, deposit: { inputLamports: amount === 'tokens' ? 0n : amount, percentX, tokens: tokensOf(draft) } };
}

/** @throws UserError */
function draftOf(position: OpenPosition): ZapInDraft {
  const draft: ZapInDraft = { target: targetOfPosition(position), isAddition: true };
  if (!hasBins(draft)) {
    return draft;
  }
  const { lowerBinId, upperBinId, activeBinId, price0Usd, price1Usd } = position;
  if (lowerBinId === undefined || upperBinId === undefined || activeBinId === undefined) {
    throw new UserError(`${l10n.t('The service did not report the active bin of the pool.')} ${l10n.t('Refresh your positions.')}`);
  }
  const price = price0Usd === undefined || price1Usd === undefined || price1Usd === 0 ? undefined : price0Usd / price1Usd;
  return { ...draft, range: { fromBinId: lowerBinId, toBinId: upperBinId }, activeBin: { binId: activeBinId, price } };
}
