import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/solana/address';
import { PROGRAMS } from '../../../src/solana/programs';
import { NO_FACTS, type AccountState } from '../../../src/review/facts';
import type { Intent, Review } from '../../../src/review/types';
import { addByStrategy, budget, dlmm, FROM_BIN, objections, openPosition, OWNER, POSITION_KEY, reviewDrafts, TO_BIN, ZAP_IN, type Draft } from './bundles';
import { addDamm, createDamm, DAMM_IN, NFT_KEY } from './meteoraDrafts';

/** One way to open a position, and ways to fill it. */
const WAYS: readonly { readonly intent: Intent; readonly open: TransactionInstruction; readonly fills: readonly TransactionInstruction[]; readonly signer: typeof NFT_KEY }[] = [
  {
    intent: ZAP_IN,
    open: openPosition(),
    signer: POSITION_KEY,
    fills: [addByStrategy({ amountX: 1n, amountY: 1n }), dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN })],
  },
  { intent: DAMM_IN, open: createDamm(), signer: NFT_KEY, fills: [addDamm(1n, 1n), addDamm(2n, 3n)] },
];

/** Puts instructions into transactions, each with as many as `sizes` says in turn; who signs is in the one that opens. */
function split(instructions: readonly TransactionInstruction[], sizes: readonly number[], open: TransactionInstruction, signer: typeof NFT_KEY): Draft[] {
  const drafts: Draft[] = [];
  let rest = [...instructions];
  for (let turn = 0; rest.length > 0; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    const taken = rest.slice(0, size);
    rest = rest.slice(size);
    drafts.push({ group: 'add', instructions: [...budget(), ...taken], signers: taken.includes(open) ? [signer] : [] });
  }
  return drafts;
}

describe('review: the order of a zap-in (DLMM-10)', () => {
  it('refuses a position that is there already, as a simulation shows it', () => {
    for (const { intent, open, fills, signer } of WAYS) {
      const [fill] = fills;
      const drafts: Draft[] = [
        { group: 'add', instructions: [open], signers: [signer] },
        { group: 'add', instructions: fill === undefined ? [] : [fill] },
      ];
      const wallet: AccountState = { lamports: 10n ** 10n, program: PROGRAMS.system, data: new Uint8Array() };
      const review = (...before: readonly (readonly [Address, AccountState])[]): Review => {
        const simulated = { error: undefined, before: new Map(before), after: new Map([[OWNER, wallet]]), innerInstructions: [] };
        return reviewDrafts(intent, drafts, undefined, { facts: { ...NO_FACTS, simulation: { slot: 1n, transactions: [simulated] } } });
      };
      const position = intent.position ?? OWNER;
      assert.deepEqual(objections(review([OWNER, wallet])), []);
      assert.deepEqual(objections(review([OWNER, wallet], [position, { ...wallet, program: PROGRAMS.dlmm }])), ['block DLMM-10']);
      // Whoever sends SOL to the address beforehand hinders nothing.
      assert.deepEqual(objections(review([OWNER, wallet], [position, wallet])), []);
      assert.equal(review([OWNER, wallet]).findings.some(({ rule }) => rule === 'DLMM-10'), false);
    }
  });

  it('says without a simulation where another transaction opens the position', () => {
    for (const { intent, open, fills, signer } of WAYS) {
      const told = (...groups: readonly (readonly TransactionInstruction[])[]): (number | undefined)[] =>
        reviewDrafts(intent, groups.map((instructions): Draft => ({ group: 'add', instructions, signers: instructions.includes(open) ? [signer] : [] })))
          .findings.filter(({ rule, verdict }) => rule === 'DLMM-10' && verdict === 'info')
          .map(({ transaction }) => transaction);
      assert.deepEqual(told([open, ...fills.slice(0, 1)]), []);
      assert.deepEqual(told([open], fills.slice(0, 1)), [1]);
    }
  });

  it('fills a position only after it was opened, however the instructions are spread over transactions', () => {
    const order = fc.record({
      way: fc.constantFrom(...WAYS),
      before: fc.array(fc.nat({ max: 1 }), { maxLength: 2 }),
      after: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 3 }),
      sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(order, ({ way: { intent, open, fills, signer }, before, after, sizes }) => {
        const pick = (places: readonly number[]): TransactionInstruction[] => places.flatMap((place) => fills[place] ?? []);
        const found = objections(reviewDrafts(intent, split([...pick(before), open, ...pick(after)], sizes, open, signer)));
        assert.equal(found.includes('block DLMM-10'), before.length > 0, found.join(', '));
      }),
      { numRuns: 60 },
    );
  });

  it('counts the rent of every bin above seventy once, however the position grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.array(fc.integer({ min: 1, max: 91 }), { maxLength: 6 }), (width, additions) => {
        const grow = additions.map((length_to_add) => dlmm('increase_position_length', { length_to_add, side: 1 }));
        const review = reviewDrafts(ZAP_IN, [{ group: 'add', signers: [POSITION_KEY], instructions: [openPosition({ lower_bin_id: FROM_BIN, width }), ...grow] }]);
        const bins = additions.reduce((sum, added) => sum + added, width);
        assert.equal(review.spends.refundableRentLamports, 57_406_080n + 779_520n * BigInt(Math.max(bins - 70, 0)));
      }),
      { numRuns: 40 },
    );
  });
});
