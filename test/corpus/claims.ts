import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../src/base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../src/base/solana/generated/dlmmInstructions';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts } from '../../src/review/facts/facts';
import { allowsStep, type IntentStep } from '../../src/review/intents';
import { DAMM_STEPS, DLMM_STEPS } from '../../src/review/rules/meteoraRoles';
import type { ClaimIntent } from '../../src/review/types';
import {
  addressOf,
  CLAIM,
  claim,
  createAta,
  dlmm,
  honestClaim,
  honestZapOut,
  keyOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION_KEY,
  route,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  unwrap,
  ZAP_OUT,
  type Draft,
} from '../support/review/bundles';
import { damm, DAMM_POSITION, NFT_KEY, someArguments, zapOut } from '../support/review/meteoraDrafts';
import { simulated, tokens } from '../support/review/simulations';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { CLAIM_OF, DAMM_CLAIM_OF, planted, type Operation } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks on claims of fees (CLM, and the other rules where a claim allows less than a zap).

const SECOND_POSITION = addressOf('second position');
const SECOND_POOL = addressOf('second pool');

/** Of two positions in two pools, and one of DAMM v2. */
export const CLAIM_OF_THREE: ClaimIntent = {
  ...CLAIM,
  positions: [
    ...CLAIM.positions,
    { pool: SECOND_POOL, position: SECOND_POSITION, tokenX: MINT, tokenY: WRAPPED_SOL_MINT, fees: [{ mint: MINT, amountRaw: 500_000n }] },
    { pool: POOL, position: DAMM_POSITION, tokenX: MINT, tokenY: WRAPPED_SOL_MINT, fees: [] },
  ],
};

const SECOND = { lb_pair: SECOND_POOL, position: SECOND_POSITION };

/** The honest transactions of {@link CLAIM_OF_THREE}. */
export const claimOfThree = (): readonly Draft[] => [honestClaim(claim(), claim(SECOND)), honestClaim(damm('claim_position_fee'))];

function inClaim(
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  instruction: TransactionInstruction | readonly TransactionInstruction[],
  {
    of = CLAIM_OF,
    hidden,
    signers,
  }: { readonly of?: Operation; readonly hidden?: ExpectedFinding; readonly signers?: Draft['signers'] } = {},
): Attack {
  return planted(rule, what, finding, () => ({
    instructions: [instruction].flat(),
    into: [of],
    ...(hidden === undefined ? {} : { hidden }),
    ...(signers === undefined ? {} : { signers }),
  }));
}

/** Every instruction of a program that a claim does not allow. */
function others(
  layouts: typeof DLMM_INSTRUCTIONS,
  steps: ReadonlyMap<string, IntentStep>,
): readonly { readonly name: string; readonly isKnown: boolean }[] {
  return layouts
    .filter(({ name }) => {
      const step = steps.get(name);
      return step === undefined || !allowsStep(CLAIM, step);
    })
    .map(({ name }) => ({ name, isKnown: steps.has(name) }));
}

const FORBIDDEN: readonly Attack[] = [
  ...others(DLMM_INSTRUCTIONS, DLMM_STEPS).map(({ name, isKnown }) => {
    const rule = isKnown ? 'DLMM-8' : 'DLMM-5';
    return attack(rule, `claims, and has Meteora DLMM do "${name}"`, `block ${rule}`, () => {
      const layout = DLMM_INSTRUCTIONS.find((one) => one.name === name);
      const instruction = dlmm(name, layout === undefined ? {} : someArguments(layout));
      return { 'beside the claim': inputOf(CLAIM, [withSigners(honestClaim(claim(), instruction))]) };
    });
  }),
  ...others(DAMM_INSTRUCTIONS, DAMM_STEPS).map(({ name }) =>
    attack('DAMM-5', `claims, and has Meteora DAMM v2 do "${name}"`, 'block DAMM-5', () => {
      const layout = DAMM_INSTRUCTIONS.find((one) => one.name === name);
      const instruction = damm(name, layout === undefined ? {} : someArguments(layout));
      return { alone: inputOf(DAMM_CLAIM_OF.intent, [withSigners({ group: 'claim', instructions: [instruction] })]) };
    }),
  ),
  inClaim('SWP-6', 'claims, and swaps what was claimed', 'block SWP-6', route()),
  inClaim('ZAP-1', 'claims, and swaps what was claimed by Meteora Zap', 'block ZAP-1', zapOut(route(), route().data.length - 19)),
];

