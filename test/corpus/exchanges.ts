import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../src/base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../src/base/solana/generated/dlmmInstructions';
import { type InstructionLayout, instructionNamed } from '../../src/base/solana/instructionCodec';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { ZAP_INSTRUCTIONS } from '../../src/base/solana/zapInstructions';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { NO_FACTS, type SimulatedTransaction } from '../../src/review/facts/facts';
import { allowsStep, type IntentStep } from '../../src/review/intents';
import { DAMM_STEPS, DLMM_STEPS, ZAP_STEPS } from '../../src/review/rules/meteoraRoles';
import { NO_SPENDS } from '../../src/review/spends';
import type { Intent } from '../../src/review/types';
import {
  addressOf,
  buyToken,
  claim,
  createAta,
  dlmm,
  honestSwap,
  honestSwapOfSol,
  honestUnwrap,
  keyOf,
  MINT,
  NO_SLICES,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POSITION_KEY,
  route,
  SWAP,
  SWAP_SOL,
  syncNative,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  unwrap,
  UNWRAP,
  type Draft,
} from '../support/review/bundles';
import { TABLE, tableOf } from '../support/review/lookupTables';
import { damm, NFT_KEY, someArguments, zap } from '../support/review/meteoraDrafts';
import { simulated, tokens } from '../support/review/simulations';
import { attack, inputOf, tablesHold, type Attack, type ExpectedFinding } from './attack';
import { planted, SWAP_OF, SWAP_SOL_OF, UNWRAP_OF, type Operation, type Planting } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks on swaps of the wallet's tokens and on the unwrapping of SOL: SWP-10, and the other rules where these allow less than a zap.

const OTHER_MINT = addressOf('another mint');
const OTHER_TOKEN = associatedTokenAddress(OWNER, OTHER_MINT);
const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
const OWN_ACCOUNT = addressOf('an account of the owner');

const [, LAST] = honestSwap();

/** Two transactions: what is given, and the honest unwrapping. */
function swapping(...instructions: readonly TransactionInstruction[]): readonly Draft[] {
  return [{ group: 'swap', instructions: [createAta(WRAPPED_SOL_MINT), ...instructions] }, ...(LAST === undefined ? [] : [LAST])];
}

/** A swap in place of the honest one. */
const instead = (instruction: TransactionInstruction, intent: Intent = SWAP): CaseInput => inputOf(intent, swapping(instruction));

/** The honest swap, with a stranger's account in a lookup table as its destination. */
function throughTable(): readonly Draft[] {
  return swapping(route({}, { user_destination_token_account: THEIR_SOL })).map((draft) => ({
    ...draft,
    version: 0,
    tables: [tableOf([THEIR_SOL])],
  }));
}

/** A purchase for SOL, with so much wrapped for it. */
function buying(lamports: bigint, ...purchases: readonly TransactionInstruction[]): readonly Draft[] {
  const wrap = [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, lamports), syncNative(), createAta(MINT)];
  return [{ group: 'swap', instructions: [...wrap, ...purchases] }];
}

const DIRECT = { amount_in: 5_000_000n, min_amount_out: 400_000_000n, ...NO_SLICES };

function inBoth(
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instructions: TransactionInstruction | readonly TransactionInstruction[],
  more: Omit<Planting, 'instructions'> = {},
): Attack {
  return planted(rule, what, finding, () => ({ instructions: [instructions].flat(), into: [SWAP_OF, UNWRAP_OF], ...more }));
}

