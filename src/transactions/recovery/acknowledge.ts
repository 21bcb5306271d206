import * as l10n from '@vscode/l10n';
import type { Reason } from '../../base/reasons/reason';
import { errorMessageOf } from '../errors';
import { isComplete } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { completionOf } from '../outcome/partialExecution';
import { Recorder } from '../run/recorder';
import type { OperationDependencies } from '../types';

export type Acknowledging = Pick<OperationDependencies, 'journal' | 'locks' | 'log'>;

/**
 * Records that the user was shown what is left of an ended operation, so it is not offered again. Never rejects: if it can't be written,
 * the operation is offered once more.
 * @param reason what the user was shown
 */
export async function recordObservation(operation: string, reason: Reason, { journal, locks, log }: Acknowledging): Promise<void> {
  try {
    const recorder = await Recorder.resume(operation, {
      journal,
      locks,
      noun: l10n.t('operation'),
      log: (message) => log('warn', message),
    });
    if (recorder !== undefined && recorder !== 'held') {
      await recorder.note({ kind: 'seen', reason });
      await recorder.close();
    }
  } catch (error) {
    log('warn', `that what is left of ${operation} was seen is not in the journal: ${errorMessageOf(error)}`);
  }
}

/**
 * Records of interrupted operations that another one has completed that nothing is left of them: the window that completed one may have closed
 * before it could. Never rejects.
 * @param records the journal as last read
 */
export async function acknowledgeCompleted(records: readonly OperationRecord[], dependencies: Acknowledging): Promise<void> {
  const finished = new Set(records.flatMap(({ state, created: { finishes } }) => (state === 'settled' ? [finishes] : [])));
  for (const record of records) {
    if (finished.has(record.id) && !isComplete(record) && completionOf(record, records)?.state === 'settled') {
      await recordObservation(record.id, { code: 'completed', isEnded: true }, dependencies);
    }
  }
}