const ELSEWHERE: readonly Attack[] = [
  inClaim('DLMM-1', 'claims from another position of the owner', 'block DLMM-1', claim({ position: SECOND_POSITION }), {
    hidden: 'confirm DLMM-1',
  }),
  inClaim('DLMM-1', 'claims from another pool', 'block DLMM-1', claim({ lb_pair: SECOND_POOL }), { hidden: 'confirm DLMM-1' }),
  inClaim(
    'DAMM-1',
    'claims from another position of DAMM v2',
    'block DAMM-1',
    damm('claim_position_fee', {}, { position: SECOND_POSITION }),
    { of: DAMM_CLAIM_OF, hidden: 'confirm DAMM-1' },
  ),
  attack('DLMM-1', 'claims from a chosen position in the pool of another chosen one', 'block DLMM-1', () => ({
    'first and second': inputOf(CLAIM_OF_THREE, [honestClaim(claim({ lb_pair: SECOND_POOL }), claim(SECOND)), ...claimOfThree()]),
    'a position that was not chosen': inputOf(CLAIM_OF_THREE, [
      ...claimOfThree(),
      honestClaim(claim({ ...SECOND, position: addressOf('third position') })),
    ]),
  })),
];

const RECEIVERS: readonly Attack[] = [
  inClaim('DLMM-2', "claims into a thief's account", 'block DLMM-2', claim({ user_token_x: associatedTokenAddress(THIEF, MINT) }), {
    hidden: 'confirm DLMM-2',
  }),
  inClaim(
    'DLMM-2',
    "claims SOL into a thief's account",
    'block DLMM-2',
    claim({ user_token_y: associatedTokenAddress(THIEF, WRAPPED_SOL_MINT) }),
    { hidden: 'confirm DLMM-2' },
  ),
  inClaim(
    'DAMM-2',
    "claims of DAMM v2 into a thief's account",
    'block DAMM-2',
    damm('claim_position_fee', {}, { token_a_account: associatedTokenAddress(THIEF, MINT) }),
    { of: DAMM_CLAIM_OF, hidden: 'confirm DAMM-2' },
  ),
  inClaim('DLMM-6', 'claims for another wallet', 'block DLMM-6', claim({ sender: THIEF }), { signers: [keyOf('thief')] }),
  inClaim('TOK-1', 'takes a share of the claimed fees', 'block TOK-1', [
    claim(),
    tokenInstruction(tokenAmount(3, 1_000n), [OWN_TOKEN, associatedTokenAddress(THIEF, MINT), OWNER]),
  ]),
  inClaim(
    'TOK-2',
    'claims, and lets a thief spend the tokens later',
    'block TOK-2',
    tokenInstruction(tokenAmount(4, 1n), [OWN_TOKEN, THIEF, OWNER]),
  ),
  inClaim('TOK-4', 'unwraps what was claimed to a thief', 'block TOK-4', unwrap(THIEF)),
  inClaim('SYS-1', 'claims, and sends SOL to a thief', 'block SYS-1', transferSol(THIEF, 6_000_000n)),
  attack('BND-5', 'lists a claim under another operation, and another operation under a claim', 'block BND-5', () => ({
    'a withdrawal list in a claim': inputOf(CLAIM, [{ ...honestClaim(), group: 'close' }]),
    'a list of swaps in a claim': inputOf(CLAIM, [honestClaim(), { ...honestClaim(claim({})), group: 'swap', version: 0 }]),
    'a list of deposits in a claim': inputOf(CLAIM, [{ ...honestClaim(), group: 'add' }]),
    'a claim in a zap-out': inputOf(ZAP_OUT, [...honestZapOut(), honestClaim()]),
  })),
];

/** A claim whose simulation pays out so much of each token: the wallet pays its fees and the tip, and the account of the token is new. */
export function claimPaying(token: bigint, lamports: bigint): ReturnType<typeof inputOf> {
  const before = { [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 0n) };
  const created = { [OWN_TOKEN]: tokens(MINT, token) };
  const draft = { ...honestClaim(), instructions: [createAta(MINT), createAta(WRAPPED_SOL_MINT), claim(), unwrap(), tip(10_000n)] };
  // The rent of one account comes back, and that of another is locked.
  const facts: ChainFacts = {
    ...NO_FACTS,
    simulation: { slot: 7n, transactions: [simulated(before, created, { gained: lamports - 10_000n })] },
  };
  return inputOf(CLAIM, [draft], { facts });
}

const LESS: readonly Attack[] = [
  attack('CLM-1', 'leaves out a chosen position', 'confirm CLM-1', () => ({
    'the first': inputOf(CLAIM_OF_THREE, [honestClaim(claim(SECOND), damm('claim_position_fee'))]),
    'the second': inputOf(CLAIM_OF_THREE, [honestClaim(claim(), damm('claim_position_fee'))]),
    'the one of DAMM v2': inputOf(CLAIM_OF_THREE, [honestClaim(claim(), claim(SECOND))]),
    'all, and only creates accounts': inputOf(CLAIM, [honestClaim(unwrap())]),
  })),
  attack('CLM-1', 'pays out less than was shown', 'confirm CLM-1', () => ({
    'less of the token': claimPaying(989_999n, 80_000_000n),
    'nothing of the token': claimPaying(0n, 80_000_000n),
    'less SOL': claimPaying(1_000_000n, 79_000_000n),
    'no SOL': claimPaying(1_000_000n, 0n),
  })),
];

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

export const CLAIMS: readonly Attack[] = [...FORBIDDEN, ...ELSEWHERE, ...RECEIVERS, ...LESS];
