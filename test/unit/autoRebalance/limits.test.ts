import assert from 'node:assert/strict';
import { historyOf, type WalletHistory } from '../../../src/autoRebalance/history';
import { AskedActions, mostCostLamports, mostReentryLamports, withLimits, worthsOf } from '../../../src/autoRebalance/limits';
import type { AutoRebalanceAction, AutoRebalanceRules, ConfirmedWorth, PlannedPosition } from '../../../src/autoRebalance/types';
import type { OpenPosition } from '../../../src/service/positions';
import type { OperationRecord } from '../../../src/transactions/journal/types';
import { HOUR_MS, listed, POOL, rulesWith, START_MS } from '../../support/autoRebalance/listed';
import { closed, rebalanced, zappedIn } from '../../support/autoRebalance/rebalances';
import { addressOf, OWNER } from '../../support/portfolio/fixtures';

const at = (number: number) => addressOf(1_000 + number);
const SOL = 1_000_000_000n;

function history(...records: readonly (readonly OperationRecord[])[]): WalletHistory {
  return historyOf(records.flat(), [], OWNER) ?? assert.fail('no history');
}

const planned = (action: AutoRebalanceAction, positions: readonly OpenPosition[]): readonly PlannedPosition[] =>
  positions.map((position) => ({ position, decision: { kind: 'act', action, why: 'It is due.' } }));
const positions = (count: number) => Array.from({ length: count }, (_, number) => listed({ number }));

/** Why each action is a question; `undefined`: it is none. */
function asks(
  due: readonly PlannedPosition[],
  {
    records = history(),
    rules = rulesWith(),
    worths = worthsOf(positions(20), rules),
    nowMs = START_MS,
  }: {
    readonly records?: WalletHistory;
    readonly rules?: AutoRebalanceRules;
    readonly worths?: readonly ConfirmedWorth[];
    readonly nowMs?: number;
  } = {},
): readonly (string | undefined)[] {
  return withLimits(due, records, rules, worths, nowMs).map(({ decision }) => (decision.kind === 'act' ? decision.asks : decision.kind));
}

