import type { OperationRecord } from '../../operations/journal/types';
import { partsOf, standingOf } from '../../operations/rebalance/standing';
import { isHalfDone } from '../../operations/remainder';

/** What is left to do of an operation, and is offered to the user. */
export type LeftToDo =
  /** A rebalance whose zap-out has landed, and of which nothing was put back. `reason`: why, in sentences, where something is known. */
  | { readonly kind: 'reenter'; readonly lamportsBack: bigint; readonly reason: string | undefined }
  /** Only a part of its transactions landed, the others no longer can, and nobody has done the rest. */
  | { readonly kind: 'halfDone' };

/** What is left to do, by the ids of the operations. */
export function leftToDo(records: readonly OperationRecord[]): ReadonlyMap<string, LeftToDo> {
  return new Map(
    records.flatMap((record): readonly (readonly [string, LeftToDo])[] => {
      if (record.created.operation !== 'rebalance') {
        return isHalfDone(record, records) ? [[record.id, { kind: 'halfDone' }]] : [];
      }
      const standing = standingOf(record, partsOf(record.id, records));
      return standing.kind === 'awaitsReentry' ? [[record.id, { kind: 'reenter', lamportsBack: standing.lamportsBack, reason: standing.reason }]] : [];
    }),
  );
}
