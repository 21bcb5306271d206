import { ComputeBudgetProgram, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { address, addressBytes } from '../../src/base/solana/address';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { NO_FACTS } from '../../src/review/facts/facts';
import type { Intent } from '../../src/review/types';
import {
  addByStrategy,
  addressOf,
  budget,
  buyToken,
  claim,
  createAta,
  dlmm,
  honestZapIn,
  honestZapOut,
  inVersion,
  key,
  keyOf,
  MINT,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  removal,
  route,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  versionName,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
  type Version,
} from '../support/review/bundles';
import { createDamm, addDamm, damm, DAMM_IN, DAMM_OUT, NFT_KEY } from '../support/review/meteoraDrafts';
import { inputOf, placed, tablesHold, type Attack, type ExpectedFinding, type Placement, type Surroundings } from './attack';
import { TABLE, tableOf } from '../support/review/lookupTables';
import type { PolicyRule } from './policyRules';

// Attacks that happened, or that the programs allow, each in the middle of an honest operation.

const [close, swap, rest] = honestZapOut();
const [wrapAndSwap, add, unwrapRest] = honestZapIn();

const closing = (...extra: readonly TransactionInstruction[]): readonly Draft[] => [
  { ...close, instructions: [...close.instructions, ...extra] },
  swap,
  rest,
];
const swapping = (...extra: readonly TransactionInstruction[]): readonly Draft[] => [
  close,
  { ...swap, instructions: [...swap.instructions, ...extra] },
  rest,
];
const routing = (instruction: TransactionInstruction): readonly Draft[] => [close, { ...swap, instructions: [instruction] }, rest];
const opening = (instructions: readonly TransactionInstruction[], signers = add.signers ?? []): readonly Draft[] => [
  wrapAndSwap,
  { ...add, instructions: [...budget(), ...instructions], signers },
  unwrapRest,
];

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const STAKE = address('Stake11111111111111111111111111111111111111');
const VOTES = address('Vote111111111111111111111111111111111111111');

/** An instruction with the owner's signature. */
const acting = (program: ReturnType<typeof address>, data: readonly number[]): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(program),
    keys: [{ pubkey: key(OWNER), isSigner: true, isWritable: true }],
    data: Buffer.from(data),
  });

/** An incident, in all formats that do not need lookup tables; names the rule of the finding if it differs from the rule of the attack. */
function incident(
  rule: PolicyRule,
  verdict: 'block' | 'confirm',
  what: string,
  drafts: () => readonly Draft[],
  intent: Intent = ZAP_OUT,
  more: Surroundings = {},
  found: string = rule,
): Attack {
  const finding: ExpectedFinding = `${verdict} ${found}`;
  return placed(rule, what, () => {
    const happened = drafts();
    const inFormat = (variant: string, changed: (draft: Draft) => Draft): Placement => ({
      variant,
      finding,
      build: () => inputOf(intent, happened.map(changed), more),
    });
    return [
      inFormat('as it happened', (draft) => draft),
      ...versionsOf(rule, happened).map((version) => inFormat(versionName(version), (draft) => inVersion(version, draft))),
    ];
  });
}

/** The formats without lookup tables. In v1 the instructions that set a fee have no effect. */
function versionsOf(rule: PolicyRule, drafts: readonly Draft[]): readonly Version[] {
  if (drafts.some(({ tables }) => tables !== undefined)) return [];
  return rule === 'FEE-2' ? ['legacy'] : ['legacy', 1];
}

const nonceAdvance = SystemProgram.nonceAdvance({ noncePubkey: key(addressOf('nonce')), authorizedPubkey: key(OWNER) });