const AMOUNTS: readonly Attack[] = [
  attack('LIM-1', 'sells more of the token than was chosen', 'block LIM-1', () => ({
    'one raw unit': instead(route({ in_amount: 5_000_001n, quoted_out_amount: 400_000_080n })),
    'within the tolerance of a zap-in': instead(route({ in_amount: 5_050_000n, quoted_out_amount: 404_000_000n })),
    'a hundred times as much': instead(route({ in_amount: 500_000_000n, quoted_out_amount: 40_000_000_000n })),
    'of SOL': inputOf(SWAP_SOL, buying(500_000_001n, buyToken({ in_amount: 500_000_001n }))),
    'of SOL, from wrapped SOL that was there': inputOf(SWAP_SOL, buying(500_000_000n, buyToken({ in_amount: 504_000_000n }))),
    'for a fixed result': instead(
      route({ out_amount: 400_000_000n, quoted_in_amount: 5_000_000n, slippage_bps: 300 }, {}, 'exact_out_route'),
    ),
  })),
  attack('LIM-1', 'swaps twice, and sells twice the chosen amount', 'block LIM-1', () => ({
    'in one transaction': inputOf(SWAP, swapping(route(), route())),
    'in two transactions': inputOf(SWAP, [...swapping(route()), { group: 'swap', instructions: [route(), tip(5n)] }]),
    'of SOL, in two transactions': inputOf(SWAP_SOL, [
      ...buying(500_000_000n, buyToken()),
      { group: 'swap', instructions: [buyToken(), tip(5n)] },
    ]),
    'with half in one and a unit more in the other': inputOf(SWAP, [
      ...swapping(route({ in_amount: 2_500_000n, quoted_out_amount: 200_000_000n })),
      { group: 'swap', instructions: [route({ in_amount: 2_500_001n, quoted_out_amount: 200_000_080n })] },
    ]),
  })),
  attack('LIM-1', 'wraps more SOL than it sells', 'block LIM-1', () => ({
    'and unwraps it': inputOf(SWAP_SOL, [...buying(500_000_001n, buyToken(), unwrap())]),
    'and leaves it wrapped': inputOf(SWAP_SOL, buying(5_000_000_000n, buyToken())),
    'where a token is sold': inputOf(SWAP, swapping(transferSol(OWN_SOL, 1n), syncNative(), route())),
    'where SOL is unwrapped': inputOf(UNWRAP, [{ group: 'swap', instructions: [transferSol(OWN_SOL, 1_000_000n), unwrap(), tip(5n)] }]),
  })),
  attack('SWP-7', 'sells whatever the wallet has when it lands', 'block SWP-7', () => ({
    'all of a token ledger': instead(route({ quoted_out_amount: 400_000_000n }, {}, 'route_with_token_ledger')),
  })),
  attack('BND-2', 'sells a token a second time while an earlier sale can still land', 'block BND-2', () => ({
    again: inputOf(SWAP, honestSwap(), { prior: { ...NO_SPENDS, networkFeeLamports: 5_000n } }),
  })),
  attack('LIM-1', 'sells SOL a second time while an earlier sale can still land', 'block LIM-1', () => ({
    again: inputOf(SWAP_SOL, honestSwapOfSol(), { prior: { ...NO_SPENDS, consumedLamports: 500_000_000n } }),
  })),
  attack('SWP-10', 'takes a tip for nothing', 'confirm SWP-10', () => ({
    'without a swap': inputOf(SWAP, [{ group: 'swap', instructions: [unwrap(), tip()] }]),
    'without unwrapping': inputOf(UNWRAP, [{ group: 'swap', instructions: [createAta(WRAPPED_SOL_MINT), tip()] }]),
  })),
];

const TOKENS_OF_SWAPS: readonly Attack[] = [
  attack('SWP-6', 'sells another token of the wallet', 'block SWP-6', () => ({
    'for SOL': instead(route({}, { user_source_token_account: OTHER_TOKEN, source_mint: OTHER_MINT })),
    'besides the chosen one': inputOf(SWAP, swapping(route(), route({}, { user_source_token_account: OTHER_TOKEN }))),
    'SOL for the token': inputOf(SWAP, buying(500_000_000n, buyToken())),
    'the token for SOL, where SOL was to be sold': inputOf(SWAP_SOL, swapping(route())),
    'from an account that only claims to hold it': instead(route({}, { user_source_token_account: OWN_ACCOUNT })),
  })),
  attack('SWP-6', 'buys another token than the chosen one', 'block SWP-6', () => ({
    'a worthless one': instead(route({}, { user_destination_token_account: OTHER_TOKEN, destination_mint: OTHER_MINT })),
    'the sold token': instead(route({}, { user_destination_token_account: OWN_TOKEN, destination_mint: MINT })),
  })),
  planted('SWP-1', "swaps the wallet's token into a stranger's account", 'block SWP-1', () => ({
    instructions: [route({ in_amount: 1_250n, quoted_out_amount: 100_000n }, { user_destination_token_account: THEIR_SOL })],
    into: [SWAP_OF],
    isNamed: true,
  })),
  attack('SWP-1', "swaps the wallet's tokens into a stranger's account of a lookup table that was read", 'block SWP-1', () => ({
    'for SOL': inputOf(SWAP, throughTable(), { facts: tablesHold([TABLE, [THEIR_SOL]]) }),
  })),
  attack('SWP-1', "swaps the wallet's tokens into an account of a lookup table that was not read", 'confirm SWP-1', () => ({
    'for SOL': inputOf(SWAP, throughTable()),
  })),
  attack('SWP-1', "swaps the wallet's tokens, all of them, for others", 'block SWP-1', () => ({
    'tokens into their account for SOL': instead(route({}, { user_destination_token_account: THEIR_SOL })),
    'SOL into their account for the token': inputOf(
      SWAP_SOL,
      buying(500_000_000n, buyToken({}, { user_destination_token_account: THEIR_TOKEN })),
    ),
    'into an account of a token that nothing names': instead(route({}, { user_destination_token_account: OTHER_TOKEN })),
    'into an account that may be replaced': instead(route({}, { user_destination_token_account: OWN_ACCOUNT })),
  })),
];

