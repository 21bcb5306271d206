import {
  DAMM_CLAIMS,
  DAMM_CLOSINGS,
  DAMM_DEPOSITS,
  DAMM_REMOVALS,
  DAMM_SWAPS,
  DLMM_CLAIMS,
  DLMM_CLOSINGS,
  DLMM_DEPOSITS,
  DLMM_REMOVALS,
  DLMM_SWAPS,
  ZAPS_IN,
} from '../decode/meteora';
import type { IntentStep } from '../intents';

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

// The DAMM v2 instructions, and the roles of their accounts by the names in the IDL.

/** What each instruction does. One that is not listed belongs to no operation (DAMM-5). */
export const DAMM_STEPS: ReadonlyMap<string, IntentStep> = steps(
  ['claim', DAMM_CLAIMS],
  ['remove', DAMM_REMOVALS],
  ['close', DAMM_CLOSINGS],
  ['open', ['create_position']],
  ['fill', DAMM_DEPOSITS],
  ['swap', DAMM_SWAPS],
);

/** Roles in DAMM v2 instructions. `create_position` accepts any owner, even one that does not sign. */
export const DAMM_ROLES: AccountRoles = {
  pool: 'pool',
  position: 'position',
  ownTokens: ['token_a_account', 'token_b_account', 'user_token_account', 'input_token_account', 'output_token_account'],
  rent: 'rent_receiver',
  owner: ['signer', 'owner', 'payer'],
  rules: { place: 'DAMM-1', ownTokens: 'DAMM-2', rent: 'DAMM-3', owner: 'DAMM-6' },
};

// The DLMM instructions, and the roles of their accounts by the names in the IDL.

const OPENINGS = [
  'initialize_position',
  'initialize_position2',
  'initialize_position_pda',
  'increase_position_length',
  'increase_position_length2',
];

const PREPARATIONS = ['initialize_bin_array', 'initialize_bin_array_bitmap_extension'];

/** What each instruction does. One that is not listed belongs to no operation (DLMM-5). */
export const DLMM_STEPS: ReadonlyMap<string, IntentStep> = steps(
  ['claim', DLMM_CLAIMS],
  ['updateFees', ['update_fees_and_reward2', 'update_fees_and_rewards']],
  ['remove', DLMM_REMOVALS],
  ['shorten', ['decrease_position_length']],
  ['close', DLMM_CLOSINGS],
  ['open', OPENINGS],
  ['prepare', PREPARATIONS],
  ['fill', DLMM_DEPOSITS],
  ['swap', DLMM_SWAPS],
  ['rebalance', ['rebalance_liquidity']],
);

/** Roles in DLMM instructions. */
export const DLMM_ROLES: AccountRoles = {
  pool: 'lb_pair',
  position: 'position',
  ownTokens: ['user_token_x', 'user_token_y', 'user_token', 'user_token_account', 'user_token_in', 'user_token_out'],
  rent: 'rent_receiver',
  owner: ['sender', 'owner', 'payer', 'funder', 'user', 'rent_payer'],
  rules: { place: 'DLMM-1', ownTokens: 'DLMM-2', rent: 'DLMM-3', owner: 'DLMM-6' },
};

// The Meteora Zap instructions, and the roles of their accounts.

/** What each instruction does. One that is not listed belongs to no operation (ZAP-1). */
export const ZAP_STEPS: ReadonlyMap<string, IntentStep> = steps(
  ['swapWithdrawn', ['zap_out']],
  [
    'swapAndFill',
    [...ZAPS_IN, 'initialize_ledger_account', 'set_ledger_balance', 'update_ledger_balance_after_swap', 'close_ledger_account'],
  ],
);

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

function steps(...instructions: readonly (readonly [IntentStep, readonly string[]])[]): ReadonlyMap<string, IntentStep> {
  return new Map(instructions.flatMap(([step, names]) => names.map((name) => [name, step] as const)));
}
