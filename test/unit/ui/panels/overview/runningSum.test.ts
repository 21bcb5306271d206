import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RunningSum } from '../../../../../src/ui/panels/overview/closedSums';

describe('A running sum', () => {
  it('However often amounts come and go, the sum is that of those that stay, to the last cent', () => {
    const cents = fc.integer({ min: -1e11, max: 1e11 });
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 20 }), fc.array(cents, { maxLength: 200 }), (stay, leave) => {
        const sum = new RunningSum();
        leave.forEach((amount) => sum.add(amount / 100));
        stay.forEach((amount) => sum.add(amount / 100));
        leave.forEach((amount) => sum.remove(amount / 100));
        const exact = stay.reduce((total, amount) => total + amount, 0) / 100;
        assert.equal(sum.count, stay.length);
        assert.ok(Math.abs(sum.total - exact) < 1e-4, `${sum.total} instead of ${exact}`);
      }),
    );
  });

  it('Nothing remains of amounts that are gone, also beside amounts of zero', () => {
    const sum = new RunningSum();
    [0.1, 0.2, 1e9, 0, 0.3].forEach((amount) => sum.add(amount));
    [0.1, 0.2, 1e9, 0.3].forEach((amount) => sum.remove(amount));
    assert.deepEqual([sum.total, sum.count], [0, 1]);
  });
});
