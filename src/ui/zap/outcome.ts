import * as l10n from '@vscode/l10n';
import type { OperationRecord } from '../../transactions/journal/types';
import type { OperationResult, OperationStep } from '../../transactions/types';
import type { Address } from '../../base/solana/address';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';
import { asSignature } from './signature';

/** What a step is called while it runs; `{left}` stands for how long it takes at most ({@link stepText}). */
export const stepMessages = (): Readonly<Record<OperationStep, string>> => ({
  waitingForEarlier: l10n.t(
    'waiting until the attempt before can no longer land, so that both cannot; two minutes at most. Cancel ends it …',
  ),
  building: l10n.t('asking the service for the transactions …'),
  reviewing: l10n.t('reading what the transactions do …'),
  waitingForApproval: l10n.t('waiting for your decision …'),
  signing: 'signing …',
  landing: l10n.t('sending; it can no longer be cancelled. Cancel ends the waiting only …'),
  waitingToSendAgain: l10n.t(
    'sent, but the service has had too many requests; the same transactions are sent again{left}. Cancel ends that …',
  ),
  waitingForEffect: l10n.t('sent; waiting until the service lists the change. Cancel ends the waiting only …'),
  findingOut: l10n.t('sent, but not confirmed; waiting for proof whether it landed{left}. Cancel ends the waiting only …'),
});

const SECOND_MS = 1_000;
const SECONDS_PER_MINUTE = 60;

/** What a step is called while it runs. @param leftMs how long it takes at most from now on; `undefined`: not known */
export function stepText(step: OperationStep, leftMs?: number): string {
  const left =
    leftMs === undefined || leftMs <= 0
      ? ''
      : step === 'waitingToSendAgain'
        ? l10n.t` in ${durationText(leftMs)}`
        : l10n.t`, ${durationText(leftMs)} at most`;
  return stepMessages()[step].replace('{left}', left);
}

/** "1 min 20 s", "45 s" */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  return minutes === 0 ? l10n.t`${seconds} s` : l10n.t`${minutes} min ${seconds % SECONDS_PER_MINUTE} s`;
}

/** How an operation ended, in words. */
export interface OutcomeMessages {
  /** "Zapping out of BONK/SOL" */
  readonly doing: string;
  /** "Zapped out of BONK/SOL" */
  readonly done: string;
  /** What came of it, in sentences; asked for once the portfolio shows it. `position` is the one that was left or made, `record` what the journal has of it. */
  readonly result: (position: Address | undefined, record: OperationRecord | undefined) => string;
}

/** What telling the outcome works with. */
export interface OutcomeDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'copy' | 'openExternal'>;
  /** Transactions of the sandbox are in no explorer. */
  readonly isSandbox: boolean;
}

/** What is known of an operation whose end is told. */
export interface ToldOperation {
  /** What the journal has of it, once it has settled. */
  readonly record?: OperationRecord | undefined;
  /** Its id in the journal; `undefined`: it did not get so far. */
  readonly operation?: string | undefined;
}

/** The button that opens a transaction in an explorer. */
export const explorerText = (): string => l10n.t('Open in Explorer');
const copyText = () => l10n.t('Copy Signature');

/** What became of something that was tried again, and then was not wanted. */
export const firstTry = (): string => l10n.t('The first try was sent and did not land, and nothing more was signed: your money is where it was.');
const unconfirmedText = () => l10n.t('unconfirmed. The service says that it has landed, and does not list the change yet.');
const proven = () => l10n.t('it has landed. The service does not list the change yet.');
const stoppedText = () => l10n.t('the service says that it has landed. You stopped waiting before it listed the change.');

/** Tells how an operation ended; does not wait until the notification is closed. @param told what is known of it */
export function notifyOutcome(
  result: OperationResult,
  words: OutcomeMessages,
  dependencies: OutcomeDependencies,
  { record, operation }: ToldOperation = {},
): void {
  switch (result.kind) {
    case 'declined':
      void dependencies.prompts.notify({
        operation,
        severity: 'info',
        message: l10n.t`${words.doing} was cancelled. ${result.isAfterFirstTry === true ? firstTry() : l10n.t('Nothing was signed, nothing was sent.')}`,
      });
      return;
    case 'blocked':
      // The approval has said why.
      return;
    case 'settled':
      void notifyLanded(
        [words.result(result.position, record), ...(result.shortfall === undefined ? [] : [result.shortfall])].join(' '),
        result.signature,
        dependencies,
        { severity: result.shortfall === undefined ? 'info' : 'warning', operation },
      );
      return;
    case 'landedNotListed':
      void notifyLanded(
        l10n.t`${words.done}: ${result.isProven === true ? proven() : result.stoppedWaiting ? stoppedText() : unconfirmedText()} Binsight goes on watching it, and Activity says how it ends.`,
        result.signature,
        dependencies,
        { operation },
      );
      return;
  }
}

/** Tells of what has landed, and offers its signature; resolves once the notification is closed. */
export async function notifyLanded(
  message: string,
  signature: string | undefined,
  { prompts, actions, isSandbox }: OutcomeDependencies,
  { severity = 'info', operation }: { readonly severity?: 'info' | 'warning'; readonly operation?: string | undefined } = {},
): Promise<void> {
  const known = asSignature(signature);
  const action = await prompts.notify({
    severity,
    message,
    operation,
    actions: known === undefined ? [] : isSandbox ? [copyText()] : [explorerText(), copyText()],
  });
  if (known !== undefined && action === copyText()) {
    await actions.copy(known);
  } else if (known !== undefined && action === explorerText()) {
    await actions.openExternal(explorerOfTransaction(known));
  }
}

/** Where a transaction can be looked at. */
export function explorerOfTransaction(signature: string): string {
  return `https://solscan.io/tx/${signature}`;
}

/** Where an account can be looked at. */
export function explorerOfAccount(address: string): string {
  return `https://solscan.io/account/${address}`;
}
