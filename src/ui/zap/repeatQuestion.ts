import * as l10n from '@vscode/l10n';
import { exactTime } from '../../base/format/time';
import type { OperationRecord } from '../../transactions/journal/types';
import type { EditorActions } from '../shell/editorAccess';
import { asSignature, explorerOfTransaction } from '../shell/explorer';
import type { Prompts } from '../shell/prompts/prompts';
import { hasExplorer } from '../shell/serviceChoice';
import { firstThatFits } from './dialogSpace';
import { operationName } from './operationWords';
import { copyText, explorerText } from './outcome';
import { lookUpWords } from '../../base/reasons/reasonWords';

export interface RepeatQuestionDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'copy' | 'openExternal'>;
}

const dontStartText = () => l10n.t("Don't Start");
const startText = () => l10n.t('Start All the Same');

/**
 * Asks whether to start although earlier operations on the same position or pool may have landed, and offers to look one up first. The
 * preselected button does not start.
 * @param earlier newest first; at least one
 * @param cancelled the operation was cancelled elsewhere: no further question is shown
 */
export async function askRepetition(
  earlier: readonly OperationRecord[],
  { prompts, actions }: RepeatQuestionDependencies,
  cancelled: AbortSignal,
): Promise<boolean> {
  const [last] = earlier;
  const signature = last === undefined ? undefined : signaturesOf(last).at(-1);
  const lookUp = signature === undefined ? [] : [hasExplorer(last?.created.service) ? explorerText() : copyText()];
  while (last !== undefined && !cancelled.aborted) {
    const action = await prompts.confirm({
      severity: 'warning',
      message: l10n.t`Start again? ${operationName(last)} may have landed.`,
      detail: detailOf(earlier),
      actions: [dontStartText(), startText(), ...lookUp],
    });
    if (action === copyText() && signature !== undefined) {
      await actions.copy(signature);
    } else if (action === explorerText() && signature !== undefined) {
      await actions.openExternal(explorerOfTransaction(signature));
    } else {
      return action === startText();
    }
  }
  return false;
}

function detailOf(earlier: readonly OperationRecord[]): string {
  const write = (most: number) => () =>
    [
      ...earlier.map((record) => {
        const signatures = signaturesOf(record);
        const rest = signatures.length - most;
        return [
          `${operationName(record)} · ${exactTime(new Date(record.created.atMs))}`,
          ...signatures.slice(-most),
          ...(rest > 0 ? [l10n.t`… and ${rest} more`] : []),
        ].join('\n');
      }),
      lookUpWords(),
    ].join('\n\n');
  return firstThatFits([write(8), write(3), write(1)]);
}

function signaturesOf({ signatures }: OperationRecord): readonly string[] {
  return signatures.filter((one) => asSignature(one) !== undefined);
}
