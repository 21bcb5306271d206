import { DAY_MS } from '../../base/time';
import { hasExpired, isOfSameNetwork, type Lifetime, MAY_HAVE_EFFECT_MS } from '../expiry';
import { isEnd } from '../journal/states';
import { showsInLists } from '../../base/operationKinds';
import { isServiceAnswer, type Reason } from '../../base/reasons/reason';
import type { NewEvent, OperationRecord } from '../journal/types';
import { wasSubmitted } from '../signedAttempts';
import type { Cause } from './attribution';
import { LISTINGS_AFTER_CONFIRMATION, LISTINGS_WITHOUT_CONFIRMATION, type NetworkObservation } from './observations';

/** What was observed of an operation. */
export interface Observations {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** `undefined`: there is no RPC, or it doesn't answer. */
  readonly network: NetworkObservation | undefined;
  /** Whether the user has an RPC, even if it doesn't answer now: only its answer settles the operation. Default: whether it answered. */
  readonly hasRpc?: boolean | undefined;
  /** Number of clean listings in a row that showed the effect. */
  readonly showing: number;
  /** Number of clean listings in a row that did not, each read when {@link canLand} was false. */
  readonly notShowing: number;
  /** Number of network observations in a row, each when {@link canLand} was false, that found none of its transactions executed. */
  readonly silent?: number | undefined;
  /** Whose effect the listings may show. Default: its own. */
  readonly cause?: Cause | undefined;
}

/** The final event of an operation, or the one that makes it watched. */
export type Conclusion = Extract<NewEvent, { kind: 'landed' | 'settled' | 'expired' | 'failed' | 'abandoned' | 'unconfirmed' }>;

/** 150 blocks and a margin at 0.8 s a block, as on a bad day, and two observations. Only a limit for waiting: the height decides. */
const KNOWN_BY_RPC_MS = 160_000;
/** Duration of the two listings that end the search without an RPC. */
const LISTINGS_MS = 30_000;
/** For this long after the build every node remembers a signature's status, and listings may lag. */
const REMEMBERED_MS = 600_000;
/** Number of observations that prove that nothing landed: the first one may have asked a node that lags. */
export const OBSERVATIONS_REQUIRED = 2;
/** After this time unknown outcomes are no longer looked for. */
export const OBSERVATION_PERIOD_MS = DAY_MS;

/**
 * Whether something of an operation may still land. An RPC proves that it can't: each transaction is on chain with an error (none is
 * accepted twice), or the chain is past it (`hasExpired`). Without an RPC, the clock decides.
 */
export function canLand(record: OperationRecord, { nowMs, network }: Pick<Observations, 'nowMs' | 'network'>): boolean {
  if (network !== undefined && hasWhollyFailed(record, network)) {
    return false;
  }
  const lifetime = lifetimeOf(record, nowMs);
  const isOver = network === undefined ? undefined : hasExpired(lifetime, network);
  return !(isOver ?? lifetime.ageMs >= MAY_HAVE_EFFECT_MS);
}

/** Whether each of its transactions is on chain (not only provisionally) and failed. */
function hasWhollyFailed({ signatures }: OperationRecord, { statuses }: NetworkObservation): boolean {
  return (
    signatures.length > 0 &&
    statuses.length === signatures.length &&
    statuses.every((status) => status?.error !== undefined && status.isProvisional !== true)
  );
}

/**
 * By when the outcome is known if RPC or service answer, milliseconds since 1970: when nothing of it can land any more on a slow day, plus
 * the observations that prove it.
 * @param hasRpc without an RPC it takes two listings after the time in which listings may lag
 */
export function knownByMs({ built, created }: OperationRecord, hasRpc: boolean): number {
  return (built?.atMs ?? created.atMs) + (hasRpc ? KNOWN_BY_RPC_MS : MAY_HAVE_EFFECT_MS + LISTINGS_MS);
}

/** Until when something of it may land by the clock, milliseconds since 1970. */
export function mayLandUntilMs({ built, created }: OperationRecord): number {
  return (built?.atMs ?? created.atMs) + MAY_HAVE_EFFECT_MS;
}

