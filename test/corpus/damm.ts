import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount } from '../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../src/base/solana/generated/dammInstructions';
import type { Arguments } from '../../src/base/solana/instructionCodec';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { DAMM_STEPS } from '../../src/review/rules/meteoraRoles';
import {
  addressOf,
  dlmm,
  FROM_BIN,
  keyOf,
  MINT,
  NO_SLICES,
  openPosition,
  OWN_SOL,
  OWNER,
  POSITION_KEY,
  removal,
  route,
  THIEF,
  TO_BIN,
  ZAP_IN,
} from '../support/review/bundles';
import {
  addDamm,
  createDamm,
  damm,
  DAMM_IN,
  DAMM_OUT,
  DAMM_POSITION,
  emptyDamm,
  NFT_KEY,
  NFT_MINT,
  removeDamm,
  someArguments,
  thresholds,
  zap,
  zapOut,
} from '../support/review/meteoraDrafts';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { DAMM_INTO, DAMM_OUT_OF, IN, OUT, planted } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks with Meteora DAMM v2 and Meteora Zap (DAMM, ZAP).

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
const OTHER_MINT = addressOf('another NFT');
const OTHER_POSITION = dammPosition(OTHER_MINT);

const outOf = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, () => ({ instructions: [instruction], into: [DAMM_OUT_OF], ...(hidden === undefined ? {} : { hidden }) }));
const into = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, () => ({
    instructions: [instruction],
    into: [DAMM_INTO],
    groups: ['add'],
    isLast: true,
    ...(hidden === undefined ? {} : { hidden }),
  }));
const opening = (...instructions: readonly TransactionInstruction[]): ReturnType<typeof inputOf> =>
  inputOf(DAMM_IN, [{ group: 'add', instructions, signers: [NFT_KEY] }]);

const PLACES: readonly Attack[] = [
  outOf('DAMM-1', 'withdraws from another position', 'block DAMM-1', emptyDamm({ position: OTHER_POSITION }), 'confirm DAMM-1'),
  outOf(
    'DAMM-1',
    'claims fees from another pool',
    'block DAMM-1',
    damm('claim_position_fee', {}, { pool: addressOf('another pool') }),
    'confirm DAMM-1',
  ),
  outOf(
    'DAMM-1',
    'closes another position, named by its NFT',
    'block DAMM-1',
    damm(
      'close_position',
      {},
      { position_nft_mint: OTHER_MINT, position: OTHER_POSITION, position_nft_account: dammPositionNftAccount(OTHER_MINT) },
    ),
    'confirm DAMM-1',
  ),
  outOf(
    'DAMM-1',
    'names another account for the NFT',
    'block DAMM-1',
    damm('close_position', {}, { position_nft_account: addressOf('NFT elsewhere') }),
    'info ALT-2',
  ),
  into('DAMM-1', 'deposits into another pool', 'block DAMM-1', addDamm(1n, 1n, { pool: addressOf('another pool') }), 'confirm DAMM-1'),
  attack('DAMM-1', 'names the NFT mint as the position account', 'block DAMM-1', () => ({
    'zap-out': inputOf(DAMM_OUT, [{ group: 'close', instructions: [emptyDamm({ position: NFT_MINT })] }]),
  })),
  attack('DAMM-1', "sends a DLMM pool's transactions for a DAMM v2 position", 'block DLMM-1', () => ({
    'zap-out': inputOf(DAMM_OUT, OUT.drafts(0)),
    'zap-in': inputOf(DAMM_IN, IN.drafts(0)),
  })),
];

const RECIPIENTS: readonly Attack[] = [
  ...(['remove_liquidity', 'remove_all_liquidity', 'claim_position_fee'] as const).flatMap((name) => [
    outOf(
      'DAMM-2',
      `sends the tokens of ${name} to a stranger`,
      'block DAMM-2',
      damm(name, argumentsFor(name), { token_a_account: THEIR_TOKEN }),
      'confirm DAMM-2',
    ),
    outOf(
      'DAMM-2',
      `sends the SOL of ${name} to a stranger`,
      'block DAMM-2',
      damm(name, argumentsFor(name), { token_b_account: THEIR_SOL }),
      'confirm DAMM-2',
    ),
  ]),
  outOf(
    'DAMM-2',
    'sends a reward to a stranger',
    'block DAMM-2',
    damm('claim_reward', { reward_index: 0, skip_reward: 0 }, { user_token_account: THEIR_TOKEN }),
    'confirm DAMM-2',
  ),
  into(
    'DAMM-2',
    "deposits from an account that is not the owner's",
    'block DAMM-2',
    addDamm(1n, 1n, { token_a_account: THEIR_TOKEN }),
    'confirm DAMM-2',
  ),
  outOf(
    'DAMM-3',
    'sends the rent of the position to a stranger',
    'block DAMM-3',
    damm('close_position', {}, { rent_receiver: THIEF }),
    'confirm DAMM-3',
  ),
  outOf(
    'DAMM-3',
    'sends the rent of the position to a token account',
    'block DAMM-3',
    damm('close_position', {}, { rent_receiver: OWN_SOL }),
  ),
  attack('DAMM-4', 'withdraws without a minimum amount', 'info DAMM-4', () => ({
    'zap-out': inputOf(DAMM_OUT, [{ group: 'close', instructions: [damm('remove_all_liquidity', thresholds(0n, 0n))] }]),
  })),
];

