import { WHOLE_BPS } from '../base/basisPoints';
import { DAY_MS } from '../base/time';
import type { OpenPosition } from '../service/positions';
import type { Address } from '../base/solana/address';
import { isOpening, type TargetPosition, positionsOf, withdrawalOf } from '../transactions/operations';
import { isSamePosition } from '../transactions/outcome/evidence';
import { begunAt } from '../transactions/journal/files';
import { isEnd } from '../transactions/journal/states';
import type { JournalProblem, OperationRecord } from '../transactions/journal/types';
import { isRebalanceIncomplete, childOperationsOf } from '../transactions/rebalance/rebalanceStatus';
import { wasSubmitted } from '../transactions/signedAttempts';

// Earlier rebalances of a wallet as the journal has them, started by hand or automatically: how often, when, and which position came
// from which. A rebalanced position gets a new address; the rebalances of its predecessors still count against its limits.

/** A rebalance of which at least one transaction was sent. */
export interface SentRebalance {
  /** When its last transaction was sent, milliseconds since 1970. */
  readonly sentAtMs: number;
  /** When the journal was last updated about what was sent, milliseconds since 1970. */
  readonly lastMs: number;
  /** The position that was closed; `undefined` if the journal file can't be read, so it may be any. */
  readonly position: Address | undefined;
}

/** The journal's records of one wallet. */
export interface WalletHistory {
  readonly owner: Address;
  /** As far back as the journal goes, not only the last day. */
  readonly sent: readonly SentRebalance[];
  /** Positions that auto-rebalance closed without asking. */
  readonly closed: readonly SentRebalance[];
  /** Newest first. */
  readonly records: readonly OperationRecord[];
}

/**
 * Gives the history of one wallet across all services, since they land on one chain. An unreadable file counts as a rebalance and as a
 * closing of any position: it may have been one.
 * @returns `undefined` if the journal as a whole can't be read
 */
export function historyOf(
  records: readonly OperationRecord[],
  problems: readonly JournalProblem[],
  owner: Address,
): WalletHistory | undefined {
  const unread = problems.map(({ file }) => begunAt(file));
  if (unread.includes(undefined)) {
    return undefined;
  }
  const own = records.filter(({ created }) => created.owner === owner);
  const sent = own.flatMap((record) => {
    const { plan } = record.created;
    const found = plan.kind === 'rebalance' ? sentOf(record, plan.position, childOperationsOf(record.id, own)) : undefined;
    return found === undefined ? [] : [found];
  });
  const closed = own.flatMap((record) => closingOf(record) ?? []);
  const unknown = unread.flatMap((atMs) => (atMs === undefined ? [] : [{ sentAtMs: atMs, lastMs: atMs, position: undefined }]));
  return { owner, records: own, sent: [...sent, ...unknown], closed: [...closed, ...unknown] };
}

/** Rebalances and closings, each once; both count against the daily limit of rebalances. */
export function actionsOf({ sent, closed }: WalletHistory): readonly SentRebalance[] {
  return [...sent, ...closed.filter(({ position }) => position !== undefined)];
}

/** The rebalances of the last 24 hours. Those in the future (the clock was set back) count, too. */
export function sentInDay({ sent }: Pick<WalletHistory, 'sent'>, nowMs: number): readonly SentRebalance[] {
  return sent.filter(({ sentAtMs }) => sentAtMs > nowMs - DAY_MS);
}

/** The rebalances of a position's predecessors, as far back as the journal goes, and those whose position is unknown. */
export function lineageOf(position: OpenPosition, history: WalletHistory): readonly SentRebalance[] {
  const line = lineOf(position, history);
  return history.sent.filter(({ position: left }) => left === undefined || line.has(left));
}

/**
 * What operations that auto-rebalance signed in the last 24 hours cost at most, lamports: fees, tips, rent that is not refunded, and what
 * swaps give less than the shown price. One that can no longer land cost nothing.
 */
export function automatedCostLamports({ records }: Pick<WalletHistory, 'records'>, nowMs: number): bigint {
  return records
    .filter((record) => isAutomated(record) && record.state !== 'expired' && record.state !== 'abandoned')
    .flatMap(({ events }) => events.findLast((event) => event.kind === 'signed') ?? [])
    .filter(({ atMs }) => atMs > nowMs - DAY_MS)
    .reduce((sum, { spends, swapCostLamports = 0n }) => {
      const { networkFeeLamports, priorityFeeLamports, tipLamports, spentRentLamports, otherLamports } = spends;
      return sum + networkFeeLamports + priorityFeeLamports + tipLamports + spentRentLamports + otherLamports + swapCostLamports;
    }, 0n);
}

/** The zap-in that opened a position; `undefined` if Binsight did not open it, or the journal no longer has it. */
export function openingOf(position: OpenPosition, { records }: WalletHistory): OperationRecord | undefined {
  return records.find((record) => wasSubmitted(record) && madeBy(record).some((made) => isSamePosition(position, made)));
}

