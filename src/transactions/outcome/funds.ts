import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { lamportsBy, type MeasureDependencies } from './measure';
import { LISTINGS_WITHOUT_CONFIRMATION } from './settlement';
import { wasSubmitted } from '../signedAttempts';

// Whether something of an operation landed, by the owner's SOL alone: each transaction that lands costs its owner a fee (the review lets
// nobody else pay it), so a balance that is exactly what it was right before proves that none has.

/** The owner's SOL right before an operation was sent, and now; both as the same one says it. */
export interface Funds {
  readonly beforeLamports: bigint;
  readonly nowLamports: bigint;
  /** Nothing else was sent for the wallet since, by all that the journal knows. */
  readonly isAlone: boolean;
}

/** What can be said by it. */
export type FundsFound =
  /** It is what it was, and nothing else was sent meanwhile: none of it landed. */
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'changed' } & Funds)
  /** It was not looked at before it was sent, or it cannot be read now. */
  | { readonly kind: 'unknown' }
  /** It has to be looked at again. */
  | { readonly kind: 'awaited' };

/** What was seen of it, look by look. */
export interface FundsCount {
  /** How many looks in a row found it unchanged, or changed. */
  readonly unchanged: number;
  readonly changed: number;
  /** How many could not tell. */
  readonly unread: number;
  readonly last: Funds | undefined;
}

export const NO_FUNDS_SEEN: FundsCount = { unchanged: 0, changed: 0, unread: 0, last: undefined };

/** How often the balance is asked for again where it cannot be read. */
const MOST_UNREAD = 5;

/** Looks at it; `undefined` where it was not said before the operation was sent, or is not now. Never rejects. */
export async function fundsOf(
  { id, created, events }: OperationRecord,
  { journal, rpc, service }: Pick<MeasureDependencies, 'journal' | 'rpc' | 'service'>,
): Promise<Funds | undefined> {
  const submitted = events.find((event) => event.kind === 'submitted');
  const beforeLamports = submitted?.lamportsBefore;
  if (submitted === undefined || beforeLamports === undefined) {
    return undefined;
  }
  const nowLamports = await lamportsBy(submitted.balanceFrom ?? 'rpc', created.owner, { rpc, service });
  return nowLamports === undefined
    ? undefined
    : { beforeLamports, nowLamports, isAlone: await isAlone({ id, created }, journal, submitted.atMs) };
}

/** With one more look. */
export function counted(before: FundsCount, funds: Funds | undefined): FundsCount {
  if (funds === undefined) {
    return { ...before, unread: before.unread + 1 };
  }
  const isSame = isUnchanged(funds);
  return { ...before, unchanged: isSame ? before.unchanged + 1 : 0, changed: isSame ? 0 : before.changed + 1, last: funds };
}

/** What the looks say together: two in a row that find the same, as with listings. */
export function foundBy({ unchanged, changed, unread, last }: FundsCount, { events }: Pick<OperationRecord, 'events'>): FundsFound {
  if (!events.some((event) => event.kind === 'submitted' && event.lamportsBefore !== undefined)) {
    return { kind: 'unknown' };
  }
  if (unchanged >= LISTINGS_WITHOUT_CONFIRMATION) {
    return { kind: 'unchanged' };
  }
  if (changed >= LISTINGS_WITHOUT_CONFIRMATION && last !== undefined) {
    return { kind: 'changed', ...last };
  }
  return { kind: unread >= MOST_UNREAD ? 'unknown' : 'awaited' };
}

/** Whether nothing else that was sent for the wallet can be in its balance now that was not before: all of that had ended by then. */
async function isAlone(
  { id, created: { owner } }: Pick<OperationRecord, 'id' | 'created'>,
  journal: MeasureDependencies['journal'],
  sinceMs: number,
): Promise<boolean> {
  const records = await journal.read().then(
    (read) => read.records,
    () => undefined,
  );
  return (
    records?.every(
      (other) =>
        other.id === id || other.created.owner !== owner || !wasSubmitted(other) || (isEnd(other.state) && other.updatedAtMs <= sinceMs),
    ) ?? false
  );
}

function isUnchanged({ beforeLamports, nowLamports, isAlone }: Funds): boolean {
  return isAlone && beforeLamports === nowLamports;
}
