import assert from 'node:assert/strict';
import { ComputeBudgetProgram, Ed25519Program, TransactionInstruction } from '@solana/web3.js';
import * as fc from 'fast-check';
import { address, type Address } from '../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { PolicySettings } from '../../../src/review/policy';
import { NO_SPENDS } from '../../../src/review/spends';
import type { Intent, Review, Spends, ZapInIntent, ZapOutIntent } from '../../../src/review/types';
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
  key,
  keyOf,
  MINT,
  objections,
  openPosition,
  OWN_SOL,
  OWNER,
  POSITION_KEY,
  removal,
  reviewDrafts,
  syncNative,
  THIEF,
  tip,
  transferSol,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

const reviewWith = (...extra: readonly TransactionInstruction[]): Review =>
  reviewDrafts({ ...ZAP_OUT, worth: undefined }, [{ group: 'close', instructions: [claim(), ...extra] }]);
/** A share that is worth so much that its costs are small (FEE-4). */
const RICH_OUT: Intent = { ...ZAP_OUT, worth: [{ mint: MINT, amountRaw: 10n ** 9n }] };
const call = (program: Address, accounts: readonly Address[] = [], data: readonly number[] = []): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(program),
    keys: accounts.map((account) => ({ pubkey: key(account), isSigner: account === OWNER, isWritable: false })),
    data: Buffer.from(data),
  });

describe('review: compute budget (FEE)', () => {
  const priced = (units: number | undefined, microLamports: bigint): Review =>
    reviewWith(
      ...(units === undefined ? [] : [ComputeBudgetProgram.setComputeUnitLimit({ units })]),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    );

  it('The review sums network and priority fees and rounds them up', () => {
    const { spends } = priced(200_001, 5n);
    assert.equal(spends.priorityFeeLamports, 2n);
    assert.equal(spends.networkFeeLamports, 5_000n);
  });

  it('The review counts the fee of signatures over other data', () => {
    const { privateKey, message } = { privateKey: keyOf('somebody').secretKey, message: Buffer.from('text') };
    const checking = Ed25519Program.createInstructionWithPrivateKey({ privateKey, message });
    assert.equal(reviewWith(checking, checking).spends.networkFeeLamports, 15_000n);
    assert.equal(reviewWith(call(address('Ed25519SigVerify111111111111111111111111111'))).spends.networkFeeLamports, 5_000n);
  });

  it('The review assumes the largest compute unit limit if none is set, and never a larger one', () => {
    assert.equal(priced(undefined, 1_000_000n).spends.priorityFeeLamports, 1_400_000n);
    assert.equal(priced(4_000_000, 1_000_000n).spends.priorityFeeLamports, 1_400_000n);
  });

  it('FEE-1, FEE-2: The review asks about high fees of the operation and blocks very high ones', () => {
    assert.deepEqual(objections(priced(1_000_000, 9_995_000n)), []);
    assert.deepEqual(objections(priced(1_000_000, 9_995_001n)), ['confirm FEE-1']);
    assert.deepEqual(objections(priced(1_000_000, 49_995_000n)), ['confirm FEE-1']);
    assert.deepEqual(objections(priced(1_000_000, 49_995_001n)), ['block FEE-2']);
    assert.deepEqual(objections(priced(1_000_000, 2n ** 64n - 1n)), ['block FEE-2']);
  });

  it('FEE-1: The review counts the highest of several fee settings and asks about it', () => {
    const review = reviewWith(...budget(), ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 100_000 }));
    assert.deepEqual(objections(review), ['confirm FEE-1']);
    assert.equal(review.spends.priorityFeeLamports, 40_000n);
  });

  it('FEE-1: The review blocks other compute budget instructions and malformed ones', () => {
    const odd = [[0, 1, 0, 0, 0, 1, 0, 0, 0], [2, 1, 0, 0], [2, 1, 0, 0, 0, 0], [3, 1, 0, 0, 0], [5], [], [4, 1, 0, 0, 0, 0, 0, 0, 0]];
    for (const data of odd) {
      assert.deepEqual(objections(reviewWith(call(PROGRAMS.computeBudget, [], data))), ['block FEE-1'], JSON.stringify(data));
    }
    assert.deepEqual(
      objections(reviewWith(call(PROGRAMS.computeBudget, [], [1, 0, 0, 1, 0]), call(PROGRAMS.computeBudget, [], [4, 0, 0, 1, 0]))),
      [],
    );
  });
});

