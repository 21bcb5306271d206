import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { lamportsToSol } from '../../base/solana/amounts';
import { isEnd } from '../journal/states';
import type { NewEvent, OperationRecord } from '../journal/types';
import { KNOWN_EVERYWHERE_MS, MAY_HAVE_EFFECT_MS, wasSubmitted } from '../signedAttempts';
import { isOnSame } from '../target';
import { type FundsFound, LISTINGS_AFTER_CONFIRMATION, LISTINGS_WITHOUT_CONFIRMATION, type NetworkObservation } from './observations';

/** What was seen of an operation. */
export interface Observations {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** `undefined`: there is no RPC, or it does not answer. */
  readonly network: NetworkObservation | undefined;
  /** How many clean listings in a row showed the effect. */
  readonly showing: number;
  /** How many clean listings in a row, each read after {@link canLand} had become false, did not. */
  readonly notShowing: number;
  /** How many looks at the network in a row, each at a time when {@link canLand} was false, found none of its transactions carried out. */
  readonly silent?: number | undefined;
  /** What the owner's SOL says, looked at after {@link canLand} had become false. `undefined`: it was not looked at, and is not going to be. */
  readonly funds?: FundsFound | undefined;
  /** Whether the user has an RPC, be it that it does not answer just now: then that is waited for. */
  readonly hasRpc?: boolean | undefined;
  /** Whether something else took out of the same position since this was sent: what a listing shows may be that ({@link wasDoneByAnother}). */
  readonly isByAnother?: boolean | undefined;
}

/** The last event that an operation gets, or the one by which it is known to be looked for. */
export type Conclusion = Extract<NewEvent, { kind: 'landed' | 'settled' | 'expired' | 'failed' | 'abandoned' | 'unconfirmed' }>;

/** How journals of earlier versions, which wrote no code, say that the service answered. */
const ANSWERED = /^It was sent, and the service answered /;
/** How many blocks past the last one: the newest may yet be given up for others, and nodes are not all at the same. */
const MARGIN_BLOCKS = 32n;
/** The fastest that blocks come, and how far heights may be apart besides: an RPC that is further on is of another network. */
const FASTEST_BLOCK_MS = 250;
const MOST_BLOCKS_AHEAD = 2_000;
/** 150 blocks and the margin, at 0.8 s a block, which is twice as long as usual; and two looks. */
const KNOWN_BY_RPC_MS = 160_000;
/** How long the two listings take that prove something without an RPC. */
const LISTINGS_MS = 30_000;
/** For so long after it was built, every node remembers what became of a signature, and listings may lag. */
const REMEMBERED_MS = 600_000;
/** How many looks at the network prove that nothing landed: the first one may have asked a node that is behind. */
export const OBSERVATIONS_REQUIRED = 2;
/** After that, what does not show by itself is not looked for any longer. */
export const OBSERVATION_PERIOD_MS = 86_400_000;

/**
 * Whether something of an operation may still land. An RPC knows when that is over: the network took each of its transactions without
 * carrying it out (none is taken a second time), or the block height is past the last one and none of its blockhashes is good any more. What the service called
 * the last block is not enough, it may be wrong on purpose. Without an RPC, the clock has to do.
 */
export function canLand(record: OperationRecord, { nowMs, network }: Pick<Observations, 'nowMs' | 'network'>): boolean {
  const { built } = record;
  const ageMs = ageOf(record, nowMs);
  if (network !== undefined && hasWhollyFailed(record, network)) {
    return false;
  }
  if (built?.lastValidBlockHeight === undefined || network === undefined || !isOfThisNetwork(record, network, ageMs)) {
    return !(ageMs >= MAY_HAVE_EFFECT_MS);
  }
  const isPastHeight = network.blockHeight > BigInt(Math.ceil(built.lastValidBlockHeight)) + MARGIN_BLOCKS;
  return !(isPastHeight && !network.isBlockhashValid && ageMs >= KNOWN_EVERYWHERE_MS);
}

