import bs58 from 'bs58';
import type { TransactionRule } from './rule';

const NO_BLOCKHASH = bs58.encode(new Uint8Array(32));

/** Policy §1 as far as it is about transactions that can be read: DEC-7, and what lookup tables hide (ALT-2). */
export const reviewDecoding: TransactionRule = (context, notes) => {
  const { wire } = context.transaction.view;
  if (wire.instructions.length === 0) {
    notes.confirm('DEC-7', 'The transaction has no instructions: it does nothing and still costs its fee.');
  }
  if (wire.recentBlockhash === NO_BLOCKHASH) {
    notes.confirm('DEC-7', 'The transaction has no blockhash: the network will not take it.');
  }
  for (const { table, writableIndexes, readonlyIndexes } of wire.tableLookups) {
    const count = writableIndexes.length + readonlyIndexes.length;
    notes.info('ALT-2', `${count} accounts come from the lookup table ${table} and were not checked.`, { address: table });
  }
};
