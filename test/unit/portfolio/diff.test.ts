import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSame, isUnchanged, listChange, NO_CHANGE } from '../../../src/portfolio/snapshot';
import { openPosition } from './fixtures';

interface Item {
  readonly key: string;
  readonly value: number;
}

const keyOf = (item: Item) => item.key;
const list = fc.uniqueArray(
  fc.record<Item>({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), value: fc.nat(2) }, { noNullPrototype: true }),
  { selector: keyOf },
);

describe('what differs between two lists', () => {
  it('is named by key', () => {
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

  it('is nothing between equal lists', () => {
    fc.assert(
      fc.property(list, (items) => {
        assert.ok(isUnchanged(listChange(items, structuredClone(items), keyOf)));
      }),
    );
    assert.equal(listChange([], [], keyOf).reordered, false);
    const same = [{ key: 'a', value: 1 }];
    assert.equal(listChange(same, same, keyOf), NO_CHANGE);
  });

  it('is enough to make the second list from the first', () => {
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

describe('sameness of records', () => {
  it('is by content', () => {
    assert.ok(isSame(openPosition(1), openPosition(1)));
    assert.ok(!isSame(openPosition(1), openPosition(1, { value: { usd: 101, native: 0.7 } })));
    assert.ok(!isSame(openPosition(1), openPosition(1, { createdAt: new Date(1) })));
    assert.ok(!isSame(openPosition(1), openPosition(1, { createdAt: undefined })));
  });

  it('tells apart what only looks alike', () => {
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
