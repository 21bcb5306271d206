import { TransactionInstruction } from '@solana/web3.js';
import { addressBytes, type Address } from '../../src/base/solana/address';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { NO_FACTS, type MintRisk } from '../../src/review/facts/facts';
import {
  addressOf,
  claim,
  createAta,
  key,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  THIEF,
  tokenAmount,
  tokenInstruction,
  ZAP_IN,
  ZAP_OUT,
} from '../unit/review/bundles';
import { damm, DAMM_OUT } from '../unit/review/meteoraDrafts';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { BRIEFLY, DAMM_OUT_OF, IN, OUT, planted, type Planting } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks with the token programs, with associated token accounts, and with mints (TOK, ATA, MINT).

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
const ALL = 2n ** 64n - 1n;

/** The same in both token programs, which number their instructions alike. */
function inBoth(
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  data: readonly number[],
  accounts: readonly Address[],
  more: Omit<Planting, 'instructions'> = {},
): readonly Attack[] {
  return [
    planted(rule, what, finding, { ...more, instructions: [tokenInstruction(data, accounts)] }),
    planted(rule, `${what}, in Token-2022`, finding, {
      ...more,
      into: BRIEFLY,
      instructions: [tokenInstruction(data, accounts, PROGRAMS.token2022)],
    }),
  ];
}

const checked = (amount: bigint): number[] => [...tokenAmount(12, amount), 6];

const TRANSFERS: readonly Attack[] = [
  ...inBoth('TOK-1', 'tokens that were there before, for a stranger', 'block TOK-1', tokenAmount(3, ALL), [OWN_TOKEN, THEIR_TOKEN, OWNER]),
  ...inBoth('TOK-1', 'wrapped SOL for a stranger', 'block TOK-1', tokenAmount(3, 2n ** 63n), [OWN_SOL, THEIR_SOL, OWNER]),
  ...inBoth('TOK-1', 'tokens for a stranger, with the mint named', 'block TOK-1', checked(2n ** 63n), [
    OWN_TOKEN,
    MINT,
    THEIR_TOKEN,
    OWNER,
  ]),
  planted('TOK-1', 'tokens for a stranger in a swap', 'block TOK-1', {
    instructions: [tokenInstruction(tokenAmount(3, 5n), [OWN_TOKEN, THEIR_TOKEN, OWNER])],
    groups: ['swap', 'add'],
  }),
  planted('TOK-1', 'tokens out of an account that nobody knows', 'block TOK-1', {
    instructions: [tokenInstruction(tokenAmount(3, 5n), [addressOf('some account'), THEIR_TOKEN, OWNER])],
    into: [OUT, IN],
  }),
  planted('TOK-1', "the service's fee after a withdrawal", 'confirm TOK-1', {
    instructions: [tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER])],
    into: [OUT, DAMM_OUT_OF],
    groups: ['close'],
    isLast: true,
    hidden: 'block TOK-1',
  }),
  planted('TOK-1', "the service's fee for a recipient whom the user has approved", 'confirm TOK-1', {
    instructions: [tokenInstruction(checked(80n), [OWN_TOKEN, MINT, THEIR_TOKEN, OWNER])],
    into: [OUT, DAMM_OUT_OF],
    groups: ['close'],
    isLast: true,
    policy: { feeRecipients: [THIEF] },
    hidden: 'block TOK-1',
  }),
  planted('TOK-1', 'a fee twice of one token', 'block TOK-1', {
    instructions: [
      tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER]),
      tokenInstruction(checked(80n), [OWN_TOKEN, MINT, THEIR_TOKEN, OWNER]),
    ],
    into: [OUT, DAMM_OUT_OF],
    groups: ['close'],
    isLast: true,
  }),
  planted('TOK-1', 'a fee of a token that the pool does not have', 'block TOK-1', {
    instructions: [
      createAta(addressOf('another mint')),
      tokenInstruction(tokenAmount(3, 80n), [associatedTokenAddress(OWNER, addressOf('another mint')), THEIR_TOKEN, OWNER]),
    ],
    into: [OUT],
    groups: ['close'],
    isLast: true,
  }),
  attack('TOK-1', 'a fee without, or before, a withdrawal from the pool', 'block TOK-1', {
    'before it': inputOf(ZAP_OUT, [
      { group: 'close', instructions: [tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER]), claim()] },
    ]),
    'in the next transaction': inputOf(ZAP_OUT, [
      ...OUT.drafts(0),
      { group: 'close', instructions: [tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER])] },
    ]),
    'after another pool of DAMM v2': inputOf(DAMM_OUT, [
      {
        group: 'close',
        instructions: [
          damm('claim_position_fee', {}, { pool: THIEF }),
          tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER]),
        ],
      },
    ]),
  }),
  planted('TOK-1', "a transfer with a fee of Token-2022, which is never the service's", 'block TOK-1', {
    instructions: [
      tokenInstruction(
        [26, 1, ...tokenAmount(0, 80n).slice(1), 6, ...tokenAmount(0, 4n).slice(1)],
        [OWN_TOKEN, MINT, THEIR_TOKEN, OWNER],
        PROGRAMS.token2022,
      ),
    ],
    into: [OUT, IN],
  }),
];

