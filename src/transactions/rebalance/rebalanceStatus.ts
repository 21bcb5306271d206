import { begunAt } from '../journal/files';
import type { Reason } from '../../base/reasons/reason';
import { isEnd } from '../journal/states';
import type { JournalProblem, NewEvent, OperationRecord } from '../journal/types';
import { recordedProceeds } from '../outcome/measure';
import { closedBeforeSending, OBSERVATION_PERIOD_MS } from '../outcome/reconcile';
import { LEAST_REENTRY_LAMPORTS } from './costs';

/**
 * An unreadable journal file that was begun after a rebalance: it may be one of its parts, so it is unknown what was sent. `undefined`:
 * there is none.
 */
export function unreadableSince(
  { created }: Pick<OperationRecord, 'created'>,
  problems: readonly JournalProblem[],
): JournalProblem | undefined {
  return problems.find(({ file }) => {
    const atMs = begunAt(file);
    return atMs === undefined || atMs >= created.atMs;
  });
}

/** The event that ends a rebalance. */
export type RebalanceEnd = Extract<NewEvent, { kind: 'settled' | 'failed' | 'abandoned' }>;

/** The status of a rebalance, derived from its record and its parts. */
export type RebalanceStatus =
  /** A part has not ended. */
  | { readonly kind: 'underWay' }
  /** Nothing more can come of it. `why`: the reason for not beginning the re-entry, if any. */
  | { readonly kind: 'concluded'; readonly event: RebalanceEnd; readonly why: 'tooLittle' | undefined }
  /** The position is closed and nothing was re-entered: the user decides. */
  | {
      readonly kind: 'awaitsReentry';
      /** The measured proceeds; `undefined`: they could not be measured, and the user chooses the amount. */
      readonly lamportsBack: bigint | undefined;
      /** Whether the zap-out's own transactions prove the proceeds; otherwise they are a difference of balances. */
      readonly isProven: boolean;
      /** Outcome of the last re-entry attempt, or what is missing from the zap-out; `undefined`: neither applies. */
      readonly reason: Reason | undefined;
      /** Only a part of the zap-out landed: some of the position is elsewhere. */
      readonly isPartiallyExecuted: boolean;
    };

/** The zap-outs and zap-ins of a rebalance, in the order of `records`. */
export function childOperationsOf(rebalance: string, records: readonly OperationRecord[]): readonly OperationRecord[] {
  return records.filter(({ created }) => created.parent === rebalance);
}

/**
 * Derives the status of a rebalance.
 * @param parts its zap-outs and zap-ins ({@link childOperationsOf}) in any order; each attempt is a part of its own
 */
export function rebalanceStatusOf(record: OperationRecord, parts: readonly OperationRecord[]): RebalanceStatus {
  const end = endOf(record);
  if (end !== undefined) {
    return { kind: 'concluded', event: end, why: undefined };
  }
  if (parts.some(({ state }) => !isEnd(state))) {
    return { kind: 'underWay' };
  }
  const inOrder = [...parts].sort((one, other) => one.created.atMs - other.created.atMs);
  const zapOuts = inOrder.filter(({ created }) => created.operation === 'zapOut');
  const zapIns = inOrder.filter(({ created }) => created.operation === 'zapIn');
  const out = zapOuts.find(({ state }) => state === 'settled');
  return out === undefined ? withoutZapOut(zapOuts) : afterZapOut(out, zapIns);
}

/** Whether only a part of an operation's transactions landed. */
export function isRebalanceIncomplete({ events }: OperationRecord): boolean {
  return events.some(
    (event) =>
      (event.kind === 'settled' || event.kind === 'failed') && event.landedTransactions !== undefined && event.landedTransactions > 0,
  );
}

/** Nothing was paid out, or only in part: there is nothing to re-enter. */
function withoutZapOut(zapOuts: readonly OperationRecord[]): RebalanceStatus {
  const last = zapOuts.find(isRebalanceIncomplete) ?? zapOuts.find(({ isUnclear }) => isUnclear) ?? zapOuts.at(-1);
  const reason = last?.reason;
  if (last === undefined) {
    return concluded(closedBeforeSending());
  }
  return concluded(
    last.state === 'abandoned'
      ? { kind: 'abandoned', reason: reason ?? { code: 'nothingSent' } }
      : { kind: 'failed', reason: last.isUnclear ? { code: 'possiblyZappedOut', reason } : (reason ?? { code: 'zapOutFailed' }) },
  );
}

function afterZapOut(out: OperationRecord, zapIns: readonly OperationRecord[]): RebalanceStatus {
  const { lamportsBack, isProven } = recordedProceeds(out);
  const entered = zapIns.find(({ state }) => state === 'settled');
  if (entered !== undefined) {
    return concluded({ kind: 'settled', lamportsBack, shortfall: entered.reason });
  }
  const inPart = zapIns.find(mayBeIn);
  if (inPart !== undefined) {
    return concluded({ kind: 'failed', reason: { code: 'possiblyReentered', lamportsBack, reason: inPart.reason } });
  }
  if (lamportsBack !== undefined && lamportsBack < LEAST_REENTRY_LAMPORTS) {
    return concluded(
      { kind: 'settled', lamportsBack, shortfall: { code: 'belowMinimum', lamportsBack, leastLamports: LEAST_REENTRY_LAMPORTS } },
      'tooLittle',
    );
  }
  return {
    kind: 'awaitsReentry',
    lamportsBack,
    isProven,
    reason: reasonOfTry(zapIns.at(-1)) ?? out.reason,
    isPartiallyExecuted: isRebalanceIncomplete(out),
  };
}

function reasonOfTry(zapIn: OperationRecord | undefined): Reason | undefined {
  return zapIn?.state === 'abandoned' ? { code: 'zapInNotSent', reason: zapIn.reason } : zapIn?.reason;
}

/**
 * Whether a failed zap-in has (or may have) deposited or swapped something: a part of it landed, its outcome is unclear, or the service
 * reported a landing that was never found. All other ends are proven (reconcile.ts).
 */
function mayBeIn(zapIn: OperationRecord): boolean {
  const { state, events, updatedAtMs, created, built } = zapIn;
  const isGivenUp = state === 'failed' && updatedAtMs - (built?.atMs ?? created.atMs) >= OBSERVATION_PERIOD_MS;
  return isRebalanceIncomplete(zapIn) || zapIn.isUnclear || (isGivenUp && events.some(({ kind }) => kind === 'landed'));
}

function concluded(event: RebalanceEnd, why?: 'tooLittle'): RebalanceStatus {
  return { kind: 'concluded', event, why };
}

function endOf({ state, events }: OperationRecord): RebalanceEnd | undefined {
  const last = events.at(-1);
  return isEnd(state) && (last?.kind === 'settled' || last?.kind === 'failed' || last?.kind === 'abandoned') ? last : undefined;
}
