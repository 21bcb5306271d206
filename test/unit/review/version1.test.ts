import assert from 'node:assert/strict';
import { ComputeBudgetProgram, TransactionInstruction } from '@solana/web3.js';
import * as fc from 'fast-check';
import { type Address, addressBytes } from '../../../src/base/solana/address';
import { verifyEd25519 } from '../../../src/base/solana/ed25519';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { bytesFromBase64, messageOf, parseTransaction } from '../../../src/base/solana/wireTransaction';
import { answerLine } from '../../../src/cli/answer';
import { differenceToWeb3 } from '../../../src/review/decode/web3Comparison';
import { describeDetails } from '../../../src/review/describe/details';
import { describeReview } from '../../../src/review/describe/summary';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { writeReport } from '../../../src/review/report/report';
import { signReviewed } from '../../../src/review/review';
import type { Review } from '../../../src/review/types';
import { createSigner } from '../../../src/wallet/signer';
import { inputOf } from '../../corpus/attack';
import { lineOf } from '../../corpus/commandLine';
import {
  base64Of,
  BLOCKHASH,
  bytesOf,
  claim,
  honestZapIn,
  honestZapOut,
  key,
  NOW_MS,
  objections,
  OWNER,
  OWNER_KEY,
  POSITION,
  reviewDrafts,
  THIEF,
  V1_CONFIG,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

const [CLOSE] = honestZapOut(1);
/** The transaction with two signers. */
const [, OPENING] = honestZapIn(1);

const withConfig = (config: NonNullable<Draft['config']>): Review => reviewDrafts({ ...ZAP_OUT, worth: undefined }, [{ ...CLOSE, config }]);
const messagesOf = ({ findings }: Review, rule: string): string[] =>
  findings.filter((one) => one.rule === rule).map(({ message }) => message);

describe('review: version 1', () => {
  describe('the comparison with @solana/web3.js', () => {
    it('Both readers agree on every part of honest transactions', () => {
      for (const draft of [...honestZapOut(1), ...honestZapIn(1)]) {
        const bytes = bytesOf(draft);
        assert.equal(differenceToWeb3(bytes, parseTransaction(bytes)), undefined);
      }
    });

    it('A difference in any part is named', () => {
      const bytes = bytesOf(OPENING);
      const wire = parseTransaction(bytes);
      const { config } = wire;
      assert.ok(config !== undefined);
      const otherViews: readonly (readonly [string, Partial<typeof wire>])[] = [
        ['the version', { version: 0 }],
        ['the signatures', { signatures: [...wire.signatures].reverse() }],
        ['the signatures', { signatures: wire.signatures.slice(1) }],
        ['the header', { readonlyUnsigned: wire.readonlyUnsigned + 1 }],
        ['the accounts', { staticKeys: [...wire.staticKeys].reverse() }],
        ['the blockhash', { recentBlockhash: THIEF }],
        ['the fees and limits', { config: undefined }],
        ['the fees and limits', { config: { ...config, priorityFeeLamports: 20_001n } }],
        ['the fees and limits', { config: { ...config, priorityFeeLamports: undefined } }],
        ['the fees and limits', { config: { ...config, computeUnitLimit: 0 } }],
        ['the fees and limits', { config: { ...config, loadedAccountsDataSizeLimit: undefined } }],
        ['the fees and limits', { config: { ...config, heapBytes: 32_768 } }],
        ['the instructions', { instructions: wire.instructions.slice(1) }],
        ['the lookup tables', { tableLookups: [{ table: THIEF, writableIndexes: [0], readonlyIndexes: [] }] }],
      ];
      for (const [what, view] of otherViews) {
        assert.equal(differenceToWeb3(bytes, { ...wire, ...view }), what, JSON.stringify(Object.keys(view)));
      }
      assert.equal(differenceToWeb3(new Uint8Array(3).fill(0x81), wire), 'only one of them can read it');
    });

    it('A byte that web3.js leaves out of its view is noticed', () => {
      const bytes = bytesOf({ ...CLOSE, config: {} });
      const wire = parseTransaction(bytes);
      // web3.js counts the signatures from the end, so bytes in between would be part of its message.
      assert.notEqual(differenceToWeb3(Buffer.concat([bytes, new Uint8Array(1)]), wire), undefined);
      assert.notEqual(differenceToWeb3(Buffer.concat([bytes, new Uint8Array(64)]), wire), undefined);
    });

    it('Every priority fee can be compared, also those that web3.js cannot represent', () => {
      const fees = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 48n, 2n ** 63n));
      fc.assert(
        fc.property(fees, (priorityFeeLamports) => {
          const bytes = bytesOf({ ...CLOSE, config: { ...V1_CONFIG, priorityFeeLamports } });
          const wire = parseTransaction(bytes);
          assert.equal(wire.config?.priorityFeeLamports, priorityFeeLamports);
          assert.equal(differenceToWeb3(bytes, wire), undefined);
        }),
      );
    });
  });

  describe('fees and limits', () => {
    it('FEE-2: A priority fee that no JavaScript number represents is refused with its amount', () => {
      const review = withConfig({ ...V1_CONFIG, priorityFeeLamports: 2n ** 53n + 1n });
      assert.deepEqual(objections(review), ['block FEE-2']);
      assert.match(messagesOf(review, 'FEE-2').join(), /9,?007,?199\.25474/);
      assert.equal(review.spends.priorityFeeLamports, 2n ** 53n + 1n);
    });

    it('FEE-1, FEE-2: The fee of the config counts as a total, whatever the compute unit limit is', () => {
      for (const computeUnitLimit of [1, 400_000, 2 ** 32 - 1]) {
        const config = { ...V1_CONFIG, computeUnitLimit };
        assert.equal(withConfig(config).spends.priorityFeeLamports, 20_000n);
        assert.deepEqual(objections(withConfig({ ...config, priorityFeeLamports: 9_995_000n })), []);
        assert.deepEqual(objections(withConfig({ ...config, priorityFeeLamports: 9_995_001n })), ['confirm FEE-1']);
        assert.deepEqual(objections(withConfig({ ...config, priorityFeeLamports: 49_995_001n })), ['block FEE-2']);
      }
    });

    it('A transaction without a priority fee is allowed', () => {
      const { computeUnitLimit, loadedAccountsDataSizeLimit } = V1_CONFIG;
      const review = withConfig({ computeUnitLimit, loadedAccountsDataSizeLimit });
      assert.deepEqual(objections(review), []);
      assert.equal(review.spends.priorityFeeLamports, 0n);
    });

    it('FEE-3: A missing limit and a limit of 0 are refused, because only the fee would be charged', () => {
      const { computeUnitLimit, loadedAccountsDataSizeLimit } = V1_CONFIG;
      for (const config of [{ loadedAccountsDataSizeLimit }, { ...V1_CONFIG, computeUnitLimit: 0 }]) {
        const review = withConfig(config);
        assert.deepEqual(objections(review), ['block FEE-3']);
        assert.match(messagesOf(review, 'FEE-3').join(), /computeUnitLimit.*still cost its fee/);
      }
      for (const config of [{ computeUnitLimit }, { ...V1_CONFIG, loadedAccountsDataSizeLimit: 0 }]) {
        assert.match(messagesOf(withConfig(config), 'FEE-3').join(), /loadedAccountsDataSizeLimit.*still cost its fee/);
      }
      assert.equal(messagesOf(withConfig({}), 'FEE-3').length, 2);
    });

    it('FEE-1: Compute Budget instructions do not count, and only absurd ones are a question', () => {
      const budget = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
      ];
      const usual = reviewDrafts(ZAP_OUT, [{ ...CLOSE, instructions: [...budget, claim()] }]);
      assert.deepEqual(objections(usual), []);
      assert.equal(usual.spends.priorityFeeLamports, 20_000n);
      const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2n ** 64n - 1n });
      const absurd = reviewDrafts(ZAP_OUT, [{ ...CLOSE, instructions: [price, claim()] }]);
      assert.deepEqual(objections(absurd), ['confirm FEE-1']);
      assert.match(messagesOf(absurd, 'FEE-1').join(), /In a v1 transaction.*charges 0\.00002 SOL instead/);
      assert.equal(absurd.spends.priorityFeeLamports, 20_000n);
    });
  });

  it('The review asks the RPC about the blockhash, and about no lookup tables', () => {
    const { questions, checked } = reviewDrafts(ZAP_OUT, [CLOSE]);
    assert.deepEqual(questions.blockhashes, [BLOCKHASH]);
    assert.deepEqual(questions.lookupTables, []);
    assert.equal(checked.usedTables, 0);
    const expired = reviewDrafts(ZAP_OUT, [CLOSE], undefined, { facts: { ...NO_FACTS, blockhashes: new Map([[BLOCKHASH, false]]) } });
    assert.deepEqual(objections(expired), ['confirm NON-3']);
  });

  it('The details name the version, the fee and the limits', () => {
    const text = describeDetails(reviewDrafts(ZAP_OUT, [{ ...CLOSE, config: { ...V1_CONFIG, heapBytes: 65_536 } }]));
    for (const line of [
      'Version: 1',
      'Priority fee: 0.00002 SOL',
      'computeUnitLimit: 400000',
      'loadedAccountsDataSizeLimit: 67108864',
      'heapSize: 65536',
      `Signer: \`${OWNER}\``,
    ]) {
      assert.ok(text.includes(`- ${line}\n`), line);
    }
    assert.equal(describeDetails(reviewDrafts(ZAP_OUT, honestZapOut(0))).includes('computeUnitLimit'), false);
  });

  it('The summary of an operation is the same in all versions', () => {
    const summary = (version: 'legacy' | 0 | 1): unknown => describeReview(reviewDrafts(ZAP_IN, honestZapIn(version)));
    // Only the Compute Budget program is missing from the called programs.
    const text = (version: 'legacy' | 0 | 1): string => JSON.stringify(summary(version)).replace('Compute Budget, ', '');
    assert.equal(text(1), text(0));
    assert.equal(text(1), text('legacy'));
  });

  it('The command line names the version of each transaction', () => {
    const mixed = [honestZapIn('legacy')[0], honestZapIn(1)[1], honestZapIn(0)[2]];
    const answer = answerLine(lineOf(inputOf(ZAP_IN, mixed)), NOW_MS);
    assert.equal(answer.verdict, 'allow');
    assert.deepEqual(
      answer.transactions?.map((one) => (one as { readonly version: unknown }).version),
      ['legacy', 1, 0],
    );
  });

  it('A report keeps the signatures of others and leaves out the one of the owner', () => {
    const filled: Draft = { ...OPENING, signers: [...(OPENING.signers ?? []), OWNER_KEY] };
    const review = reviewDrafts(ZAP_IN, [filled]);
    assert.deepEqual(objections(review), ['block SIG-3']);
    const report = writeReport(review, 'Zap in');
    assert.ok(report.includes(base64Of(OPENING)));
    assert.equal(report.includes(base64Of(filled)), false);
  });

  it("The wallet's signer fills its own slot: every signature is valid for the message, and nothing else has changed", async () => {
    const readSeed = (): Promise<Uint8Array> => Promise.resolve(OWNER_KEY.secretKey.slice(0, 32));
    const signer = createSigner({ owner: OWNER, readSeed, signReviewed, nowMs: () => NOW_MS });
    for (const [intent, drafts] of [
      [ZAP_OUT, honestZapOut(1)],
      [ZAP_IN, honestZapIn(1)],
    ] as const) {
      const signed = await signer.sign(reviewDrafts(intent, drafts).reviewed);
      assert.equal(signed.length, 3);
      signed.forEach((text, index) => {
        const before = bytesOf(drafts[index] ?? CLOSE);
        const after = bytesFromBase64(text);
        const wire = parseTransaction(after);
        const message = messageOf(after, wire);
        assert.equal(message[0], 0x81);
        wire.signatures.forEach((signature, slot) => {
          const signedBy: Address | undefined = wire.staticKeys[slot];
          assert.ok(signedBy === OWNER || signedBy === POSITION);
          assert.ok(verifyEd25519(addressBytes(signedBy), message, signature));
        });
        assert.deepEqual(messageOf(before, parseTransaction(before)), message);
        // The owner pays the fee, so the first slot is the owner's.
        assert.deepEqual(after.subarray(wire.messageEnd + 64), before.subarray(wire.messageEnd + 64));
      });
    }
  });

  it('A transaction of 4,096 bytes is allowed', () => {
    const filled = (memoBytes: number): Draft => {
      const memo = new TransactionInstruction({ programId: key(PROGRAMS.memo), keys: [], data: Buffer.alloc(memoBytes, 'a') });
      return { ...CLOSE, instructions: [...CLOSE.instructions, ...Array.from({ length: 40 }, () => claim()), memo] };
    };
    const longest = filled(4_096 - bytesOf(filled(0)).length);
    assert.equal(bytesOf(longest).length, 4_096);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [longest])), []);
  });
});
