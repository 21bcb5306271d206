import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { hasExpired, isOfSameNetwork, type Lifetime, MAY_HAVE_EFFECT_MS } from '../expiry';
import { isEnd } from '../journal/states';
import type { NewEvent, OperationRecord } from '../journal/types';
import { wasSubmitted } from '../signedAttempts';
import { closes } from './attribution';
import { type FundsFound, LISTINGS_AFTER_CONFIRMATION, LISTINGS_WITHOUT_CONFIRMATION, type NetworkObservation } from './observations';

/** What was observed of an operation. */
export interface Observations {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** `undefined`: there is no RPC, or it doesn't answer. */
  readonly network: NetworkObservation | undefined;
  /** Number of clean listings in a row that showed the effect. */
  readonly showing: number;
  /** Number of clean listings in a row that did not, each read when {@link canLand} was false. */
  readonly notShowing: number;
  /** Number of network observations in a row, each when {@link canLand} was false, that found none of its transactions executed. */
  readonly silent?: number | undefined;
  /** The evidence of the owner's SOL, read when {@link canLand} was false. `undefined`: not read, and not going to be. */
  readonly funds?: FundsFound | undefined;
  /** Whether the user has an RPC, even if it doesn't answer now: its answer is awaited then. */
  readonly hasRpc?: boolean | undefined;
  /**
   * Whether another operation withdrew from the same position since this one was sent: a listing may show that one's effect
   * (`wasDoneByAnother`).
   */
  readonly isByAnother?: boolean | undefined;
  /** Whether a listing may show the effect of another operation that has not ended (`mayBeByUnfinished`). */
  readonly mayBeByUnfinished?: boolean | undefined;
}

/** The final event of an operation, or the one that makes it watched. */
export type Conclusion = Extract<NewEvent, { kind: 'landed' | 'settled' | 'expired' | 'failed' | 'abandoned' | 'unconfirmed' }>;

/** The reason in journals of earlier versions, which wrote no code, when the service answered. */
const ANSWERED = /^It was sent, and the service answered /;
/** 150 blocks and a margin at 0.8 s a block, as on a bad day, and two observations. Only a limit for waiting: the height decides. */
const KNOWN_BY_RPC_MS = 160_000;
/** Duration of the two listings that are proof without an RPC. */
const LISTINGS_MS = 30_000;
/** For this long after the build every node remembers a signature's status, and listings may lag. */
const REMEMBERED_MS = 600_000;
/** Number of observations that prove that nothing landed: the first one may have asked a node that lags. */
export const OBSERVATIONS_REQUIRED = 2;
/** After this time unknown outcomes are no longer looked for. */
export const OBSERVATION_PERIOD_MS = 86_400_000;

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

/** The reason in journals of earlier versions, which wrote no code. */
const CLOSED_BEFORE_SENDING = 'Binsight was closed before anything was sent.';

/** The end of an operation whose window was closed before anything was sent. */
export const closedBeforeSending = (): Extract<Conclusion, { kind: 'abandoned' }> => ({
  kind: 'abandoned',
  reason: l10n.t('Binsight was closed before anything was sent.'),
  code: 'closedBeforeSending',
});

/** Whether an operation ended as in {@link closedBeforeSending}, also by an earlier version. */
export function wasClosedBeforeSending({ reason, reasonCode }: Pick<OperationRecord, 'reason' | 'reasonCode'>): boolean {
  return reasonCode === 'closedBeforeSending' || reason === CLOSED_BEFORE_SENDING;
}

/** The conclusion that the observations prove; `undefined`: nothing new, it stays watched. No conclusion causes anything to be sent. */
export function conclude(record: OperationRecord, observations: Observations): Conclusion | undefined {
  if (isEnd(record.state) || record.created.operation === 'rebalance') {
    return undefined;
  }
  if (!wasSubmitted(record)) {
    return closedBeforeSending();
  }
  const seen = seenOf(record, observations);
  return settled(seen) ?? withAnswer(ended(seen), record) ?? stillOpen(record, seen);
}

/** Adds the service's answer to the reason, if something did not land: it is the only known cause. */
function withAnswer(conclusion: Conclusion | undefined, { events }: OperationRecord): Conclusion | undefined {
  const last = events.findLast((event) => event.kind === 'unconfirmed');
  return conclusion?.kind === 'expired' && last !== undefined && (last.code === 'serviceAnswered' || ANSWERED.test(last.reason))
    ? { ...conclusion, reason: `${conclusion.reason} ${last.reason}` }
    : conclusion;
}

/**
 * Whether the owner's SOL is needed as evidence: several transactions may have landed in part, which listings need not show, and the
 * network gives no answer.
 */
export function takesFunds(record: OperationRecord, { nowMs, network }: Pick<Observations, 'nowMs' | 'network'>): boolean {
  const { transactions, succeeded, wouldBeKnown } = seenOf(record, { nowMs, network, showing: 0, notShowing: 0 });
  return transactions > 1 && succeeded === 0 && !wouldBeKnown;
}

