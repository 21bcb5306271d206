import assert from 'node:assert/strict';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { TOKENS } from '../../../src/sandbox/market/catalog';
import type { SimulatedMarket } from '../../../src/sandbox/market/market';
import type { MarketActors, MarketPool } from '../../../src/sandbox/market/types';
import { Database } from '../../../src/sandbox/store/database';
import {
  binPoolOf,
  contentsOf,
  DAY,
  HOUR,
  livelyWorld,
  MINUTE,
  NOON,
  poolOf,
  provide,
  worldIn,
  writesTo,
  type World,
} from '../../support/sandbox/market/worlds';

function keep({ market, unit }: World): void {
  market.settleVaults();
  unit.commit();
}

/** Raw Y for one raw X outside of the pool. */
function outside(market: SimulatedMarket, { tokenX, tokenY }: MarketPool): number {
  return (market.usd(tokenX) / market.usd(tokenY)) * 10 ** (tokenY.spec.decimals - tokenX.spec.decimals);
}

describe('The market', function () {
  it('The market is the same for the same seed and moments', () => {
    const play = (seed: number): ReturnType<typeof contentsOf> => {
      const world = livelyWorld(seed);
      for (const seconds of [1, 5, 60, 3_600]) {
        world.market.advance(world.market.now + seconds * 1_000);
      }
      keep(world);
      return contentsOf(world.database);
    };
    const world = play(21);
    assert.deepEqual(play(21), world);
    assert.notDeepEqual(play(22)['token'], world['token']);
  });

  it('A market continues from its committed state as it would have without a restart', () => {
    const world = livelyWorld(22);
    world.market.speed = 3;
    world.market.advance(NOON + HOUR);
    keep(world);
    const copy = Database.inMemory();
    copyInto(copy, world.database);
    const other = worldIn(copy, 99);
    assert.ok(!other.market.isNew);
    assert.deepEqual([other.market.seed, other.market.now, other.market.speed], [22, NOON + HOUR, 3]);
    for (const one of [world, other]) {
      one.market.advance(NOON + 2 * HOUR);
      keep(one);
    }
    assert.deepEqual(contentsOf(copy), contentsOf(world.database));
  });

  it('The clock never goes back and stops at whole seconds', () => {
    const { market } = livelyWorld(23);
    market.advance(NOON - HOUR);
    assert.equal(market.now, NOON);
    for (const ms of [999, 1_000, 61_000, 5 * HOUR + 7_000]) {
      const before: number = market.now;
      market.advance(before + ms);
      assert.equal(market.now, before + Math.floor(ms / 1_000) * 1_000);
    }
  });

  it('The market advances by the second, and after a pause in at most 600 steps', () => {
    const { market } = livelyWorld(24);
    const moments: number[] = [];
    market.populate({ act: () => moments.push(market.now) });
    market.advance(NOON + 5_000);
    assert.deepEqual(
      moments,
      [1, 2, 3, 4, 5].map((seconds) => NOON + seconds * 1_000),
    );
    moments.length = 0;
    market.advance(NOON + 60 * DAY);
    assert.ok(moments.length <= 600 && moments.length > 500 && moments.at(-1) === NOON + 60 * DAY);
  });

  it('The market stands still at speed 0 and moves faster at a higher speed', () => {
    const world = livelyWorld(25);
    const { market } = world;
    keep(world);
    market.speed = 0;
    market.populate({ act: () => assert.fail('people act while the market stands still') });
    const before = contentsOf(world.database);
    market.advance(NOON + 30 * DAY);
    assert.equal(market.now, NOON + 30 * DAY);
    keep(world);
    const { meta, ...rest } = contentsOf(world.database);
    const { meta: metaBefore, ...restBefore } = before;
    assert.deepEqual(rest, restBefore);
    assert.notDeepEqual(meta, metaBefore);

    assert.ok(volumeAt(20) > 8 * volumeAt(1));
    for (const wrong of [-1, NaN, Infinity]) {
      assert.throws(() => {
        market.speed = wrong;
      }, RangeError);
    }
  });

  it('The market writes only prices and the clock if nothing was traded', () => {
    const world = livelyWorld(26);
    const { market, database } = world;
    keep(world);
    const moving = TOKENS.filter(({ volatility }) => volatility > 0).length;
    let quiet = 0;
    for (let second = 0; second < 60; second += 1) {
      const vaults = market.pools.map((pool) => pool.vaults);
      const written = writesTo(database);
      market.step(1);
      keep(world);
      if (market.pools.every((pool, index) => pool.vaults.x === vaults[index]?.x && pool.vaults.y === vaults[index].y)) {
        quiet += 1;
        assert.equal(writesTo(database) - written, moving + 1);
      }
    }
    assert.ok(quiet > 5, `only ${quiet} quiet seconds`);
  });

  it('A market second costs little computing time', () => {
    const world = livelyWorld(27);
    keep(world);
    const began = process.cpuUsage();
    for (let second = 0; second < 300; second += 1) {
      world.market.step(1);
      keep(world);
    }
    const { user, system } = process.cpuUsage(began);
    const each = (user + system) / 1_000 / 300;
    assert.ok(each < 5, `${each} ms of computing for each second`);
  });

  it('A shock moves every pool of the token, and a shock of SOL all correlated tokens', () => {
    const { market } = livelyWorld(28);
    const [fine, coarse, product] = [
      binPoolOf(market, 'BONQ-SOL-25'),
      binPoolOf(market, 'BONQ-SOL-100'),
      poolOf(market, 'BONQ-SOL-DAMM-25'),
    ];
    const before = { fine: fine.activeBinId, coarse: coarse.activeBinId, product: product.price, usd: market.usd(fine.tokenX) };
    market.shock(fine, 50);
    assert.ok(Math.abs(market.usd(fine.tokenX) / before.usd - 1.5) < 1e-9);
    assert.ok(Math.abs(fine.activeBinId - before.fine - 162) <= 6, `${fine.activeBinId - before.fine} bins`);
    assert.ok(Math.abs(coarse.activeBinId - before.coarse - 41) <= 5);
    assert.ok(Math.abs(product.price / before.product - 1.5) < 0.01);
    assert.ok(market.turnoverOf(fine).within(market.now + 1, HOUR).volumeUsd > 0);

    const sol = binPoolOf(market, 'SOL-USDC-4');
    const usd = market.usd(poolOf(market, 'JUPP-USDC-15').tokenX);
    market.shock(sol, -10);
    assert.ok(Math.abs(market.usd(poolOf(market, 'JUPP-USDC-15').tokenX) / usd - 0.9 ** 1.15) < 1e-9);
    assert.throws(() => market.shock(sol, -100), RangeError);
  });

  it('The active bin can be set exactly, and other pools follow', () => {
    const { market } = livelyWorld(29);
    const pool = binPoolOf(market, 'WYFF-SOL-80');
    const other = poolOf(market, 'WYFF-SOL-DAMM-100');
    for (const distance of [1, -9, 57, -200, 0]) {
      const binId = pool.activeBinId + distance;
      market.setActiveBin(pool, binId);
      assert.equal(pool.activeBinId, binId);
      assert.ok(Math.abs(outside(market, pool) / pool.priceOf(binId) - 1) < 1e-9);
      assert.ok(Math.abs(other.price / outside(market, other) - 1) < 0.03);
      market.step(1);
      assert.ok(Math.abs(pool.activeBinId - binId) <= 1, 'and there it stays');
    }
    assert.throws(() => market.setActiveBin(pool, 1e7), RangeError);
  });

  it('Trades of others count towards the turnover', () => {
    const { market } = livelyWorld(30);
    const pool = poolOf(market, 'JUPP-SOL-20');
    const quoted = pool.quote('y', 10n ** 9n, market.now);
    assert.deepEqual(market.trade(pool, 'y', 10n ** 9n), quoted);
    const { volumeUsd, feeUsd } = market.turnoverOf(pool).within(market.now + 1, HOUR);
    assert.ok(Math.abs(volumeUsd / market.usdSol - 1) < 1e-9);
    assert.ok(feeUsd > 0.0019 * volumeUsd && feeUsd < 0.01 * volumeUsd);
  });

  it('A commit fails if the vaults are not settled', () => {
    const world = livelyWorld(31);
    assert.throws(() => world.unit.commit(), /not settled/);
  });

  it('A failed attempt reverts prices, clock, pools, turnover and vaults', () => {
    const world = livelyWorld(32);
    const { market, unit, database } = world;
    keep(world);
    const before = contentsOf(database);
    assert.throws(
      () =>
        unit.attempt(() => {
          market.advance(market.now + HOUR);
          market.shock(poolOf(market, 'BONQ-SOL-25'), 30);
          market.settleVaults();
          throw new RangeError('no');
        }),
      /no/,
    );
    assert.equal(market.now, NOON);
    keep(world);
    assert.deepEqual(contentsOf(database), before);
  });

  it('New pools appear at their time, at the price of that moment', () => {
    const world = worldIn(Database.inMemory(), 33, NOON - 3 * DAY);
    const { market } = world;
    const young = market.pools.filter(({ createdAt }) => createdAt > market.now);
    assert.deepEqual(
      young.map(({ spec }) => spec.key),
      ['GIGALAMB-SOL-250', 'GIGALAMB-SOL-DAMM-400'],
    );
    while (market.now < NOON) {
      market.step(1_800);
      for (const pool of young) {
        if (pool.createdAt > market.now) {
          const binStep = pool.spec.type === 'bins' ? pool.spec.binStepBps / 10_000 : 0;
          assert.ok(
            Math.abs(pool.price / outside(market, pool) - 1) < 0.05 + binStep,
            `${pool.spec.key} is at ${pool.price / outside(market, pool)} of the price`,
          );
          assert.deepEqual(pool.vaults, { x: 0n, y: 0n });
        } else if (pool.vaults.x === 0n && pool.vaults.y === 0n) {
          provide(world, pool, pool.spec.tvlUsd);
        }
      }
    }
    young.forEach((pool) => assert.ok(market.turnoverOf(pool).within(market.now, DAY).volumeUsd > 0, pool.spec.key));
    keep(world);
  });

  it('The market finds its tokens and pools', () => {
    const { market } = livelyWorld(34);
    assert.ok(market.pools.length >= 26 && market.tokens.length >= 12);
    assert.equal(market.sol.mint, market.tokenByMint(market.sol.mint)?.mint);
    assert.equal(market.usd(market.usdc), 1);
    for (const pool of market.pools) {
      assert.equal(market.poolAt(pool.address), pool);
      assert.equal(market.tokenByMint(pool.tokenX.mint)?.spec, pool.tokenX.spec);
    }
    assert.equal(market.poolAt(PROGRAMS.token), undefined);
    assert.ok(market.pools.filter(({ type }) => type === 'product').length >= 6);
    for (const { spec } of market.tokens) {
      assert.ok(
        market.pools.some(
          ({ type, tokenX, tokenY }) =>
            type === 'bins' &&
            [tokenX, tokenY].some((token) => token.spec.key === spec.key) &&
            [tokenX, tokenY].some((token) => ['SOL', 'USDC'].includes(token.spec.key)),
        ),
        `${spec.key} has no bin pool against SOL or USDC`,
      );
    }
  });

  function volumeAt(speed: number): number {
    const { market } = livelyWorld(25);
    const people: MarketActors = { act: () => undefined };
    market.populate(people);
    market.speed = speed;
    market.advance(NOON + 10 * MINUTE);
    return market.pools.reduce((sum, pool) => sum + market.turnoverOf(pool).within(market.now, HOUR).volumeUsd, 0);
  }
});

function copyInto(target: Database, source: Database): void {
  target.transaction(() => {
    for (const [table, rows] of Object.entries(contentsOf(source))) {
      for (const row of rows) {
        // Columns that SQLite computes are not written.
        const columns = Object.keys(row).filter((column) => !['pnl_usd', 'pnl_native'].includes(column));
        target.run(
          `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
          ...columns.map((column) => row[column] as string | number | Uint8Array | null),
        );
      }
    }
  });
}
