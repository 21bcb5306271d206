import type { OperationRecord } from '../../transactions/journal/types';
import { childOperationsOf, rebalanceStatusOf } from '../../transactions/rebalance/rebalanceStatus';
import { isPartiallyExecuted, mayBePartiallyExecuted } from '../../transactions/outcome/partialExecution';

/** What is left to do of an operation, and is offered to the user. */
export type OpenTask =
  /** A rebalance whose zap-out has landed, and of which nothing was put back. `lamportsBack`: `undefined` where it could not be measured. `reason`: why, in sentences, where something is known. */
  | { readonly kind: 'reenter'; readonly lamportsBack: bigint | undefined; readonly reason: string | undefined }
  /** Only a part of its transactions landed, the others no longer can, nobody has done the rest, and the user was not told that there is nothing to do. */
  | { readonly kind: 'halfDone' }
  /** Whether a part of its transactions landed could not be told: it can be found out, with an RPC. */
  | { readonly kind: 'unclear' };

/** What is left to do, by the ids of the operations. */
export function openTaskOf(records: readonly OperationRecord[]): ReadonlyMap<string, OpenTask> {
  return new Map(
    records.flatMap((record): readonly (readonly [string, OpenTask])[] => {
      if (record.created.operation !== 'rebalance') {
        return isPartiallyExecuted(record, records)
          ? [[record.id, { kind: 'halfDone' }]]
          : mayBePartiallyExecuted(record, records)
            ? [[record.id, { kind: 'unclear' }]]
            : [];
      }
      const standing = rebalanceStatusOf(record, childOperationsOf(record.id, records));
      return standing.kind === 'awaitsReentry'
        ? [[record.id, { kind: 'reenter', lamportsBack: standing.lamportsBack, reason: standing.reason }]]
        : [];
    }),
  );
}
