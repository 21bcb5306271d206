import type { Address } from '../solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../solana/programs';
import { addressArgument, addressIn, integerIn, isInstruction, type DecodedCall, type ReadTransaction } from './reading';

/** Bytes of a token account. */
const TOKEN_ACCOUNT_BYTES = 165n;

/**
 * Gives the accounts that the transaction makes for wrapped SOL and closes again (SYS-4): created for the Token program
 * with 165 bytes, initialized by the very next instruction with wrapped SOL and the owner, closed to the owner later on. Before
 * and after that nothing may name the account: whoever has its key could take what is sent to it once it is closed.
 */
export function temporaryWrappedSol(transaction: ReadTransaction, owner: Address): ReadonlySet<Address> {
  const { readings } = transaction;
  return new Set(
    readings.flatMap((created, place) => {
      const account = createdTokenAccount(created);
      const next = readings[place + 1];
      if (account === undefined || next === undefined || !isInitializedFor(next, account, owner)) {
        return [];
      }
      const named = readings.filter((reading) => reading.view.accounts.some(({ address }) => address === account));
      const last = named.at(-1);
      return named[0] === created && last !== undefined && last.index > next.index && isClosedTo(last, account, owner) ? [account] : [];
    }),
  );
}

function createdTokenAccount(reading: DecodedCall): Address | undefined {
  const fits =
    isInstruction(reading, PROGRAMS.system, 'create_account', 'create_account_with_seed') &&
    addressArgument(reading.args, 'owner') === PROGRAMS.token &&
    integerIn(reading.args, 'space') === TOKEN_ACCOUNT_BYTES;
  return fits ? addressIn(reading, 'account') : undefined;
}

function isInitializedFor(reading: DecodedCall, account: Address, owner: Address): boolean {
  if (!isInstruction(reading, PROGRAMS.token, 'initialize_account', 'initialize_account2', 'initialize_account3')) {
    return false;
  }
  const holder = addressIn(reading, 'owner') ?? addressArgument(reading.args, 'owner');
  return reading.args !== undefined && addressIn(reading, 'account') === account && addressIn(reading, 'mint') === WRAPPED_SOL_MINT && holder === owner;
}

function isClosedTo(reading: DecodedCall, account: Address, owner: Address): boolean {
  return (
    isInstruction(reading, PROGRAMS.token, 'close_account') &&
    reading.args !== undefined &&
    addressIn(reading, 'account') === account &&
    addressIn(reading, 'destination') === owner
  );
}