/** The observations in numbers. */
interface Seen {
  readonly transactions: number;
  readonly succeeded: number;
  /** The network's error of a failed transaction. */
  readonly failure: string | undefined;
  readonly canLand: boolean;
  readonly ageMs: number;
  readonly hasServiceWord: boolean;
  /** Whether the network would know now if something of it had landed. */
  readonly wouldBeKnown: boolean;
  readonly isShowing: boolean;
  /** The last listing showed it; the next one must confirm it. */
  readonly hasShown: boolean;
  readonly isNotShowing: boolean;
  /** The network, which would know, has been observed often enough without any executed transaction, and no listing contradicts. */
  readonly isSilent: boolean;
  /** Each of its transactions is on chain and failed. */
  readonly hasWhollyFailed: boolean;
  readonly funds: FundsFound;
  /** The user's RPC may still learn the outcome. */
  readonly mayBeKnownYet: boolean;
  /** A listing can't tell it from another operation, and the service did not report a landing. */
  readonly isByAnother: boolean;
  /** The same, of an operation that has not ended: its end is awaited. */
  readonly mayBeByUnfinished: boolean;
  /** It closes its position, which is possible only once. */
  readonly isClosing: boolean;
}

function seenOf(record: OperationRecord, observations: Observations): Seen {
  const {
    network,
    nowMs,
    showing,
    notShowing,
    silent = 0,
    funds = { kind: 'unknown' },
    hasRpc = false,
    isByAnother = false,
    mayBeByUnfinished: isByUnfinished = false,
  } = observations;
  const statuses = network?.statuses ?? [];
  const succeeded = statuses.filter((status) => status !== undefined && status.error === undefined).length;
  const transactions = record.signatures.length;
  const hasServiceWord = record.events.some(({ kind }) => kind === 'landed');
  const hasWord = hasServiceWord || (transactions > 0 && succeeded === transactions);
  const lifetime = lifetimeOf(record, nowMs);
  const { ageMs } = lifetime;
  const wouldBeKnown = network !== undefined && isOfSameNetwork(lifetime, network) && ageMs < REMEMBERED_MS;
  return {
    transactions,
    succeeded,
    failure: statuses.find((status) => status?.error !== undefined && status.isProvisional !== true)?.error,
    canLand: canLand(record, observations),
    ageMs,
    hasServiceWord,
    wouldBeKnown,
    isShowing: showing >= (hasWord ? LISTINGS_AFTER_CONFIRMATION : LISTINGS_WITHOUT_CONFIRMATION),
    hasShown: showing > 0,
    isNotShowing: notShowing >= LISTINGS_WITHOUT_CONFIRMATION,
    isSilent: silent >= OBSERVATIONS_REQUIRED && showing === 0 && wouldBeKnown,
    hasWhollyFailed: network !== undefined && hasWhollyFailed(record, network),
    funds,
    mayBeKnownYet: hasRpc && ageMs < REMEMBERED_MS,
    isByAnother: isByAnother && !hasServiceWord,
    mayBeByUnfinished: isByUnfinished && !hasServiceWord,
    isClosing: closes(record),
  };
}

/** Its effect is listed. If only a part is known to have landed, it ends once the rest no longer can land. */
function settled({
  isShowing,
  succeeded,
  transactions,
  canLand: mayStillLand,
  ageMs,
  isByAnother,
  mayBeByUnfinished: isByUnfinished,
  isClosing,
  wouldBeKnown,
}: Seen): Conclusion | undefined {
  const hasAllLanded = transactions > 0 && succeeded === transactions;
  if (hasAllLanded && !isShowing && ageMs >= REMEMBERED_MS) {
    return {
      kind: 'settled',
      lamportsBack: undefined,
      shortfall: l10n.t('All of its transactions landed, but the service does not list the change. Activity has the signatures.'),
    };
  }
  if (isShowing && isByAnother && succeeded === 0) {
    return mayStillLand ? undefined : byAnother(wouldBeKnown || isClosing);
  }
  if (isShowing && isByUnfinished && succeeded === 0) {
    // Whose effect it is depends on how the other one ends.
    return undefined;
  }
  const isPart = succeeded > 0 && succeeded < transactions;
  if (!isShowing || (isPart && mayStillLand)) {
    return undefined;
  }
  return isPart
    ? {
        kind: 'settled',
        lamportsBack: undefined,
        landedTransactions: succeeded,
        shortfall: l10n.t`${succeeded} of its ${transactions} transactions landed, and the others no longer can. What is missing is in your wallet or in the position: use "Complete Interrupted Operation" in Activity.`,
      }
    : { kind: 'settled', lamportsBack: undefined, shortfall: undefined };
}

