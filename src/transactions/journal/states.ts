import type { OperationKind } from '../../base/operationKinds';
import { JournalError } from './errors';
import type { JournalEvent, OperationRecord, OperationState } from './types';

/** The kind of an event is also the state of the operation after it. */
type EventKind = JournalEvent['kind'];

/**
 * Events that may follow in a zap-out or zap-in. Build and review may be repeated as long as nothing was sent. After sending, an operation
 * only ends; another attempt is another operation.
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

/** Events that may follow in a rebalance: its legs have records of their own. */
const REBALANCE: readonly EventKind[] = ['settled', 'failed', 'abandoned'];

/** Kinds of events that may be written next. */
export function mayFollow(operation: OperationKind, state: OperationState): readonly EventKind[] {
  if (operation !== 'rebalance') {
    return LEG[state];
  }
  return state === 'created' ? REBALANCE : [];
}

/** Whether a state is final: nothing of the operation can happen any more. */
export function isEnd(state: OperationState): boolean {
  return ENDS.has(state);
}

/** Whether nothing can be appended to a record: it has ended, and what may be left of it was seen. */
export function isComplete({ state, events, isUnclear, isSeen }: OperationRecord): boolean {
  const isInPart = events.some((event) => (event.kind === 'settled' || event.kind === 'failed') && event.landedTransactions !== undefined);
  return isEnd(state) && (isSeen || !(isUnclear || isInPart));
}

/** Whether something of it may land: it was handed to the service and has not ended. */
export function maySettle(state: OperationState): boolean {
  return LEG[state].includes('settled');
}

/**
 * Derives an operation from its events.
 * @throws JournalError (`notFollowing`) for an impossible order
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
    isUnclear: false,
    isSeen: false,
    events,
  };
  // Not shared yet, so it may be changed in place: a copy for each event would take much of the time for reading a large journal.
  rest.forEach((event) => Object.assign(begun, step(begun, event)));
  return begun;
}

/**
 * Returns the operation after one more event.
 * @throws JournalError (`notFollowing`) if it can't come next
 */
export function following(record: OperationRecord, event: JournalEvent): OperationRecord {
  return { ...record, ...step(record, event), events: [...record.events, event] };
}

/** The changes by one event, without the list of events. @throws JournalError */
function step(record: OperationRecord, event: JournalEvent): Partial<OperationRecord> {
  const { operation } = record.created;
  if (!mayFollow(operation, record.state).includes(event.kind)) {
    throw new JournalError('notFollowing', `"${event.kind}" cannot come after "${record.state}" in a ${operation}.`);
  }
  const updatedAtMs = event.kind === 'seen' ? record.updatedAtMs : event.atMs;
  return { ...applied(event, record), updatedAtMs };
}

/** The fields that an event changes. */
function applied(event: JournalEvent, record: OperationRecord): Pick<OperationRecord, 'state'> & Partial<OperationRecord> {
  if (event.kind === 'seen') {
    return { state: record.state, reason: event.reason, isSeen: true };
  }
  const { kind: state } = event;
  switch (event.kind) {
    case 'built':
      // Earlier signatures were never sent and are discarded.
      return { state, built: event, signatures: [] };
    case 'signed':
      return { state, signatures: event.signatures };
    case 'landed':
      return { state, landingSignature: event.signature ?? record.landingSignature, reason: undefined };
    case 'settled':
      return { state, lamportsBack: event.lamportsBack, changes: event.changes, reason: event.shortfall };
    case 'failed':
      return { state, reason: event.reason, changes: event.changes, isUnclear: event.isUnclear === true };
    case 'unconfirmed':
    case 'abandoned':
      return { state, reason: event.reason };
    case 'expired':
      return { state, reason: event.reason };
    case 'reviewed':
      return { state, promised: event.promised };
    case 'created':
    case 'approved':
      return { state };
    case 'submitted':
      // The same bytes again: the next answer replaces that of the attempt before.
      return { state, reason: undefined };
  }
}
