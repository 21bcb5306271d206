import type { Intent } from '../types';
import type { AccountRoles } from './meteoraAccounts';

// Which DLMM instructions belong to which operation, and what their accounts must be (policy §9 and §15). The places of the
// accounts come from the IDL, by name.

export const DLMM_WITHDRAWALS: readonly string[] = [
  'claim_fee', 'claim_fee2', 'claim_reward', 'claim_reward2', 'remove_all_liquidity', 'remove_liquidity', 'remove_liquidity2',
  'remove_liquidity_by_range', 'remove_liquidity_by_range2',
];

export const DLMM_CLOSINGS: readonly string[] = ['close_position', 'close_position2', 'close_position_if_empty'];

export const DLMM_DEPOSITS: readonly string[] = [
  'add_liquidity', 'add_liquidity2', 'add_liquidity_by_strategy', 'add_liquidity_by_strategy2', 'add_liquidity_by_strategy_one_side',
  'add_liquidity_by_weight', 'add_liquidity_by_weight2', 'add_liquidity_one_side', 'add_liquidity_one_side_precise',
  'add_liquidity_one_side_precise2',
];

const PREPARATIONS = [
  'initialize_position', 'initialize_position2', 'initialize_position_pda', 'increase_position_length', 'increase_position_length2',
  'initialize_bin_array', 'initialize_bin_array_bitmap_extension',
];

export const DLMM_SWAPS: readonly string[] = ['swap', 'swap2', 'swap_exact_out', 'swap_exact_out2', 'swap_with_price_impact', 'swap_with_price_impact2'];

const BOTH: readonly Intent['kind'][] = ['zapOut', 'zapIn'];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (DLMM-5). */
export const DLMM_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ...[...DLMM_WITHDRAWALS, ...DLMM_CLOSINGS, 'decrease_position_length', 'update_fees_and_reward2', 'update_fees_and_rewards'].map(
    (name): [string, readonly Intent['kind'][]] => [name, ['zapOut']],
  ),
  ...[...DLMM_DEPOSITS, ...PREPARATIONS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapIn']]),
  ...[...DLMM_SWAPS, 'rebalance_liquidity'].map((name): [string, readonly Intent['kind'][]] => [name, BOTH]),
]);

/** What the accounts of DLMM instructions must be. */
export const DLMM_ROLES: AccountRoles = {
  pool: 'lb_pair',
  position: 'position',
  ownTokens: ['user_token_x', 'user_token_y', 'user_token', 'user_token_account', 'user_token_in', 'user_token_out'],
  rent: 'rent_receiver',
  owner: ['sender', 'owner', 'payer', 'funder', 'user', 'rent_payer'],
  rules: { place: 'DLMM-1', ownTokens: 'DLMM-2', rent: 'DLMM-3', owner: 'DLMM-6' },
};
