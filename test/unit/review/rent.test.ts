import assert from 'node:assert/strict';
import { SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { addressBytes } from '../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { NO_FACTS, type AccountState, type ChainFacts, type SimulatedTransaction } from '../../../src/review/facts/facts';
import type { Finding, Review } from '../../../src/review/types';
import {
  addressOf,
  addByStrategy,
  budget,
  claim,
  createAta,
  dlmm,
  honestZapIn,
  key,
  keyOf,
  MINT,
  objections,
  openPosition,
  OWNER,
  POSITION_KEY,
  reviewDrafts,
  tokenInstruction,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { addDamm, createDamm, DAMM_IN, NFT_KEY } from '../../support/review/meteoraDrafts';

const told = (lamportsPerByte: bigint): ChainFacts => ({ ...NO_FACTS, rent: RentRate.ofLamportsPerByte(lamportsPerByte) });
const findingsOf = (review: Review, rule: string): readonly Finding[] => review.findings.filter((finding) => finding.rule === rule);

/** Opens a position, with a bin array outside the range, and creates a token account. */
const opening = (width = 40): Draft => ({
  group: 'add',
  instructions: [
    ...budget(),
    createAta(MINT),
    openPosition({ width }),
    dlmm('initialize_bin_array', { index: 7n }, { bin_array: addressOf('another array') }),
    addByStrategy(),
  ],
  signers: [POSITION_KEY],
});

/** A simulation of one transaction in which the wallet loses that much and nothing else changes. */
function losing(lamports: bigint): SimulatedTransaction {
  const wallet = (left: bigint): ReadonlyMap<typeof OWNER, AccountState> =>
    new Map([[OWNER, { lamports: left, program: PROGRAMS.system, data: new Uint8Array() }]]);
  return { error: undefined, before: wallet(10n ** 11n), after: wallet(10n ** 11n - lamports), innerInstructions: [] };
}

describe('review: rent by the chain', () => {
  for (const rate of [6_333n, 5_080n, 2_575n]) {
    it(`The review counts the rent that the chain asks for at ${rate} lamports a byte`, () => {
      const { spends } = reviewDrafts(ZAP_IN, [opening()], undefined, { facts: told(rate) });
      assert.equal(spends.refundableRentLamports, (8_120n + 128n + 165n + 128n) * rate);
      assert.equal(spends.spentRentLamports, (10_136n + 128n) * rate);
      const product = reviewDrafts(
        DAMM_IN,
        [{ group: 'add', instructions: [...budget(), createDamm(), addDamm()], signers: [NFT_KEY] }],
        undefined,
        { facts: told(rate) },
      );
      assert.equal(product.spends.refundableRentLamports, (408n + 465n + 165n + 3n * 128n) * rate);
    });

    it(`A lower rate of ${rate} lamports a byte changes no verdict on an honest operation`, () => {
      const offline = reviewDrafts(ZAP_IN, honestZapIn());
      const review = reviewDrafts(ZAP_IN, honestZapIn(), undefined, { facts: told(rate) });
      assert.deepEqual([review.verdict, objections(review)], [offline.verdict, objections(offline)]);
    });
  }

  it('Without an RPC the review counts the highest rent known', () => {
    const { spends } = reviewDrafts(ZAP_IN, [opening()]);
    assert.equal(spends.refundableRentLamports, 57_406_080n + 2_039_280n);
    assert.equal(spends.spentRentLamports, 71_437_440n);
  });

  it('SIM-1: With a lower rate the review explains less of what a simulated wallet loses, and a higher one explains no more', () => {
    const cost = (facts: ChainFacts): bigint => {
      const { amountRaw } = findingsOf(reviewDrafts(ZAP_IN, [opening()], undefined, { facts }), 'LIM-3')[0] ?? {};
      return amountRaw ?? assert.fail('no bound');
    };
    const blocks = (facts: ChainFacts, lamports: bigint): boolean =>
      objections(
        reviewDrafts(ZAP_IN, [opening()], undefined, { facts: { ...facts, simulation: { slot: 1n, transactions: [losing(lamports)] } } }),
      ).includes('block SIM-1');
    const [offline, lower, higher] = [NO_FACTS, told(2_575n), told(69_600n)];
    assert.equal(cost(offline) - cost(lower), (6_960n - 2_575n) * (8_248n + 293n + 10_264n));
    assert.equal(cost(higher), cost(offline));
    const most = cost(offline) + 2_000_000n;
    assert.deepEqual([blocks(offline, most), blocks(lower, most), blocks(higher, most)], [false, true, false]);
    assert.ok(blocks(higher, most + 1n));
    assert.ok(!blocks(lower, cost(lower) + 2_000_000n));
  });

  it('RNT-1: A rate from an RPC answers no question about a large rent', () => {
    const wide = opening(600);
    const intent = { ...ZAP_IN, toBinId: -20 + 599 };
    const [offline] = findingsOf(reviewDrafts(intent, [wide]), 'RNT-1').filter(({ message }) => message.includes('locked as rent'));
    const [asked] = findingsOf(reviewDrafts(intent, [wide], undefined, { facts: told(696n) }), 'RNT-1').filter(({ message }) =>
      message.includes('locked as rent'),
    );
    assert.equal(asked?.verdict, 'confirm');
    assert.equal(asked.amountRaw, offline?.amountRaw);
    assert.match(asked.message, /^Up to 0\.05\d* SOL is locked as rent, .* Without your RPC's rate, it is up to 0\.5\d* SOL\.$/);
  });

  it('RNT-1: A rate above all known ones is a question', () => {
    const review = reviewDrafts(ZAP_IN, honestZapIn(), undefined, { facts: told(13_920n) });
    const [finding] = findingsOf(review, 'RNT-1');
    assert.deepEqual(objections(review), ['confirm RNT-1']);
    const rent = review.spends.refundableRentLamports + review.spends.spentRentLamports;
    assert.equal(finding?.amountRaw, 2n * rent);
    assert.match(finding.message, /rent is higher than ever before/);
    assert.deepEqual(
      objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()] }], undefined, { facts: told(13_920n) })),
      [],
    );
  });

  describe('SYS-4: the balance of a temporary account for wrapped SOL', () => {
    const account = addressOf('made');
    const reviewOf = (lamports: bigint, facts: ChainFacts): Review => {
      const made = keyOf('made');
      const create = SystemProgram.createAccount({
        fromPubkey: key(OWNER),
        newAccountPubkey: made.publicKey,
        lamports: Number(lamports),
        space: 165,
        programId: key(PROGRAMS.token),
      });
      const rest: readonly TransactionInstruction[] = [
        tokenInstruction([18, ...addressBytes(OWNER)], [account, WRAPPED_SOL_MINT]),
        tokenInstruction([9], [account, OWNER, OWNER]),
      ];
      return reviewDrafts(
        ZAP_OUT,
        [{ group: 'close', instructions: [...budget(), claim(), create, ...rest], signers: [made] }],
        undefined,
        { facts },
      );
    };

    for (const rate of [6_333n, 5_080n, 2_575n]) {
      it(`An account that holds what the chain asks for at ${rate} lamports a byte wraps nothing`, () => {
        const asked = 293n * rate;
        for (const facts of [NO_FACTS, told(rate)]) {
          const { spends, ...review } = reviewOf(asked, facts);
          assert.deepEqual(objections({ ...review, spends }), ['confirm SYS-4']);
          assert.deepEqual([spends.refundableRentLamports, spends.wrappedLamports], [asked, 0n]);
        }
      });

      it(`What an account holds beyond that at ${rate} lamports a byte is wrapped SOL, with its limits`, () => {
        const asked = 293n * rate;
        const { spends } = reviewOf(2_039_280n, told(rate));
        assert.deepEqual([spends.refundableRentLamports, spends.wrappedLamports], [asked, 2_039_280n - asked]);
        const most = 10_000_000n;
        assert.deepEqual(objections(reviewOf(asked + most, told(rate))), ['confirm SYS-4']);
        assert.deepEqual(objections(reviewOf(asked + most + 1n, told(rate))), ['confirm LIM-2', 'confirm SYS-4']);
      });
    }
  });
});
