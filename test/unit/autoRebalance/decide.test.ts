import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OpenPosition } from '../../../src/service/positions';
import { decide } from '../../../src/autoRebalance/decide';
import { DAY_MS, historyOf } from '../../../src/autoRebalance/history';
import { LEAST_OBSERVED_MS, observe, type ObservationHistory } from '../../../src/autoRebalance/observations';
import type { AutoRebalanceRules, AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import type { JournalProblem, OperationRecord } from '../../../src/transactions/journal/types';
import { addressOf, openPosition, OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';
import { above, GLITCHES, HOUR_MS, listed, MINUTE_MS, POOL, rulesWith, START_MS } from '../../support/autoRebalance/listed';
import { halfZappedOut, rebalanced } from '../../support/autoRebalance/rebalances';

const at = (number: number) => addressOf(1_000 + number);

/** What is decided after checks that saw one after the other. */
function decided(
  seen: readonly OpenPosition[],
  {
    rules = rulesWith(),
    records = [],
    problems = [],
    everyMs = rules.checkEveryMs,
  }: {
    readonly rules?: AutoRebalanceRules;
    readonly records?: readonly OperationRecord[];
    readonly problems?: readonly JournalProblem[];
    readonly everyMs?: number;
  } = {},
): AutoRebalanceDecision {
  let observations: ReadonlyMap<string, ObservationHistory> = new Map();
  seen.forEach((position, index) => {
    observations = observe(observations, [position], rules, START_MS + index * everyMs);
  });
  const position = seen.at(-1);
  const history = historyOf(records, problems, OWNER);
  assert.ok(position !== undefined && history !== undefined);
  return decide({ position, observations: observations.get(position.key), history, rules, nowMs: START_MS + (seen.length - 1) * everyMs });
}

const times = (count: number, position: OpenPosition) => Array.from({ length: count }, () => position);
const LOSS = rulesWith({ stopLossPercent: 20 });
const PROFIT = rulesWith({ takeProfitPercent: 50 });
const LOST = listed({ valueUsd: 70 });
const AGO = (hours: number) => START_MS - hours * HOUR_MS;

describe('The decision about a position', () => {
  const table: readonly (readonly [
    name: string,
    expected: AutoRebalanceDecision['kind'] | 'rebalance' | 'close',
    decision: () => AutoRebalanceDecision,
    words?: RegExp,
  ])[] = [
    ['in range', 'fine', () => decided(times(5, listed()))],
    [
      'out of range in as many checks as the rules say',
      'rebalance',
      () => decided(times(3, above())),
      /5 bins above its range.*3 checks.*\$100\.00.*0 of 3/,
    ],
    ['below its range likewise', 'rebalance', () => decided(times(3, listed({ active: -390 }))), /4 bins below/],
    ['out of range in too few checks', 'wait', () => decided(times(2, above())), /2 of 3 required checks/],
    [
      'out of range, and no check has seen it',
      'wait',
      () =>
        decide({
          position: above(),
          observations: undefined,
          history: historyOf([], [], OWNER) ?? assert.fail('no history'),
          rules: rulesWith(),
          nowMs: START_MS,
        }),
      /above its range\. .*0 of 3 required checks/,
    ],
    ['once is never enough', 'wait', () => decided(times(1, above()), { rules: rulesWith({ outOfRangeChecks: 1 }) }), /1 of 2/],
    ['in range in between', 'wait', () => decided([above(), above(), listed(), above(), above()]), /2 of 3/],
    ['back in range', 'fine', () => decided([above(), above(), above(), listed()])],
    ['checks that lie too far apart are not in a row', 'wait', () => decided(times(3, above()), { everyMs: 6 * MINUTE_MS }), /1 of 3/],
    ['looks within one interval are one check', 'wait', () => decided(times(9, above()), { everyMs: 5_000 })],
    ['worth less than the rules say', 'leftAlone', () => decided(times(3, above({ valueUsd: 24 }))), /\$24\.00.*\$25\.00/],
    ['worth enough only now', 'wait', () => decided([...times(2, above({ valueUsd: 24 })), above()]), /value.*2 checks in a row/],
    ['nothing in it', 'leftAlone', () => decided(times(3, above({ valueUsd: 0 })), { rules: rulesWith({ leastValueUsd: 0 }) }), /is empty/],
    ['opened a minute ago', 'wait', () => decided(times(3, above({ ageMs: MINUTE_MS, nowMs: START_MS + 2 * MINUTE_MS }))), /two minutes/],
    ['its pool is left alone', 'leftAlone', () => decided(times(3, above()), { rules: rulesWith({ poolsLeftAlone: [POOL] }) }), /pool/],
    [
      'its pool is left alone, also by the stop-loss',
      'leftAlone',
      () => decided(times(3, LOST), { rules: { ...LOSS, poolsLeftAlone: [POOL] } }),
    ],
    ['of another wallet', 'leftAlone', () => decided(times(3, { ...above(), owner: OTHER_OWNER }))],
    ['without an id', 'leftAlone', () => decided(times(3, { ...above(), id: undefined }))],
    ['of a pool without ranges', 'fine', () => decided(times(3, openPosition(0, { poolType: 'dammV2' })))],
    [
      'something of it is under way',
      'wait',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(0), to: at(1), atMs: START_MS, until: 'zapOutSent' }) }),
      /Activity/,
    ],
    [
      'a zap-in to its pool is under way',
      'wait',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(7), to: at(8), atMs: START_MS, until: 'zapInSent' }) }),
      /zap-in to its pool/,
    ],
    ['half done', 'user', () => decided(times(3, above()), { records: [halfZappedOut('a', at(0), START_MS)] }), /partially executed/],
    [
      're-centered half an hour ago',
      'wait',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(0.5) }) }),
      /cooldown .* ends in \d+ minutes/,
    ],
    [
      're-centered two hours ago',
      'rebalance',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(2) }) }),
      /1 of 3/,
    ],
    [
      'as often a day as the rules allow, with those it came from',
      'wait',
      () =>
        decided(times(3, above()), {
          records: [
            [2, 1, 0],
            [4, 2, 1],
            [6, 3, 2],
          ].flatMap(([hours, from, to]) =>
            rebalanced({ id: `r${from ?? 0}`, from: at(from ?? 0), to: at(to ?? 0), atMs: AGO(hours ?? 0) }),
          ),
        }),
      /predecessors in 24 hours: 3 \(limit: 3\)/,
    ],
    [
      'a day ago the first of them',
      'rebalance',
      () =>
        decided(times(3, above()), {
          records: [
            [2, 1, 0],
            [4, 2, 1],
            [25, 3, 2],
          ].flatMap(([hours, from, to]) =>
            rebalanced({ id: `r${from ?? 0}`, from: at(from ?? 0), to: at(to ?? 0), atMs: AGO(hours ?? 0) }),
          ),
        }),
    ],
    [
      'as many of all positions as the rules allow',
      'wait',
      () =>
        decided(times(3, above()), {
          rules: rulesWith({ mostPerDay: 2 }),
          records: [10, 20].flatMap((from) => rebalanced({ id: `r${from}`, from: at(from), to: at(from + 1), atMs: AGO(3) })),
        }),
      /of all positions in 24 hours: 2 \(limit: 2\)/,
    ],
    ['none are allowed', 'leftAlone', () => decided(times(3, above()), { rules: rulesWith({ mostPerPositionAndDay: 0 }) })],
    ['none are allowed of all', 'leftAlone', () => decided(times(3, above()), { rules: rulesWith({ mostPerDay: 0 }) })],
    [
      'files that cannot be read count',
      'wait',
      () =>
        decided(times(3, above()), {
          rules: rulesWith({ mostPerPositionAndDay: 1, cooldownMs: 0 }),
          problems: [{ file: '20261119T220000000Z-9f3a2b1c77aa.jsonl', what: '' }],
        }),
    ],
    [
      'a loss beyond the stop-loss, seen long enough',
      'close',
      () => decided(times(3, LOST), { rules: LOSS }),
      /down 28\s?% in US dollars \(stop-loss: 20\s?%\)/,
    ],
    ['a loss that was seen once', 'wait', () => decided([listed(), listed(), LOST], { rules: LOSS })],
    ['a loss that was seen for a minute', 'wait', () => decided([listed(), LOST, LOST], { rules: LOSS })],
    ['a loss that was seen five times in a minute', 'wait', () => decided(times(5, LOST), { rules: { ...LOSS, checkEveryMs: 15_000 } })],
    ['a loss in between was none', 'wait', () => decided([LOST, LOST, listed(), LOST, LOST], { rules: LOSS })],
    ['a loss of less', 'fine', () => decided(times(5, listed({ valueUsd: 85 })), { rules: LOSS })],
    [
      'a gain beyond the take-profit',
      'close',
      () => decided(times(3, listed({ valueUsd: 180 })), { rules: PROFIT }),
      /up 82\s?% in US dollars/,
    ],
    [
      'loss and profit one after the other are not one',
      'wait',
      () =>
        decided([LOST, listed({ valueUsd: 180 }), LOST, listed({ valueUsd: 180 })], {
          rules: rulesWith({ stopLossPercent: 20, takeProfitPercent: 50 }),
        }),
    ],
    ['the stop-loss goes before a rebalance', 'close', () => decided(times(3, above({ valueUsd: 70 })), { rules: LOSS })],
    [
      'no rebalance while the stop-loss is not sure yet',
      'wait',
      () => decided([above(), above(), above({ valueUsd: 70 })], { rules: LOSS }),
      /will be closed once/,
    ],
    [
      'no rebalance while gain and loss cannot be told',
      'wait',
      () => decided(times(3, { ...above(), pnlPercent: { usd: -99, native: -99 } }), { rules: LOSS }),
    ],
    [
      'the cooldown does not hold up the stop-loss',
      'close',
      () => decided(times(3, LOST), { rules: LOSS, records: rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(0.2) }) }),
    ],
    ['nor do the limits a day', 'close', () => decided(times(3, LOST), { rules: { ...LOSS, mostPerDay: 0, mostPerPositionAndDay: 0 } })],
    [
      "a loss of what is worth too little is the user's",
      'user',
      () => decided(times(3, listed({ valueUsd: 20 })), { rules: LOSS }),
      /stays open/,
    ],
    [
      'a loss in SOL',
      'close',
      () =>
        decided(
          times(3, {
            ...listed(),
            pnl: { usd: 2, native: -0.2 },
            pnlPercent: { usd: 2, native: -30 },
            input: { usd: 100, native: 2 / 3 },
            value: { usd: 100, native: 2 / 3 },
            output: { usd: 0, native: -0.2 - 2 / 150 },
          }),
          { rules: { ...LOSS, pnlIn: 'native' } },
        ),
      /in SOL/,
    ],
    [
      '-99 % for a minute',
      'wait',
      () =>
        decided([listed(), ...times(2, { ...listed(), pnl: { usd: -99, native: -0.66 }, pnlPercent: { usd: -99, native: -99 } })], {
          rules: LOSS,
        }),
      /consistent figures/,
    ],
    [
      '-99 % for a quarter of an hour is told',
      'user',
      () => decided(times(16, { ...listed(), pnl: { usd: -99, native: -0.66 }, pnlPercent: { usd: -99, native: -99 } }), { rules: LOSS }),
      /check the position yourself/,
    ],
    ['unpriced for a while', 'wait', () => decided(times(5, { ...above(), price0Usd: undefined }))],
    [
      'no gain or loss is looked at where no rule needs one',
      'rebalance',
      () => decided(times(3, { ...above(), pnlPercent: { usd: -99, native: -99 } })),
    ],
  ];
  for (const [name, expected, decision, words] of table) {
    it(`For the case "${name}", auto-rebalance takes the decision "${expected}"`, () => {
      const found = decision();
      assert.equal(found.kind === 'act' ? found.action : found.kind, expected, found.why);
      assert.match(found.why, words ?? /\.$/);
      assert.match(found.why, /^[A-Z-].*\.$/);
    });
  }

  it('A decision to wait for a limit has the time at which the limit allows one more', () => {
    const records = rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(2) });
    const found = decided(times(3, above()), { rules: rulesWith({ mostPerPositionAndDay: 1 }), records });
    assert.ok(found.kind === 'wait' && found.untilMs !== undefined);
    const sentAtMs = Math.max(
      ...records.flatMap(({ events }) => events.filter(({ kind }) => kind === 'submitted').map(({ atMs }) => atMs)),
    );
    assert.equal(found.untilMs, sentAtMs + DAY_MS);
  });
});

