import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import * as fc from 'fast-check';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { changesSince, compareTerms, digestOfTerms } from '../../../src/review/approval/compareTerms';
import { changeText } from '../../../src/review/approval/changeText';
import { type Term, TERM_BOUNDS, type Terms, type TermTopic } from '../../../src/review/terms';
import { COVERED, type LaterBuild, NOT_COVERED, NOT_COVERED_AS_BUILT } from '../../corpus/laterBuilds';
import { COVERED_EXCHANGES, NOT_COVERED_EXCHANGES } from '../../corpus/laterExchanges';
import { COVERED_VERSION_1, NOT_COVERED_VERSION_1 } from '../../corpus/laterBuildsVersion1';
import {
  addressOf,
  type Draft,
  honestZapOut,
  inVersion,
  key,
  MINT,
  reviewDrafts,
  route,
  type Version,
  versionName,
  ZAP_OUT,
} from '../../support/review/bundles';
import { TABLE, tableOf } from '../../support/review/lookupTables';

const reviewsOf = ({ intent, approved, later }: LaterBuild) => [reviewDrafts(intent, approved), reviewDrafts(intent, later)] as const;
const topicsOf = (changes: readonly { readonly topic: string }[]) => [...new Set(changes.map(({ topic }) => topic))].sort();

/** The formats of what was approved, and of what is built later, transaction by transaction. */
const FORMATS: readonly (readonly [readonly Version[], readonly Version[]])[] = [
  [['legacy'], [1]],
  [
    [1, 'legacy', 0],
    [0, 1, 'legacy'],
  ],
];

/** The drafts in these formats, in turn. */
function inVersions(versions: readonly Version[], drafts: readonly Draft[]): readonly Draft[] {
  return drafts.map((draft, place) => inVersion(versions[place % versions.length] ?? 0, draft));
}

const TOPICS = Object.keys(TERM_BOUNDS) as readonly TermTopic[];
const anyTerms: fc.Arbitrary<Terms> = fc
  .uniqueArray(fc.record({ topic: fc.constantFrom(...TOPICS), of: fc.constantFrom('', 'one', 'two'), amount: fc.bigInt(-3n, 3n) }), {
    selector: ({ topic, of }) => `${topic} ${of}`,
    maxLength: 12,
  })
  .map((terms) => terms.filter(({ amount }) => amount !== 0n));

/** Terms with one amount changed in the direction that is worse. */
const worseBy = (terms: Terms, at: number, step: bigint): Terms =>
  terms.map((term, place) =>
    place === at ? { ...term, amount: TERM_BOUNDS[term.topic] === 'least' ? term.amount - step : term.amount + step } : term,
  );

