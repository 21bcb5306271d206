import { WHOLE_BPS } from '../../base/basisPoints';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { withdrawalOf } from '../operations';
import { isOnSame } from '../target';
import { wasListedBefore } from './evidence';

/**
 * Whose effect a listing may show, by the journal: its own, that of another operation on the same position, or that of one whose end is
 * awaited.
 */
export type Cause = 'own' | 'another' | 'awaited';

/**
 * Whose effect a listing may show of a zap-out.
 * - `another`: another zap-out of the same position settled after this one was sent, and the journal does not tell their effects apart.
 * - `awaited`: a later one was sent and has not ended. It does not wait for this one, which could no longer land when it was begun.
 */
export function causeOf(record: OperationRecord, records: readonly OperationRecord[]): Cause {
  const sentMs = sentAtMs(record);
  const others = possibleCausesOf(record, records).filter((other) => !isToldApart(record, other));
  if (others.some((other) => other.state === 'settled' && sentMs !== undefined && other.updatedAtMs >= sentMs)) {
    return 'another';
  }
  return others.some((other) => !isEnd(other.state) && isLater(other, record)) ? 'awaited' : 'own';
}

/** The other zap-outs of the same position that can have made the change that is expected of this one. */
function possibleCausesOf(record: OperationRecord, records: readonly OperationRecord[]): readonly OperationRecord[] {
  return withdrawalOf(record.created.plan) !== undefined
    ? records.filter(
        (other) =>
          other.id !== record.id &&
          withdrawalOf(other.created.plan) !== undefined &&
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
function closes({ created: { plan } }: OperationRecord): boolean {
  return withdrawalOf(plan)?.shareBps === WHOLE_BPS;
}
