import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Keypair, PublicKey, type TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '../../../../src/base/solana/address';
import { base64FromBytes, type Base64Transaction, bytesFromBase64 } from '../../../../src/base/solana/wireTransaction';
import { dlmmBinArray } from '../../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { Review } from '../../../../src/review/types';
import { buildAdd, buildDecrease } from '../../../../src/engine/assembly/buildTransactions';
import type { AddTransactions, BinAddPlan, BinDecreasePlan, PoolAccounts, SwapPlan } from '../../../../src/engine/assembly/types';
import { withSplitOpening } from '../../../../src/sandbox/hostile/maliciousInstructions';
import type { LiquidityService } from '../../../../src/service/service';
import type { AddBuild, DecreaseBuild } from '../../../../src/service/transactions';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { OperationResult } from '../../../../src/transactions/types';
import {
  addressOf,
  BLOCKHASH,
  key,
  keyOf,
  MINT,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
} from '../../../support/review/bundles';
import { bench, type Bench, failureOf, thePosition, zapInPlan, zapOutPlan } from '../../../support/transactions/harness';

// A service that answers with something else than was asked for. Its transactions are the sandbox's, which are honest, and
// are spoiled on the way. The user of these tests accepts what is as expected, and nothing else: no spoiled answer may get a
// signature from that user, and none may get past the review without the finding that it deserves.

const pool: PoolAccounts = {
  pool: POOL,
  tokenX: { mint: MINT, tokenProgram: PROGRAMS.token },
  tokenY: { mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token },
};
const otherPool: PoolAccounts = { ...pool, pool: addressOf('other pool') };
const terms = {
  owner: OWNER,
  blockhash: BLOCKHASH as string,
  microLamportsPerComputeUnit: 100_000n,
  tip: { account: JITO_TIP_ACCOUNTS[0] ?? POOL, lamports: 200_000n },
};
const INPUT = 2_000_000_000n;
const FROM = -100;
const TO = 99;
const SHARE = 2_500;

/** At the price that the user was shown. */
const swap = (sells: 'x' | 'y', inAmount: bigint): SwapPlan => ({
  hops: [{ type: 'bins', via: pool, sells, binArrays: [-1, 0, 1].map((index) => dlmmBinArray(POOL, index)) }],
  inAmount,
  quotedOut: sells === 'x' ? inAmount * 80n : (inAmount * 41n) / 5_000n,
  slippageBps: 300,
});

function decrease(part: Partial<BinDecreasePlan> = {}): DecreaseBuild {
  const built = buildDecrease({
    type: 'bins',
    ...terms,
    pool,
    position: POSITION,
    fromBinId: FROM,
    toBinId: TO,
    shareBps: SHARE,
    swaps: [swap('x', 112_500n)],
    ...part,
  });
  return {
    closeTransactions: built.closeTransactions.map(base64FromBytes),
    swapTransactions: built.swapTransactions.map(base64FromBytes),
    lastValidBlockHeight: 9,
  };
}

const POSITION_SEED = keyOf('position').secretKey.slice(0, 32);

function add(part: Partial<BinAddPlan> = {}, change?: (built: AddTransactions, plan: BinAddPlan) => AddTransactions): AddBuild {
  const plan: BinAddPlan = {
    type: 'bins',
    ...terms,
    pool,
    binStepBps: 25,
    positionSeed: POSITION_SEED,
    strategy: 'Spot',
    fromBinId: FROM,
    toBinId: TO,
    activeBinId: 0,
    maxActiveBinSlippage: 3,
    amountX: 8_000_000n,
    amountY: INPUT / 2n,
    wrapLamports: INPUT,
    swaps: [swap('y', INPUT / 2n)],
    missingBinArrayIndexes: [],
    ...part,
  };
  const built = change?.(buildAdd(plan), plan) ?? buildAdd(plan);
  return {
    swapTransactions: built.swapTransactions.map(base64FromBytes),
    addTransactions: built.addTransactions.map(base64FromBytes),
    lastValidBlockHeight: 9,
    meta: { positionPubKey: built.position },
    position: built.position,
  };
}

type Change = (instructions: TransactionInstruction[]) => readonly TransactionInstruction[];

/** How a transaction is put together again. */
interface Spoiling {
  readonly payer?: Address;
  readonly blockhash?: string;
  readonly signers?: readonly Keypair[];
}

