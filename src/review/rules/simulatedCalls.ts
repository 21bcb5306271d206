import type { Address } from '../../solana/address';
import { PROGRAMS } from '../../solana/programs';
import type { TransactionView } from '../decode';
import type { InnerInstruction, SimulatedTransaction } from '../facts';
import type { PlaceNotes } from '../notes';

/** Where the account that has to agree stands, by the number that the instruction begins with. */
type Authorities = ReadonlyMap<number, { readonly place: number; readonly does: string }>;

/** Layouts: spl-token `TokenInstruction`. A batch hides what it does, so it is refused whatever account the owner is in. */
const TOKEN_CALLS: Authorities = new Map([
  [4, { place: 2, does: 'let somebody spend your tokens later on' }],
  [6, { place: 1, does: 'give away the authority over a token account' }],
  [13, { place: 3, does: 'let somebody spend your tokens later on' }],
]);
const BATCH = 255;

/** Layouts: the System program's `SystemInstruction`. Assigning takes the account's own agreement. */
const SYSTEM_CALLS: Authorities = new Map([
  [1, { place: 0, does: 'hand your wallet over to another program' }],
  [8, { place: 0, does: 'make your wallet unusable' }],
  [9, { place: 1, does: 'make an account unusable in your name' }],
  [10, { place: 1, does: 'hand an account over to another program in your name' }],
]);

/**
 * SIM-4: no program that the transaction calls may approve, give away or assign anything with the owner's agreement. Stricter than
 * the policy in also refusing what the System program can do to a wallet besides, and token batches.
 */
export function reviewSimulatedCalls(view: TransactionView, { innerInstructions }: SimulatedTransaction, owner: Address, notes: PlaceNotes): void {
  for (const inner of innerInstructions ?? []) {
    const does = harmIn(inner, view, owner);
    if (does !== undefined) {
      notes.block('SIM-4', `In the simulation a program that this transaction calls would ${does}.`);
    }
  }
}

function harmIn({ programIdIndex, accountIndexes, data }: InnerInstruction, view: TransactionView, owner: Address): string | undefined {
  const addressAt = (index: number | undefined): Address | undefined => (index === undefined ? undefined : view.accounts[index]?.address);
  // The owner signs, so it is always among the static accounts: a place in an unknown table is never the owner's.
  switch (addressAt(programIdIndex)) {
    case PROGRAMS.token:
    case PROGRAMS.token2022:
      if (data[0] === BATCH) {
        return accountIndexes.some((index) => addressAt(index) === owner) ? 'do something with your tokens that is hidden in a batch' : undefined;
      }
      return harm(TOKEN_CALLS.get(data[0] ?? -1));
    case PROGRAMS.system:
      // The number has four bytes; the first tells them apart, and the others are zero in all that the program takes.
      return harm(SYSTEM_CALLS.get(data[0] ?? -1));
    default:
      return undefined;
  }

  function harm(call: { readonly place: number; readonly does: string } | undefined): string | undefined {
    return call !== undefined && addressAt(accountIndexes[call.place]) === owner ? call.does : undefined;
  }
}
