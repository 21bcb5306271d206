import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { withoutExchanged } from './leftovers';
import { restOf } from './outcomes';
import { explained, type Known, type PartialExecution, type Remainder } from './remainder';

/** The landed part, if only some transactions landed and the others can't; `undefined`: it was not partially executed. */
export function partialExecutionOf({ events, signatures, created }: OperationRecord): PartialExecution | undefined {
  const landed = created.operation === 'rebalance' ? undefined : landedOf(events);
  return landed === undefined || landed >= signatures.length ? undefined : { landed, of: signatures.length };
}

/** Number of landed transactions by the final event, if recorded. */
function landedOf(events: OperationRecord['events']): number | undefined {
  return events.flatMap((event) => (event.kind === 'settled' || event.kind === 'failed' ? [event.landedTransactions] : [])).at(-1);
}

/**
 * Whether completing an operation is offered: it is partially executed, no other operation completes it, and the user was not shown that
 * nothing is left.
 */
export function isPartiallyExecuted(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return partialExecutionOf(record) !== undefined && needsCompletion(record, records);
}

/** The same for an operation whose outcome is unclear: a check is offered, which needs an RPC. */
export function mayBePartiallyExecuted(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return record.isUnclear && needsCompletion(record, records);
}

function needsCompletion(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return !record.isSeen && completionOf(record, records) === undefined;
}

/**
 * The operation that completed another one, may have, or is about to. Attempts of which nothing landed do not count, and neither do those that
 * landed and left more to do.
 */
export function completionOf({ id }: Pick<OperationRecord, 'id'>, records: readonly OperationRecord[]): OperationRecord | undefined {
  return records.find((other) => {
    const { created, state, events } = other;
    return (
      created.finishes === id &&
      (!isEnd(state) ||
        (state === 'settled' && !leavesMore(other)) ||
        (state === 'failed' && (landedOf(events) !== undefined || other.isUnclear)))
    );
  });
}

/** Whether more of the operation that one completes is left to do after it. */
function leavesMore({ created: { plan } }: OperationRecord): boolean {
  return 'leavesMore' in plan && plan.leavesMore === true;
}

/** Derives what is left to do. */
export function remainderOf(record: OperationRecord, observed: Known): Remainder {
  const { changed } = observed;
  const known = changed === undefined ? observed : { ...observed, changed: withoutExchanged(record, changed, observed.records) };
  const finisher = completionOf(record, known.records);
  if (finisher !== undefined) {
    return explained({ code: 'completed', isEnded: isEnd(finisher.state) }, 'again');
  }
  const { plan } = record.created;
  if (plan.kind === 'rebalance') {
    return explained({ code: 'notInPart' }, 'again');
  }
  const operation = plan.kind;
  const part = partialExecutionOf(record) ?? (record.isUnclear ? known.part : undefined);
  if (part === undefined) {
    return record.isUnclear ? explained({ code: 'partUnknown', operation }, 'asked') : explained({ code: 'notInPart' }, 'again');
  }
  const { landed, of } = part;
  if (landed === 0 || landed >= of) {
    // An RPC may not go back as far as the first transaction: only the user acknowledges that none landed.
    return landed === 0
      ? explained({ code: 'noneLanded', operation, of }, 'asked')
      : explained({ code: 'allLanded', operation, of }, 'seen');
  }
  return restOf(plan, record, known, { operation, landed, of });
}
