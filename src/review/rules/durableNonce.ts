import * as l10n from '@vscode/l10n';
import type { PlaceNotes } from '../notes';
import type { TransactionRule } from '../context';

const ADVANCE = 'advance_nonce_account';

/** The System program's instructions on durable nonces. */
export const NONCE_INSTRUCTIONS: readonly string[] = [
  ADVANCE,
  'withdraw_nonce_account',
  'initialize_nonce_account',
  'authorize_nonce_account',
  'upgrade_nonce_account',
];

/** Policy §3 (NON-1, NON-2): a signed transaction with a durable nonce never expires, and can be held back for years. */
export function reviewNonce(name: string, notes: PlaceNotes): void {
  if (name === ADVANCE) {
    notes.block(
      'NON-1',
      l10n.t('The transaction uses a durable nonce: once signed it would never expire, and could be used against you at any time.'),
    );
  } else {
    notes.block('NON-2', l10n.t`The transaction handles a durable nonce account (${name}). Liquidity operations never do.`);
  }
}

/** Policy §3, NON-3: what stands in the blockhash's place should be a blockhash that the network still takes. */
export const reviewBlockhash: TransactionRule = (context, notes) => {
  if (context.facts.blockhashes.get(context.transaction.view.wire.recentBlockhash) === false) {
    notes.confirm(
      'NON-3',
      l10n.t('The transaction names no recent blockhash of the network: it has expired, or what stands there is the value of a nonce.'),
    );
  }
};
