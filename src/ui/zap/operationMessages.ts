import * as l10n from '@vscode/l10n';
import { shortAmount } from '../../base/format/amounts';
import { counted } from '../../base/format/counted';
import { usdShort } from '../../base/format/money';
import { oneLine } from '../../base/text';
import type { JournalEvent, OperationRecord, OperationState } from '../../transactions/journal/types';
import { showsInLists } from '../../base/operationKinds';
import type { Leftovers } from '../../transactions/outcome/leftovers';
import { isDeclinedReentry, type Reason } from '../../base/reasons/reason';
import {
  byBalanceWords,
  completeRestWords,
  inWalletWords,
  lookUpOrConnectWords,
  notMeasuredWords,
  reasonWords,
  reentryOfferedWords,
  returnedWords,
} from '../../base/reasons/reasonWords';
import type { OpenTask } from '../shell/openTasks';
import { recordedServiceName, SANDBOX_ID, sandboxText } from '../shell/serviceChoice';
import { joined, type RowIcon } from '../shell/views/rows';
import { tokenText, valueOf } from './movedTokens';
import { positionClosedWords, reenteredIn, shortSol } from './operationWords';

/** Characters of a reason: sentences of ours that may quote the network. */
const LONGEST_REASON = 600;

/** Name and meaning of an operation's state. */
export interface StateMessages {
  /** On its row: "landed (not listed yet)". */
  readonly brief: string;
  /** What it means for the money, in sentences. */
  readonly meaning: string;
  readonly icon: RowIcon;
}

const UNDER_WAY: RowIcon = { id: 'loading~spin' };
const WATCHED: RowIcon = { id: 'eye', color: 'list.warningForeground' };
const NOTHING_HAPPENED: RowIcon = { id: 'circle-slash', color: 'disabledForeground' };
const nothingSent = () => l10n.t('Nothing was sent. Your money has not moved.');

/** Why a command waits for another one. */
export const inProgressText = (): string => l10n.t('Another operation is in progress. Wait until it ends.');

export const noOpenPosition = (): string => l10n.t('There is no open position.');

/** The one text for every uncertain outcome: what is known, what Binsight does, what the user should do. */
const uncertainText = (): string =>
  l10n.t('It was sent and may have landed. Binsight keeps checking. Do not repeat it until Activity shows how it ended.');

const statesByKind = (): Readonly<Record<OperationState, StateMessages>> => ({
  created: { brief: l10n.t('Started'), meaning: nothingSent(), icon: UNDER_WAY },
  built: { brief: l10n.t('Built'), meaning: nothingSent(), icon: UNDER_WAY },
  reviewed: { brief: l10n.t('Reviewed'), meaning: nothingSent(), icon: UNDER_WAY },
  approved: { brief: l10n.t('Approved'), meaning: nothingSent(), icon: UNDER_WAY },
  signed: { brief: l10n.t('Signed'), meaning: nothingSent(), icon: UNDER_WAY },
  submitted: { brief: l10n.t('Sent'), meaning: uncertainText(), icon: WATCHED },
  landed: { brief: l10n.t('Landed'), meaning: reasonWords({ code: 'reportedNotListed' }), icon: WATCHED },
  unconfirmed: { brief: l10n.t('Unconfirmed'), meaning: uncertainText(), icon: WATCHED },
  settled: { brief: l10n.t('Done'), meaning: l10n.t('It landed.'), icon: { id: 'pass', color: 'charts.green' } },
  expired: {
    brief: l10n.t('Did not land'),
    meaning: l10n.t('It did not land and no longer can. Your money has not moved.'),
    icon: NOTHING_HAPPENED,
  },
  failed: {
    brief: l10n.t('Failed'),
    meaning: l10n.t('It ended with an error and can no longer land.'),
    icon: { id: 'error', color: 'list.errorForeground' },
  },
  abandoned: { brief: l10n.t('Not sent'), meaning: nothingSent(), icon: NOTHING_HAPPENED },
});

const NEEDS_ATTENTION: RowIcon = { id: 'warning', color: 'list.warningForeground' };
export const halfDoneText = (): string => l10n.t('Half done');
const inPart = (): StateMessages => ({ brief: halfDoneText(), meaning: l10n.t('Only a part of it landed.'), icon: NEEDS_ATTENTION });
const halfDone = (
  { created, signatures, events }: Pick<OperationRecord, 'created' | 'signatures' | 'events'>,
  leftovers: Leftovers | undefined,
): StateMessages => ({
  ...inPart(),
  brief: l10n.t`${halfDoneText()}: ${missingText(created, leftovers) ?? landedPartText({ signatures, events })}`,
  meaning: `${inPart().meaning} ${completeRestWords()}`,
});
/** What an unclear end means. */
export const mayHaveLandedText = (): string => l10n.t('It may have landed, as a whole or in part.');

