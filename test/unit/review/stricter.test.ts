import assert from 'node:assert/strict';
import { compared, FACTS, reviewWithout } from '../../corpus/stricter';
import { CORPUS } from '../../corpus/corpus';
import { honestBases } from '../../fuzz/bases';
import { IS_LONG } from '../../support/runs';
import { base64FromBytes } from '../../../src/base/solana/wireTransaction';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { RELAXATIONS } from '../../../src/review/rules/relaxations';
import type { CaseInput } from '../../../src/review/report/caseFormat';
import type { Review } from '../../../src/review/types';

interface Named {
  readonly name: string;
  readonly input: CaseInput;
  /** It is the first of its kind. */
  readonly isFirst: boolean;
}

const attacks = (): Named[] =>
  CORPUS.flatMap(({ what, sample }) =>
    sample().map(({ variant, input }, at) => ({ name: `${what}: ${variant}`, input, isFirst: at === 0 })),
  );
const honest = (): Named[] =>
  honestBases().map(({ name, intent, transactions, tables }) => ({
    name,
    isFirst: true,
    input: {
      intent,
      transactions: transactions.map(({ group, bytes }) => ({ group, base64: base64FromBytes(bytes) })),
      lastValidBlockHeight: 9,
      facts: { ...NO_FACTS, lookupTables: new Map([...tables].map(([table, addresses]) => [table, { addresses, isDeactivated: false }])) },
    },
  }));

describe('review: RPC answers and the verdict', function () {
  const used = new Set<string>();

  for (const [set, cases] of [
    ['the corpus of attacks', attacks],
    ['honest operations', honest],
  ] as const) {
    it(`No RPC answer makes any case of ${set} less strict, except for what only the chain can prove`, () => {
      const kinds = Object.entries(FACTS);
      cases().forEach(({ name, input, isFirst }, at) => {
        // Some of the kinds of facts, in turn, on one form of each attack; `npm run fuzz` draws from all of them, for many more transactions.
        const tried = isFirst ? kinds.filter((_, kind) => (kind + at) % (IS_LONG ? 3 : 6) === 0) : [];
        const own = input.facts === undefined ? [] : [['its own facts', input.facts] as const];
        const said = [...own, ...tried.map(([of, make]) => [of, make(input)] as const)];
        let offline: Review | undefined;
        const reviewOffline = () => (offline ??= reviewWithout(input));
        for (const [of, facts] of said) {
          const comparison = compared(input, facts, reviewOffline);
          const words = comparison.unproved.map(({ rule, verdict, message }) => `${verdict} ${rule} ${message}`).join(' ');
          assert.equal(words, '', `${name}, with ${of}: ${comparison.offline} became ${comparison.withFacts}`);
          comparison.used.forEach((relaxation) => used.add(relaxation));
        }
      });
    });
  }

  it('Every exception on the list is in use and has a family of attacks', () => {
    assert.deepEqual([...used].sort(), RELAXATIONS.map(({ name }) => name).sort());
    for (const { name, family } of RELAXATIONS) {
      assert.ok(CORPUS.filter(({ what }) => what.startsWith(family)).length > 0, name);
    }
  });
});
