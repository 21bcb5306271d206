import type { PlaceNotes } from '../notes';

const ADVANCE = 'advance_nonce_account';

/** The System program's instructions on durable nonces. */
export const NONCE_INSTRUCTIONS: readonly string[] = [
  ADVANCE,
  'withdraw_nonce_account',
  'initialize_nonce_account',
  'authorize_nonce_account',
  'upgrade_nonce_account',
];

/** Policy §3 (NON): a signed transaction with a durable nonce never expires, and can be held back for years. */
export function reviewNonce(name: string, notes: PlaceNotes): void {
  if (name === ADVANCE) {
    notes.block('NON-1', 'The transaction uses a durable nonce: once signed it would never expire, and could be used against you at any time.');
  } else {
    notes.block('NON-2', `The transaction handles a durable nonce account (${name}). Liquidity operations never do.`);
  }
}