const PRICES: readonly Attack[] = [
  attack('SWP-9', "sells the wallet's tokens for too little", 'confirm SWP-9', () => ({
    'a quote below the shown price': instead(route({ quoted_out_amount: 379_000_000n })),
    'no price was shown': inputOf({ ...SWAP, references: [] }, honestSwap()),
    'of SOL': inputOf(SWAP_SOL, buying(500_000_000n, buyToken({ quoted_out_amount: 3_800_000n }))),
  })),
  attack('SWP-9', "sells the wallet's tokens for less than half of the price", 'block SWP-9', () => ({
    'to SOL': instead(route({ quoted_out_amount: 199_000_000n })),
    'of SOL': inputOf(SWAP_SOL, buying(500_000_000n, buyToken({ quoted_out_amount: 2_000_000n }))),
    'in a pool': instead(dlmm('swap2', { ...DIRECT, min_amount_out: 199_000_000n }, { lb_pair: addressOf('any pool') })),
  })),
  attack('SWP-9', "quotes three times the price of the wallet's tokens", 'block SWP-9', () => ({
    'to SOL': instead(route({ quoted_out_amount: 1_200_000_000n })),
    'of SOL': inputOf(SWAP_SOL, buying(500_000_000n, buyToken({ quoted_out_amount: 12_300_000n }))),
  })),
  attack('SWP-2', "tolerates more slippage for the wallet's tokens than the user does", 'confirm SWP-2', () => ({
    'four percent': instead(route({ slippage_bps: 400 })),
  })),
  attack('SWP-3', "guarantees nothing for the wallet's tokens", 'block SWP-3', () => ({
    'in a pool': instead(dlmm('swap2', { ...DIRECT, min_amount_out: 0n })),
  })),
  attack('SWP-8', "swaps the wallet's tokens directly in any pool", 'confirm SWP-8', () => ({
    'of DLMM': instead(dlmm('swap2', DIRECT, { lb_pair: addressOf('any pool') })),
  })),
];

const BESIDES: readonly Attack[] = [
  inBoth(
    'TOK-1',
    'swaps or unwraps, and sends tokens to a thief',
    'block TOK-1',
    tokenInstruction(tokenAmount(3, 1_000n), [OWN_TOKEN, THEIR_TOKEN, OWNER]),
  ),
  inBoth(
    'TOK-1',
    'swaps or unwraps, and sends wrapped SOL to a thief',
    'block TOK-1',
    tokenInstruction(tokenAmount(3, 1n), [OWN_SOL, THEIR_SOL, OWNER]),
  ),
  inBoth(
    'TOK-2',
    'swaps or unwraps, and lets a thief spend the tokens later',
    'block TOK-2',
    tokenInstruction(tokenAmount(4, 1n), [OWN_TOKEN, THIEF, OWNER]),
  ),
  inBoth('TOK-3', 'swaps or unwraps, and gives an account away', 'block TOK-3', tokenInstruction([6, 2, 0], [OWN_TOKEN, OWNER])),
  inBoth('TOK-4', 'swaps or unwraps, and closes the account of a token', 'block TOK-4', tokenInstruction([9], [OWN_TOKEN, OWNER, OWNER]), {
    isNamed: true,
  }),
  inBoth(
    'TOK-4',
    'swaps or unwraps, and closes an unknown account to the owner',
    'block TOK-4',
    tokenInstruction([9], [OWN_ACCOUNT, OWNER, OWNER]),
  ),
  inBoth('TOK-4', 'unwraps to a thief', 'block TOK-4', unwrap(THIEF)),
  inBoth('SYS-1', 'swaps or unwraps, and sends SOL to a thief', 'block SYS-1', transferSol(THIEF, 6_000_000n)),
  inBoth('ATA-1', "swaps or unwraps, and pays for a thief's account", 'confirm ATA-1', createAta(MINT, THIEF)),
  planted('SWP-6', 'unwraps SOL, and swaps', 'block SWP-6', () => ({ instructions: [route()], into: [UNWRAP_OF] })),
  planted('SWP-6', 'unwraps SOL, and buys a token for it', 'block SWP-6', () => ({ instructions: [buyToken()], into: [UNWRAP_OF] })),
  attack('BND-5', 'lists a swap under another operation', 'block BND-5', () => ({
    'as a withdrawal': inputOf(
      SWAP,
      honestSwap().map((draft) => ({ ...draft, group: 'close' })),
    ),
    'as a deposit': inputOf(
      SWAP_SOL,
      honestSwapOfSol().map((draft) => ({ ...draft, group: 'add' })),
    ),
    'as a claim': inputOf(
      UNWRAP,
      honestUnwrap().map((draft) => ({ ...draft, group: 'claim' })),
    ),
  })),
  attack('DLMM-8', "swaps, and claims a position's fees to swap them, too", 'block DLMM-8', () => ({
    'before the swap': inputOf(SWAP, swapping(claim(), route())),
    'in a transaction of its own': inputOf(SWAP, [{ group: 'swap', instructions: [claim()] }, ...honestSwap()]),
  })),
];