/** Takeovers of whole operations: rows 1 to 13 of the background. */
const TAKEN_OVER: readonly Attack[] = [
  incident('PRG-3', 'block', "changes a stake authority in a withdrawal (2025, takeover of a provider's interface)", () =>
    closing(acting(STAKE, [1, 0, 0, 0])),
  ),
  incident('PRG-3', 'block', 'changes a vote authority in a swap', () => swapping(acting(VOTES, [1, 0, 0, 0]))),
  incident('NON-1', 'block', 'uses a durable nonce so that the transaction can land days later (2026)', () => [
    { ...close, instructions: [nonceAdvance, ...close.instructions.slice(2)] },
    swap,
    rest,
  ]),
  incident('SYS-3', 'block', 'assigns the wallet to another program (2025)', () =>
    closing(SystemProgram.assign({ accountPubkey: key(OWNER), programId: key(THIEF) })),
  ),
  incident('TOK-3', 'block', "changes a token account's authority, which simulations did not show", () =>
    closing(tokenInstruction([6, 2, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER])),
  ),
  incident('TOK-2', 'block', 'approves a delegate at the end of a withdrawal', () =>
    closing(tokenInstruction(tokenAmount(4, 2n ** 64n - 1n), [OWN_TOKEN, THIEF, OWNER])),
  ),
  incident('PRG-2', 'block', "calls an unknown program with the owner's signature, whose behavior may change later (2024)", () =>
    closing(acting(addressOf('a program'), [1])),
  ),
  incident(
    'PRG-2',
    'block',
    "calls an unknown program with the owner's signature after a simulation in which it was harmless",
    () => closing(acting(addressOf('a program'), [1])),
    ZAP_OUT,
    { facts: { ...NO_FACTS, simulation: { slot: 1n, transactions: [] } } },
  ),
  incident('SYS-1', 'confirm', 'appends a skimming transfer to a swap (2025)', () => swapping(transferSol(THIEF, 1_300_000n))),
  incident('SYS-1', 'block', 'appends a large transfer to a swap', () => swapping(transferSol(THIEF, 10n ** 9n))),
  incident('MINT-1', 'confirm', 'buys a token that its issuer can burn seconds later (2024)', () => honestZapIn(), ZAP_IN, {
    facts: { ...NO_FACTS, mints: new Map([[MINT, [{ kind: 'permanentDelegate' }]]]) },
  }),
  incident(
    'ALT-2',
    'block',
    'names the recipient only in a lookup table',
    () => [{ ...close, instructions: [...close.instructions, transferSol(THIEF, 10n ** 9n)], tables: [tableOf([THIEF])] }, swap, rest],
    ZAP_OUT,
    {},
    'SYS-1',
  ),
  incident(
    'ALT-3',
    'block',
    'uses a lookup table that is extended after the signature',
    () => [{ ...close, instructions: [...close.instructions, transferSol(THIEF, 10n ** 9n)], tables: [tableOf([THIEF])] }, swap, rest],
    ZAP_OUT,
    { facts: tablesHold([TABLE, []]) },
  ),
  incident('TOK-7', 'block', 'hides a token transfer in a batch (2026)', () =>
    closing(tokenInstruction([255, 3, 9, ...tokenAmount(3, 5n)], [OWN_TOKEN, THEIR_TOKEN, OWNER])),
  ),
  incident('TOK-7', 'block', 'withdraws wrapped SOL from its account (2026)', () =>
    closing(tokenInstruction([45, 0], [OWN_SOL, THIEF, OWNER])),
  ),
];

