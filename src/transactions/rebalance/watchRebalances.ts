import { errorMessageOf } from '../errors';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { operationLock } from '../target';
import type { WatcherDependencies } from '../types';
import { childOperationsOf, rebalanceStatusOf, unreadableSince } from './rebalanceStatus';

/** What ending rebalances takes. */
export type RebalanceWatch = Pick<WatcherDependencies, 'journal' | 'locks' | 'log' | 'onFound'>;

/**
 * Ends the rebalances that no window works on and whose parts have decided how they ended. Those that wait for the user's word
 * stay open. Never rejects.
 * @param records of the journal, as it was read last
 * @returns those that could be ended and were not, since somebody works on them or it cannot be written: to be looked at again.
 */
export async function closeRebalances(
  records: readonly OperationRecord[],
  dependencies: RebalanceWatch,
): Promise<readonly OperationRecord[]> {
  const left: OperationRecord[] = [];
  for (const record of records.filter(({ created, state }) => created.operation === 'rebalance' && !isEnd(state))) {
    if (rebalanceStatusOf(record, childOperationsOf(record.id, records)).kind === 'concluded' && !(await close(record, dependencies))) {
      left.push(record);
    }
  }
  return left;
}

/** True where there is nothing more to do with it for now. */
async function close({ id }: OperationRecord, { journal, locks, log, onFound }: RebalanceWatch): Promise<boolean> {
  try {
    const lock = await locks.tryAcquire(operationLock(id));
    if (lock === undefined) {
      return false;
    }
    try {
      // Read again under the lock: no other window begins a part of it now.
      const entry = await journal.resume(id);
      const { records, problems } = await journal.read();
      // With a part that cannot be read it is not known how it ended: the user says that it has (declineReentry).
      const isOpen = entry !== undefined && !isEnd(entry.record.state) && unreadableSince(entry.record, problems) === undefined;
      const standing = isOpen ? rebalanceStatusOf(entry.record, childOperationsOf(id, records)) : undefined;
      if (entry === undefined || standing?.kind !== 'concluded') {
        return true;
      }
      if (!(await lock.isStillHeld())) {
        return false;
      }
      await entry.append(standing.event);
      log('info', `Watching operations: ${id}: ${standing.event.kind}`);
      onFound(entry.record);
      return true;
    } finally {
      await lock.release();
    }
  } catch (error) {
    log('warn', `Watching operations: how the rebalance ${id} ended cannot be written: ${errorMessageOf(error)}`);
    return false;
  }
}