const POWERS: readonly Attack[] = [
  ...inBoth('TOK-2', 'the right to spend later', 'block TOK-2', tokenAmount(4, ALL), [OWN_TOKEN, THIEF, OWNER]),
  ...inBoth(
    'TOK-2',
    'the right to spend later, with the mint named',
    'block TOK-2',
    [...tokenAmount(13, 1n), 6],
    [OWN_SOL, WRAPPED_SOL_MINT, THIEF, OWNER],
  ),
  ...inBoth(
    'TOK-2',
    'the right to spend nothing, to be mistaken for harmless',
    'block TOK-2',
    tokenAmount(4, 0n),
    [OWN_TOKEN, THIEF, OWNER],
    { into: [OUT] },
  ),
  ...inBoth('TOK-3', 'a token account given away', 'block TOK-3', [6, 2, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER]),
  ...inBoth('TOK-3', 'the right to close a token account given away', 'block TOK-3', [6, 3, 1, ...addressBytes(THIEF)], [OWN_SOL, OWNER]),
  ...inBoth('TOK-3', 'an authority given up for good', 'block TOK-3', [6, 2, 0], [OWN_TOKEN, OWNER], { into: [OUT, IN] }),
  ...inBoth('TOK-3', 'an authority of a kind that is newer', 'block TOK-3', [6, 17, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER], {
    into: [OUT],
  }),
  ...inBoth('TOK-4', 'wrapped SOL unwrapped for somebody else', 'block TOK-4', [9], [OWN_SOL, THIEF, OWNER]),
  ...inBoth('TOK-4', 'the rent of a token account for somebody else', 'block TOK-4', [9], [OWN_TOKEN, THIEF, OWNER]),
  ...inBoth('TOK-4', 'an unknown token account closed, to the owner', 'confirm TOK-4', [9], [addressOf('some account'), OWNER, OWNER], {
    into: [OUT, IN],
  }),
];

const MINTINGS: readonly (readonly [string, readonly number[], readonly Address[]])[] = [
  ['tokens burnt', tokenAmount(8, ALL), [OWN_TOKEN, MINT, OWNER]],
  ['tokens burnt, with the decimals named', [...tokenAmount(15, 1n), 6], [OWN_TOKEN, MINT, OWNER]],
  ['tokens minted', tokenAmount(7, 1n), [MINT, OWN_TOKEN, OWNER]],
  ['tokens minted, with the decimals named', [...tokenAmount(14, 1n), 6], [MINT, OWN_TOKEN, OWNER]],
  ['an account frozen', [10], [OWN_TOKEN, MINT, OWNER]],
  ['an account thawed', [11], [OWN_TOKEN, MINT, OWNER]],
  ['a mint set up', [20, 6, ...addressBytes(OWNER), 0], [addressOf('new mint')]],
  ['a group of signers set up', [19, 1], [addressOf('group'), OWNER]],
];

const SETUPS: readonly (readonly [string, readonly number[], readonly Address[]])[] = [
  ['an account of somebody else set up', [18, ...addressBytes(THIEF)], [addressOf('new'), MINT]],
  ['an account of the owner set up that nothing has made', [18, ...addressBytes(OWNER)], [addressOf('new'), WRAPPED_SOL_MINT]],
  ['an account set up in the oldest form', [1], [addressOf('new'), MINT, OWNER, addressOf('rent')]],
  ['an account set up in the second form', [16, ...addressBytes(THIEF)], [addressOf('new'), MINT, addressOf('rent')]],
];