describe('review: approved terms', () => {
  for (const build of [...COVERED, ...COVERED_VERSION_1, ...COVERED_EXCHANGES]) {
    it(`An approval covers a later build that is equal or better (${build.name})`, () => {
      const [approved, later] = reviewsOf(build);
      assert.notDeepEqual(
        approved.transactions.map(({ messageHash }) => messageHash),
        later.transactions.map(({ messageHash }) => messageHash),
      );
      assert.deepEqual(changesSince(approved, later), []);
    });
  }

  for (const build of [...NOT_COVERED, ...NOT_COVERED_AS_BUILT, ...NOT_COVERED_VERSION_1, ...NOT_COVERED_EXCHANGES]) {
    it(`An approval does not cover a later build that is worse (${build.name})`, () => {
      const [approved, later] = reviewsOf(build);
      const changes = changesSince(approved, later);
      assert.deepEqual(topicsOf(changes), [...build.worse].sort());
      for (const change of changes) {
        assert.ok(changeText(change, () => undefined).length > 0);
      }
    });
  }

  for (const [approvedIn, laterIn] of FORMATS) {
    const formats = `${approvedIn.map(versionName).join(', ')} → ${laterIn.map(versionName).join(', ')}`;

    it(`What an approval covers does not depend on the format (${formats})`, () => {
      for (const build of [...COVERED, ...NOT_COVERED]) {
        const [approved, later] = reviewsOf({
          ...build,
          approved: inVersions(approvedIn, build.approved),
          later: inVersions(laterIn, build.later),
        });
        assert.deepEqual(topicsOf(changesSince(approved, later)), [...build.worse].sort(), build.name);
      }
    });
  }

  it('An approval does not cover a build that is known less well: a table, a simulation or the RPC is missing', () => {
    const table = tableOf([MINT, WRAPPED_SOL_MINT]);
    const drafts = honestZapOut().map((draft) => ({ ...draft, tables: [table] }));
    const lookupTables = new Map([[TABLE, { addresses: [MINT, WRAPPED_SOL_MINT], isDeactivated: false }]]);
    const read = reviewDrafts(ZAP_OUT, drafts, {}, { facts: { ...NO_FACTS, lookupTables } });
    const unread = reviewDrafts(ZAP_OUT, drafts, {}, { facts: NO_FACTS });
    assert.deepEqual(topicsOf(changesSince(unread, read)), []);
    assert.deepEqual(topicsOf(changesSince(read, unread)), ['unreadAccount', 'unreadTable']);
    assert.deepEqual(topicsOf(changesSince(read, reviewDrafts(ZAP_OUT, drafts))), ['answersOfRpc', 'unreadAccount', 'unreadTable']);
    // Another place in the same table is another account.
    const other = honestZapOut().map((draft) => ({ ...draft, tables: [tableOf([WRAPPED_SOL_MINT, MINT])] }));
    assert.deepEqual(topicsOf(changesSince(unread, reviewDrafts(ZAP_OUT, other, {}, { facts: NO_FACTS }))), ['unreadAccount']);
  });

  it('An approval covers what the review cannot read only with the very same bytes', () => {
    const unknown = new TransactionInstruction({ programId: key(addressOf('a program')), keys: [], data: Buffer.from([1]) });
    const [first, ...rest] = honestZapOut();
    const drafts = [{ ...first, instructions: [...first.instructions, unknown] }, ...rest];
    const approved = reviewDrafts(ZAP_OUT, drafts);
    assert.equal(approved.verdict, 'confirm');
    assert.deepEqual(changesSince(approved, reviewDrafts(ZAP_OUT, drafts)), []);
    const later = drafts.map((draft) => ({ ...draft, blockhash: addressOf('a later blockhash') }));
    assert.deepEqual(topicsOf(changesSince(approved, reviewDrafts(ZAP_OUT, later))), ['opaqueTransaction']);
  });

  it('Every build is covered by its own approval, and has the same digest whatever the order of its terms', () => {
    for (const { intent, later } of [...COVERED, ...NOT_COVERED, ...COVERED_VERSION_1, ...NOT_COVERED_VERSION_1]) {
      const review = reviewDrafts(intent, later);
      if (review.verdict !== 'block') {
        assert.deepEqual(changesSince(review, review), []);
        assert.equal(digestOfTerms([...review.terms].reverse()), digestOfTerms(review.terms));
      }
    }
  });

  it('Terms are equal to themselves', () => {
    fc.assert(fc.property(anyTerms, (terms) => compareTerms(terms, terms).length === 0));
  });

  /** One topic of each direction with few amounts, so that one is often better than another. */
  const fewTerms: fc.Arbitrary<Terms> = fc.tuple(fc.bigInt(-2n, 2n), fc.bigInt(-2n, 2n), fc.bigInt(0n, 1n)).map(([most, least, same]) => [
    { topic: 'spent', of: '', amount: most },
    { topic: 'deposited', of: '', amount: least },
    { topic: 'step', of: '', amount: same },
  ]);

  it('Equal or better is transitive: steps that are each covered never add up to one that is not', () => {
    fc.assert(
      fc.property(fewTerms, fewTerms, fewTerms, (approved, next, last) => {
        fc.pre(compareTerms(approved, next).length === 0 && compareTerms(next, last).length === 0);
        assert.deepEqual(compareTerms(approved, last), []);
      }),
      { numRuns: 500 },
    );
  });

  /** A swap of a zap-out. */
  interface Swap {
    readonly sold: bigint;
    /** The quote as a share of the worth. */
    readonly quotedBps: bigint;
    readonly slippageBps: number;
  }
  /** By transaction. */
  type Swaps = readonly (readonly Swap[])[];
  const swap: fc.Arbitrary<Swap> = fc.record({
    sold: fc.constantFrom(500_000n, 1_000_000n, 1_500_000n),
    quotedBps: fc.constantFrom(9_900n, 10_000n, 10_100n),
    slippageBps: fc.constantFrom(10, 100),
  });
  const swaps: fc.Arbitrary<Swaps> = fc.array(fc.array(swap, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });
  const LAMPORTS_EACH = 80n;
  const quoteOf = ({ sold, quotedBps }: Swap): bigint => (sold * LAMPORTS_EACH * quotedBps) / 10_000n;
  const reviewOf = (transactions: Swaps) => {
    const [close, , rest] = honestZapOut();
    const drafts = transactions.map((each): Draft => ({
      group: 'swap',
      instructions: each.map((one) => route({ in_amount: one.sold, quoted_out_amount: quoteOf(one), slippage_bps: one.slippageBps })),
    }));
    return reviewDrafts(ZAP_OUT, [close, ...drafts, rest]);
  };
  /** The most that is lost against the shown price, lamports, whichever of the transactions land. */
  const mostLost = (transactions: Swaps): bigint =>
    transactions.reduce((total, each) => {
      const lost = each.reduce(
        (sum, one) => sum + one.sold * LAMPORTS_EACH - (quoteOf(one) * BigInt(10_000 - one.slippageBps)) / 10_000n,
        0n,
      );
      return lost > 0n ? total + lost : total;
    }, 0n);
  const divided = (transactions: Swaps): Swaps =>
    transactions.map((each) =>
      each.flatMap((one) => [
        { ...one, sold: one.sold / 2n },
        { ...one, sold: one.sold - one.sold / 2n },
      ]),
    );
  const better = (transactions: Swaps): Swaps =>
    transactions.map((each) => each.map((one) => ({ ...one, quotedBps: one.quotedBps + 50n })));
  const later = (transactions: Swaps): fc.Arbitrary<Swaps> =>
    fc.oneof(swaps, fc.constantFrom(divided(transactions), better(transactions), [...transactions].reverse()));

  it('If an approval covers other swaps, no part of them that lands can lose more than a part of the approved ones', () => {
    let covered = 0;
    fc.assert(
      fc.property(
        swaps.chain((approved) => fc.tuple(fc.constant(approved), later(approved))),
        ([approved, fresh]) => {
          if (changesSince(reviewOf(approved), reviewOf(fresh)).length === 0) {
            covered += 1;
            assert.ok(mostLost(fresh) <= mostLost(approved));
          }
        },
      ),
      { numRuns: 200 },
    );
    assert.ok(covered > 50, String(covered));
  });

  it('An approval covers the same swaps when a transaction divides them over more routes, and when all quotes are better', () => {
    fc.assert(
      fc.property(swaps, (approved) => {
        assert.deepEqual(changesSince(reviewOf(approved), reviewOf(divided(approved))), []);
        assert.deepEqual(changesSince(reviewOf(approved), reviewOf(better(approved))), []);
      }),
      { numRuns: 50 },
    );
  });

  it('Any single worsening of real terms is found, and named', () => {
    const all = [...COVERED, ...NOT_COVERED].map(({ intent, approved }) => reviewDrafts(intent, approved).terms);
    for (const terms of all.slice(0, 1).concat(all.slice(-1))) {
      terms.forEach(({ topic, of }, at) => {
        assert.deepEqual(
          compareTerms(terms, worseBy(terms, at, 1n)).map((change) => [change.topic, change.of]),
          [[topic, of]],
        );
        const without = terms.filter((_, place) => place !== at);
        const isWorseWithout = TERM_BOUNDS[topic] !== 'most' || (terms[at]?.amount ?? 0n) < 0n;
        assert.equal(compareTerms(terms, without).length, isWorseWithout ? 1 : 0, `${topic} ${of}`);
      });
      const added: Term = { topic: 'recipient', of: 'somebody', amount: 1n };
      assert.equal(compareTerms(terms, [...terms, added]).length, 1);
    }
  });

  it('A creeping service is found out, because each build is compared with what was approved', () => {
    const quotes = [400_000_000n, 399_999_000n, 399_998_000n];
    const [approved, ...later] = quotes.map((quoted) => {
      const build = COVERED.find(({ name }) => name === 'zap-out: a better quote');
      assert.ok(build !== undefined);
      const terms = reviewDrafts(build.intent, build.approved).terms;
      return terms.map((term) => (term.topic === 'guaranteedBySwaps' ? { ...term, amount: quoted } : term));
    });
    for (const terms of later) {
      assert.deepEqual(topicsOf(compareTerms(approved ?? [], terms)), ['guaranteedBySwaps']);
    }
  });
});
