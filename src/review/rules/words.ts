import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { DecodedCall } from '../decode/instructions';
import { programName } from '../decode/programs';

// Sentences that several rules say. A finding is a statement and what follows from it, each a sentence of its own.

/** Stands for an account that the bytes do not name. */
export const unknownAccount = (): string => l10n.t('an unknown account');
/** Stands for a token that the bytes do not name. */
export const unknownToken = (): string => l10n.t('an unknown token');

export const notPartWords = (): string => l10n.t('That is not part of this operation.');
export const notYourWalletWords = (): string => l10n.t('That is not your wallet.');
export const noSwapWords = (): string => l10n.t('You asked for no swap.');
export const unreadTableWords = (): string => l10n.t("It comes from a lookup table that was not read, so it could be anyone's.");
export const acceptWords = (): string => l10n.t('Sign only if you accept that.');
export const tryOrAcceptWords = (): string => l10n.t('Try again, or sign only if you accept that.');
export const missingFromWalletWords = (): string => l10n.t('What is missing would come out of your wallet.');
export const shownWords = (amount: string): string => l10n.t`You were shown ${amount}.`;
export const approvedRecipientWords = (): string => l10n.t('You approved that recipient.');

/** What the user chose, beside what the transactions do. */
export const choseWords = (choice: string | undefined): string =>
  choice === undefined ? l10n.t('Your choice is unknown.') : l10n.t`You chose ${choice}.`;

/** "0.5 SOL", "−500 raw units of 6p6x…": the review knows no other names and decimals. */
export function rawAmountText(mint: Address | undefined, raw: bigint): string {
  if (raw < 0n) {
    return `−${rawAmountText(mint, -raw)}`;
  }
  return mint === WRAPPED_SOL_MINT ? l10n.t`${lamportsToSol(raw)} SOL` : l10n.t`${String(raw)} raw units of ${mint ?? unknownToken()}`;
}

/** "bins", "prices": the ends of a range, of which one may have no bound. */
export function boundsText(lowest: string | number | undefined, highest: string | number | undefined): string {
  if (lowest === undefined) {
    return l10n.t`at most ${highest ?? ''}`;
  }
  return highest === undefined ? l10n.t`at least ${lowest}` : l10n.t`${lowest} to ${highest}`;
}

export const unknownInstructionWords = (program: Address): string =>
  l10n.t`Binsight does not know this instruction of ${programName(program)}.`;

/** Why an instruction has no arguments that a rule could read. */
export function unreadWords({ view: { program }, layout, problem }: DecodedCall): string {
  return layout === undefined
    ? unknownInstructionWords(program)
    : l10n.t`Binsight cannot read the ${programName(program)} instruction "${layout.name}": ${problem?.message ?? ''}.`;
}

/** An instruction of a known program that this operation, or any operation, never contains. */
export function foreignWords({ view: { program }, layout }: DecodedCall, name = layout?.name): string {
  return name === undefined ? unknownInstructionWords(program) : foreignCallWords(program, name);
}

export const foreignCallWords = (program: Address, name: string): string =>
  l10n.t`The ${programName(program)} instruction "${name}" is not part of this operation.`;

export const spenderWords = (delegate: Address | undefined): string =>
  l10n.t`The transaction would let ${delegate ?? unknownAccount()} spend your tokens at any later time.`;
export const giveAwayWords = (account: Address | undefined): string =>
  l10n.t`The transaction would give away control of ${account ?? unknownAccount()}.`;
/** @param by the instruction, or the program that gets the account */
export const handOverWords = (by: string): string =>
  l10n.t`The transaction would hand an account over to another program (${by}). Done to a wallet, that is theft.`;

export const goesToWords = (amount: string, to: string): string => l10n.t`${amount} would go to ${to}.`;
/** SOL to accounts that the user has not approved. */
export const toStrangersWords = (lamports: bigint, to: string): string =>
  `${goesToWords(rawAmountText(WRAPPED_SOL_MINT, lamports), to)} ${l10n.t("That is neither yours nor the pool's.")}`;

export const intoPositionWords = (amount: string): string => l10n.t`Up to ${amount} would go into the position.`;
export const createsAccountWords = (mint: Address, rent: bigint): string =>
  l10n.t`The transaction creates a token account for ${mint}, with ${lamportsToSol(rent)} SOL of rent.`;
export const notAssociatedWords = (account: Address, wallet: Address, mint: Address): string =>
  l10n.t`${account} is not the associated token account of ${wallet} for ${mint}.`;
export const inPoolWords = (): string =>
  l10n.t('Tokens are swapped directly in the pool, at the price that it has when the transaction lands.');
export const unfixedAmountWords = (): string =>
  l10n.t('The transaction does not fix how much it takes: when it lands, that could be your whole balance.');
export const unknownExchangeWords = (sold: bigint | undefined, bought: bigint | undefined): string =>
  l10n.t`The route uses an exchange that Binsight cannot check. It claims to take at most ${String(sold ?? '?')} raw units and to pay out at least ${String(bought ?? '?')}.`;

export const usesWords = (amount: string): string => l10n.t`The operation would use ${amount}.`;
export const enteredWords = (amount: string): string => l10n.t`You entered ${amount}.`;

/** Sentences about a limit: what is above it, and what it is. */
export const inTotalWords = (what: string, sum: string): string => l10n.t`${what}: ${sum} in total.`;
export const blocksAboveWords = (most: string): string => l10n.t`Binsight blocks more than ${most}.`;
export const confirmAboveWords = (most: string): string => l10n.t`Only up to ${most} needs no confirmation.`;

/** A statement and what it relies on, where it is not the bytes of the transactions. */
export const byRpcWords = (statement: string): string => l10n.t`By your RPC: ${statement}`;
export const bySimulationWords = (statement: string): string => l10n.t`After the simulation: ${statement}`;

export const accountOfWords = (account: Address, owner: Address): string => l10n.t`Your token account ${account} belongs to ${owner}.`;
export const unusableAccountWords = (account: Address): string => l10n.t`Your token account ${account} is unreadable.`;
export const mayCloseWords = (who: Address, account: Address): string => l10n.t`${who} can close your token account ${account}.`;
export const maySpendWords = (who: Address, account: Address): string =>
  l10n.t`${who} can spend from your token account ${account}. Revoke that in your wallet app first.`;
