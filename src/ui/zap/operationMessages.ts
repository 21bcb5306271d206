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
  inWalletWords,
  lookUpWords,
  notMeasuredWords,
  reasonWords,
  reentryOfferedWords,
  returnedWords,
} from '../../base/reasons/reasonWords';
import type { OpenTask } from '../shell/openTasks';
import { recordedServiceName, SANDBOX_ID } from '../shell/serviceChoice';
import { joined, type RowIcon } from '../shell/views/rows';
import { tokenText, valueOf } from './movedTokens';
import { reenteredIn, shortSol } from './operationWords';

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

/** The one text for every uncertain outcome: what is known, what Binsight does, what the user should do. */
export const uncertainText = (): string =>
  l10n.t('It was sent and may have landed. Binsight keeps checking. Do not repeat it until Activity shows how it ended.');

const statesByKind = (): Readonly<Record<OperationState, StateMessages>> => ({
  created: { brief: l10n.t('preparing'), meaning: nothingSent(), icon: UNDER_WAY },
  built: { brief: l10n.t('reviewing'), meaning: nothingSent(), icon: UNDER_WAY },
  reviewed: { brief: l10n.t('reviewed (not signed)'), meaning: nothingSent(), icon: UNDER_WAY },
  approved: { brief: l10n.t('signing'), meaning: nothingSent(), icon: UNDER_WAY },
  signed: { brief: l10n.t('signed (not sent)'), meaning: nothingSent(), icon: UNDER_WAY },
  submitted: { brief: l10n.t('sent (waiting for an answer)'), meaning: uncertainText(), icon: WATCHED },
  landed: { brief: l10n.t('landed (not listed yet)'), meaning: reasonWords({ code: 'reportedNotListed' }), icon: WATCHED },
  unconfirmed: { brief: l10n.t('unconfirmed'), meaning: uncertainText(), icon: WATCHED },
  settled: {
    brief: l10n.t('done'),
    meaning: l10n.t('It landed, and your positions show it.'),
    icon: { id: 'pass', color: 'charts.green' },
  },
  expired: {
    brief: l10n.t('did not land'),
    meaning: l10n.t('It did not land and no longer can. Your money has not moved.'),
    icon: NOTHING_HAPPENED,
  },
  failed: {
    brief: l10n.t('failed'),
    meaning: l10n.t('It ended with an error and can no longer land.'),
    icon: { id: 'error', color: 'list.errorForeground' },
  },
  abandoned: { brief: l10n.t('not sent'), meaning: l10n.t('Nothing was sent. Your money has not moved.'), icon: NOTHING_HAPPENED },
});

const NEEDS_ATTENTION: RowIcon = { id: 'warning', color: 'list.warningForeground' };
const inPart = (): StateMessages => ({
  brief: l10n.t('partially executed'),
  meaning: l10n.t('Only a part of it landed.'),
  icon: NEEDS_ATTENTION,
});
const halfDone = (
  { created, signatures, events }: Pick<OperationRecord, 'created' | 'signatures' | 'events'>,
  leftovers: Leftovers | undefined,
): StateMessages => ({
  brief: l10n.t`Half done: ${missingText(created, leftovers) ?? landedPartText({ signatures, events })}`,
  meaning: l10n.t('Some of its transactions landed; the others no longer can. Complete Interrupted Operation shows what is left to do.'),
  icon: NEEDS_ATTENTION,
});
const unclearText = (): StateMessages => ({
  brief: l10n.t('unclear (may have landed)'),
  meaning: l10n.t`It may have landed, as a whole or in part. ${lookUpWords()}`,
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
  brief: l10n.t('ended (acknowledged)'),
  meaning: l10n.t('It has ended, and you were shown what is left of it.'),
  icon: { id: 'pass' },
});
/** A rebalance that runs, and does not wait for the user. */
const rebalancing = (): StateMessages => ({
  brief: l10n.t('in progress'),
  meaning: l10n.t('Its zap-out and zap-in are below.'),
  icon: UNDER_WAY,
});
const rebalancedText = (): StateMessages => ({ ...statesByKind().settled, meaning: l10n.t('Its proceeds were re-entered.') });
const rebalancedInPart = (): StateMessages => ({ ...inPart(), meaning: l10n.t('Only a part of its proceeds was re-entered.') });
/** Its reason says what was returned and where it is. */
const notReentered = (): StateMessages => ({
  brief: l10n.t('closed (not re-entered)'),
  meaning: l10n.t('It ended after the zap-out.'),
  icon: NEEDS_ATTENTION,
});
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
        return { brief: notReentered().brief, meaning: notMeasuredWords(), icon: NEEDS_ATTENTION };
      }
      if (!left.isProven) {
        return {
          brief: notReentered().brief,
          meaning: `${l10n.t('The position was closed.')} ${byBalanceWords(left.lamportsBack)} ${reentryOfferedWords()}`,
          icon: NEEDS_ATTENTION,
        };
      }
      return {
        brief: l10n.t`${shortSol(left.lamportsBack)} returned (not re-entered)`,
        meaning: `${returnedWords(left.lamportsBack)} ${inWalletWords()} ${reentryOfferedWords()}`,
        icon: NEEDS_ATTENTION,
      };
    case 'unclear':
      return {
        ...unclearText(),
        meaning: l10n.t`${unclearText().meaning} With an RPC (Connect to Service…), Complete Interrupted Operation finds out more.`,
      };
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
  landed: { brief: l10n.t('landed (not proven yet)'), meaning: reasonWords({ code: 'reportedNotProven' }) },
  settled: { meaning: l10n.t('It landed, and the chain shows it.') },
});

