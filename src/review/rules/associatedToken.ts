import { PROGRAMS, RENT_LAMPORTS } from '../../solana/programs';
import type { TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, type Reading } from '../reading';
import type { InstructionRule } from './rule';
import { noteUnresolved } from './unresolved';

/** Policy §7, ATA-1: associated token accounts may be made for the owner. */
export const reviewAssociatedToken: InstructionRule = (reading, context, notes) => {
  const { owner } = context.intent;
  if (reading.args === undefined || reading.layout?.name === 'recover_nested') {
    notes.block('ATA-1', 'An instruction to the Associated Token Account program is not one that this operation needs.');
    return;
  }
  const wallet = addressIn(reading, 'wallet');
  const tokenProgram = addressIn(reading, 'token_program');
  if (tokenProgram !== undefined && tokenProgram !== PROGRAMS.token && tokenProgram !== PROGRAMS.token2022) {
    notes.block('ATA-1', `A token account would be made by ${tokenProgram}, which is not a token program.`, { address: tokenProgram });
    return;
  }
  if (!reviewDerivation(reading, context, notes)) {
    return;
  }
  if (wallet === undefined) {
    noteUnresolved('ATA-1', 'A token account is made, at your cost, for a wallet', 'other', context, notes);
  } else if (wallet !== owner) {
    notes.confirm('ATA-1', `A token account is made, at your cost, for ${wallet}, which is not your wallet.`, { address: wallet });
    notes.effect({ kind: 'recipient', address: wallet, role: 'gets a token account that you pay for' });
  }
  if (addressIn(reading, 'payer') === owner) {
    const lamports = tokenProgram === PROGRAMS.token ? RENT_LAMPORTS.tokenAccount : RENT_LAMPORTS.token2022Account;
    notes.effect({ kind: 'rent', lamports, refundable: wallet === owner });
  }
};

/** Says whether the account is the one that belongs to the wallet and the mint, as far as the bytes name them all. */
function reviewDerivation(reading: Reading, context: TransactionContext, notes: PlaceNotes): boolean {
  const [account, wallet, mint, tokenProgram] = ['associated_account', 'wallet', 'mint', 'token_program'].map((role) => addressIn(reading, role));
  if (account === undefined || wallet === undefined || mint === undefined || tokenProgram === undefined || context.derived.associatedToken(wallet, mint, tokenProgram) === account) {
    return true;
  }
  notes.block('ATA-1', `${account} is not the token account that belongs to ${wallet} and ${mint}.`, { address: account });
  return false;
}