function argumentsFor(name: 'remove_liquidity' | 'remove_all_liquidity' | 'claim_position_fee'): Arguments {
  switch (name) {
    case 'remove_liquidity':
      return { params: { liquidity_delta: 1n, ...thresholds(0n, 0n) } };
    case 'remove_all_liquidity':
      return thresholds(0n, 0n);
    case 'claim_position_fee':
      return {};
  }
}

const FOREIGN = DAMM_INSTRUCTIONS.filter(({ name }) => !DAMM_STEPS.has(name));

/** Only the owner signs: other signers of an instruction do not matter here. */
function unsigned(instruction: TransactionInstruction): TransactionInstruction {
  for (const meta of instruction.keys) {
    meta.isSigner = meta.isSigner && meta.pubkey.toBase58() === OWNER;
  }
  return instruction;
}

const POWERS: readonly Attack[] = [
  outOf(
    'DAMM-5',
    'locks the position permanently',
    'block DAMM-5',
    damm('permanent_lock_position', { permanent_lock_liquidity: 2n ** 80n }),
  ),
  outOf(
    'DAMM-5',
    'splits the position and gives half of it away',
    'block DAMM-5',
    unsigned(
      damm('split_position2', { numerator: 500_000_000 }, { first_position: DAMM_POSITION, first_owner: OWNER, second_owner: THIEF }),
    ),
  ),
  into(
    'DAMM-5',
    'gives another wallet permissions on the new position',
    'block DAMM-5',
    damm('update_delegate_permission', { permission: 7 }),
  ),
  ...FOREIGN.map((layout) =>
    attack('DAMM-5', `calls the instruction "${layout.name}"`, 'block DAMM-5', () =>
      Object.fromEntries(
        [DAMM_OUT_OF, DAMM_INTO].map(({ name, intent }) => [
          name,
          inputOf(intent, [{ group: 'swap', instructions: [unsigned(damm(layout.name, someArguments(layout)))] }]),
        ]),
      ),
    ),
  ),
  outOf('DAMM-5', 'deposits in a zap-out', 'block DAMM-5', addDamm(1n, 1n)),
  into('DAMM-5', 'withdraws in a zap-in', 'block DAMM-5', emptyDamm()),
  attack('DAMM-6', 'opens a position for another wallet, which does not need to sign', 'block DAMM-6', () => ({
    'zap-in': opening(createDamm({ owner: THIEF }), addDamm()),
  })),
  attack('DAMM-6', 'opens a position that another wallet pays for', 'block DAMM-6', () => ({
    'zap-in': inputOf(DAMM_IN, [
      { group: 'add', instructions: [createDamm({ payer: THIEF }), addDamm()], signers: [NFT_KEY, keyOf('thief')] },
    ]),
  })),
  attack('DLMM-4', 'withdraws a larger share of a DAMM v2 position than requested', 'confirm DLMM-4', () => ({
    'all of it': inputOf({ ...DAMM_OUT, shareBps: 5_000 }, DAMM_OUT_OF.drafts(0)),
    'twice, split over two transactions': inputOf({ ...DAMM_OUT, shareBps: 5_000 }, [
      { group: 'close', instructions: [removeDamm()] },
      { group: 'close', instructions: [removeDamm()], version: 'legacy' },
    ]),
  })),
  attack('DLMM-10', 'deposits into a DAMM v2 position that the operation does not open', 'block DLMM-10', () => ({
    alone: inputOf(DAMM_IN, [{ group: 'add', instructions: [addDamm()] }]),
    'before the position is opened': opening(addDamm(), createDamm()),
  })),
];

/** Offset of Jupiter's amount in the data of a route: 19 bytes before its end. */
const amountAt = ({ data }: TransactionInstruction): number => data.length - 19;
const carrying = (
  carried: TransactionInstruction,
  accounts: Parameters<typeof zapOut>[2] = {},
  offset = amountAt(carried),
): TransactionInstruction => zapOut(carried, offset, accounts);
const poolSwap = (accounts: Parameters<typeof dlmm>[2] = {}): TransactionInstruction =>
  dlmm('swap2', { amount_in: 5n, min_amount_out: 400_000_000n, ...NO_SLICES }, accounts);
const zapped = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, () => ({
    instructions: [instruction],
    into: [OUT],
    groups: ['swap'],
    ...(hidden === undefined ? {} : { hidden }),
  }));

