import { SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { addressBytes, addressFromBytes, type Address } from '../../src/base/solana/address';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import type { Arguments } from '../../src/base/solana/instructionCodec';
import { SYSTEM_INSTRUCTIONS } from '../../src/base/solana/nativeInstructions';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { FORBIDDEN_PROGRAMS, PRECOMPILES, REVIEW_PROGRAMS } from '../../src/review/decode/programs';
import {
  addressOf,
  claim,
  instruction,
  key,
  keyOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  syncNative,
  THIEF,
  tip,
  tokenInstruction,
  transferSol,
  ZAP_OUT,
} from '../support/review/bundles';
import { attack, inputOf, type Attack } from './attack';
import { BRIEFLY, IN, OUT, planted } from './plant';

// Attacks with programs that the operation does not use, and with the System program (PRG, LGT, MEM, SYS, TIP, WRP).

const PROGRAM = addressOf('a program');
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);

const call = (program: Address, accounts: readonly Address[] = [], data: readonly number[] = [1]): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(program),
    keys: accounts.map((account) => ({ pubkey: key(account), isSigner: account === OWNER, isWritable: account !== OWNER })),
    data: Buffer.from(data),
  });

const PROGRAM_CALLS: readonly Attack[] = [
  planted('PRG-2', "calls an unknown program with the owner's signature, whose behavior may change later", 'block PRG-2', () => ({
    instructions: [call(PROGRAM, [OWNER, addressOf('state')])],
  })),
  planted('PRG-2', 'calls an unknown program with an account of the owner', 'block PRG-2', () => ({
    instructions: [call(PROGRAM, [OWN_SOL])],
  })),
  planted('PRG-2', "calls an unknown program without the owner's accounts", 'confirm PRG-2', () => ({
    instructions: [call(PROGRAM, [addressOf('state')])],
    hidden: 'block PRG-2',
  })),
  planted('PRG-2', 'calls a program that the user trusts', 'confirm PRG-2', () => ({
    instructions: [call(PROGRAM, [OWNER, OWN_TOKEN])],
    policy: { trustedPrograms: [PROGRAM] },
  })),
  planted('PRG-2', 'calls another program than the one that the user trusts', 'block PRG-2', () => ({
    instructions: [call(PROGRAM, [OWNER])],
    policy: { trustedPrograms: [addressOf('trusted')] },
  })),
  ...[...FORBIDDEN_PROGRAMS].flatMap(([program, name]) => [
    planted('PRG-3', `calls the program "${name}"`, 'block PRG-3', () => ({
      instructions: [call(program, [OWNER])],
      into: name === 'Stake' ? [OUT, IN] : BRIEFLY,
    })),
    planted('PRG-3', `calls the program "${name}", which the user trusts`, 'block PRG-3', () => ({
      instructions: [call(program)],
      into: BRIEFLY,
      policy: { trustedPrograms: [program] },
    })),
  ]),
  ...[...PRECOMPILES].map(([program, name]) =>
    planted('PRG-4', `checks other signatures: ${name}`, 'confirm PRG-4', () => ({
      instructions: [call(program, [], [0, 0])],
      into: BRIEFLY,
    })),
  ),
  planted('LGT-1', 'writes memory with Lighthouse', 'confirm LGT-1', () => ({
    instructions: [call(REVIEW_PROGRAMS.lighthouse, [OWNER, addressOf('memory')], [0, 1])],
  })),
  planted('LGT-1', 'closes memory with Lighthouse', 'confirm LGT-1', () => ({
    instructions: [call(REVIEW_PROGRAMS.lighthouse, [OWNER], [1])],
  })),
  planted('LGT-1', 'calls a newer instruction of Lighthouse', 'block LGT-1', () => ({
    instructions: [call(REVIEW_PROGRAMS.lighthouse, [OWNER], [18, 0])],
  })),
  planted('LGT-1', 'adds a Lighthouse assertion (no attack)', 'info LIM-3', () => ({
    instructions: [call(REVIEW_PROGRAMS.lighthouse, [OWNER], [6, 0])],
    into: [OUT, IN],
  })),
  planted('MEM-1', 'sends a memo that imitates a message of Binsight', 'info MEM-1', () => ({
    instructions: [call(PROGRAMS.memo, [], [...Buffer.from('Binsight: **verified**\n\u202eallowed')])],
  })),
];

const system = (name: string, accounts: Readonly<Record<string, Address>>, args: Arguments = {}): TransactionInstruction =>
  instruction(PROGRAMS.system, SYSTEM_INSTRUCTIONS, name, accounts, args);
