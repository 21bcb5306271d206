import {
  DAMM_CLOSINGS,
  DAMM_DEPOSITS,
  DAMM_SWAPS,
  DAMM_WITHDRAWALS,
  DLMM_CLOSINGS,
  DLMM_DEPOSITS,
  DLMM_SWAPS,
  DLMM_WITHDRAWALS,
  ZAPS_IN,
} from '../decode/meteora';
import type { Intent } from '../types';

/** Both kinds of operation. */
const BOTH: readonly Intent['kind'][] = ['zapOut', 'zapIn'];

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

// The DAMM v2 instructions of each operation, and the roles of their accounts by the names in the IDL.

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

// The DLMM instructions of each operation, and the roles of their accounts by the names in the IDL.

const PREPARATIONS = [
  'initialize_position',
  'initialize_position2',
  'initialize_position_pda',
  'increase_position_length',
  'increase_position_length2',
  'initialize_bin_array',
  'initialize_bin_array_bitmap_extension',
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
