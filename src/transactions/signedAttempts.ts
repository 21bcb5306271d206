import { addSpends } from '../review/spends';
import type { Spends } from '../review/types';
import type { SolanaRpc } from '../rpc/types';
import { isEnd } from './journal/states';
import type { OperationJournal, OperationRecord } from './journal/types';
import { isOnSame, type OperationDescriptor } from './target';

/** What was signed and handed to the service for one attempt at an operation. */
export interface SignedAttempt {
  readonly spends: Spends;
  /** By which its transactions can land. */
  readonly blockhashes: readonly string[];
  /** How long ago the service gave the transactions, milliseconds: their blockhashes are no younger. */
  readonly ageMs: () => number;
}

/** The time by which the age of an operation is told: `nowFor` of the journal. */
export type NowFor = OperationJournal['nowFor'];

/**
 * How long after it was built a transaction counts as one that may still land: a blockhash is good for 150 blocks, which take a
 * minute and, on a bad day, near two (docs of the Solana runtime, "Transaction confirmation and expiration"). What the service
 * reports as the last valid block is not used: it may be wrong on purpose.
 */
export const MAY_LAND_MS = 120_000;

/**
 * How long after it was built an operation counts as one that may have an effect yet, where nothing but the clock tells: landing and
 * listing take their time too.
 */
export const MAY_HAVE_EFFECT_MS = 300_000;

/** A younger blockhash may be unknown to the RPC only because it has not arrived there yet. */
export const KNOWN_EVERYWHERE_MS = 20_000;

/** How long the RPC may take to say whether an attempt can still land. */
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
    // On a clock that was set back it is not known how old they are.
    return ageMs() < MAY_LAND_MS ? [{ spends: signed.spends, blockhashes: built.blockhashes, ageMs }] : [];
  });
}

/**
 * What attempts may still spend, all together; `undefined` where there are none. An RPC may know earlier than the clock that one of
 * them cannot land any more. Never rejects.
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

/** Whether the RPC says that none of an attempt's transactions can land any more. */
async function isOver({ blockhashes, ageMs }: SignedAttempt, rpc: SolanaRpc | undefined, signal: AbortSignal): Promise<boolean> {
  if (rpc === undefined || blockhashes.length === 0 || ageMs() < KNOWN_EVERYWHERE_MS) {
    return false;
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RPC_BUDGET_MS)]);
  try {
    const valid = await Promise.all(blockhashes.map((blockhash) => rpc.isBlockhashValid(blockhash, { signal: limit })));
    return valid.every((one) => !one);
  } catch {
    return false;
  }
}
