import * as l10n from '@vscode/l10n';
import type { Review } from '../../review/types';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';

/** What a report is saved with. */
export interface ReportDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'saveText'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** Asks where the report goes, writes it, and tells. Never rejects: that a report was not written changes nothing of the operation. */
export type SaveReport = () => Promise<void>;

/** Gives what saves the report of a review: what was asked (`title` in words), the transactions as they came, and what was found; no key is in it. */
export function reportSaver(review: Review, title: string, { prompts, actions, nowMs }: ReportDependencies): SaveReport {
  return async () => {
    try {
      const { writeReport } = await import('../../review/report/report');
      const name = await actions.saveText({
        title: l10n.t('Save the report of the review'),
        name: fileName(nowMs()),
        text: writeReport(review, title),
      });
      if (name !== undefined) {
        void prompts.notify({
          severity: 'info',
          message: l10n.t`The report was saved as ${name}. It holds the unsigned transactions, your address, what was found and, where they were simulated, what your accounts held; no key.`,
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

/** "binsight-review-2026-11-20-154407.json": sorts by time, and is a name on every system. */
function fileName(nowMs: number): string {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T');
  return `binsight-review-${day}-${time.slice(0, 8).replaceAll(':', '')}.json`;
}
