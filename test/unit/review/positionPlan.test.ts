import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { NO_FACTS, type AccountState, type ChainFacts, type PositionFact } from '../../../src/review/facts/facts';
import { poolFieldsOf } from '../../../src/review/intents';
import type { Intent } from '../../../src/review/types';
import {
  addByStrategy,
  budget,
  dlmm,
  FROM_BIN,
  keyOf,
  objections,
  openPosition,
  OWNER,
  POOL,
  POSITION,
  POSITION_KEY,
  reviewDrafts,
  THIEF,
  TO_BIN,
  ZAP_IN,
  type Draft,
} from '../../support/review/bundles';
import { addDamm, createDamm, DAMM_IN, NFT_KEY } from '../../support/review/meteoraDrafts';

/** One way to open a position, and ways to fill it. */
interface Way {
  readonly intent: Intent;
  readonly open: TransactionInstruction;
  readonly fills: readonly TransactionInstruction[];
  readonly signer: typeof NFT_KEY;
}

const WAYS: readonly [Way, Way] = [
  {
    intent: ZAP_IN,
    open: openPosition(),
    signer: POSITION_KEY,
    fills: [addByStrategy({ amountX: 1n, amountY: 1n }), dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN })],
  },
  { intent: DAMM_IN, open: createDamm(), signer: NFT_KEY, fills: [addDamm(1n, 1n), addDamm(2n, 3n)] },
];

/** Puts instructions into transactions, each with as many as `sizes` says in turn; who signs is in the one that opens. */
function split(
  instructions: readonly TransactionInstruction[],
  sizes: readonly number[],
  open: TransactionInstruction,
  signer: typeof NFT_KEY,
): Draft[] {
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

/** What a simulation says of these accounts, before the first of the transactions. */
function simulatedBefore(...before: readonly (readonly [Address, AccountState])[]): ChainFacts {
  const simulated = {
    error: undefined,
    before: new Map([[OWNER, WALLET], ...before]),
    after: new Map([[OWNER, WALLET]]),
    innerInstructions: [],
  };
  return { ...NO_FACTS, simulation: { slot: 1n, transactions: [simulated] } };
}

const WALLET: AccountState = { lamports: 10n ** 10n, program: PROGRAMS.system, data: new Uint8Array() };

const LENGTHENED = dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN });

/** A position as the chain shows it, in the asked pool, with the asked bins, and the user's alone. */
const OWN: PositionFact = { pool: POOL, owner: OWNER, powers: [], isRestricted: false, lowerBinId: FROM_BIN, upperBinId: TO_BIN };
const OWN_DAMM: PositionFact = { pool: POOL, owner: OWNER, powers: [], isRestricted: false };

const known = (position: Address, fact: PositionFact): ChainFacts => ({ ...NO_FACTS, positions: new Map([[position, fact]]) });

