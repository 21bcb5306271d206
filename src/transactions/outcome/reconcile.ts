import * as l10n from '@vscode/l10n';
import { DAY_MS } from '../../base/time';
import { hasExpired, isOfSameNetwork, type Lifetime, MAY_HAVE_EFFECT_MS } from '../expiry';
import { isEnd } from '../journal/states';
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

/** The reason in journals of earlier versions, which wrote no code, when the service answered. */
const ANSWERED = /^It was sent, and the service answered /;
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

/** The observations in numbers. */
interface Seen {
  readonly transactions: number;
  /** Transactions that the network executed without an error, some perhaps in a block that is dropped again. */
  readonly executed: number;
  /** Those of them that can't be undone by another fork. */
  readonly landed: number;
  /** The network's error of a failed transaction. */
  readonly failure: string | undefined;
  readonly canLand: boolean;
  readonly ageMs: number;
  readonly hasRpc: boolean;
  /** The RPC answered the last time. */
  readonly hasAnswer: boolean;
  readonly hasServiceWord: boolean;
  readonly isShowing: boolean;
  /** The last listing showed it; the next one must confirm it. */
  readonly hasShown: boolean;
  readonly isNotShowing: boolean;
  /** The network, which would know, has been observed often enough without any executed transaction. */
  readonly isSilent: boolean;
  /** Each of its transactions is on chain and failed. */
  readonly hasWhollyFailed: boolean;
  readonly cause: Cause;
}

function seenOf(record: OperationRecord, observations: Observations): Seen {
  const { network, nowMs, showing, notShowing, silent = 0, hasRpc = network !== undefined, cause = 'own' } = observations;
  const successes = (network?.statuses ?? []).filter((status) => status !== undefined && status.error === undefined);
  const landed = successes.filter((status) => status?.isProvisional !== true).length;
  const transactions = record.signatures.length;
  const hasServiceWord = record.events.some(({ kind }) => kind === 'landed');
  const hasWord = hasServiceWord || (transactions > 0 && landed === transactions);
  const lifetime = lifetimeOf(record, nowMs);
  const { ageMs } = lifetime;
  const wouldBeKnown = network !== undefined && isOfSameNetwork(lifetime, network) && ageMs < REMEMBERED_MS;
  return {
    transactions,
    executed: successes.length,
    landed,
    failure: network?.statuses.find((status) => status?.error !== undefined && status.isProvisional !== true)?.error,
    canLand: canLand(record, observations),
    ageMs,
    hasRpc,
    hasAnswer: network !== undefined,
    hasServiceWord,
    isShowing: showing >= (hasWord ? LISTINGS_AFTER_CONFIRMATION : LISTINGS_WITHOUT_CONFIRMATION),
    hasShown: showing > 0,
    isNotShowing: notShowing >= LISTINGS_WITHOUT_CONFIRMATION,
    isSilent: silent >= OBSERVATIONS_REQUIRED && wouldBeKnown && successes.length === 0,
    hasWhollyFailed: network !== undefined && hasWhollyFailed(record, network),
    cause: hasServiceWord && !hasRpc ? 'own' : cause,
  };
}

const WHOLE = { kind: 'settled', lamportsBack: undefined, shortfall: undefined } as const;

/** It took effect: by its own signatures on the chain or, without an RPC, by the listings. */
function settled(seen: Seen): Conclusion | undefined {
  return seen.hasRpc ? settledByChain(seen) : settledByListings(seen);
}

/** A listing only says when the effect can be seen. If only a part is known to have landed, it ends once the rest no longer can land. */
function settledByChain({ isShowing, landed, transactions, canLand: mayStillLand, ageMs }: Seen): Conclusion | undefined {
  if (landed > 0 && landed === transactions) {
    return isShowing
      ? WHOLE
      : ageMs >= REMEMBERED_MS
        ? {
            ...WHOLE,
            shortfall: l10n.t('All of its transactions landed, but the service does not list the change. Activity has the signatures.'),
          }
        : undefined;
  }
  return landed > 0 && isShowing && !mayStillLand
    ? {
        ...WHOLE,
        landedTransactions: landed,
        shortfall: l10n.t`${landed} of its ${transactions} transactions landed, and the others no longer can. What is missing is in your wallet or in the position: use "Complete Interrupted Operation" in Activity.`,
      }
    : undefined;
}

function settledByListings({ isShowing, canLand: mayStillLand, cause }: Seen): Conclusion | undefined {
  return !isShowing || (cause !== 'own' && mayStillLand)
    ? undefined
    : cause === 'own'
      ? WHOLE
      : cause === 'another'
        ? unclear(
            l10n.t(
              'Another operation withdrew from the same position, so your positions cannot tell whether this one did, too. Look up its signature, or set an RPC (setting binsight.rpcUrl), before you repeat it.',
            ),
          )
        : undefined;
}

