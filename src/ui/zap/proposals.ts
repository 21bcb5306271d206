import * as l10n from '@vscode/l10n';
import type { Prompts } from '../shell/prompts/prompts';

/** A question about what an assistant proposed. */
export interface ProposalQuestion {
  /** "Zap out 50% of BONK/SOL" */
  readonly title: string;
  /** The proposed values, one line each. */
  readonly lines: readonly string[];
  /** Why it cannot be continued as it is; `undefined`: it can. */
  readonly problem?: string | undefined;
  /** The values can be changed in the command's own questions. */
  readonly canChange: boolean;
}

/** What a question says before the review. */
export const nothingSignedYetText = (): string => l10n.t('Nothing is signed yet. You review first.');

const decline = () => l10n.t('Decline');
const continueLabel = () => l10n.t('Continue to Review');
const change = () => l10n.t('Change…');

/**
 * Asks about a proposal of an assistant before anything is built. The user did not begin it and may be typing elsewhere when the dialog opens, so
 * the preselected button declines.
 * @returns `undefined` if the user declines
 */
export async function askProposal(
  prompts: Pick<Prompts, 'confirm'>,
  { title, lines, problem, canChange }: ProposalQuestion,
): Promise<'continue' | 'change' | undefined> {
  const answer = await prompts.confirm({
    message: l10n.t`Proposed by an assistant: ${title}?`,
    detail: [
      ...(problem === undefined ? [] : [problem]),
      ...lines,
      '',
      l10n.t('You did not start this. Continue only if you want it.'),
      nothingSignedYetText(),
    ].join('\n'),
    severity: 'warning',
    actions: [decline(), ...(problem === undefined ? [continueLabel()] : []), ...(canChange ? [change()] : [])],
  });
  switch (answer) {
    case continueLabel():
      return 'continue';
    case change():
      return 'change';
    default:
      return undefined;
  }
}
