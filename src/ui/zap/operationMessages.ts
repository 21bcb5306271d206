import * as l10n from '@vscode/l10n';
import type { BinRange } from '../../base/dlmm/bins';
import { exactAmount, shortAmount } from '../../base/format/amounts';
import { counted } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS } from '../../base/solana/programs';
import { oneLine } from '../../base/text';
import type { JournalEvent, OperationRecord, OperationState } from '../../transactions/journal/types';
import type { OpenTask } from '../shell/openTasks';
import { joined, type RowIcon } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import { movedInLine, tokensInText } from './movedTokens';
import { WHOLE_BPS } from '../../base/basisPoints';

/** Reasons are sentences of our own with words from the network in them. */
const LONGEST_REASON = 600;

/** How a state of an operation is told. */
export interface StateMessages {
  /** On its row: "landed, not listed yet". */
  readonly brief: string;
  /** What it means for the money, in sentences. */
  readonly meaning: string;
  readonly icon: RowIcon;
}

const UNDER_WAY: RowIcon = { id: 'loading~spin' };
const WATCHED: RowIcon = { id: 'eye', color: 'list.warningForeground' };
const NOTHING_HAPPENED: RowIcon = { id: 'circle-slash', color: 'disabledForeground' };
const nothingSent = () => l10n.t('Nothing was sent so far: your money is where it was.');

/** What each state is called, and what it means. */
const stateWords = (): Readonly<Record<OperationState, StateMessages>> => ({
  created: { brief: l10n.t('being prepared'), meaning: nothingSent(), icon: UNDER_WAY },
  built: { brief: l10n.t('being reviewed'), meaning: nothingSent(), icon: UNDER_WAY },
  reviewed: { brief: l10n.t('reviewed, not signed'), meaning: nothingSent(), icon: UNDER_WAY },
  approved: { brief: l10n.t('being signed'), meaning: nothingSent(), icon: UNDER_WAY },
  signed: { brief: l10n.t('signed, not sent'), meaning: nothingSent(), icon: UNDER_WAY },
  submitted: {
    brief: l10n.t('sent, no answer yet'),
    meaning: l10n.t(
      'It was sent, and no answer is written down yet: it may or may not have landed. Do not repeat it before it says how it ended.',
    ),
    icon: WATCHED,
  },
  landed: {
    brief: l10n.t('landed, not listed yet'),
    meaning: l10n.t('The service says that it landed, and does not list the change yet. It goes on being watched.'),
    icon: WATCHED,
  },
  unconfirmed: {
    brief: l10n.t('unconfirmed, being watched'),
    meaning: l10n.t(
      'It was sent, and what became of it does not show yet. It goes on being watched; do not repeat it before it says how it ended.',
    ),
    icon: WATCHED,
  },
  settled: { brief: 'done', meaning: l10n.t('It has landed, and your positions show it.'), icon: { id: 'pass', color: 'charts.green' } },
  expired: {
    brief: l10n.t('did not land'),
    meaning: l10n.t('It did not land, and can no longer: nothing happened.'),
    icon: NOTHING_HAPPENED,
  },
  failed: {
    brief: 'failed',
    meaning: l10n.t('It ended with an error, and nothing of it can land any more.'),
    icon: { id: 'error', color: 'list.errorForeground' },
  },
  abandoned: {
    brief: l10n.t('not sent'),
    meaning: l10n.t('It ended before anything was sent: your money is where it was.'),
    icon: NOTHING_HAPPENED,
  },
});

