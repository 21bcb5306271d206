import { JournalError } from './errors';
import type { JournalEvent, OperationKind, OperationRecord, OperationState } from './types';

/** What an event is; it is also the state that the operation is in after it. */
type EventKind = JournalEvent['kind'];

/**
 * What may follow in the life of a zap-out or a zap-in. Built and reviewed may be repeated as long as nothing was sent; what was
 * sent is never built again: it ends one way or another, and what comes then is another operation.
 */
const LEG: Readonly<Record<OperationState, readonly EventKind[]>> = {
  created: ['built', 'failed', 'abandoned'],
  built: ['built', 'reviewed', 'failed', 'abandoned'],
  reviewed: ['built', 'reviewed', 'approved', 'failed', 'abandoned'],
  approved: ['built', 'reviewed', 'signed', 'failed', 'abandoned'],
  signed: ['built', 'submitted', 'failed', 'abandoned'],
  submitted: ['landed', 'unconfirmed', 'settled', 'expired', 'failed'],
  landed: ['unconfirmed', 'settled', 'expired', 'failed'],
  unconfirmed: ['submitted', 'landed', 'settled', 'expired', 'failed'],
  settled: ['seen'],
  expired: [],
  failed: ['seen'],
  abandoned: [],
};

const ENDS: ReadonlySet<OperationState> = new Set<OperationState>(['settled', 'expired', 'failed', 'abandoned']);

/** What may follow in the life of a rebalance: its zap-out and zap-in have files of their own, it only begins and ends. */
const REBALANCE: readonly EventKind[] = ['settled', 'failed', 'abandoned'];

/** The kinds of events that may be written next to an operation that is in this state. */
export function mayFollow(operation: OperationKind, state: OperationState): readonly EventKind[] {
  if (operation !== 'rebalance') {
    return LEG[state];
  }
  return state === 'created' ? REBALANCE : [];
}

/** Whether an operation in this state has come to its end: nothing of it can happen any more. */
export function isEnd(state: OperationState): boolean {
  return ENDS.has(state);
}

/** Whether nothing follows any more on what is written of an operation: it has ended, and what may be left of it was seen. */
export function isComplete({ state, events, isUnclear, isSeen }: OperationRecord): boolean {
  const isInPart = events.some((event) => (event.kind === 'settled' || event.kind === 'failed') && event.landedTransactions !== undefined);
  return isEnd(state) && (isSeen || !(isUnclear || isInPart));
}

/** Whether something of an operation in this state may be on its way: it was handed to the service, and has not come to an end. */
export function maySettle(state: OperationState): boolean {
  return LEG[state].includes('settled');
}

/**
 * Gives the operation as its events tell it.
 * @throws JournalError (`notFollowing`) where they cannot have happened in this order.
 */
export function recordOf(id: string, events: readonly JournalEvent[]): OperationRecord {
  const [first, ...rest] = events;
  if (first?.kind !== 'created') {
    throw new JournalError(
      'notFollowing',
      `An operation begins with "created", not with ${first === undefined ? 'nothing' : `"${first.kind}"`}.`,
    );
  }
  if (first.plan.kind !== first.operation) {
    throw new JournalError('notFollowing', `The plan of a ${first.plan.kind} is not that of a ${first.operation}.`);
  }
  const begun: OperationRecord = {
    id,
    created: first,
    state: 'created',
    updatedAtMs: first.atMs,
    built: undefined,
    signatures: [],
    landingSignature: undefined,
    lamportsBack: undefined,
    reason: undefined,
    reasonCode: undefined,
    isUnclear: false,
    isSeen: false,
    events,
  };
  // Nobody has it yet. A copy for each event would be a good part of the time that a large journal takes to be read.
  rest.forEach((event) => Object.assign(begun, step(begun, event)));
  return begun;
}

/**
 * Gives the operation after one more event.
 * @throws JournalError (`notFollowing`) where that cannot come next.
 */
export function following(record: OperationRecord, event: JournalEvent): OperationRecord {
  return { ...record, ...step(record, event), events: [...record.events, event] };
}

/** What one more event changes of an operation, but for the list of events. @throws JournalError */
function step(record: OperationRecord, event: JournalEvent): Partial<OperationRecord> {
  const { operation } = record.created;
  if (!mayFollow(operation, record.state).includes(event.kind)) {
    throw new JournalError('notFollowing', `"${event.kind}" cannot come after "${record.state}" in a ${operation}.`);
  }
  const updatedAtMs = event.kind === 'seen' ? record.updatedAtMs : event.atMs;
  return { ...applied(event, record), updatedAtMs };
}

/** What an event tells, besides that it happened. */
function applied(event: JournalEvent, record: OperationRecord): Pick<OperationRecord, 'state'> & Partial<OperationRecord> {
  if (event.kind === 'seen') {
    return { state: record.state, reason: event.reason, reasonCode: undefined, isSeen: true };
  }
  const { kind: state } = event;
  switch (event.kind) {
    case 'built':
      // What was signed before was never sent: it is thrown away.
      return { state, built: event, signatures: [] };
    case 'signed':
      return { state, signatures: event.signatures };
    case 'landed':
      return { state, landingSignature: event.signature ?? record.landingSignature, reason: undefined, reasonCode: undefined };
    case 'settled':
      return { state, lamportsBack: event.lamportsBack, changes: event.changes, reason: event.shortfall, reasonCode: event.code };
    case 'failed':
      return { state, reason: event.reason, reasonCode: undefined, changes: event.changes, isUnclear: event.isUnclear === true };
    case 'unconfirmed':
    case 'abandoned':
      return { state, reason: event.reason, reasonCode: event.code };
    case 'expired':
      return { state, reason: event.reason, reasonCode: undefined };
    case 'reviewed':
      return { state, promised: event.promised };
    case 'created':
    case 'approved':
      return { state };
    case 'submitted':
      // The same bytes again: what was said of the attempt before is answered by what comes now.
      return { state, reason: undefined, reasonCode: undefined };
  }
}
