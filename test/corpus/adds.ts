import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import type { Address } from '../../src/base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../src/base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../src/base/solana/generated/dlmmInstructions';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import { NO_FACTS, type ChainFacts, type InnerInstruction, type PositionFact } from '../../src/review/facts/facts';
import { allowsStep, type IntentStep } from '../../src/review/intents';
import { DAMM_STEPS, DLMM_STEPS } from '../../src/review/rules/meteoraRoles';
import type { AddLiquidityIntent } from '../../src/review/types';
import {
  ADD,
  ADD_SOL,
  addByStrategy,
  addressOf,
  bytesOf,
  claim,
  COMPOUND,
  dlmm,
  FROM_BIN,
  honestAdd,
  honestAddOfSol,
  honestCompound,
  keyOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  POSITION_KEY,
  removal,
  route,
  syncNative,
  THIEF,
  TO_BIN,
  tokenAmount,
  tokenInstruction,
  transferSol,
  unwrap,
  type AddChoices,
  type Draft,
} from '../support/review/bundles';
import { addDamm, damm, DAMM_ADD, DAMM_COMPOUND, DAMM_POSITION, NFT_KEY, someArguments, zap } from '../support/review/meteoraDrafts';
import { RICH, simulated, tokens } from '../support/review/simulations';
import { attack, inputOf, type Attack } from './attack';

// Attacks on deposits into an existing position (DLMM-10), and on compounding (ADD-1).

const SECOND_POSITION = addressOf('second position');
const SECOND_POOL = addressOf('second pool');

const ALONE: PositionFact = { pool: POOL, owner: OWNER, powers: [], isRestricted: false };

/** Facts of an RPC that shows positions of the owner, and perhaps a simulation. */
export function ownPositions(part: Partial<PositionFact> = {}, simulation?: ChainFacts['simulation']): ChainFacts {
  const bins = { lowerBinId: FROM_BIN, upperBinId: TO_BIN };
  const positions = new Map<Address, PositionFact>([
    [POSITION, { ...ALONE, ...bins, ...part }],
    [SECOND_POSITION, { ...ALONE, ...bins }],
    [DAMM_POSITION, { ...ALONE, ...part }],
  ]);
  return { ...NO_FACTS, positions, simulation };
}

type Input = ReturnType<typeof inputOf>;

/** The case with an RPC that shows the position to be the owner's alone. */
const proven = (intent: AddLiquidityIntent, ...drafts: readonly Draft[]): Input => inputOf(intent, drafts, { facts: ownPositions() });

/** A compounding in whose simulation the claim pays so much. @param steps claims and deposits; the first one is the claim */
export function compoundClaiming(
  paid: { readonly token: bigint; readonly lamports: bigint },
  steps: readonly TransactionInstruction[] = [claim(), addByStrategy()],
  intent: AddLiquidityIntent = COMPOUND,
): Input {
  const draft = honestCompound(...steps);
  const keys = parseTransaction(bytesOf(draft)).staticKeys;
  const at = draft.instructions.findIndex((instruction) => steps[0] === instruction);
  const accounts = draft.instructions[at]?.keys.map(({ pubkey }) => pubkey.toBase58()) ?? [];
  const isDamm = draft.instructions[at]?.programId.toBase58() === PROGRAMS.dammV2;
  const layout = isDamm
    ? DAMM_INSTRUCTIONS.find(({ name }) => name === 'claim_position_fee')
    : DLMM_INSTRUCTIONS.find(({ name }) => name === 'claim_fee2');
  const accountOf = (role: string): number =>
    keys.findIndex((key) => key === accounts[layout?.accounts.findIndex(({ name }) => name === role) ?? -1]);
  const transfer = (from: string, to: string, amount: bigint): InnerInstruction => ({
    calledBy: at,
    programIdIndex: keys.findIndex((key) => key === PROGRAMS.token),
    accountIndexes: [accountOf(from), accountOf(to), keys.findIndex((key) => key === POOL)],
    data: new Uint8Array(tokenAmount(3, amount)),
  });
  const innerInstructions = isDamm
    ? [transfer('token_a_vault', 'token_a_account', paid.token), transfer('token_b_vault', 'token_b_account', paid.lamports)]
    : [transfer('reserve_x', 'user_token_x', paid.token), transfer('reserve_y', 'user_token_y', paid.lamports)];
  const states = { [OWN_TOKEN]: tokens(MINT, RICH), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, RICH) };
  const simulation = { slot: 7n, transactions: [simulated(states, states, { innerInstructions })] };
  return inputOf(intent, [draft], { facts: ownPositions({}, simulation) });
}