const NEEDS_ATTENTION: RowIcon = { id: 'warning', color: 'list.warningForeground' };
const inPart = (): StateMessages => ({ brief: l10n.t('done in part'), meaning: l10n.t('It has landed in part.'), icon: NEEDS_ATTENTION });
const halfDoneText = (): StateMessages => ({
  brief: l10n.t('half done'),
  meaning: l10n.t(
    'Only a part of its transactions landed, and the others no longer can. "Finish What Is Half Done" finds out what is left to do, and says so before anything is signed.',
  ),
  icon: NEEDS_ATTENTION,
});
const unclearText = (): StateMessages => ({
  brief: l10n.t('not clear, look at your wallet'),
  meaning: l10n.t(
    'It can no longer land, and your positions do not show it. A part of it may have landed: look at your wallet before you repeat it.',
  ),
  icon: NEEDS_ATTENTION,
});
/** It was half done, or not clear, and what is left of it was told. */
const seenText = (): StateMessages => ({
  brief: l10n.t('ended, seen'),
  meaning: l10n.t(
    'It has ended, and you were told what is left of it: Binsight has nothing more to do for it, and does not offer it again.',
  ),
  icon: { id: 'pass' },
});
/** A rebalance that is not at its end, and does not wait for the user. */
const rebalancing = (): StateMessages => ({
  brief: l10n.t('under way'),
  meaning: l10n.t('The two parts below it say how far it is, and what that means for the money.'),
  icon: UNDER_WAY,
});
const rebalancedText = (): StateMessages => ({
  ...stateWords().settled,
  meaning: l10n.t('The position was closed, and what came out of it went back in.'),
});
const rebalancedInPart = (): StateMessages => ({
  ...inPart(),
  meaning: l10n.t('The position was closed, and not all that came out of it went back in.'),
});
/** What came back, and where it is, its reason says. */
const notReentered = (): StateMessages => ({
  brief: l10n.t('closed, not re-entered'),
  meaning: l10n.t('It has ended after the zap-out.'),
  icon: NEEDS_ATTENTION,
});
/** Nothing to heed: the user wanted it so. */
const leftOut = (): StateMessages => ({ ...notReentered(), icon: { id: 'pass' } });
/** How journals of earlier versions, which wrote no code, say that the user chose not to re-enter. */
const AS_CHOSEN = /It was not (re-entered|put back), as you chose: /;

/** The zap-in with which what came out of a rebalanced position went back in. */
export interface Reentered {
  readonly inputLamports: bigint;
  /** `undefined`: the bins are not known. */
  readonly range: BinRange | undefined;
  readonly position: Address | undefined;
}

/** What went back in, by the parts of a rebalance; `undefined`: nothing that is known. */
export function reenteredIn(parts: readonly OperationRecord[]): Reentered | undefined {
  const zapIn = parts.find(({ created, state }) => created.operation === 'zapIn' && state === 'settled');
  if (zapIn?.created.plan.kind !== 'zapIn') {
    return undefined;
  }
  const { inputLamports, fromBinId, toBinId } = zapIn.created.plan;
  return {
    inputLamports,
    range: fromBinId === undefined || toBinId === undefined ? undefined : { fromBinId, toBinId },
    position: zapIn.built?.position,
  };
}

/**
 * How the state of an operation is told, with what is left to do of it; one that has settled with something missing is done in part.
 * @param parts of a rebalance
 */
export function stateMessages(
  record: Pick<OperationRecord, 'state' | 'reason' | 'reasonCode' | 'created' | 'isUnclear' | 'isSeen'>,
  left?: OpenTask,
  parts: readonly OperationRecord[] = [],
): StateMessages {
  const { state, reason, created } = record;
  switch (left?.kind) {
    case 'halfDone':
      return halfDoneText();
    case 'reenter':
      if (left.lamportsBack === undefined) {
        return {
          brief: l10n.t('back, not re-entered'),
          meaning: l10n.t(
            'The position was closed, and how much SOL came back could not be measured. It is in your wallet and has not been re-entered. "Re-enter" asks how much goes back in; "Leave It Out" ends the rebalance.',
          ),
          icon: NEEDS_ATTENTION,
        };
      }
      return {
        brief: l10n.t`${shortSol(left.lamportsBack)} back, not re-entered`,
        meaning: l10n.t`The position was closed; ${exactSolText(left.lamportsBack)} came back and has not been re-entered: it is in your wallet. "Re-enter" zaps in with it again, less costs; "Leave It Out" ends the rebalance.`,
        icon: NEEDS_ATTENTION,
      };
    case 'unclear':
      return {
        ...unclearText(),
        meaning: l10n.t`${unclearText().meaning} With an RPC (setting binsight.rpcUrl), "Finish What Is Half Done" finds out what landed, and what is left to do.`,
      };
    case undefined:
  }
  if (record.isSeen) {
    return seenText();
  }
  if (record.isUnclear) {
    return unclearText();
  }
  if (created.operation === 'rebalance' && (state === 'created' || state === 'settled')) {
    return state === 'created' ? rebalancing() : rebalancedWords(record, parts);
  }
  return state === 'settled' && reason !== undefined ? inPart() : stateWords()[state];
}