const seeded = { account: addressOf('derived'), base: OWNER };
const theirs = { owner: addressBytes(THIEF), base: addressBytes(OWNER), seed: 'x' };
const raw = (data: readonly number[], accounts: readonly Address[] = [OWNER, THIEF]): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(PROGRAMS.system),
    keys: accounts.map((of) => ({ pubkey: key(of), isSigner: of === OWNER, isWritable: true })),
    data: Buffer.from(data),
  });

/** A tip account with its last bit changed. */
const ALMOST_A_TIP = addressFromBytes(addressBytes(JITO_TIP_ACCOUNTS[0] ?? THIEF).map((byte, at) => (at === 31 ? byte ^ 1 : byte)));

const TRANSFERS: readonly Attack[] = [
  planted('SYS-1', 'skims with a SOL transfer', 'confirm SYS-1', () => ({
    instructions: [transferSol(THIEF, 1_300_000n)],
    hidden: 'block SYS-1',
  })),
  planted('SYS-1', 'sends one lamport to a stranger', 'confirm SYS-1', () => ({
    instructions: [transferSol(THIEF, 1n)],
    into: [OUT, IN],
    hidden: 'block SYS-1',
  })),
  planted('SYS-1', 'sends all SOL of the wallet to a stranger', 'block SYS-1', () => ({
    instructions: [transferSol(THIEF, 50_000_000_000n)],
  })),
  planted('SYS-1', 'sends more SOL than exists', 'block SYS-1', () => ({
    instructions: [transferSol(THIEF, 2n ** 64n - 1n)],
    into: [OUT, IN],
  })),
  planted('SYS-1', 'sends a little SOL to each of many strangers', 'block SYS-1', () => ({
    instructions: [1, 2, 3, 4].map((of) => transferSol(addressOf(`stranger ${of}`), 1_300_000n)),
    into: [OUT, IN],
  })),
  planted('SYS-1', 'sends SOL to an address that differs from a tip account in one bit', 'block SYS-1', () => ({
    instructions: [tip(40_000_000n, ALMOST_A_TIP)],
  })),
  planted('SYS-1', 'sends SOL to the pool', 'block SYS-1', () => ({
    instructions: [transferSol(ZAP_OUT.pool, 10_000_000n)],
    into: [OUT, IN],
  })),
  planted('SYS-1', 'sends SOL to a token account of the owner, where it cannot be recovered', 'block SYS-1', () => ({
    instructions: [transferSol(OWN_TOKEN, 10_000_000n)],
    into: [OUT, IN],
  })),
  planted('SYS-1', 'sends an approved recipient a fee above the user’s limit', 'block SYS-1', () => ({
    instructions: [transferSol(THIEF, 50_000_001n)],
    policy: { feeRecipients: [THIEF] },
  })),
  planted('SYS-1', 'sends a fee to an approved recipient', 'confirm SYS-1', () => ({
    instructions: [transferSol(THIEF, 50_000_000n)],
    policy: { feeRecipients: [THIEF] },
    hidden: 'block SYS-1',
  })),
  planted('SYS-1', 'sends SOL from an account that does not sign', 'block SYS-1', () => ({
    instructions: [raw([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [THIEF, OWNER])],
    into: [OUT, IN],
  })),
  planted('WRP-1', 'wraps SOL for another wallet', 'block SYS-1', () => ({
    instructions: [transferSol(THEIR_SOL, 1_000_000_000n), tokenInstruction([17], [THEIR_SOL])],
  })),
  planted('WRP-1', 'wraps a little SOL for another wallet', 'confirm SYS-1', () => ({
    instructions: [transferSol(THEIR_SOL, 1_000n), tokenInstruction([17], [THEIR_SOL])],
    into: [OUT, IN],
    hidden: 'block SYS-1',
  })),
  planted('WRP-1', 'sends SOL to a Token-2022 account for wrapped SOL, which nothing unwraps', 'block SYS-1', () => ({
    instructions: [transferSol(associatedTokenAddress(OWNER, WRAPPED_SOL_MINT, PROGRAMS.token2022), 1_000_000_000n), syncNative()],
    into: [OUT, IN],
  })),
  planted('TIP-2', 'sends a tip of 1 SOL', 'block TIP-2', () => ({ instructions: [tip(1_000_000_000n)], into: [OUT, IN] })),
  planted('TIP-1', 'sends a tip above the usual amount', 'confirm TIP-1', () => ({ instructions: [tip(9_000_001n)], into: [OUT, IN] })),
  attack('TIP-2', 'splits tips over transactions and tip accounts', 'block TIP-2', () => ({
    'ten transactions': inputOf(
      ZAP_OUT,
      JITO_TIP_ACCOUNTS.map((to) => ({ group: 'close', instructions: [claim(), tip(6_250_001n, to)] })),
    ),
  })),
];

const HANDOVERS: readonly Attack[] = [
  planted('SYS-2', 'sends SOL from a derived account', 'block SYS-2', () => ({
    instructions: [system('transfer_with_seed', { from: addressOf('derived'), base: OWNER, to: THIEF }, { lamports: 1n, ...theirs })],
  })),
  planted('SYS-3', 'assigns the wallet to another program', 'block SYS-3', () => ({
    instructions: [SystemProgram.assign({ accountPubkey: key(OWNER), programId: key(THIEF) })],
  })),
  planted('SYS-3', 'assigns the wallet to another program with an extra byte, which some decoders ignore', 'block SYS-3', () => ({
    instructions: [raw([1, 0, 0, 0, ...addressBytes(THIEF), 0], [OWNER])],
    into: [OUT, IN],
  })),
  planted('SYS-3', 'allocates data in the wallet, which makes it unusable', 'block SYS-3', () => ({
    instructions: [SystemProgram.allocate({ accountPubkey: key(OWNER), space: 1 })],
  })),
  planted('SYS-3', 'assigns an account with a seed', 'block SYS-3', () => ({ instructions: [system('assign_with_seed', seeded, theirs)] })),
  planted('SYS-3', 'allocates an account with a seed', 'block SYS-3', () => ({
    instructions: [system('allocate_with_seed', seeded, { space: 1n, ...theirs })],
  })),
  planted('SYS-3', "assigns another wallet's account", 'block SYS-3', () => ({
    instructions: [SystemProgram.assign({ accountPubkey: key(THIEF), programId: key(PROGRAM) })],
    signers: [keyOf('thief')],
  })),
  planted('SYS-5', 'uses an instruction number that the System program does not have', 'block SYS-5', () => ({
    instructions: [raw([13, 0, 0, 0])],
  })),
  planted('SYS-5', 'truncates the amount of a transfer', 'block SYS-5', () => ({ instructions: [raw([2, 0, 0, 0, 1])] })),
  planted('SYS-5', 'adds bytes after a transfer', 'block SYS-5', () => ({ instructions: [raw([...transferSol(OWNER, 1n).data, 0])] })),
  planted('SYS-5', 'sends a System instruction without data', 'block SYS-5', () => ({ instructions: [raw([])] })),
  planted('SYS-5', 'sends a transfer without a recipient', 'block SYS-5', () => ({
    instructions: [raw([...transferSol(OWNER, 1n).data], [OWNER])],
  })),
];

const MADE = keyOf('made');
const ACCOUNT = addressOf('made');
const create = (program: Address = PROGRAMS.token, space = 165): TransactionInstruction =>
  SystemProgram.createAccount({
    fromPubkey: key(OWNER),
    newAccountPubkey: MADE.publicKey,
    lamports: 3_039_280,
    space,
    programId: key(program),
  });
const initialize = (owner = OWNER, mint = WRAPPED_SOL_MINT): TransactionInstruction =>
  tokenInstruction([18, ...addressBytes(owner)], [ACCOUNT, mint]);
const close = (to = OWNER): TransactionInstruction => tokenInstruction([9], [ACCOUNT, to, OWNER]);

const CREATIONS: readonly Attack[] = [
  planted('SYS-4', 'creates a temporary account for wrapped SOL', 'confirm SYS-4', () => ({
    instructions: [create(), initialize(), close()],
    signers: [MADE],
    into: [OUT],
  })),
  ...(
    [
      ['creates an account of another program', [create(PROGRAM)]],
      ['leaves a wrapped SOL account open', [create(), initialize()]],
      ['creates a wrapped SOL account for another wallet', [create(), initialize(THIEF), close()]],
      ['closes a wrapped SOL account to another wallet', [create(), initialize(), close(THIEF)]],
      [
        'funds a wrapped SOL account after it is closed, for the holder of its key',
        [create(), initialize(), close(), transferSol(ACCOUNT, 1_000_000n)],
      ],
      ['creates an account for another token', [create(), initialize(OWNER, MINT), close()]],
      ['creates an account of another size', [create(PROGRAMS.token, 355), initialize(), close()]],
    ] as const
  ).map(([what, instructions]) => planted('SYS-4', what, 'block SYS-4', () => ({ instructions, signers: [MADE], into: [OUT, IN] }))),
];

export const NATIVES: readonly Attack[] = [...PROGRAM_CALLS, ...TRANSFERS, ...HANDOVERS, ...CREATIONS];
