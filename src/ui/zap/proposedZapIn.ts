import * as l10n from '@vscode/l10n';
import { binRange, shortAddress } from '../../base/format/identifiers';
import { lamportsAsSol } from '../../base/format/money';
import { percent, slippageWarning } from '../../base/format/percent';
import type { Address } from '../../base/solana/address';
import type { Prompts } from '../shell/prompts/prompts';
import { askProposal } from './proposals';
import type { ZapInChoices } from './zapInDialog';
import type { Balances } from './zapInDraft';
import { inputText, spreadText, warningsOf } from './zapInMessages';

/** A zap-in that an assistant proposed, checked against the pool and the wallet. */
export interface ProposedZapIn {
  readonly choices: ZapInChoices;
  readonly balances: Balances;
  readonly owner: Address;
  /** Why the wallet cannot pay it; `undefined`: it can. */
  readonly shortage: string | undefined;
}

/**
 * Asks about a zap-in that an assistant proposed, with all its values.
 * @returns `undefined` if the user declines
 */
export async function askProposedZapIn(
  prompts: Pick<Prompts, 'confirm'>,
  { choices, balances, owner, shortage }: ProposedZapIn,
): Promise<'continue' | 'change' | undefined> {
  const { target, bins, percentX, slippageBps } = choices;
  return askProposal(prompts, {
    message: l10n.t`zap ${inputText(choices)} into ${target.pairName}?`,
    problem: shortage === undefined ? undefined : l10n.t`${shortage} Change the amount.`,
    lines: [
      ...warningsOf(choices),
      spreadText(choices),
      ...(bins === undefined
        ? []
        : [
            l10n.t`Bins: ${binRange(bins.range.fromBinId, bins.range.toBinId)}`,
            l10n.t`Split: ${percent(100 * percentX)} ${target.symbolX}, ${percent(100 * (1 - percentX))} ${target.symbolY}`,
          ]),
      l10n.t`Max slippage: ${percent(slippageBps / 100)}${slippageWarning(slippageBps)}`,
      l10n.t`Wallet: ${shortAddress(owner)} (${lamportsAsSol(balances.sol.lamports)})`,
    ],
    canChange: true,
  });
}