/** When Binsight last sent a zap-out of a position, milliseconds since 1970; `undefined`: never. */
export function lastZapOutMs(position: OpenPosition, { records }: WalletHistory): number | undefined {
  const sent = records.flatMap((record) => (isZapOutOf(position, record) && wasSubmitted(record) ? submissionsOf(record) : []));
  return sent.length === 0 ? undefined : Math.max(...sent);
}

/** An unfinished operation on a position; with `alsoOfPool`, also one that opens a position in its pool. */
export function unfinishedOn(position: OpenPosition, { records }: WalletHistory, alsoOfPool: boolean): OperationRecord | undefined {
  return records.find((record) => {
    const { plan, pool } = record.created;
    if (isEnd(record.state)) {
      return false;
    }
    return (
      isAmong(positionsOf(plan), position) ||
      [record, ...childOperationsOf(record.id, records)].some((part) => madeBy(part).some((made) => isSamePosition(position, made))) ||
      (alsoOfPool && isOpening(plan) && pool === position.pool)
    );
  });
}

/** The last zap-out of a position, if it was (or may have been) partially executed and the user has not been shown what is left to do. */
export function partialExecutionOn(position: OpenPosition, { records }: WalletHistory): OperationRecord | undefined {
  const last = records.find((record) => isZapOutOf(position, record) && (record.state === 'settled' || record.state === 'failed'));
  return last !== undefined && (isRebalanceIncomplete(last) || last.isUnclear) && !last.isSeen ? last : undefined;
}

function isZapOutOf(position: OpenPosition, { created: { plan } }: OperationRecord): boolean {
  return withdrawalOf(plan) !== undefined && isAmong(positionsOf(plan), position);
}

function isAmong(planned: readonly TargetPosition[], position: OpenPosition): boolean {
  return planned.some(({ address, id }) => isSamePosition(position, address) || position.id === id);
}

/** A position and its predecessors, the positions that rebalances turned into it. Cycles in the journal end the search. */
export function lineOf(position: OpenPosition, { records }: WalletHistory): ReadonlySet<Address> {
  const found = new Set<Address>(position.address === undefined ? [] : [position.address]);
  const links = records.flatMap((record) => {
    const { plan } = record.created;
    return plan.kind === 'rebalance'
      ? childOperationsOf(record.id, records).flatMap((part) => (isOpening(part.created.plan) ? [{ from: plan.position, part }] : []))
      : [];
  });
  for (let known = 0; known < found.size;) {
    known = found.size;
    for (const { from, part } of links) {
      const made = madeBy(part);
      if (made.some((address) => found.has(address)) || (made.length === 0 && mayHaveMade(part, position))) {
        found.add(from);
      }
    }
  }
  return found;
}

/** If the journal doesn't have the position that a zap-in opened, any position of the pool that was not there before may be it. */
function mayHaveMade(part: OperationRecord, { address, pool }: OpenPosition): boolean {
  const { plan, pool: entered } = part.created;
  return (
    isOpening(plan) &&
    wasSubmitted(part) &&
    pool === entered &&
    (plan.openBefore === undefined || address === undefined || !plan.openBefore.includes(address))
  );
}

/** The positions that a zap-in was built to open; each new build has another address. */
function madeBy({ created, events }: OperationRecord): readonly Address[] {
  return isOpening(created.plan)
    ? events.flatMap((event) => (event.kind === 'built' && event.position !== undefined ? [event.position] : []))
    : [];
}

function sentOf(record: OperationRecord, position: Address, parts: readonly OperationRecord[]): SentRebalance | undefined {
  const submissions = parts.flatMap(submissionsOf);
  // A settled rebalance was sent, even if the records of its parts are missing.
  if (submissions.length === 0 && record.state !== 'settled') {
    return undefined;
  }
  const found = parts.filter(wasSubmitted).map(({ updatedAtMs }) => updatedAtMs);
  return {
    position,
    sentAtMs: Math.max(...submissions, ...(submissions.length === 0 ? [record.updatedAtMs] : [])),
    lastMs: found.length === 0 ? record.updatedAtMs : Math.max(...found),
  };
}

/** A zap-out of a whole position that auto-rebalance signed without asking, and that is no part of a rebalance. */
function closingOf(record: OperationRecord): SentRebalance | undefined {
  const { plan, parent } = record.created;
  const submissions = submissionsOf(record);
  const withdrawal = withdrawalOf(plan);
  return withdrawal?.shareBps === WHOLE_BPS && parent === undefined && isAutomated(record) && submissions.length > 0
    ? { position: withdrawal.position, sentAtMs: Math.max(...submissions), lastMs: record.updatedAtMs }
    : undefined;
}

function isAutomated({ events }: OperationRecord): boolean {
  return events.some((event) => event.kind === 'approved' && event.by === 'automation');
}

/** When an operation was handed to the service, milliseconds since 1970. */
function submissionsOf({ events }: OperationRecord): readonly number[] {
  return events.flatMap(({ kind, atMs }) => (kind === 'submitted' ? [atMs] : []));
}