/** What a check may find: a life, and whether its figures are spoiled. */
const arbitrarySight = fc.record({
  active: fc.constantFrom(-381, -370, -370, -370, -370, -395),
  valueUsd: fc.constantFrom(100, 100, 100, 70, 20, 180),
  glitch: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...Object.keys(GLITCHES)) }),
  waitMs: fc.constantFrom(MINUTE_MS, MINUTE_MS, MINUTE_MS, MINUTE_MS, 20_000, 4 * HOUR_MS),
  /** It stays as it is for so many checks. */
  stays: fc.integer({ min: 1, max: 4 }),
});

const arbitraryRules = fc
  .record({
    outOfRangeChecks: fc.integer({ min: 1, max: 4 }),
    leastValueUsd: fc.constantFrom(0, 25, 75),
    cooldownMs: fc.constantFrom(0, HOUR_MS, 3 * HOUR_MS),
    mostPerPositionAndDay: fc.integer({ min: 0, max: 3 }),
    mostPerDay: fc.integer({ min: 0, max: 5 }),
    stopLossPercent: fc.constantFrom(undefined, 20),
    takeProfitPercent: fc.constantFrom(undefined, 50),
  })
  .map(rulesWith);

/** Rebalances of two lines, so many hours before the first check. */
const arbitraryPast = fc.array(
  fc.record({
    isOfThis: fc.boolean(),
    hoursAgo: fc.double({ min: 0, max: 30, noNaN: true }),
    until: fc.constantFrom('notSent', 'zapOutExpired', 'settled', 'settled'),
  }),
  { maxLength: 5 },
);

