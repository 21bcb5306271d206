import type { Address } from '../../base/solana/address';
import { errorText } from '../../base/thrown';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { SignatureStatus, SolanaRpc } from '../../rpc/types';
import type { ParseWarning } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import type { OperationJournal, OperationRecord } from '../journal/types';
import { positionsOf } from '../operations';
import { pollIntervalMs } from '../requestPlan';
import { wasSubmitted } from '../signedAttempts';
import type { OperationDependencies } from '../types';
import type { EffectPredicate, Evidence } from './evidence';
import { evidenceOf } from './outcomes';

/** The state of an operation on chain by the user's RPC. */
export interface NetworkObservation {
  /** Requested before the signatures. */
  readonly blockHeight: bigint;
  /** Whether one of its blockhashes is still valid. */
  readonly isBlockhashValid: boolean;
  /** For each signature, requested after the height. `undefined`: unknown to the network. */
  readonly statuses: readonly (SignatureStatus | undefined)[];
}

/** Time limit for an answer of the RPC: over a slow connection one takes five seconds. */
const ANSWER_BUDGET_MS = 8_000;
/** For one operation: two answers, one after the other. */
const RPC_BUDGET_MS = 2 * ANSWER_BUDGET_MS;

/**
 * Observes a sent operation on chain; `undefined` without an RPC or a complete answer. Never rejects. The height is requested first:
 * signatures that are unknown at a height past the last valid block will never be known.
 */
export async function observeNetwork(
  { signatures, built }: OperationRecord,
  rpc: SolanaRpc | undefined,
  log: (message: string) => void,
): Promise<NetworkObservation | undefined> {
  if (rpc === undefined || built === undefined || signatures.length === 0) {
    return undefined;
  }
  const options = { signal: AbortSignal.timeout(RPC_BUDGET_MS) };
  try {
    const [blockHeight, valid] = await Promise.all([
      rpc.blockHeight(options),
      Promise.all(built.blockhashes.map((blockhash) => rpc.isBlockhashValid(blockhash, options))),
    ]);
    const statuses = await rpc.signatureStatuses(signatures, options);
    return { blockHeight, isBlockhashValid: valid.length === 0 || valid.includes(true), statuses };
  } catch (error) {
    log(`The RPC ${rpc.name} does not say what became of an operation: ${errorText(error)}`);
    return undefined;
  }
}

/** The statuses of an operation's signatures, requested once; `undefined` without an RPC or an answer. Never rejects. */
export async function observeStatuses(
  { signatures }: OperationRecord,
  rpc: SolanaRpc | undefined,
): Promise<NetworkObservation['statuses'] | undefined> {
  if (rpc === undefined || signatures.length === 0) {
    return undefined;
  }
  return rpc.signatureStatuses(signatures, { signal: AbortSignal.timeout(ANSWER_BUDGET_MS) }).catch(() => undefined);
}

/**
 * Number of listings in a row that must show the effect, with and without a landing reported by the service. A single listing may miss a
 * record.
 */
export const LISTINGS_AFTER_CONFIRMATION = 1;
export const LISTINGS_WITHOUT_CONFIRMATION = 2;

export interface SettlementTracker {
  readonly effect: EffectPredicate;
  /** {@link LISTINGS_AFTER_CONFIRMATION} or {@link LISTINGS_WITHOUT_CONFIRMATION} */
  readonly listings: number;
  /** Whether the current listing is of the operation's wallet and service. */
  readonly isOfThis: () => boolean;
}

/** Waits until the portfolio shows the effect of an operation; false after the timeout. */
export async function showsEffect(
  { effect, listings, isOfThis }: SettlementTracker,
  dependencies: Pick<OperationDependencies, 'portfolio' | 'settleTimeoutMs' | 'settleEveryMs' | 'requests'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { portfolio, settleTimeoutMs: timeoutMs, settleEveryMs, requests } = dependencies;
  let inARow = 0;
  const settled: EffectPredicate = (snapshot) => {
    // A listing of another wallet or service, or with unreadable records, is no evidence.
    const isWitness = isOfThis() && (listings === LISTINGS_AFTER_CONFIRMATION || !portfolio.warnings.some(mayHideRecord));
    inARow = isWitness && effect(snapshot) ? inARow + 1 : 0;
    return inARow >= listings;
  };
  return portfolio.waitUntil(settled, { timeoutMs, everyMs: pollIntervalMs(settleEveryMs, requests), signal });
}

