import assert from 'node:assert/strict';
import type { MarketPool } from '../../../../src/sandbox/market/types';
import type { WireOpenPosition } from '../../../../src/engine/wire/positionRecord';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;
const LAG_MS = 20_000;

describe('The indexing lag', function () {
  const test = useWorld();
  const pool = (): MarketPool => test.pool('JUPP-SOL-20');

  const listed = (position: string): WireOpenPosition | undefined =>
    test.world.engine.opening(test.owner).data.find((record) => record.position === position);
  const closed = (position: string): boolean =>
    test.world.engine
      .historical({ owner: test.owner, from: undefined, to: undefined, page: 1, pageSize: 100 })
      .data.some((record) => record.position === position);

  afterEach(() => {
    test.advance(LAG_MS + 1_000);
    test.world.settings.change({ indexingLagMs: 0 });
    assert.deepEqual(test.world.audit(), []);
  });

  it('The default lag is zero: landed operations are listed at once', () => {
    assert.ok(listed(test.entered(pool(), SOL)) !== undefined);
  });

  it('A lag delays the listing of a new position', () => {
    test.world.settings.change({ indexingLagMs: LAG_MS });
    const position = test.entered(pool(), SOL);
    assert.equal(listed(position), undefined);
    test.advance(LAG_MS - 1_000);
    assert.equal(listed(position), undefined);
    test.advance(1_000);
    assert.ok(listed(position) !== undefined);
  });

  it('A lag lists the previous state of a position once, after any number of changes and a restart', () => {
    const position = test.entered(pool(), SOL);
    test.world.settings.change({ indexingLagMs: LAG_MS });
    const before = listed(position);
    assert.ok(before !== undefined);
    test.landDecrease(test.decrease(position, 5_000));
    assert.deepEqual(listed(position), before);
    test.advance(LAG_MS / 2);
    test.landDecrease(test.decrease(position, 5_000));
    test.restart();
    test.advance(LAG_MS / 2 + 1_000);
    assert.deepEqual(listed(position), before);
    assert.equal(test.world.engine.opening(test.owner).data.filter((record) => record.position === position).length, 1);
    test.advance(LAG_MS / 2);
    const after = listed(position);
    assert.ok(after !== undefined && BigInt(after.current.amount1) < BigInt(before.current.amount1) / 2n);
  });

  it('A lag keeps a closed position in the open list, and out of the closed list', () => {
    const position = test.entered(pool(), SOL);
    test.world.settings.change({ indexingLagMs: LAG_MS });
    const before = listed(position);
    test.landDecrease(test.decrease(position, 10_000));
    assert.deepEqual(listed(position), before);
    assert.equal(closed(position), false);
    test.advance(LAG_MS);
    assert.equal(listed(position), undefined);
    assert.equal(closed(position), true);
  });

  it('A position opened and closed within the lag is listed only as closed, even after a restart', () => {
    test.world.settings.change({ indexingLagMs: LAG_MS });
    const position = test.entered(pool(), SOL);
    test.advance(LAG_MS / 2);
    test.landDecrease(test.decrease(position, 10_000));
    for (const ms of [0, LAG_MS / 2, LAG_MS / 2 - 1_000]) {
      test.restart();
      test.advance(ms);
      assert.deepEqual([listed(position), closed(position)], [undefined, false]);
    }
    test.advance(1_000);
    assert.deepEqual([listed(position), closed(position)], [undefined, true]);
  });
});
