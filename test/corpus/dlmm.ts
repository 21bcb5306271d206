import { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { DLMM_INSTRUCTIONS } from '../../src/base/solana/generated/dlmmInstructions';
import { instructionNamed } from '../../src/base/solana/instructionCodec';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { DLMM_STEPS } from '../../src/review/rules/meteoraRoles';
import {
  addByStrategy,
  addressOf,
  claim,
  dlmm,
  FROM_BIN,
  key,
  keyOf,
  MINT,
  NO_SLICES,
  openPosition,
  OWN_SOL,
  POSITION_KEY,
  removal,
  THIEF,
  TO_BIN,
  ZAP_IN,
  ZAP_OUT,
  type AddChoices,
} from '../support/review/bundles';
import { someArguments } from '../support/review/meteoraDrafts';
import { rebalance } from '../support/review/rebalanceInstruction';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { IN, OUT, planted } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks with Meteora DLMM (DLMM, and RNT-1 for bins).

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
const OTHER_POSITION = addressOf('another position');

/** In a zap-out, next to the honest instructions. */
const outOf = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, () => ({ instructions: [instruction], into: [OUT], ...(hidden === undefined ? {} : { hidden }) }));
/** In a zap-in, after the honest instructions: before them, the position does not exist yet. */
const into = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, () => ({
    instructions: [instruction],
    into: [IN],
    groups: ['add'],
    isLast: true,
    ...(hidden === undefined ? {} : { hidden }),
  }));

const { data, keys, programId } = claim();
const withData = (changed: Uint8Array): TransactionInstruction =>
  new TransactionInstruction({ keys, programId, data: Buffer.from(changed) });
const reward = (accounts: Parameters<typeof dlmm>[2]): TransactionInstruction =>
  dlmm('claim_reward2', { reward_index: 0n, min_bin_id: 0, max_bin_id: 1, ...NO_SLICES }, accounts);

const UNREADABLE: readonly Attack[] = [
  outOf(
    'DLMM-0',
    'uses a discriminator that the program does not have',
    'block DLMM-0',
    withData(Buffer.concat([Buffer.alloc(8, 7), data.subarray(8)])),
  ),
  outOf('DLMM-0', 'sends no instruction data', 'block DLMM-0', withData(Buffer.alloc(0))),
  outOf('DLMM-0', 'truncates the arguments', 'block DLMM-0', withData(data.subarray(0, -1))),
  outOf(
    'DLMM-0',
    'adds a byte after the arguments, which Anchor ignores',
    'block DLMM-0',
    withData(Buffer.concat([data, Buffer.from([0])])),
  ),
  outOf(
    'DLMM-0',
    'names fewer accounts than the program reads',
    'block DLMM-0',
    new TransactionInstruction({ keys: keys.slice(0, 6), programId, data }),
  ),
  outOf('DLMM-0', 'uses a discriminator of Meteora DAMM v2', 'block DLMM-0', withData(Buffer.from('b4269a118521a2d3', 'hex'))),
];

const PLACES: readonly Attack[] = [
  outOf(
    'DLMM-1',
    'withdraws from another position of the owner',
    'block DLMM-1',
    removal(10_000, { position: OTHER_POSITION }),
    'confirm DLMM-1',
  ),
  outOf('DLMM-1', 'claims fees from another position', 'block DLMM-1', claim({ position: OTHER_POSITION }), 'confirm DLMM-1'),
  outOf('DLMM-1', 'closes another position', 'block DLMM-1', dlmm('close_position2', {}, { position: OTHER_POSITION }), 'confirm DLMM-1'),
  outOf('DLMM-1', 'withdraws from another pool', 'block DLMM-1', removal(10_000, { lb_pair: addressOf('another pool') }), 'confirm DLMM-1'),
  into(
    'DLMM-1',
    'deposits into another pool',
    'block DLMM-1',
    addByStrategy({ amountX: 1n, amountY: 1n, accounts: { lb_pair: addressOf('another pool') } }),
    'confirm DLMM-1',
  ),
  into(
    'DLMM-1',
    'creates a bin array for another pool',
    'block DLMM-1',
    dlmm('initialize_bin_array', { index: 0n }, { lb_pair: addressOf('another pool') }),
    'confirm DLMM-1',
  ),
  attack('DLMM-1', 'withdraws although the position is not known', 'block DLMM-1', () => ({
    'zap-out': inputOf({ ...ZAP_OUT, position: undefined }, OUT.drafts(0)),
  })),
  attack('DLMM-1', 'replaces the position with another in all its transactions', 'block DLMM-1', () => ({
    'zap-out': inputOf({ ...ZAP_OUT, position: OTHER_POSITION }, OUT.drafts(0)),
    'zap-in': inputOf({ ...ZAP_IN, position: OTHER_POSITION }, IN.drafts('legacy')),
  })),
];

