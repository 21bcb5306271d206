import assert from 'node:assert/strict';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import type { CountersQuery } from '../../../../src/service/counters';
import { ServiceError } from '../../../../src/service/errors';
import type { OpenPosition } from '../../../../src/service/positions';
import type { FavoritePool } from '../../../../src/ui/pools/favoriteRow';
import { RecordedPools } from '../../../../src/ui/pools/recordedPools';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../../src/ui/shell/serviceChoice';
import { addressOf, FakeClock, fakeService, openPosition, OWNER, pageOf, pool } from '../../../support/portfolio/fixtures';

const HOUR_MS = 3_600_000;

async function setUp(positions: readonly OpenPosition[], favorites: readonly FavoritePool[], choice: ServiceChoice = SANDBOX) {
  const world = { asked: [] as CountersQuery[], fails: false, clock: new FakeClock() };
  const service = fakeService({
    openPositions: () => Promise.resolve({ items: positions, warnings: [] }),
    discoverPools: () => Promise.resolve(pageOf([], 1, 10)),
    counters: (query) => {
      world.asked.push(query);
      return world.fails
        ? Promise.reject(new ServiceError('no', { kind: 'server', endpoint: 'GET /pools/{id}/counters' }))
        : Promise.resolve(undefined);
    },
  });
  const connect = () => Promise.resolve(service);
  const portfolio = new Portfolio({ service: connect, log: () => undefined, clock: world.clock });
  const recorded = new RecordedPools({
    ...{ service: () => choice, connect, portfolio, favorites: () => favorites, clock: world.clock, log: () => undefined },
  });
  await recorded.look();
  assert.deepEqual(world.asked, [], 'before the service has answered anything');
  portfolio.setOwner(OWNER);
  await portfolio.refresh('startup', ['positions', 'pools']);
  return { world, recorded };
}

const favorite = (number: number, state: FavoritePool['state'] = 'known', poolType: 'dlmm' | 'dammV2' = 'dlmm'): FavoritePool => ({
  pool: pool(number, { poolType }),
  state,
});
/** A position in the pool of this number. */
const positionIn = (number: number, at: number, bins: readonly [number, number]): OpenPosition =>
  openPosition(at, { pool: addressOf(2000 + number), poolType: 'dlmm', lowerBinId: bins[0], upperBinId: bins[1] });

describe('Pools that are recorded', () => {
  it('A service of our own is asked to record pools with own positions, with their bins, and favorites, and nothing of what was recorded', async () => {
    const { world, recorded } = await setUp(
      [positionIn(1, 1, [-5, 8]), positionIn(1, 2, [-40, 2]), openPosition(3, { poolType: 'dammV2' })],
      [favorite(1), favorite(2, 'unread'), favorite(3, 'notFound'), favorite(4, 'known', 'dammV2')],
    );
    await recorded.look();
    assert.deepEqual(
      world.asked.map(({ pool: at, range }) => [at, range]),
      [
        [addressOf(2001), { fromBinId: -40, toBinId: 8 }],
        [addressOf(2002), undefined],
      ],
    );
    assert.ok(world.asked.every(({ fromS }) => fromS !== undefined && fromS * 1_000 >= world.clock.now()));
  });

  it('It is asked again after an hour, for 20 pools at most, and a pool that it refuses keeps it from none of the others', async () => {
    const many = Array.from({ length: 30 }, (_, number) => favorite(number));
    const { world, recorded } = await setUp([], many);
    world.fails = true;
    await recorded.look();
    assert.equal(world.asked.length, 1, 'the service may be down');
    world.fails = false;
    await Promise.all([recorded.look(), recorded.look()]);
    assert.deepEqual([world.asked.length, new Set(world.asked.map((one) => one.pool)).size], [20, 20]);
    await world.clock.advance(HOUR_MS - 1);
    await recorded.look();
    assert.equal(world.asked.length, 20);
    await world.clock.advance(1);
    await recorded.look();
    assert.equal(world.asked.length, 40);
  });

  it('Other services are not asked', async () => {
    const { world, recorded } = await setUp([], [favorite(1)], readServiceChoice('https://api.example.com/v1'));
    await recorded.look();
    assert.deepEqual(world.asked, []);
  });
});
