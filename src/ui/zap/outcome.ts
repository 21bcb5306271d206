import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { SECOND_MS } from '../../base/time';
import type { OperationRecord } from '../../transactions/journal/types';
import type { Reason } from '../../base/reasons/reason';
import { reasonWords } from '../../base/reasons/reasonWords';
import type { OperationResult, OperationStep } from '../../transactions/types';
import type { EditorActions } from '../shell/editorAccess';
import { asSignature, explorerOfTransaction } from '../shell/explorer';
import type { OpenTask } from '../shell/openTasks';
import type { Prompts } from '../shell/prompts/prompts';
import { movedInLine } from './movedTokens';
import { halfDoneBrief } from './operationMessages';
import { walletChange } from './results';

const checkingText = (): string => l10n.t('sent; checking whether it landed{left}. Cancel only stops waiting…');

/** Progress text of each step; {@link stepText} replaces `{left}` with the remaining time. */
export const progressMessages = (): Readonly<Record<OperationStep, string>> => ({
  waitingForEarlier: l10n.t('waiting up to two minutes for the previous attempt…'),
  building: l10n.t('requesting the transactions…'),
  reviewing: l10n.t('reviewing the transactions…'),
  waitingForApproval: l10n.t('waiting for your decision…'),
  rejected: l10n.t('Nothing was signed.'),
  signing: l10n.t('signing…'),
  landing: l10n.t('sending. Cancel only stops waiting…'),
  waitingToSendAgain: l10n.t('sent; rate limited, so the same is sent again{left}. Cancel stops that…'),
  waitingForEffect: checkingText(),
  findingOut: checkingText(),
});

const SECONDS_PER_MINUTE = 60;

/**
 * Progress text of a step. While the user is asked it counts nothing down: the question covers it.
 * @param leftMs upper bound of its remaining time in milliseconds; `undefined` if unknown
 */
export function stepText(step: OperationStep, leftMs?: number): string {
  return progressMessages()[step].replace('{left}', leftMs === undefined || leftMs <= 0 ? '' : ` (≤ ${durationText(leftMs)})`);
}

/** "1:20", "45 s" */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  return minutes === 0 ? l10n.t`${seconds} s` : `${minutes}:${String(seconds % SECONDS_PER_MINUTE).padStart(2, '0')}`;
}

/** Texts about one operation. */
export interface OutcomeMessages {
  /** "Zap out 50% of BONK/SOL" */
  readonly title: string;
  /** The result in sentences, once the portfolio shows it. `position` is the one that was left or opened, `record` the journal's. */
  readonly result: (position: Address | undefined, record: OperationRecord | undefined) => string;
  /** The position that is there afterwards can be opened: not one that was left. */
  readonly hasPosition?: boolean;
}

export interface OutcomeDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'copy' | 'openExternal'>;
  /** No explorer lists transactions of the sandbox, or of other chains than mainnet. */
  readonly hasExplorer: boolean;
  /** Opens the panel of a position. Default: that is not offered. */
  readonly openPosition?: ((position: Address) => Promise<void>) | undefined;
  /** Completes an operation that is half done. Default: that is not offered. */
  readonly complete?: ((operation: string) => Promise<void>) | undefined;
}

/** What is known of an operation that has ended. */
export interface EndedOperation {
  /** Its journal record, once it has settled. */
  readonly record?: OperationRecord | undefined;
  /** What is left to do of it. */
  readonly left?: OpenTask | undefined;
  /** Its id in the journal; `undefined` if it ended before it got one. */
  readonly operation?: string | undefined;
}

/** The button that opens a transaction in an explorer. */
export const explorerText = (): string => l10n.t('Open in Explorer');
export const copyText = (): string => l10n.t('Copy Signature');
const openText = (): string => l10n.t('Open Position');

/** The outcome where the user cancelled a second attempt. */
export const firstTry = (): string => l10n.t('The first attempt did not land, and nothing more was sent. Your money has not moved.');

/** "Zap out 50% of BONK/SOL: canceled. Nothing was signed." */
export const canceledText = (title: string, isAfterFirstTry: boolean): string =>
  l10n.t`${title}: canceled. ${isAfterFirstTry ? firstTry() : l10n.t('Nothing was signed.')}`;

