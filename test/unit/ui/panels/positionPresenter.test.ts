import assert from 'node:assert/strict';
import { POSITION_OPERATIONS, type PositionToHost, positionToPanel, type PositionToPanel } from '../../../../src/protocol/position';
import type { CountersAnswer } from '../../../../src/service/counters';
import { ServiceError } from '../../../../src/service/errors';
import { ListedLogs, type PositionLog } from '../../../../src/service/positionLogs';
import { positionEventsOf, positionPresenter } from '../../../../src/ui/panels/positionPresenter';
import type { Presenter } from '../../../../src/ui/panels/presenter';
import { deferred, openPosition, OTHER_OWNER, OWNER, settledMicrotasks } from '../../../support/portfolio/fixtures';
import { poolInfo } from '../../../support/ui/panels/poolFixtures';
import { PresenterWorld, ToldPanel } from '../../../support/ui/panels/presenterWorld';

const POSITION = openPosition(1);
const KEY = POSITION.key;

function positionLog(part: Partial<PositionLog> = {}): PositionLog {
  const unknown = {
    owner: undefined,
    price0Usd: undefined,
    price1Usd: undefined,
    nativePriceUsd: undefined,
    lowerBinId: undefined,
    upperBinId: undefined,
    bps: undefined,
    signature: undefined,
  };
  return { ...unknown, action: 'addLiquidity', amount0: 5n, amount1: 7n, decimals0: 5, decimals1: 9, at: new Date(1_000), ...part };
}

/** A position's panel on a service that counts what it is asked. */
class PositionBench {
  readonly panel = new ToldPanel<PositionToPanel>(positionToPanel);
  readonly world: PresenterWorld;
  readonly presenter: Presenter<PositionToHost>;
  readonly asked: unknown[] = [];
  error: Error | undefined;
  logs: readonly PositionLog[] = [positionLog()];
  /** The pools of which candles and details were read. */
  readonly pools: unknown[] = [];
  readonly infos: unknown[] = [];
  counters: () => Promise<CountersAnswer | undefined> = () => Promise.resolve(undefined);

  constructor(key: string = KEY) {
    this.world = new PresenterWorld({
      positionLogs: (query) => {
        this.asked.push(query);
        return this.error === undefined ? Promise.resolve({ items: this.logs, warnings: [] }) : Promise.reject(this.error);
      },
      poolInfo: (pool) => {
        this.infos.push(pool);
        return this.error === undefined ? Promise.resolve(poolInfo()) : Promise.reject(this.error);
      },
      counters: () => this.counters(),
      candles: (pool) => {
        this.pools.push(pool);
        const nowMs = this.world.clock.now();
        const prices = { open: 1, high: 2, low: 1, close: 1.5, volumeUsd: undefined };
        return Promise.resolve([{ fromMs: nowMs - 60_000, toMs: nowMs + 240_000, ...prices }]);
      },
    });
    this.presenter = positionPresenter(key, this.world.dependencies, this.panel.post);
  }

  async open(): Promise<void> {
    this.presenter.setVisible(true);
    await this.send({ kind: 'ready' });
  }

  async send(message: PositionToHost): Promise<void> {
    this.presenter.receive(message);
    await settledMicrotasks();
  }
}

