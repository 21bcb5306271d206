import assert from 'node:assert/strict';
import fc from 'fast-check';
import { spreadOverBins } from '../../../src/dlmm/strategy';
import type { Market } from '../../../src/sandbox/market/market';
import { amountsOf, collect, deposit, feesOf, isEmpty, withdraw } from '../../../src/sandbox/market/position';
import { poolOf, positionIn, worldAt } from './worlds';

const POOLS = ['SOL-USDC-4', 'BONQ-SOL-25', 'BONQ-SOL-100', 'SANDSOL-SOL-1', 'GIGALAMB-SOL-250'];
const RUNS = { numRuns: 60 };

describe('liquidity in bins', function () {
  this.timeout(30_000);
  let market: Market;

  before(() => {
    market = worldAt(3);
  });

  const amounts = fc.record({
    key: fc.constantFrom(...POOLS),
    strategy: fc.constantFrom('Spot' as const, 'Curve' as const, 'BidAsk' as const),
    amountX: fc.bigInt(0n, 10n ** 15n),
    amountY: fc.bigInt(0n, 10n ** 12n),
    width: fc.integer({ min: 1, max: 60 }),
    offset: fc.integer({ min: -40, max: 40 }),
    drift: fc.double({ min: -50, max: 50, noNaN: true }),
  });

  it('comes out as it went in, up to rounding, when the price stays', () => {
    fc.assert(
      fc.property(amounts, ({ key, strategy, amountX, amountY, width, offset }) => {
        const pool = poolOf(market, key);
        const { cursor } = pool.state;
        pool.state.cursor = pool.activeBinId; // the active bin is all X now: what goes in as Y changes into X there
        const position = positionIn(pool, offset, offset + width - 1);
        const bins = spreadOverBins({ activeBinId: pool.activeBinId, fromBinId: position.lowerBinId, toBinId: position.upperBinId, binStepBps: pool.spec.binStepBps, strategy, amountX, amountY });
        const put = bins.reduce((sum, bin) => ({ x: sum.x + bin.amountX, y: sum.y + bin.amountY }), { x: 0n, y: 0n });
        deposit(pool, position, bins);
        const active = bins.find(({ binId }) => binId === pool.activeBinId);
        const [changedX, changedY] = [active === undefined ? 0n : (active.amountY << 64n) / pool.priceQ64(active.binId), active?.amountY ?? 0n];
        const held = amountsOf(pool, position);
        assert.ok(put.x + changedX - held.x >= 0n && put.x + changedX - held.x <= 1n);
        assert.equal(held.y, put.y - changedY);
        assert.deepEqual(withdraw(pool, position, position.lowerBinId, position.upperBinId, 10_000), held);
        assert.ok(isEmpty(pool, position));
        pool.state.cursor = cursor;
      }),
      RUNS,
    );
  });

  it('is never worth more at bin prices than what was put in, wherever the price goes and comes back', () => {
    fc.assert(
      fc.property(amounts, ({ key, strategy, amountX, amountY, width, offset, drift }) => {
        const pool = poolOf(market, key);
        const { cursor } = pool.state;
        const position = positionIn(pool, offset, offset + width - 1);
        const bins = spreadOverBins({ activeBinId: pool.activeBinId, fromBinId: position.lowerBinId, toBinId: position.upperBinId, binStepBps: pool.spec.binStepBps, strategy, amountX, amountY });
        deposit(pool, position, bins);
        const before = amountsOf(pool, position);
        pool.state.cursor = cursor + drift;
        const away = amountsOf(pool, position);
        assert.ok(drift > 0 ? away.x <= before.x && away.y >= before.y : away.x >= before.x && away.y <= before.y);
        pool.state.cursor = cursor;
        assert.deepEqual(amountsOf(pool, position), before);
        withdraw(pool, position, position.lowerBinId, position.upperBinId, 10_000);
      }),
      RUNS,
    );
  });

  it('may be taken out in parts: the parts are the whole, less a unit a bin and part', () => {
    fc.assert(
      fc.property(amounts, fc.array(fc.integer({ min: 1, max: 9_999 }), { maxLength: 5 }), ({ key, strategy, amountX, amountY, width, offset }, shares) => {
        const pool = poolOf(market, key);
        const position = positionIn(pool, offset, offset + width - 1);
        deposit(pool, position, spreadOverBins({ activeBinId: pool.activeBinId, fromBinId: position.lowerBinId, toBinId: position.upperBinId, binStepBps: pool.spec.binStepBps, strategy, amountX, amountY }));
        const whole = amountsOf(pool, position);
        const parts = [...shares, 10_000].map((bps) => withdraw(pool, position, position.lowerBinId, position.upperBinId, bps));
        const lost = { x: whole.x - parts.reduce((sum, { x }) => sum + x, 0n), y: whole.y - parts.reduce((sum, { y }) => sum + y, 0n) };
        const most = BigInt(width * parts.length);
        assert.ok(lost.x >= -most && lost.x <= most && lost.y >= -most && lost.y <= most, `${lost.x} ${lost.y}`);
        assert.ok(isEmpty(pool, position));
      }),
      RUNS,
    );
  });

  it('earns fees in proportion, and the bins forget nobody', () => {
    const pool = poolOf(market, 'POPKAT-SOL-100');
    const [small, large] = [positionIn(pool, -15, 15, 1), positionIn(pool, -15, 15, 2)];
    const spread = (amountX: bigint, amountY: bigint): Parameters<typeof deposit>[2] =>
      spreadOverBins({ activeBinId: pool.activeBinId, fromBinId: small.lowerBinId, toBinId: small.upperBinId, binStepBps: 100, strategy: 'Spot', amountX, amountY });
    deposit(pool, small, spread(10n ** 12n, 10n ** 9n));
    deposit(pool, large, spread(3n * 10n ** 12n, 3n * 10n ** 9n));
    for (let hour = 0; hour < 30; hour += 1) {
      market.step(60);
      if (hour === 10) {
        collect(pool, small); // collecting in between takes nothing away from anybody
      }
    }
    const [of, thrice] = [feesOf(pool, small), feesOf(pool, large)];
    const collected = collect(pool, large);
    assert.deepEqual(collected, thrice);
    assert.deepEqual(feesOf(pool, large), { x: 0n, y: 0n });
    assert.ok(thrice.y > 3n * of.y && of.y > 0n);
    withdraw(pool, small, small.lowerBinId, small.upperBinId, 10_000);
    withdraw(pool, large, large.lowerBinId, large.upperBinId, 10_000);
  });
});
