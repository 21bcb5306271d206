import assert from 'node:assert/strict';
import * as z from 'zod';
import { audit } from '../../../../src/sandbox/market/engine/audit';
import { tokenSpec } from '../../../../src/sandbox/market/catalog';
import type { BinPool } from '../../../../src/sandbox/market/types';
import { Database } from '../../../../src/sandbox/store/database';
import { DAY, HOUR, NOON } from '../../../support/sandbox/market/worlds';
import { countMoney, populatedIn, tvlOf, type Populated } from '../../../support/sandbox/market/simulation/populated';

const SEEDS = [1, 734_003];
/** What a pool has may be so many times as much, or as little, as the catalog says. */
const TVL_FACTOR = 1.6;
const SETTLING_HOURS = 6;
/** Of a token that is worth so many times less than in the catalog there is not enough for its pools. */
const CRASHED_FACTOR = 8;
const WATCHED = 30 * DAY;

const Counts = z.object({ pool: z.string(), owners: z.int(), positions: z.int(), closed: z.int(), won: z.int() });

/** Bins near the active one in which no provider has what should be there. */
function holesIn(pool: BinPool): string[] {
  const { activeBinId, spec } = pool;
  const reach = Math.floor(spec.halfWidthBins / 2);
  const near = Array.from({ length: reach }, (_, index) => index + 1);
  const active = pool.binAmounts(activeBinId);
  return [
    ...(active.x + active.y > 0n ? [] : ['the active bin']),
    ...near.filter((distance) => pool.binAmounts(activeBinId + distance).x === 0n).map((distance) => `${distance} above`),
    ...near.filter((distance) => pool.binAmounts(activeBinId - distance).y === 0n).map((distance) => `${distance} below`),
  ].map((where) => `${spec.key}: ${where}`);
}

for (const seed of SEEDS) {
  describe(`Ninety days of simulated providers (seed ${seed})`, function () {
    const extremes = new Map<string, { least: number; most: number }>();
    const holes = new Set<string>();
    let world: Populated;
    let watchedAt = 0;

    /** Every six hours of the last weeks, and every minute of the last hour. */
    function watch(watched: Populated): void {
      const { market } = watched;
      if (market.now < NOON - WATCHED || market.now < watchedAt + (market.now < NOON - HOUR ? 6 * HOUR : HOUR / 60)) {
        return;
      }
      watchedAt = market.now;
      for (const pool of market.pools.filter(
        ({ createdAt, tokenX }) =>
          createdAt <= market.now - SETTLING_HOURS * HOUR && market.usd(tokenX) > tokenX.spec.priceUsd / CRASHED_FACTOR,
      )) {
        const part = tvlOf(watched, pool) / pool.spec.tvlUsd;
        const { least, most } = extremes.get(pool.spec.key) ?? { least: part, most: part };
        extremes.set(pool.spec.key, { least: Math.min(least, part), most: Math.max(most, part) });
        if (pool.type === 'bins') {
          holesIn(pool).forEach((hole) => holes.add(hole));
        }
      }
    }

    before(() => {
      world = populatedIn(Database.inMemory(), seed, undefined, watch);
    });
    after(() => world.database.close());

    it('Every pool has about the TVL of the catalog at any time of the last weeks', () => {
      assert.ok(extremes.size >= world.market.pools.length - 4);
      const off = [...extremes].filter(([, { least, most }]) => least < 1 / TVL_FACTOR || most > TVL_FACTOR);
      assert.deepEqual(off, []);
    });

    it('Every pool has liquidity around its price without gaps', () => {
      assert.deepEqual([...holes], []);
    });

    it('New pools start at the market price', () => {
      const young = world.market.pools.filter(({ createdAt }) => createdAt > NOON - 3 * DAY);
      assert.ok(young.length >= 2);
      for (const pool of young) {
        const outside =
          (world.market.usd(pool.tokenX) / world.market.usd(pool.tokenY)) * 10 ** (pool.tokenY.spec.decimals - pool.tokenX.spec.decimals);
        assert.ok(Math.abs(Math.log(pool.price / outside)) < 0.12, pool.spec.key);
        const [first] = world.database.all(
          z.object({ opened_at: z.number() }),
          'SELECT opened_at FROM position WHERE pool = ? ORDER BY opened_at LIMIT 1',
          pool.address,
        );
        assert.ok(first !== undefined && first.opened_at >= pool.createdAt && first.opened_at < pool.createdAt + HOUR, pool.spec.key);
      }
    });

    it('Every pool has some 10 to 60 providers, with winners and losers among them', () => {
      const rows = world.database.all(
        Counts,
        `SELECT pool, count(DISTINCT owner) AS owners, count(*) AS positions, count(closed_at) AS closed,
         count(CASE WHEN closed_at IS NOT NULL AND output_native + fee_native - input_native > 0 THEN 1 END) AS won FROM position GROUP BY pool`,
      );
      assert.equal(rows.length, world.market.pools.length);
      for (const { pool, owners, closed, won } of rows) {
        const spec = world.market.poolAt(pool)?.spec;
        assert.ok(owners >= 10 && owners <= 60, `${spec?.key}: ${owners} owners`);
        // Of pairs that move, and long enough: what hardly moves is hardly lost in.
        if (spec !== undefined && closed >= 40 && tokenSpec(spec.tokenX).volatility > 0.1) {
          assert.ok(won >= closed / 20 && won <= (19 * closed) / 20, `${spec.key}: ${won} of ${closed} won`);
        }
      }
      const all = rows.reduce((sum, { positions, closed }) => ({ positions: sum.positions + positions, closed: sum.closed + closed }), {
        positions: 0,
        closed: 0,
      });
      assert.ok(all.closed > 700 && all.positions - all.closed <= 520, `${all.positions} positions, ${all.closed} of them closed`);
    });

    it('No provider has debts, and every lamport and token is accounted for', () => {
      const { database, chain, market } = world;
      countMoney(world);
      assert.deepEqual(audit(database), []);
      const owners = database.all(z.object({ owner: z.string() }), 'SELECT owner FROM provider');
      assert.equal(owners.length, 200);
      for (const { owner } of owners) {
        const lamports = database.get(
          z.object({ lamports: z.string().transform(BigInt) }),
          'SELECT lamports FROM account WHERE address = ?',
          owner,
        )?.lamports;
        assert.ok(lamports !== undefined && lamports >= 1_000_000n, `${owner} has ${lamports} lamports`);
      }
      assert.ok(chain.lamports(market.world) > 0n);
    });
  });
}
