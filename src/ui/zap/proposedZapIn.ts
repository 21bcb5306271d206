import * as l10n from '@vscode/l10n';
import { binRange, shortAddress } from '../../base/format/identifiers';
import { lamportsAsSol } from '../../base/format/money';
import { percent } from '../../base/format/percent';
import type { Address } from '../../base/solana/address';
import type { Prompts } from '../shell/prompts/prompts';
import { askProposal } from './proposals';
import type { ZapInChoices } from './zapInDialog';
import type { Balances } from './zapInDraft';
import { inputText, spreadText, warningsOf } from './zapInMessages';
import { slippageLine } from './slippage';
import { zapInTitle } from './operationWords';

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
    title: zapInTitle(inputText(choices), target.pairName),
    problem: shortage,
    lines: [
      ...warningsOf(choices),
      spreadText(choices),
      ...(bins === undefined
        ? []
        : [
            l10n.t`Bins: ${binRange(bins.range.fromBinId, bins.range.toBinId)}`,
            l10n.t`Split: ${percent(100 * percentX)} ${target.symbolX}, ${percent(100 * (1 - percentX))} ${target.symbolY}`,
          ]),
      slippageLine(slippageBps),
      l10n.t`Wallet: ${shortAddress(owner)}`,
      l10n.t`Wallet balance: ${lamportsAsSol(balances.sol.lamports)}`,
    ],
    canChange: true,
  });
}
