import assert from 'node:assert/strict';
import { readCounters } from '../../../src/service/counters';
import { ParseWarnings } from '../../../src/service/parsing/records';

describe('Counters of a pool', () => {
  const read = (snapshots: readonly unknown[], position: readonly unknown[] = []) => {
    const warnings = new ParseWarnings();
    return { ...readCounters({ snapshots, position }, 'data', { warnings, nowMs: 0 }), warnings: warnings.all().map(({ path }) => path) };
  };
  const bin = { binId: -3, supply: String((1n << 128n) - 1n), feeX: '7', feeY: '0' };

  it('are read to the unit', () => {
    const { snapshots, position, warnings } = read([{ timeS: 9, slot: 1, activeBinId: -3, bins: [bin] }], [{ binId: -3, share: '5' }]);
    assert.deepEqual(snapshots, [{ timeS: 9, activeBinId: -3, bins: [{ binId: -3, supply: (1n << 128n) - 1n, feeX: 7n, feeY: 0n }] }]);
    assert.deepEqual([position, warnings], [[{ binId: -3, share: 5n }], []]);
  });

  it('A bin or a reading that cannot be read is left out: what it says is not known', () => {
    const odd = [{ feeX: '-1' }, { supply: String(1n << 128n) }, { feeY: null }, { binId: 0.5 }, { feeX: 'NaN' }].map((part) => ({
      ...bin,
      ...part,
    }));
    const { snapshots, position, warnings } = read(
      [{ timeS: 9, activeBinId: 1, bins: [...odd, bin] }, { timeS: 9 }, null, { timeS: 8, activeBinId: 1 }],
      [{ binId: 1 }],
    );
    assert.deepEqual(
      snapshots.map(({ bins }) => bins.length),
      [1, 0],
    );
    assert.deepEqual(position, []);
    assert.ok(warnings.length > 0);
  });
});