const HONEST: readonly (readonly [string, AddLiquidityIntent, readonly Draft[]])[] = [
  ['tokens from the wallet', ADD, [honestAdd()]],
  ['SOL', ADD_SOL, honestAddOfSol()],
  ['fees', COMPOUND, [honestCompound()]],
  ['tokens into DAMM v2', DAMM_ADD, [honestAdd(addDamm(4_000_000n, 500_000_000n))]],
  ['fees of DAMM v2', DAMM_COMPOUND, [honestCompound(damm('claim_position_fee'), addDamm(4_000_000n, 500_000_000n))]],
];

const OF_OTHERS: Readonly<Record<string, Partial<PositionFact>>> = {
  'another owner': { owner: THIEF },
  'an operator or a fee owner': { powers: [THIEF] },
  'locked or open to others': { isRestricted: true },
  'in another pool': { pool: SECOND_POOL },
};

const UNPROVEN: readonly Attack[] = HONEST.flatMap(([what, intent, drafts]) => [
  attack('DLMM-10', `adds ${what} to a position that no RPC has shown to be the user's`, 'block DLMM-10', () => ({
    'no RPC': inputOf(intent, drafts),
    'the RPC answered about others': inputOf(intent, drafts, { facts: { ...NO_FACTS, positions: new Map([[SECOND_POSITION, ALONE]]) } }),
    'the RPC has no such position': inputOf(intent, drafts, { facts: { ...NO_FACTS, positions: new Map() } }),
  })),
  attack('DLMM-10', `own positions: adds ${what} to one that the user does not control alone`, 'block DLMM-10', () =>
    Object.fromEntries(Object.entries(OF_OTHERS).map(([whose, fact]) => [whose, inputOf(intent, drafts, { facts: ownPositions(fact) })])),
  ),
]);

/** Every instruction of a program that a deposit into an existing position does not allow. */
function others(
  layouts: typeof DLMM_INSTRUCTIONS,
  steps: ReadonlyMap<string, IntentStep>,
): readonly { readonly layout: (typeof DLMM_INSTRUCTIONS)[number]; readonly isKnown: boolean }[] {
  return layouts
    .filter(({ name }) => {
      const step = steps.get(name);
      return step === undefined || !allowsStep(ADD, step);
    })
    .map((layout) => ({ layout, isKnown: steps.has(layout.name) }));
}

const FORBIDDEN: readonly Attack[] = [
  ...others(DLMM_INSTRUCTIONS, DLMM_STEPS).map(({ layout, isKnown }) => {
    const rule = isKnown ? 'DLMM-8' : 'DLMM-5';
    return attack(rule, `compounds, and has Meteora DLMM do "${layout.name}"`, `block ${rule}`, () => ({
      'beside the deposit': proven(
        COMPOUND,
        withSigners({ group: 'add', instructions: [claim(), addByStrategy(), dlmm(layout.name, someArguments(layout))] }),
      ),
    }));
  }),
  ...others(DAMM_INSTRUCTIONS, DAMM_STEPS).map(({ layout }) =>
    attack('DAMM-5', `adds to a position, and has Meteora DAMM v2 do "${layout.name}"`, 'block DAMM-5', () => ({
      alone: proven(DAMM_ADD, withSigners({ group: 'add', instructions: [damm(layout.name, someArguments(layout))] })),
    })),
  ),
  attack('DLMM-8', 'withdraws from the position that it adds to', 'block DLMM-8', () => ({
    'tokens from the wallet': proven(ADD, honestAdd(removal(1), addByStrategy())),
    SOL: proven(ADD_SOL, ...honestAddOfSol(), { group: 'add', instructions: [removal(1)] }),
  })),
  attack('SWP-6', 'swaps what is to be deposited as it is', 'block SWP-6', () => ({
    'the fees': proven(COMPOUND, honestCompound(claim(), route(), addByStrategy())),
    'the tokens': proven(ADD, honestAdd(route(), addByStrategy())),
  })),
  attack('ZAP-1', 'deposits by Meteora Zap', 'block ZAP-1', () => ({
    'the fees': proven(COMPOUND, honestCompound(claim(), addByStrategy(), zap('initialize_ledger_account'))),
    SOL: proven(ADD_SOL, ...honestAddOfSol(), { group: 'add', instructions: [zap('initialize_ledger_account')] }),
  })),
  attack('BND-5', 'lists transactions of other operations', 'block BND-5', () => ({
    'a claim': proven(COMPOUND, honestCompound(), { ...honestCompound(claim()), group: 'claim', version: 'legacy' }),
    'a withdrawal': proven(ADD, { ...honestAdd(), group: 'close' }),
  })),
];

