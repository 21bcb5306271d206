import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inAttentionOrder } from '../../../src/portfolio/snapshot';
import { openPosition } from './fixtures';

describe('the order of positions', () => {
  it('puts what needs attention first', () => {
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

  it('does not depend on the order in which they came', () => {
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

  it('leaves the list that it is given alone', () => {
    const given = [openPosition(1), openPosition(2, { inRange: false })];
    inAttentionOrder(given);
    assert.deepEqual(
      given.map((position) => position.id),
      ['id-1', 'id-2'],
    );
  });
});
