import type { Address } from '../solana/address';
import { PROGRAMS } from '../solana/programs';
import type { TransactionContext } from './context';
import { REVIEW_PROGRAMS } from './knownPrograms';
import { createdPositions } from './positions';
import { addressIn, isInstruction, type DecodedCall } from './reading';

/**
 * Gives those who sign along with the owner for a reason that the transaction shows (SIG-4): the key of a DLMM position that is
 * opened for the owner, or the base that it is derived from; the NFT mint of a DAMM v2 position that is opened for the owner;
 * the maker of an offer that is filled; a passing account for wrapped SOL.
 */
export function explainedSigners(context: TransactionContext): ReadonlySet<Address> {
  const { transaction, intent, temporary } = context;
  return new Set([
    ...createdPositions(transaction, intent.owner),
    ...transaction.readings.flatMap((reading) => [nftMint(reading, context), maker(reading, intent.owner)].flatMap((signer) => signer ?? [])),
    ...temporary,
  ]);
}

/** The NFT mint of a position that is opened for the owner, where the position is the one that this is about. */
function nftMint(reading: DecodedCall, { intent, derived, position }: TransactionContext): Address | undefined {
  const mint = addressIn(reading, 'position_nft_mint');
  const opens = isInstruction(reading, PROGRAMS.dammV2, 'create_position') && reading.args !== undefined && addressIn(reading, 'owner') === intent.owner;
  if (!opens || mint === undefined) {
    return undefined;
  }
  const opened = derived.dammPosition(mint);
  return addressIn(reading, 'position') === opened && (position === opened || position === mint) ? mint : undefined;
}

function maker(reading: DecodedCall, owner: Address): Address | undefined {
  const fills = isInstruction(reading, REVIEW_PROGRAMS.jupiterRfq, 'fill') && reading.args !== undefined && addressIn(reading, 'taker') === owner;
  return fills ? addressIn(reading, 'maker') : undefined;
}
