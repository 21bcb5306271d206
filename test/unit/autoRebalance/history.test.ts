import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { partialExecutionOn, historyOf, lineageOf, sentInDay, unfinishedOn, type WalletHistory } from '../../../src/autoRebalance/history';
import { DAY_MS } from '../../../src/base/time';
import { recordOf } from '../../../src/transactions/journal/states';
import type { JournalEvent, JournalProblem, OperationRecord } from '../../../src/transactions/journal/types';
import { addressOf, OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';
import { HOUR_MS, listed, START_MS } from '../../support/autoRebalance/listed';
import { halfZappedOut, rebalanced, zappedOut, type Rebalanced } from '../../support/autoRebalance/rebalances';

const at = (number: number) => addressOf(1_000 + number);
const ofAll = (...all: readonly Rebalanced[]): WalletHistory => history(all.flatMap(rebalanced));

function history(records: readonly OperationRecord[], problems: readonly JournalProblem[] = []): WalletHistory {
  const found = historyOf(records, problems, OWNER);
  assert.ok(found !== undefined);
  return found;
}

const froms = (of: WalletHistory, number: number) => lineageOf(listed({ number }), of).map(({ position }) => position);

describe('The history of rebalances', () => {
  it('A rebalanced position inherits the rebalances of its predecessors', () => {
    const chain = ofAll(
      { id: 'c', from: at(2), to: at(3), atMs: START_MS + 2 * HOUR_MS },
      { id: 'b', from: at(1), to: at(2), atMs: START_MS + HOUR_MS },
      { id: 'a', from: at(0), to: at(1), atMs: START_MS },
    );
    assert.deepEqual(froms(chain, 3), [at(2), at(1), at(0)]);
    assert.deepEqual(froms(chain, 1), [at(1), at(0)]);
    assert.deepEqual(froms(chain, 9), []);
  });

  it('Only the rebalances of its own predecessors count for a position', () => {
    // Each step takes the newest position of one of several lines further; the reference counts.
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 25 }), (lines) => {
        const current = new Map<number, number>();
        const counts = new Map<number, number>();
        let next = 100;
        const steps: Rebalanced[] = lines.map((line, index) => {
          const from = current.get(line) ?? line;
          next += 1;
          current.set(line, next);
          counts.set(line, (counts.get(line) ?? 0) + 1);
          return { id: `r${index}`, from: at(from), to: at(next), atMs: START_MS + index * 60_000 };
        });
        const all = ofAll(...steps.toReversed());
        for (const line of [0, 1, 2, 3, 4]) {
          assert.equal(lineageOf(listed({ number: current.get(line) ?? line }), all).length, counts.get(line) ?? 0);
        }
      }),
    );
  });

  it('If the journal does not have the position that a zap-in opened, every new one of the pool may be it', () => {
    const unknown = ofAll({ id: 'a', from: at(0), to: undefined, openBefore: [at(0), at(5)], atMs: START_MS });
    assert.deepEqual(froms(unknown, 7), [at(0)]);
    assert.deepEqual(froms(unknown, 5), []);
    assert.deepEqual(lineageOf({ ...listed({ number: 7 }), pool: addressOf(1) }, unknown), []);
  });

  it('A cycle of predecessors ends the search', () => {
    const circle = ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS }, { id: 'b', from: at(1), to: at(0), atMs: START_MS });
    assert.equal(lineageOf(listed({ number: 0 }), circle).length, 2);
  });

  it('A rebalance counts once something was sent, whatever its outcome', () => {
    const counts = (until: Rebalanced['until']) => ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS, until }).sent.length;
    for (const until of ['zapOutSent', 'zapOutExpired', 'awaitsReentry', 'zapInSent', 'settled'] as const) {
      assert.equal(counts(until), 1, until);
    }
    assert.deepEqual([counts('begun'), counts('notSent')], [0, 0]);
  });

  it('A rebalance counts for a day from its last transaction, and only for its own wallet', () => {
    const one = ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS });
    const sentAtMs = one.sent[0]?.sentAtMs ?? 0;
    assert.ok(sentAtMs > START_MS);
    assert.equal(sentInDay(one, sentAtMs + DAY_MS - 1).length, 1);
    assert.equal(sentInDay(one, sentAtMs + DAY_MS).length, 0);
    assert.equal(sentInDay(one, START_MS - HOUR_MS).length, 1, 'a clock that was set back');
    assert.equal(ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS, owner: OTHER_OWNER }).sent.length, 0);
  });

  it('An unreadable file counts as a rebalance of any position', () => {
    const withProblem = history([], [{ file: '/journal/20261120T010203004Z-9f3a2b1c77aa.jsonl.unreadable', what: 'It is damaged.' }]);
    assert.deepEqual(withProblem.sent, [
      { sentAtMs: Date.UTC(2026, 10, 20, 1, 2, 3, 4), lastMs: Date.UTC(2026, 10, 20, 1, 2, 3, 4), position: undefined },
    ]);
    assert.equal(lineageOf(listed({ number: 7 }), withProblem).length, 1);
    assert.equal(historyOf([], [{ file: '/journal', what: 'No permission.' }], OWNER), undefined, 'a journal that cannot be read at all');
  });

  it('An unfinished operation on a position is found', () => {
    const id = (of: WalletHistory, number: number, alsoOfPool: boolean) => unfinishedOn(listed({ number }), of, alsoOfPool)?.id;
    assert.equal(id(ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS, until: 'zapOutSent' }), 0, false), 'a-out');
    assert.equal(id(ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS, until: 'begun' }), 0, false), 'a');
    const entering = ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS, until: 'zapInSent' });
    assert.equal(id(entering, 1, false), 'a-in');
    assert.equal(id(entering, 7, true), 'a-in', 'another position of the same pool');
    assert.equal(id(entering, 7, false), undefined);
    assert.equal(id(ofAll({ id: 'a', from: at(0), to: at(1), atMs: START_MS }), 1, true), undefined);
  });

  it('A zap-out that may have landed in part is found until the user has seen what is left to do', () => {
    const half = halfZappedOut('a', at(0), START_MS);
    const withEnd = (end: Extract<JournalEvent, { kind: 'failed' }>): OperationRecord => recordOf('a', [...half.events.slice(0, -1), end]);
    const { atMs = 0 } = half.events.at(-1) ?? {};
    const unclear = withEnd({ atMs, kind: 'failed', reason: told('It is not clear.'), isUnclear: true });
    assert.equal(partialExecutionOn(listed({ number: 0 }), history([unclear]))?.id, 'a');
    assert.equal(
      partialExecutionOn(listed({ number: 0 }), history([withEnd({ atMs, kind: 'failed', reason: told('It slipped.') })])),
      undefined,
    );
    for (const record of [half, unclear]) {
      assert.equal(
        partialExecutionOn(
          listed({ number: 0 }),
          history([recordOf('a', [...record.events, { atMs, kind: 'seen', reason: told('Nothing is left.') }])]),
        ),
        undefined,
      );
    }
  });

  it('A partially executed zap-out is found until a later one is done', () => {
    const half = halfZappedOut('a', at(0), START_MS);
    assert.equal(partialExecutionOn(listed({ number: 0 }), history([half]))?.id, 'a');
    assert.equal(partialExecutionOn(listed({ number: 1 }), history([half])), undefined);
    assert.equal(partialExecutionOn(listed({ number: 0 }), history([zappedOut('b', at(0), START_MS + 60_000), half])), undefined);
  });
});