/** The lifetime of its transactions. @param nowMs the time for its age */
export function lifetimeOf({ built, created }: OperationRecord, nowMs: number): Lifetime {
  return { lastValidBlockHeight: built?.lastValidBlockHeight, ageMs: nowMs - (built?.atMs ?? created.atMs) };
}

/** The end of an operation whose window was closed before anything was sent. */
export const closedBeforeSending = (): Extract<Conclusion, { kind: 'abandoned' }> => ({
  kind: 'abandoned',
  reason: { code: 'closedBeforeSending' },
});

/** An operation and what was observed of it. */
interface Case {
  readonly record: OperationRecord;
  readonly observed: Observations;
  /** Number of transactions that the network executed without an error, some perhaps in a block that is dropped again. */
  readonly executed: number;
  /** Number of those that can't be undone by another fork. */
  readonly landed: number;
}

function caseOf(record: OperationRecord, observed: Observations): Case {
  const successes = (observed.network?.statuses ?? []).filter((status) => status !== undefined && status.error === undefined);
  return { record, observed, executed: successes.length, landed: successes.filter((status) => status?.isProvisional !== true).length };
}

type Condition = (of: Case) => boolean;

const not =
  (condition: Condition): Condition =>
  (of) =>
    !condition(of);

// Its transactions.
const wasSent: Condition = ({ record }) => wasSubmitted(record);
const isOver: Condition = ({ record, observed }) => !canLand(record, observed);
const isForgotten: Condition = (of) => ageMsOf(of) >= REMEMBERED_MS;
const isGivenUp: Condition = (of) => ageMsOf(of) >= OBSERVATION_PERIOD_MS;
const isLanded: Condition = ({ record }) => record.state === 'landed';
const isJustSubmitted: Condition = ({ record }) => record.state === 'submitted';
/** The service reported a landing. */
const hasServiceWord: Condition = ({ record }) => record.events.some(({ kind }) => kind === 'landed');

// The chain, by the user's RPC.
const hasRpc: Condition = ({ observed }) => observed.hasRpc ?? observed.network !== undefined;
const rpcAnswers: Condition = ({ observed }) => observed.network !== undefined;
const allLanded: Condition = ({ record, landed }) => landed > 0 && landed === record.signatures.length;
const someLanded: Condition = ({ landed }) => landed > 0;
const noneExecuted: Condition = ({ executed }) => executed === 0;
const someExecuted: Condition = ({ record, executed }) => executed > 0 && executed < record.signatures.length;
const someFailed: Condition = (of) => failureOf(of) !== undefined;
const allFailed: Condition = ({ record, observed: { network } }) => network !== undefined && hasWhollyFailed(record, network);
/** An RPC that would know them has been asked often enough, and none is executed. */
const isSilent: Condition = (of) => {
  const { network, silent = 0, nowMs } = of.observed;
  const wouldKnow = network !== undefined && isOfSameNetwork(lifetimeOf(of.record, nowMs), network) && !isForgotten(of);
  return silent >= OBSERVATIONS_REQUIRED && wouldKnow && noneExecuted(of);
};

// The listings of positions, by the service.
/** No listing shows it, whatever became of it. */
const isUnlisted: Condition = ({ record }) => !showsInLists(record.created.operation);
/** Enough listings in a row show the effect. */
const isListed: Condition = (of) =>
  !isUnlisted(of) && of.observed.showing >= (isConfirmed(of) ? LISTINGS_AFTER_CONFIRMATION : LISTINGS_WITHOUT_CONFIRMATION);
/** The last listing showed the effect; perhaps the next one has yet to confirm it. */
const isShown: Condition = ({ observed }) => observed.showing > 0;
/** Enough listings in a row, each read when nothing could land any more, do not show the effect; or none ever does. */
const isMissing: Condition = (of) => isUnlisted(of) || of.observed.notShowing >= LISTINGS_WITHOUT_CONFIRMATION;
const isConfirmed: Condition = (of) => hasServiceWord(of) || allLanded(of);
/** What the listings show can only be its own effect. */
const isOwn: Condition = (of) => causeOf(of) === 'own';
/** What the listings show can be the effect of another operation, which settled. */
const isByAnother: Condition = (of) => causeOf(of) === 'another';
/** What the listings show can be the effect of a later operation, which has not ended. */
const isAwaited: Condition = (of) => causeOf(of) === 'awaited';

