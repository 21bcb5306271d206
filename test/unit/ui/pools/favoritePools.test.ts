import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import { ServiceError, type ServiceErrorKind } from '../../../../src/service/errors';
import type { PoolInfo } from '../../../../src/service/poolInfo';
import type { Pool } from '../../../../src/service/pools';
import { favoriteCommands } from '../../../../src/ui/pools/favoriteCommands';
import { FavoritePools } from '../../../../src/ui/pools/favoritePools';
import { favoriteRow } from '../../../../src/ui/pools/favoriteRow';
import { UserError } from '../../../../src/ui/shell/errors';
import { readServiceChoice } from '../../../../src/ui/shell/serviceChoice';
import { ScriptedPrompts, type ScriptedAnswer } from '../../../support/editor/scriptedPrompts';
import { FakeClock, fakeService, pageOf, pool, settledMicrotasks } from '../../../support/portfolio/fixtures';
import { fail, MemoryState } from '../../../support/ui/memory';

const STATE = 'binsight.favoritePools';
const REAL = 'https://api.example.com/v1';

function info(of: Pool): PoolInfo {
  const facts = { marketCapUsd: undefined, fdvUsd: undefined, priceUsd: undefined, organicScore: undefined, holders: undefined };
  return {
    ...{
      poolType: of.poolType,
      protocol: of.protocol,
      amountX: undefined,
      amountY: undefined,
      activeBin: undefined,
      bins: [],
      feeStats: [],
    },
    tokens: [
      { ...of.token0, ...facts },
      { ...of.token1, ...facts },
    ],
    fees: { basePercent: 1, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
    statistics: { tvlUsd: 2_000, fees24hUsd: 20, binStepBps: 25 },
  };
}

/** A service that lists pools 0 to 2, and knows 3 to 9 besides. */
function setUp(answers: readonly ScriptedAnswer[] = [], state = new MemoryState()) {
  const world = {
    setting: '',
    isVisible: true,
    failure: undefined as ServiceErrorKind | undefined,
    inFront: undefined as string | undefined,
  };
  const asked: Address[] = [];
  const clock = new FakeClock();
  const service = fakeService({
    discoverPools: ({ page = 1, pageSize = 10 }) => Promise.resolve(pageOf([pool(0), pool(1), pool(2)], page, pageSize)),
    poolInfo: (address) => {
      asked.push(address);
      const found = [3, 4, 5, 6, 7, 8, 9].map((number) => pool(number)).find((one) => one.address === address);
      const kind = world.failure ?? (found === undefined ? 'notFound' : undefined);
      return kind === undefined && found !== undefined
        ? Promise.resolve(info(found))
        : Promise.reject(new ServiceError('no', { kind: kind ?? 'notFound', endpoint: 'GET /pools/{id}/info' }));
    },
  });
  const connect = () => Promise.resolve(service);
  const portfolio = new Portfolio({ service: connect, log: () => undefined, clock });
  const choice = () => readServiceChoice(world.setting);
  const favorites = new FavoritePools({
    ...{ state, service: choice, connect, portfolio, clock, isVisible: () => world.isVisible, onError: fail },
  });
  const prompts = new ScriptedPrompts(answers);
  const commands = favoriteCommands({
    ...{
      prompts,
      portfolio,
      favorites: () => Promise.resolve(favorites),
      find: () => Promise.resolve([]),
      activePool: () => world.inFront,
    },
  });
  const names = () => favorites.all.map(({ pool: { pairName }, state: of }) => `${pairName} ${of}`);
  return { world, asked, clock, portfolio, favorites, commands, prompts, names, state };
}

const at = (number: number) => pool(number).address;

describe('Favorite pools', () => {
  it('A pool is added from its row, from its panel and by address, and removed the same way', async () => {
    const toggled = 'binsight.toggleFavorite';
    const { commands, portfolio, names, world, prompts, favorites } = setUp([
      { pick: 'Pool Address' },
      { type: at(4) },
      { pick: 'P3/SOL' },
    ]);
    await portfolio.refresh('visible', ['pools']);
    await commands[toggled]({ kind: 'pool', address: at(1) });
    world.inFront = at(3);
    await commands[toggled](undefined);
    world.inFront = undefined;
    await commands[toggled](undefined);
    assert.deepEqual(names(), ['P1/SOL known', 'P3/SOL known', 'P4/SOL known']);
    await commands[toggled]({ kind: 'pool', address: at(1) });
    await commands[toggled](undefined);
    world.inFront = at(4);
    await commands[toggled](undefined);
    prompts.assertDone();
    assert.deepEqual(names(), []);
    favorites.dispose();
  });

  it('Favorites are ordered as the user moves them, and a pool that is none moves nothing', async () => {
    const { favorites, portfolio, names } = setUp();
    await portfolio.refresh('visible', ['pools']);
    for (const number of [0, 1, 2]) {
      await favorites.add(at(number));
    }
    const order = () =>
      names()
        .map((name) => name.slice(0, 2))
        .join(' ');
    await favorites.move([at(2)], at(0));
    assert.equal(order(), 'P2 P0 P1');
    await favorites.move([at(2), at(0)], undefined);
    assert.equal(order(), 'P1 P2 P0');
    await favorites.move([at(5)], at(1));
    await favorites.move([at(1)], at(5));
    await favorites.move([at(1)], at(1));
    assert.equal(order(), 'P1 P2 P0');
    favorites.dispose();
  });

  it('A pool of the sandbox is never a favorite of another service', async () => {
    const { commands, portfolio, names, world } = setUp();
    await portfolio.refresh('visible', ['pools']);
    await commands['binsight.toggleFavorite']({ kind: 'pool', address: at(1) });
    world.setting = REAL;
    assert.deepEqual(names(), []);
    await commands['binsight.toggleFavorite']({ kind: 'pool', address: at(2) });
    assert.deepEqual(names(), ['P2/SOL known']);
    world.setting = 'solana';
    assert.deepEqual(names(), []);
    world.setting = '';
    assert.deepEqual(names(), ['P1/SOL known']);
    world.setting = 'not an address';
    assert.deepEqual(names(), []);
    await assert.rejects(commands['binsight.toggleFavorite']({ kind: 'pool', address: at(2) }), UserError);
  });

  it('Favorites that are not listed are read while the view is visible, a few at a time, and again when they are old', async () => {
    const before = setUp();
    for (const number of [3, 4, 5, 6, 7]) {
      await before.favorites.add(at(number));
    }
    const { asked, names, portfolio, favorites, clock, world } = setUp([], before.state);
    assert.deepEqual(
      names(),
      [3, 4, 5, 6, 7].map((number) => `P${number}/SOL unread`),
    );
    world.isVisible = false;
    await portfolio.refresh('visible', ['pools']);
    await settledMicrotasks();
    assert.deepEqual(asked, []);
    world.isVisible = true;
    favorites.look();
    await settledMicrotasks();
    assert.deepEqual(asked, [at(3), at(4), at(5)]);
    favorites.look();
    await settledMicrotasks();
    assert.deepEqual(
      names(),
      [3, 4, 5, 6, 7].map((number) => `P${number}/SOL known`),
    );
    asked.length = 0;
    favorites.look();
    await settledMicrotasks();
    assert.deepEqual(asked, []);
    await clock.advance(10 * 60_000);
    favorites.look();
    await settledMicrotasks();
    assert.equal(asked.length, 3);
    assert.equal(favoriteRow(favorites.all[0] ?? fail(new Error('none'))).description, '1%/d · $2,000 · 25 bps · DLMM');
  });

  it('Favorites are read again after the clock was set back', async () => {
    const { favorites, portfolio, clock, asked } = setUp();
    await portfolio.refresh('visible', ['pools']);
    await favorites.add(at(3));
    asked.length = 0;
    clock.setBy(-600 * 60_000);
    favorites.look();
    await settledMicrotasks();
    assert.deepEqual(asked, [at(3)]);
  });

  it('A pool that the service no longer knows stays in the list and says so; a service that fails does not make it look so', async () => {
    const before = setUp();
    await before.favorites.add(at(3));
    const { names, world, favorites, portfolio } = setUp([], before.state);
    await portfolio.refresh('visible', ['pools']);
    world.failure = 'server';
    favorites.look();
    await settledMicrotasks();
    const first = favorites.all[0]?.state;
    assert.ok(first !== 'notFound');
    const gone = setUp([], before.state);
    gone.world.failure = 'notFound';
    await gone.portfolio.refresh('visible', ['pools']);
    await settledMicrotasks();
    assert.deepEqual(gone.names(), ['P3/SOL notFound']);
    const row = favoriteRow(gone.favorites.all[0] ?? fail(new Error('none')));
    assert.deepEqual([row.label, row.description, row.contextValue], ['P3/SOL', 'not found by the service', 'pool gone favorite']);
    await gone.favorites.remove(at(3));
    assert.deepEqual([gone.names(), names().length], [[], 0]);
  });

  it('There is a limit, and what is stored and cannot be read is left out', async () => {
    const entry = (number: number) => ({ address: at(number), pairName: `P${number}`, poolType: 'dlmm' });
    const state = new MemoryState();
    await state.update(STATE, {
      sandbox: [entry(1), entry(1), { ...entry(2), address: 'x' }, null, { ...entry(3), poolType: 'y' }, entry(4)],
      other: 5,
    });
    const { names, favorites } = setUp([], state);
    assert.deepEqual(names(), ['P1 unread', 'P4 unread']);
    await state.update(STATE, { sandbox: Array.from({ length: 50 }, (_, index) => entry(index + 10)) });
    await assert.rejects(favorites.add(at(3)), /50 favorites/);
    await state.update(STATE, 'nonsense');
    assert.deepEqual(names(), []);
  });
});