const EXTENSIONS = [25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 39, 40, 41, 42, 43, 44, 46, 99, 254];

const OPCODES: readonly Attack[] = [
  ...MINTINGS.flatMap(([what, data, accounts]) => inBoth('TOK-5', what, 'block TOK-5', data, accounts, { into: [OUT] })),
  ...SETUPS.flatMap(([what, data, accounts]) => inBoth('TOK-6', what, 'block TOK-6', data, accounts, { into: [OUT] })),
  ...inBoth('TOK-7', 'a transfer hidden in a batch', 'block TOK-7', [255, 3, 9, ...tokenAmount(3, 5n)], [OWN_TOKEN, THEIR_TOKEN, OWNER]),
  ...inBoth('TOK-7', 'wrapped SOL taken out without closing the account', 'block TOK-7', [45, 0], [OWN_SOL, THIEF, OWNER]),
  ...inBoth('TOK-7', 'lamports above the rent taken out', 'block TOK-7', [38], [OWN_SOL, THIEF, OWNER]),
  ...EXTENSIONS.flatMap((opcode) =>
    inBoth('TOK-8', `the opcode ${opcode}`, 'block TOK-8', [opcode, 0, 1], [OWN_TOKEN, OWNER], { into: BRIEFLY }),
  ),
  ...inBoth('TOK-8', 'no opcode', 'block TOK-8', [], [OWN_TOKEN, OWNER], { into: [OUT, IN] }),
  ...inBoth('TOK-8', 'a transfer with a byte behind it', 'block TOK-8', [...tokenAmount(3, 5n), 0], [OWN_TOKEN, THEIR_TOKEN, OWNER], {
    into: [OUT, IN],
  }),
  ...inBoth('TOK-8', 'a transfer without a recipient', 'block TOK-8', tokenAmount(3, 5n), [OWN_TOKEN], { into: [OUT, IN] }),
];

const ata = (data: readonly number[], from = createAta(MINT)): TransactionInstruction =>
  new TransactionInstruction({ programId: from.programId, keys: from.keys, data: Buffer.from(data) });
const inProgramOf = (program: Address): TransactionInstruction => {
  const { programId, keys, data } = createAta(MINT);
  return new TransactionInstruction({
    programId,
    data,
    keys: keys.map((meta, place) => (place === 5 ? { ...meta, pubkey: key(program) } : meta)),
  });
};

const ASSOCIATED: readonly Attack[] = [
  planted('ATA-1', 'an account that does not belong to the wallet and the mint', 'block ATA-1', {
    instructions: [createAta(MINT, OWNER, THEIR_TOKEN)],
    hidden: 'info ALT-2',
  }),
  planted('ATA-1', "an account for somebody else, at the owner's cost", 'confirm ATA-1', {
    instructions: [createAta(MINT, THIEF)],
    hidden: 'confirm ATA-1',
  }),
  planted('ATA-1', 'an account by a program that is no token program', 'block ATA-1', {
    instructions: [inProgramOf(PROGRAMS.dlmm)],
    hidden: 'info ALT-2',
  }),
  planted('ATA-1', 'a nested account taken back', 'block ATA-1', { instructions: [ata([2])] }),
  ...[[3], [0, 0], [255]].map((data) =>
    planted('ATA-1', `the data ${data.join(' ')}`, 'block ATA-1', { instructions: [ata(data)], into: [OUT, IN] }),
  ),
];

const risky = (kind: MintRisk['kind']): Attack =>
  attack('MINT-1', `a token whose issuer has kept a power: ${kind}`, 'confirm MINT-1', {
    'zap-in': inputOf(ZAP_IN, IN.drafts(0), { facts: { ...NO_FACTS, mints: new Map([[MINT, [{ kind }]]]) } }),
  });

const MINTS: readonly Attack[] = [
  ...(
    ['permanentDelegate', 'transferHook', 'frozenByDefault', 'nonTransferable', 'pausable', 'confidentialTransfer', 'transferFee'] as const
  ).map(risky),
  attack('MINT-1', 'the same on the way out, which is good', 'info MINT-1', {
    'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), { facts: { ...NO_FACTS, mints: new Map([[MINT, [{ kind: 'permanentDelegate' }]]]) } }),
  }),
];

export const TOKENS: readonly Attack[] = [...TRANSFERS, ...POWERS, ...OPCODES, ...ASSOCIATED, ...MINTS];