/** It can no longer land, and has not settled. */
function ended(seen: Seen): Conclusion | undefined {
  if (seen.canLand) {
    return undefined;
  }
  return (
    (seen.hasRpc ? endedByChain(seen) : endedWithoutChain(seen)) ??
    (seen.ageMs >= OBSERVATION_PERIOD_MS
      ? unclear(
          l10n.t(
            'Its outcome could not be determined within a day, and it can no longer land. Look up its signature, and check your positions and your wallet, before you repeat it.',
          ),
        )
      : undefined)
  );
}

/** Only the absence of its own signatures from a chain that would know them proves that it did not land. */
function endedByChain(seen: Seen): Conclusion | undefined {
  const { executed, transactions, isNotShowing, hasShown, isSilent, hasWhollyFailed: isWhollyFailed, failure, cause, ageMs } = seen;
  if (executed > 0) {
    // Inconclusive listings are not awaited forever if the network knows. A listing that shows it is read once more.
    return executed < transactions && (isNotShowing || (ageMs >= REMEMBERED_MS && !hasShown))
      ? {
          kind: 'failed',
          landedTransactions: executed,
          reason: l10n.t`${executed} of its ${transactions} transactions landed, and the others no longer can. Nothing is lost: "Complete Interrupted Operation" in Activity finds out what is left to do.`,
        }
      : undefined;
  }
  const isContradicted = hasShown && cause !== 'another';
  if (failure !== undefined && (isWhollyFailed || (isSilent && !isContradicted))) {
    return { kind: 'failed', reason: l10n.t`It failed on chain (${failure}): nothing happened except that its network fees were paid.` };
  }
  if (isSilent) {
    return isContradicted
      ? cause === 'awaited'
        ? undefined
        : madeByOthers(seen)
      : {
          kind: 'expired',
          reason: hasShown
            ? l10n.t('It did not land: another operation on the same position made the change that your positions show.')
            : l10n.t('It did not land: nothing happened.'),
        };
  }
  if (ageMs < REMEMBERED_MS || cause === 'awaited') {
    return undefined;
  }
  if (seen.hasAnswer && seen.isShowing) {
    return madeByOthers(seen);
  }
  return isNotShowing
    ? unclear(
        seen.hasAnswer
          ? l10n.t(
              'Your positions do not show it, and your RPC no longer remembers whether it landed. Look up its signature before you repeat it.',
            )
          : l10n.t(
              'Your positions do not show it, and your RPC did not answer in time. Look up its signature, or check the RPC, before you repeat it.',
            ),
      )
    : undefined;
}

/** The listings show the effect, and none of its own signatures is on the chain: nothing may be credited to it. */
function madeByOthers({ transactions }: Seen): Conclusion {
  return unclear(
    transactions === 1
      ? l10n.t(
          'Your positions show the change, but your RPC does not have its transaction: the change may have been made elsewhere, or the list may be wrong. Look up its signature, and check your positions and your wallet, before you repeat it.',
        )
      : l10n.t`Your positions show the change, but your RPC has none of its ${transactions} transactions: the change may have been made elsewhere, or the list may be wrong. Look up its signatures, and check your positions and your wallet, before you repeat it.`,
  );
}

/** Listings can lag, and they are the service's word: without the chain nothing is known not to have landed. */
function endedWithoutChain({ isNotShowing, hasServiceWord, transactions }: Seen): Conclusion | undefined {
  return isNotShowing && !hasServiceWord
    ? unclear(
        transactions === 1
          ? l10n.t(
              'Your positions do not show it, but lists can lag. Look up its signature, or set an RPC (setting binsight.rpcUrl), before you repeat it.',
            )
          : l10n.t`Your positions do not show it, but lists can lag, and some of its ${transactions} transactions may have landed without the others. Look up its signatures, or set an RPC (setting binsight.rpcUrl), before you repeat it.`,
      )
    : undefined;
}

/** @param reason why it is not known whether it landed, and what to do; "it may have landed" is said beside it */
function unclear(reason: string): Conclusion {
  return { kind: 'failed', isUnclear: true, reason };
}

/** It was sent, and its outcome is unknown. */
function stillOpen({ state, signatures }: OperationRecord, { landed, transactions }: Seen): Conclusion | undefined {
  if (transactions > 0 && landed === transactions) {
    return state === 'landed' ? undefined : { kind: 'landed', signature: signatures.at(-1) };
  }
  return state === 'submitted'
    ? { kind: 'unconfirmed', reason: l10n.t('Binsight was closed or lost its connection after it was sent. Its outcome is being checked.') }
    : undefined;
}
