import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { addressIn, type DecodedCall, isInstruction, type ReadTransaction } from './instructions';
import { REVIEW_PROGRAMS } from './programs';

// What the instructions of Meteora's programs do. Names are those of the IDLs.

export const DLMM_CLAIMS: readonly string[] = ['claim_fee', 'claim_fee2', 'claim_reward', 'claim_reward2'];

export const DLMM_REMOVALS: readonly string[] = [
  'remove_all_liquidity',
  'remove_liquidity',
  'remove_liquidity2',
  'remove_liquidity_by_range',
  'remove_liquidity_by_range2',
];

export const DLMM_CLOSINGS: readonly string[] = ['close_position', 'close_position2', 'close_position_if_empty'];

export const DLMM_DEPOSITS: readonly string[] = [
  'add_liquidity',
  'add_liquidity2',
  'add_liquidity_by_strategy',
  'add_liquidity_by_strategy2',
  'add_liquidity_by_strategy_one_side',
  'add_liquidity_by_weight',
  'add_liquidity_by_weight2',
  'add_liquidity_one_side',
  'add_liquidity_one_side_precise',
  'add_liquidity_one_side_precise2',
];

export const DLMM_SWAPS: readonly string[] = [
  'swap',
  'swap2',
  'swap_exact_out',
  'swap_exact_out2',
  'swap_with_price_impact',
  'swap_with_price_impact2',
];

export const DAMM_CLAIMS: readonly string[] = ['claim_position_fee', 'claim_reward'];

export const DAMM_REMOVALS: readonly string[] = ['remove_all_liquidity', 'remove_liquidity'];

export const DAMM_CLOSINGS: readonly string[] = ['close_position'];

export const DAMM_DEPOSITS: readonly string[] = ['add_liquidity'];

export const DAMM_SWAPS: readonly string[] = ['swap', 'swap2'];

const DLMM_ZAPS_IN = ['zap_in_dlmm_for_initialized_position', 'zap_in_dlmm_for_uninitialized_position'];

/** The instructions that deposit the amounts of the owner's ledger into a position. */
export const ZAPS_IN: readonly string[] = ['zap_in_damm_v2', ...DLMM_ZAPS_IN];

// Common to Meteora's two pool programs, so rules don't depend on the program.

/** Returns whether the instruction withdraws liquidity, fees or rewards from a position. */
export function isWithdrawal(reading: DecodedCall): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, ...DLMM_CLAIMS, ...DLMM_REMOVALS) ||
    isInstruction(reading, PROGRAMS.dammV2, ...DAMM_CLAIMS, ...DAMM_REMOVALS)
  );
}

/** Returns whether the instruction claims the fees of a position. */
export function isFeeClaim(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, 'claim_fee', 'claim_fee2') || isInstruction(reading, PROGRAMS.dammV2, 'claim_position_fee');
}

/** Returns whether the instruction withdraws liquidity from a position, not only fees or rewards. A rebalance may. */
export function isRemoval(reading: DecodedCall): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, ...DLMM_REMOVALS, 'rebalance_liquidity') ||
    isInstruction(reading, PROGRAMS.dammV2, ...DAMM_REMOVALS)
  );
}

/** Returns whether the instruction deposits liquidity into a position. A rebalance may. */
export function isDeposit(reading: DecodedCall): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, ...DLMM_DEPOSITS, 'rebalance_liquidity') ||
    isInstruction(reading, PROGRAMS.dammV2, ...DAMM_DEPOSITS)
  );
}

/** Returns whether the instruction closes a position. */
export function isClosing(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_CLOSINGS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_CLOSINGS);
}

/** Returns whether the instruction swaps directly in a pool. */
export function isPoolSwap(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_SWAPS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_SWAPS);
}

/** Returns the pool of an instruction to DLMM or DAMM v2; `undefined` if it names none, or names it in an unread lookup table. */
export function poolIn(reading: DecodedCall): Address | undefined {
  switch (reading.view.program) {
    case PROGRAMS.dlmm:
      return addressIn(reading, 'lb_pair');
    case PROGRAMS.dammV2:
      return addressIn(reading, 'pool');
    default:
      return undefined;
  }
}

/** Returns the pool's mints as far as an instruction to DLMM or DAMM v2 names them; none without a pool. */
export function poolMintsIn(reading: DecodedCall): Address[] {
  const roles = reading.view.program === PROGRAMS.dammV2 ? ['token_a_mint', 'token_b_mint'] : ['token_x_mint', 'token_y_mint'];
  return poolIn(reading) === undefined ? [] : roles.flatMap((role) => addressIn(reading, role) ?? []);
}

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

/** Returns whether the instruction extends a position and does nothing else. */
export function extendsPosition(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, 'increase_position_length', 'increase_position_length2');
}

/** Returns the positions that the transactions open, fill or extend, without duplicates. */
export function targetedPositions(transactions: readonly ReadTransaction[]): Address[] {
  const targeting = transactions
    .flatMap(({ readings }) => readings)
    .filter((reading) => reading.args !== undefined && (createsPosition(reading) || fillsPosition(reading) || extendsPosition(reading)));
  return [...new Set(targeting.flatMap((reading) => addressIn(reading, 'position') ?? []))];
}
