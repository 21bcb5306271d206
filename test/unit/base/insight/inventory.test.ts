import assert from 'node:assert/strict';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { inventory } from '../../../../src/base/insight/inventory';
import { evenPool } from '../../../support/base/insight';

describe('Insight: inventory', () => {
  const entry = evenPool(0, 20, 10, 1_000_000);
  const held = { entry, binStepBps: 20, activeX: 0, activeY: 5, price: undefined };

  it('Where no bin was traded below or above its price there is no impermanent loss, elsewhere there always is one', () => {
    for (let activeBinId = -12; activeBinId <= 12; activeBinId += 1) {
      const answer = inventory({ ...held, activeBinId });
      assert.ok(answer.known);
      assert.ok(
        activeBinId === 0 || activeBinId === 1 ? Math.abs(answer.impermanentLossY) < 1e-6 : answer.impermanentLossY < 0,
        `${activeBinId}`,
      );
    }
  });

  it('Below the range a position is all X, above it all Y, and the liquidity of each bin stays', () => {
    const [below, above] = [inventory({ ...held, activeBinId: -11 }), inventory({ ...held, activeBinId: 11 })];
    assert.ok(below.known && above.known);
    const all = entry.reduce((sum, { binId }) => sum + 1_000_000 / priceOfBin(binId, 20), 0);
    assert.ok(Math.abs(below.x / all - 1) < 1e-12 && below.y === 0);
    assert.ok(Math.abs(above.y / 21e6 - 1) < 1e-12 && above.x === 0);
  });

  it('Without the amounts of the active bin the content is not known, unless the position is elsewhere', () => {
    assert.deepEqual(inventory({ ...held, activeBinId: 3, activeX: undefined }), { known: false, why: 'activeBinNotKnown' });
    assert.deepEqual(inventory({ ...held, activeBinId: 3, activeX: 0, activeY: 0 }), { known: false, why: 'activeBinNotKnown' });
    assert.equal(inventory({ ...held, activeBinId: 30, activeX: undefined }).known, true);
    assert.deepEqual(inventory({ ...held, entry: [], activeBinId: 3 }), { known: false, why: 'noAmount' });
  });
});
