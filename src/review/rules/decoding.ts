import * as l10n from '@vscode/l10n';
import bs58 from 'bs58';
import type { TableView } from '../decode/transaction';
import type { PlaceNotes } from '../notes';
import type { TransactionRule } from '../context';

const NO_BLOCKHASH = bs58.encode(new Uint8Array(32));

/** Policy §1 as far as it is about transactions that can be read: DEC-7, and what lookup tables say and hide (ALT). */
export const reviewDecoding: TransactionRule = (context, notes) => {
  const { wire, tables } = context.transaction.view;
  if (wire.instructions.length === 0) {
    notes.confirm('DEC-7', l10n.t('The transaction has no instructions: it does nothing and still costs its fee.'));
  }
  if (wire.recentBlockhash === NO_BLOCKHASH) {
    notes.confirm('DEC-7', l10n.t('The transaction has no blockhash: the network will not take it.'));
  }
  tables.forEach((table) => reviewTable(table, notes));
};

/** ALT-2 to ALT-4. What an unresolved account is used for is judged by the rules of the instructions. */
function reviewTable({ address, accountCount, content, placesBeyondEnd }: TableView, notes: PlaceNotes): void {
  if (content === undefined) {
    notes.info('ALT-2', l10n.t`${accountCount} accounts come from the lookup table ${address} and were not checked.`, { address });
    return;
  }
  if (placesBeyondEnd.length > 0) {
    const message = l10n.t`The lookup table ${address} has ${content.addresses.length} entries, and the transaction uses entry ${placesBeyondEnd.map((place) => place + 1).join(', ')}: whoever keeps the table could put any account there after you have signed.`;
    notes.block('ALT-3', message, { address });
  }
  if (content.isDeactivated) {
    notes.confirm('ALT-4', l10n.t`The lookup table ${address} is being given up: the transaction may fail soon.`, { address });
  }
}
