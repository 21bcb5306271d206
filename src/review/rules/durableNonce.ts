import * as l10n from '@vscode/l10n';
import type { PlaceNotes } from '../notes';
import type { TransactionRule } from '../context';

const ADVANCE = 'advance_nonce_account';

/** The System program's instructions for durable nonces. */
export const NONCE_INSTRUCTIONS: readonly string[] = [
  ADVANCE,
  'withdraw_nonce_account',
  'initialize_nonce_account',
  'authorize_nonce_account',
  'upgrade_nonce_account',
];

/** NON-1, NON-2: a signed transaction with a durable nonce never expires and can be held back for years. */
export function reviewNonce(name: string, notes: PlaceNotes): void {
  if (name === ADVANCE) {
    notes.block(
      'NON-1',
      l10n.t('The transaction uses a durable nonce. Once signed, it never expires and could be used against you at any time.'),
    );
  } else {
    notes.block('NON-2', l10n.t`The transaction uses a durable nonce account (${name}). Liquidity operations never do that.`);
  }
}

/** NON-3: the network still accepts the blockhash. */
export const reviewBlockhash: TransactionRule = (context, notes) => {
  if (context.facts.blockhashes.get(context.transaction.view.wire.recentBlockhash) === false) {
    notes.confirm(
      'NON-3',
      l10n.t('The network does not accept the blockhash of the transaction: it has expired, or is the value of a durable nonce.'),
    );
  }
};