/** Whether each of its transactions is in a block that is not given up for another one, and none was carried out. */
function hasWhollyFailed({ signatures }: OperationRecord, { statuses }: NetworkObservation): boolean {
  return (
    signatures.length > 0 &&
    statuses.length === signatures.length &&
    statuses.every((status) => status?.error !== undefined && status.isProvisional !== true)
  );
}

/**
 * By when it is known what became of an operation, milliseconds since 1970, where RPC or service answer: when nothing of it can land any
 * more on a slow day, and the looks that prove it.
 * @param hasRpc whether the chain can be asked; else it takes two listings after the time in which listings may lag
 */
export function knownByMs({ built, created }: OperationRecord, hasRpc: boolean): number {
  return (built?.atMs ?? created.atMs) + (hasRpc ? KNOWN_BY_RPC_MS : MAY_HAVE_EFFECT_MS + LISTINGS_MS);
}

/** Until when something of it may land where only the clock tells, milliseconds since 1970. */
export function mayLandUntilMs({ built, created }: OperationRecord): number {
  return (built?.atMs ?? created.atMs) + MAY_HAVE_EFFECT_MS;
}

/** How long ago it was built; less than nothing on a clock that was set back. */
function ageOf({ built, created }: OperationRecord, nowMs: number): number {
  return nowMs - (built?.atMs ?? created.atMs);
}

/** Whether the RPC can be of the network that the operation was for: another one is at another height. */
function isOfThisNetwork({ built }: OperationRecord, { blockHeight }: NetworkObservation, ageMs: number): boolean {
  const lastValid = Math.ceil(built?.lastValidBlockHeight ?? Number.NaN);
  return Number.isSafeInteger(lastValid) && Number(blockHeight) - lastValid <= Math.max(0, ageMs) / FASTEST_BLOCK_MS + MOST_BLOCKS_AHEAD;
}

/** The same in journals of earlier versions, which wrote no code. */
const CLOSED_BEFORE_SENDING = 'Binsight was closed before anything was sent.';

/** The end of an operation whose window was closed before anything was sent. */
export const closedBeforeSending = (): Extract<Conclusion, { kind: 'abandoned' }> => ({
  kind: 'abandoned',
  reason: l10n.t('Binsight was closed before anything was sent.'),
  code: 'closedBeforeSending',
});

/** Whether an operation ended as {@link closedBeforeSending} says; also where an earlier version wrote that. */
export function wasClosedBeforeSending({ reason, reasonCode }: Pick<OperationRecord, 'reason' | 'reasonCode'>): boolean {
  return reasonCode === 'closedBeforeSending' || reason === CLOSED_BEFORE_SENDING;
}

/**
 * What the observations prove of an operation; `undefined`: nothing new, and it stays watched. Nothing is ever sent because of it.
 */
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

/** What did not land also says how the service answered: that is the only known cause. */
function withAnswer(conclusion: Conclusion | undefined, { events }: OperationRecord): Conclusion | undefined {
  const last = events.findLast((event) => event.kind === 'unconfirmed');
  return conclusion?.kind === 'expired' && last !== undefined && (last.code === 'serviceAnswered' || ANSWERED.test(last.reason))
    ? { ...conclusion, reason: `${conclusion.reason} ${last.reason}` }
    : conclusion;
}

/**
 * Whether it takes the owner's SOL to tell whether something of it landed: of several transactions some may have, which no listing
 * has to show, and the network does not say.
 */
export function takesFunds(record: OperationRecord, { nowMs, network }: Pick<Observations, 'nowMs' | 'network'>): boolean {
  const { transactions, succeeded, wouldBeKnown } = seenOf(record, { nowMs, network, showing: 0, notShowing: 0 });
  return transactions > 1 && succeeded === 0 && !wouldBeKnown;
}

