import * as l10n from '@vscode/l10n';
import { writeReport } from '../../review/report/report';
import type { Review } from '../../review/types';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';

export interface ReportDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'saveText'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** Asks for a file, writes the report, and notifies. Never rejects: a failed report does not affect the operation. */
export type SaveReport = () => Promise<void>;

/**
 * Returns the function that saves the report of a review: the request, the transactions as received, and the findings. It holds no key.
 * @param title the request in words
 */
export function reportSaver(review: Review, title: string, { prompts, actions, nowMs }: ReportDependencies): SaveReport {
  return async () => {
    try {
      const name = await actions.saveText({
        title: l10n.t('Save Review Report'),
        name: fileName(nowMs()),
        text: writeReport(review, title),
      });
      if (name !== undefined) {
        void prompts.notify({
          severity: 'info',
          message: l10n.t`Report saved as ${name}. It holds the unsigned transactions, your address, the findings and, where simulated, your account balances, but no key.`,
        });
      }
    } catch (error) {
      void prompts.notify({
        severity: 'error',
        message: l10n.t`The report was not saved: ${error instanceof Error ? error.message : l10n.t('unknown reason')}.`,
      });
    }
  };
}

/** "binsight-review-2026-11-20-154407.json": sorts by time and is valid on every system. */
function fileName(nowMs: number): string {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T');
  return `binsight-review-${day}-${time.slice(0, 8).replaceAll(':', '')}.json`;
}