/** Whether a parse warning concerns a whole record or the whole list ("data[3]", "data"): a position may be missing because of it. */
export function mayHideRecord({ path }: ParseWarning): boolean {
  return !path.includes('.');
}

/** A listing of positions at the time of its reading. */
export interface PositionListing {
  /** Its evidence about an operation; `unclear` also if records may be missing. */
  readonly evidence: (record: OperationRecord) => Evidence;
}

/** Reads the positions again; `undefined` after a failure, or if the list is of another wallet or service. Never rejects. */
export async function readListing(
  portfolio: PortfolioControl,
  owner: Address,
  isInUse: () => boolean,
): Promise<PositionListing | undefined> {
  const read = await readOwn(portfolio, owner, isInUse);
  return read && { evidence: (record) => (read.isClean ? evidenceOf(record, read.positions) : 'unclear') };
}

/** Reads all positions again; `undefined` also if records may be missing. Never rejects. */
export async function readCompleteListing(
  portfolio: PortfolioControl,
  owner: Address,
  isInUse: () => boolean,
): Promise<readonly OpenPosition[] | undefined> {
  const read = await readOwn(portfolio, owner, isInUse);
  return read?.isClean === true ? read.positions : undefined;
}

async function readOwn(
  portfolio: PortfolioControl,
  owner: Address,
  isInUse: () => boolean,
): Promise<{ readonly positions: readonly OpenPosition[]; readonly isClean: boolean } | undefined> {
  await portfolio.refresh('afterOperation', ['positions']);
  const { snapshot, warnings } = portfolio;
  if (snapshot.positionsState.kind !== 'ready' || snapshot.owner !== owner || !isInUse()) {
    return undefined;
  }
  return { positions: snapshot.positions, isClean: !warnings.some(mayHideRecord) };
}

// The effect of an operation shows by comparing two lists of positions. If the first list is older than the end of another operation on the
// same position, that operation's effect would be taken for this one's. The journal decides whether anything happened since, not the clock,
// which may be set.

/** The progress of all submitted operations on a position: number of events by operation id. */
export type JournalWatermark = ReadonlyMap<string, number>;

export function watermarkOf(records: readonly OperationRecord[], owner: Address, position: Address): JournalWatermark {
  const own = records.filter((record) => {
    const { plan, owner: whose } = record.created;
    return positionsOf(plan).some(({ address }) => address === position) && whose === owner && wasSubmitted(record);
  });
  return new Map(own.map(({ id, events }) => [id, events.length]));
}

/** Whether one of them has a new event, or another one was submitted. Operations that the journal has dropped do not count. */
export function hasAdvanced(before: JournalWatermark, now: JournalWatermark): boolean {
  return [...now].some(([id, events]) => before.get(id) !== events);
}

/**
 * Refreshes the list of positions if it may be older than the last journal event of an operation on this position. Never rejects: a failed
 * refresh shows in the snapshot, and an unreadable journal stops the operation later.
 * @returns the journal's progress that the list includes
 */
export async function refreshListing(
  owner: Address,
  position: Address,
  { journal, portfolio }: { readonly journal: Pick<OperationJournal, 'read'>; readonly portfolio: PortfolioControl },
): Promise<JournalWatermark> {
  const records = await journal.read().then(
    (read) => read.records,
    () => [],
  );
  const progress = watermarkOf(records, owner, position);
  const listedAtMs = listedAt(portfolio.snapshot);
  const isOlder = (record: OperationRecord) => progress.has(record.id) && !(listedAtMs !== undefined && record.updatedAtMs < listedAtMs);
  if (records.some(isOlder)) {
    await portfolio.refresh('afterOperation', ['positions']);
  }
  return progress;
}

/** When a snapshot's positions were read, milliseconds since 1970; `undefined`: never. */
function listedAt({ positionsState }: PortfolioSnapshot): number | undefined {
  return positionsState.kind === 'ready' || positionsState.kind === 'stale' ? positionsState.asOf.getTime() : undefined;
}
