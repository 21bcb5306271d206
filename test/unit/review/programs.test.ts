import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import { address, type Address } from '../../../src/base/solana/address';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { FORBIDDEN_PROGRAMS, PRECOMPILES, programName, REVIEW_PROGRAMS } from '../../../src/review/decode/programs';
import type { PolicySettings } from '../../../src/review/policy';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  claim,
  key,
  MINT,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  reviewDrafts,
  THIEF,
  ZAP_OUT,
} from '../../support/review/bundles';

const reviewWith = (instruction: TransactionInstruction, policy?: Partial<PolicySettings>): Review =>
  reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), instruction] }], policy);
const call = (program: Address, accounts: readonly Address[] = [], data: readonly number[] = []): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(program),
    keys: accounts.map((account) => ({ pubkey: key(account), isSigner: account === OWNER, isWritable: false })),
    data: Buffer.from(data),
  });

describe('review: programs (PRG, MEM, LGT)', () => {
  it("PRG-2: The review blocks unknown programs that receive the owner or the owner's accounts", () => {
    assert.deepEqual(objections(reviewWith(call(THIEF, [addressOf('x'), OWNER]))), ['block PRG-2']);
    assert.deepEqual(objections(reviewWith(call(THIEF, [OWN_TOKEN]))), ['block PRG-2']);
    assert.deepEqual(objections(reviewWith(call(THIEF, [OWN_SOL]))), ['block PRG-2']);
  });

  it('PRG-2: The review asks about unknown programs that receive no account of the owner', () => {
    assert.deepEqual(objections(reviewWith(call(THIEF, [addressOf('x')]))), ['confirm PRG-2']);
  });

  it('PRG-2: The review blocks an unknown program with an account that the RPC attributes to the owner', () => {
    const facts = { ...NO_FACTS, tokenAccounts: new Map([[addressOf('x'), { owner: OWNER, mint: MINT }]]) };
    const drafts = [{ group: 'close' as const, instructions: [claim(), call(THIEF, [addressOf('x')])] }];
    assert.ok(reviewDrafts(ZAP_OUT, drafts).questions.tokenAccounts.includes(addressOf('x')));
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, drafts, undefined, { facts })), ['block PRG-2']);
  });

  it("PRG-2: An RPC answer cannot release the owner's associated account to an unknown program", () => {
    const facts = { ...NO_FACTS, tokenAccounts: new Map([[OWN_TOKEN, { owner: THIEF, mint: MINT }]]) };
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), call(THIEF, [OWN_TOKEN])] }], undefined, { facts });
    assert.ok(objections(review).includes('block PRG-2'));
  });

  it('PRG-2: The review asks about a trusted program in every case and never allows it silently', () => {
    const trusting = { trustedPrograms: [THIEF] };
    assert.deepEqual(objections(reviewWith(call(THIEF, [OWNER, OWN_TOKEN]), trusting)), ['confirm PRG-2']);
    assert.deepEqual(objections(reviewWith(call(THIEF, [addressOf('x')]), trusting)), ['confirm PRG-2']);
    assert.deepEqual(objections(reviewWith(call(addressOf('another'), [OWNER]), trusting)), ['block PRG-2']);
  });

  it('Every program of the list has its own rules', () => {
    const listed = [...Object.values(PROGRAMS), ...Object.values(REVIEW_PROGRAMS)];
    for (const program of listed) {
      const review = reviewWith(call(program, [OWNER], [0xfe, 1, 2, 3, 4, 5, 6, 7, 8]));
      assert.ok(
        review.findings.every(({ rule }) => !rule.startsWith('PRG')),
        program,
      );
      assert.equal(review.verdict, program === PROGRAMS.memo || program === PROGRAMS.memoV1 ? 'confirm' : 'block', program);
      assert.notEqual(programName(program), program);
    }
  });

  it('PRG-3: The review blocks forbidden programs even if the user trusts them', () => {
    for (const program of FORBIDDEN_PROGRAMS.keys()) {
      assert.deepEqual(objections(reviewWith(call(program))), ['block PRG-3'], program);
      assert.deepEqual(objections(reviewWith(call(program), { trustedPrograms: [program] })), ['block PRG-3'], program);
    }
  });

  it('The rules of a known program apply even if the user trusts it', () => {
    const approve = call(PROGRAMS.token, [OWN_TOKEN, THIEF, OWNER], [4, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(objections(reviewWith(approve, { trustedPrograms: [PROGRAMS.token] })), ['block TOK-2']);
  });

  it('PRG-4: The review asks about signature checks', () => {
    for (const program of PRECOMPILES.keys()) {
      assert.deepEqual(objections(reviewWith(call(program))), ['confirm PRG-4'], program);
    }
  });

  it('MEM-1: The review shows a memo in a form that cannot deceive the user', () => {
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

  it('MEM-1: The review shows a memo that the wallet signs and asks about it', () => {
    for (const program of [PROGRAMS.memo, PROGRAMS.memoV1]) {
      const review = reviewWith(call(program, [addressOf('x'), OWNER], [...Buffer.from('example.com: log in, nonce 77')]));
      const finding = review.findings.find(({ rule }) => rule === 'MEM-1');
      assert.equal(finding?.verdict, 'confirm');
      assert.match(finding.message, /Your wallet would sign a text.*"example\.com: log in, nonce 77"/);
      assert.equal(objections(reviewWith(call(program, [], [...Buffer.from('a note')]))).length, 0);
    }
  });

  it('MEM-1: The review truncates a long memo and says so', () => {
    const text =
      reviewWith(call(PROGRAMS.memo, [], [...Buffer.from('x'.repeat(567))])).findings.find(({ rule }) => rule === 'MEM-1')?.message ?? '';
    assert.match(text, /"x{566}"…$/);
  });

  it('LGT-1: The review allows the assertions of Lighthouse and objects to its other instructions', () => {
    for (let opcode = 2; opcode <= 17; opcode += 1) {
      assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [OWNER], [opcode, 1, 2]))), []);
    }
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [], [0]))), ['confirm LGT-1']);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [], [1]))), ['confirm LGT-1']);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse, [], [18]))), ['block LGT-1']);
    assert.deepEqual(objections(reviewWith(call(REVIEW_PROGRAMS.lighthouse))), ['block LGT-1']);
  });

  it('The review names known programs and shows the address of unknown ones', () => {
    assert.equal(programName(PROGRAMS.dlmm), 'Meteora DLMM');
    assert.equal(programName(PROGRAMS.dammV2), 'Meteora DAMM v2');
    assert.equal(programName(THIEF), THIEF);
    assert.equal(programName(address('Stake11111111111111111111111111111111111111')), 'Stake');
  });
});
