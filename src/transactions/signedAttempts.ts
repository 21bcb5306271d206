import { runWithin } from '../base/http';
import { DAY_MS } from '../base/time';
import { addSpends } from '../review/spends';
import type { Spends } from '../review/types';
import type { SolanaRpc } from '../rpc/types';
import { hasExpired, KNOWN_EVERYWHERE_MS, MAY_HAVE_EFFECT_MS, MAY_LAND_MS } from './expiry';
import { isEnd } from './journal/states';
import type { OperationJournal, OperationRecord } from './journal/types';
import { isOnSame, type OperationDescriptor } from './target';

/** Signed transactions that were handed to the service in one attempt at an operation. */
export interface SignedAttempt {
  readonly record: OperationRecord;
  readonly spends: Spends;
  /** The blockhashes of its transactions. */
  readonly blockhashes: readonly string[];
  /** By the service; `undefined`: it didn't tell. */
  readonly lastValidBlockHeight: number | undefined;
  /** Milliseconds since the build: the blockhashes are at least this old. */
  readonly ageMs: () => number;
}

/** The time for ages of an operation: `nowFor` of the journal. */
export type NowFor = OperationJournal['nowFor'];

/** Time limit for the RPC to say whether an attempt can still land. */
const RPC_BUDGET_MS = 8_000;

/** Older attempts are not asked for: no chain stands still for longer without a restart, which invalidates all blockhashes. */
const OLDEST_MS = DAY_MS;

/**
 * Signed attempts at the same position or pool, of any window, of the last day. The service holds those signatures. Attempts that have landed or
 * provably cannot land, or were never sent, are left out; {@link attemptsThatMayLand} finds out which of the others may still land.
 */
export function openAttempts(records: readonly OperationRecord[], subject: OperationDescriptor, nowFor: NowFor): readonly SignedAttempt[] {
  return records.flatMap((record) => {
    const { state, built, events } = record;
    const signed = events.findLast((event) => event.kind === 'signed');
    const isOpen = state !== 'settled' && state !== 'expired' && wasSubmitted(record) && isOnSame(record, subject);
    if (!isOpen || built === undefined || signed === undefined) {
      return [];
    }
    // On a clock that was set back their age is unknown.
    const ageMs = (): number => nowFor(record) - built.atMs;
    const { blockhashes, lastValidBlockHeight } = built;
    return ageMs() < OLDEST_MS ? [{ record, spends: signed.spends, blockhashes, lastValidBlockHeight, ageMs }] : [];
  });
}

/**
 * The attempts that may still land. By the clock, those are the ones of the last two minutes. An RPC may know earlier that one can no longer
 * land, and later that one still can, if the chain is slow or stands still. Never rejects.
 */
export async function attemptsThatMayLand(
  attempts: readonly SignedAttempt[],
  rpc: SolanaRpc | undefined,
  signal: AbortSignal,
): Promise<readonly SignedAttempt[]> {
  const young = attempts.filter(isYoung);
  if (rpc === undefined) {
    return young;
  }
  const over = await Promise.all(young.map((attempt) => isOver(attempt, rpc, signal)));
  const open = young.filter((_, index) => over[index] !== true);
  // Blockhashes expire in the order of their age: if one has, the older ones have, too.
  const old = attempts.filter((attempt) => !isYoung(attempt)).toSorted((one, other) => one.ageMs() - other.ageMs());
  for (const attempt of old) {
    if (!(await isKeptValid(attempt, rpc, signal))) {
      break;
    }
    open.push(attempt);
  }
  return open;
}

/**
 * The sum of what attempts may still spend; `undefined` without any that may still land. The review counts it against the limits of a new
 * attempt. Never rejects.
 */
export async function priorSpends(
  attempts: readonly SignedAttempt[],
  rpc: SolanaRpc | undefined,
  signal: AbortSignal,
): Promise<Spends | undefined> {
  const open = await attemptsThatMayLand(attempts, rpc, signal);
  return open.length === 0 ? undefined : open.map(({ spends }) => spends).reduce(addSpends);
}