const ELSEWHERE: readonly Attack[] = [
  attack('DLMM-1', 'uses another position or pool than the chosen one', 'block DLMM-1', () => ({
    'adds to another position of the owner': proven(ADD, honestAdd(addByStrategy({ accounts: { position: SECOND_POSITION } }))),
    'compounds into another position of the owner': proven(
      COMPOUND,
      honestCompound(claim(), addByStrategy({ accounts: { position: SECOND_POSITION } })),
    ),
    'claims from another position of the owner': proven(COMPOUND, honestCompound(claim({ position: SECOND_POSITION }), addByStrategy())),
    'adds in another pool': proven(ADD, honestAdd(addByStrategy({ accounts: { lb_pair: SECOND_POOL } }))),
    'claims in another pool': proven(COMPOUND, honestCompound(claim({ lb_pair: SECOND_POOL }), addByStrategy())),
  })),
  attack('DAMM-1', 'uses another position of DAMM v2', 'block DAMM-1', () => ({
    'adds to it': proven(DAMM_ADD, honestAdd(addDamm(4_000_000n, 500_000_000n, { position: SECOND_POSITION }))),
    'claims from it': proven(
      DAMM_COMPOUND,
      honestCompound(damm('claim_position_fee', {}, { position: SECOND_POSITION }), addDamm(4_000_000n, 500_000_000n)),
    ),
  })),
  attack('DLMM-7', 'deposits at prices far from the shown ones', 'block DLMM-7', () => {
    const shown = { activeBinId: 800, binStepBps: 100 };
    return {
      'tokens from the wallet': proven({ ...ADD, ...shown }, honestAdd()),
      fees: proven({ ...COMPOUND, ...shown }, honestCompound()),
    };
  }),
  attack('DLMM-7', 'spreads the deposit otherwise than chosen', 'confirm DLMM-7', () => {
    const spread = (choices: AddChoices): Input => proven(COMPOUND, honestCompound(claim(), addByStrategy(choices)));
    return {
      'another shape': spread({ shape: 'CurveImBalanced' }),
      'bins above': spread({ to: TO_BIN + 1 }),
      'a part of the bins': spread({ to: 5 }),
      'a range that the position does not have': inputOf(ADD, [honestAdd()], { facts: ownPositions({ lowerBinId: FROM_BIN + 1 }) }),
    };
  }),
];

const RECEIVERS: readonly Attack[] = [
  attack('DLMM-2', "moves tokens to or from a thief's account", 'block DLMM-2', () => ({
    'claims the token': proven(COMPOUND, honestCompound(claim({ user_token_x: associatedTokenAddress(THIEF, MINT) }), addByStrategy())),
    'claims SOL': proven(
      COMPOUND,
      honestCompound(claim({ user_token_y: associatedTokenAddress(THIEF, WRAPPED_SOL_MINT) }), addByStrategy()),
    ),
  })),
  attack('TOK-1', 'takes a share of the fees that it compounds', 'block TOK-1', () => ({
    'before the deposit': proven(
      COMPOUND,
      honestCompound(
        claim(),
        tokenInstruction(tokenAmount(3, 1_000n), [OWN_TOKEN, associatedTokenAddress(THIEF, MINT), OWNER]),
        addByStrategy(),
      ),
    ),
  })),
  attack('TOK-2', 'adds to a position, and lets a thief spend the tokens later', 'block TOK-2', () => ({
    'after the deposit': proven(ADD, honestAdd(addByStrategy(), tokenInstruction(tokenAmount(4, 1n), [OWN_TOKEN, THIEF, OWNER]))),
  })),
  attack('TOK-4', 'unwraps the rest to a thief', 'block TOK-4', () => ({
    'of the fees': proven(COMPOUND, honestCompound(claim(), addByStrategy(), unwrap(THIEF))),
    'of the SOL': proven(ADD, honestAdd(addByStrategy(), unwrap(THIEF))),
  })),
  attack('SYS-1', 'adds to a position, and sends SOL to a thief', 'block SYS-1', () => ({
    'after the deposit': proven(ADD, honestAdd(addByStrategy(), transferSol(THIEF, 6_000_000n))),
    'of the fees': proven(COMPOUND, honestCompound(claim(), addByStrategy(), transferSol(THIEF, 6_000_000n))),
  })),
];