/** The landing was reported or proven and not listed yet, or listed and not proven yet. */
function landedText(title: string, { isProven, awaits }: Extract<OperationResult, { kind: 'landedNotListed' }>): string {
  const code =
    awaits === 'proof'
      ? 'reportedNotProven'
      : awaits === 'chain'
        ? 'listedNotProven'
        : isProven === true
          ? 'landedNotListed'
          : 'reportedNotListed';
  return l10n.t`${title}: ${reasonWords({ code })} Activity shows the result.`;
}

/**
 * Notifies about the end of an operation, without waiting until the notification is closed.
 * @param known what is known of the operation
 */
export function notifyOutcome(
  result: OperationResult,
  words: OutcomeMessages,
  dependencies: OutcomeDependencies,
  { record, left, operation }: EndedOperation = {},
): void {
  switch (result.kind) {
    case 'declined':
      void dependencies.prompts.notify({
        operation,
        severity: 'info',
        message: canceledText(words.title, result.isAfterFirstTry === true),
      });
      return;
    case 'blocked':
      // The approval has explained why.
      return;
    case 'settled': {
      const missing = record === undefined ? undefined : halfDoneBrief(record, left);
      if (record !== undefined && missing !== undefined && result.shortfall !== undefined) {
        void notifyHalfDone(record, words.title, missing, result.shortfall, dependencies);
        return;
      }
      void notifyLanded(
        [words.result(result.position, record), ...(result.shortfall === undefined ? [] : [reasonWords(result.shortfall)])].join(' '),
        result.signature,
        dependencies,
        {
          severity: result.shortfall === undefined ? 'info' : 'warning',
          operation,
          position: words.hasPosition === true ? result.position : undefined,
        },
      );
      return;
    }
    case 'landedNotListed':
      void notifyLanded(landedText(words.title, result), result.signature, dependencies, { operation });
      return;
  }
}

/** The button that completes an operation. */
export const completeText = (): string => l10n.t('Complete Interrupted Operation');

/**
 * Notifies that an operation is half done: first what is missing. It is an error because VS Code keeps only errors with a button until the user closes
 * them.
 */
async function notifyHalfDone(
  record: OperationRecord,
  title: string,
  missing: string,
  shortfall: Reason,
  { prompts, complete }: OutcomeDependencies,
): Promise<void> {
  const moved = movedInLine(record);
  const action = await prompts.notify({
    severity: 'error',
    message: [`${missing}.`, l10n.t`${title}: ${reasonWords(shortfall)}`, ...(moved === undefined ? [] : [walletChange(moved)])].join(' '),
    operation: record.id,
    actions: complete === undefined ? [] : [completeText()],
  });
  if (action === completeText()) {
    await complete?.(record.id);
  }
}

/** A notification about something that landed. */
interface Landed {
  readonly severity?: 'info' | 'warning';
  readonly operation?: string | undefined;
  /** The position that it offers to open, instead of copying the signature, which Activity has. */
  readonly position?: Address | undefined;
}

/** Notifies about something that landed, and offers its position or its signature. Resolves when the notification is closed. */
export async function notifyLanded(
  message: string,
  signature: string | undefined,
  { prompts, actions, hasExplorer, openPosition }: OutcomeDependencies,
  { severity = 'info', operation, position }: Landed = {},
): Promise<void> {
  const known = asSignature(signature);
  const opened = openPosition === undefined ? undefined : position;
  const action = await prompts.notify({
    severity,
    message,
    operation,
    actions: [
      ...(opened === undefined ? [] : [openText()]),
      ...(known !== undefined && hasExplorer ? [explorerText()] : []),
      ...(known !== undefined && opened === undefined ? [copyText()] : []),
    ],
  });
  if (opened !== undefined && action === openText()) {
    await openPosition?.(opened);
  } else if (known !== undefined && action === copyText()) {
    await actions.copy(known);
  } else if (known !== undefined && action === explorerText()) {
    await actions.openExternal(explorerOfTransaction(known));
  }
}

/** Timeout and interval, in milliseconds, for the service to list the effect of an operation: its lists lag behind the chain. */
export const SETTLE_TIMEOUT_MS = 30_000;
export const SETTLE_EVERY_MS = 4_000;
