import assert from 'node:assert/strict';
import type { CaseInput } from '../../../../src/review/report/caseFormat';
import { NO_FACTS, type ChainFacts, type PositionFact } from '../../../../src/review/facts/facts';
import { address } from '../../../../src/base/solana/address';
import { compared, FACTS, reviewWithout } from '../../../corpus/stricter';
import { base64Of, keyOf, OWNER, THIEF } from '../../../support/review/bundles';
import { DLMM_POOL } from '../../../support/review/programs/dlmmPool';
import { describeOnPrograms } from '../../../support/programs';
import { sdkBundle, sdkWorld } from '../../../support/review/programs/sdkBundle';

// Whatever an RPC says of bundles of Meteora's own SDK, it makes their review no laxer, but for what only the chain can prove.

const WIDTHS = [1, 20, 69, 70, 71, 120, 200, 340];
const STRATEGIES = ['Spot', 'Curve', 'BidAsk'] as const;
const POSITION = address(keyOf('SDK position 0').publicKey.toBase58());

/** Below the active bin, around it, and above it. */
const RANGES = WIDTHS.flatMap((width) =>
  [-1 - width, -Math.floor(width / 2), 1].map((from): readonly [number, number] => [from, from + width - 1]),
);

const owned: PositionFact = { pool: DLMM_POOL, owner: OWNER, powers: [], isRestricted: false };
/** What a chain may say of the position that the bundle opens. */
const POSITIONS: Readonly<Record<string, PositionFact>> = {
  'a position of the user': owned,
  'a position of somebody else': { ...owned, owner: THIEF },
  'a position with an operator': { ...owned, powers: [THIEF] },
  'a locked position': { ...owned, isRestricted: true },
  'a position in another pool': { ...owned, pool: THIEF },
};
const SAID: readonly (readonly [string, (input: CaseInput) => ChainFacts])[] = [
  ...Object.entries(FACTS),
  ...Object.entries(POSITIONS).map(
    ([name, fact]) => [name, (): ChainFacts => ({ ...NO_FACTS, positions: new Map([[POSITION, fact]]) })] as const,
  ),
];

describeOnPrograms("review: RPC answers and the verdict on bundles of Meteora's SDK", function () {
  for (const strategy of STRATEGIES) {
    // The SDK itself cannot spread a curve over a single bin.
    const ranges = RANGES.filter(([from, to]) => strategy !== 'Curve' || to > from);
    it(`${strategy}: An RPC never makes the review of ${ranges.length} ranges less strict, for the whole bundle or a part`, async () => {
      const vm = sdkWorld();
      let compares = 0;
      for (const [at, [from, to]] of ranges.entries()) {
        const { drafts, intent } = await sdkBundle(vm, from, to, strategy);
        const whole: CaseInput = {
          intent,
          transactions: drafts.map((draft) => ({ group: draft.group, base64: base64Of(draft) })),
          lastValidBlockHeight: 9,
        };
        const parts = drafts.length === 1 ? [whole] : [whole, { ...whole, transactions: whole.transactions.slice(1) }];
        for (const input of parts) {
          const offline = reviewWithout(input);
          assert.notEqual(
            offline.verdict,
            'block',
            `${from} to ${to}: ${offline.findings.map(({ rule, message }) => `${rule} ${message}`).join(' ')}`,
          );
          // Every second kind of facts on one bundle, the others on the next.
          for (const [name, make] of SAID.filter((_, kind) => (kind + at) % 2 === 0)) {
            const comparison = compared(input, make(input), () => offline);
            assert.deepEqual(
              comparison.unproved,
              [],
              `${from} to ${to}, with ${name}: ${comparison.offline} became ${comparison.withFacts}`,
            );
            const isOthers = name in POSITIONS && name !== 'a position of the user';
            assert.ok(!isOthers || comparison.withFacts === 'block', `${from} to ${to}, with ${name}`);
            compares += 1;
          }
        }
      }
      assert.ok(compares > 5 * ranges.length);
    });
  }
});
