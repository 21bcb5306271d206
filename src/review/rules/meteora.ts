import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { addressIn, type DecodedCall, isInstruction, type ReadTransaction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { Intent } from '../types';

/** Both kinds of operation. */
const BOTH: readonly Intent['kind'][] = ['zapOut', 'zapIn'];

// The DAMM v2 instructions of each operation, and the roles of their accounts by the names in the IDL.

const DAMM_WITHDRAWALS: readonly string[] = ['claim_position_fee', 'claim_reward', 'remove_all_liquidity', 'remove_liquidity'];

const DAMM_CLOSINGS: readonly string[] = ['close_position'];

const DAMM_DEPOSITS: readonly string[] = ['add_liquidity'];

const DAMM_SWAPS: readonly string[] = ['swap', 'swap2'];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (DAMM-5). */
export const DAMM_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ...[...DAMM_WITHDRAWALS, ...DAMM_CLOSINGS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapOut']]),
  ...['create_position', ...DAMM_DEPOSITS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapIn']]),
  ...DAMM_SWAPS.map((name): [string, readonly Intent['kind'][]] => [name, BOTH]),
]);

/** Roles in DAMM v2 instructions. `create_position` accepts any owner, even one that does not sign. */
export const DAMM_ROLES: AccountRoles = {
  pool: 'pool',
  position: 'position',
  ownTokens: ['token_a_account', 'token_b_account', 'user_token_account', 'input_token_account', 'output_token_account'],
  rent: 'rent_receiver',
  owner: ['signer', 'owner', 'payer'],
  rules: { place: 'DAMM-1', ownTokens: 'DAMM-2', rent: 'DAMM-3', owner: 'DAMM-6' },
};

// Common to Meteora's two pool programs, so other rules don't depend on the program.

/** Returns whether the instruction withdraws liquidity, fees or rewards from a position. */
export function isWithdrawal(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_WITHDRAWALS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_WITHDRAWALS);
}

/** Returns whether the instruction withdraws liquidity from a position, not only fees or rewards. A rebalance may. */
export function isRemoval(reading: DecodedCall): boolean {
  return (
    (isWithdrawal(reading) && reading.layout?.name.startsWith('remove_') === true) ||
    isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')
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

/** Roles of accounts in a program's instructions, by the names in its IDL, and the rule ids for violations. */
export interface AccountRoles {
  readonly pool: string;
  readonly position: string;
  /** The owner's token accounts. */
  readonly ownTokens: readonly string[];
  /** Receives refunded rent; must be the owner's wallet. */
  readonly rent: string;
  /** Must be the owner's wallet. */
  readonly owner: readonly string[];
  readonly rules: { readonly place: string; readonly ownTokens: string; readonly rent: string; readonly owner: string };
}

// The DLMM instructions of each operation, and the roles of their accounts by the names in the IDL.

const DLMM_WITHDRAWALS: readonly string[] = [
  'claim_fee',
  'claim_fee2',
  'claim_reward',
  'claim_reward2',
  'remove_all_liquidity',
  'remove_liquidity',
  'remove_liquidity2',
  'remove_liquidity_by_range',
  'remove_liquidity_by_range2',
];

const DLMM_CLOSINGS: readonly string[] = ['close_position', 'close_position2', 'close_position_if_empty'];

const DLMM_DEPOSITS: readonly string[] = [
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

const PREPARATIONS = [
  'initialize_position',
  'initialize_position2',
  'initialize_position_pda',
  'increase_position_length',
  'increase_position_length2',
  'initialize_bin_array',
  'initialize_bin_array_bitmap_extension',
];

const DLMM_SWAPS: readonly string[] = [
  'swap',
  'swap2',
  'swap_exact_out',
  'swap_exact_out2',
  'swap_with_price_impact',
  'swap_with_price_impact2',
];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (DLMM-5). */
export const DLMM_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ...[...DLMM_WITHDRAWALS, ...DLMM_CLOSINGS, 'decrease_position_length', 'update_fees_and_reward2', 'update_fees_and_rewards'].map(
    (name): [string, readonly Intent['kind'][]] => [name, ['zapOut']],
  ),
  ...[...DLMM_DEPOSITS, ...PREPARATIONS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapIn']]),
  ...[...DLMM_SWAPS, 'rebalance_liquidity'].map((name): [string, readonly Intent['kind'][]] => [name, BOTH]),
]);

/** Roles in DLMM instructions. */
export const DLMM_ROLES: AccountRoles = {
  pool: 'lb_pair',
  position: 'position',
  ownTokens: ['user_token_x', 'user_token_y', 'user_token', 'user_token_account', 'user_token_in', 'user_token_out'],
  rent: 'rent_receiver',
  owner: ['sender', 'owner', 'payer', 'funder', 'user', 'rent_payer'],
  rules: { place: 'DLMM-1', ownTokens: 'DLMM-2', rent: 'DLMM-3', owner: 'DLMM-6' },
};

// The Meteora Zap instructions of each operation, and the roles of their accounts.

const DLMM_ZAPS_IN = ['zap_in_dlmm_for_initialized_position', 'zap_in_dlmm_for_uninitialized_position'];

/** The instructions that deposit the amounts of the owner's ledger into a position. */
export const ZAPS_IN: readonly string[] = ['zap_in_damm_v2', ...DLMM_ZAPS_IN];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (ZAP-1). */
export const ZAP_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ['zap_out', ['zapOut']],
  ...[...ZAPS_IN, 'initialize_ledger_account', 'set_ledger_balance', 'update_ledger_balance_after_swap', 'close_ledger_account'].map(
    (name): [string, readonly Intent['kind'][]] => [name, ['zapIn']],
  ),
]);

const COMMON_ROLES = {
  position: 'position',
  ownTokens: ['user_token_in_account', 'user_token_x', 'user_token_y', 'token_a_account', 'token_b_account'],
  rent: 'rent_receiver',
  owner: ['owner', 'payer', 'rent_payer'],
  rules: { place: 'ZAP-1', ownTokens: 'ZAP-1', rent: 'ZAP-2', owner: 'ZAP-1' },
};

/** Roles in Meteora Zap instructions for a DLMM position, or for none. */
export const ZAP_ROLES: AccountRoles = { ...COMMON_ROLES, pool: 'lb_pair' };

/** Roles in Meteora Zap instructions for a DAMM v2 position. */
export const ZAP_DAMM_ROLES: AccountRoles = { ...COMMON_ROLES, pool: 'pool' };

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
