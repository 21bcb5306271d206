import type { Intent } from '../types';
import type { AccountRoles } from './meteoraAccounts';

// Which instructions of Meteora Zap belong to which operation, and what their accounts must be (policy §9 and §15).

const DLMM_ZAPS_IN = ['zap_in_dlmm_for_initialized_position', 'zap_in_dlmm_for_uninitialized_position'];

/** Those that put into a position what the owner's ledger says. */
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

/** What the accounts must be where a DLMM position is meant, or none. */
export const ZAP_ROLES: AccountRoles = { ...COMMON_ROLES, pool: 'lb_pair' };

/** What the accounts must be where a DAMM v2 position is meant. */
export const ZAP_DAMM_ROLES: AccountRoles = { ...COMMON_ROLES, pool: 'pool' };
