import { WHOLE_BPS } from '../../base/basisPoints';
import type { JournalPlan } from '../journal/plans';
import type { OperationRecord } from '../journal/types';
import { isSamePosition } from './evidence';
import { exchanged, leftoversOf } from './leftovers';
import { explained, type Known, type LandedPart, type Remainder } from './remainder';

/** What is left of a zap-out of which a part landed: the rest of the position, or what came back of it. */
export function restOfZapOut(plan: JournalPlan<'zapOut'>, record: OperationRecord, known: Known, landed: LandedPart): Remainder {
  const { listed, changed } = known;
  if (listed === undefined) {
    return explained({ code: 'positionsUnread', ...landed }, 'again');
  }
  const position = listed.find((one) => one.id === plan.positionId || isSamePosition(one, plan.position));
  const left = changed?.from === 'transactions' ? leftoversOf(record, changed, known) : undefined;
  const hasLeft = left !== undefined && (left.amounts.length > 0 || left.wrappedLamports > 0n);
  if (position !== undefined && plan.shareBps === WHOLE_BPS) {
    return { kind: 'zapOut', of: record, position, leavesMore: hasLeft, reason: { code: 'restOfPosition', ...landed } };
  }
  if (position !== undefined && !hasLeft) {
    return explained({ code: 'shareWithdrawnInPart', ...landed, shareBps: plan.shareBps }, 'seen');
  }
  if (left === undefined) {
    return explained({ code: 'proceedsUnknown', ...landed }, 'asked');
  }
  return exchanged(record, left, { code: 'proceedsLeft', ...landed, amounts: [...left.amounts], wrappedLamports: left.wrappedLamports });
}
