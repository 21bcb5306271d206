import type { Intent } from '../types';
import type { AccountRoles } from './meteoraAccounts';

// Which DAMM v2 instructions belong to which operation, and what their accounts must be (policy §9 and §15). The places of
// the accounts come from the IDL, by name.

export const DAMM_WITHDRAWALS: readonly string[] = ['claim_position_fee', 'claim_reward', 'remove_all_liquidity', 'remove_liquidity'];

export const DAMM_CLOSINGS: readonly string[] = ['close_position'];

export const DAMM_DEPOSITS: readonly string[] = ['add_liquidity'];

export const DAMM_SWAPS: readonly string[] = ['swap', 'swap2'];

const BOTH_KINDS: readonly Intent['kind'][] = ['zapOut', 'zapIn'];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (DAMM-5). */
export const DAMM_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ...[...DAMM_WITHDRAWALS, ...DAMM_CLOSINGS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapOut']]),
  ...['create_position', ...DAMM_DEPOSITS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapIn']]),
  ...DAMM_SWAPS.map((name): [string, readonly Intent['kind'][]] => [name, BOTH_KINDS]),
]);

/** What the accounts of DAMM v2 instructions must be. `create_position` takes any owner, even one that does not sign. */
export const DAMM_ROLES: AccountRoles = {
  pool: 'pool',
  position: 'position',
  ownTokens: ['token_a_account', 'token_b_account', 'user_token_account', 'input_token_account', 'output_token_account'],
  rent: 'rent_receiver',
  owner: ['signer', 'owner', 'payer'],
  rules: { place: 'DAMM-1', ownTokens: 'DAMM-2', rent: 'DAMM-3', owner: 'DAMM-6' },
};
