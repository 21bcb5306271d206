import assert from 'node:assert/strict';
import { ComputeBudgetProgram, TransactionInstruction } from '@solana/web3.js';
import { address, type Address } from '../../../src/solana/address';
import { PROGRAMS } from '../../../src/solana/programs';
import { FORBIDDEN_PROGRAMS, PRECOMPILES, programName, REVIEW_PROGRAMS, UNREADABLE_PROGRAMS } from '../../../src/review/knownPrograms';
import type { Review } from '../../../src/review/types';
import { addByStrategy, addressOf, budget, claim, honestZapIn, honestZapOut, key, objections, openPosition, OWN_SOL, OWN_TOKEN, OWNER, POSITION_KEY, reviewDrafts, syncNative, THIEF, transferSol, unwrap, ZAP_IN, ZAP_OUT } from './bundles';

const reviewWith = (...extra: readonly TransactionInstruction[]): Review => reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), ...extra] }]);
const call = (program: Address, accounts: readonly Address[] = [], data: readonly number[] = []): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(program),
    keys: accounts.map((account) => ({ pubkey: key(account), isSigner: account === OWNER, isWritable: false })),
    data: Buffer.from(data),
  });

describe('review: programs (PRG, MEM, LGT)', () => {
  it('PRG-2: refuses unknown programs with the owner or the owner\'s accounts', () => {
    assert.deepEqual(objections(reviewWith(call(THIEF, [addressOf('x'), OWNER]))), ['block PRG-2']);
    assert.deepEqual(objections(reviewWith(call(THIEF, [OWN_TOKEN]))), ['block PRG-2']);
    assert.deepEqual(objections(reviewWith(call(THIEF, [OWN_SOL]))), ['block PRG-2']);
  });

  it('PRG-2: asks about unknown programs with nothing of the owner\'s', () => {
    assert.deepEqual(objections(reviewWith(call(THIEF, [addressOf('x')]))), ['confirm PRG-2']);
  });

  it('PRG-2: refuses programs of the trade that it cannot read', () => {
    for (const program of UNREADABLE_PROGRAMS.keys()) {
      assert.deepEqual(objections(reviewWith(call(program))), ['block PRG-2'], program);
    }
  });

  it('PRG-3: refuses programs that have no place here', () => {
    for (const program of FORBIDDEN_PROGRAMS.keys()) {
      assert.deepEqual(objections(reviewWith(call(program))), ['block PRG-3'], program);
    }
  });

  it('PRG-4: asks about signature checks', () => {
    for (const program of PRECOMPILES.keys()) {
      assert.deepEqual(objections(reviewWith(call(program))), ['confirm PRG-4'], program);
    }
  });

  it('MEM-1: shows a memo in a form that cannot deceive', () => {
    for (const program of [PROGRAMS.memo, PROGRAMS.memoV1]) {
      const review = reviewWith(call(program, [], [...Buffer.from('pay **now**\n\u202eevil')]));
      assert.deepEqual(objections(review), []);
      const text = review.findings.find(({ rule }) => rule === 'MEM-1')?.message ?? '';
      assert.match(text, /pay \\u\{2a\}\\u\{2a\}now/);
      assert.doesNotMatch(text, /[^\x20-\x7e]/);
    }
    const notText = reviewWith(call(PROGRAMS.memo, [], [0xff, 0xfe]));
    assert.deepEqual(objections(notText), []);
  });

  it('LGT-1: lets assertions be', () => {
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [OWNER], [2, 1, 2]))), []);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [], [17]))), []);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [], [0]))), ['confirm LGT-1']);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [], [18]))), ['block LGT-1']);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse))), ['block LGT-1']);
  });

  it('names programs, and shows the address of those that it does not know', () => {
    assert.equal(programName(PROGRAMS.dlmm), 'Meteora DLMM');
    assert.equal(programName(THIEF), THIEF);
    assert.equal(programName(address('Stake11111111111111111111111111111111111111')), 'Stake');
  });
});