/** The owner's account in a role, in all withdrawals that have this role. */
const WITHDRAWALS = [
  'remove_liquidity',
  'remove_liquidity2',
  'remove_all_liquidity',
  'remove_liquidity_by_range',
  'remove_liquidity_by_range2',
  'claim_fee',
  'claim_fee2',
].map((name) => instructionNamed(DLMM_INSTRUCTIONS, name));
const DEPOSITS = DLMM_INSTRUCTIONS.filter(({ name }) => name.startsWith('add_liquidity'));

const RECIPIENTS: readonly Attack[] = [
  ...WITHDRAWALS.flatMap((layout) => [
    outOf(
      'DLMM-2',
      `sends the tokens of ${layout.name} to a stranger`,
      'block DLMM-2',
      dlmm(layout.name, someArguments(layout), { user_token_x: THEIR_TOKEN }),
      'confirm DLMM-2',
    ),
    outOf(
      'DLMM-2',
      `sends the SOL of ${layout.name} to a stranger`,
      'block DLMM-2',
      dlmm(layout.name, someArguments(layout), { user_token_y: THEIR_SOL }),
      'confirm DLMM-2',
    ),
  ]),
  outOf(
    'DLMM-2',
    "withdraws into the owner's wallet, which is no token account",
    'block DLMM-2',
    removal(10_000, { user_token_x: ZAP_OUT.owner }),
  ),
  outOf('DLMM-2', 'sends a reward to a stranger', 'block DLMM-2', reward({ user_token_account: THEIR_TOKEN }), 'confirm DLMM-2'),
  outOf('DLMM-2', 'sends a reward to an account for another token', 'block DLMM-2', reward({ user_token_account: OWN_SOL })),
  ...DEPOSITS.map((layout) => {
    const role = layout.accounts.some(({ name }) => name === 'user_token') ? 'user_token' : 'user_token_x';
    const deposit = dlmm(layout.name, someArguments(layout), { [role]: THEIR_TOKEN });
    return planted('DLMM-2', `calls ${layout.name} from an account that is not the owner's`, 'block DLMM-2', () => ({
      instructions: [deposit],
      into: [IN],
      groups: ['add'],
      isLast: true,
      isNamed: true,
    }));
  }),
  into(
    'DLMM-2',
    "deposits from an account that is not the owner's",
    'block DLMM-2',
    addByStrategy({ amountX: 1n, amountY: 1n, accounts: { user_token_x: THEIR_TOKEN } }),
    'confirm DLMM-2',
  ),
  ...['close_position', 'close_position2', 'close_position_if_empty'].map((name) =>
    outOf('DLMM-3', `sends the rent of ${name} to a stranger`, 'block DLMM-3', dlmm(name, {}, { rent_receiver: THIEF }), 'confirm DLMM-3'),
  ),
  outOf(
    'DLMM-3',
    'sends the rent of removed bins to a stranger',
    'block DLMM-3',
    dlmm('decrease_position_length', { length_to_remove: 1, side: 0 }, { rent_receiver: THIEF }),
    'confirm DLMM-3',
  ),
];

const HALF = { ...ZAP_OUT, shareBps: 5_000 };
const half = (...instructions: readonly TransactionInstruction[]): ReturnType<typeof inputOf> =>
  inputOf(HALF, [{ group: 'close', instructions }]);

const SHARES: readonly Attack[] = [
  attack('DLMM-4', 'withdraws a larger share of the position than requested', 'confirm DLMM-4', () => ({
    'one basis point more': half(removal(5_001)),
    'all of it': half(dlmm('remove_all_liquidity')),
    'closes the position': half(removal(5_000), dlmm('close_position2')),
    'the whole honest zap-out of another share': inputOf(HALF, OUT.drafts(0)),
    'half of it twice': half(removal(5_000), removal(5_000)),
    'half of it twice, in two transactions': inputOf(HALF, [
      { group: 'close', instructions: [removal(5_000)] },
      { group: 'close', instructions: [removal(5_000), claim()] },
    ]),
    'one bin at a time': half(
      dlmm('remove_liquidity2', {
        bin_liquidity_removal: [
          { bin_id: 0, bps_to_remove: 5_000 },
          { bin_id: 0, bps_to_remove: 5_000 },
        ],
        ...NO_SLICES,
      }),
    ),
    'withdraws from bins outside the position': inputOf({ ...ZAP_OUT, fromBinId: FROM_BIN + 1, toBinId: TO_BIN }, [
      { group: 'close', instructions: [removal()] },
    ]),
  })),
];

