import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { JITO_TIP_ACCOUNTS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { accountIn, addressIn, type DecodedCall, integerAt } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { noteUnresolved } from './decoding';
import { NONCE_INSTRUCTIONS, reviewNonce } from './signatures';
import {
  approvedRecipientWords,
  foreignWords,
  goesToWords,
  handOverWords,
  rawAmountText,
  toStrangersWords,
  unknownAccount,
  unreadWords,
} from './words';

/** Reviews instructions of the System program (SYS-1 to SYS-5, NON-1, NON-2), and notes tips. */
export const reviewSystem: InstructionRule = (reading, context, notes) => {
  const name = reading.layout?.name ?? '';
  if (NONCE_INSTRUCTIONS.includes(name)) {
    reviewNonce(reading, notes);
    return;
  }
  switch (name) {
    case 'assign':
    case 'assign_with_seed':
    case 'allocate':
    case 'allocate_with_seed':
      notes.block('SYS-3', handOverWords(name), { address: addressIn(reading, 'account') });
      return;
    case 'transfer_with_seed':
      notes.block('SYS-2', foreignWords(reading), { address: addressIn(reading, 'to') });
      return;
  }
  if (reading.args === undefined) {
    notes.block('SYS-5', unreadWords(reading));
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
        l10n.t`The transaction would move ${lamportsToSol(lamports)} SOL out of ${from?.address ?? unknownAccount()}, which does not sign it.`,
        { address: from?.address },
      );
    }
    return;
  }
  if (to === intent.owner) {
    return;
  }
  if (to === undefined) {
    noteUnresolved(
      'SYS-1',
      goesToWords(rawAmountText(WRAPPED_SOL_MINT, lamports), unknownAccount()),
      'transferDestination',
      context,
      notes,
    );
  } else if (owned.isWrappedSol(to) || temporary.has(to)) {
    notes.effect({ kind: 'wrap', lamports, account: to });
  } else if (JITO_TIP_ACCOUNTS.includes(to)) {
    notes.effect({ kind: 'tip', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: 'Jito tip' });
  } else if (context.policy.feeRecipients.includes(to)) {
    // The cap over the whole operation is checked with the limits.
    const words = `${goesToWords(rawAmountText(WRAPPED_SOL_MINT, lamports), to)} ${approvedRecipientWords()}`;
    notes.confirm('SYS-1', words, { address: to, amountRaw: lamports });
    notes.effect({ kind: 'send', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets SOL') });
  } else {
    notes.confirm('SYS-1', toStrangersWords(lamports, to), { address: to, amountRaw: lamports });
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
      l10n.t`The transaction would create ${account ?? unknownAccount()}, which is not a temporary account for wrapped SOL.`,
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