/** Rows 14 to 19: what the programs themselves allow. */
const ALLOWED_BY_PROGRAMS: readonly Attack[] = [
  incident('DLMM-2', 'block', 'sends withdrawn tokens to another account', () => [
    { ...close, instructions: [removal(10_000, { user_token_x: THEIR_TOKEN }), dlmm('close_position2')] },
    swap,
    rest,
  ]),
  incident('DLMM-2', 'block', 'sends fees to another account', () => [
    { ...close, instructions: [removal(), claim({ user_token_y: THEIR_TOKEN }), dlmm('close_position2')] },
    swap,
    rest,
  ]),
  incident('DLMM-3', 'block', 'sends the rent to another account', () => [
    { ...close, instructions: [removal(), dlmm('close_position2', {}, { rent_receiver: THIEF })] },
    swap,
    rest,
  ]),
  incident(
    'DAMM-2',
    'block',
    'sends fees of DAMM v2 to another account',
    () => [{ ...close, instructions: [damm('claim_position_fee', {}, { token_a_account: THEIR_TOKEN })] }],
    DAMM_OUT,
  ),
  incident('TOK-4', 'block', 'sends unwrapped SOL to another account', () => [
    close,
    swap,
    { ...rest, instructions: [tokenInstruction([9], [OWN_SOL, THIEF, OWNER])] },
  ]),
  incident('SWP-1', 'block', 'sends the swap output to another account', () =>
    routing(route({}, { user_destination_token_account: THEIR_TOKEN })),
  ),
  incident('SWP-1', 'block', 'sends the swap output to another account through the optional account', () =>
    routing(route({}, { destination_token_account: THEIR_TOKEN })),
  ),
  incident(
    'DLMM-6',
    'block',
    "opens a position for another wallet with the owner's money",
    () => opening([openPosition({}, { owner: THIEF }), addByStrategy()], [...(add.signers ?? []), keyOf('thief')]),
    ZAP_IN,
  ),
  incident(
    'DAMM-6',
    'block',
    'opens a DAMM v2 position for another wallet, which does not need to sign',
    () => [{ group: 'add', instructions: [createDamm({ owner: THIEF }), addDamm()], signers: [NFT_KEY] }],
    DAMM_IN,
  ),
  incident(
    'DLMM-10',
    'block',
    "deposits into another wallet's position",
    () => opening([addByStrategy({ accounts: { position: THIEF } })], []),
    { ...ZAP_IN, position: THIEF },
  ),
  incident('DLMM-5', 'block', 'gives a position an operator', () =>
    closing(dlmm('update_position_operator', { operator: key(THIEF).toBytes() })),
  ),
  incident(
    'DAMM-5',
    'block',
    'locks a position permanently',
    () => [{ group: 'close', instructions: [damm('permanent_lock_position', { permanent_lock_liquidity: 1n })] }],
    DAMM_OUT,
  ),
  incident('DLMM-1', 'block', 'empties another position together with the requested one', () =>
    closing(removal(10_000, { position: addressOf('another position') })),
  ),
  incident('SWP-4', 'confirm', 'takes a platform fee of 2%', () =>
    routing(route({ platform_fee_bps: 200 }, { platform_fee_account: THIEF })),
  ),
  incident('SWP-2', 'block', 'swaps at any price', () => routing(route({ slippage_bps: 10_000 }))),
  incident('FEE-2', 'block', 'sets a priority fee of more than 1 SOL instead of the usual one', () => [
    {
      ...close,
      instructions: [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 }), ...close.instructions.slice(2)],
    },
    swap,
    rest,
  ]),
  incident('TIP-2', 'block', 'sets a tip of 1 SOL instead of the usual one', () => [
    { ...close, instructions: [...close.instructions.slice(0, -1), tip(10n ** 9n)] },
    swap,
    rest,
  ]),
  incident(
    'LIM-1',
    'block',
    'swaps more SOL than requested, as after a mistake with the decimals',
    () => [{ ...wrapAndSwap, instructions: [...budget(), buyToken({ in_amount: 10n ** 10n })] }, add, unwrapRest],
    ZAP_IN,
  ),
  incident('TOK-1', 'confirm', "takes the service's fee after raising it", () =>
    closing(createAta(MINT, THIEF), tokenInstruction(tokenAmount(3, 10n ** 12n), [OWN_TOKEN, THEIR_TOKEN, OWNER])),
  ),
];

const SIGNED_BY_OTHERS: readonly Attack[] = [
  incident('SIG-2', 'block', 'names another fee payer that has not signed', () => [{ ...close, feePayer: THIEF }]),
  incident('SIG-2', 'block', "omits the position's signature", () => [wrapAndSwap, { ...add, signers: [] }, unwrapRest], ZAP_IN),
  incident('SIG-3', 'block', "fills the owner's signature slot", () => [{ ...close, signers: [keyOf('owner')] }, swap, rest]),
];

export const INCIDENTS: readonly Attack[] = [...TAKEN_OVER, ...ALLOWED_BY_PROGRAMS, ...SIGNED_BY_OTHERS];