const MORE: readonly Attack[] = [
  attack('LIM-1', 'adds more than the user entered', 'block LIM-1', () => ({
    'of the token': proven(ADD, honestAdd(addByStrategy({ amountX: 4_040_001n }))),
    'of SOL': proven(ADD, honestAdd(addByStrategy({ amountY: 505_000_001n }))),
    'in two deposits': proven(ADD, honestAdd(addByStrategy({ amountX: 2_100_000n }), addByStrategy({ amountX: 2_000_000n, amountY: 1n }))),
  })),
  attack('LIM-2', 'wraps SOL of the wallet while it compounds', 'block LIM-2', () => ({
    'and leaves it wrapped': proven(COMPOUND, {
      ...honestCompound(),
      instructions: [transferSol(OWN_SOL, 2_000_000_000n), syncNative(), claim(), addByStrategy()],
    }),
  })),
  attack('ADD-1', 'deposits without claiming first', 'block ADD-1', () => ({
    'no claim': proven(COMPOUND, honestCompound(addByStrategy())),
    'a claim after the deposit': proven(COMPOUND, honestCompound(addByStrategy(), claim())),
    'a claim in another transaction': proven(COMPOUND, honestCompound(claim()), honestCompound(addByStrategy())),
    'a claim of rewards only': proven(
      COMPOUND,
      honestCompound(
        dlmm('claim_reward2', { reward_index: 0n, min_bin_id: FROM_BIN, max_bin_id: TO_BIN, remaining_accounts_info: { slices: [] } }),
        addByStrategy(),
      ),
    ),
    'no claim in DAMM v2': proven(DAMM_COMPOUND, honestCompound(addDamm(4_000_000n, 500_000_000n))),
  })),
  attack('ADD-1', 'deposits more than the shown fees', 'block ADD-1', () => ({
    'of the token': proven(COMPOUND, honestCompound(claim(), addByStrategy({ amountX: 4_400_001n }))),
    'of SOL': proven(COMPOUND, honestCompound(claim(), addByStrategy({ amountY: 550_000_001n }))),
    'all of the token': proven(COMPOUND, honestCompound(claim(), addByStrategy({ amountX: 2n ** 63n }))),
    'in two deposits': proven(COMPOUND, honestCompound(claim(), addByStrategy(), addByStrategy({ amountX: 500_000n, amountY: 1n }))),
    'in two transactions': proven(COMPOUND, honestCompound(), { ...honestCompound(), blockhash: addressOf('another blockhash') }),
    'of a token without shown fees': proven({ ...COMPOUND, fees: [{ mint: MINT, amountRaw: 4_000_000n }] }, honestCompound()),
    'where none were shown': proven({ ...COMPOUND, fees: [] }, honestCompound()),
    'of DAMM v2': proven(DAMM_COMPOUND, honestCompound(damm('claim_position_fee'), addDamm(4_000_000n, 560_000_000n))),
  })),
  attack('ADD-1', 'deposits more than the claim pays in the simulation', 'block ADD-1', () => ({
    'of the token': compoundClaiming({ token: 3_999_999n, lamports: 500_000_000n }),
    'of SOL': compoundClaiming({ token: 4_000_000n, lamports: 499_999_999n }),
    'the claim pays nothing': compoundClaiming({ token: 0n, lamports: 0n }),
    'a claim after the deposit counts for nothing': compoundClaiming({ token: 4_000_000n, lamports: 500_000_000n }, [
      claim({ user_token_y: OWN_SOL }),
      addByStrategy({ amountX: 4_000_001n, amountY: 500_000_000n }),
    ]),
    'of DAMM v2': compoundClaiming(
      { token: 3_999_999n, lamports: 500_000_000n },
      [damm('claim_position_fee'), addDamm(4_000_000n, 500_000_000n)],
      DAMM_COMPOUND,
    ),
  })),
];

/** With the signatures that it needs besides the owner's. */
function withSigners(draft: Draft): Draft {
  const signing = new Set(
    draft.instructions.flatMap(({ keys }) => keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58())),
  );
  return {
    ...draft,
    version: 0,
    signers: [keyOf('thief'), POSITION_KEY, NFT_KEY].filter(({ publicKey }) => signing.has(publicKey.toBase58())),
  };
}

export const ADDS: readonly Attack[] = [...UNPROVEN, ...FORBIDDEN, ...ELSEWHERE, ...RECEIVERS, ...MORE];
