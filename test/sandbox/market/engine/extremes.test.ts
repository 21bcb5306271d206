import assert from 'node:assert/strict';
import type { BinPool } from '../../../../src/sandbox/market/types';
import { IS_LONG } from '../../../support/runs';
import { TestWorld } from '../../../support/sandbox/market/engine/testWorld';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Price changes in percent, one after the other. */
const SHOCKS = IS_LONG ? [-99, 10_000, 10_000, -99, -99, -90] : [-99, 10_000, 10_000, -99];

describe('A market at its extremes', function () {
  let test: TestWorld;

  beforeEach(() => {
    test = new TestWorld();
  });

  afterEach(() => test.close());

  /** Does what may be refused for going too far; then nothing has happened. Says whether it was done. */
  function tried(change: () => void): boolean {
    const prices = (): unknown => test.world.market.pools.map(({ price, vaults }) => [price, vaults]);
    const before = prices();
    try {
      test.world.engine.change(change);
      return true;
    } catch (error) {
      assert.ok(error instanceof RangeError, String(error));
      assert.match(error.message, /cannot be|No trader has enough/);
      assert.deepEqual(prices(), before);
      return false;
    }
  }

  // Nothing may be sold that no trader has: a world that cannot be settled could not advance any more.
  it('The audit passes after every crash and boom of each token, and the market continues', () => {
    const { market } = test.world;
    const pools = [...new Map(market.pools.map((pool) => [pool.tokenX.mint, pool])).values()];
    let done = 0;
    for (const percent of SHOCKS) {
      for (const pool of pools) {
        done += tried(() => market.shock(pool, percent)) ? 1 : 0;
        test.advance(MINUTE_MS);
      }
      assert.deepEqual(test.world.audit(), [], `${percent} %`);
      test.advance(DAY_MS);
      assert.deepEqual(test.world.audit(), [], `a day after ${percent} %`);
    }
    assert.ok(done > 2 * pools.length, `${done}`);
  });

  it('The audit passes when pools are traded ten thousand bins away and back', () => {
    const { market } = test.world;
    const pools = market.pools.filter((pool): pool is BinPool => pool.type === 'bins');
    let done = 0;
    for (const pool of pools) {
      const { activeBinId } = pool;
      for (const away of [10_000, -10_000, 2_000, -2_000]) {
        // Not every step has so many bins.
        if (Math.abs(activeBinId + away) * pool.spec.binStepBps < 300_000 && tried(() => market.setActiveBin(pool, activeBinId + away))) {
          done += 1;
          assert.equal(pool.activeBinId, activeBinId + away);
          assert.deepEqual(test.world.audit(), [], `${pool.spec.key} by ${away}`);
          test.advance(MINUTE_MS);
          tried(() => market.setActiveBin(pool, activeBinId));
        }
      }
      // What is wrong once stays wrong.
      assert.deepEqual(test.world.audit(), [], `${pool.spec.key} back`);
    }
    assert.ok(done > pools.length, `${done} of ${pools.length}`);
  });

  it('The audit passes at any speed and over weeks, and speed 0 stops the market', () => {
    const { market, engine } = test.world;
    for (const [speed, days] of [
      [1_000, 1],
      [1, IS_LONG ? 40 : 12],
      [0, 40],
      [1_000, 2],
    ] as const) {
      engine.change(() => (market.speed = speed));
      const before = market.pools.map(({ price }) => price);
      test.advance(days * DAY_MS);
      assert.equal(market.now, test.now);
      assert.equal(
        market.pools.every(({ price }, place) => price === before[place]),
        speed === 0,
      );
      assert.deepEqual(test.world.audit(), [], `speed ${speed}`);
    }
    test.restart();
    test.advance(10 * DAY_MS);
    assert.deepEqual(test.world.audit(), []);
  });

  for (const seed of IS_LONG ? [0, Number.MAX_SAFE_INTEGER] : [Number.MAX_SAFE_INTEGER]) {
    it(`A world from seed ${seed} passes the audit, at the start and a day later`, () => {
      test.close();
      test = new TestWorld({ seed, pastHours: 48 });
      assert.deepEqual(test.world.audit(), []);
      test.advance(DAY_MS);
      assert.deepEqual(test.world.audit(), []);
    });
  }
});
