import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS, RENT_LAMPORTS } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { noteUnresolved } from './unresolved';

/** ATA-1: associated token accounts may be created for the owner. */
export const reviewAssociatedToken: InstructionRule = (reading, context, notes) => {
  const { owner } = context.intent;
  if (reading.args === undefined || reading.layout?.name === 'recover_nested') {
    notes.block(
      'ATA-1',
      l10n.t('The transaction sends an instruction to the Associated Token Account program that this operation does not need.'),
    );
    return;
  }
  const wallet = addressIn(reading, 'wallet');
  const tokenProgram = addressIn(reading, 'token_program');
  if (tokenProgram !== undefined && tokenProgram !== PROGRAMS.token && tokenProgram !== PROGRAMS.token2022) {
    notes.block('ATA-1', l10n.t`A token account would be created by ${tokenProgram}, which is not a token program.`, {
      address: tokenProgram,
    });
    return;
  }
  if (!reviewDerivation(reading, context, notes)) {
    return;
  }
  if (wallet === undefined) {
    noteUnresolved('ATA-1', l10n.t('You would pay for the token account of an unknown wallet.'), 'other', context, notes);
  } else if (wallet !== owner) {
    notes.confirm('ATA-1', l10n.t`You would pay for a token account of ${wallet}, which is not your wallet.`, { address: wallet });
    notes.effect({ kind: 'recipient', address: wallet, role: l10n.t('gets a token account that you pay for') });
  }
  if (addressIn(reading, 'payer') === owner) {
    const lamports = tokenProgram === PROGRAMS.token ? RENT_LAMPORTS.tokenAccount : RENT_LAMPORTS.token2022Account;
    notes.effect({ kind: 'rent', lamports, refundable: wallet === owner });
    if (wallet === owner) {
      reviewPart(reading, lamports, context, notes);
    }
  }
};

/** ATA-1: an account for a token that has no part in the operation is a question, because it costs rent. */
function reviewPart(reading: DecodedCall, lamports: bigint, { poolMints, transaction }: TransactionContext, notes: PlaceNotes): void {
  const [account, mint] = [addressIn(reading, 'associated_account'), addressIn(reading, 'mint')];
  if (account === undefined || mint === undefined || poolMints.has(mint)) {
    return;
  }
  // A route through a third token names the account, a reward its mint.
  const isUsed = transaction.readings
    .filter(usesTokens)
    .some(({ view }) => view.accounts.some(({ address }) => address === account || address === mint));
  if (!isUsed) {
    const words = l10n.t`The transaction creates a token account for ${mint}, which is not part of this operation. Its rent of ${lamportsToSol(lamports)} SOL stays there until you close it.`;
    notes.confirm('ATA-1', words, { address: mint, amountRaw: lamports });
  }
}

/** Returns whether an instruction may use tokens: it moves them, closes their account, or calls a program that trades. */
function usesTokens(reading: DecodedCall): boolean {
  const { program } = reading.view;
  if (program === PROGRAMS.token || program === PROGRAMS.token2022) {
    return isInstruction(reading, program, 'transfer', 'transfer_checked', 'transfer_checked_with_fee', 'close_account');
  }
  return !WITHOUT_TOKENS.includes(program);
}

const WITHOUT_TOKENS: readonly Address[] = [
  PROGRAMS.associatedToken,
  PROGRAMS.system,
  PROGRAMS.computeBudget,
  PROGRAMS.memo,
  PROGRAMS.memoV1,
  REVIEW_PROGRAMS.lighthouse,
];

/** Returns whether the account is the one derived from the wallet and the mint, as far as the bytes name them all. */
function reviewDerivation(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): boolean {
  const [account, wallet, mint, tokenProgram] = ['associated_account', 'wallet', 'mint', 'token_program'].map((role) =>
    addressIn(reading, role),
  );
  if (
    account === undefined ||
    wallet === undefined ||
    mint === undefined ||
    tokenProgram === undefined ||
    context.derived.associatedToken(wallet, mint, tokenProgram) === account
  ) {
    return true;
  }
  notes.block('ATA-1', l10n.t`${account} is not the associated token account of ${wallet} for ${mint}.`, { address: account });
  return false;
}