describe('A position panel', () => {
  it("A position panel has the pool's candles where Binsight runs the service, and elsewhere the outlook alone", async () => {
    const bench = new PositionBench();
    bench.world.isOwnService = true;
    await bench.open();
    assert.deepEqual(bench.pools, []);
    await bench.world.list([POSITION]);
    await settledMicrotasks();
    assert.deepEqual([...new Set(bench.pools)], [POSITION.pool]);
    // A candle that is not over ends now.
    assert.deepEqual(bench.panel.told('candles').candles.data, [{ atMs: bench.world.clock.now(), price: 1.5 }]);
    const other = new PositionBench();
    await other.open();
    await other.world.list([POSITION]);
    await settledMicrotasks();
    assert.equal(other.panel.told('candles').candles.data, undefined);
    const { data } = other.panel.told('outlook').outlook;
    assert.deepEqual([other.infos, data?.pool.pairName, data?.earned], [[POSITION.pool], 'BONK/SOL', undefined]);
  });

  it('A position panel asks what the position really earned, many transactions only on request, and without contents once it is closed', async () => {
    const bench = new PositionBench();
    const asked: unknown[] = [];
    bench.world.earnings = ({ position, open, pricesNow, isHistoryWhole }, _, { mayReadMany }) => {
      asked.push([
        position,
        open,
        Object.values(pricesNow === 'atEnd' ? {} : pricesNow).map((price) => price.toPrecision(3)),
        isHistoryWhole,
        mayReadMany,
      ]);
      return Promise.resolve({ known: false, why: 'many', count: 340 });
    };
    await bench.open();
    assert.deepEqual(asked, []);
    await bench.world.list([POSITION]);
    await settledMicrotasks();
    const open = { x: 100_000_000n, y: 500_000_000n, feeX: 1_000_000n, feeY: 1_000_000n };
    assert.deepEqual(asked, [[POSITION.address, open, ['1.40e-7', '1.05'], true, false]]);
    assert.deepEqual(bench.panel.told('earnings').earnings.data, { known: false, why: 'many', count: 340 });
    await bench.send({ kind: 'readTransactions' });
    assert.deepEqual(asked[1], [POSITION.address, open, ['1.40e-7', '1.05'], true, true]);
    await bench.world.list([]);
    await settledMicrotasks();
    assert.deepEqual(asked[2], [POSITION.address, undefined, ['1.40e-7', '1.05'], true, true]);
  });

  it('A position panel has the pool and its volatility where Binsight runs the service, every ten minutes, and again on request', async () => {
    const bench = new PositionBench();
    bench.world.isOwnService = true;
    await bench.open();
    assert.deepEqual([bench.infos, bench.panel.told('outlook').outlook.status], [[], 'loading']);
    await bench.world.list([POSITION]);
    await settledMicrotasks();
    assert.deepEqual(bench.infos, [POSITION.pool]);
    const { data } = bench.panel.told('outlook').outlook;
    assert.deepEqual([data?.pool.pairName, data?.volatility], ['BONK/SOL', { known: false, why: 'tooFewCandles' }]);
    await bench.world.clock.advance(9 * 60_000);
    assert.equal(bench.infos.length, 1);
    bench.error = new ServiceError('It is down.', { kind: 'server', endpoint: 'GET /x' });
    await bench.world.clock.advance(2 * 60_000);
    assert.deepEqual([bench.infos.length, bench.panel.told('outlook').outlook.status], [2, 'stale']);
    bench.error = undefined;
    await bench.send({ kind: 'retry', part: 'outlook' });
    assert.deepEqual([bench.infos.length, bench.panel.told('outlook').outlook.status], [3, 'ready']);
  });

  it('A position panel has what the position earned since its liquidity last changed, and a failure takes away no more than that', async () => {
    const bench = new PositionBench();
    bench.world.isOwnService = true;
    const Q64 = 1n << 64n;
    const at = (timeS: number, feeX: bigint) => ({
      timeS,
      activeBinId: 0,
      bins: [{ binId: 0, supply: 90n * Q64, feeX: feeX * Q64, feeY: 0n }],
    });
    const counters = { snapshots: [at(5_000, 0n), at(6_000, 10n), at(7_000, 20n)], position: [{ binId: 0, share: 10n * Q64 }] };
    const earnedWith = async (logs: readonly PositionLog[], answer: () => Promise<CountersAnswer | undefined>) => {
      [bench.logs, bench.counters] = [logs, answer];
      await bench.send({ kind: 'retry', part: 'outlook' });
      await settledMicrotasks();
      const { outlook } = bench.panel.told('outlook');
      assert.equal(outlook.status, 'ready');
      const earned = outlook.data?.earned;
      return earned?.known === true ? [earned.feeX, earned.isExact] : earned?.why;
    };
    await bench.open();
    await bench.world.list([{ ...POSITION, poolType: 'dlmm', createdAt: new Date(1_000) }]);
    const known = () => Promise.resolve(counters);
    assert.deepEqual(await earnedWith([positionLog()], known), ['200', true]);
    const changed = positionLog({ action: 'remove', at: new Date(5_500_000) });
    assert.deepEqual(await earnedWith([positionLog({ action: 'claim_fee', at: new Date(6_500_000) }), changed], known), ['190', false]);
    assert.deepEqual(await earnedWith([{ ...changed, at: undefined }], known), ['180', false]);
    assert.equal(await earnedWith([], () => Promise.reject(new Error('It is down.'))), 'failed');
    assert.equal(await earnedWith([], () => Promise.resolve(undefined)), undefined);
  });

  it('A position panel shows the position from the same snapshot as the tree, with its events', async () => {
    const bench = new PositionBench();
    await bench.open();
    assert.deepEqual(bench.panel.told('position'), { kind: 'position', position: { status: 'loading' }, gone: false });
    await bench.world.list([POSITION, openPosition(2)]);
    const { position, gone } = bench.panel.told('position');
    assert.equal(gone, false);
    assert.deepEqual([position.status, position.asOfMs], ['ready', bench.world.clock.now()]);
    const { data } = position;
    assert.deepEqual(
      { ...data },
      JSON.parse(
        JSON.stringify({
          key: KEY,
          address: POSITION.address,
          pool: POSITION.pool,
          pairName: 'BONK/SOL',
          poolType: 'dlmm',
          strategy: 'Spot',
          lowerBinId: -386,
          upperBinId: -376,
          activeBinId: -381,
          binStepBps: 100,
          inRange: true,
          priceRangeUsd: { lower: 1, upper: 2, current: 1.5 },
          x: { address: POSITION.token0.address, symbol: 'BONK', amount: 1000, uncollectedFee: 10, priceUsd: 0.00002 },
          y: { address: POSITION.token1.address, symbol: 'SOL', amount: 0.5, uncollectedFee: 0.001, priceUsd: 150 },
          value: { usd: 100, native: 0.7 },
          input: { usd: 90, native: 0.6 },
          output: {},
          collectedFee: { usd: 1, native: 0.01 },
          collectedReward: {},
          uncollectedFee: { usd: 2, native: 0.014 },
          pnl: { usd: 10, native: 0.1 },
          pnlPercent: { usd: 11.1, native: 16.7 },
          dailyReturn: {},
          ageHours: 5,
          createdAtMs: Date.UTC(2026, 10, 20),
          updatedAtMs: Date.UTC(2026, 10, 20, 5),
          isBusy: false,
        }),
      ),
    );
    assert.deepEqual(bench.asked, [{ position: POSITION.address }]);
    assert.deepEqual(bench.panel.told('events').events.data, [
      { action: 'addLiquidity', atMs: 1_000, amount0Raw: '5', amount1Raw: '7', decimals0: 5, decimals1: 9 },
    ]);
    assert.equal(bench.world.shown.positions, 1);
  });

  it('A position panel shows that the position is busy and reads the events again afterwards', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    const done = deferred<undefined>();
    const running = bench.world.busy.during(KEY, () => done.promise);
    assert.equal(bench.panel.told('position').position.data?.isBusy, true);
    done.resolve(undefined);
    await running;
    await settledMicrotasks();
    assert.equal(bench.panel.told('position').position.data?.isBusy, false);
    assert.equal(bench.asked.length, 2);
  });

  it('A position panel reads events again after deposits, withdrawals or claims, not after price moves', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    await bench.world.list([openPosition(1, { value: { usd: 101, native: 0.71 } })]);
    assert.equal(bench.panel.told('position').position.data?.value.usd, 101);
    assert.equal(bench.asked.length, 1);
    await bench.world.list([openPosition(1, { collectedFee: { usd: 3, native: 0.03 } })]);
    assert.equal(bench.asked.length, 2);
  });

  it('A closed position stays in its panel as gone, with its last data', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    await bench.world.list([]);
    const { position, gone } = bench.panel.told('position');
    assert.deepEqual([gone, position.status, position.data?.key], [true, 'ready', KEY]);
    assert.equal(bench.asked.length, 2, 'its end is an event');
    await bench.world.list([]);
    assert.equal(bench.asked.length, 2, 'once');
    for (const operation of POSITION_OPERATIONS) {
      await bench.send({ kind: 'operate', operation });
    }
    await bench.send({ kind: 'openPool' });
    await bench.send({ kind: 'openInExplorer' });
    await bench.send({ kind: 'remedy', command: 'binsight.connectService' });
    const notice = ['notify', 'This position is no longer listed. It may have been closed.'];
    assert.deepEqual(bench.world.done, [
      ...POSITION_OPERATIONS.map(() => notice),
      ['binsight.openPool', { kind: 'pool', pool: { address: POSITION.pool } }],
      ['binsight.openInExplorer', { kind: 'pool', pool: { address: KEY } }],
      ['binsight.connectService', undefined],
    ]);
  });

  it('A position panel shows an unlisted position as gone without data', async () => {
    const bench = new PositionBench();
    await bench.world.list([openPosition(2)]);
    await bench.open();
    const { position, gone } = bench.panel.told('position');
    assert.deepEqual([gone, position.status, position.data], [true, 'ready', undefined]);
  });

  it('A position panel shows nothing of another wallet or service', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    bench.world.portfolio.setOwner(OTHER_OWNER);
    assert.deepEqual(bench.panel.told('position').position, { status: 'loading' });
    await bench.world.list([]);
    const { position, gone } = bench.panel.told('position');
    assert.deepEqual([gone, position.data], [true, undefined]);
    assert.notEqual(OWNER, OTHER_OWNER);
    assert.equal(bench.panel.told('position').otherWallet, OWNER);
    bench.world.portfolio.setOwner(OWNER);
    await bench.world.list([POSITION]);
    assert.deepEqual([bench.panel.told('position').gone, bench.panel.told('position').otherWallet], [false, undefined]);
    await bench.world.list([]);
    assert.deepEqual([bench.panel.told('position').gone, bench.panel.told('position').otherWallet], [true, undefined]);

    const other = new PositionBench();
    await other.world.list([POSITION]);
    await other.open();
    await other.world.changeService('https://other.example');
    assert.deepEqual(other.panel.told('position').position, { status: 'loading' });
    await other.world.list([]);
    assert.equal(other.panel.told('position').position.data, undefined);
    assert.equal(other.asked.length, 2);
  });

  it('A position panel collects the prices of each new list, once each', async () => {
    const bench = new PositionBench();
    await bench.world.list([{ ...POSITION, price0Usd: 2, price1Usd: 100 }]);
    await bench.open();
    const first = bench.world.clock.now();
    assert.deepEqual(bench.panel.told('prices').prices, [{ atMs: first, price: 0.02 }]);
    await bench.world.clock.advance(60_000);
    await bench.world.list([{ ...POSITION, price0Usd: 3, price1Usd: 100 }]);
    assert.deepEqual(bench.panel.told('prices').prices, [
      { atMs: first, price: 0.02 },
      { atMs: first + 60_000, price: 0.03 },
    ]);
    await bench.world.clock.advance(60_000);
    await bench.world.list([{ ...POSITION, price0Usd: undefined, price1Usd: 100 }]);
    assert.equal(bench.panel.told('prices').prices.length, 2);
    await bench.world.changeService('https://other.example');
    assert.deepEqual(bench.panel.told('prices').prices, []);
  });

  it('A position panel keeps its data with an explanation while the list cannot be read', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    bench.world.connectError = new ServiceError('The service cannot be reached.', { kind: 'unreachable', endpoint: 'GET /x' });
    await bench.send({ kind: 'retry', part: 'position' });
    const { position, gone } = bench.panel.told('position');
    assert.deepEqual([gone, position.status, position.words, position.data?.key], [false, 'stale', 'The service cannot be reached.', KEY]);
    await bench.send({ kind: 'retry', part: 'events' });
    assert.equal(bench.panel.told('events').events.status, 'stale');
    bench.world.connectError = undefined;
    await bench.send({ kind: 'refresh' });
    assert.equal(bench.panel.told('position').position.status, 'ready');
    assert.equal(bench.panel.told('events').events.status, 'ready');
  });

  it('A position panel uses the events of the position’s record if the service has no events endpoint', async () => {
    const bench = new PositionBench();
    bench.error = new ServiceError('Not found.', { kind: 'notFound', endpoint: 'GET /x' });
    await bench.world.list([
      openPosition(1, { logs: new ListedLogs([{ action: 'claimFee', timestamp: '2026-11-20T10:00:00.000Z' }, 'odd']) }),
    ]);
    await bench.open();
    assert.deepEqual(
      bench.panel.told('events').events.data?.map(({ action }) => action),
      ['claimFee'],
    );
    bench.error = new ServiceError('It is down.', { kind: 'server', endpoint: 'GET /x' });
    await bench.send({ kind: 'retry', part: 'events' });
    assert.deepEqual([bench.panel.told('events').events.status, bench.panel.told('events').events.words], ['stale', 'It is down.']);
  });

  it('A position panel runs the commands of an open position', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    for (const operation of POSITION_OPERATIONS) {
      await bench.send({ kind: 'operate', operation });
    }
    await bench.send({ kind: 'openPool' });
    await bench.send({ kind: 'openInExplorer' });
    await bench.send({ kind: 'copyAddress', address: KEY });
    await bench.send({ kind: 'copyAddress', address: 'not one' });
    const target = { kind: 'position', key: KEY };
    assert.deepEqual(bench.world.done, [
      ['binsight.zapOut', target],
      ['binsight.claimFees', target],
      ['binsight.compoundFees', target],
      ['binsight.addLiquidity', target],
      ['binsight.rebalance', target],
      ['binsight.openPool', { kind: 'pool', pool: { address: POSITION.pool } }],
      ['binsight.openInExplorer', target],
      ['copy', KEY],
    ]);
  });

  it('A position panel gets no repeated data and nothing after it is disposed', async () => {
    const bench = new PositionBench();
    await bench.world.list([POSITION]);
    await bench.open();
    const { count } = bench.panel;
    await bench.world.list([POSITION]);
    assert.equal(bench.panel.count, count);
    bench.presenter.dispose();
    await bench.world.list([]);
    bench.world.ambientChanges.fire(undefined);
    await settledMicrotasks();
    assert.equal(bench.panel.count, count);
  });

  it('A position panel shows other figures if one is absurd, and only the newest of many events', async () => {
    const bench = new PositionBench();
    bench.logs = Array.from({ length: 10_000 }, (_, index) =>
      positionLog({ at: new Date(index * 1_000), price0Usd: index === 9_999 ? Infinity : 1 }),
    );
    await bench.open();
    await bench.world.list([openPosition(1, { pnlPercent: { usd: Infinity, native: -Infinity }, ageHours: NaN })]);
    const { data } = bench.panel.told('position').position;
    assert.deepEqual(
      [data?.pairName, data?.pnlPercent, data?.ageHours, data?.value.usd],
      ['BONK/SOL', { usd: undefined, native: undefined }, undefined, 100],
    );
    const { events } = bench.panel.told('events');
    assert.deepEqual([events.data?.length, events.data?.[0]?.atMs, events.data?.[0]?.price0Usd], [2_000, 9_999_000, undefined]);
  });

  it('A position panel sorts events newest first and those without a time last', () => {
    const logs = [
      positionLog({ action: 'a', at: new Date(1) }),
      positionLog({ action: 'b', at: undefined }),
      positionLog({ action: 'c', at: new Date(9) }),
      positionLog({ action: 'd', at: undefined }),
    ];
    assert.deepEqual(
      positionEventsOf(logs).map(({ action }) => action),
      ['c', 'a', 'b', 'd'],
    );
  });
});