/** What was seen, in numbers. */
interface Seen {
  readonly transactions: number;
  readonly succeeded: number;
  /** What the network says of one that it took and did not carry out. */
  readonly failure: string | undefined;
  readonly canLand: boolean;
  readonly ageMs: number;
  readonly hasServiceWord: boolean;
  /** Whether the network, asked now, would know if something of it had landed. */
  readonly wouldBeKnown: boolean;
  readonly isShowing: boolean;
  /** The last listing showed it, which the next one has to bear out. */
  readonly hasShown: boolean;
  readonly isNotShowing: boolean;
  /** The network, which would know, has been found not to have carried out any of it, often enough; and no listing says otherwise. */
  readonly isSilent: boolean;
  /** Each of its transactions is in a block, and none was carried out. */
  readonly hasWhollyFailed: boolean;
  readonly funds: FundsFound;
  /** The user's RPC may yet say what became of it. */
  readonly mayBeKnownYet: boolean;
  /** A listing cannot tell it from another operation, and the service did not report that it landed. */
  readonly isByAnother: boolean;
  /** It was to close its position, which can be done once. */
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
  } = observations;
  const { plan } = record.created;
  const statuses = network?.statuses ?? [];
  const succeeded = statuses.filter((status) => status !== undefined && status.error === undefined).length;
  const transactions = record.signatures.length;
  const hasServiceWord = record.events.some(({ kind }) => kind === 'landed');
  const hasWord = hasServiceWord || (transactions > 0 && succeeded === transactions);
  const ageMs = ageOf(record, nowMs);
  const wouldBeKnown = network !== undefined && isOfThisNetwork(record, network, ageMs) && ageMs < REMEMBERED_MS;
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
    isClosing: plan.kind === 'zapOut' && plan.shareBps === WHOLE_BPS,
  };
}

/** It has happened. Where only some of it is known to have landed, that is the end of it only once the rest cannot any more. */
function settled({
  isShowing,
  succeeded,
  transactions,
  canLand: mayStillLand,
  ageMs,
  isByAnother,
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

/** The position shows what another operation did to it. @param isKnown whether that one did all of it */
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
          "It can no longer land. Whether it did can't be determined without an RPC that has its transactions (setting binsight.rpcUrl), because another operation withdrew from the same position. Check the position and your wallet before you repeat it.",
        ),
      };
}

/**
 * Whether another zap-out of the same position came to a good end after this one was sent: a listing then does not tell whose doing
 * it shows.
 */
export function wasDoneByAnother(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  const submitted = record.events.find(({ kind }) => kind === 'submitted');
  return (
    record.created.plan.kind === 'zapOut' &&
    submitted !== undefined &&
    records.some(
      (other) =>
        other.id !== record.id && other.state === 'settled' && other.updatedAtMs >= submitted.atMs && isOnSame(other, record.created),
    )
  );
}

/** It does not show, and can no longer land. */
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
  // A list that cannot tell is not waited for without end: the network can. One that shows it is read once more.
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
  // The chain alone proves it: no listing is needed for that, nor can one that lags, or a service that is down, put it off.
  if (isSilent && succeeded === 0) {
    return nothingHappened();
  }
  // Against the service's word that it landed, missing in a list is not enough.
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
 * No listing shows it, and it can no longer land. That nothing happened is concluded only where it is known: by the network; of a single
 * transaction, which happens as a whole or not at all; and of several where the owner's SOL is what it was before, since each one that
 * lands costs its fee. Else it ends without a claim.
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
    reason: l10n.t`Your positions do not show it, and it can no longer land. Whether some of its ${transactions} transactions landed can't be determined without an RPC that has them (setting binsight.rpcUrl).${balance} Check your wallet before you repeat it; Activity has the signatures.`,
  };
}

/** It was sent, and what became of it does not show. */
function stillOpen({ state, signatures }: OperationRecord, { succeeded, transactions }: Seen): Conclusion | undefined {
  if (transactions > 0 && succeeded === transactions) {
    return state === 'landed' ? undefined : { kind: 'landed', signature: signatures.at(-1) };
  }
  return state === 'submitted'
    ? { kind: 'unconfirmed', reason: l10n.t('Binsight was closed or lost its connection after it was sent. Its outcome is being checked.') }
    : undefined;
}
