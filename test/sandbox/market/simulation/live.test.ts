import assert from 'node:assert/strict';
import * as z from 'zod';
import { audit } from '../../../../src/sandbox/market/engine/audit';
import { Database } from '../../../../src/sandbox/store/database';
import { addressFromBytes } from '../../../../src/base/solana/address';
import { seededBytes } from '../../../../src/sandbox/market/random';
import { binPoolOf, DAY, HOUR, NOON, poolOf } from '../../../support/sandbox/market/worlds';
import { countMoney, dump, keep, populatedIn, tvlOf } from '../../../support/sandbox/market/simulation/populated';

const SHORT_PAST = 9 * DAY;

const Count = z.object({ count: z.int() });

function count(database: Database, where: string): number {
  return database.get(Count, `SELECT count(*) AS count FROM position WHERE ${where}`)?.count ?? 0;
}

/** Equal, table by table; says which row differs, and not all of them. */
function same(
  actual: ReadonlyMap<string, readonly string[]>,
  expected: ReadonlyMap<string, readonly string[]>,
  but: readonly string[] = [],
): void {
  for (const [table, rows] of expected) {
    if (!but.includes(table)) {
      const others = actual.get(table) ?? [];
      const at = rows.findIndex((row, index) => row !== others[index]);
      assert.ok(
        at === -1 && others.length === rows.length,
        `${table}: row ${at} of ${rows.length} (${others.length}): ${rows[at]} is ${others[at]}`,
      );
    }
  }
}

describe('Providers after the first start', function () {
  it('Providers continue with the same habits: positions open and close, pools stay funded, no money is lost', () => {
    const world = populatedIn(Database.inMemory(), 31, SHORT_PAST);
    const { database, market } = world;
    for (let hours = 6; hours <= 4 * 24; hours += 6) {
      market.advance(NOON + hours * HOUR);
      keep(world);
    }
    assert.ok(count(database, `opened_at > ${NOON}`) >= 20);
    assert.ok(count(database, `closed_at > ${NOON}`) >= 20);
    assert.ok(count(database, `closed_at IS NULL`) >= 300);
    for (const pool of market.pools) {
      const part = tvlOf(world, pool) / pool.spec.tvlUsd;
      assert.ok(part > 0.6 && part < 1.7, `${pool.spec.key}: ${part}`);
    }
    countMoney(world);
    assert.deepEqual(audit(database), []);
    database.close();
  });

  it('The same seed gives the same providers and world', () => {
    const worlds = [1, 2].map(() => populatedIn(Database.inMemory(), 32, SHORT_PAST));
    const [one, other] = worlds.map((world) => dump(world));
    assert.ok(one !== undefined && other !== undefined && (one.get('position')?.length ?? 0) > 400);
    same(other, one);
    const different = populatedIn(Database.inMemory(), 33, DAY);
    assert.notDeepEqual(dump(different).get('provider'), one.get('provider'));
    [...worlds, different].forEach(({ database }) => database.close());
  });

  it('Providers continue after a restart as they would have without it', () => {
    const [kept, restarted] = [1, 2].map(() => populatedIn(Database.inMemory(), 34, DAY));
    assert.ok(kept !== undefined && restarted !== undefined);
    const again = populatedIn(restarted.database, 34);
    for (const world of [kept, again]) {
      for (let hours = 1; hours <= 24; hours += 1) {
        world.market.advance(NOON + hours * HOUR);
      }
      keep(world);
    }
    assert.ok(count(kept.database, `opened_at > ${NOON}`) >= 3);
    same(dump(again), dump(kept));
    [kept, again].forEach(({ database }) => database.close());
  });

  it('A failed attempt and a dry run revert the providers', () => {
    const [plain, tried] = [1, 2].map(() => populatedIn(Database.inMemory(), 35, DAY));
    assert.ok(plain !== undefined && tried !== undefined);
    tried.unit.dryRun(() => tried.market.advance(NOON + 12 * HOUR));
    assert.throws(
      () =>
        tried.unit.attempt(() => {
          tried.market.advance(NOON + 30 * HOUR);
          throw new Error('not now');
        }),
      /not now/,
    );
    assert.equal(tried.market.now, NOON);
    for (const world of [plain, tried]) {
      world.market.advance(NOON + 20 * HOUR);
      keep(world);
    }
    assert.ok(count(plain.database, `opened_at > ${NOON}`) >= 3);
    same(dump(tried), dump(plain));
    [plain, tried].forEach(({ database }) => database.close());
  });

  it('Providers survive crashes and rallies, including those of scarce tokens', () => {
    const world = populatedIn(Database.inMemory(), 38, DAY);
    const { market } = world;
    const [bonq, wyff] = [binPoolOf(market, 'BONQ-SOL-100'), binPoolOf(market, 'WYFF-SOL-80')];
    const blows: (() => void)[] = [
      () => market.shock(poolOf(market, 'GIGALAMB-SOL-250'), -99.5),
      () => market.shock(poolOf(market, 'CHONKY-SOL-100'), -99.5),
      () => market.shock(poolOf(market, 'SOL-USDC-4'), -90),
      () => market.shock(poolOf(market, 'GIGALAMB-SOL-250'), 3_000_000),
      () => market.setActiveBin(bonq, bonq.activeBinId - 450),
      () => market.setActiveBin(wyff, wyff.activeBinId + 600),
      () => market.shock(poolOf(market, 'SOL-USDC-4'), 2_000),
      () => market.shock(poolOf(market, 'PENGO-SOL-125'), -99),
    ];
    for (const blow of blows) {
      blow();
      for (let hours = 0; hours < 15; hours += 3) {
        market.advance(market.now + 3 * HOUR);
        keep(world);
      }
    }
    countMoney(world);
    assert.deepEqual(audit(world.database), []);
    assert.ok(count(world.database, 'closed_at IS NULL') >= 200);
    world.database.close();
  });

  it('Providers pay account rent less the lamports that are already at the address', () => {
    const world = populatedIn(Database.inMemory(), 39, DAY);
    const { chain, database, market } = world;
    const Next = z.object({ number: z.int(), opened: z.int() });
    for (const { number, opened } of database.all(Next, `SELECT number, json_extract(state, '$.opened') AS opened FROM provider`)) {
      const next = addressFromBytes(seededBytes(market.seed, `position ${number} ${opened}`));
      chain.setLamports(market.world, chain.lamports(market.world) - 90_000_000n);
      chain.setLamports(next, 90_000_000n);
    }
    market.advance(NOON + 2 * DAY);
    keep(world);
    assert.ok(count(database, `opened_at > ${NOON}`) >= 5);
    countMoney(world);
    database.close();
  });

  it('A world without a past has its providers from the first moment', () => {
    const world = populatedIn(Database.inMemory(), 36, 0);
    for (const pool of world.market.pools) {
      assert.ok(tvlOf(world, pool) > 0.6 * pool.spec.tvlUsd, pool.spec.key);
    }
    countMoney(world);
    world.database.close();
  });

  it('Providers change nothing while none of them is due', () => {
    const { people, market, database, unit } = populatedIn(Database.inMemory(), 37, DAY);
    people.act();
    const before = database.all(z.object({ due_at: z.number() }), 'SELECT due_at FROM provider ORDER BY due_at');
    assert.ok((before[0]?.due_at ?? 0) > market.now, 'somebody is due');
    people.act();
    unit.commit();
    assert.deepEqual(database.all(z.object({ due_at: z.number() }), 'SELECT due_at FROM provider ORDER BY due_at'), before);
    database.close();
  });
});
