import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inAttentionOrder, isSame, isUnchanged, listChange, NO_CHANGE, totalsOf } from '../../../src/portfolio/snapshot';
import type { PortfolioTotals } from '../../../src/portfolio/types';
import type { Money } from '../../../src/service/common';
import { openPosition } from '../../support/portfolio/fixtures';

interface Item {
  readonly key: string;
  readonly value: number;
}

const keyOf = (item: Item) => item.key;
const list = fc.uniqueArray(
  fc.record<Item>({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), value: fc.nat(2) }, { noNullPrototype: true }),
  { selector: keyOf },
);

describe('Change between two lists', () => {
  it('A change names added, changed and removed items by key, and whether the order changed', () => {
    const change = listChange(
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 1 },
        { key: 'c', value: 1 },
      ],
      [
        { key: 'c', value: 1 },
        { key: 'd', value: 1 },
        { key: 'b', value: 2 },
      ],
      keyOf,
    );
    assert.deepEqual(change, { added: ['d'], changed: ['b'], removed: ['a'], reordered: true });
  });

  it('The change between equal lists is empty', () => {
    fc.assert(
      fc.property(list, (items) => {
        assert.ok(isUnchanged(listChange(items, structuredClone(items), keyOf)));
      }),
    );
    assert.equal(listChange([], [], keyOf).reordered, false);
    const same = [{ key: 'a', value: 1 }];
    assert.equal(listChange(same, same, keyOf), NO_CHANGE);
  });

  it('A change suffices to make the second list from the first', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { added, changed, removed, reordered } = listChange(before, after, keyOf);
        const fresh = new Map(after.map((item) => [item.key, item]));
        const kept = before
          .filter((item) => !removed.includes(item.key))
          .map((item) => (changed.includes(item.key) ? fresh.get(item.key) : item));
        const rebuilt = [...kept, ...added.map((key) => fresh.get(key))];
        const byKey = (items: readonly (Item | undefined)[]) => items.map((item) => JSON.stringify(item)).toSorted();
        assert.deepEqual(byKey(rebuilt), byKey(after));
        if (!reordered) {
          const stayed = after.filter((item) => !added.includes(item.key));
          assert.deepEqual(kept, stayed);
        }
      }),
    );
  });
});

describe('Comparison of records', () => {
  it('Records are the same if their contents are equal', () => {
    assert.ok(isSame(openPosition(1), openPosition(1)));
    assert.ok(!isSame(openPosition(1), openPosition(1, { value: { usd: 101, native: 0.7 } })));
    assert.ok(!isSame(openPosition(1), openPosition(1, { createdAt: new Date(1) })));
    assert.ok(!isSame(openPosition(1), openPosition(1, { createdAt: undefined })));
  });

  it('Values of different types or structure are not the same, and NaN is the same as NaN', () => {
    assert.ok(isSame(Number.NaN, Number.NaN));
    assert.ok(isSame(new Date(Number.NaN), new Date(Number.NaN)));
    assert.ok(isSame(5n, 5n));
    for (const [a, b] of [
      [1, '1'],
      [1, 1n],
      [null, undefined],
      [[], {}],
      [[1], [1, 2]],
      [{ a: 1 }, { b: 1 }],
      [{ a: undefined }, {}],
      [new Date(0), {}],
    ]) {
      assert.ok(!isSame(a, b));
    }
  });
});

