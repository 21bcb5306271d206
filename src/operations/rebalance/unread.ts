import { begunAt } from '../journal/files';
import type { JournalProblem, OperationRecord } from '../journal/types';

/**
 * A file of the journal that cannot be read and was begun after a rebalance: it may be a part of it, so that it is not known what was
 * sent. `undefined`: there is none.
 */
export function unreadableSince({ created }: Pick<OperationRecord, 'created'>, problems: readonly JournalProblem[]): JournalProblem | undefined {
  return problems.find(({ file }) => {
    const atMs = begunAt(file);
    return atMs === undefined || atMs >= created.atMs;
  });
}