function rebalancedWords(
  { reason, reasonCode }: Pick<OperationRecord, 'reason' | 'reasonCode'>,
  parts: readonly OperationRecord[],
): StateMessages {
  if (reason === undefined) {
    return rebalancedText();
  }
  const isDeclined = reasonCode === 'declinedReentry' || AS_CHOSEN.test(reason);
  return isDeclined ? leftOut() : reenteredIn(parts) === undefined ? notReentered() : rebalancedInPart();
}

const ENDS: ReadonlySet<OperationState> = new Set<OperationState>(['settled', 'expired', 'failed', 'abandoned']);
const SENT: ReadonlySet<OperationState> = new Set<OperationState>(['submitted', 'landed', 'unconfirmed']);

/** Whether it is not known yet how an operation ends. */
export function isUnfinished({ state }: Pick<OperationRecord, 'state'>): boolean {
  return !ENDS.has(state);
}

/** Whether an operation was sent, and its end is not known: it may land, or have landed. */
export function isUnconfirmed({ state }: Pick<OperationRecord, 'state'>): boolean {
  return SENT.has(state);
}

/** "Zap out of BONK/SOL" */
export function operationName({ created: { operation, pairName } }: Pick<OperationRecord, 'created'>): string {
  const pair = plainText(pairName);
  switch (operation) {
    case 'zapOut':
      return l10n.t`Zap out of ${pair}`;
    case 'zapIn':
      return l10n.t`Zap into ${pair}`;
    case 'rebalance':
      return l10n.t`Rebalance ${pair}`;
  }
}

/**
 * What an operation is about, in figures: "50 % · +17,002 GIGALAMB, +0.055 SOL", "1.23 SOL back" where only that was measured, "0.75 SOL", "1.2M BONK and 0.5 SOL", "3.35 SOL out, 3.29 SOL in".
 * @param parts of a rebalance
 */
export function amountsText(
  record: Pick<OperationRecord, 'created' | 'lamportsBack' | 'state' | 'changes' | 'promised'>,
  parts: readonly OperationRecord[] = [],
): string {
  const {
    created: { plan },
    lamportsBack,
  } = record;
  const back = lamportsBack === undefined ? undefined : l10n.t`${shortSol(lamportsBack)} back`;
  switch (plan.kind) {
    case 'zapOut':
      return joined([
        plan.shareBps === WHOLE_BPS ? undefined : percent(plan.shareBps / 100),
        movedInLine(record) ?? back,
        areTokensUnknown(record) ? l10n.t('other tokens not known') : undefined,
      ]);
    case 'zapIn':
      return plan.tokens === undefined
        ? shortSol(plan.inputLamports)
        : (tokensInText(plan.tokens, shortAmount) ?? l10n.t('tokens as they are'));
    case 'rebalance': {
      const again = reenteredIn(parts);
      return again === undefined
        ? (back ?? '')
        : l10n.t`${lamportsBack === undefined ? '' : l10n.t`${shortSol(lamportsBack)} out, `}${shortSol(again.inputLamports)} in`;
    }
  }
}

/** Whether a zap-out has brought other tokens than SOL, and they were not read from its transactions. */
export function areTokensUnknown({ created: { plan }, state, changes }: Pick<OperationRecord, 'created' | 'state' | 'changes'>): boolean {
  return state === 'settled' && plan.kind === 'zapOut' && plan.output !== 'allBaseToken' && changes === undefined;
}