describe('review: position of a zap-in (DLMM-10)', () => {
  it('The review blocks a deposit if another transaction opens its position, in any order and with any facts', () => {
    for (const { intent, open, fills, signer } of WAYS) {
      for (const fill of fills) {
        const [opening, filling]: Draft[] = [
          { group: 'add', instructions: [open], signers: [signer] },
          { group: 'add', instructions: [fill] },
        ];
        for (const drafts of [[opening, filling], [filling, opening], [filling]]) {
          for (const facts of [NO_FACTS, simulatedBefore()]) {
            const review = reviewDrafts(
              intent,
              drafts.flatMap((draft) => draft ?? []),
              undefined,
              { facts },
            );
            assert.deepEqual(objections(review), ['block DLMM-10']);
            assert.equal(review.reviewed.length, 0);
          }
        }
        assert.deepEqual(objections(reviewDrafts(intent, [{ group: 'add', instructions: [open, fill], signers: [signer] }])), []);
      }
    }
  });

  it('The review blocks the deposit if its position opens for another owner, other bins or another pool', () => {
    const added = (...opening: readonly TransactionInstruction[]): boolean => {
      const signers = [POSITION_KEY, ...(opening[0]?.keys[3]?.pubkey.toBase58() === THIEF ? [keyOf('thief')] : [])];
      return objections(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [...opening, addByStrategy()], signers }])).includes(
        'block DLMM-10',
      );
    };
    assert.equal(added(openPosition()), false);
    assert.equal(added(openPosition({ width: 30 }), LENGTHENED), false);
    for (const other of [
      openPosition({}, { owner: THIEF }),
      openPosition({ lower_bin_id: FROM_BIN - 1 }),
      openPosition({ lower_bin_id: FROM_BIN + 1 }),
      openPosition({ width: 41 }),
      openPosition({ width: 0 }),
      openPosition({}, { lb_pair: THIEF }),
    ]) {
      assert.equal(added(other), true);
    }
    // Which bins were asked for may not be known, as in a report of another version.
    const unknown = { ...ZAP_IN, fromBinId: undefined, toBinId: undefined };
    assert.ok(
      !objections(
        reviewDrafts(unknown, [{ group: 'add', instructions: [openPosition(), addByStrategy()], signers: [POSITION_KEY] }]),
      ).includes('block DLMM-10'),
    );
  });

  it('The review asks about a deposit into a position that the user alone controls, and blocks any other', () => {
    for (const [{ intent, fills }, own] of [
      [WAYS[0], OWN],
      [WAYS[1], OWN_DAMM],
    ] as const) {
      const [fill] = fills;
      const position = poolFieldsOf(intent).position ?? OWNER;
      const found = (fact: PositionFact, of: Address = position): string[] =>
        objections(
          reviewDrafts(intent, [{ group: 'add', instructions: fill === undefined ? [] : [fill] }], undefined, { facts: known(of, fact) }),
        );
      assert.deepEqual(found(own), ['confirm DLMM-10']);
      for (const foreign of [{ owner: THIEF }, { powers: [THIEF] }, { pool: THIEF }, { isRestricted: true }]) {
        assert.deepEqual(found({ ...own, ...foreign }), ['block DLMM-10'], Object.keys(foreign).join());
      }
      assert.deepEqual(found(own, THIEF), ['block DLMM-10'], 'what is known is known of another position');
    }
    const longer = { ...OWN, upperBinId: TO_BIN + 1 };
    assert.deepEqual(
      objections(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [addByStrategy()] }], undefined, { facts: known(POSITION, longer) })),
      ['confirm DLMM-7', 'confirm DLMM-10'],
    );
  });

  it('The review blocks opening a position that others own or control according to the chain', () => {
    const opening: Draft = { group: 'add', instructions: [openPosition(), addByStrategy()], signers: [POSITION_KEY] };
    const found = (fact: PositionFact): string[] =>
      objections(reviewDrafts(ZAP_IN, [opening], undefined, { facts: known(POSITION, fact) }));
    assert.deepEqual(found(OWN), []);
    assert.deepEqual(found({ ...OWN, upperBinId: TO_BIN - 5 }), [], 'shorter than asked: made longer by these transactions');
    assert.deepEqual(found({ ...OWN, lowerBinId: FROM_BIN - 1 }), ['confirm DLMM-7']);
    for (const foreign of [{ owner: THIEF }, { powers: [THIEF] }, { pool: THIEF }, { isRestricted: true }]) {
      assert.deepEqual(found({ ...OWN, ...foreign }), ['block DLMM-10'], Object.keys(foreign).join());
    }
  });

  it('The review blocks an existing position in a simulation unless the user alone controls it', () => {
    for (const { intent, open, fills, signer } of WAYS) {
      const review = (...before: readonly (readonly [Address, AccountState])[]): string[] =>
        objections(
          reviewDrafts(intent, [{ group: 'add', instructions: [open, ...fills.slice(0, 1)], signers: [signer] }], undefined, {
            facts: simulatedBefore(...before),
          }),
        );
      const position = poolFieldsOf(intent).position ?? OWNER;
      assert.deepEqual(review(), []);
      assert.deepEqual(review([position, { ...WALLET, program: PROGRAMS.dlmm }]), ['block DLMM-10']);
      // SOL that is sent to the address beforehand hinders nothing.
      assert.deepEqual(review([position, WALLET]), []);
    }
  });

  it('The review accepts identical openings of one position in every transaction that fills it', () => {
    const filling = (...opening: readonly TransactionInstruction[]): Draft => ({
      group: 'add',
      signers: [POSITION_KEY],
      instructions: [...opening, addByStrategy({ amountX: 1n, amountY: 1n })],
    });
    const twice = (one: readonly TransactionInstruction[], other: readonly TransactionInstruction[]): string[] =>
      objections(reviewDrafts(ZAP_IN, [filling(...one), filling(...other), filling(...one)]));
    const short = [openPosition({ width: 30 }), LENGTHENED];
    const review = reviewDrafts(ZAP_IN, [filling(...short), filling(...short), filling(...short)]);
    // The three are the same but for their place, which is another question (BND-3).
    assert.deepEqual(objections(review), ['confirm BND-3']);
    assert.equal(review.spends.refundableRentLamports, 57_406_080n, 'the rent is paid once');
    for (const other of [
      openPosition({ width: 31 }),
      openPosition({ lower_bin_id: FROM_BIN + 1, width: 29 }),
      dlmm('initialize_position', { lower_bin_id: FROM_BIN, width: 30 }),
    ]) {
      assert.ok(twice(short, [other]).includes('block BND-5'));
    }
    assert.ok(twice(short, [openPosition({ width: 30 }, { owner: THIEF })]).includes('block BND-5'));
    assert.ok(twice(short, [...short, ...short]).includes('block BND-5'), 'twice in one transaction');
    assert.ok(
      objections(
        reviewDrafts(ZAP_IN, [filling(...short), { group: 'add', signers: [POSITION_KEY], instructions: short.slice(0, 1) }]),
      ).includes('block BND-5'),
      'for nothing',
    );
  });

  it('The review allows deposits only after the same transaction opened the position, in every split and order', () => {
    const order = fc.record({
      way: fc.constantFrom(...WAYS),
      before: fc.array(fc.nat({ max: 1 }), { maxLength: 2 }),
      after: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 3 }),
      sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(order, ({ way: { intent, open, fills, signer }, before, after, sizes }) => {
        const pick = (places: readonly number[]): TransactionInstruction[] => places.flatMap((place) => fills[place] ?? []);
        const drafts = split([...pick(before), open, ...pick(after)], sizes, open, signer);
        const isUnopened = drafts.some(({ instructions }) => {
          const opened = instructions.indexOf(open);
          return instructions.some((one, at) => fills.includes(one) && (opened < 0 || at < opened));
        });
        assert.equal(objections(reviewDrafts(intent, drafts)).includes('block DLMM-10'), isUnopened);
      }),
      { numRuns: 60 },
    );
  });

  it('The review counts the rent of every bin above seventy once for every way the position grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.array(fc.integer({ min: 1, max: 91 }), { maxLength: 6 }), (width, additions) => {
        const grow = additions.map((length_to_add) => dlmm('increase_position_length', { length_to_add, side: 1 }));
        const review = reviewDrafts(ZAP_IN, [
          { group: 'add', signers: [POSITION_KEY], instructions: [openPosition({ lower_bin_id: FROM_BIN, width }), ...grow] },
        ]);
        const bins = additions.reduce((sum, added) => sum + added, width);
        assert.equal(review.spends.refundableRentLamports, 57_406_080n + 779_520n * BigInt(Math.max(bins - 70, 0)));
      }),
      { numRuns: 40 },
    );
  });
});