/** An earlier operation on the same position or pool that was sent and whose outcome is not known yet. */
export function stillUnderWay(
  records: readonly OperationRecord[],
  subject: OperationDescriptor,
  nowFor: NowFor,
): OperationRecord | undefined {
  return records.find(
    (record) => !isEnd(record.state) && wasSubmitted(record) && isOnSame(record, subject) && mayHaveEffectLater(record, nowFor),
  );
}

/**
 * The earlier operations on the same position or pool that were sent, can no longer land by the clock, and may have landed: those without an
 * end, and unclear ones that the user has not acknowledged.
 */
export function withUnknownOutcome(
  records: readonly OperationRecord[],
  subject: OperationDescriptor,
  nowFor: NowFor,
): readonly OperationRecord[] {
  return records.filter((record) => {
    const isUnknown = isEnd(record.state) ? record.isUnclear && !record.isSeen : !mayHaveEffectLater(record, nowFor);
    return isUnknown && wasSubmitted(record) && isOnSame(record, subject);
  });
}

function mayHaveEffectLater(record: OperationRecord, nowFor: NowFor): boolean {
  return nowFor(record) - (record.built?.atMs ?? record.created.atMs) < MAY_HAVE_EFFECT_MS;
}

/** Like {@link stillUnderWay}, also for longer while the RPC says that it can still land. Never rejects. */
export async function stillUnderWayByChain(
  records: readonly OperationRecord[],
  subject: OperationDescriptor,
  nowFor: NowFor,
  rpc: SolanaRpc | undefined,
  signal: AbortSignal,
): Promise<OperationRecord | undefined> {
  const known = stillUnderWay(records, subject, nowFor);
  if (known !== undefined || rpc === undefined) {
    return known;
  }
  const unresolved = openAttempts(records, subject, nowFor).filter(({ record }) => !isEnd(record.state));
  return (await attemptsThatMayLand(unresolved, rpc, signal))[0]?.record;
}

/** Whether an operation was, or was about to be, handed to the service: from then on it may land. */
export function wasSubmitted({ events }: OperationRecord): boolean {
  return events.some(({ kind }) => kind === 'submitted');
}

function isYoung({ ageMs }: SignedAttempt): boolean {
  return ageMs() < MAY_LAND_MS;
}

/** Whether the RPC proves that no transaction of an attempt can land any more. */
async function isOver(attempt: SignedAttempt, rpc: SolanaRpc, signal: AbortSignal): Promise<boolean> {
  const { blockhashes, lastValidBlockHeight, ageMs } = attempt;
  if (blockhashes.length === 0 || ageMs() < KNOWN_EVERYWHERE_MS) {
    return false;
  }
  try {
    return await runWithin(signal, RPC_BUDGET_MS, async (limited) => {
      // The height first: what is invalid at that height stays invalid.
      const blockHeight = lastValidBlockHeight === undefined ? undefined : await rpc.blockHeight({ signal: limited });
      const isBlockhashValid = await isAnyValid(attempt, rpc, limited);
      return blockHeight === undefined
        ? !isBlockhashValid
        : hasExpired({ lastValidBlockHeight, ageMs: ageMs() }, { blockHeight, isBlockhashValid }) === true;
    });
  } catch {
    return false;
  }
}

/** Whether the RPC says that an attempt can still land that by the clock no longer can. */
async function isKeptValid(attempt: SignedAttempt, rpc: SolanaRpc, signal: AbortSignal): Promise<boolean> {
  try {
    return await runWithin(signal, RPC_BUDGET_MS, (limited) => isAnyValid(attempt, rpc, limited));
  } catch {
    return false;
  }
}

async function isAnyValid({ blockhashes }: SignedAttempt, rpc: SolanaRpc, signal: AbortSignal): Promise<boolean> {
  const valid = await Promise.all(blockhashes.map((blockhash) => rpc.isBlockhashValid(blockhash, { signal })));
  return valid.includes(true);
}