describe('What auto-rebalance asks about in every mode', () => {
  it('Up to two closings at once need no question, and more of them are all questions', () => {
    assert.deepEqual(asks(planned('close', positions(2))), [undefined, undefined]);
    for (const many of [3, 12]) {
      const found = asks(planned('close', positions(many)));
      assert.equal(found.length, many);
      assert.ok(found.every((why) => why === `Closings at once: ${many} (limit: 2).`));
    }
  });

  it('Closings beyond the limit of 24 hours are questions, also those in the future after the clock was set back', () => {
    const hoursAgo = (...hours: readonly number[]) =>
      history(...hours.map((hour, index) => [closed(`c${index}`, at(100 + index), START_MS - hour * HOUR_MS)]));
    const due = planned('close', positions(1));
    assert.deepEqual(asks(due, { records: hoursAgo(1, 2) }), [undefined]);
    assert.deepEqual(asks(due, { records: hoursAgo(1, 2, 25) }), [undefined]);
    for (const records of [hoursAgo(1, 2, 3), hoursAgo(1, 2, -5)]) {
      assert.match(asks(due, { records })[0] ?? '', /Closings in 24 hours: 3 \(limit: 3\)/);
    }
    assert.match(asks(due, { rules: rulesWith({ mostClosingsPerDay: 0 }) })[0] ?? '', /limit: 0/);
  });

  it('A closing that the user approved does not count against the limit of auto-rebalance', () => {
    const records = history(...[1, 2, 3].map((hour) => [closed(`c${hour}`, at(100 + hour), START_MS - hour * HOUR_MS, { by: 'user' })]));
    assert.deepEqual(asks(planned('close', positions(1)), { records }), [undefined]);
  });

  it('A rebalance of a position that is worth more than when the rules were confirmed plus ten percent is a question', () => {
    const worths = worthsOf([listed({ valueUsd: 150, feeUsd: 0 })], rulesWith());
    assert.deepEqual(worths, [{ position: at(0), lamports: SOL }]);
    const [within] = withLimits(planned('rebalance', [listed({ valueUsd: 164, feeUsd: 0 })]), history(), rulesWith(), worths, START_MS);
    assert.ok(within?.decision.kind === 'act');
    assert.deepEqual([within.decision.asks, within.decision.mostReentryLamports], [undefined, 1_100_000_000n]);
    assert.match(
      asks(planned('rebalance', [listed({ valueUsd: 166, feeUsd: 0 })]), { worths })[0] ?? '',
      /may deposit at most 1\.1 SOL, and it is worth 1\.1067 SOL\./,
    );
  });

  it('A rebalance of a position that was not there, or had no figures, when the rules were confirmed is a question', () => {
    const unpriced = { ...listed(), value: { usd: undefined, native: undefined } };
    for (const worths of [[], worthsOf([unpriced], rulesWith()), worthsOf([listed()], rulesWith({ poolsLeftAlone: [POOL] }))]) {
      assert.match(
        asks(planned('rebalance', [listed()]), { worths, rules: rulesWith({ mostCostPercentPerDay: 100 }) })[0] ?? '',
        /was not known when you confirmed/,
      );
    }
  });

  it('The limit of a re-entry follows a position through rebalances, and does not grow with them', () => {
    const records = history(
      rebalanced({ id: 'b', from: at(51), to: at(52), atMs: START_MS - HOUR_MS }),
      rebalanced({ id: 'a', from: at(50), to: at(51), atMs: START_MS - 2 * HOUR_MS }),
    );
    assert.equal(mostReentryLamports(listed({ number: 52 }), [{ position: at(50), lamports: SOL }], records), 1_100_000_000n);
    assert.equal(mostReentryLamports(listed({ number: 53 }), [{ position: at(50), lamports: SOL }], records), undefined);
  });

  it('A position that the user opened with Binsight after that re-enters with what went in plus ten percent', () => {
    const records = history([zappedIn('a', at(60), START_MS - HOUR_MS, 2n * SOL)]);
    assert.equal(mostReentryLamports(listed({ number: 60 }), [], records), 2_200_000_000n);
    const later = history(rebalanced({ id: 'b', from: at(60), to: at(61), atMs: START_MS }), [
      zappedIn('a', at(60), START_MS - HOUR_MS, 2n * SOL),
    ]);
    assert.equal(mostReentryLamports(listed({ number: 61 }), [], later), 2_200_000_000n);
  });

  it('Every action is a question once the operations of 24 hours cost one percent of what the positions were worth', () => {
    const worths = [{ position: at(0), lamports: SOL }];
    const rules = rulesWith();
    assert.equal(mostCostLamports(worths, rules), 10_000_000n);
    const costing = (tipLamports: bigint, swapCostLamports: bigint, hoursAgo = 1, by: 'user' | 'automation' = 'automation') =>
      history([closed('c', at(100), START_MS - hoursAgo * HOUR_MS, { by, tipLamports, swapCostLamports })]);
    for (const action of ['rebalance', 'close'] as const) {
      const due = planned(action, [listed({ valueUsd: 100 })]);
      const found = (records: WalletHistory) => asks(due, { records, worths, rules })[0];
      assert.equal(found(costing(5_000_000n, 4_999_999n)), undefined);
      assert.match(found(costing(5_000_000n, 5_000_000n)) ?? '', /Costs in 24 hours: 0\.01 SOL \(limit: 0\.01 SOL\)/);
      assert.equal(found(costing(5_000_000n, 5_000_000n, 25)), undefined);
      assert.notEqual(found(costing(5_000_000n, 5_000_000n, -1)), undefined, 'the clock was set back');
      assert.equal(found(costing(5_000_000n, 5_000_000n, 1, 'user')), undefined, 'the user approved it');
    }
    assert.notEqual(asks(planned('close', [listed()]), { worths, rules: rulesWith({ mostCostPercentPerDay: 0 }) })[0], undefined);
  });

  it('An action stays a question until its position is fine again, also when the reason is gone', () => {
    const asked = new AskedActions();
    const position = listed();
    const next = (decision: PlannedPosition['decision']) => {
      const [found] = asked.applied([{ position, decision }]);
      return found?.decision.kind === 'act' ? found.decision.asks : found?.decision.kind;
    };
    const due = { kind: 'act', action: 'close', why: 'It is due.' } as const;
    assert.equal(next({ ...due, asks: 'It asks you.' }), 'It asks you.');
    assert.equal(next(due), 'It asks you.');
    assert.equal(next({ kind: 'wait', why: 'Later.', untilMs: undefined }), 'wait');
    assert.equal(next(due), 'It asks you.');
    assert.equal(next({ kind: 'fine', why: 'In range.' }), 'fine');
    assert.equal(next(due), undefined);
  });
});
