import type { Reason } from '../../base/reasons/reason';
import type { OperationRecord } from '../../transactions/journal/types';
import { childOperationsOf, rebalanceStatusOf } from '../../transactions/rebalance/rebalanceStatus';
import { isPartiallyExecuted, mayBePartiallyExecuted } from '../../transactions/outcome/partialExecution';

/** An unfinished part of an operation that Activity offers to complete. */
export type OpenTask =
  /**
   * A rebalance whose zap-out landed without a re-entry. `lamportsBack`: `undefined` if it could not be measured; `isProven`: by its own
   * transactions.
   */
  | { readonly kind: 'reenter'; readonly lamportsBack: bigint | undefined; readonly isProven: boolean; readonly reason: Reason | undefined }
  /** Partially executed: the other transactions can no longer land, and the rest is neither done nor known to be unnecessary. */
  | { readonly kind: 'partiallyExecuted' }
  /** It is unknown whether it was partially executed. An RPC can find out. */
  | { readonly kind: 'unclear' };

/** Returns the open tasks by operation id. */
export function openTasksOf(records: readonly OperationRecord[]): ReadonlyMap<string, OpenTask> {
  return new Map(
    records.flatMap((record): readonly (readonly [string, OpenTask])[] => {
      if (record.created.operation !== 'rebalance') {
        return isPartiallyExecuted(record, records)
          ? [[record.id, { kind: 'partiallyExecuted' }]]
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