const FOREIGN = DLMM_INSTRUCTIONS.filter(({ name }) => !DLMM_STEPS.has(name));

const POWERS: readonly Attack[] = [
  outOf('DLMM-5', 'gives the position an operator', 'block DLMM-5', dlmm('update_position_operator', { operator: key(THIEF).toBytes() })),
  into(
    'DLMM-5',
    'gives the new position an operator',
    'block DLMM-5',
    dlmm('update_position_operator', { operator: key(THIEF).toBytes() }),
  ),
  ...FOREIGN.map((layout) =>
    attack('DLMM-5', `calls the instruction "${layout.name}"`, 'block DLMM-5', () =>
      Object.fromEntries(
        [OUT, IN].map(({ name, intent }) => [
          name,
          inputOf(intent, [{ group: 'swap', instructions: [unsigned(dlmm(layout.name, someArguments(layout)))] }]),
        ]),
      ),
    ),
  ),
  attack('DLMM-6', "opens a position that another wallet owns, at the owner's cost", 'block DLMM-6', () => ({
    'the owner': inputOf(ZAP_IN, [
      { group: 'add', instructions: [openPosition({}, { owner: THIEF }), addByStrategy()], signers: [POSITION_KEY, keyOf('thief')] },
    ]),
    'next to an honest opening': inputOf(ZAP_IN, [
      ...IN.drafts(0),
      { group: 'add', instructions: [openPosition({}, { owner: THIEF, position: THIEF })], signers: [keyOf('thief')] },
    ]),
    'derived from a key that does not sign': inputOf(ZAP_IN, [
      {
        group: 'add',
        instructions: [unsigned(dlmm('initialize_position_pda', { lower_bin_id: FROM_BIN, width: 40 }, { base: THIEF }))],
        signers: [],
      },
    ]),
  })),
  attack('DLMM-6', 'opens a position that another wallet pays for', 'block DLMM-6', () => ({
    legacy: inputOf(ZAP_IN, [
      { group: 'add', version: 'legacy', instructions: [openPosition({}, { payer: THIEF })], signers: [POSITION_KEY, keyOf('thief')] },
    ]),
  })),
  planted('DLMM-6', "withdraws in another wallet's name", 'block DLMM-6', () => ({
    instructions: [removal(10_000, { sender: THIEF })],
    into: [OUT],
    groups: ['close'],
    signers: [keyOf('thief')],
  })),
];

/** Only the owner signs: other signers of an instruction do not matter here. */
function unsigned(instruction: TransactionInstruction): TransactionInstruction {
  for (const meta of instruction.keys) {
    meta.isSigner = meta.isSigner && meta.pubkey.toBase58() === ZAP_IN.owner;
  }
  return instruction;
}

/** A zap-in that is honest except for its deposit. */
function depositing(choices: AddChoices): ReturnType<typeof inputOf> {
  const [swap, , rest] = IN.drafts(0);
  return inputOf(ZAP_IN, [
    ...(swap === undefined ? [] : [swap]),
    { group: 'add', instructions: [openPosition(), addByStrategy(choices)], signers: [POSITION_KEY] },
    ...(rest === undefined ? [] : [rest]),
  ]);
}

const opening = (...instructions: readonly TransactionInstruction[]): ReturnType<typeof inputOf> =>
  inputOf(ZAP_IN, [{ group: 'add', instructions, signers: [POSITION_KEY] }]);