describe('Order of positions', () => {
  it('Positions out of range come first, then unknown ones, then those in range, each by value', () => {
    const worth = (usd: number | undefined) => ({ usd, native: undefined });
    const sorted = inAttentionOrder([
      openPosition(1, { inRange: true, value: worth(1000) }),
      openPosition(2, { inRange: false, value: worth(10) }),
      openPosition(3, { inRange: undefined, value: worth(50) }),
      openPosition(4, { inRange: false, value: worth(20) }),
      openPosition(5, { inRange: true, value: worth(undefined) }),
      openPosition(6, { inRange: true, value: worth(2000) }),
    ]);
    assert.deepEqual(
      sorted.map((position) => position.id),
      ['id-4', 'id-2', 'id-3', 'id-6', 'id-1', 'id-5'],
    );
  });

  it('The order of positions does not depend on the order in which they were read', () => {
    const position = fc.record({
      inRange: fc.constantFrom(true, false, undefined),
      value: fc.record({ usd: fc.constantFrom(undefined, 1, 2, 3), native: fc.constant(undefined) }),
    });
    fc.assert(
      fc.property(fc.array(position, { maxLength: 12 }), fc.infiniteStream(fc.double({ min: 0, max: 1 })), (parts, keys) => {
        const positions = parts.map((part, index) => openPosition(index, part));
        const shuffled = positions
          .map((of) => ({ of, place: keys.next().value as number }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ of }) => of);
        assert.deepEqual(inAttentionOrder(shuffled), inAttentionOrder(positions));
      }),
    );
  });

  it('Sorting does not change the given list', () => {
    const given = [openPosition(1), openPosition(2, { inRange: false })];
    inAttentionOrder(given);
    assert.deepEqual(
      given.map((position) => position.id),
      ['id-1', 'id-2'],
    );
  });
});

const usd = (value: number | undefined): Money => ({ usd: value, native: undefined });

const SOL_UNREPORTED = (positions: number): PortfolioTotals['leftOut']['value'] => ({
  usd: { notReported: 0, implausible: 0 },
  native: { notReported: positions, implausible: 0 },
});

/** How many positions each sum in US dollars leaves out, because the service does not report the figure. */
function notReportedIn({
  leftOut: { value, pnl, pnlPercent, uncollectedFee },
}: PortfolioTotals): Record<keyof PortfolioTotals['leftOut'], number> {
  return {
    value: value.usd.notReported,
    pnl: pnl.usd.notReported,
    pnlPercent: pnlPercent.usd.notReported,
    uncollectedFee: uncollectedFee.usd.notReported,
  };
}