/** The position shows the effect of another operation. @param isKnown whether that one explains all of it */
function byAnother(isKnown: boolean): Conclusion {
  return isKnown
    ? {
        kind: 'expired',
        reason: l10n.t('It did not land: another operation on the same position made the change that your positions show.'),
      }
    : {
        kind: 'failed',
        isUnclear: true,
        reason: l10n.t(
          'It can no longer land. Whether it did cannot be determined without an RPC that has its transactions (setting binsight.rpcUrl), because another operation withdrew from the same position. Check the position and your wallet before you repeat it.',
        ),
      };
}

/** Its effect is not listed, and it can no longer land. */
function ended(seen: Seen): Conclusion | undefined {
  const {
    canLand: mayStillLand,
    isNotShowing,
    hasShown,
    isSilent,
    hasWhollyFailed: isWhollyFailed,
    succeeded,
    transactions,
    failure,
    hasServiceWord,
    wouldBeKnown,
    ageMs,
  } = seen;
  if (mayStillLand) {
    return undefined;
  }
  // Inconclusive listings are not awaited forever if the network knows. A listing that shows it is read once more.
  if ((isNotShowing || (ageMs >= REMEMBERED_MS && !hasShown)) && succeeded > 0 && succeeded < transactions) {
    return {
      kind: 'failed',
      landedTransactions: succeeded,
      reason: l10n.t`${succeeded} of its ${transactions} transactions landed, and the others no longer can. Nothing is lost: "Complete Interrupted Operation" in Activity finds out what is left to do.`,
    };
  }
  if ((isNotShowing || isSilent || isWhollyFailed) && succeeded === 0 && failure !== undefined) {
    return { kind: 'failed', reason: l10n.t`It failed on chain (${failure}): nothing happened except that its network fees were paid.` };
  }
  // The chain alone proves it, so a lagging listing or an unavailable service can't delay the conclusion.
  if (isSilent && succeeded === 0) {
    return nothingHappened();
  }
  // If the service reported a landing, absence from a listing is not enough.
  if (isNotShowing && succeeded === 0 && (wouldBeKnown || !hasServiceWord)) {
    return withoutTrace(seen);
  }
  return ageMs >= OBSERVATION_PERIOD_MS
    ? {
        kind: 'failed',
        isUnclear: true,
        reason: l10n.t(
          'Its outcome could not be determined within a day, and it can no longer land. Check your positions and your wallet; Activity has the signatures.',
        ),
      }
    : undefined;
}

const nothingHappened = (): Conclusion => ({ kind: 'expired', reason: l10n.t('It did not land: nothing happened.') });

/**
 * No listing shows it, and it can no longer land. "Nothing happened" is concluded only with proof: by the network; of a single transaction,
 * which is atomic; and of several if the owner's SOL is unchanged, since each landed one costs its fee. Otherwise it ends as unclear.
 */
function withoutTrace({ wouldBeKnown, transactions, funds, mayBeKnownYet }: Seen): Conclusion | undefined {
  if (wouldBeKnown) {
    return nothingHappened();
  }
  if (transactions <= 1) {
    return { kind: 'expired', reason: l10n.t('It did not land: your positions do not show it, and it can no longer land.') };
  }
  if (funds.kind === 'unchanged') {
    return {
      kind: 'expired',
      reason: l10n.t(
        'It did not land: your positions do not show it, it can no longer land, and your SOL balance is exactly what it was right before it was sent.',
      ),
    };
  }
  if (funds.kind === 'awaited' || mayBeKnownYet) {
    return undefined;
  }
  const balance =
    funds.kind === 'changed'
      ? funds.isAlone
        ? l10n.t` Your SOL balance was ${lamportsToSol(funds.beforeLamports)} SOL right before it was sent and is ${lamportsToSol(funds.nowLamports)} SOL now.`
        : l10n.t` Your SOL balance was ${lamportsToSol(funds.beforeLamports)} SOL right before it was sent and is ${lamportsToSol(funds.nowLamports)} SOL now; other operations were sent from the wallet meanwhile.`
      : '';
  return {
    kind: 'failed',
    isUnclear: true,
    reason: l10n.t`Your positions do not show it, and it can no longer land. Whether some of its ${transactions} transactions landed cannot be determined without an RPC that has them (setting binsight.rpcUrl).${balance} Check your wallet before you repeat it; Activity has the signatures.`,
  };
}

/** It was sent, and its outcome is unknown. */
function stillOpen({ state, signatures }: OperationRecord, { succeeded, transactions }: Seen): Conclusion | undefined {
  if (transactions > 0 && succeeded === transactions) {
    return state === 'landed' ? undefined : { kind: 'landed', signature: signatures.at(-1) };
  }
  return state === 'submitted'
    ? { kind: 'unconfirmed', reason: l10n.t('Binsight was closed or lost its connection after it was sent. Its outcome is being checked.') }
    : undefined;
}