interface Program {
  readonly name: string;
  readonly layouts: readonly InstructionLayout[];
  readonly steps: ReadonlyMap<string, IntentStep>;
  /** The rule for an instruction of no operation, and for one of another operation. */
  readonly rules: readonly [PolicyRule, PolicyRule];
  readonly build: typeof dlmm;
}

const PROGRAMS_OF_METEORA: readonly Program[] = [
  { name: 'DLMM', layouts: DLMM_INSTRUCTIONS, steps: DLMM_STEPS, rules: ['DLMM-5', 'DLMM-8'], build: dlmm },
  { name: 'DAMM v2', layouts: DAMM_INSTRUCTIONS, steps: DAMM_STEPS, rules: ['DAMM-5', 'DAMM-5'], build: damm },
  { name: 'Zap', layouts: ZAP_INSTRUCTIONS, steps: ZAP_STEPS, rules: ['ZAP-1', 'ZAP-1'], build: zap },
];

/** Every instruction of Meteora's programs that an operation does not allow: deposits, withdrawals, claims, positions, and all others. */
function forbiddenIn({ name: operation, intent, drafts }: Operation): readonly Attack[] {
  return PROGRAMS_OF_METEORA.flatMap(({ name: program, layouts, steps, rules: [unknown, other], build }) =>
    layouts.flatMap(({ name }) => {
      const step = steps.get(name);
      if (step !== undefined && allowsStep(intent, step)) {
        return [];
      }
      const rule = step === undefined ? unknown : other;
      return attack(rule, `has Meteora ${program} do "${name}" beside the ${operation}`, `block ${rule}`, () => {
        const instruction = build(name, someArguments(instructionNamed(layouts, name)));
        return { 'in a transaction of its own': inputOf(intent, [...drafts(0), signedDraft(instruction)]) };
      });
    }),
  );
}

function signedDraft(instruction: TransactionInstruction): Draft {
  const signing = new Set(instruction.keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58()));
  const signers = [keyOf('thief'), POSITION_KEY, NFT_KEY].filter(({ publicKey }) => signing.has(publicKey.toBase58()));
  return { group: 'swap', version: 0, instructions: [instruction], signers };
}

/** What a simulation of the honest swap shows: so much of the token leaves, and so much wrapped SOL arrives. */
export function swapPaying(sold: bigint, lamports: bigint, before = 9_000_000n): CaseInput {
  const first: SimulatedTransaction = simulated(
    { [OWN_TOKEN]: tokens(MINT, before) },
    { [OWN_TOKEN]: tokens(MINT, before - sold), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, lamports) },
    { gained: -2_039_280n },
  );
  return inputOf(SWAP, honestSwap(), { facts: { ...NO_FACTS, simulation: { slot: 7n, transactions: [first] } } });
}

const IN_SIMULATION: readonly Attack[] = [
  attack('SIM-2', "swaps the wallet's tokens for less than it guarantees", 'block SIM-2', () => ({
    'a unit less': swapPaying(5_000_000n, 387_999_999n),
    nothing: swapPaying(5_000_000n, 0n),
  })),
  attack('SIM-2', "takes more of the wallet's tokens than the swap says", 'block SIM-2', () => ({
    'a unit more': swapPaying(5_000_001n, 400_000_000n),
    all: swapPaying(9_000_000n, 400_000_000n),
  })),
  attack('SWP-9', "quotes far less than the wallet's tokens bring in the simulation", 'confirm SWP-9', () => ({
    'a tenth more': swapPaying(5_000_000n, 440_000_000n),
  })),
];

export const EXCHANGES: readonly Attack[] = [
  ...AMOUNTS,
  ...TOKENS_OF_SWAPS,
  ...PRICES,
  ...BESIDES,
  ...[SWAP_OF, SWAP_SOL_OF, UNWRAP_OF].flatMap(forbiddenIn),
  ...IN_SIMULATION,
];
