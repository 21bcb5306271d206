import type { Address } from '../solana/address';
import { PROGRAMS } from '../solana/programs';
import { addressIn, isInstruction, type Reading, type ReadTransaction } from './reading';

/** Says whether the instruction opens a position. */
export function createsPosition(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, 'initialize_position', 'initialize_position2', 'initialize_position_pda');
}

/** Gives those positions, and bases of derived ones, that the transaction opens for the owner: they sign along with the owner (SIG-4). */
export function createdPositions(transaction: ReadTransaction, owner: Address): Address[] {
  return transaction.readings
    .filter((reading) => createsPosition(reading) && reading.args !== undefined && addressIn(reading, 'owner') === owner)
    .flatMap((reading) => [addressIn(reading, 'position') ?? [], addressIn(reading, 'base') ?? []].flat());
}