describe('review: compute budget (FEE)', () => {
  const priced = (units: number | undefined, microLamports: bigint): Review =>
    reviewWith(
      ...(units === undefined ? [] : [ComputeBudgetProgram.setComputeUnitLimit({ units })]),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    );

  it('sums network and priority fees, rounded up', () => {
    const { spends } = priced(200_001, 5n);
    assert.equal(spends.priorityFeeLamports, 2n);
    assert.equal(spends.networkFeeLamports, 5_000n);
  });

  it('assumes the largest limit where there is none, and never more', () => {
    assert.equal(priced(undefined, 1_000_000n).spends.priorityFeeLamports, 1_400_000n);
    assert.equal(priced(4_000_000, 1_000_000n).spends.priorityFeeLamports, 1_400_000n);
  });

  it('FEE-1, FEE-2: asks about high fees of the operation, and refuses very high ones', () => {
    assert.deepEqual(objections(priced(1_000_000, 9_995_000n)), []);
    assert.deepEqual(objections(priced(1_000_000, 9_995_001n)), ['confirm FEE-1']);
    assert.deepEqual(objections(priced(1_000_000, 49_995_000n)), ['confirm FEE-1']);
    assert.deepEqual(objections(priced(1_000_000, 49_995_001n)), ['block FEE-2']);
    assert.deepEqual(objections(priced(1_000_000, 2n ** 64n - 1n)), ['block FEE-2']);
  });

  it('FEE-1: takes the highest of several settings, and asks', () => {
    const review = reviewWith(...budget(), ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 100_000 }));
    assert.deepEqual(objections(review), ['confirm FEE-1']);
    assert.equal(review.spends.priorityFeeLamports, 40_000n);
  });

  it('FEE-1: refuses other instructions, and odd forms', () => {
    const odd = [[0, 1, 0, 0, 0, 1, 0, 0, 0], [2, 1, 0, 0], [2, 1, 0, 0, 0, 0], [3, 1, 0, 0, 0], [5], [], [4, 1, 0, 0, 0, 0, 0, 0, 0]];
    for (const data of odd) {
      assert.deepEqual(objections(reviewWith(call(PROGRAMS.computeBudget, [], data))), ['block FEE-1'], JSON.stringify(data));
    }
    assert.deepEqual(objections(reviewWith(call(PROGRAMS.computeBudget, [], [1, 0, 0, 1, 0]), call(PROGRAMS.computeBudget, [], [4, 0, 0, 1, 0]))), []);
  });
});

describe('review: the whole operation (LIM, BND)', () => {
  it('LIM-1: a zap-in uses no more than was asked for', () => {
    const wrapping = (lamports: bigint): string[] =>
      objections(reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [transferSol(OWN_SOL, lamports), syncNative()] }]));
    assert.deepEqual(wrapping(1_010_000_000n), []);
    assert.deepEqual(wrapping(1_010_000_001n), ['block LIM-1']);
    const deposit = reviewDrafts(ZAP_IN, [
      { group: 'add', instructions: [openPosition(), addByStrategy({ amountY: 1_010_000_001n })], signers: [POSITION_KEY] },
    ]);
    assert.deepEqual(objections(deposit), ['block LIM-1']);
  });

  it('LIM-1: asks about more that is wrapped and comes out again', () => {
    const [swap, add] = honestZapIn();
    const more = [...swap.instructions, transferSol(OWN_SOL, 20_000_000n)];
    const review = reviewDrafts(ZAP_IN, [{ ...swap, instructions: more }, add, { group: 'add', instructions: [unwrap()] }]);
    assert.deepEqual(objections(review), ['confirm LIM-1']);
  });

  it('BND-1: asks about no transaction, and about very many', () => {
    const none = reviewDrafts(ZAP_OUT, []);
    assert.deepEqual(objections(none), ['confirm BND-1']);
    assert.deepEqual(none.reviewed, []);
    const many = (count: number): string[] =>
      objections(reviewDrafts(ZAP_OUT, Array.from({ length: count }, (_, at) => ({ group: 'close', instructions: [claim()], blockhash: addressOf(`hash ${at}`) }))));
    assert.deepEqual(many(10), []);
    assert.deepEqual(many(11), ['confirm BND-1']);
  });

  it('BND-3: asks about the same transaction twice', () => {
    const [close, swap] = honestZapOut();
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [close, swap, swap])), ['confirm BND-3']);
  });

  it('BND-4: one blocked transaction blocks all, and hands nothing out', () => {
    const review = reviewDrafts(ZAP_OUT, [...honestZapOut(), { group: 'swap', instructions: [call(THIEF, [OWNER])] }]);
    assert.equal(review.verdict, 'block');
    assert.deepEqual(review.reviewed, []);
  });

  it('has limits that can be set', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, honestZapOut(), { tipAllowLamports: 999_999n })), ['confirm TIP-1']);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, honestZapOut(), { maxTransactions: 2 })), ['confirm BND-1']);
  });
});
