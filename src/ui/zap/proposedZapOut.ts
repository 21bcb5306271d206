import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { shortAddress } from '../../base/format/identifiers';

import type { OpenPosition } from '../../service/positions';
import { nameAmong } from '../positions/positionList';
import { UserError } from '../shell/errors';
import { askProposal } from './proposals';
import { knownPoolType } from './zapInDraft';
import { askZapOut, hasSlippage, outputName, worthText, type ZapOutChoices, type ZapOutDialogDependencies } from './zapOutDialog';
import { slippageLine } from './slippage';
import { zapOutTitle } from './operationWords';
import { unreadableText } from './plannedZapIn';

/** The values that an assistant proposed (src/assistants/context.ts). The command may get them from any extension. */
const proposal = z.object({
  shareBps: z.number().int().min(1).max(10_000),
  output: z.enum(['allBaseToken', 'both', 'allToken0', 'allToken1']),
  slippageBps: z.number().int().min(0).max(10_000),
});

/**
 * Asks about a zap-out that an assistant proposed. The user continues, declines, or changes the values in the questions of Zap Out.
 * @param unread not validated yet
 * @returns `undefined` if the user declines or cancels
 * @throws UserError if the proposal is invalid, or Binsight does not support the pool type of the position
 */
export async function askProposedZapOut(
  dependencies: ZapOutDialogDependencies,
  position: OpenPosition,
  unread: unknown,
): Promise<ZapOutChoices | undefined> {
  const { success, data: choices } = proposal.safeParse(unread);
  if (!success) {
    throw new UserError(unreadableText());
  }
  knownPoolType(position.poolType);
  const answer = await askProposal(dependencies.prompts, {
    title: zapOutTitle(nameAmong(position, dependencies.positions), choices.shareBps),
    lines: [
      l10n.t`Position: ${shortAddress(position.address)}`,
      l10n.t`Value: ${worthText(position, choices.shareBps)}`,
      l10n.t`Receive: ${outputName(position, choices.output)}`,
      ...(hasSlippage({ position, output: choices.output }) ? [slippageLine(choices.slippageBps)] : []),
    ],
    canChange: true,
  });
  switch (answer) {
    case 'continue':
      return { position, ...choices };
    case 'change':
      return askZapOut(dependencies, position, choices);
    case undefined:
      return undefined;
  }
}