/** Takes a transaction apart, changes it, and puts it together again; those who sign besides the owner sign again. */
function changed(
  transaction: Base64Transaction | undefined,
  change: Change,
  { payer = OWNER, blockhash = terms.blockhash, signers = [] }: Spoiling = {},
): Base64Transaction {
  assert.ok(transaction !== undefined);
  const { instructions } = TransactionMessage.decompile(VersionedTransaction.deserialize(bytesFromBase64(transaction)).message);
  const content = new TransactionMessage({ payerKey: key(payer), recentBlockhash: blockhash, instructions: [...change(instructions)] });
  const spoiled = new VersionedTransaction(content.compileToV0Message());
  const needed = spoiled.message.staticAccountKeys.slice(0, spoiled.message.header.numRequiredSignatures);
  const present = [keyOf('position'), ...signers].filter(({ publicKey }) => needed.some((one) => one.equals(publicKey)));
  spoiled.sign(present);
  return base64FromBytes(spoiled.serialize());
}

const adding =
  (...more: readonly TransactionInstruction[]): Change =>
  (instructions) => [...instructions, ...more];
const same: Change = (instructions) => instructions;

/** Puts one account in the place of another, wherever it stands. */
const replacing =
  (from: Address, to: Address): Change =>
  (instructions) => {
    const [before, after] = [new PublicKey(from), new PublicKey(to)];
    return instructions.map((instruction) => {
      instruction.keys = instruction.keys.map((meta) => (meta.pubkey.equals(before) ? { ...meta, pubkey: after } : meta));
      return instruction;
    });
  };

/** A note that has `signer` sign along. */
function signedBy(signer: Keypair): TransactionInstruction {
  const memo = tokenInstruction([], [], PROGRAMS.memo);
  memo.keys = [{ pubkey: signer.publicKey, isSigner: true, isWritable: false }];
  return memo;
}

const onClose = (built: DecreaseBuild, change: Change, options?: Spoiling): DecreaseBuild => ({
  ...built,
  closeTransactions: built.closeTransactions.map((one, index) => (index === 0 ? changed(one, change, options) : one)),
});
const onSwap = (built: DecreaseBuild, change: Change): DecreaseBuild => ({
  ...built,
  swapTransactions: built.swapTransactions.map((one, index) => (index === 0 ? changed(one, change) : one)),
});
const STRANGER = keyOf('stranger');
const OTHER_BLOCKHASH = addressOf('another blockhash');

/** What a hostile service answers to a zap-out of a quarter, and what the review says to it. */
const ZAP_OUTS: Readonly<Record<string, readonly [DecreaseBuild, string]>> = {
  'pays the tokens of the position to a stranger': [onClose(decrease(), replacing(OWN_TOKEN, addressOf('thief account'))), 'block DLMM-2'],
  'pays the swapped tokens to a stranger': [onSwap(decrease(), replacing(OWN_SOL, addressOf('thief account'))), 'block SWP-1'],
  'adds a transfer of SOL': [onClose(decrease(), adding(transferSol(THIEF, 1_000_000_000n))), 'block SYS-1'],
  'adds a small transfer of SOL': [onClose(decrease(), adding(transferSol(THIEF, 1_000_000n))), 'confirm SYS-1'],
  'adds a transfer of tokens': [
    onSwap(decrease(), adding(tokenInstruction(tokenAmount(3, 5n), [OWN_TOKEN, addressOf('thief account'), OWNER]))),
    'block TOK-1',
  ],
  'adds a transfer of tokens that looks like its fee': [
    onClose(decrease(), adding(tokenInstruction(tokenAmount(3, 5n), [OWN_TOKEN, addressOf('thief account'), OWNER]))),
    'confirm TOK-1',
  ],
  'delegates the tokens to a stranger': [
    onSwap(decrease(), adding(tokenInstruction(tokenAmount(4, 5n), [OWN_TOKEN, THIEF, OWNER]))),
    'block TOK-2',
  ],
  'gives the token account to a stranger': [
    onSwap(decrease(), adding(tokenInstruction([6, 2, 1, ...key(THIEF).toBytes()], [OWN_TOKEN, OWNER]))),
    'block TOK-3',
  ],
  'raises the tip': [onClose(decrease(), adding(tip(40_000_000n))), 'confirm TIP-1'],
  'raises the tip far above the limit': [onClose(decrease(), adding(tip(60_000_000n))), 'block TIP-2'],
  'names another position': [decrease({ position: addressOf('other position') }), 'block DLMM-1'],
  'names another pool': [decrease({ pool: otherPool }), 'block DLMM-1'],
  'withdraws the whole position': [decrease({ shareBps: 10_000 }), 'confirm DLMM-4'],
  'withdraws twice the share': [decrease({ shareBps: 2 * SHARE }), 'confirm DLMM-4'],
  'withdraws the share twice': [twice(decrease()), 'confirm DLMM-4'],
  'has an additional signer': [onClose(decrease(), adding(signedBy(STRANGER)), { signers: [STRANGER] }), 'confirm SIG-4'],
  'lacks the signature of an additional signer': [onClose(decrease(), adding(signedBy(STRANGER))), 'block SIG-2'],
  'has another fee payer': [onClose(decrease(), same, { payer: THIEF, signers: [keyOf('thief')] }), 'confirm PAY-1'],
  'belongs to another owner': [decrease({ owner: THIEF }), 'block SIG-1'],
  'contains transactions of another owner': [
    { ...decrease(), swapTransactions: [...decrease().swapTransactions, ...decrease({ owner: THIEF }).swapTransactions] },
    'block SIG-1',
  ],
  'contains a zap-in': [{ ...decrease(), swapTransactions: add().addTransactions }, 'block DLMM-8'],
  'contains one of its transactions twice': [
    { ...decrease(), swapTransactions: [...decrease().swapTransactions, ...decrease().swapTransactions] },
    'confirm BND-3',
  ],
  'accepts any price': [decrease({ swaps: [{ ...swap('x', 112_500n), quotedOut: 1n }] }), 'block SWP-3'],
  'accepts more slippage': [decrease({ swaps: [{ ...swap('x', 112_500n), slippageBps: 301 }] }), 'confirm SWP-2'],
  'has thousands of transactions': [{ ...decrease(), swapTransactions: thousandsOf(decrease().swapTransactions) }, 'block BND-1'],
};

