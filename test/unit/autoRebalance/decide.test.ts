import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OpenPosition } from '../../../src/service/positions';
import { decide } from '../../../src/autoRebalance/decide';
import { historyOf, type WalletHistory } from '../../../src/autoRebalance/history';
import { DAY_MS } from '../../../src/base/time';
import { seenOf } from '../../../src/autoRebalance/inputs';
import { type Ledgers, readLedgers, withLedgers, writtenLedgers } from '../../../src/autoRebalance/ledger';
import { LEAST_CONFIRMING_MS, observe, type ObservationHistory, type Seen } from '../../../src/autoRebalance/observations';
import type { AutoRebalanceRules, AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import { USDC_MINT } from '../../../src/base/solana/programs';
import type { PoolFact } from '../../../src/review/facts/facts';
import type { JournalProblem, OperationRecord } from '../../../src/transactions/journal/types';
import { addressOf, openPosition, OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';
import {
  above,
  atSolPrice,
  GLITCHES,
  HOUR_MS,
  listed,
  MINUTE_MS,
  POOL,
  poolOf,
  rulesWith,
  START_MS,
  withGain,
} from '../../support/autoRebalance/listed';
import { halfZappedOut, rebalanced, zappedOut } from '../../support/autoRebalance/rebalances';

const at = (number: number) => addressOf(1_000 + number);

/** What is decided after checks that saw one after the other. */
function decided(
  sights: readonly OpenPosition[],
  {
    rules = rulesWith(),
    records = [],
    problems = [],
    everyMs = rules.checkEveryMs,
    onChain = () => undefined,
    ledgers = new Map(),
  }: {
    readonly rules?: AutoRebalanceRules;
    readonly records?: readonly OperationRecord[];
    readonly problems?: readonly JournalProblem[];
    readonly everyMs?: number;
    /** The pool of a sight by the account on the chain. */
    readonly onChain?: (position: OpenPosition) => PoolFact | undefined;
    readonly ledgers?: Ledgers;
  } = {},
): AutoRebalanceDecision {
  const history = historyOf(records, problems, OWNER);
  const position = sights.at(-1);
  assert.ok(position !== undefined && history !== undefined);
  const checks = new Checks(rules, history, ledgers);
  sights.forEach((sight, index) => checks.see(sight, START_MS + index * everyMs, onChain(sight)));
  return checks.decide(position, START_MS + (sights.length - 1) * everyMs, onChain(position));
}

/** The checks of one position, as the scheduler makes them. */
class Checks {
  #observations: ReadonlyMap<string, ObservationHistory> = new Map();
  readonly #rules: AutoRebalanceRules;
  readonly #history: WalletHistory;
  #ledgers: Ledgers;

  constructor(rules: AutoRebalanceRules, history: WalletHistory, ledgers: Ledgers = new Map()) {
    this.#rules = rules;
    this.#history = history;
    this.#ledgers = ledgers;
  }

  get ledgers(): Ledgers {
    return this.#ledgers;
  }

  see(position: OpenPosition, nowMs: number, pool?: PoolFact): void {
    this.#observations = observe(this.#observations, [this.#seen(position, pool)], this.#rules, nowMs);
    this.#ledgers = withLedgers(this.#ledgers, [position], this.#history, nowMs);
  }

  decide(position: OpenPosition, nowMs: number, pool?: PoolFact): AutoRebalanceDecision {
    const { key } = position;
    return decide({
      ...this.#seen(position, pool),
      ...{ observations: this.#observations.get(key), ledger: this.#ledgers.get(key) },
      ...{ history: this.#history, rules: this.#rules, nowMs },
    });
  }

  #seen(position: OpenPosition, pool: PoolFact | undefined): Seen {
    const [seen] = seenOf(
      { positions: [position], pools: new Map(pool === undefined ? [] : [[POOL, pool]]), history: this.#history, asOfMs: 0 },
      this.#ledgers,
      this.#rules,
    );
    return seen ?? assert.fail('a position is seen');
  }
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
      /5 bins above its range.*3 of 3 checks.*\$100\.00.*24 hours: 0 \(limit: 3\)/,
    ],
    ['below its range likewise', 'rebalance', () => decided(times(3, listed({ active: -390 }))), /4 bins below/],
    ['out of range in too few checks', 'wait', () => decided(times(2, above())), /2 of 3 checks/],
    [
      'out of range, and no check has seen it',
      'wait',
      () => new Checks(rulesWith(), historyOf([], [], OWNER) ?? assert.fail('no history')).decide(above(), START_MS),
      /above its range\. .*0 of 3 checks/,
    ],
    ['once is never enough', 'wait', () => decided(times(1, above()), { rules: rulesWith({ outOfRangeChecks: 1 }) }), /1 of 2/],
    ['in range in between', 'wait', () => decided([above(), above(), listed(), above(), above()]), /2 of 3/],
    ['back in range', 'fine', () => decided([above(), above(), above(), listed()])],
    [
      'checks that lie too far apart are not in a row',
      'wait',
      () => decided(times(3, above()), { everyMs: 6 * MINUTE_MS }),
      /1 of 3 checks/,
    ],
    ['looks within one interval are one check', 'wait', () => decided(times(9, above()), { everyMs: 5_000 })],
    ['worth less than the rules say', 'leftAlone', () => decided(times(3, above({ valueUsd: 24 }))), /\$24\.00.*\$25\.00/],
    ['worth enough only now', 'wait', () => decided([...times(2, above({ valueUsd: 24 })), above()]), /value.*2 checks in a row/],
    ['nothing in it', 'leftAlone', () => decided(times(3, above({ valueUsd: 0 })), { rules: rulesWith({ leastValueUsd: 0 }) }), /is empty/],
    [
      'opened a minute ago',
      'wait',
      () => decided(times(3, above({ ageMs: MINUTE_MS, nowMs: START_MS + 2 * MINUTE_MS }))),
      /It is new: its figures may still be estimates/,
    ],
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
      /Another operation is in progress/,
    ],
    [
      'a zap-in to its pool is under way',
      'wait',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(7), to: at(8), atMs: START_MS, until: 'zapInSent' }) }),
      /Another operation is in progress/,
    ],
    [
      'half done',
      'user',
      () => decided(times(3, above()), { records: [halfZappedOut('a', at(0), START_MS)] }),
      /Its last zap-out may have landed in part/,
    ],
    [
      're-centered half an hour ago',
      'wait',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(0.5) }) }),
      /Cooldown: \d+ minutes/,
    ],
    [
      're-centered two hours ago',
      'rebalance',
      () => decided(times(3, above()), { records: rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(2) }) }),
      /24 hours: 1 \(limit: 3\)/,
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
      /this position in 24 hours: 3 \(limit: 3\)/,
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
      /Rebalances and closings in 24 hours: 2 \(limit: 2\)/,
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
      () => decided(times(6, LOST), { rules: LOSS }),
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
      () => decided(times(6, listed({ valueUsd: 180 })), { rules: PROFIT }),
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
    ['the stop-loss goes before a rebalance', 'close', () => decided(times(6, above({ valueUsd: 70 })), { rules: LOSS })],
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
      () => decided(times(6, LOST), { rules: LOSS, records: rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(0.2) }) }),
    ],
    ['nor do the limits a day', 'close', () => decided(times(6, LOST), { rules: { ...LOSS, mostPerDay: 0, mostPerPositionAndDay: 0 } })],
    [
      "a loss of what is worth too little is the user's",
      'user',
      () => decided(times(6, listed({ valueUsd: 20 })), { rules: LOSS }),
      /is below the .+ minimum of your rules/,
    ],
    [
      'a loss in SOL',
      'close',
      () =>
        decided(
          times(6, {
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

describe('What auto-rebalance does about a glitch', () => {
  const HISTORY = historyOf([], [], OWNER) ?? assert.fail('no history');

  /** What is done about a position that looks like each of `sights` for some time, if all checks are `everyMs` apart: the first action. */
  function actionOn(
    sights: readonly { readonly position: OpenPosition; readonly forMs: number; readonly pool?: PoolFact }[],
    {
      rules = LOSS,
      everyMs = MINUTE_MS,
      history = HISTORY,
      checks = new Checks(rules, history),
      startMs = START_MS,
    }: {
      readonly rules?: AutoRebalanceRules;
      readonly everyMs?: number;
      readonly history?: WalletHistory;
      readonly checks?: Checks;
      readonly startMs?: number;
    } = {},
  ): { readonly action: string | undefined; readonly atMs: number; readonly why: string; readonly kind: AutoRebalanceDecision['kind'] } {
    let nowMs = startMs;
    let last: AutoRebalanceDecision | undefined;
    for (const { position, forMs, pool } of sights) {
      for (const endMs = nowMs + forMs; nowMs < endMs; nowMs += everyMs) {
        checks.see(position, nowMs, pool);
        last = checks.decide(position, nowMs, pool);
        if (last.kind === 'act') {
          return { action: last.action, atMs: nowMs - startMs, why: last.why, kind: last.kind };
        }
      }
    }
    assert.ok(last !== undefined);
    return { action: undefined, atMs: nowMs - startMs, why: last.why, kind: last.kind };
  }

  const honest = listed();
  const calm = { position: honest, forMs: 10 * MINUTE_MS, pool: poolOf(honest) };
  const fallen = atSolPrice(honest, 0.5);

  it('SOL listed at half its price in two checks 90 seconds apart closes none of twelve positions', () => {
    for (let number = 0; number < 12; number += 1) {
      const position = listed({ number, active: number < 6 ? -381 : -370, valueUsd: 40 + 20 * number, inputUsd: 40 + 20 * number });
      const rules = rulesWith({ stopLossPercent: 30, outOfRangeChecks: 100 });
      const halved = { position: atSolPrice(position, 0.5), forMs: 3 * MINUTE_MS, pool: poolOf(position) };
      assert.equal(actionOn([halved], { rules, everyMs: 90_000 }).action, undefined);
    }
  });

  it('A price glitch of less than five minutes closes nothing, up or down, however often the positions are checked', () => {
    const rules = rulesWith({ stopLossPercent: 20, takeProfitPercent: 50 });
    for (const factor of [0.02, 0.33, 0.5, 0.7, 2, 10]) {
      for (const everyMs of [15_000, 30_000, MINUTE_MS, 90_000]) {
        for (const pool of [undefined, poolOf(honest)]) {
          const glitch = { position: atSolPrice(honest, factor), forMs: 5 * MINUTE_MS, ...(pool && { pool }) };
          const found = actionOn([calm, glitch, { ...calm, forMs: 3 * MINUTE_MS }, glitch, calm], { rules, everyMs });
          assert.equal(found.action, undefined, `${factor} ${everyMs}: ${found.why}`);
        }
      }
    }
  });

  it('A loss that lasts five minutes and four checks closes the position, also if only the service reports it', () => {
    assert.deepEqual(
      [15_000, MINUTE_MS, 100_000, 4 * MINUTE_MS].map((everyMs) => {
        const { action, atMs } = actionOn([{ position: fallen, forMs: 60 * MINUTE_MS }], { everyMs });
        return [action, atMs];
      }),
      [
        ['close', 5 * MINUTE_MS],
        ['close', 5 * MINUTE_MS],
        ['close', 5 * MINUTE_MS],
        ['close', 12 * MINUTE_MS],
      ],
    );
  });

  it('A loss that the price of the pool on the chain proves closes the position after two checks and 90 seconds', () => {
    // 35 bins lower, the position is all tokens, which are worth 0.7 of what they were.
    const crashed = listed({ active: -416, valueUsd: 75 });
    const { action, atMs } = actionOn([calm, { position: crashed, forMs: 60 * MINUTE_MS, pool: poolOf(crashed) }], {
      rules: rulesWith({ stopLossPercent: 20 }),
    });
    assert.deepEqual([action, atMs - calm.forMs], ['close', 2 * MINUTE_MS]);
  });

  /** The same in a pool against a dollar token. */
  const inDollars = (position: OpenPosition): OpenPosition => {
    const solUsd = position.price1Usd ?? 0;
    const times = (figure = 0) => figure * solUsd;
    return {
      ...atSolPrice(position, 1 / solUsd),
      ...{ token1: { ...position.token1, address: USDC_MINT, symbol: 'USDC' } },
      ...{ amount0: times(position.amount0), amount1: times(position.amount1), uncollectedFee1: times(position.uncollectedFee1) },
      ...{ value: position.value, uncollectedFee: position.uncollectedFee, pnl: position.pnl, pnlPercent: position.pnlPercent },
    };
  };

  it('A pool against a dollar token proves a loss in US dollars, unless the dollar token is listed at another price', () => {
    const [before, crashed] = [inDollars(honest), inDollars(listed({ active: -416, valueUsd: 75 }))];
    const start = { position: before, forMs: 10 * MINUTE_MS, pool: poolOf(before) };
    const { action, atMs } = actionOn([start, { position: crashed, forMs: HOUR_MS, pool: poolOf(crashed) }]);
    assert.deepEqual([action, atMs - start.forMs], ['close', 2 * MINUTE_MS]);
    const halved = atSolPrice(before, 0.5);
    const glitch = actionOn([start, { position: halved, forMs: HOUR_MS, pool: poolOf(halved) }]);
    assert.deepEqual([glitch.action, glitch.atMs - start.forMs], ['close', 5 * MINUTE_MS]);
  });

  const unproven: Readonly<Record<string, { readonly position: OpenPosition; readonly pool?: PoolFact }>> = {
    'the RPC does not answer': { position: listed({ active: -416, valueUsd: 75 }) },
    'the position lost more than the price': { position: listed({ active: -391, valueUsd: 60 }), pool: poolOf(listed({ active: -391 })) },
    'the amounts halved, and the price stayed': { position: listed({ valueUsd: 50 }), pool: poolOf(honest) },
    'only the price of SOL fell': { position: fallen, pool: poolOf(honest) },
  };
  for (const [name, sight] of Object.entries(unproven)) {
    it(`A loss has to last five minutes where the chain does not prove it: ${name}`, () => {
      const { action, atMs } = actionOn([calm, { ...sight, forMs: 60 * MINUTE_MS }]);
      assert.deepEqual([action, atMs - calm.forMs], ['close', 5 * MINUTE_MS]);
    });
  }

  it('A price that the pool on the chain contradicts closes and rebalances nothing, however long it lasts, and the user is told', () => {
    const lied = listed({ active: -416, valueUsd: 75 });
    for (const pool of [poolOf(honest), { kind: 'none', program: undefined } as const, { ...poolOf(lied), tokenX: OTHER_OWNER }]) {
      const found = actionOn([calm, { position: lied, forMs: 60 * MINUTE_MS, pool }]);
      assert.equal(found.kind, 'user');
      assert.match(found.why, /do not match: Price, Pool price\..*check the position yourself/);
      assert.equal(actionOn([{ position: lied, forMs: 60 * MINUTE_MS, pool }], { rules: rulesWith() }).action, undefined);
    }
  });

  it('A position that the service lists just outside its range is not rebalanced while the pool on the chain is within it', () => {
    const outside = above({}, 1);
    const found = actionOn([{ position: outside, forMs: 60 * MINUTE_MS, pool: poolOf(outside, -376) }], { rules: rulesWith() });
    assert.equal(found.kind, 'user');
    assert.match(found.why, /but on the chain it is −376/);
    assert.equal(
      actionOn([{ position: outside, forMs: 60 * MINUTE_MS, pool: poolOf(outside) }], { rules: rulesWith() }).action,
      'rebalance',
    );
  });

  it('A listed price that is not that of the active bin triggers no stop-loss', () => {
    const { price0Usd = 0, amount0 = 0 } = fallen;
    const found = actionOn([{ position: { ...fallen, price0Usd: price0Usd / 3, amount0: amount0 * 3 }, forMs: 60 * MINUTE_MS }]);
    assert.equal(found.action, undefined);
    assert.match(found.why, /do not match: Price, Pool price\./);
  });

  const ledgers: Readonly<Record<string, { readonly before: OpenPosition; readonly after: OpenPosition; readonly why: RegExp }>> = {
    'the deposit doubles': { before: honest, after: listed({ inputUsd: 200 }), why: /deposit of \$200\.00; earlier it was \$100\.00/ },
    'the deposit halves': { before: honest, after: listed({ inputUsd: 50 }), why: /deposit of \$50\.00; earlier it was \$100\.00/ },
    'what was withdrawn is missing': {
      before: withGain({ ...honest, output: { usd: 80, native: 80 / 150 }, input: { usd: 180, native: 1.2 } }),
      after: withGain({ ...honest, input: { usd: 180, native: 1.2 } }),
      why: /less as withdrawn or collected/,
    },
    'the collected fees are missing': {
      before: withGain({ ...honest, collectedFee: { usd: 80, native: 80 / 150 }, input: { usd: 180, native: 1.2 } }),
      after: withGain({ ...honest, input: { usd: 180, native: 1.2 } }),
      why: /less as withdrawn or collected/,
    },
  };
  for (const [name, { before, after, why }] of Object.entries(ledgers)) {
    it(`A deposit or withdrawal that changes without an operation closes nothing, also after a restart: ${name}`, () => {
      const rules = rulesWith({ stopLossPercent: 20, takeProfitPercent: 50 });
      for (const restarts of [false, true]) {
        const first = new Checks(rules, HISTORY);
        actionOn([{ position: before, forMs: 10 * MINUTE_MS }], { rules, checks: first });
        const kept = readLedgers(JSON.parse(JSON.stringify(writtenLedgers(first.ledgers, 7))), 7);
        const checks = restarts ? new Checks(rules, HISTORY, kept) : first;
        const found = actionOn([{ position: after, forMs: HOUR_MS }], { rules, checks, startMs: START_MS + 10 * MINUTE_MS });
        assert.equal(found.kind, 'user');
        assert.match(found.why, why);
        assert.match(found.why, /check the position yourself/);
      }
    });
  }

  it('A deposit that grows by a little at every check closes nothing', () => {
    const drifting = Array.from({ length: 100 }, (_, index) => ({
      position: listed({ inputUsd: 100 * 1.008 ** index }),
      forMs: MINUTE_MS,
    }));
    const found = actionOn([{ position: honest, forMs: 10 * MINUTE_MS }, ...drifting]);
    assert.match(found.why, /earlier it was \$100\.00/);
  });

  it('A deposit that was confirmed anew counts: rules that are confirmed again begin with what is listed then', () => {
    const checks = new Checks(LOSS, HISTORY);
    actionOn([{ position: honest, forMs: 10 * MINUTE_MS }], { checks });
    const again = new Checks(LOSS, HISTORY, readLedgers(JSON.parse(JSON.stringify(writtenLedgers(checks.ledgers, 7))), 8));
    const { action } = actionOn([{ position: listed({ inputUsd: 200 }), forMs: 10 * MINUTE_MS }], { checks: again });
    assert.equal(action, 'close');
  });

  it('A deposit that differs from what the journal deposited closes nothing from the first check on', () => {
    const history = historyOf(rebalanced({ id: 'a', from: at(9), to: at(0), atMs: AGO(5) }), [], OWNER) ?? assert.fail('no history');
    const rules = rulesWith({ stopLossPercent: 20, takeProfitPercent: 50, pnlIn: 'native' });
    for (const inputUsd of [200, 130, 50]) {
      const found = actionOn([{ position: listed({ inputUsd }), forMs: 24 * HOUR_MS }], { rules, history });
      assert.match(found.why, /but you deposited 0\.6667 SOL\./);
      assert.equal(found.action, undefined);
    }
    assert.equal(actionOn([{ position: listed({ valueUsd: 70 }), forMs: HOUR_MS }], { rules, history }).action, 'close');
  });

  it('A zap-out of a share by Binsight changes what was withdrawn, and the stop-loss goes on', () => {
    const checks = (history: WalletHistory, kept: Ledgers) => new Checks(LOSS, history, kept);
    const before = checks(HISTORY, new Map());
    actionOn([{ position: honest, forMs: 10 * MINUTE_MS }], { checks: before });
    const history = historyOf([zappedOut('a', at(0), START_MS + 10 * MINUTE_MS)], [], OWNER) ?? assert.fail('no history');
    const half = withGain({ ...listed({ valueUsd: 35 }), input: { usd: 50, native: 50 / 150 } });
    const { action } = actionOn([{ position: half, forMs: HOUR_MS }], {
      checks: checks(history, before.ledgers),
      history,
      startMs: START_MS + 11 * MINUTE_MS,
    });
    assert.equal(action, 'close');
  });

  it('What is kept of deposits is bounded, and what cannot be read is seen anew', () => {
    const many = Array.from({ length: 1_100 }, (_, number) => listed({ number }));
    const kept = withLedgers(new Map(), many, HISTORY, START_MS);
    assert.equal(kept.size, 1_000);
    assert.equal(readLedgers(JSON.parse(JSON.stringify(writtenLedgers(kept, 7))), 7).size, 1_000);
    for (const damaged of [undefined, null, 7, '', {}, { sinceMs: 7, entries: [['a', {}]] }]) {
      assert.equal(readLedgers(damaged, 7).size, 0);
    }
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
        const checks = new Checks(rules, history);
        let nowMs = START_MS;
        const seen: { readonly atMs: number; readonly active: number; readonly valueUsd: number; readonly spoils: string | undefined }[] =
          [];
        for (const { active, valueUsd, glitch, waitMs } of sights.flatMap((sight) => Array.from({ length: sight.stays }, () => sight))) {
          nowMs += waitMs;
          const honest = listed({ number: current, active, valueUsd, nowMs });
          const kind = glitch === undefined ? undefined : GLITCHES[glitch];
          const position = kind?.of(honest) ?? honest;
          seen.push({ atMs: nowMs, active, valueUsd, spoils: kind?.spoils });
          checks.see(position, nowMs);
          const decision = checks.decide(position, nowMs);
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
            assert.ok(isBeyond(valueUsd) && row.length >= 4 && nowMs - (row[0]?.atMs ?? nowMs) >= LEAST_CONFIRMING_MS);
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
