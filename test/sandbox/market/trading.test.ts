import assert from 'node:assert/strict';
import type { SimulatedMarket } from '../../../src/sandbox/market/market';
import { Random } from '../../../src/sandbox/market/random';
import { arbitrage, type ExternalMarket, tradeRandomly, volumeAndFeesOf, WorldReserves } from '../../../src/sandbox/market/trading';
import type { MarketPool } from '../../../src/sandbox/market/types';
import { binPoolOf, DAY, HOUR, livelyWorld, MINUTE, NOON, poolOf, provide } from '../../support/sandbox/market/worlds';

function outsideOf(market: SimulatedMarket, pool: MarketPool): ExternalMarket {
  return { now: market.now, usdX: market.usd(pool.tokenX), usdY: market.usd(pool.tokenY), reserves: new WorldReserves(() => 2n ** 63n) };
}

function relativePrice(market: SimulatedMarket, pool: MarketPool): number {
  const { usdX, usdY } = outsideOf(market, pool);
  return pool.price / ((usdX / usdY) * 10 ** (pool.tokenY.spec.decimals - pool.tokenX.spec.decimals));
}

function worthUsd(market: SimulatedMarket, pool: MarketPool): number {
  const { x, y } = pool.liquidity;
  return (
    (Number(x) / 10 ** pool.tokenX.spec.decimals) * market.usd(pool.tokenX) +
    (Number(y) / 10 ** pool.tokenY.spec.decimals) * market.usd(pool.tokenY)
  );
}

describe('Arbitrage', function () {
  it('Arbitrage keeps every pool within its fee and one bin of the market price', () => {
    const { market } = livelyWorld(1);
    const fees = (): number[] => market.pools.map((pool) => Number(pool.feeRates(market.now).total) / 1e9);
    for (let step = 0; step < 200; step += 1) {
      const before = fees();
      market.step(step % 3 === 0 ? 60 : 1);
      const after = fees();
      for (const [index, pool] of market.pools.entries()) {
        // Trades change the fee: arbitrage had to earn the one of then. That of constant-product pools varies by a fifth.
        const fee = (pool.type === 'product' ? 1.2 : 1) * Math.max(before[index] ?? NaN, after[index] ?? NaN);
        const width = pool.spec.type === 'bins' ? pool.spec.binStepBps / 10_000 : 0.0005;
        const relative = relativePrice(market, pool);
        assert.ok(relative > (1 - fee) * (1 - width) && relative < (1 + width) / (1 - fee), `${pool.spec.key}: ${relative}, fee ${fee}`);
      }
    }
  });

  it('Arbitrage follows the price in both directions, up to the point where it stops paying', () => {
    for (const key of ['WYFF-SOL-80', 'WYFF-SOL-DAMM-100', 'SOL-USDC-4', 'PUSD-USDC-1']) {
      const { market } = livelyWorld(2);
      const pool = poolOf(market, key);
      const outside = outsideOf(market, pool);
      for (const factor of [1.04, 0.95]) {
        const moved = { ...outside, usdX: outside.usdX * factor };
        const trade = arbitrage(pool, moved);
        assert.ok(trade !== undefined);
        assert.equal(trade.sells, factor > 1 ? 'y' : 'x');
        const relative = (relativePrice(market, pool) * outside.usdX) / moved.usdX;
        assert.ok(factor > 1 ? relative < 1.005 : relative > 0.995, `${key}: ${relative}`);
        assert.equal(arbitrage(pool, moved), undefined, 'nothing is left to earn');
      }
    }
  });

  it('Arbitrage makes a profit: the input is worth less at market prices than the output', () => {
    const { market } = livelyWorld(3);
    for (const pool of market.pools) {
      const outside = { ...outsideOf(market, pool), usdX: market.usd(pool.tokenX) * 1.2 };
      const trade = arbitrage(pool, outside);
      if (pool.tokenX.spec.volatility > 0.1) {
        assert.ok(trade !== undefined, pool.spec.key);
        const paid = (Number(trade.amountIn) / 10 ** pool.tokenY.spec.decimals) * outside.usdY;
        const got = (Number(trade.amountOut) / 10 ** pool.tokenX.spec.decimals) * outside.usdX;
        assert.ok(got > paid, `${pool.spec.key}: ${paid} for ${got}`);
      }
    }
  });

  it('Arbitrage does nothing when the fee exceeds the profit', () => {
    const { market } = livelyWorld(4);
    const pool = poolOf(market, 'BONQ-SOL-100');
    const { x, y } = pool.vaults;
    const outside = outsideOf(market, pool);
    assert.equal(arbitrage(pool, { ...outside, usdX: outside.usdX * 1.009 }), undefined);
    assert.deepEqual(pool.vaults, { x, y });
  });
});

