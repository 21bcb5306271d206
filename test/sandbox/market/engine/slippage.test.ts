import assert from 'node:assert/strict';
import { EngineError } from '../../../../src/engine/engine';
import type { BinPool } from '../../../../src/sandbox/market/types';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('Slippage in bins and swaps', function () {
  const test = useWorld();

  afterEach(() => assert.deepEqual(test.world.audit(), []));

  function binPool(key: string): BinPool {
    const pool = test.pool(key);
    assert.ok(pool.type === 'bins');
    return pool;
  }

  function moveTo(pool: BinPool, binId: number): void {
    test.world.engine.change(() => test.world.market.setActiveBin(pool, binId));
    assert.equal(pool.activeBinId, binId);
  }

  function exceeded(words: RegExp, land: () => unknown): void {
    const before = [
      test.lamports(),
      test.world.market.positions.openOf(test.owner).length,
      test.world.market.pools.map(({ vaults }) => vaults),
    ];
    assert.throws(land, (error) => error instanceof EngineError && error.kind === 'notLanded' && words.test(error.message));
    assert.deepEqual(
      [test.lamports(), test.world.market.positions.openOf(test.owner).length, test.world.market.pools.map(({ vaults }) => vaults)],
      before,
    );
  }

  it('A deposit lands only while the active bin is within the slippage', () => {
    const pool = binPool('JUPP-SOL-20');
    for (const [moved, lands] of [
      [5, true],
      [-5, true],
      [6, false],
      [-6, false],
    ] as const) {
      const active = pool.activeBinId;
      // 100 basis points are five bins of 20.
      const built = test.add(pool, {
        slippageBps: 100,
        fromBinId: active - 60,
        toBinId: active + 20,
        input: { mode: 'zap-in', lamports: SOL, percentX: 0 },
      });
      moveTo(pool, active + moved);
      if (lands) {
        test.landAdd(built);
      } else {
        const words = new RegExp(
          `Slippage exceeded: the active bin of JUPP/SOL moved from ${active} to ${active + moved} since the transaction was built, and 5 bins were allowed`,
        );
        exceeded(words, () => test.landAdd(built));
      }
      moveTo(pool, active);
    }
  });

  it('A withdrawal lands only while the price is within the slippage', () => {
    const pool = binPool('JUPP-SOL-20');
    const position = test.entered(pool, SOL, { slippageBps: 1_000 });
    for (const [moved, lands] of [
      [5, true],
      [6, false],
      [-6, false],
    ] as const) {
      const active = pool.activeBinId;
      const built = test.decrease(position, 2_000, { slippageBps: 100, output: 'both' });
      moveTo(pool, active + moved);
      if (lands) {
        test.landDecrease(built);
      } else {
        exceeded(/Slippage exceeded: the active bin of JUPP\/SOL moved from -?\d+ to -?\d+ .* and 5 bins were allowed/, () =>
          test.landDecrease(built),
        );
      }
      moveTo(pool, active);
    }
  });

  it('A swap returns at least the minimum, in one pool or in two', () => {
    const [dollars, trumpet, bonq] = [binPool('SOL-USDC-4'), binPool('TRUMPET-USDC-50'), binPool('BONQ-SOL-25')];
    const input = { mode: 'zap-in', lamports: SOL, percentX: 1 } as const;
    const direct = test.add(bonq, { slippageBps: 100, input });
    test.world.engine.change(() => test.world.market.shock(bonq, 4));
    exceeded(/Slippage exceeded: selling SOL in BONQ\/SOL gives \d+ \(raw\) now, and at least \d+ was asked for/, () =>
      test.landAdd(direct),
    );
    for (const [shocked, percent] of [
      [trumpet, 5],
      [dollars, -8],
    ] as const) {
      const built = test.add(trumpet, { slippageBps: 200, input });
      test.world.engine.change(() => test.world.market.shock(shocked, percent));
      exceeded(/Slippage exceeded: selling SOL in SOL\/USDC and TRUMPET\/USDC gives \d+ \(raw\) now/, () => test.landAdd(built));
    }
  });

  it('An operation with zero slippage lands if nothing moved', () => {
    const pool = binPool('BONQ-SOL-25');
    const position = test.entered(pool, SOL, { slippageBps: 0 });
    test.landDecrease(test.decrease(position, 10_000, { slippageBps: 0 }));
  });
});
