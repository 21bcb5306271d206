import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount } from '../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../src/base/solana/generated/dammInstructions';
import type { Arguments } from '../../src/base/solana/instructionCodec';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { DAMM_FLOWS } from '../../src/review/rules/meteora';
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
} from '../unit/review/bundles';
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
} from '../unit/review/meteoraDrafts';
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
  planted(rule, what, finding, { instructions: [instruction], into: [DAMM_OUT_OF], ...(hidden === undefined ? {} : { hidden }) });
const into = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, {
    instructions: [instruction],
    into: [DAMM_INTO],
    groups: ['add'],
    isLast: true,
    ...(hidden === undefined ? {} : { hidden }),
  });
const opening = (...instructions: readonly TransactionInstruction[]): ReturnType<typeof inputOf> =>
  inputOf(DAMM_IN, [{ group: 'add', instructions, signers: [NFT_KEY] }]);

const PLACES: readonly Attack[] = [
  outOf('DAMM-1', 'a withdrawal from another position', 'block DAMM-1', emptyDamm({ position: OTHER_POSITION }), 'confirm DAMM-1'),
  outOf(
    'DAMM-1',
    'fees claimed from another pool',
    'block DAMM-1',
    damm('claim_position_fee', {}, { pool: addressOf('another pool') }),
    'confirm DAMM-1',
  ),
  outOf(
    'DAMM-1',
    'another position closed, by its NFT',
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
    'the NFT in another account',
    'block DAMM-1',
    damm('close_position', {}, { position_nft_account: addressOf('NFT elsewhere') }),
    'info ALT-2',
  ),
  into('DAMM-1', 'a deposit into another pool', 'block DAMM-1', addDamm(1n, 1n, { pool: addressOf('another pool') }), 'confirm DAMM-1'),
  attack('DAMM-1', 'the address of the position in the place of its NFT', 'block DAMM-1', {
    'zap-out': inputOf(DAMM_OUT, [{ group: 'close', instructions: [emptyDamm({ position: NFT_MINT })] }]),
  }),
  attack('DAMM-1', "a DLMM pool's transactions for a DAMM v2 position", 'block DLMM-1', {
    'zap-out': inputOf(DAMM_OUT, OUT.drafts(0)),
    'zap-in': inputOf(DAMM_IN, IN.drafts(0)),
  }),
];