describe('review: the whole operation (LIM, BND)', () => {
  it('LIM-1: The review blocks a zap-in that uses more than its input', () => {
    const wrapping = (lamports: bigint): string[] =>
      objections(reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [transferSol(OWN_SOL, lamports), syncNative()] }]));
    assert.deepEqual(wrapping(1_010_000_000n), []);
    assert.deepEqual(wrapping(1_010_000_001n), ['block LIM-1']);
    const deposit = reviewDrafts(ZAP_IN, [
      { group: 'add', instructions: [openPosition(), addByStrategy({ amountY: 1_010_000_001n })], signers: [POSITION_KEY] },
    ]);
    assert.deepEqual(objections(deposit), ['block LIM-1']);
  });

  it('LIM-1: The review asks about excess SOL that is unwrapped again and blocks excess SOL that stays wrapped', () => {
    const [swap, add] = honestZapIn();
    const more = [...swap.instructions, transferSol(OWN_SOL, 20_000_000n)];
    const rest: Draft = { group: 'add', instructions: [unwrap()] };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ ...swap, instructions: more }, add, rest])), ['confirm LIM-1']);
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ ...swap, instructions: more }, add])), ['block LIM-1']);
    const wrappedAfterwards = { ...rest, instructions: [unwrap(), transferSol(OWN_SOL, 1_010_000_001n)] };
    assert.ok(objections(reviewDrafts(ZAP_IN, [swap, add, wrappedAfterwards])).includes('block LIM-1'));
  });

  it('LIM-1: The review counts SOL per transaction, so a low use in one cannot hide a high one in another', () => {
    const [swap, add, rest] = honestZapIn();
    const wrapping = (lamports: bigint): Draft => ({
      group: 'swap',
      instructions: [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, lamports), syncNative()],
    });
    const split = reviewDrafts(ZAP_IN, [swap, add, rest, wrapping(50_000_000n)]);
    assert.deepEqual(objections(split), ['block LIM-1']);
    assert.equal(split.spends.consumedLamports, 1_050_000_000n);
    assert.equal(split.findings.find(({ rule }) => rule === 'LIM-1')?.amountRaw, 1_050_000_000n);
    const little = reviewDrafts(ZAP_IN, [
      { group: 'swap', instructions: [transferSol(OWN_SOL, 1_000_000n), buyToken({ in_amount: 1_000_000n })] },
      wrapping(1_010_000_000n),
    ]);
    assert.deepEqual(objections(little), ['block LIM-1']);
    const closedAtOnce = wrapping(1_000_000_000n);
    const closed = reviewDrafts(ZAP_IN, [{ ...closedAtOnce, instructions: [...closedAtOnce.instructions, unwrap()] }, swap]);
    assert.deepEqual(objections(closed), ['confirm LIM-1']);
    assert.equal(closed.spends.consumedLamports, 500_000_000n);
  });

  it('LIM-1: The review counts SOL once if one transaction wraps it and a later one uses it', () => {
    const [swap, add, rest] = honestZapIn();
    const wrapping: Draft = {
      group: 'swap',
      instructions: [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, 1_000_000_000n), syncNative()],
    };
    const swapping: Draft = { ...swap, instructions: [createAta(MINT), buyToken()] };
    const review = reviewDrafts(ZAP_IN, [wrapping, swapping, add, rest]);
    assert.deepEqual(objections(review), []);
    assert.equal(review.spends.consumedLamports, 1_000_000_000n);
    // The other way round it is not that SOL which is used, but some that was there before.
    assert.ok(objections(reviewDrafts(ZAP_IN, [swapping, add, wrapping])).includes('block LIM-1'));
    // Nor where it was unwrapped in between.
    assert.ok(objections(reviewDrafts(ZAP_IN, [wrapping, rest, swapping, add])).includes('block LIM-1'));
  });

  it('LIM-1: No split over several transactions lets a zap-in use more than its input and tolerance', () => {
    const step = fc.record({ wrapped: fc.bigInt(0n, 600_000_000n), used: fc.bigInt(0n, 600_000_000n), closes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
        const drafts = steps.map(({ wrapped, used, closes }): Draft => ({
          group: 'swap',
          instructions: [
            ...(wrapped > 0n ? [transferSol(OWN_SOL, wrapped)] : []),
            ...(used > 0n ? [buyToken({ in_amount: used })] : []),
            ...(closes ? [unwrap()] : []),
          ],
        }));
        const used = steps.reduce((sum, one) => sum + one.used, 0n);
        const isOver = used > 1_010_000_000n;
        const { verdict, spends } = reviewDrafts(ZAP_IN, drafts);
        assert.ok(spends.consumedLamports >= used);
        assert.ok(!isOver || verdict === 'block');
      }),
      { numRuns: 40 },
    );
  });

  it('FEE-4: The review asks about tips and fees above 1% of what the user deposits or withdraws', () => {
    // The network and priority fee of the transaction is 25,000 lamports.
    const leaving = (lamports: bigint, worth: ZapOutIntent['worth'], prior?: Spends): string[] =>
      objections(
        reviewDrafts(
          { ...ZAP_OUT, worth },
          [{ group: 'close', instructions: [...budget(), removal(), tip(lamports)] }],
          {},
          prior === undefined ? {} : { prior },
        ),
      );
    const worth = [
      { mint: MINT, amountRaw: 5_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 400_000_000n },
    ];
    assert.deepEqual(leaving(3_975_000n, worth), []);
    assert.deepEqual(leaving(3_975_001n, worth), ['confirm FEE-4']);
    assert.deepEqual(leaving(3_975_000n, worth, { ...NO_SPENDS, tipLamports: 1n }), ['confirm FEE-4']);
    // In a pool without SOL the lowest known price counts: 80 lamports for one of the token.
    assert.deepEqual(leaving(3_975_000n, worth.slice(0, 1)), []);
    assert.deepEqual(leaving(3_975_001n, worth.slice(0, 1)), ['confirm FEE-4']);
    // Where the value is not known, the caps of tips and fees remain.
    assert.deepEqual(leaving(9_000_000n, undefined), []);
    // Costs of a few signatures are no question.
    const nothing = [{ mint: WRAPPED_SOL_MINT, amountRaw: 0n }];
    assert.deepEqual(leaving(475_000n, nothing), []);
    assert.deepEqual(leaving(475_001n, nothing), ['confirm FEE-4']);
    const entering = (lamports: bigint, tokens?: ZapInIntent['tokens']): string[] =>
      objections(
        reviewDrafts({ ...ZAP_IN, inputLamports: 400_000_000n, tokens }, [
          {
            group: 'add',
            signers: [POSITION_KEY],
            instructions: [
              ...budget(),
              transferSol(OWN_SOL, 400_000_000n),
              syncNative(),
              openPosition(),
              addByStrategy({ amountX: tokens?.[0]?.amountRaw ?? 0n, amountY: 400_000_000n }),
              tip(lamports),
            ],
          },
        ]),
      );
    // Two signatures: 30,000 lamports.
    assert.ok(!entering(3_970_000n).includes('confirm FEE-4'));
    assert.ok(entering(3_970_001n).includes('confirm FEE-4'));
    assert.ok(!entering(7_970_000n, [{ mint: MINT, amountRaw: 3_280_000n }]).includes('confirm FEE-4'));
    assert.ok(entering(7_970_001n, [{ mint: MINT, amountRaw: 3_280_000n }]).includes('confirm FEE-4'));
  });

  it('LIM-2: The review accepts only a small amount of wrapped SOL in a zap-out', () => {
    const wrapping = (...lamports: readonly bigint[]): string[] =>
      objections(
        reviewDrafts(
          ZAP_OUT,
          lamports.map((amount, at) => ({
            group: 'close',
            instructions: [claim(), transferSol(OWN_SOL, amount)],
            blockhash: addressOf(`hash ${at}`),
          })),
        ),
      );
    assert.deepEqual(wrapping(10_000_000n), []);
    assert.deepEqual(wrapping(5_000_000n, 5_000_001n), ['confirm LIM-2']);
    assert.deepEqual(wrapping(1_000_000_000n), ['confirm LIM-2']);
    assert.deepEqual(wrapping(500_000_000n, 500_000_001n), ['block LIM-2']);
  });

  it('LIM-3: The review states the most that can leave the wallet', () => {
    const bound = (review: Review): unknown =>
      review.findings.filter(({ rule }) => rule === 'LIM-3').map(({ verdict, amountRaw }) => [verdict, amountRaw]);
    assert.deepEqual(bound(reviewDrafts(ZAP_OUT, honestZapOut())), [['info', 7_192_840n]]);
    assert.deepEqual(bound(reviewDrafts(ZAP_IN, honestZapIn())), [['info', 1_205_439_520n]]);
    assert.deepEqual(bound(reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [] }])), [['info', 1_000_005_000n]]);
    assert.deepEqual(bound(reviewDrafts(ZAP_OUT, [])), []);
  });

  it('LIM-3: SOL that goes to others, or is wrapped beyond what was asked for, is never called tips, fees and rent', () => {
    const boundOf = (intent: Intent, instructions: Draft['instructions']): string =>
      reviewDrafts(intent, [{ group: intent.kind === 'zapIn' ? 'swap' : 'close', instructions }]).findings.find(
        ({ rule }) => rule === 'LIM-3',
      )?.message ?? '';
    const theft =
      "The operation takes at most 5.000005 SOL from your wallet. 5 SOL of it goes to accounts that are neither yours nor the pool's.";
    assert.equal(boundOf(ZAP_OUT, [claim(), transferSol(THIEF, 5_000_000_000n)]), theft);
    assert.match(
      boundOf(ZAP_IN, [transferSol(THIEF, 5_000_000_000n)]),
      /at most 6\.000005 SOL .* 5 SOL of it goes to accounts that are neither/,
    );
    assert.equal(
      boundOf(ZAP_OUT, [claim(), transferSol(OWN_SOL, 1_000_000_000n)]),
      'The operation takes at most 1.000005 SOL from your wallet. Tips, fees and rent explain all but 1 SOL of it.',
    );
    assert.match(boundOf(ZAP_OUT, [claim()]), /from your wallet\.$/);
    assert.match(boundOf(ZAP_IN, []), /from your wallet\.$/);
  });

  it('RNT-1: The review asks about a large amount of rent', () => {
    const [swap, add, rest] = honestZapIn();
    const arrays = Array.from({ length: 4 }, (_, at) => dlmm('initialize_bin_array', { index: BigInt(at - 1) }));
    const review = reviewDrafts(ZAP_IN, [swap, { ...add, instructions: [...add.instructions, ...arrays] }, rest]);
    const finding = review.findings.find(({ rule, message }) => rule === 'RNT-1' && /locked as rent/.test(message));
    assert.equal(finding?.verdict, 'confirm');
    assert.equal(finding.amountRaw, review.spends.refundableRentLamports + review.spends.spentRentLamports);
  });

  it('SYS-1: The review limits SOL to strangers per transaction and to approved recipients per operation', () => {
    const sending = (policy: Partial<PolicySettings>, ...lamports: readonly (readonly [Address, bigint])[]): string[] =>
      objections(
        reviewDrafts(
          ZAP_OUT,
          lamports.map(([to, amount], at) => ({
            group: 'close',
            instructions: [claim(), transferSol(to, amount)],
            blockhash: addressOf(`hash ${at}`),
          })),
          policy,
        ),
      );
    assert.deepEqual(sending({}, [THIEF, 5_000_000n], [THIEF, 5_000_000n]), ['confirm SYS-1']);
    assert.deepEqual(sending({}, [THIEF, 5_000_001n]), ['block SYS-1', 'confirm SYS-1']);
    const approved = { feeRecipients: [THIEF], feeRecipientCapLamports: 30_000_000n };
    assert.deepEqual(sending(approved, [THIEF, 10_000_000n], [THIEF, 20_000_000n]), ['confirm SYS-1']);
    assert.deepEqual(sending(approved, [THIEF, 10_000_000n], [THIEF, 20_000_001n]), ['block SYS-1', 'confirm SYS-1']);
    assert.deepEqual(sending(approved, [addressOf('another'), 5_000_001n]), ['block SYS-1', 'confirm SYS-1']);
  });

  describe('BND-2: earlier signed attempts of the same operation', () => {
    const priorOf = (spends: Partial<Spends>): { readonly prior: Spends } => ({ prior: { ...NO_SPENDS, ...spends } });

    it('The review counts earlier signed spending against every limit', () => {
      const cases: readonly (readonly [Intent, readonly Draft[], Partial<Spends>, string])[] = [
        [ZAP_IN, honestZapIn(), { consumedLamports: 10_000_001n }, 'block LIM-1'],
        [ZAP_IN, honestZapIn(), { wrappedLamports: 10_000_001n }, 'confirm LIM-1'],
        [RICH_OUT, honestZapOut(), { tipLamports: 9_000_001n }, 'confirm TIP-1'],
        [RICH_OUT, honestZapOut(), { tipLamports: 49_000_001n }, 'block TIP-2'],
        [RICH_OUT, honestZapOut(), { networkFeeLamports: 5_000n, priorityFeeLamports: 9_920_001n }, 'confirm FEE-1'],
        [RICH_OUT, honestZapOut(), { priorityFeeLamports: 49_925_001n }, 'block FEE-2'],
        [ZAP_OUT, honestZapOut(), { spentRentLamports: 200_000_000n, refundableRentLamports: 200_000_000n }, 'confirm RNT-1'],
        [ZAP_OUT, honestZapOut(), { wrappedLamports: 10_000_001n }, 'confirm LIM-2'],
        [ZAP_OUT, honestZapOut(), { wrappedLamports: 1_000_000_001n }, 'block LIM-2'],
      ];
      for (const [intent, drafts, spends, objection] of cases) {
        const review = reviewDrafts(intent, drafts, undefined, priorOf(spends));
        assert.deepEqual(objections(review), [objection]);
      }
    });

    it('The question about rent names the rent of earlier attempts, too', () => {
      const prior = priorOf({ spentRentLamports: 200_000_000n, refundableRentLamports: 200_000_000n });
      const { findings, spends } = reviewDrafts(ZAP_OUT, honestZapOut(), undefined, prior);
      assert.equal(spends.refundableRentLamports, 6_117_840n, 'of this attempt');
      const message = findings.find(({ rule }) => rule === 'RNT-1')?.message ?? '';
      assert.equal(message, 'Up to 0.40611784 SOL is locked as rent, of which 0.2 SOL is not refundable.');
    });

    it('RNT-1: All attempts together may lock as much rent as the limit, and not a lamport more', () => {
      const after = (refundableRentLamports: bigint): string[] =>
        objections(reviewDrafts(ZAP_OUT, honestZapOut(), undefined, priorOf({ refundableRentLamports })));
      assert.deepEqual(after(400_000_000n - 6_117_840n), []);
      assert.deepEqual(after(400_000_001n - 6_117_840n), ['confirm RNT-1']);
    });

    it('The review reports earlier signed spending separately from the spending of the new transactions', () => {
      const review = reviewDrafts(ZAP_OUT, honestZapOut(), undefined, priorOf({ tipLamports: 1_000_000n }));
      assert.equal(review.verdict, 'allow');
      assert.equal(review.spends.tipLamports, 1_000_000n);
      const said = review.findings.find(({ rule }) => rule === 'BND-2');
      assert.deepEqual([said?.verdict, said?.amountRaw], ['info', 1_000_000n]);
      assert.equal(
        reviewDrafts(ZAP_OUT, honestZapOut(), undefined, priorOf({})).findings.some(({ rule }) => rule === 'BND-2'),
        false,
      );
    });

    it('The review counts earlier payments against the cap of approved recipients', () => {
      const paying: Draft = { group: 'close', instructions: [claim(), transferSol(THIEF, 10_000_000n)] };
      const policy = { feeRecipients: [THIEF], feeRecipientCapLamports: 30_000_000n };
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [paying], policy, priorOf({ otherLamports: 20_000_000n }))), ['confirm SYS-1']);
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [paying], policy, priorOf({ otherLamports: 20_000_001n }))), [
        'block SYS-1',
        'confirm SYS-1',
      ]);
    });
  });

  it('BND-1: The review asks about an operation without transactions and about very many transactions', () => {
    const none = reviewDrafts(ZAP_OUT, []);
    assert.deepEqual(objections(none), ['confirm BND-1']);
    assert.deepEqual(none.reviewed, []);
    const many = (count: number): string[] =>
      objections(
        reviewDrafts(
          ZAP_OUT,
          Array.from({ length: count }, (_, at) => ({ group: 'close', instructions: [claim()], blockhash: addressOf(`hash ${at}`) })),
        ),
      );
    assert.deepEqual(many(10), []);
    assert.deepEqual(many(11), ['confirm BND-1']);
  });

  it('BND-3: The review asks about a transaction that occurs twice', () => {
    const [close, swap] = honestZapOut();
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [close, swap, swap])), ['confirm BND-3']);
  });

  it('BND-5: The review blocks a transaction from a list that does not belong to the operation', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ group: 'close', instructions: budget() }])), ['block BND-5']);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'add', instructions: budget() }])), ['block BND-5']);
  });

  it('BND-4: One blocked transaction blocks all and leaves nothing to sign', () => {
    const review = reviewDrafts(ZAP_OUT, [...honestZapOut(), { group: 'swap', instructions: [call(THIEF, [OWNER])] }]);
    assert.equal(review.verdict, 'block');
    assert.deepEqual(review.reviewed, []);
  });

  it('The policy settings change the limits of the review', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, honestZapOut(), { tipAllowLamports: 999_999n })), ['confirm TIP-1']);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, honestZapOut(), { maxTransactions: 2 })), ['confirm BND-1']);
  });
});
