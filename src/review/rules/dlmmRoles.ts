import { PROGRAMS } from '../../solana/programs';
import { isInstruction, type Reading } from '../reading';
import type { Intent } from '../types';

// Which DLMM instructions belong to which operation, and what their accounts must be (policy §9 and §15). The places of the
// accounts come from the IDL, by name.

const WITHDRAWALS = [
  'claim_fee', 'claim_fee2', 'claim_reward', 'claim_reward2', 'remove_all_liquidity', 'remove_liquidity', 'remove_liquidity2',
  'remove_liquidity_by_range', 'remove_liquidity_by_range2',
];

const CLOSINGS = ['close_position', 'close_position2', 'close_position_if_empty'];

const DEPOSITS = [
  'add_liquidity', 'add_liquidity2', 'add_liquidity_by_strategy', 'add_liquidity_by_strategy2', 'add_liquidity_by_strategy_one_side',
  'add_liquidity_by_weight', 'add_liquidity_by_weight2', 'add_liquidity_one_side', 'add_liquidity_one_side_precise',
  'add_liquidity_one_side_precise2',
];

const PREPARATIONS = [
  'initialize_position', 'initialize_position2', 'initialize_position_pda', 'increase_position_length', 'increase_position_length2',
  'initialize_bin_array', 'initialize_bin_array_bitmap_extension',
];

const SWAPS = ['swap', 'swap2', 'swap_exact_out', 'swap_exact_out2', 'swap_with_price_impact', 'swap_with_price_impact2'];

const BOTH: readonly Intent['kind'][] = ['zapOut', 'zapIn'];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (DLMM-5). */
export const DLMM_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ...[...WITHDRAWALS, ...CLOSINGS, 'decrease_position_length', 'update_fees_and_reward2', 'update_fees_and_rewards'].map(
    (name): [string, readonly Intent['kind'][]] => [name, ['zapOut']],
  ),
  ...[...DEPOSITS, ...PREPARATIONS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapIn']]),
  ...[...SWAPS, 'rebalance_liquidity'].map((name): [string, readonly Intent['kind'][]] => [name, BOTH]),
]);

/** Accounts that must be the owner's wallet (DLMM-6). */
export const OWNER_ROLES: readonly string[] = ['sender', 'owner', 'payer', 'funder', 'user', 'rent_payer'];

/** Accounts that must be the owner's token accounts (DLMM-2). */
export const OWN_TOKEN_ROLES: readonly string[] = [
  'user_token_x', 'user_token_y', 'user_token', 'user_token_account', 'user_token_in', 'user_token_out',
];

/** The account that gets the rent of what is closed (DLMM-3). */
export const RENT_ROLE = 'rent_receiver';

/** Says whether the instruction takes liquidity, fees or rewards out of a position. */
export function isWithdrawal(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...WITHDRAWALS);
}

/** Says whether the instruction puts liquidity into a position. */
export function isDeposit(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DEPOSITS, 'rebalance_liquidity');
}

/** Says whether the instruction ends a position. */
export function isClosing(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...CLOSINGS);
}

/** Says whether the instruction trades directly in the pool. */
export function isPoolSwap(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...SWAPS);
}