describe('Limited reserves of the world', function () {
  it('Arbitrage trades only as much as the rest of the world can pay', () => {
    for (const key of ['WYFF-SOL-DAMM-100', 'WYFF-SOL-80']) {
      const { market } = livelyWorld(10);
      const pool = poolOf(market, key);
      const outside = { ...outsideOf(market, pool), usdX: market.usd(pool.tokenX) / 3 };
      const purse = Number(pool.vaults.x) / 5;
      assert.equal(arbitrage(pool, { ...outside, reserves: new WorldReserves(() => 0n) }), undefined);
      let rounds = 0;
      for (; ; rounds += 1) {
        const before = relativePrice(market, pool);
        const trade = arbitrage(pool, { ...outside, reserves: new WorldReserves(() => BigInt(Math.floor(purse))) });
        if (trade === undefined) {
          break;
        }
        assert.ok(Number(trade.amountIn) <= purse);
        assert.ok(relativePrice(market, pool) < before);
      }
      assert.ok(rounds > 1, `${key} took ${rounds} rounds`);
      assert.ok(Math.abs(3 * relativePrice(market, pool) - 1) < 0.03, `${key} came to ${3 * relativePrice(market, pool)} of the price`);
    }
  });

  it('Random trades and setting the active bin also sell only tokens that exist', () => {
    const world = livelyWorld(11);
    const { market } = world;
    const pool = binPoolOf(market, 'GIGALAMB-SOL-250');
    const bustle = { seconds: 3_600, activity: 5, random: Random.seeded(1, 'chance') };
    assert.deepEqual(tradeRandomly(pool, { ...outsideOf(market, pool), reserves: new WorldReserves(() => 5n) }, bustle), []);
    // All that there is of it is worth 214,000 dollars.
    provide(world, pool, 300_000, 'a whale');
    const before = [market.usd(pool.tokenX), pool.activeBinId, pool.vaults];
    assert.throws(() => market.setActiveBin(pool, pool.activeBinId - 80), /No trader has enough/);
    assert.throws(() => market.setActiveBin(pool, pool.activeBinId + 400), /stays within a thousand times/);
    assert.deepEqual([market.usd(pool.tokenX), pool.activeBinId, pool.vaults], before);
    market.setActiveBin(pool, pool.activeBinId - 3);
    market.settleVaults();
    world.unit.commit();
  });
});

