import type { Address } from '../base/solana/address';
import { PROGRAMS } from '../base/solana/programs';
import { addressIn, type DecodedCall, isInstruction, type ReadTransaction } from './decode/instructions';
import { REVIEW_PROGRAMS } from './decode/programs';
import { isDeposit, ZAPS_IN } from './rules/meteora';

/** Returns whether the instruction opens a position, in DLMM or in DAMM v2. */
export function createsPosition(reading: DecodedCall): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, 'initialize_position', 'initialize_position2', 'initialize_position_pda') ||
    isInstruction(reading, PROGRAMS.dammV2, 'create_position') ||
    isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_dlmm_for_uninitialized_position')
  );
}

/**
 * Returns the positions, and the bases of derived ones, that the transaction opens for the owner: they co-sign (SIG-4). For a position in
 * DAMM v2 the NFT's mint co-signs.
 */
export function createdPositions(transaction: ReadTransaction, owner: Address): Address[] {
  return transaction.readings
    .filter((reading) => createsPosition(reading) && reading.args !== undefined && addressIn(reading, 'owner') === owner)
    .flatMap((reading) => [addressIn(reading, 'position') ?? [], addressIn(reading, 'base') ?? []].flat());
}

/** Returns whether the instruction deposits liquidity into a position, in DLMM or in DAMM v2. */
export function fillsPosition(reading: DecodedCall): boolean {
  return isDeposit(reading) || isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...ZAPS_IN);
}

/** Returns whether the instruction lengthens a position and does nothing else. */
export function lengthensPosition(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, 'increase_position_length', 'increase_position_length2');
}

/** Returns the positions that the transactions open, fill or lengthen, without duplicates. */
export function targetedPositions(transactions: readonly ReadTransaction[]): Address[] {
  const targeting = transactions
    .flatMap(({ readings }) => readings)
    .filter((reading) => reading.args !== undefined && (createsPosition(reading) || fillsPosition(reading) || lengthensPosition(reading)));
  return [...new Set(targeting.flatMap((reading) => addressIn(reading, 'position') ?? []))];
}