function thousandsOf(transactions: readonly Base64Transaction[]): Base64Transaction[] {
  return Array.from({ length: 5_000 }, () => transactions).flat();
}

/** The same withdrawal again, with a blockhash of its own, so that no two transactions are alike. */
function twice(built: DecreaseBuild): DecreaseBuild {
  return {
    ...built,
    closeTransactions: [
      ...built.closeTransactions,
      ...built.closeTransactions.map((one) => changed(one, same, { blockhash: OTHER_BLOCKHASH })),
    ],
  };
}

const onAdd = (built: AddBuild, change: Change): AddBuild => ({
  ...built,
  addTransactions: built.addTransactions.map((one) => changed(one, change)),
});
const onBuy = (built: AddBuild, change: Change): AddBuild => ({
  ...built,
  swapTransactions: built.swapTransactions.map((one, index) => (index === 0 ? changed(one, change) : one)),
});
const otherSeed = keyOf('other position').secretKey.slice(0, 32);

const splitOpening = (): AddBuild => add({}, withSplitOpening);

/** What a hostile service answers to a zap-in of two SOL, and what the review says to it. */
const ZAP_INS: Readonly<Record<string, readonly [AddBuild, string]>> = {
  'uses more SOL': [add({ wrapLamports: 2n * INPUT, amountY: INPUT, swaps: [swap('y', INPUT)] }), 'block LIM-1'],
  'wraps more SOL': [add({ wrapLamports: 2n * INPUT }), 'confirm LIM-1'],
  'swaps the whole input and deposits as much again': [add({ swaps: [swap('y', INPUT)], amountY: INPUT }), 'block LIM-1'],
  'pays the bought tokens to a stranger': [onBuy(add(), replacing(OWN_TOKEN, addressOf('thief account'))), 'block SWP-1'],
  'adds a transfer of SOL': [onBuy(add(), adding(transferSol(THIEF, INPUT))), 'block SYS-1'],
  'adds a transfer of tokens': [
    onBuy(add(), adding(tokenInstruction(tokenAmount(3, 5n), [OWN_TOKEN, addressOf('thief account'), OWNER]))),
    'block TOK-1',
  ],
  'names another pool': [add({ pool: otherPool }), 'block DLMM-1'],
  'names another position than it opens': [{ ...add(), position: addressOf('other position') }, 'block DLMM-1'],
  'deposits into a position that it did not open': [
    { ...splitOpening(), addTransactions: splitOpening().addTransactions.slice(1) },
    'block DLMM-10',
  ],
  'deposits before it opens': [{ ...splitOpening(), addTransactions: [...splitOpening().addTransactions].reverse() }, 'block DLMM-10'],
  'opens a second position': [
    { ...add(), addTransactions: [...add().addTransactions, ...add({ positionSeed: otherSeed }).addTransactions] },
    'block DLMM-1',
  ],
  'opens in one transaction and deposits in another': [splitOpening(), 'block DLMM-10'],
  'deposits in other bins': [add({ fromBinId: FROM + 1, toBinId: TO + 1 }), 'block DLMM-10'],
  'belongs to another owner': [add({ owner: THIEF }), 'block SIG-1'],
  'contains a withdrawal': [{ ...add(), swapTransactions: decrease().closeTransactions }, 'block DLMM-8'],
  'gives the position to a stranger': [onAdd(add(), replacing(OWNER, THIEF)), 'block DLMM-6'],
  'has thousands of transactions': [{ ...add(), swapTransactions: thousandsOf(add().swapTransactions) }, 'block BND-1'],
};

