import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { honestBases, SERVICE_KEYS, STRANGERS, type Base } from '../../fuzz/bases';
import { Meaning } from '../../fuzz/meaning';
import { MUTATIONS } from '../../fuzz/mutations';
import { Random } from '../../fuzz/random';
import { base64FromBytes, bytesFromBase64, type Base64Transaction } from '../../../src/base/solana/wireTransaction';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { reviewOperation } from '../../../src/review/review';
import type { Review } from '../../../src/review/types';

// Whatever is done to the bytes of an honest transaction: the review does not throw, and what it still allows does nothing but what was
// asked for. What it does is read apart from the review (test/fuzz/meaning.ts). `npm run fuzz` does this 100,000 times.

const meaning = new Meaning();
const bases = honestBases();

/** Reviews a transaction in the place of one of an operation; the others go along. */
function review({ intent, transactions, tables }: Base, place: number, text: string): Review {
  return reviewOperation({
    intent,
    transactions: transactions.map(({ group, bytes }, index) => ({ group, base64: index === place ? text : base64FromBytes(bytes) })),
    lastValidBlockHeight: 9,
    facts: { ...NO_FACTS, lookupTables: new Map([...tables].map(([table, addresses]) => [table, { addresses, isDeactivated: false }])) },
    nowMs: 0,
  });
}

/** @returns whether it was allowed. */
function assertSafe(base: Base, place: number, text: string): boolean {
  const { verdict, reviewed } = review(base, place, text);
  assert.equal(reviewed.length, verdict === 'block' ? 0 : base.transactions.length);
  if (verdict === 'allow') {
    assert.deepEqual(meaning.harm({ ...base, bytes: bytesFromBase64(text as Base64Transaction) }), [], base.name);
  }
  return verdict === 'allow';
}

const anyPlace = fc.record({ which: fc.nat({ max: bases.length - 1 }), at: fc.nat({ max: 9 }) }).map(({ which, at }) => {
  const base = bases[which];
  assert.ok(base !== undefined);
  const place = at % base.transactions.length;
  return { base, place, bytes: base.transactions[place]?.bytes ?? new Uint8Array() };
});

describe('review: mutated transactions', function () {
  it('The mutations start from operations that are allowed and do exactly what the user requested', () => {
    for (const base of bases) {
      base.transactions.forEach(({ bytes }, place) => assert.ok(assertSafe(base, place, base64FromBytes(bytes)), base.name));
    }
  });

  it('The review never allows another effect after a change of one byte', () => {
    fc.assert(
      fc.property(anyPlace, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ base, place, bytes }, at, mask) => {
        const spoilt = bytes.slice();
        const offset = at % spoilt.length;
        spoilt[offset] = (spoilt[offset] ?? 0) ^ mask;
        assertSafe(base, place, base64FromBytes(spoilt));
      }),
      { numRuns: 400 },
    );
  });

  for (const [name, mutate] of Object.entries(MUTATIONS)) {
    it(`The review never allows another effect after this change: ${name}`, () => {
      fc.assert(
        fc.property(anyPlace, fc.nat(), ({ base, place, bytes }, seed) => {
          const others = base.transactions.map((one) => one.bytes);
          assertSafe(base, place, mutate({ bytes, others, strangers: STRANGERS, keys: SERVICE_KEYS, random: new Random(seed) }));
        }),
        { numRuns: 40 },
      );
    });
  }
});
