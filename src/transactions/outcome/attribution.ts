import { WHOLE_BPS } from '../../base/basisPoints';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { isOnSame } from '../target';
import { wasListedBefore } from './evidence';

// Which of several operations on one position made the change that listings show.

/**
 * Whether another zap-out of the same position settled after this one was sent, and the journal does not tell their effects apart: a
 * listing doesn't show whose effect it is then.
 */
export function wasDoneByAnother(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  const sentMs = sentAtMs(record);
  return possibleCausesOf(record, records).some(
    (other) => other.state === 'settled' && sentMs !== undefined && other.updatedAtMs >= sentMs && !isToldApart(record, other),
  );
}

/**
 * Whether a later zap-out of the same position was sent and has not ended, and the journal does not tell their effects apart. The later one
 * does not wait for this one, which could no longer land when that one was begun.
 */
export function mayBeByUnfinished(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return possibleCausesOf(record, records).some((other) => !isEnd(other.state) && isLater(other, record) && !isToldApart(record, other));
}

/** The other zap-outs of the same position that can have made the change that is expected of this one. */
function possibleCausesOf(record: OperationRecord, records: readonly OperationRecord[]): readonly OperationRecord[] {
  return record.created.plan.kind === 'zapOut'
    ? records.filter(
        (other) =>
          other.id !== record.id &&
          isOnSame(other, record.created) &&
          // A withdrawn share leaves the position open.
          (closes(other) || !closes(record)),
      )
    : [];
}

/** Whether the later one of two zap-outs was begun from a listing that showed the effect of the earlier one. */
function isToldApart(one: OperationRecord, other: OperationRecord): boolean {
  return isLater(other, one) ? wasListedBefore(other, one) : wasListedBefore(one, other);
}

function isLater(one: OperationRecord, other: OperationRecord): boolean {
  const [oneMs, otherMs] = [sentAtMs(one), sentAtMs(other)];
  return oneMs !== undefined && otherMs !== undefined && oneMs > otherMs;
}

function sentAtMs({ events }: OperationRecord): number | undefined {
  return events.find(({ kind }) => kind === 'submitted')?.atMs;
}

/** Whether it closes its position. */
export function closes({ created: { plan } }: OperationRecord): boolean {
  return plan.kind === 'zapOut' && plan.shareBps === WHOLE_BPS;
}