/** What is missing of an operation that is half done: "Half done: 12,661 PENGO ($408) not swapped"; `undefined`: that is not left to do of it. */
export function halfDoneBrief(record: OperationRecord, left: OpenTask | undefined): string | undefined {
  return left?.kind === 'partiallyExecuted' ? halfDone(record, left.leftovers).brief : undefined;
}

const unclearText = (): StateMessages => ({
  brief: l10n.t('Unclear'),
  meaning: `${mayHaveLandedText()} ${lookUpOrConnectWords()}`,
  icon: NEEDS_ATTENTION,
});
/** What is missing: "12,661 PENGO ($408) not swapped, 0.5 SOL still wrapped"; `undefined`: the transactions do not show it. */
function missingText({ operation, tokens = [] }: OperationRecord['created'], leftovers: Leftovers | undefined): string | undefined {
  const amounts = (leftovers?.amounts ?? []).map(({ mint, raw, symbol, decimals }) => {
    const amount = tokenText(raw, { mint, symbol, decimals }, shortAmount);
    const value = valueOf(
      raw,
      tokens.find((token) => token.mint === mint),
    );
    return value === undefined ? amount : `${amount} (${usdShort(value)})`;
  });
  const wrapped = leftovers?.wrappedLamports ?? 0n;
  const isDeposit = operation === 'zapIn' || operation === 'addLiquidity';
  const parts = [
    ...(amounts.length === 0 ? [] : [isDeposit ? l10n.t`${amounts.join(', ')} not deposited` : l10n.t`${amounts.join(', ')} not swapped`]),
    ...(wrapped > 0n ? [l10n.t`${shortSol(wrapped)} still wrapped`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function landedPartText({ signatures, events }: Pick<OperationRecord, 'signatures' | 'events'>): string {
  const landed = events.flatMap((event) => ('landedTransactions' in event ? [event.landedTransactions ?? 0] : [])).at(-1) ?? 0;
  return l10n.t`${landed} of ${counted(signatures.length, 'transaction')} landed`;
}

/** Partially executed or unclear, and the user was shown what is left of it. */
const seenText = (): StateMessages => ({
  brief: l10n.t('Acknowledged'),
  meaning: l10n.t('It has ended, and you were shown what is left of it.'),
  icon: { id: 'pass' },
});
/** A rebalance that runs, and does not wait for the user. */
const rebalancing = (): StateMessages => ({ brief: l10n.t('Started'), meaning: '', icon: UNDER_WAY });
export const notReenteredText = (): string => l10n.t('Not re-entered');
/** Its reason says what was returned and where it is. */
const notReentered = (): StateMessages => ({ brief: notReenteredText(), meaning: positionClosedWords(), icon: NEEDS_ATTENTION });
/** No warning: the user chose it. */
const closedAsChosen = (): StateMessages => ({ ...notReentered(), icon: { id: 'pass' } });

/**
 * Name and meaning of an operation's state. One that settled with something missing counts as partially executed.
 * @param left what is left to do of it
 * @param parts of a rebalance
 */
export function stateMessages(
  record: Pick<OperationRecord, 'state' | 'reason' | 'created' | 'isUnclear' | 'isSeen' | 'signatures' | 'events'>,
  left?: OpenTask,
  parts: readonly OperationRecord[] = [],
): StateMessages {
  const { state, reason, created } = record;
  switch (left?.kind) {
    case 'partiallyExecuted':
      return halfDone(record, left.leftovers);
    case 'reenter':
      if (left.lamportsBack === undefined) {
        return { brief: notReenteredText(), meaning: notMeasuredWords(), icon: NEEDS_ATTENTION };
      }
      if (!left.isProven) {
        return {
          brief: notReenteredText(),
          meaning: `${positionClosedWords()} ${byBalanceWords(left.lamportsBack)} ${reentryOfferedWords()}`,
          icon: NEEDS_ATTENTION,
        };
      }
      return {
        brief: l10n.t`${notReenteredText()}: ${l10n.t`${shortSol(left.lamportsBack)} returned`}`,
        meaning: `${returnedWords(left.lamportsBack)} ${inWalletWords()} ${reentryOfferedWords()}`,
        icon: NEEDS_ATTENTION,
      };
    case 'unclear':
      return unclearText();
    case undefined:
  }
  if (record.isSeen) {
    return seenText();
  }
  // A rebalance is as unclear as its parts.
  if (record.isUnclear || (state === 'failed' && parts.some(({ isUnclear, isSeen }) => isUnclear && !isSeen))) {
    return unclearText();
  }
  if (created.operation === 'rebalance' && (state === 'created' || state === 'settled')) {
    return state === 'created' ? rebalancing() : rebalancedMessages(record, parts);
  }
  if (state === 'settled' && reason !== undefined) {
    return inPart();
  }
  const messages = statesByKind()[state];
  return showsInLists(created.operation) ? messages : { ...messages, ...ofUnlisted()[state] };
}

/** What differs where no list of positions shows the operation. */
const ofUnlisted = (): Partial<Readonly<Record<OperationState, Partial<StateMessages>>>> => ({
  landed: { meaning: reasonWords({ code: 'reportedNotProven' }) },
});

function rebalancedMessages({ reason }: Pick<OperationRecord, 'reason'>, parts: readonly OperationRecord[]): StateMessages {
  if (reason === undefined) {
    return statesByKind().settled;
  }
  return isDeclinedReentry(reason) ? closedAsChosen() : reenteredIn(parts) === undefined ? notReentered() : inPart();
}

const ENDS: ReadonlySet<OperationState> = new Set<OperationState>(['settled', 'expired', 'failed', 'abandoned']);
const SENT: ReadonlySet<OperationState> = new Set<OperationState>(['submitted', 'landed', 'unconfirmed']);

/** Whether the end of an operation is still open. */
export function isUnfinished({ state }: Pick<OperationRecord, 'state'>): boolean {
  return !ENDS.has(state);
}

/** Whether an operation was sent and its end is unknown: it may have landed, or may still land. */
export function isUnconfirmed({ state }: Pick<OperationRecord, 'state'>): boolean {
  return SENT.has(state);
}

/** The reason of an operation's state in one line, safe for labels; `undefined` if none is recorded. */
export function reasonText(reason: Reason | string | undefined): string | undefined {
  const words = reason === undefined || typeof reason === 'string' ? reason : reasonWords(reason);
  const line = words === undefined ? '' : oneLine(words, LONGEST_REASON).replaceAll('$(', '$ (');
  return line === '' ? undefined : line;
}

/** Row of a step of an operation. */
export interface EventMessages {
  readonly label: string;
  readonly detail: string;
  readonly icon: string;
}

/**
 * Label and detail of a journal event.
 * @param again the service has built the transactions before
 */
export function eventMessages(event: JournalEvent, again: boolean): EventMessages {
  switch (event.kind) {
    case 'created':
      return {
        label: l10n.t('Started'),
        detail: event.service === SANDBOX_ID ? sandboxText() : oneLine(recordedServiceName(event.service), 80),
        icon: 'circle-outline',
      };
    case 'built':
      return {
        label: again ? l10n.t('Built again') : l10n.t('Built'),
        detail: counted(event.transactions, 'transaction'),
        icon: 'package',
      };
    case 'reviewed':
      return { label: l10n.t('Reviewed'), detail: reviewDetail(event), icon: 'search' };
    case 'approved':
      return {
        label: l10n.t('Approved'),
        detail:
          event.isCarriedOver === true
            ? l10n.t('equal or better than what you approved')
            : event.by === 'user'
              ? l10n.t('by you')
              : l10n.t('by your rules'),
        icon: 'thumbsup',
      };
    case 'signed':
      return { label: l10n.t('Signed'), detail: counted(event.signatures.length, 'transaction'), icon: 'edit' };
    case 'submitted':
      return { label: l10n.t('Sent'), detail: '', icon: 'cloud-upload' };
    case 'landed':
      return { label: l10n.t('Landed'), detail: l10n.t('reported by the service'), icon: 'arrow-down' };
    case 'unconfirmed':
      return { label: l10n.t('Unconfirmed'), detail: reasonText(event.reason) ?? '', icon: 'eye' };
    case 'settled':
      return {
        label: event.shortfall === undefined ? l10n.t('Done') : halfDoneText(),
        detail: joined([
          reasonText(event.shortfall),
          event.lamportsBack === undefined ? undefined : l10n.t`${shortSol(event.lamportsBack)} returned`,
        ]),
        icon: event.shortfall === undefined ? 'pass' : 'warning',
      };
    case 'expired':
      return { label: l10n.t('Did not land'), detail: reasonText(event.reason) ?? '', icon: 'circle-slash' };
    case 'failed':
      return event.isUnclear === true
        ? { label: l10n.t('Unclear'), detail: reasonText(event.reason) ?? '', icon: 'warning' }
        : { label: l10n.t('Failed'), detail: reasonText(event.reason) ?? '', icon: 'error' };
    case 'abandoned':
      return { label: l10n.t('Not sent'), detail: reasonText(event.reason) ?? '', icon: 'circle-slash' };
    case 'seen':
      return { label: l10n.t('Acknowledged'), detail: reasonText(event.reason) ?? '', icon: 'check' };
  }
}

function reviewDetail({ verdict, rules }: Extract<JournalEvent, { kind: 'reviewed' }>): string {
  if (rules.length === 0) {
    return l10n.t('no findings');
  }
  const names = oneLine([...new Set(rules)].join(', '), 200);
  switch (verdict) {
    case 'allow':
      return l10n.t`Note: ${names}`;
    case 'confirm':
      return l10n.t`Decide: ${names}`;
    case 'block':
      return l10n.t`${l10n.t('Blocked')}: ${names}`;
  }
}