const ZAPS_OUT: readonly Attack[] = [
  zapped('ZAP-1', 'swaps inside another instruction', 'confirm ZAP-1', carrying(route())),
  zapped(
    'ZAP-1',
    'sends the output of the nested swap to a stranger',
    'block SWP-1',
    carrying(route({}, { user_destination_token_account: THEIR_SOL })),
    'confirm SWP-1',
  ),
  zapped(
    'ZAP-1',
    'sends the output of the nested pool swap to a stranger',
    'block DLMM-2',
    carrying(poolSwap({ user_token_out: THEIR_SOL }), {}, 8),
    'confirm DLMM-2',
  ),
  zapped('ZAP-1', 'uses another pool in the nested swap', 'block DLMM-1', carrying(poolSwap({ lb_pair: THIEF }), {}, 8), 'confirm DLMM-1'),
  zapped('ZAP-1', 'calls another program', 'block ZAP-1', carrying(route(), { amm_program: THIEF })),
  zapped('ZAP-1', 'nests a withdrawal instead of a swap', 'block ZAP-1', carrying(removal(), {}, 8)),
  zapped(
    'ZAP-1',
    'hands the position over inside another instruction',
    'block ZAP-1',
    carrying(dlmm('update_position_operator', { operator: keyOf('thief').publicKey.toBytes() }), {}, 8),
  ),
  zapped('ZAP-1', 'overwrites the minimum output with the amount', 'block ZAP-1', carrying(route(), {}, route().data.length - 11)),
  zapped('ZAP-1', 'measures one account and sells from another', 'block ZAP-1', carrying(route(), { user_token_in_account: OWN_SOL })),
  planted('ZAP-1', 'zaps in during a zap-out', 'block ZAP-1', () => ({
    instructions: [zap('set_ledger_balance', { amount: 1n, is_token_a: true })],
    into: [OUT],
  })),
  planted('ZAP-1', 'calls an unknown instruction of Zap', 'block ZAP-1', () => ({ instructions: [withoutMeaning()], into: [OUT, IN] })),
  planted('ZAP-2', 'sends the rent of the ledger to a stranger', 'block ZAP-2', () => ({
    instructions: [zap('close_ledger_account', {}, { rent_receiver: THIEF })],
    into: [IN],
    signers: [keyOf('thief')],
  })),
];

function withoutMeaning(): TransactionInstruction {
  return Object.assign(zap('close_ledger_account'), { data: Buffer.alloc(8, 9) });
}

const RANGE: Arguments = {
  active_id: 0,
  min_delta_id: FROM_BIN,
  max_delta_id: TO_BIN,
  max_active_bin_slippage: 3,
  favor_x_in_active_id: false,
  strategy: { kind: 'Spot' },
  ...NO_SLICES,
};
const fill = (accounts: Parameters<typeof dlmm>[2] = {}): TransactionInstruction =>
  zap('zap_in_dlmm_for_initialized_position', RANGE, accounts);
const ledger = (lamports: bigint): TransactionInstruction[] => [
  zap('initialize_ledger_account'),
  zap('set_ledger_balance', { amount: 1n, is_token_a: true }),
  zap('set_ledger_balance', { amount: lamports, is_token_a: false }),
];
const zappingIn = (...instructions: readonly TransactionInstruction[]): ReturnType<typeof inputOf> =>
  inputOf(ZAP_IN, [{ group: 'add', instructions, signers: [POSITION_KEY] }]);

const ZAPS_IN: readonly Attack[] = [
  attack('ZAP-1', 'deposits at any pool price', 'confirm ZAP-1', () => ({
    'zap-in': zappingIn(...ledger(1_000_000_000n), openPosition(), fill()),
  })),
  attack('ZAP-1', 'uses a ledger that was filled earlier', 'block ZAP-1', () => ({
    'zap-in': zappingIn(openPosition(), fill()),
    'one of its sides was filled earlier': zappingIn(zap('set_ledger_balance', { amount: 1n, is_token_a: true }), openPosition(), fill()),
  })),
  attack('ZAP-1', "deposits into another pool or from another wallet's account", 'block ZAP-1', () => ({
    pool: zappingIn(...ledger(1n), openPosition(), fill({ lb_pair: THIEF })),
    account: zappingIn(...ledger(1n), openPosition(), fill({ user_token_y: THEIR_SOL })),
  })),
  attack('LIM-1', 'sets a larger amount in the ledger than requested', 'block LIM-1', () => ({
    'in one step': zappingIn(...ledger(1_010_000_001n), openPosition(), fill()),
    'in two steps': zappingIn(
      ...ledger(600_000_000n),
      openPosition(),
      fill(),
      zap('set_ledger_balance', { amount: 600_000_000n, is_token_a: false }),
      fill(),
    ),
  })),
];

export const DAMM_AND_ZAP: readonly Attack[] = [...PLACES, ...RECIPIENTS, ...POWERS, ...ZAPS_OUT, ...ZAPS_IN];