function ageMsOf({ record, observed }: Case): number {
  return lifetimeOf(record, observed.nowMs).ageMs;
}

/** Without an RPC, the service's report of the landing tells the effects of two operations apart. */
function causeOf(of: Case): Cause {
  return hasServiceWord(of) && !hasRpc(of) ? 'own' : (of.observed.cause ?? 'own');
}

/** The network's error of a failed transaction. */
function failureOf({ observed }: Case): string | undefined {
  return observed.network?.statuses.find((status) => status?.error !== undefined && status.isProvisional !== true)?.error;
}

interface Rule {
  /** All of them hold. */
  readonly when: readonly Condition[];
  readonly conclude: (of: Case) => Conclusion;
}

/**
 * What the observations prove; the first rule whose conditions hold decides. With an RPC only the operation's own signatures prove that it
 * landed or not, and a listing only says when the effect can be seen. If no rule holds, it stays watched.
 */
const RULES: readonly Rule[] = [
  // Nothing lands that was never sent.
  { when: [not(wasSent)], conclude: closedBeforeSending },

  // It took effect.
  // The chain has all of it, and the user can see it.
  { when: [hasRpc, allLanded, isListed], conclude: settled },
  { when: [hasRpc, allLanded, isUnlisted], conclude: settled },
  // The chain has all of it: a listing that never shows it is not awaited forever.
  { when: [hasRpc, allLanded, isForgotten], conclude: settledUnlisted },
  // A part landed and shows, and the rest no longer can land.
  { when: [hasRpc, someLanded, isListed, isOver], conclude: settledInPart },
  // Without an RPC the listings decide, if nothing else explains what they show.
  { when: [not(hasRpc), isListed, isOwn], conclude: settled },
  // Something else explains it; while this one may land, its own report may still come.
  { when: [not(hasRpc), isListed, isByAnother, isOver], conclude: madeByAnother },

  // It can no longer land, and the user has an RPC.
  // A part was executed, and the listings do not show it.
  { when: [isOver, hasRpc, someExecuted, isMissing], conclude: failedInPart },
  // A part was executed. Inconclusive listings are not awaited forever; one that shows it is read once more.
  { when: [isOver, hasRpc, someExecuted, isForgotten, not(isShown)], conclude: failedInPart },
  // A transaction that failed on chain can't be executed later.
  { when: [isOver, hasRpc, allFailed], conclude: failedOnChain },
  // The chain has only failures, and no listing of its own effect contradicts that.
  { when: [isOver, hasRpc, isSilent, someFailed, not(isShown)], conclude: failedOnChain },
  { when: [isOver, hasRpc, isSilent, someFailed, isByAnother], conclude: failedOnChain },
  // The chain has nothing of it, and nothing shows.
  { when: [isOver, hasRpc, isSilent, not(isShown)], conclude: expired },
  // The chain has nothing of it, and another operation explains what shows.
  { when: [isOver, hasRpc, isSilent, isByAnother], conclude: expiredBesideAnother },
  // The chain has nothing of it, but something shows that no other operation explains.
  { when: [isOver, hasRpc, isSilent, isOwn], conclude: madeElsewhere },
  // The RPC has forgotten it or never had it, and something shows.
  { when: [isOver, hasRpc, noneExecuted, isForgotten, not(isAwaited), rpcAnswers, isListed], conclude: madeElsewhere },
  // Only the chain can show it, and the RPC never proved anything.
  { when: [isOver, hasRpc, isUnlisted, noneExecuted, isForgotten], conclude: unproven },
  // Nothing shows, but the RPC can no longer prove that nothing landed.
  { when: [isOver, hasRpc, noneExecuted, isForgotten, not(isAwaited), rpcAnswers, isMissing], conclude: forgotten },
  // Nothing shows, and the RPC never proved that nothing landed.
  { when: [isOver, hasRpc, noneExecuted, isForgotten, not(isAwaited), isMissing], conclude: unanswered },

  // It can no longer land, and the user has no RPC.
  // Only the chain can show it: neither the service's word nor a difference of balances proves it.
  { when: [isOver, not(hasRpc), isUnlisted], conclude: unproven },
  // Listings can lag, so they never prove that nothing landed.
  { when: [isOver, not(hasRpc), isMissing, not(hasServiceWord)], conclude: missing },

  // Nothing can be learned any more.
  { when: [isOver, isGivenUp], conclude: givenUp },

  // It is open, and its record does not say so yet.
  // The chain has all of it before a listing shows it.
  { when: [allLanded, not(isLanded)], conclude: landed },
  // Its window was closed right after it was sent.
  { when: [isJustSubmitted], conclude: unconfirmed },
];

