import * as l10n from '@vscode/l10n';
import bs58 from 'bs58';
import type { Address } from '../../base/solana/address';
import { JITO_TIP_ACCOUNTS } from '../../base/solana/programs';
import type { OperationContext, TransactionContext, TransactionRule } from '../context';
import type { TableView } from '../decode/transaction';
import type { Detail, PlaceNotes } from '../notes';
import { unreadTableWords } from './words';

const NO_BLOCKHASH = bs58.encode(new Uint8Array(32));

/** DEC-7 for transactions that could be decoded, and ALT-2 to ALT-4 for their lookup tables. */
export const reviewDecoding: TransactionRule = (context, notes) => {
  const { wire, tables } = context.transaction.view;
  if (wire.instructions.length === 0) {
    notes.confirm('DEC-7', l10n.t('The transaction does nothing but cost its fee.'));
  }
  if (wire.recentBlockhash === NO_BLOCKHASH) {
    notes.confirm('DEC-7', l10n.t('The transaction has no blockhash, so the network will reject it.'));
  }
  tables.forEach((table) => reviewTable(table, notes));
  reviewReceivers(context, notes);
};

/**
 * ALT-2: who receives is named by the signed bytes, never by an RPC alone. A lying RPC can put an account that the rules accept where the table
 * holds a stranger's, so each such entry is a question. Tables are shared: an honest one holds no user's accounts.
 */
function reviewReceivers(context: TransactionContext, notes: PlaceNotes): void {
  for (const { address, fromTable } of context.transaction.view.accounts) {
    if (fromTable && address !== undefined && isAcceptedReceiver(address, context)) {
      const message = l10n.t`Only a lookup table names ${address}, which may receive your money. If your RPC lies about the table, the money goes elsewhere: sign only if you trust it completely.`;
      question('ALT-2', message, context, notes, { address });
    }
  }
}

/** Accounts that some rule lets receive tokens, SOL or rent: the owner's, the position, approved recipients of fees, and tip accounts. */
function isAcceptedReceiver(account: Address, { owned, temporary, position, derived, policy }: TransactionContext): boolean {
  return (
    owned.isAssociatedByAddress(account) ||
    temporary.has(account) ||
    (position !== undefined && (account === position || account === derived.dammPosition(position))) ||
    policy.feeRecipients.includes(account) ||
    JITO_TIP_ACCOUNTS.includes(account)
  );
}

/** ALT-2 to ALT-4. The rules of the instructions judge the roles of unresolved accounts. */
function reviewTable({ address, accountCount, content, placesBeyondEnd }: TableView, notes: PlaceNotes): void {
  if (content === undefined) {
    notes.info('ALT-2', l10n.t`Accounts from the lookup table ${address} that were neither read nor checked: ${accountCount}.`, {
      address,
    });
    return;
  }
  if (placesBeyondEnd.length > 0) {
    const message = l10n.t`The lookup table ${address} has ${content.addresses.length} entries, but the transaction uses entry ${placesBeyondEnd.map((place) => place + 1).join(', ')}. The table's authority could add any account there after you sign.`;
    notes.block('ALT-3', message, { address });
  }
  if (content.isDeactivated) {
    notes.confirm('ALT-4', l10n.t`The lookup table ${address} is being deactivated, so the transaction may fail soon.`, { address });
  }
}

/** Roles in which a stranger's account could cost the owner money: the destination of a transfer, or any other. */
type SensitiveRole = 'transferDestination' | 'other';

/**
 * Notes that an account in a sensitive role comes from an unresolved lookup table (ALT-2). An unknown destination of a transfer is
 * blocked. Recipients of a program, receivers of rent, pools, positions and authorities are a question, or blocked if the user chose
 * to be strict without an RPC. Accounts in other roles need no finding.
 * @param what a whole sentence: "The swap would pay out to an unknown account."
 */
export function noteUnresolved(rule: string, what: string, role: SensitiveRole, context: OperationContext, notes: PlaceNotes): void {
  const message = `${what} ${unreadTableWords()}`;
  if (role === 'transferDestination') {
    notes.block(rule, message);
  } else {
    question(rule, message, context, notes);
  }
}

/** A question about an account that the signed bytes do not name; blocked if the user chose to be strict. */
function question(rule: string, message: string, { policy }: OperationContext, notes: PlaceNotes, detail: Detail = {}): void {
  if (policy.isStrictWithoutRpc) {
    notes.block(rule, message, detail);
  } else {
    notes.confirm(rule, message, detail);
  }
}
