import type { OpenPosition } from '../service/positions';
import type { Address } from '../base/solana/address';
import { isSamePosition } from '../transactions/effects';
import { begunAt } from '../transactions/journal/files';
import { isEnd } from '../transactions/journal/states';
import type { JournalProblem, OperationRecord } from '../transactions/journal/types';
import { isRebalanceIncomplete, childOperationsOf } from '../transactions/rebalance/rebalanceStatus';
import { wasSubmitted } from '../transactions/signedAttempts';

// What the journal says of earlier rebalances of a wallet, whoever started them: how often, when, and which position came from
// which. A position that is re-centred has a new address; what counts against its limits goes with it.

/** A rebalance of which something was sent. */
export interface SentRebalance {
  /** When something of it was sent last; milliseconds since 1970. */
  readonly sentAtMs: number;
  /** When something of it was last found out. */
  readonly lastMs: number;
  /** The position that was left. `undefined`: its file cannot be read, so that it may be any. */
  readonly position: Address | undefined;
}

/** What the journal says of a wallet. */
export interface History {
  readonly owner: Address;
  /** All that it reaches back to, not only of the last day. */
  readonly sent: readonly SentRebalance[];
  /** Newest first; of this wallet alone. */
  readonly records: readonly OperationRecord[];
}

/** In which span the limits count. */
export const DAY_MS = 86_400_000;

/**
 * Reads the journal for one wallet. Which service it was is not asked: they land on one chain. A file that cannot be read counts as
 * one rebalance, of whichever position: it may have been one.
 * @returns `undefined` where the journal as a whole cannot be read, so that nothing is known
 */
export function historyOf(records: readonly OperationRecord[], problems: readonly JournalProblem[], owner: Address): History | undefined {
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
  return {
    owner,
    records: own,
    sent: [...sent, ...unread.flatMap((atMs) => (atMs === undefined ? [] : [{ sentAtMs: atMs, lastMs: atMs, position: undefined }]))],
  };
}

/** The rebalances of the last 24 hours that count against what is allowed in all. Those that a clock which was set back puts into the future count. */
export function sentInDay({ sent }: Pick<History, 'sent'>, nowMs: number): readonly SentRebalance[] {
  return sent.filter(({ sentAtMs }) => sentAtMs > nowMs - DAY_MS);
}

/** The rebalances that a position has come from, as far back as the journal reaches, and those of which that cannot be told. */
export function lineageOf(position: OpenPosition, history: History): readonly SentRebalance[] {
  const ancestors = ancestorsOf(position, history);
  return history.sent.filter(({ position: left }) => left === undefined || ancestors.has(left));
}

/** What is not at its end yet and has to do with a position; with `alsoOfPool`, also a zap-in to its pool. */
export function unfinishedOn(position: OpenPosition, { records }: History, alsoOfPool: boolean): OperationRecord | undefined {
  return records.find((record) => {
    const { plan, pool } = record.created;
    if (isEnd(record.state)) {
      return false;
    }
    switch (plan.kind) {
      case 'zapOut':
        return isSamePosition(position, plan.position) || position.id === plan.positionId;
      case 'zapIn':
        return madeBy(record).some((made) => isSamePosition(position, made)) || (alsoOfPool && pool === position.pool);
      case 'rebalance':
        return (
          isSamePosition(position, plan.position) ||
          childOperationsOf(record.id, records).some((part) => madeBy(part).some((made) => isSamePosition(position, made)))
        );
    }
  });
}

/** The last zap-out of a position, where only a part of what was sent for it landed, or may have, and the user was not told what is left to do. */
export function halfDoneOn(position: OpenPosition, { records }: History): OperationRecord | undefined {
  const last = records.find(
    ({ created: { plan }, state }) =>
      plan.kind === 'zapOut' &&
      (isSamePosition(position, plan.position) || position.id === plan.positionId) &&
      (state === 'settled' || state === 'failed'),
  );
  return last !== undefined && (isRebalanceIncomplete(last) || last.isUnclear) && !last.isSeen ? last : undefined;
}

/** The positions that a position came from by rebalancing, and itself. Goes back through each rebalance once. */
function ancestorsOf(position: OpenPosition, { records }: History): ReadonlySet<Address> {
  const found = new Set<Address>(position.address === undefined ? [] : [position.address]);
  const links = records.flatMap((record) => {
    const { plan } = record.created;
    return plan.kind === 'rebalance'
      ? childOperationsOf(record.id, records).flatMap((part) => (part.created.operation === 'zapIn' ? [{ from: plan.position, part }] : []))
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

/** Where it is not known which position a zap-in made: any of its pool that was not there before. */
function mayHaveMade(part: OperationRecord, { address, pool }: OpenPosition): boolean {
  const { plan, pool: entered } = part.created;
  return (
    plan.kind === 'zapIn' &&
    wasSubmitted(part) &&
    pool === entered &&
    (plan.openBefore === undefined || address === undefined || !plan.openBefore.includes(address))
  );
}

/** The positions that a zap-in was built to make: another one, should it have been built anew. */
function madeBy({ created, events }: OperationRecord): readonly Address[] {
  return created.operation === 'zapIn'
    ? events.flatMap((event) => (event.kind === 'built' && event.position !== undefined ? [event.position] : []))
    : [];
}

function sentOf(record: OperationRecord, position: Address, parts: readonly OperationRecord[]): SentRebalance | undefined {
  const submissions = parts.flatMap(({ events }) => events.flatMap(({ kind, atMs }) => (kind === 'submitted' ? [atMs] : [])));
  // One that came to its end in order was sent, wherever its parts are.
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
