import type { Address } from '../solana/address';
import { PROGRAMS } from '../solana/programs';
import { REVIEW_PROGRAMS } from './knownPrograms';
import { addressIn, isInstruction, type Reading, type ReadTransaction } from './reading';

/** Says whether the instruction opens a position, in DLMM or in DAMM v2. */
export function createsPosition(reading: Reading): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, 'initialize_position', 'initialize_position2', 'initialize_position_pda') ||
    isInstruction(reading, PROGRAMS.dammV2, 'create_position') ||
    isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_dlmm_for_uninitialized_position')
  );
}

/**
 * Gives those positions, and bases of derived ones, that the transaction opens for the owner: they sign along with the owner
 * (SIG-4). Of a position in DAMM v2 it is the NFT's mint that signs.
 */
export function createdPositions(transaction: ReadTransaction, owner: Address): Address[] {
  return transaction.readings
    .filter((reading) => createsPosition(reading) && reading.args !== undefined && addressIn(reading, 'owner') === owner)
    .flatMap((reading) => [addressIn(reading, 'position') ?? [], addressIn(reading, 'base') ?? []].flat());
}