describe('Totals of open positions', () => {
  it('Totals are sums, and the PnL percentage is relative to all deposits', () => {
    const totals = totalsOf([
      openPosition(1, { value: usd(110), pnl: usd(10), input: usd(100), uncollectedFee: usd(1), inRange: false }),
      openPosition(2, { value: usd(850), pnl: usd(-50), input: usd(900), uncollectedFee: usd(2) }),
    ]);
    assert.deepEqual(totals, {
      count: 2,
      outOfRange: 1,
      valueUsd: 960,
      valueNative: undefined,
      pnlUsd: -40,
      pnlNative: undefined,
      pnlPercent: -4,
      pnlPercentNative: undefined,
      uncollectedFeeUsd: 3,
      uncollectedFeeNative: undefined,
      leftOut: { value: SOL_UNREPORTED(2), pnl: SOL_UNREPORTED(2), pnlPercent: SOL_UNREPORTED(2), uncollectedFee: SOL_UNREPORTED(2) },
    });
  });

  it('Sums leave out unreported figures, and each counts the positions that it leaves out', () => {
    const totals = totalsOf([
      openPosition(1, { value: usd(100), pnl: usd(10), input: usd(50) }),
      openPosition(2, { value: usd(undefined), pnl: usd(undefined), input: usd(1000) }),
      openPosition(3, { value: usd(100), pnl: usd(5), input: usd(undefined) }),
    ]);
    assert.equal(totals.valueUsd, 200);
    assert.equal(totals.pnlUsd, 15);
    assert.equal(totals.pnlPercent, 20); // 10 of 50: the others report only one of the two
    assert.deepEqual(notReportedIn(totals), { value: 1, pnl: 1, pnlPercent: 2, uncollectedFee: 0 });
  });

  it('A position without its fees is left out of the fees only', () => {
    const totals = totalsOf([openPosition(1, { uncollectedFee: usd(undefined) }), openPosition(2, { value: usd(undefined) })]);
    assert.deepEqual(notReportedIn(totals), { value: 1, pnl: 0, pnlPercent: 0, uncollectedFee: 1 });
  });

  it('Sums leave out an implausible figure, and keep all others', () => {
    const sound = openPosition(1, { value: usd(100), pnl: usd(10), input: usd(90), uncollectedFee: usd(1) });
    for (const absurd of [1e308, -1e308, Number.MAX_VALUE, 1.1e12, Infinity, NaN]) {
      const totals = totalsOf([
        sound,
        openPosition(2, { value: usd(absurd), pnl: usd(absurd), input: usd(50), uncollectedFee: usd(absurd) }),
        openPosition(3, { value: usd(absurd), pnl: usd(5), input: usd(10), uncollectedFee: usd(2) }),
      ]);
      assert.deepEqual([totals.valueUsd, totals.pnlUsd, totals.pnlPercent, totals.uncollectedFeeUsd], [100, 15, 15, 3]);
      assert.deepEqual(
        [totals.leftOut.value.usd, totals.leftOut.pnl.usd, totals.leftOut.pnlPercent.usd, totals.leftOut.uncollectedFee.usd],
        [
          { notReported: 0, implausible: 2 },
          { notReported: 0, implausible: 1 },
          { notReported: 0, implausible: 1 },
          { notReported: 0, implausible: 1 },
        ],
      );
    }
  });

  it('Totals are finite and count every position as summed or left out, whatever is reported', () => {
    const figure = fc.option(fc.oneof(fc.double(), fc.constantFrom(1e308, -1e308, 1e12, 5)), { nil: undefined });
    const amount = fc.record({ usd: figure, native: figure });
    fc.assert(
      fc.property(fc.array(fc.record({ value: amount, pnl: amount, input: amount, uncollectedFee: amount }), { maxLength: 20 }), (rows) => {
        const totals = totalsOf(rows.map((row, index) => openPosition(index, row)));
        for (const total of [
          totals.valueUsd,
          totals.valueNative,
          totals.pnlUsd,
          totals.pnlNative,
          totals.pnlPercent,
          totals.uncollectedFeeUsd,
          totals.uncollectedFeeNative,
        ]) {
          assert.ok(total === undefined || Number.isFinite(total));
        }
        const { notReported, implausible } = totals.leftOut.value.usd;
        const values = rows.map(({ value }) => value.usd);
        assert.equal(notReported, values.filter((value) => value === undefined).length);
        assert.equal(implausible, values.filter((value) => value !== undefined && !(Math.abs(value) <= 1e12)).length);
      }),
    );
  });

  it('Totals are unknown if no position reports the figure', () => {
    const totals = totalsOf([
      openPosition(1, { value: usd(undefined), pnl: usd(undefined), input: usd(undefined), uncollectedFee: usd(undefined) }),
    ]);
    assert.equal(totals.valueUsd, undefined);
    assert.equal(totals.pnlUsd, undefined);
    assert.equal(totals.pnlPercent, undefined);
    assert.equal(totals.uncollectedFeeUsd, undefined);
    assert.deepEqual(notReportedIn(totals), { value: 1, pnl: 1, pnlPercent: 1, uncollectedFee: 1 });
  });

  it('There is no percentage if nothing was deposited', () => {
    assert.equal(totalsOf([openPosition(1, { input: usd(0), pnl: usd(5) })]).pnlPercent, undefined);
    assert.equal(totalsOf([]).pnlPercent, undefined);
  });

  it('Positions with unknown range status do not count as out of range', () => {
    assert.equal(totalsOf([openPosition(1, { inRange: undefined })]).outOfRange, 0);
  });

  it('The total percentage is between the lowest and the highest percentage of the positions', () => {
    const position = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: -1000, max: 1000 }));
    fc.assert(
      fc.property(fc.array(position, { minLength: 1 }), (figures) => {
        const totals = totalsOf(figures.map(([input, pnl], index) => openPosition(index, { input: usd(input), pnl: usd(pnl) })));
        const percents = figures.map(([input, pnl]) => (100 * pnl) / input);
        assert.ok(totals.pnlPercent !== undefined);
        assert.ok(totals.pnlPercent >= Math.min(...percents) - 1e-6);
        assert.ok(totals.pnlPercent <= Math.max(...percents) + 1e-6);
      }),
    );
  });
});
