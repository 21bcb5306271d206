import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { JITO_TIP_ACCOUNTS } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { accountIn, addressIn, type DecodedCall, integerAt } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { noteUnresolved } from './decoding';
import { NONCE_INSTRUCTIONS, reviewNonce } from './signatures';

/** Reviews instructions of the System program (SYS-1 to SYS-5, NON-1, NON-2), and notes tips. */
export const reviewSystem: InstructionRule = (reading, context, notes) => {
  const name = reading.layout?.name ?? '';
  if (NONCE_INSTRUCTIONS.includes(name)) {
    reviewNonce(name, notes);
    return;
  }
  switch (name) {
    case 'assign':
    case 'assign_with_seed':
    case 'allocate':
    case 'allocate_with_seed':
      notes.block(
        'SYS-3',
        l10n.t`The transaction would hand an account over to another program (${name}). Done to a wallet, that is theft.`,
        { address: addressIn(reading, 'account') },
      );
      return;
    case 'transfer_with_seed':
      notes.block('SYS-2', l10n.t('The transaction would move SOL out of a derived account. Liquidity operations never do that.'), {
        address: addressIn(reading, 'to'),
      });
      return;
  }
  if (reading.args === undefined) {
    notes.block('SYS-5', l10n.t('Binsight cannot read an instruction to the System program.'));
  } else if (name === 'transfer') {
    reviewTransfer(reading, context, notes);
  } else {
    reviewCreation(reading, context, notes);
  }
};

/** SYS-1: the recipients of SOL. */
function reviewTransfer(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent, owned, temporary } = context;
  const lamports = integerAt(reading.args, 'lamports') ?? 0n;
  const from = accountIn(reading, 'from');
  const to = addressIn(reading, 'to');
  if (from?.address !== intent.owner) {
    // A co-signer may move its own SOL. Without a signature the transfer could only fail, so it serves another purpose.
    if (from?.signer !== true) {
      notes.block(
        'SYS-1',
        l10n.t`The transaction would move ${lamportsToSol(lamports)} SOL out of ${from?.address ?? l10n.t('an account in a lookup table')}, which does not sign it.`,
        { address: from?.address },
      );
    }
    return;
  }
  if (to === intent.owner) {
    return;
  }
  if (to === undefined) {
    noteUnresolved('SYS-1', l10n.t`${lamportsToSol(lamports)} SOL would go to an unknown account.`, 'transferDestination', context, notes);
  } else if (owned.isWrappedSol(to) || temporary.has(to)) {
    notes.effect({ kind: 'wrap', lamports, account: to });
  } else if (JITO_TIP_ACCOUNTS.includes(to)) {
    notes.effect({ kind: 'tip', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: 'Jito tip' });
  } else if (context.policy.feeRecipients.includes(to)) {
    // The cap over the whole operation is checked with the limits.
    notes.confirm('SYS-1', l10n.t`${lamportsToSol(lamports)} SOL would go to ${to} as a fee. You approved that recipient.`, {
      address: to,
      amountRaw: lamports,
    });
    notes.effect({ kind: 'send', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets a fee in SOL') });
  } else {
    notes.confirm('SYS-1', l10n.t`${lamportsToSol(lamports)} SOL would go to ${to}, which is neither your account nor the pool.`, {
      address: to,
      amountRaw: lamports,
    });
    notes.effect({ kind: 'send', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets SOL') });
  }
}

/** SYS-4: only temporary accounts for wrapped SOL may be created. */
function reviewCreation(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const account = addressIn(reading, 'account');
  if (account === undefined || !context.temporary.has(account)) {
    notes.block(
      'SYS-4',
      account === undefined
        ? l10n.t('The transaction would create an account from an unread lookup table. This operation does not need it.')
        : l10n.t`The transaction would create the account ${account}, which is not a temporary account for wrapped SOL.`,
      { address: account },
    );
    return;
  }
  const lamports = integerAt(reading.args, 'lamports') ?? 0n;
  notes.confirm(
    'SYS-4',
    l10n.t`SOL is wrapped in a temporary account, ${account}, which is closed to your wallet in the same transaction.`,
    { address: account, amountRaw: lamports },
  );
  if (addressIn(reading, 'from') === context.intent.owner) {
    const wrapped = lamports - context.rent.tokenAccount;
    notes.effect({ kind: 'rent', lamports: wrapped > 0n ? context.rent.tokenAccount : lamports, refundable: true });
    notes.effect({ kind: 'wrap', lamports: wrapped > 0n ? wrapped : 0n, account });
  }
}
