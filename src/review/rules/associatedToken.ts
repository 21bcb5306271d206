import { associatedTokenAddress } from '../../solana/derive';
import { PROGRAMS, RENT_LAMPORTS } from '../../solana/programs';
import { addressIn } from '../reading';
import type { InstructionRule } from './rule';

/** Rent of a Token-2022 account, which has at least one extension (policy, ATA-1). */
const TOKEN_2022_ACCOUNT_LAMPORTS = 2_074_080n;

/** Policy §7, ATA-1: associated token accounts may be made for the owner. */
export const reviewAssociatedToken: InstructionRule = (reading, context, notes) => {
  const { owner } = context.intent;
  if (reading.args === undefined || reading.layout?.name === 'recover_nested') {
    notes.block('ATA-1', 'An instruction to the Associated Token Account program is not one that this operation needs.');
    return;
  }
  const account = addressIn(reading, 'associated_account');
  const wallet = addressIn(reading, 'wallet');
  const mint = addressIn(reading, 'mint');
  const tokenProgram = addressIn(reading, 'token_program');
  if (account !== undefined && wallet !== undefined && mint !== undefined && tokenProgram !== undefined) {
    // What is known already is not derived again: that takes a good part of the review's time.
    const isKnown = wallet === owner && context.owned.isAssociated(account, mint, tokenProgram);
    if (!isKnown && associatedTokenAddress(wallet, mint, tokenProgram) !== account) {
      notes.block('ATA-1', `${account} is not the token account that belongs to ${wallet} and ${mint}.`, { address: account });
      return;
    }
  }
  if (wallet !== owner) {
    notes.confirm('ATA-1', `A token account is made, at your cost, for ${wallet ?? 'somebody whom only a lookup table names'}.`, { address: wallet });
  }
  if (addressIn(reading, 'payer') === owner) {
    const lamports = tokenProgram === PROGRAMS.token2022 ? TOKEN_2022_ACCOUNT_LAMPORTS : RENT_LAMPORTS.tokenAccount;
    notes.effect({ kind: 'rent', lamports, refundable: wallet === owner });
  }
};
