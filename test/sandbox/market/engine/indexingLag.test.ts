import assert from 'node:assert/strict';
import type { Pool } from '../../../../src/sandbox/market/types';
import type { WireOpenPosition } from '../../../../src/server/wire/positions';
import { useWorld } from './testWorld';

const SOL = 1_000_000_000n;
const LAG_MS = 20_000;

describe('an index that lags', function () {
  const test = useWorld();
  const pool = (): Pool => test.pool('JUPP-SOL-20');

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

  it('is none unless it is set: what has landed is listed at once', () => {
    assert.ok(listed(test.entered(pool(), SOL)) !== undefined);
  });

  it('lists a new position only after a while', () => {
    test.world.settings.change({ indexingLagMs: LAG_MS });
    const position = test.entered(pool(), SOL);
    assert.equal(listed(position), undefined);
    test.advance(LAG_MS - 1_000);
    assert.equal(listed(position), undefined);
    test.advance(1_000);
    assert.ok(listed(position) !== undefined);
  });

  it('lists a position as it was before, once however often it changes, also after a restart', () => {
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

  it('lists a closed position as open, and not as closed, for a while', () => {
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

  it('never lists a position that came and went within the lag as open, and lists it as closed afterwards, also after a restart', () => {
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
