import type { Intent } from '../../../src/review/types';

// The roles of accounts in each instruction, written down apart from the code so that the two can be compared: instruction,
// flows, accounts that must be the owner, that must be the owner's token accounts, that get rent, place of the pool, place of
// the position. A rebalance belongs to both flows, and a swap that is a flow of its own works in any pool.

type Flows = Intent['kind'] | 'zapIn zapOut' | 'zapIn addLiquidity' | 'zapIn zapOut addLiquidity swap' | 'zapOut claim addLiquidity';

/** One instruction that belongs to a flow. */
export type PolicyRole = readonly [string, Flows, string, string, string, string, string];

export const DLMM_POLICY_ROLES: readonly PolicyRole[] = [
  ['add_liquidity', 'zapIn addLiquidity', '11:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['add_liquidity2', 'zapIn addLiquidity', '9:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['add_liquidity_by_strategy', 'zapIn addLiquidity', '11:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['add_liquidity_by_strategy2', 'zapIn addLiquidity', '9:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['add_liquidity_by_strategy_one_side', 'zapIn addLiquidity', '8:sender', '3:user_token', '', '1', '0'],
  ['add_liquidity_by_weight', 'zapIn addLiquidity', '11:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['add_liquidity_by_weight2', 'zapIn addLiquidity', '9:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['add_liquidity_one_side', 'zapIn addLiquidity', '8:sender', '3:user_token', '', '1', '0'],
  ['add_liquidity_one_side_precise', 'zapIn addLiquidity', '8:sender', '3:user_token', '', '1', '0'],
  ['add_liquidity_one_side_precise2', 'zapIn addLiquidity', '6:sender', '3:user_token', '', '1', '0'],
  ['claim_fee', 'zapOut claim addLiquidity', '4:sender', '7:user_token_x 8:user_token_y', '', '0', '1'],
  ['claim_fee2', 'zapOut claim addLiquidity', '2:sender', '5:user_token_x 6:user_token_y', '', '0', '1'],
  ['claim_reward', 'zapOut claim addLiquidity', '4:sender', '7:user_token_account', '', '0', '1'],
  ['claim_reward2', 'zapOut claim addLiquidity', '2:sender', '5:user_token_account', '', '0', '1'],
  ['close_position', 'zapOut', '4:sender', '', '5:rent_receiver', '1', '0'],
  ['close_position2', 'zapOut', '1:sender', '', '2:rent_receiver', '', '0'],
  ['close_position_if_empty', 'zapOut', '1:sender', '', '2:rent_receiver', '', '0'],
  ['decrease_position_length', 'zapOut', '2:owner', '', '0:rent_receiver', '', '1'],
  ['increase_position_length', 'zapIn', '0:funder 3:owner', '', '', '1', '2'],
  ['increase_position_length2', 'zapIn', '0:funder 3:owner', '', '', '1', '2'],
  ['initialize_bin_array', 'zapIn addLiquidity', '2:funder', '', '', '0', ''],
  ['initialize_bin_array_bitmap_extension', 'zapIn addLiquidity', '2:funder', '', '', '0', ''],
  ['initialize_position', 'zapIn', '0:payer 3:owner', '', '', '2', '1'],
  ['initialize_position2', 'zapIn', '0:payer 3:owner', '', '', '2', '1'],
  ['initialize_position_pda', 'zapIn', '0:payer 4:owner', '', '', '3', '2'],
  ['rebalance_liquidity', 'zapIn zapOut', '9:owner 10:rent_payer', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['remove_all_liquidity', 'zapOut', '11:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['remove_liquidity', 'zapOut', '11:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['remove_liquidity2', 'zapOut', '9:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['remove_liquidity_by_range', 'zapOut', '11:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['remove_liquidity_by_range2', 'zapOut', '9:sender', '3:user_token_x 4:user_token_y', '', '1', '0'],
  ['swap', 'zapIn zapOut addLiquidity swap', '10:user', '4:user_token_in 5:user_token_out', '', '0', ''],
  ['swap2', 'zapIn zapOut addLiquidity swap', '10:user', '4:user_token_in 5:user_token_out', '', '0', ''],
  ['swap_exact_out', 'zapIn zapOut addLiquidity swap', '10:user', '4:user_token_in 5:user_token_out', '', '0', ''],
  ['swap_exact_out2', 'zapIn zapOut addLiquidity swap', '10:user', '4:user_token_in 5:user_token_out', '', '0', ''],
  ['swap_with_price_impact', 'zapIn zapOut addLiquidity swap', '10:user', '4:user_token_in 5:user_token_out', '', '0', ''],
  ['swap_with_price_impact2', 'zapIn zapOut addLiquidity swap', '10:user', '4:user_token_in 5:user_token_out', '', '0', ''],
  ['update_fees_and_reward2', 'zapOut claim addLiquidity', '2:owner', '', '', '1', '0'],
  ['update_fees_and_rewards', 'zapOut claim addLiquidity', '4:owner', '', '', '1', '0'],
];

export const DAMM_POLICY_ROLES: readonly PolicyRole[] = [
  ['add_liquidity', 'zapIn addLiquidity', '9:signer', '2:token_a_account 3:token_b_account', '', '0', '1'],
  ['claim_position_fee', 'zapOut claim addLiquidity', '10:signer', '3:token_a_account 4:token_b_account', '', '1', '2'],
  ['claim_reward', 'zapOut claim addLiquidity', '7:signer', '5:user_token_account', '', '1', '2'],
  ['close_position', 'zapOut', '6:owner', '', '5:rent_receiver', '2', '3'],
  ['create_position', 'zapIn', '0:owner 6:payer', '', '', '3', '4'],
  ['remove_all_liquidity', 'zapOut', '10:signer', '3:token_a_account 4:token_b_account', '', '1', '2'],
  ['remove_liquidity', 'zapOut', '10:signer', '3:token_a_account 4:token_b_account', '', '1', '2'],
  ['swap', 'zapIn zapOut addLiquidity swap', '8:payer', '2:input_token_account 3:output_token_account', '', '1', ''],
  ['swap2', 'zapIn zapOut addLiquidity swap', '8:payer', '2:input_token_account 3:output_token_account', '', '1', ''],
];

export const ZAP_POLICY_ROLES: readonly PolicyRole[] = [
  ['close_ledger_account', 'zapIn', '1:owner', '', '2:rent_receiver', '', ''],
  ['initialize_ledger_account', 'zapIn', '1:owner 2:payer', '', '', '', ''],
  ['set_ledger_balance', 'zapIn', '1:owner', '', '', '', ''],
  ['update_ledger_balance_after_swap', 'zapIn', '2:owner', '', '', '', ''],
  ['zap_in_damm_v2', 'zapIn', '11:owner', '4:token_a_account 5:token_b_account', '', '1', '3'],
  ['zap_in_dlmm_for_initialized_position', 'zapIn', '11:owner 12:rent_payer', '4:user_token_x 5:user_token_y', '', '1', '2'],
  ['zap_in_dlmm_for_uninitialized_position', 'zapIn', '11:owner 12:rent_payer', '4:user_token_x 5:user_token_y', '', '1', '2'],
  ['zap_out', 'zapOut', '', '0:user_token_in_account', '', '', ''],
];