const RECIPIENTS: readonly Attack[] = [
  ...(['remove_liquidity', 'remove_all_liquidity', 'claim_position_fee'] as const).flatMap((name) => [
    outOf(
      'DAMM-2',
      `the token of ${name} for a stranger`,
      'block DAMM-2',
      damm(name, argumentsFor(name), { token_a_account: THEIR_TOKEN }),
      'confirm DAMM-2',
    ),
    outOf(
      'DAMM-2',
      `the SOL of ${name} for a stranger`,
      'block DAMM-2',
      damm(name, argumentsFor(name), { token_b_account: THEIR_SOL }),
      'confirm DAMM-2',
    ),
  ]),
  outOf(
    'DAMM-2',
    'a reward for a stranger',
    'block DAMM-2',
    damm('claim_reward', { reward_index: 0, skip_reward: 0 }, { user_token_account: THEIR_TOKEN }),
    'confirm DAMM-2',
  ),
  into(
    'DAMM-2',
    "a deposit from an account that is not the owner's",
    'block DAMM-2',
    addDamm(1n, 1n, { token_a_account: THEIR_TOKEN }),
    'confirm DAMM-2',
  ),
  outOf(
    'DAMM-3',
    'the rent of the position for a stranger',
    'block DAMM-3',
    damm('close_position', {}, { rent_receiver: THIEF }),
    'confirm DAMM-3',
  ),
  outOf('DAMM-3', 'the rent of the position for a token account', 'block DAMM-3', damm('close_position', {}, { rent_receiver: OWN_SOL })),
  attack('DAMM-4', 'a withdrawal that takes any price', 'info DAMM-4', {
    'zap-out': inputOf(DAMM_OUT, [{ group: 'close', instructions: [damm('remove_all_liquidity', thresholds(0n, 0n))] }]),
  }),
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

const FOREIGN = DAMM_INSTRUCTIONS.filter(({ name }) => !DAMM_FLOWS.has(name));

/** Only the owner signs: what other signers an instruction has is not the point. */
function unsigned(instruction: TransactionInstruction): TransactionInstruction {
  for (const meta of instruction.keys) {
    meta.isSigner = meta.isSigner && meta.pubkey.toBase58() === OWNER;
  }
  return instruction;
}

const POWERS: readonly Attack[] = [
  outOf('DAMM-5', 'the position locked for good', 'block DAMM-5', damm('permanent_lock_position', { permanent_lock_liquidity: 2n ** 80n })),
  outOf(
    'DAMM-5',
    'the position split, and half of it given away',
    'block DAMM-5',
    unsigned(
      damm('split_position2', { numerator: 500_000_000 }, { first_position: DAMM_POSITION, first_owner: OWNER, second_owner: THIEF }),
    ),
  ),
  into('DAMM-5', 'powers over the new position for somebody else', 'block DAMM-5', damm('update_delegate_permission', { permission: 7 })),
  ...FOREIGN.map((layout) =>
    attack(
      'DAMM-5',
      `the instruction "${layout.name}"`,
      'block DAMM-5',
      Object.fromEntries(
        [DAMM_OUT_OF, DAMM_INTO].map(({ name, intent }) => [
          name,
          inputOf(intent, [{ group: 'swap', instructions: [unsigned(damm(layout.name, someArguments(layout)))] }]),
        ]),
      ),
    ),
  ),
  outOf('DAMM-5', 'a deposit in a zap-out', 'block DAMM-5', addDamm(1n, 1n)),
  into('DAMM-5', 'a withdrawal in a zap-in', 'block DAMM-5', emptyDamm()),
  attack('DAMM-6', 'a position for somebody else, who need not even sign', 'block DAMM-6', {
    'zap-in': opening(createDamm({ owner: THIEF }), addDamm()),
  }),
  attack('DAMM-6', 'a position that somebody else pays for', 'block DAMM-6', {
    'zap-in': inputOf(DAMM_IN, [
      { group: 'add', instructions: [createDamm({ payer: THIEF }), addDamm()], signers: [NFT_KEY, keyOf('thief')] },
    ]),
  }),
  attack('DLMM-4', 'more of a DAMM v2 position than was asked for', 'confirm DLMM-4', {
    'all of it': inputOf({ ...DAMM_OUT, shareBps: 5_000 }, DAMM_OUT_OF.drafts(0)),
    'twice, split over two transactions': inputOf({ ...DAMM_OUT, shareBps: 5_000 }, [
      { group: 'close', instructions: [removeDamm()] },
      { group: 'close', instructions: [removeDamm()], version: 'legacy' },
    ]),
  }),
  attack('DLMM-10', 'a deposit into a DAMM v2 position that is not new', 'block DLMM-10', {
    alone: inputOf(DAMM_IN, [{ group: 'add', instructions: [addDamm()] }]),
    'before it is made': opening(addDamm(), createDamm()),
  }),
];

/** Where Jupiter's amount stands in the data of a route: 19 bytes before its end. */
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
  planted(rule, what, finding, { instructions: [instruction], into: [OUT], groups: ['swap'], ...(hidden === undefined ? {} : { hidden }) });

const ZAPS_OUT: readonly Attack[] = [
  zapped('ZAP-1', 'a swap inside of another instruction', 'confirm ZAP-1', carrying(route())),
  zapped(
    'ZAP-1',
    'the result of the carried swap for a stranger',
    'block SWP-1',
    carrying(route({}, { user_destination_token_account: THEIR_SOL })),
    'confirm SWP-1',
  ),
  zapped(
    'ZAP-1',
    'the result of the carried pool swap for a stranger',
    'block DLMM-2',
    carrying(poolSwap({ user_token_out: THEIR_SOL }), {}, 8),
    'confirm DLMM-2',
  ),
  zapped('ZAP-1', 'another pool in the carried swap', 'block DLMM-1', carrying(poolSwap({ lb_pair: THIEF }), {}, 8), 'confirm DLMM-1'),
  zapped('ZAP-1', 'another program called', 'block ZAP-1', carrying(route(), { amm_program: THIEF })),
  zapped('ZAP-1', 'a withdrawal carried in place of a swap', 'block ZAP-1', carrying(removal(), {}, 8)),
  zapped(
    'ZAP-1',
    'the position handed over inside of another instruction',
    'block ZAP-1',
    carrying(dlmm('update_position_operator', { operator: keyOf('thief').publicKey.toBytes() }), {}, 8),
  ),
  zapped('ZAP-1', 'the amount written over the least that comes out', 'block ZAP-1', carrying(route(), {}, route().data.length - 11)),
  zapped('ZAP-1', 'one account measured and another sold from', 'block ZAP-1', carrying(route(), { user_token_in_account: OWN_SOL })),
  planted('ZAP-1', 'a zap-in in a zap-out', 'block ZAP-1', {
    instructions: [zap('set_ledger_balance', { amount: 1n, is_token_a: true })],
    into: [OUT],
  }),
  planted('ZAP-1', 'an instruction of Zap that nobody knows', 'block ZAP-1', { instructions: [withoutMeaning()], into: [OUT, IN] }),
  planted('ZAP-2', 'the rent of the ledger for a stranger', 'block ZAP-2', {
    instructions: [zap('close_ledger_account', {}, { rent_receiver: THIEF })],
    into: [IN],
    signers: [keyOf('thief')],
  }),
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
  attack('ZAP-1', 'a deposit at whatever price the pool has', 'confirm ZAP-1', {
    'zap-in': zappingIn(...ledger(1_000_000_000n), openPosition(), fill()),
  }),
  attack('ZAP-1', 'a ledger that was filled beforehand', 'block ZAP-1', {
    'zap-in': zappingIn(openPosition(), fill()),
    'only one side of it': zappingIn(zap('set_ledger_balance', { amount: 1n, is_token_a: true }), openPosition(), fill()),
  }),
  attack('ZAP-1', "a deposit into another pool, or from another's account", 'block ZAP-1', {
    pool: zappingIn(...ledger(1n), openPosition(), fill({ lb_pair: THIEF })),
    account: zappingIn(...ledger(1n), openPosition(), fill({ user_token_y: THEIR_SOL })),
  }),
  attack('LIM-1', 'more in the ledger than was asked for', 'block LIM-1', {
    'at once': zappingIn(...ledger(1_010_000_001n), openPosition(), fill()),
    'in two steps': zappingIn(
      ...ledger(600_000_000n),
      openPosition(),
      fill(),
      zap('set_ledger_balance', { amount: 600_000_000n, is_token_a: false }),
      fill(),
    ),
  }),
];

export const DAMM_AND_ZAP: readonly Attack[] = [...PLACES, ...RECIPIENTS, ...POWERS, ...ZAPS_OUT, ...ZAPS_IN];
