import type { Reason } from '../../base/reasons/reason';
import type { OperationRecord } from '../../transactions/journal/types';
import { childOperationsOf, rebalanceStatusOf } from '../../transactions/rebalance/rebalanceStatus';
import { type Leftovers, recordedLeftovers } from '../../transactions/outcome/leftovers';
import { isPartiallyExecuted, mayBePartiallyExecuted } from '../../transactions/outcome/partialExecution';

/** An unfinished part of an operation that Activity offers to complete. */
export type OpenTask =
  /**
   * A rebalance whose zap-out landed without a re-entry. `lamportsBack`: `undefined` if it could not be measured; `isProven`: by its own
   * transactions.
   */
  | { readonly kind: 'reenter'; readonly lamportsBack: bigint | undefined; readonly isProven: boolean; readonly reason: Reason | undefined }
  /**
   * Partially executed: the other transactions can no longer land, and the rest is neither done nor known to be unnecessary. `leftovers`: what it
   * brought and did not swap or deposit, by its own transactions; `undefined`: they were not read.
   */
  | { readonly kind: 'partiallyExecuted'; readonly leftovers?: Leftovers | undefined }
  /** It is unknown whether it was partially executed. An RPC can find out. */
  | { readonly kind: 'unclear' };

/** What is left to do of an operation that has just ended, by its record alone. */
export function openTaskOf(record: OperationRecord | undefined): OpenTask | undefined {
  return record === undefined ? undefined : openTasksOf([record]).get(record.id);
}

/** Returns the open tasks by operation id. */
export function openTasksOf(records: readonly OperationRecord[]): ReadonlyMap<string, OpenTask> {
  return new Map(
    records.flatMap((record): readonly (readonly [string, OpenTask])[] => {
      if (record.created.operation !== 'rebalance') {
        return isPartiallyExecuted(record, records)
          ? [[record.id, { kind: 'partiallyExecuted', leftovers: recordedLeftovers(record, records) }]]
          : mayBePartiallyExecuted(record, records)
            ? [[record.id, { kind: 'unclear' }]]
            : [];
      }
      const status = rebalanceStatusOf(record, childOperationsOf(record.id, records));
      return status.kind === 'awaitsReentry'
        ? [[record.id, { kind: 'reenter', lamportsBack: status.lamportsBack, isProven: status.isProven, reason: status.reason }]]
        : [];
    }),
  );
}