/** Says yes to what is as expected, and to nothing else. */
const approve = ({ verdict }: Review): Promise<boolean> => Promise.resolve(verdict === 'allow');
const plan = zapOutPlan({ shareBps: SHARE, position: thePosition({ lowerBinId: FROM, upperBinId: TO }) });
const inPlan = zapInPlan({ inputLamports: INPUT, fromBinId: FROM, toBinId: TO });

async function assertUnsigned(
  running: (fixture: Bench) => Promise<OperationResult>,
  service: Partial<LiquidityService>,
  finding: string,
): Promise<void> {
  const fixture = await bench({ service, host: { approve, signer: () => assert.fail('asked for the key') } });
  const result = await running(fixture);
  const [review] = fixture.trace.reviews;
  assert.ok(review !== undefined);
  assert.ok(objections(review).includes(finding), `${objections(review).join(', ')} instead of ${finding}`);
  assert.equal(result.kind, finding.startsWith('block') ? 'blocked' : 'declined');
  assert.equal(review.reviewed.length === 0, finding.startsWith('block'));
  assert.equal(fixture.trace.landings.length, 0);
}

describe('operation: hostile transactions of a service', function () {
  it('The extension signs the honest transactions of the service', async () => {
    const fixture = await bench({
      host: { approve },
      service: { buildDecrease: () => Promise.resolve(decrease()), buildAdd: () => Promise.resolve(add()) },
    });
    assert.equal((await runZapOut(plan, fixture.dependencies, fixture.host, fixture.abort.signal)).kind, 'settled');
    assert.equal((await runZapIn(inPlan, fixture.dependencies, fixture.host, fixture.abort.signal)).kind, 'settled');
    assert.deepEqual(
      fixture.trace.reviews.map(({ verdict }) => verdict),
      ['allow', 'allow'],
    );
  });

  for (const [what, [built, finding]] of Object.entries(ZAP_OUTS)) {
    it(`The extension signs nothing for a zap-out that ${what}`, () =>
      assertUnsigned(
        (fixture) => runZapOut(plan, fixture.dependencies, fixture.host, fixture.abort.signal),
        { buildDecrease: () => Promise.resolve(built) },
        finding,
      ));
  }

  for (const [what, [built, finding]] of Object.entries(ZAP_INS)) {
    it(`The extension signs nothing for a zap-in that ${what}`, () =>
      assertUnsigned(
        (fixture) => runZapIn(inPlan, fixture.dependencies, fixture.host, fixture.abort.signal),
        { buildAdd: () => Promise.resolve(built) },
        finding,
      ));
  }

  it('The extension signs nothing for a narrow zap-in that deposits in another shape', () => {
    const range = { fromBinId: -20, toBinId: 19 };
    return assertUnsigned(
      (fixture) => runZapIn({ ...inPlan, ...range }, fixture.dependencies, fixture.host, fixture.abort.signal),
      { buildAdd: () => Promise.resolve(add({ ...range, strategy: 'Curve' })) },
      'confirm DLMM-7',
    );
  });

  it('The service gets the shown transactions in the shown order, even if it moves them between its lists', async () => {
    const { closeTransactions, swapTransactions } = decrease();
    const moved = { closeTransactions: swapTransactions, swapTransactions: closeTransactions, lastValidBlockHeight: 9 };
    const fixture = await bench({ host: { approve }, service: { buildDecrease: () => Promise.resolve(moved) } });
    await runZapOut(plan, fixture.dependencies, fixture.host, fixture.abort.signal);
    const [landing] = fixture.trace.landings;
    assert.ok(landing !== undefined && 'closeTransactions' in landing);
    const signed = [...landing.closeTransactions, ...landing.swapTransactions].map(hashOf);
    assert.deepEqual(
      signed,
      fixture.trace.reviews[0]?.transactions.map(({ messageHash }) => messageHash),
    );
    assert.deepEqual(signed, [...swapTransactions, ...closeTransactions].map(hashOf));
  });

  it('The extension signs nothing if the service answers without transactions', async () => {
    const nothing = { closeTransactions: [], swapTransactions: [], lastValidBlockHeight: 9 };
    const fixture = await bench({ service: { buildDecrease: () => Promise.resolve(nothing) } });
    assert.equal((await failureOf(runZapOut(plan, fixture.dependencies, fixture.host, fixture.abort.signal))).kind, 'notBuilt');
    assert.equal(fixture.trace.signersAsked, 0);
  });
});

function hashOf(transaction: Base64Transaction): string {
  const { message } = VersionedTransaction.deserialize(bytesFromBase64(transaction));
  return createHash('sha256').update(message.serialize()).digest('hex');
}