/** Why an operation ended as it did, or is not known to have: one line, fit for labels; `undefined` where nothing was said. */
export function reasonText(reason: string | undefined): string | undefined {
  const line = reason === undefined ? '' : oneLine(reason, LONGEST_REASON).replaceAll('$(', '$ (');
  return line === '' ? undefined : line;
}

/** Lamports, cut to about six digits: "1.23 SOL". */
export function shortSol(lamports: bigint): string {
  return l10n.t`${shortAmount(lamports, SOL_DECIMALS)} SOL`;
}

/** Lamports with all their digits. */
export function exactSolText(lamports: bigint): string {
  return l10n.t`${exactAmount(lamports, SOL_DECIMALS)} SOL`;
}

/** A step of an operation in words. */
export interface StepMessages {
  readonly label: string;
  readonly detail: string;
  readonly icon: string;
}

/** What an event of the journal is called. `again`: the service had built before. */
export function stepMessages(event: JournalEvent, again: boolean): StepMessages {
  switch (event.kind) {
    case 'created':
      return {
        label: 'Begun',
        detail: event.service === 'sandbox' ? l10n.t('in the sandbox') : oneLine(event.service, 80),
        icon: 'circle-outline',
      };
    case 'built':
      return {
        label: again ? l10n.t('Built anew') : 'Built',
        detail: l10n.t`${counted(event.transactions, 'transaction')} by the service`,
        icon: 'package',
      };
    case 'reviewed':
      return { label: 'Reviewed', detail: reviewWords(event), icon: 'search' };
    case 'approved':
      return { label: 'Approved', detail: event.by === 'user' ? l10n.t('by you') : l10n.t('by your rules'), icon: 'thumbsup' };
    case 'signed':
      return { label: 'Signed', detail: counted(event.signatures.length, 'transaction'), icon: 'edit' };
    case 'submitted':
      return { label: 'Sent', detail: l10n.t('from here on it can land'), icon: 'cloud-upload' };
    case 'landed':
      return { label: 'Landed', detail: l10n.t('as the service says'), icon: 'arrow-down' };
    case 'unconfirmed':
      return { label: 'Unconfirmed', detail: reasonText(event.reason) ?? '', icon: 'eye' };
    case 'settled':
      return {
        label: event.shortfall === undefined ? 'Done' : l10n.t('Done in part'),
        detail: joined([
          reasonText(event.shortfall) ?? l10n.t('your positions show it'),
          event.lamportsBack === undefined ? undefined : l10n.t`${shortSol(event.lamportsBack)} back`,
        ]),
        icon: event.shortfall === undefined ? 'pass' : 'warning',
      };
    case 'expired':
      return { label: l10n.t('Did not land'), detail: reasonText(event.reason) ?? '', icon: 'circle-slash' };
    case 'failed':
      return event.isUnclear === true
        ? { label: l10n.t('Not clear'), detail: reasonText(event.reason) ?? '', icon: 'warning' }
        : { label: 'Failed', detail: reasonText(event.reason) ?? '', icon: 'error' };
    case 'abandoned':
      return { label: l10n.t('Not sent'), detail: reasonText(event.reason) ?? '', icon: 'circle-slash' };
    case 'seen':
      return { label: 'Seen', detail: reasonText(event.reason) ?? '', icon: 'check' };
  }
}

/** Findings of what is allowed are notes. */
const verdictWords = () =>
  ({ allow: l10n.t('allowed, with notes by'), confirm: l10n.t('to be decided, for'), block: l10n.t('refused, for') }) as const;

function reviewWords({ verdict, rules }: Extract<JournalEvent, { kind: 'reviewed' }>): string {
  return rules.length === 0
    ? l10n.t('allowed, nothing found')
    : `${verdictWords()[verdict]} ${oneLine([...new Set(rules)].join(', '), 200)}`;
}