describe('Decisions, whatever was seen and done before', function () {
  it('Auto-rebalance never acts on implausible figures, on figures seen too seldom, or above a limit', () => {
    let acted = 0;
    fc.assert(
      fc.property(fc.array(arbitrarySight, { minLength: 1, maxLength: 5 }), arbitraryRules, arbitraryPast, (sights, rules, past) => {
        // The reference keeps its own books, from what the world is like and not from what is reported of it.
        const sorted = past.toSorted((a, b) => b.hoursAgo - a.hoursAgo);
        let current = 50;
        const records = sorted
          .flatMap(({ isOfThis, hoursAgo, until }, index) => {
            const isMade = isOfThis && until === 'settled';
            const step = rebalanced({
              id: `r${index}`,
              from: isOfThis ? at(current) : at(200 + index),
              to: isOfThis ? at(current + 1) : at(300 + index),
              atMs: START_MS - hoursAgo * HOUR_MS - 20_000,
              until,
            });
            current += isMade ? 1 : 0;
            return [step];
          })
          .toReversed()
          .flat();
        const sentMs = ({ hoursAgo }: { readonly hoursAgo: number }) => START_MS - hoursAgo * HOUR_MS;
        const sent = past.filter(({ until }) => until !== 'notSent');
        const history = historyOf(records, [], OWNER);
        assert.ok(history !== undefined);
        let observations: ReadonlyMap<string, ObservationHistory> = new Map();
        let nowMs = START_MS;
        const seen: { readonly atMs: number; readonly active: number; readonly valueUsd: number; readonly spoils: string | undefined }[] =
          [];
        for (const { active, valueUsd, glitch, waitMs } of sights.flatMap((sight) => Array.from({ length: sight.stays }, () => sight))) {
          nowMs += waitMs;
          const honest = listed({ number: current, active, valueUsd, nowMs });
          const kind = glitch === undefined ? undefined : GLITCHES[glitch];
          const position = kind?.of(honest) ?? honest;
          seen.push({ atMs: nowMs, active, valueUsd, spoils: kind?.spoils });
          observations = observe(observations, [position], rules, nowMs);
          const decision = decide({ position, observations: observations.get(position.key), history, rules, nowMs });
          if (decision.kind !== 'act') {
            continue;
          }
          acted += 1;
          assert.ok(valueUsd >= rules.leastValueUsd);
          if (decision.action === 'close') {
            const isBeyond = (value: number) =>
              (rules.stopLossPercent !== undefined && value === 70) ||
              value === 20 ||
              (rules.takeProfitPercent !== undefined && value === 180);
            const row = seen.slice(
              seen.findLastIndex(
                (one) => (one.spoils !== undefined && one.spoils !== 'range') || (one.valueUsd !== valueUsd && !isBeyond(one.valueUsd)),
              ) + 1,
            );
            assert.ok(isBeyond(valueUsd) && row.length >= 2 && nowMs - (row[0]?.atMs ?? nowMs) >= LEAST_OBSERVED_MS);
            continue;
          }
          const isOut = (one: (typeof seen)[number]) => one.active !== -381 && one.spoils !== 'range';
          const row = seen.slice(seen.findLastIndex((one) => !isOut(one)) + 1);
          assert.ok(row.length >= Math.max(2, rules.outOfRangeChecks));
          assert.ok([...seen].slice(-2).every((one) => one.spoils !== 'worth' && one.valueUsd >= rules.leastValueUsd));
          const dayAgo = nowMs - DAY_MS;
          assert.ok(sent.filter((one) => sentMs(one) > dayAgo).length < rules.mostPerDay);
          assert.ok(sent.filter((one) => one.isOfThis && sentMs(one) > dayAgo).length < rules.mostPerPositionAndDay);
          assert.ok(sent.every((one) => !one.isOfThis || sentMs(one) - 20_000 + rules.cooldownMs <= nowMs));
          assert.ok(rules.stopLossPercent === undefined || valueUsd >= 80);
          assert.ok(rules.takeProfitPercent === undefined || valueUsd < 150);
        }
      }),
      { numRuns: 1_000 },
    );
    assert.ok(acted > 100, `It acted ${acted} times: the property says next to nothing`);
  });
});
