import type { OperationResult, OperationStep } from '../../operations/types';
import type { Address } from '../../solana/address';
import type { EditorActions } from '../editorActions';
import type { Prompts } from '../prompts/prompts';

/** What a step is called while it runs. */
export const STEP_WORDS: Readonly<Record<OperationStep, string>> = {
  building: 'asking the service for the transactions …',
  reviewing: 'reading what the transactions do …',
  waitingForApproval: 'waiting for your decision …',
  signing: 'signing …',
  landing: 'sending; it can no longer be cancelled …',
  waitingForEffect: 'sent; waiting until the service lists the change …',
};

/** How an operation ended, in words. */
export interface OutcomeWords {
  /** "Zapping out of BONK/SOL" */
  readonly doing: string;
  /** "Zapped out of BONK/SOL" */
  readonly done: string;
  /** What came of it, in sentences; asked for once the portfolio shows it. `position` is the one that was left or made. */
  readonly result: (position: Address | undefined) => string;
}

/** What telling the outcome works with. */
export interface OutcomeDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'copy' | 'openExternal'>;
  /** Transactions of the sandbox are in no explorer. */
  readonly isSandbox: boolean;
}

const EXPLORER = 'Open in Explorer';
const COPY = 'Copy Signature';

/** Base58 of 64 bytes. Whatever else the service calls a signature does not go into an address that is opened. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;

/** Tells how an operation ended; does not wait until the notification is closed. */
export function tellOutcome(result: OperationResult, words: OutcomeWords, dependencies: OutcomeDependencies): void {
  switch (result.kind) {
    case 'declined':
      void dependencies.prompts.notify({ severity: 'info', message: `${words.doing} was cancelled. Nothing was signed, nothing was sent.` });
      return;
    case 'blocked':
      // The approval has said why.
      return;
    case 'settled':
      void tellLanded(words.result(result.position), result.signature, dependencies);
      return;
    case 'landedNotListed':
      void tellLanded(`${words.done}: it has landed. ${result.stoppedWaiting ? 'You stopped waiting before the service listed the change' : 'The service does not list the change yet'}; a later refresh will show it.`, result.signature, dependencies);
      return;
  }
}

async function tellLanded(message: string, signature: string | undefined, { prompts, actions, isSandbox }: OutcomeDependencies): Promise<void> {
  const known = signature !== undefined && SIGNATURE.test(signature) ? signature : undefined;
  const action = await prompts.notify({ severity: 'info', message, actions: known === undefined ? [] : isSandbox ? [COPY] : [EXPLORER, COPY] });
  if (known !== undefined && action === COPY) {
    await actions.copy(known);
  } else if (known !== undefined && action === EXPLORER) {
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
