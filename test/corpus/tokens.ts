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
} from '../support/review/bundles';
import { damm, DAMM_OUT } from '../support/review/meteoraDrafts';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { BRIEFLY, DAMM_OUT_OF, IN, OUT, planted, type Planting } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks with the token programs, associated token accounts, and mints (TOK, ATA, MINT).

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
const ALL = 2n ** 64n - 1n;

/** The attack in both token programs, which use the same instruction numbers. */
function inBoth(
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  data: readonly number[],
  accounts: readonly Address[],
  more: Omit<Planting, 'instructions'> = {},
): readonly Attack[] {
  return [
    planted(rule, what, finding, () => ({ ...more, instructions: [tokenInstruction(data, accounts)] })),
    planted(rule, `${what}, in Token-2022`, finding, () => ({
      ...more,
      into: BRIEFLY,
      instructions: [tokenInstruction(data, accounts, PROGRAMS.token2022)],
    })),
  ];
}

const checked = (amount: bigint): number[] => [...tokenAmount(12, amount), 6];

const TRANSFERS: readonly Attack[] = [
  ...inBoth('TOK-1', 'sends the existing tokens of the wallet to a stranger', 'block TOK-1', tokenAmount(3, ALL), [
    OWN_TOKEN,
    THEIR_TOKEN,
    OWNER,
  ]),
  ...inBoth('TOK-1', 'sends wrapped SOL to a stranger', 'block TOK-1', tokenAmount(3, 2n ** 63n), [OWN_SOL, THEIR_SOL, OWNER]),
  ...inBoth('TOK-1', 'sends tokens to a stranger with a checked transfer', 'block TOK-1', checked(2n ** 63n), [
    OWN_TOKEN,
    MINT,
    THEIR_TOKEN,
    OWNER,
  ]),
  planted('TOK-1', 'sends tokens to a stranger during a swap', 'block TOK-1', () => ({
    instructions: [tokenInstruction(tokenAmount(3, 5n), [OWN_TOKEN, THEIR_TOKEN, OWNER])],
    groups: ['swap', 'add'],
  })),
  planted('TOK-1', 'sends tokens from an unknown account', 'block TOK-1', () => ({
    instructions: [tokenInstruction(tokenAmount(3, 5n), [addressOf('some account'), THEIR_TOKEN, OWNER])],
    into: [OUT, IN],
  })),
  planted('TOK-1', "takes the service's fee after a withdrawal", 'confirm TOK-1', () => ({
    instructions: [tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER])],
    into: [OUT, DAMM_OUT_OF],
    groups: ['close'],
    isLast: true,
    hidden: 'block TOK-1',
  })),
  planted('TOK-1', "takes the service's fee for a recipient that the user has approved", 'confirm TOK-1', () => ({
    instructions: [tokenInstruction(checked(80n), [OWN_TOKEN, MINT, THEIR_TOKEN, OWNER])],
    into: [OUT, DAMM_OUT_OF],
    groups: ['close'],
    isLast: true,
    policy: { feeRecipients: [THIEF] },
    hidden: 'block TOK-1',
  })),
  planted('TOK-1', 'takes a fee twice in one token', 'block TOK-1', () => ({
    instructions: [
      tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, THEIR_TOKEN, OWNER]),
      tokenInstruction(checked(80n), [OWN_TOKEN, MINT, THEIR_TOKEN, OWNER]),
    ],
    into: [OUT, DAMM_OUT_OF],
    groups: ['close'],
    isLast: true,
  })),
  planted('TOK-1', 'takes a fee in a token that the pool does not have', 'block TOK-1', () => ({
    instructions: [
      createAta(addressOf('another mint')),
      tokenInstruction(tokenAmount(3, 80n), [associatedTokenAddress(OWNER, addressOf('another mint')), THEIR_TOKEN, OWNER]),
    ],
    into: [OUT],
    groups: ['close'],
    isLast: true,
  })),
  attack('TOK-1', 'takes a fee without a preceding withdrawal from the pool', 'block TOK-1', () => ({
    'before the withdrawal': inputOf(ZAP_OUT, [
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
  })),
  planted('TOK-1', "uses a Token-2022 transfer with a fee, which is never the service's fee", 'block TOK-1', () => ({
    instructions: [
      tokenInstruction(
        [26, 1, ...tokenAmount(0, 80n).slice(1), 6, ...tokenAmount(0, 4n).slice(1)],
        [OWN_TOKEN, MINT, THEIR_TOKEN, OWNER],
        PROGRAMS.token2022,
      ),
    ],
    into: [OUT, IN],
  })),
];

const POWERS: readonly Attack[] = [
  ...inBoth('TOK-2', 'approves a thief as delegate', 'block TOK-2', tokenAmount(4, ALL), [OWN_TOKEN, THIEF, OWNER]),
  ...inBoth(
    'TOK-2',
    'approves a thief as delegate with a checked instruction',
    'block TOK-2',
    [...tokenAmount(13, 1n), 6],
    [OWN_SOL, WRAPPED_SOL_MINT, THIEF, OWNER],
  ),
  ...inBoth(
    'TOK-2',
    'approves a thief as delegate for an amount of zero, which looks harmless',
    'block TOK-2',
    tokenAmount(4, 0n),
    [OWN_TOKEN, THIEF, OWNER],
    { into: [OUT] },
  ),
  ...inBoth('TOK-3', 'changes the owner of a token account', 'block TOK-3', [6, 2, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER]),
  ...inBoth('TOK-3', 'changes the close authority of a token account', 'block TOK-3', [6, 3, 1, ...addressBytes(THIEF)], [OWN_SOL, OWNER]),
  ...inBoth('TOK-3', 'removes an authority permanently', 'block TOK-3', [6, 2, 0], [OWN_TOKEN, OWNER], { into: [OUT, IN] }),
  ...inBoth('TOK-3', 'changes a newer type of authority', 'block TOK-3', [6, 17, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER], {
    into: [OUT],
  }),
  ...inBoth('TOK-4', 'unwraps SOL to another wallet', 'block TOK-4', [9], [OWN_SOL, THIEF, OWNER]),
  ...inBoth('TOK-4', 'sends the rent of a token account to another wallet', 'block TOK-4', [9], [OWN_TOKEN, THIEF, OWNER]),
  ...inBoth('TOK-4', 'closes an unknown token account to the owner', 'confirm TOK-4', [9], [addressOf('some account'), OWNER, OWNER], {
    into: [OUT, IN],
  }),
];

const MINTINGS: readonly (readonly [string, readonly number[], readonly Address[]])[] = [
  ['burns tokens', tokenAmount(8, ALL), [OWN_TOKEN, MINT, OWNER]],
  ['burns tokens with a checked instruction', [...tokenAmount(15, 1n), 6], [OWN_TOKEN, MINT, OWNER]],
  ['mints tokens', tokenAmount(7, 1n), [MINT, OWN_TOKEN, OWNER]],
  ['mints tokens with a checked instruction', [...tokenAmount(14, 1n), 6], [MINT, OWN_TOKEN, OWNER]],
  ['freezes an account', [10], [OWN_TOKEN, MINT, OWNER]],
  ['thaws an account', [11], [OWN_TOKEN, MINT, OWNER]],
  ['initializes a mint', [20, 6, ...addressBytes(OWNER), 0], [addressOf('new mint')]],
  ['initializes a multisig', [19, 1], [addressOf('group'), OWNER]],
];

const SETUPS: readonly (readonly [string, readonly number[], readonly Address[]])[] = [
  ['initializes an account for another wallet', [18, ...addressBytes(THIEF)], [addressOf('new'), MINT]],
  ['initializes an account of the owner that was not created before', [18, ...addressBytes(OWNER)], [addressOf('new'), WRAPPED_SOL_MINT]],
  ['initializes an account with the first instruction version', [1], [addressOf('new'), MINT, OWNER, addressOf('rent')]],
  ['initializes an account with the second instruction version', [16, ...addressBytes(THIEF)], [addressOf('new'), MINT, addressOf('rent')]],
];

const EXTENSIONS = [25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 39, 40, 41, 42, 43, 44, 46, 99, 254];

const OPCODES: readonly Attack[] = [
  ...MINTINGS.flatMap(([what, data, accounts]) => inBoth('TOK-5', what, 'block TOK-5', data, accounts, { into: [OUT] })),
  ...SETUPS.flatMap(([what, data, accounts]) => inBoth('TOK-6', what, 'block TOK-6', data, accounts, { into: [OUT] })),
  ...inBoth('TOK-7', 'hides a transfer in a batch', 'block TOK-7', [255, 3, 9, ...tokenAmount(3, 5n)], [OWN_TOKEN, THEIR_TOKEN, OWNER]),
  ...inBoth('TOK-7', 'withdraws wrapped SOL without closing the account', 'block TOK-7', [45, 0], [OWN_SOL, THIEF, OWNER]),
  ...inBoth('TOK-7', 'withdraws lamports above the rent', 'block TOK-7', [38], [OWN_SOL, THIEF, OWNER]),
  ...EXTENSIONS.flatMap((opcode) =>
    inBoth('TOK-8', `calls opcode ${opcode}`, 'block TOK-8', [opcode, 0, 1], [OWN_TOKEN, OWNER], { into: BRIEFLY }),
  ),
  ...inBoth('TOK-8', 'sends no opcode', 'block TOK-8', [], [OWN_TOKEN, OWNER], { into: [OUT, IN] }),
  ...inBoth('TOK-8', 'adds a byte after a transfer', 'block TOK-8', [...tokenAmount(3, 5n), 0], [OWN_TOKEN, THEIR_TOKEN, OWNER], {
    into: [OUT, IN],
  }),
  ...inBoth('TOK-8', 'sends a transfer without a recipient', 'block TOK-8', tokenAmount(3, 5n), [OWN_TOKEN], { into: [OUT, IN] }),
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
  planted('ATA-1', 'creates an account at an address that does not match wallet and mint', 'block ATA-1', () => ({
    instructions: [createAta(MINT, OWNER, THEIR_TOKEN)],
    hidden: 'info ALT-2',
  })),
  planted('ATA-1', "creates an account for another wallet at the owner's cost", 'confirm ATA-1', () => ({
    instructions: [createAta(MINT, THIEF)],
    hidden: 'confirm ATA-1',
  })),
  planted('ATA-1', 'creates an account with a program that is no token program', 'block ATA-1', () => ({
    instructions: [inProgramOf(PROGRAMS.dlmm)],
    hidden: 'info ALT-2',
  })),
  planted('ATA-1', 'recovers a nested account', 'block ATA-1', () => ({ instructions: [ata([2])] })),
  ...[[3], [0, 0], [255]].map((data) =>
    planted('ATA-1', `calls the associated token program with the data ${data.join(' ')}`, 'block ATA-1', () => ({
      instructions: [ata(data)],
      into: [OUT, IN],
    })),
  ),
];

const risky = (kind: MintRisk['kind']): Attack =>
  attack('MINT-1', `uses a token whose issuer has kept a power: ${kind}`, 'confirm MINT-1', () => ({
    'zap-in': inputOf(ZAP_IN, IN.drafts(0), { facts: { ...NO_FACTS, mints: new Map([[MINT, [{ kind }]]]) } }),
  }));

const MINTS: readonly Attack[] = [
  ...(
    ['permanentDelegate', 'transferHook', 'frozenByDefault', 'nonTransferable', 'pausable', 'confidentialTransfer', 'transferFee'] as const
  ).map(risky),
  attack('MINT-1', 'withdraws a token whose issuer has kept a power (no attack)', 'info MINT-1', () => ({
    'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), { facts: { ...NO_FACTS, mints: new Map([[MINT, [{ kind: 'permanentDelegate' }]]]) } }),
  })),
];

export const TOKENS: readonly Attack[] = [...TRANSFERS, ...POWERS, ...OPCODES, ...ASSOCIATED, ...MINTS];