describe('Random trades', function () {
  it('Random trades bring about the volume of the catalog', () => {
    const { market } = livelyWorld(5);
    const before = market.pools.map((pool) => worthUsd(market, pool));
    for (let hour = 0; hour < 24 * 6; hour += 1) {
      market.step(600);
    }
    for (const [index, pool] of market.pools.entries()) {
      const { turnoverPerDay, tvlUsd } = pool.spec;
      const { volumeUsd, feeUsd } = market.turnoverOf(pool).within(market.now, DAY);
      const usual = turnoverPerDay * tvlUsd;
      assert.ok(volumeUsd > 0.3 * usual && volumeUsd < 8 * usual, `${pool.spec.key}: ${volumeUsd / usual} times`);
      const { base } = pool.feeRates(market.now);
      const rate = feeUsd / volumeUsd;
      // Constant-product pools take fees of what they give, which is worth a little more or less outside.
      assert.ok(rate > 0.97 * (Number(base) / 1e9) && rate <= 1.03 * (Number(pool.maxFeeRate) / 1e9), `${pool.spec.key} earns ${rate}`);
      const after = worthUsd(market, pool);
      assert.ok(
        after > 0.5 * (before[index] ?? NaN) && after < 1.6 * (before[index] ?? NaN),
        `${pool.spec.key}: ${after} of ${before[index]}`,
      );
    }
  });

  it('Random trades alternate in direction, and volatile prices bring more of them', () => {
    const { market } = livelyWorld(6);
    const pool = poolOf(market, 'BONQ-SOL-25');
    const outside = outsideOf(market, pool);
    const volumes = [1, 4].map((activity) => {
      const random = Random.seeded(1, 'chance');
      let volume = 0;
      let upwards = 0;
      for (let minute = 0; minute < 200; minute += 1) {
        const then = { ...outside, now: NOON + minute * MINUTE };
        const trades = tradeRandomly(pool, then, { seconds: 60, activity, random });
        assert.ok(trades.length <= 4);
        trades.forEach((trade, index) => assert.notEqual(trade.sells, trades[index + 1]?.sells));
        const back = arbitrage(pool, then);
        const all = back === undefined ? trades : [...trades, back];
        upwards += all.filter(({ sells }) => sells === 'y').length - all.filter(({ sells }) => sells === 'x').length;
        volume += volumeAndFeesOf(pool, outside, all).volumeUsd;
      }
      assert.ok(Math.abs(upwards) < 60, `${upwards} more upwards`);
      return volume;
    });
    const [usual = NaN, restless = NaN] = volumes;
    const expected = (pool.spec.tvlUsd * pool.spec.turnoverPerDay * 200) / (24 * 60);
    assert.ok(usual > 0.6 * expected && usual < 1.6 * expected, `${usual} instead of ${expected}`);
    assert.ok(restless > 2.5 * usual && restless < 6 * usual, `${restless} instead of ${4 * usual}`);
  });

  it('Random trades leave the way back to arbitrage once the price is beyond the fee', () => {
    const { market } = livelyWorld(9);
    const pool = poolOf(market, 'SOL-USDC-4');
    const outside = outsideOf(market, pool);
    const trades = tradeRandomly(pool, outside, { seconds: 6 * 3_600, activity: 1, random: Random.seeded(1, 'chance') });
    assert.equal(trades.length, 1);
    const back = arbitrage(pool, outside);
    assert.ok(back !== undefined && back.sells !== trades[0]?.sells);
    assert.ok(volumeAndFeesOf(pool, outside, [back]).volumeUsd > 0.5 * volumeAndFeesOf(pool, outside, trades).volumeUsd);
  });

  it('Random trades skip a pool without liquidity and do not empty a small one', () => {
    const { market } = livelyWorld(7, NOON, 0.001);
    const pool = poolOf(market, 'MEWO-SOL-200');
    const before = pool.liquidity;
    const trades = tradeRandomly(pool, outsideOf(market, pool), { seconds: HOUR, activity: 1, random: Random.seeded(1, 'chance') });
    assert.ok(trades.length > 0);
    const { x, y } = pool.liquidity;
    assert.ok(x * 10n > before.x * 7n && y * 10n > before.y * 7n);

    const empty = livelyWorld(7, NOON, 0).market;
    empty.advance(NOON + HOUR);
    for (const one of empty.pools) {
      assert.deepEqual(one.vaults, { x: 0n, y: 0n });
      assert.deepEqual(empty.turnoverOf(one).within(empty.now, DAY), { volumeUsd: 0, feeUsd: 0 });
    }
  });
});

describe('Turnover of trades', () => {
  it('Turnover counts the input at market prices and the fees in both tokens', () => {
    const { market } = livelyWorld(8);
    const pool = poolOf(market, 'TRUMPET-USDC-50');
    const nothing = { x: 0n, y: 0n };
    const trades = [
      { sells: 'x', amountIn: 2_000_000n, amountOut: 1n, fees: { x: 10_000n, y: 0n }, protocolFees: nothing },
      { sells: 'y', amountIn: 30_000_000n, amountOut: 1n, fees: { x: 0n, y: 40_000n }, protocolFees: nothing },
    ] as const;
    const { volumeUsd, feeUsd } = volumeAndFeesOf(pool, { ...outsideOf(market, pool), usdX: 8, usdY: 1 }, trades);
    assert.ok(Math.abs(volumeUsd - 46) < 1e-9 && Math.abs(feeUsd - 0.12) < 1e-9);
  });
});