const RANGES: readonly Attack[] = [
  attack('DLMM-7', 'deposits into other bins or in another shape than requested', 'confirm DLMM-7', () => ({
    'bins below the range': depositing({ from: FROM_BIN - 1 }),
    'bins above the range': depositing({ to: TO_BIN + 1 }),
    'only some of the bins': depositing({ to: FROM_BIN }),
    'bins far from the range': depositing({ from: 8_000, to: 8_001 }),
    'another shape': depositing({ shape: 'BidAskImBalanced' }),
    'deposits with a price tolerance that is too large': depositing({ slippageBins: 101 }),
    'deposits with a price tolerance that is too large downwards': depositing({ slippageBins: -(2 ** 31) }),
    'opens a position with another lower bin': opening(openPosition({ lower_bin_id: FROM_BIN + 1, width: 39 })),
    'opens a position with another upper bin': opening(openPosition({ width: 41 })),
    'extends the position beyond the range': opening(openPosition(), dlmm('increase_position_length', { length_to_add: 1, side: 0 })),
    'opens a position although the range is not known': inputOf({ ...ZAP_IN, fromBinId: undefined, toBinId: undefined }, IN.drafts(0)),
  })),
];

/** Withdrawals from two bins and deposits into two bins. */
const rebalancing = (removes: number, adds: number): TransactionInstruction => rebalance({ removes, adds, addsInto: [0, 1] });

const DIRECTIONS: readonly Attack[] = [
  ...DEPOSITS.map((layout) =>
    outOf('DLMM-8', `calls ${layout.name} in a zap-out`, 'block DLMM-8', dlmm(layout.name, someArguments(layout))),
  ),
  ...WITHDRAWALS.map((layout) =>
    into('DLMM-8', `calls ${layout.name} in a zap-in`, 'block DLMM-8', dlmm(layout.name, someArguments(layout))),
  ),
  into('DLMM-8', 'closes the new position', 'block DLMM-8', dlmm('close_position2')),
  outOf('DLMM-8', 'adds liquidity with a rebalance in a zap-out', 'block DLMM-8', rebalancing(1, 1)),
  into('DLMM-8', 'removes liquidity with a rebalance in a zap-in', 'block DLMM-8', rebalancing(1, 1)),
  outOf('DLMM-9', 'rebalances in a zap-out', 'confirm DLMM-9', rebalancing(1, 0)),
  attack('DLMM-9', 'rebalances in a zap-in', 'confirm DLMM-9', () => ({
    'after the opening': opening(openPosition(), rebalancing(0, 1)),
    'after the deposit': opening(openPosition(), addByStrategy(), rebalancing(0, 1)),
  })),
];

const NEWNESS: readonly Attack[] = [
  attack('DLMM-10', 'deposits into an existing position, into which any wallet may deposit', 'block DLMM-10', () => ({
    'the position that the service named': inputOf(ZAP_IN, [
      ...IN.drafts(0).slice(0, 1),
      { group: 'add', instructions: [addByStrategy()] },
    ]),
    "the service names a stranger's position": inputOf({ ...ZAP_IN, position: THIEF }, [
      { group: 'add', instructions: [addByStrategy({ accounts: { position: THIEF } })] },
    ]),
    'the service names no position': inputOf({ ...ZAP_IN, position: undefined }, [
      { group: 'add', instructions: [addByStrategy({ accounts: { position: THIEF } })] },
    ]),
    'before the position is opened': opening(addByStrategy(), openPosition()),
    'before the position is opened, in two transactions': inputOf(ZAP_IN, [
      { group: 'add', instructions: [addByStrategy()] },
      { group: 'add', instructions: [openPosition()], signers: [POSITION_KEY] },
    ]),
    'lengthened before it is opened': opening(dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN }), openPosition()),
    'next to an honest deposit': inputOf({ ...ZAP_IN, position: undefined }, [
      ...IN.drafts(0),
      { group: 'add', instructions: [addByStrategy({ amountX: 1n, amountY: 1n, accounts: { position: OTHER_POSITION } })] },
    ]),
  })),
  attack('RNT-1', 'creates bin arrays that the range does not need, at the cost of the owner', 'confirm RNT-1', () => ({
    'a bin array far from the range': opening(openPosition(), dlmm('initialize_bin_array', { index: 3n })),
    'a bin array with an invalid index': opening(openPosition(), dlmm('initialize_bin_array', { index: -(2n ** 63n) })),
    'too many bin arrays': opening(openPosition(), ...[0n, -1n, 1n, -2n, 0n].map((index) => dlmm('initialize_bin_array', { index }))),
  })),
];

export const DLMM: readonly Attack[] = [
  ...UNREADABLE,
  ...PLACES,
  ...RECIPIENTS,
  ...SHARES,
  ...POWERS,
  ...RANGES,
  ...DIRECTIONS,
  ...NEWNESS,
];
