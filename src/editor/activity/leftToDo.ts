import type { OperationRecord } from '../../operations/journal/types';
import { partsOf, standingOf } from '../../operations/rebalance/standing';
import { isHalfDone, mayBeHalfDone } from '../../operations/remainder';

/** What is left to do of an operation, and is offered to the user. */
export type LeftToDo =
  /** A rebalance whose zap-out has landed, and of which nothing was put back. `lamportsBack`: `undefined` where it could not be measured. `reason`: why, in sentences, where something is known. */
  | { readonly kind: 'reenter'; readonly lamportsBack: bigint | undefined; readonly reason: string | undefined }
  /** Only a part of its transactions landed, the others no longer can, nobody has done the rest, and the user was not told that there is nothing to do. */
  | { readonly kind: 'halfDone' }
  /** Whether a part of its transactions landed could not be told: it can be found out, with an RPC. */
  | { readonly kind: 'unclear' };

/** What is left to do, by the ids of the operations. */
export function leftToDo(records: readonly OperationRecord[]): ReadonlyMap<string, LeftToDo> {
  return new Map(
    records.flatMap((record): readonly (readonly [string, LeftToDo])[] => {
      if (record.created.operation !== 'rebalance') {
        return isHalfDone(record, records) ? [[record.id, { kind: 'halfDone' }]] : mayBeHalfDone(record, records) ? [[record.id, { kind: 'unclear' }]] : [];
      }
      const standing = standingOf(record, partsOf(record.id, records));
      return standing.kind === 'awaitsReentry' ? [[record.id, { kind: 'reenter', lamportsBack: standing.lamportsBack, reason: standing.reason }]] : [];
    }),
  );
}
