import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import type { Intent } from '../types';

/** Intents that may swap. */
const BOTH: readonly Intent['kind'][] = ['zapOut', 'zapIn'];

// Which DAMM v2 instructions belong to which operation, and what their accounts must be (policy §9 and §15). The places of
// the accounts come from the IDL, by name.

export const DAMM_WITHDRAWALS: readonly string[] = ['claim_position_fee', 'claim_reward', 'remove_all_liquidity', 'remove_liquidity'];

export const DAMM_CLOSINGS: readonly string[] = ['close_position'];

export const DAMM_DEPOSITS: readonly string[] = ['add_liquidity'];

export const DAMM_SWAPS: readonly string[] = ['swap', 'swap2'];

/** The operations that an instruction belongs to. An instruction that is not listed belongs to none (DAMM-5). */
export const DAMM_FLOWS: ReadonlyMap<string, readonly Intent['kind'][]> = new Map([
  ...[...DAMM_WITHDRAWALS, ...DAMM_CLOSINGS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapOut']]),
  ...['create_position', ...DAMM_DEPOSITS].map((name): [string, readonly Intent['kind'][]] => [name, ['zapIn']]),
  ...DAMM_SWAPS.map((name): [string, readonly Intent['kind'][]] => [name, BOTH]),
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

// What Meteora's two pool programs have in common, so that other rules need not know which of them an instruction calls.

/** Says whether the instruction takes liquidity, fees or rewards out of a position. */
export function isWithdrawal(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_WITHDRAWALS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_WITHDRAWALS);
}

/** Says whether the instruction takes liquidity out of a position, and not only fees or rewards. A rebalance may. */
export function isRemoval(reading: DecodedCall): boolean {
  return (
    (isWithdrawal(reading) && reading.layout?.name.startsWith('remove_') === true) ||
    isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')
  );
}

/** Says whether the instruction puts liquidity into a position. A rebalance may. */
export function isDeposit(reading: DecodedCall): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, ...DLMM_DEPOSITS, 'rebalance_liquidity') ||
    isInstruction(reading, PROGRAMS.dammV2, ...DAMM_DEPOSITS)
  );
}

/** Says whether the instruction ends a position. */
export function isClosing(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_CLOSINGS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_CLOSINGS);
}

/** Says whether the instruction trades directly in a pool. */
export function isPoolSwap(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_SWAPS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_SWAPS);
}

/** Gives the pool that an instruction to DLMM or DAMM v2 is about; `undefined` where it names none, or only a lookup table holds it. */
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

/** Gives the pool's mints, as far as an instruction to DLMM or DAMM v2 names them; none where it is about no pool. */
export function poolMintsIn(reading: DecodedCall): Address[] {
  const roles = reading.view.program === PROGRAMS.dammV2 ? ['token_a_mint', 'token_b_mint'] : ['token_x_mint', 'token_y_mint'];
  return poolIn(reading) === undefined ? [] : roles.flatMap((role) => addressIn(reading, role) ?? []);
}

/** What the accounts of a program's instructions must be, by the names of its IDL, and which rules of the policy say so. */
export interface AccountRoles {
  readonly pool: string;
  readonly position: string;
  /** The owner's token accounts. */
  readonly ownTokens: readonly string[];
  /** Gets the rent of what is closed: the owner's wallet. */
  readonly rent: string;
  /** The owner's wallet. */
  readonly owner: readonly string[];
  readonly rules: { readonly place: string; readonly ownTokens: string; readonly rent: string; readonly owner: string };
}

// Which DLMM instructions belong to which operation, and what their accounts must be (policy §9 and §15). The places of the
// accounts come from the IDL, by name.

export const DLMM_WITHDRAWALS: readonly string[] = [
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

const PREPARATIONS = [
  'initialize_position',
  'initialize_position2',
  'initialize_position_pda',
  'increase_position_length',
  'increase_position_length2',
  'initialize_bin_array',
  'initialize_bin_array_bitmap_extension',
];

export const DLMM_SWAPS: readonly string[] = [
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

/** What the accounts of DLMM instructions must be. */
export const DLMM_ROLES: AccountRoles = {
  pool: 'lb_pair',
  position: 'position',
  ownTokens: ['user_token_x', 'user_token_y', 'user_token', 'user_token_account', 'user_token_in', 'user_token_out'],
  rent: 'rent_receiver',
  owner: ['sender', 'owner', 'payer', 'funder', 'user', 'rent_payer'],
  rules: { place: 'DLMM-1', ownTokens: 'DLMM-2', rent: 'DLMM-3', owner: 'DLMM-6' },
};

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