function rebalancedMessages({ reason }: Pick<OperationRecord, 'reason'>, parts: readonly OperationRecord[]): StateMessages {
  if (reason === undefined) {
    return rebalancedText();
  }
  return isDeclinedReentry(reason) ? closedAsChosen() : reenteredIn(parts) === undefined ? notReentered() : rebalancedInPart();
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
 * @param isListed lists of positions show the effect of the operation
 */
export function eventMessages(event: JournalEvent, again: boolean, isListed: boolean): EventMessages {
  switch (event.kind) {
    case 'created':
      return {
        label: l10n.t('Started'),
        detail: event.service === SANDBOX_ID ? l10n.t('in the sandbox') : oneLine(recordedServiceName(event.service), 80),
        icon: 'circle-outline',
      };
    case 'built':
      return {
        label: again ? l10n.t('Built again') : l10n.t('Built'),
        detail: l10n.t`${counted(event.transactions, 'transaction')} by the service`,
        icon: 'package',
      };
    case 'reviewed':
      return { label: l10n.t('Reviewed'), detail: reviewDetail(event), icon: 'search' };
    case 'approved':
      return event.isCarriedOver === true
        ? { label: l10n.t('Covered by your approval'), detail: l10n.t('equal or better than what you approved'), icon: 'thumbsup' }
        : { label: l10n.t('Approved'), detail: event.by === 'user' ? l10n.t('by you') : l10n.t('by your rules'), icon: 'thumbsup' };
    case 'signed':
      return { label: l10n.t('Signed'), detail: counted(event.signatures.length, 'transaction'), icon: 'edit' };
    case 'submitted':
      return { label: l10n.t('Sent'), detail: l10n.t('it can land from now on'), icon: 'cloud-upload' };
    case 'landed':
      return { label: l10n.t('Landed'), detail: l10n.t('reported by the service'), icon: 'arrow-down' };
    case 'unconfirmed':
      return { label: l10n.t('Unconfirmed'), detail: reasonText(event.reason) ?? '', icon: 'eye' };
    case 'settled':
      return {
        label: event.shortfall === undefined ? l10n.t('Done') : l10n.t('Partially executed'),
        detail: joined([
          reasonText(event.shortfall) ?? (isListed ? l10n.t('your positions show it') : l10n.t('the chain shows it')),
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
    return l10n.t('allowed, no findings');
  }
  const names = oneLine([...new Set(rules)].join(', '), 200);
  switch (verdict) {
    case 'allow':
      return l10n.t`allowed, with notes: ${names}`;
    case 'confirm':
      return l10n.t`your decision needed: ${names}`;
    case 'block':
      return l10n.t`blocked: ${names}`;
  }
}
