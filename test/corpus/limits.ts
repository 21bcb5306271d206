import { ComputeBudgetProgram, TransactionInstruction } from '@solana/web3.js';
import { base64FromBytes } from '../../src/base/solana/wireTransaction';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { RentRate } from '../../src/base/solana/rent';
import { NO_FACTS } from '../../src/review/facts/facts';
import { NO_SPENDS } from '../../src/review/spends';
import type { Spends } from '../../src/review/types';
import {
  addByStrategy,
  addressOf,
  base64Of,
  bytesOf,
  buyToken,
  claim,
  createAta,
  dlmm,
  key,
  MINT,
  openPosition,
  OWN_SOL,
  OWNER,
  POSITION_KEY,
  removal,
  syncNative,
  THIEF,
  tip,
  transferSol,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../support/review/bundles';
import { attack, inputOf, rawInput, type Attack } from './attack';
import { IN, OUT, planted } from './plant';

// Attacks with amounts, where each transaction alone may look harmless: fees, limits, and split amounts (FEE, LIM, RNT, BND).

const price = (microLamports: bigint): TransactionInstruction => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
const limit = (units: number): TransactionInstruction => ComputeBudgetProgram.setComputeUnitLimit({ units });
const budgetCall = (data: readonly number[]): TransactionInstruction =>
  new TransactionInstruction({ programId: key(PROGRAMS.computeBudget), keys: [], data: Buffer.from(data) });

/** A zap-in that pays for many bin arrays, in transactions of their own. */
function manyArrays(): Draft[] {
  return [
    ...honestIn(),
    ...[1n, -2n, 0n].map((index): Draft => ({ group: 'add', instructions: [dlmm('initialize_bin_array', { index })] })),
  ];
}

/** The given number of transactions, each with its own blockhash. */
const inTransactions = (count: number, ...instructions: readonly TransactionInstruction[]): Draft[] =>
  Array.from({ length: count }, (_, at): Draft => ({
    group: 'close',
    instructions: [claim(), ...instructions],
    blockhash: addressOf(`hash ${at}`),
  }));

const FEES: readonly Attack[] = [
  planted('FEE-2', 'sets a priority fee of more than 1 SOL', 'block FEE-2', () => ({
    instructions: [price(1_000_000_000_000n)],
    into: [OUT, IN],
    isBefore1: true,
  })),
  planted('FEE-2', 'the highest price that the field can hold', 'block FEE-2', () => ({
    instructions: [price(2n ** 64n - 1n)],
    into: [OUT, IN],
    isBefore1: true,
  })),
  attack('FEE-2', 'splits priority fees over transactions', 'block FEE-2', () => ({
    'five transactions': inputOf(ZAP_OUT, inTransactions(5, limit(1_400_000), price(7_143_000n))),
  })),
  attack('FEE-1', 'splits high priority fees over transactions', 'confirm FEE-1', () => ({
    'five transactions': inputOf(ZAP_OUT, inTransactions(5, limit(1_400_000), price(1_430_000n))),
  })),
  planted('FEE-1', 'sets the compute unit price twice, the second time higher', 'confirm FEE-1', () => ({
    instructions: [price(100_000n)],
    into: [OUT, IN],
    isLast: true,
    isBefore1: true,
  })),
  planted('FEE-1', 'sets the compute unit limit twice', 'confirm FEE-1', () => ({
    instructions: [limit(1_400_000)],
    into: [OUT, IN],
    isLast: true,
    isBefore1: true,
  })),
  attack('FEE-1', 'sets a compute unit price without a limit, so that the maximum applies', 'confirm FEE-1', () => ({
    'zap-out': inputOf(ZAP_OUT, inTransactions(1, price(7_200_000n))),
  })),
  ...[[0, 1, 0, 0, 0, 255, 255, 255, 255], [2, 1, 0, 0], [2, 1, 0, 0, 0, 0], [3, 1, 0, 0, 0], [5, 0, 0, 0, 0], []].map((data) =>
    planted(
      'FEE-1',
      `sends an invalid compute budget instruction: ${data.length === 0 ? 'no data' : data.join(' ')}`,
      'block FEE-1',
      () => ({ instructions: [budgetCall(data)], into: [OUT, IN], isBefore1: true }),
    ),
  ),
];

/** Each within its own cap. */
const COSTS = [tip(9_900_000n), limit(1_400_000), price(7_000_000n)];
const ofTokens = (token: bigint, lamports: bigint) => [
  { mint: MINT, amountRaw: token },
  { mint: WRAPPED_SOL_MINT, amountRaw: lamports },
];
const SMALL_IN = [transferSol(OWN_SOL, 200_000_000n), syncNative(), openPosition(), addByStrategy({ amountX: 0n, amountY: 200_000_000n })];

const COSTLY: readonly Attack[] = [
  attack('FEE-4', 'takes a tenth of a small operation in tips and fees', 'confirm FEE-4', () => ({
    'a zap-out': inputOf({ ...ZAP_OUT, worth: ofTokens(2_500_000n, 200_000_000n) }, [
      { group: 'close', instructions: [removal(), ...COSTS] },
    ]),
    'a zap-out whose value in SOL follows from the shown price': inputOf({ ...ZAP_OUT, worth: [{ mint: MINT, amountRaw: 2_500_000n }] }, [
      { group: 'close', instructions: [removal(), ...COSTS] },
    ]),
    'a zap-out whose two values differ': inputOf({ ...ZAP_OUT, worth: ofTokens(2_500_000n, 200_000_000_000n) }, [
      { group: 'close', instructions: [removal(), ...COSTS] },
    ]),
    'a zap-in': inputOf({ ...ZAP_IN, inputLamports: 200_000_000n }, [
      { group: 'add', signers: [POSITION_KEY], instructions: [...SMALL_IN, ...COSTS] },
    ]),
    'a zap-in with transactions of an earlier attempt': inputOf(
      { ...ZAP_IN, inputLamports: 400_000_000n },
      [{ group: 'add', signers: [POSITION_KEY], instructions: [...SMALL_IN, tip(3_000_000n)] }],
      { prior: { ...NO_SPENDS, consumedLamports: 200_000_000n, tipLamports: 3_000_000n } },
    ),
  })),
];

const wrapping = (lamports: bigint): TransactionInstruction[] => [transferSol(OWN_SOL, lamports), syncNative()];
const depositing = (amountY: bigint): Draft => ({
  group: 'add',
  instructions: [openPosition(), addByStrategy({ amountY })],
  signers: [POSITION_KEY],
});
const honestIn = (): readonly Draft[] => IN.drafts(0);
const TOO_MUCH = 1_010_000_001n;

const LIMITS: readonly Attack[] = [
  attack('LIM-1', 'uses more SOL than requested', 'block LIM-1', () => ({
    'by a swap': inputOf(ZAP_IN, [{ group: 'swap', instructions: [...wrapping(TOO_MUCH), buyToken({ in_amount: TOO_MUCH })] }]),
    'by a deposit': inputOf(ZAP_IN, [depositing(TOO_MUCH)]),
    'by a deposit of the whole balance': inputOf(ZAP_IN, [depositing(2n ** 64n - 1n)]),
    'left wrapped': inputOf(ZAP_IN, [{ group: 'swap', instructions: wrapping(TOO_MUCH) }]),
    'split over a swap and a deposit': inputOf(ZAP_IN, [
      { group: 'swap', instructions: [...wrapping(600_000_000n), buyToken({ in_amount: 600_000_000n })] },
      depositing(600_000_000n),
    ]),
    'split over two deposits': inputOf(ZAP_IN, [
      depositing(600_000_000n),
      { group: 'add', instructions: [addByStrategy({ amountY: 600_000_000n })] },
    ]),
    'split over many transactions': inputOf(
      ZAP_IN,
      Array.from({ length: 9 }, (_, at): Draft => ({
        group: 'swap',
        instructions: [...wrapping(120_000_000n), buyToken({ in_amount: 120_000_000n })],
        blockhash: addressOf(`hash ${at}`),
      })),
    ),
    'next to an honest operation': inputOf(ZAP_IN, [
      ...honestIn(),
      { group: 'swap', instructions: [createAta(WRAPPED_SOL_MINT), ...wrapping(50_000_000n)] },
    ]),
    'in legacy form': inputOf(ZAP_IN, [
      { group: 'swap', version: 'legacy', instructions: [...wrapping(TOO_MUCH), buyToken({ in_amount: TOO_MUCH })] },
    ]),
    'with a requested input of zero': inputOf({ ...ZAP_IN, inputLamports: 0n }, honestIn()),
  })),
  attack('LIM-1', 'wraps more SOL than requested and unwraps it again', 'confirm LIM-1', () => ({
    'zap-in': inputOf(ZAP_IN, [...honestIn().slice(0, 2), { group: 'add', instructions: [...wrapping(20_000_000n), unwrap()] }]),
  })),
  attack('LIM-2', 'wraps SOL in a zap-out', 'block LIM-2', () => ({
    'in one transaction': inputOf(ZAP_OUT, [...OUT.drafts(0).slice(0, 2), { group: 'swap', instructions: wrapping(1_000_000_001n) }]),
    'split over two transactions': inputOf(ZAP_OUT, [
      { group: 'close', instructions: [removal(), ...wrapping(600_000_000n)] },
      { group: 'swap', instructions: wrapping(600_000_000n) },
    ]),
    'and unwrapped again': inputOf(ZAP_OUT, [{ group: 'close', instructions: [removal(), ...wrapping(1_000_000_001n), unwrap()] }]),
  })),
  attack('LIM-2', 'wraps a little SOL in a zap-out', 'confirm LIM-2', () => ({
    'two transactions': inputOf(ZAP_OUT, [
      { group: 'close', instructions: [removal(), ...wrapping(6_000_000n)] },
      { group: 'swap', instructions: wrapping(6_000_000n) },
    ]),
  })),
  attack('LIM-3', 'takes the most that an honest operation can take, which the review states', 'info LIM-3', () => ({
    'zap-out': inputOf(ZAP_OUT, OUT.drafts(0)),
    'zap-in': inputOf(ZAP_IN, honestIn()),
  })),
  attack('RNT-1', 'high rent, with an RPC that tells a rate by which it looks low', 'confirm RNT-1', () => ({
    'the lowest rate': inputOf(ZAP_IN, manyArrays(), { facts: { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(696n) } }),
    'a lower rate': inputOf(ZAP_IN, manyArrays(), { facts: { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(5_080n) } }),
  })),
  attack('RNT-1', 'an RPC that tells a higher rent than the chain ever had, to explain a loss', 'confirm RNT-1', () => ({
    'ten times as high': inputOf(ZAP_IN, honestIn(), { facts: { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(69_600n) } }),
    'a little higher': inputOf(ZAP_IN, honestIn(), { facts: { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(6_961n) } }),
  })),
  attack('RNT-1', 'splits high rent over transactions', 'confirm RNT-1', () => ({
    'bin arrays': inputOf(ZAP_IN, manyArrays()),
    'token accounts': inputOf(
      ZAP_OUT,
      Array.from({ length: 10 }, (_, at): Draft => ({
        group: 'close',
        instructions: Array.from({ length: 20 }, () => createAta(addressOf(`mint ${at}`))),
      })),
    ),
  })),
];

const earlier = (spends: Partial<Spends>): { readonly prior: Spends } => ({ prior: { ...NO_SPENDS, ...spends } });

const BUNDLES: readonly Attack[] = [
  attack('BND-1', 'sends no transaction', 'confirm BND-1', () => ({ 'zap-out': inputOf(ZAP_OUT, []), 'zap-in': inputOf(ZAP_IN, []) })),
  attack('BND-1', 'sends very many transactions', 'confirm BND-1', () => ({ eleven: inputOf(ZAP_OUT, inTransactions(11)) })),
  attack('BND-1', 'more transactions than a user can check', 'block BND-1', () => ({
    'sixty-five': inputOf(ZAP_OUT, inTransactions(65)),
    'a thousand empty transactions': rawInput(
      ZAP_OUT,
      Array.from({ length: 1_000 }, () => ({ group: 'close' as const, base64: 'AAAA' })),
    ),
  })),
  attack('BND-2', 'sends a second attempt while the first may still land', 'block LIM-1', () => ({
    'zap-in': inputOf(ZAP_IN, honestIn(), earlier({ consumedLamports: 1_000_000_000n })),
  })),
  attack('BND-2', 'exceeds the caps with tips and fees of several attempts together', 'block TIP-2', () => ({
    'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), earlier({ tipLamports: 49_500_000n })),
  })),
  attack('BND-2', 'exceeds the fee cap with several attempts together', 'block FEE-2', () => ({
    'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), earlier({ priorityFeeLamports: 49_950_000n })),
  })),
  attack('BND-2', 'exceeds the limit of an approved recipient with several attempts together', 'block SYS-1', () => ({
    'zap-out': inputOf(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 30_000_000n)] }], {
      policy: { feeRecipients: [THIEF] },
      ...earlier({ otherLamports: 30_000_000n }),
    }),
  })),
  attack('BND-3', 'sends the same transaction twice', 'confirm BND-3', () => ({
    'zap-out': inputOf(ZAP_OUT, [...OUT.drafts(0), ...OUT.drafts(0).slice(1, 2)]),
    'the same transaction in another list': inputOf(ZAP_OUT, [
      { group: 'close', instructions: [claim()] },
      { group: 'swap', instructions: [claim()] },
    ]),
  })),
  attack('BND-4', 'sends one unreadable transaction among honest ones', 'block DEC-2', () => ({
    first: rawInput(
      ZAP_OUT,
      OUT.drafts(0).map((draft, at) => ({
        group: draft.group,
        base64: at === 0 ? base64FromBytes(bytesOf(draft).subarray(0, -1)) : base64Of(draft),
      })),
    ),
    last: rawInput(
      ZAP_OUT,
      OUT.drafts(0).map((draft, at) => ({
        group: draft.group,
        base64: at === 2 ? base64FromBytes(bytesOf(draft).subarray(0, -1)) : base64Of(draft),
      })),
    ),
  })),
  attack('BND-4', 'sends one blocked transaction among honest ones', 'block SYS-1', () => ({
    last: inputOf(ZAP_OUT, [...OUT.drafts(0), { group: 'swap', instructions: [transferSol(THIEF, 10n ** 10n)] }]),
  })),
  attack('BND-5', 'sends a transaction in a list that the operation does not have', 'block BND-5', () => ({
    'a close transaction in a zap-in': inputOf(ZAP_IN, [...honestIn(), { group: 'close', instructions: [transferSol(OWNER, 1n)] }]),
    'an add transaction in a zap-out': inputOf(ZAP_OUT, [...OUT.drafts(0), { group: 'add', instructions: [transferSol(OWNER, 1n)] }]),
  })),
  attack('BND-5', 'opens a position twice', 'block BND-5', () => ({
    'in one transaction': inputOf(ZAP_IN, [{ group: 'add', instructions: [openPosition(), openPosition()], signers: [POSITION_KEY] }]),
    'in two transactions': inputOf(ZAP_IN, [...honestIn(), { group: 'add', instructions: [openPosition()], signers: [POSITION_KEY] }]),
  })),
];

export const LIMITS_OF_OPERATIONS: readonly Attack[] = [...FEES, ...COSTLY, ...LIMITS, ...BUNDLES];