/** The conclusion that the observations prove; `undefined`: nothing new, it stays watched. No conclusion causes anything to be sent. */
export function conclude(record: OperationRecord, observations: Observations): Conclusion | undefined {
  if (isEnd(record.state) || record.created.operation === 'rebalance') {
    return undefined;
  }
  const of = caseOf(record, observations);
  return RULES.find(({ when }) => when.every((holds) => holds(of)))?.conclude(of);
}

function settled(): Extract<Conclusion, { kind: 'settled' }> {
  return { kind: 'settled', lamportsBack: undefined, shortfall: undefined };
}

function settledUnlisted(): Conclusion {
  return { ...settled(), shortfall: { code: 'landedNotListed' } };
}

function settledInPart({ record: { signatures }, landed: count }: Case): Conclusion {
  return { ...settled(), landedTransactions: count, shortfall: { code: 'settledInPart', landed: count, of: signatures.length } };
}

/** Without proof by the chain, the effect that the listings show is credited to nothing. */
function madeByAnother(): Conclusion {
  return unclear({ code: 'madeByAnother' });
}

function failedInPart({ record: { signatures }, executed }: Case): Conclusion {
  return { kind: 'failed', landedTransactions: executed, reason: { code: 'failedInPart', landed: executed, of: signatures.length } };
}

function failedOnChain(of: Case): Conclusion {
  return { kind: 'failed', reason: { code: 'failedOnChain', error: failureOf(of) ?? '' } };
}

function expired({ record }: Case): Conclusion {
  return { kind: 'expired', reason: { code: 'notLanded', isBesideAnother: false, answered: answerOf(record) } };
}

function expiredBesideAnother({ record }: Case): Conclusion {
  return { kind: 'expired', reason: { code: 'notLanded', isBesideAnother: true, answered: answerOf(record) } };
}

/** The service's last answer: the only known cause if it did not land. */
function answerOf({ events }: OperationRecord): Reason | undefined {
  const last = events.findLast((event) => event.kind === 'unconfirmed')?.reason;
  return last !== undefined && isServiceAnswer(last) ? last : undefined;
}

/** The listings show the effect, and none of its own signatures is on the chain: nothing may be credited to it. */
function madeElsewhere({ record: { signatures } }: Case): Conclusion {
  return unclear({ code: 'madeElsewhere', transactions: signatures.length });
}

function forgotten(): Conclusion {
  return unclear({ code: 'forgotten' });
}

function unanswered(): Conclusion {
  return unclear({ code: 'unanswered' });
}

function missing({ record: { signatures } }: Case): Conclusion {
  return unclear({ code: 'missing', transactions: signatures.length });
}

function unproven({ record: { signatures } }: Case): Conclusion {
  return unclear({ code: 'unproven', transactions: signatures.length });
}

function givenUp(): Conclusion {
  return unclear({ code: 'givenUp' });
}

/** @param reason why it is not known whether it landed, and what to do; "it may have landed" is said beside it */
function unclear(reason: Reason): Conclusion {
  return { kind: 'failed', isUnclear: true, reason };
}

function landed({ record: { signatures } }: Case): Conclusion {
  return { kind: 'landed', signature: signatures.at(-1) };
}

function unconfirmed(): Conclusion {
  return { kind: 'unconfirmed', reason: { code: 'lostSight' } };
}
