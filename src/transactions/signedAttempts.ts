import { runWithin } from '../base/http';
import { addSpends } from '../review/spends';
import type { Spends } from '../review/types';
import type { SolanaRpc } from '../rpc/types';
import { isEnd } from './journal/states';
import type { OperationJournal, OperationRecord } from './journal/types';
import { isOnSame, type OperationDescriptor } from './target';

/** Signed transactions that were handed to the service in one attempt at an operation. */
export interface SignedAttempt {
  readonly spends: Spends;
  /** The blockhashes of its transactions. */
  readonly blockhashes: readonly string[];
  /** Milliseconds since the build: the blockhashes are at least this old. */
  readonly ageMs: () => number;
}

/** The time for ages of an operation: `nowFor` of the journal. */
export type NowFor = OperationJournal['nowFor'];

/**
 * How long after its build a transaction may still land: a blockhash is valid for 150 blocks, which take a minute and, on a bad day, nearly
 * two (docs of the Solana runtime, "Transaction confirmation and expiration"). The last valid block by the service is not used, since it
 * may be wrong on purpose.
 */
export const MAY_LAND_MS = 120_000;

/** How long after its build an operation may still take effect, if only the clock decides: landing and listing take time as well. */
export const MAY_HAVE_EFFECT_MS = 300_000;

/** A younger blockhash may be unknown to the RPC only because it has not arrived there yet. */
export const KNOWN_EVERYWHERE_MS = 20_000;

/** Time limit for the RPC to say whether an attempt can still land. */
const RPC_BUDGET_MS = 5_000;

/**
 * Signed attempts at the same position or pool, of any window, that may still land. The service holds those signatures, so the review counts
 * their spends against the limits of a new attempt. Attempts that have landed or provably cannot land, or were never sent, are left out.
 */
export function openAttempts(records: readonly OperationRecord[], subject: OperationDescriptor, nowFor: NowFor): readonly SignedAttempt[] {
  return records.flatMap((record) => {
    const { state, built, events } = record;
    const signed = events.findLast((event) => event.kind === 'signed');
    const isOpen = state !== 'settled' && state !== 'expired' && wasSubmitted(record) && isOnSame(record, subject);
    if (!isOpen || built === undefined || signed === undefined) {
      return [];
    }
    const ageMs = (): number => nowFor(record) - built.atMs;
    // On a clock that was set back their age is unknown.
    return ageMs() < MAY_LAND_MS ? [{ spends: signed.spends, blockhashes: built.blockhashes, ageMs }] : [];
  });
}

/**
 * The sum of what attempts may still spend; `undefined` without any. An RPC may know earlier than the clock that one of them can no longer
 * land. Never rejects.
 */
export async function priorSpends(
  attempts: readonly SignedAttempt[],
  rpc: SolanaRpc | undefined,
  signal: AbortSignal,
): Promise<Spends | undefined> {
  const over = await Promise.all(attempts.map((attempt) => isOver(attempt, rpc, signal)));
  const open = attempts.filter((_, index) => over[index] !== true);
  return open.length === 0 ? undefined : open.map(({ spends }) => spends).reduce(addSpends);
}

/** An earlier operation on the same position or pool that was sent and whose outcome is not known yet. */
export function stillUnderWay(
  records: readonly OperationRecord[],
  subject: OperationDescriptor,
  nowFor: NowFor,
): OperationRecord | undefined {
  return records.find(
    (record) =>
      !isEnd(record.state) &&
      wasSubmitted(record) &&
      isOnSame(record, subject) &&
      nowFor(record) - (record.built?.atMs ?? record.created.atMs) < MAY_HAVE_EFFECT_MS,
  );
}

/** Whether an operation was, or was about to be, handed to the service: from then on it may land. */
export function wasSubmitted({ events }: OperationRecord): boolean {
  return events.some(({ kind }) => kind === 'submitted');
}

/** Whether the RPC says that no transaction of an attempt can land any more. */
async function isOver({ blockhashes, ageMs }: SignedAttempt, rpc: SolanaRpc | undefined, signal: AbortSignal): Promise<boolean> {
  if (rpc === undefined || blockhashes.length === 0 || ageMs() < KNOWN_EVERYWHERE_MS) {
    return false;
  }
  try {
    const valid = await runWithin(signal, RPC_BUDGET_MS, (limited) =>
      Promise.all(blockhashes.map((blockhash) => rpc.isBlockhashValid(blockhash, { signal: limited }))),
    );
    return valid.every((one) => !one);
  } catch {
    return false;
  }
}
