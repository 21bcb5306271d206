import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/errors';
import type { CountersQuery } from '../../../../src/service/counters';
import type { PoolInfo } from '../../../../src/service/poolInfo';
import type { Pool } from '../../../../src/service/pools';
import { ListedLogs } from '../../../../src/service/positionLogs';
import type { ClosedPosition, OpenPosition } from '../../../../src/service/positions';
import type { DiscoverQuery, TopLpersQuery } from '../../../../src/service/service';
import { poolPresenter } from '../../../../src/ui/panels/poolPresenter';
import type { Presenter } from '../../../../src/ui/panels/presenter';
import { poolToPanel, type PoolToHost, type PoolToPanel } from '../../../../src/protocol/pool';
import type { RpcAccount, SolanaRpc } from '../../../../src/rpc/types';
import type { Address } from '../../../../src/base/solana/address';
import { dlmmBinArray } from '../../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import { addressOf, openPosition, OTHER_OWNER, OWNER, pageOf, pool, settledMicrotasks } from '../../../support/portfolio/fixtures';
import { endedAsForecast, forecastZapIn } from '../../../support/transactions/forecasts';
import { MINT_X, MINT_Y, POOL, poolInfo, poolLper } from '../../../support/ui/panels/poolFixtures';
import { swingingCandles } from '../../../support/service/candles';
import { closedPage } from '../../../support/ui/panels/overview/fixtures';
import { PresenterWorld, ToldPanel } from '../../../support/ui/panels/presenterWorld';

const MINUTE = 60_000;
const LPER = addressOf(3_001);

const forecastZapIns = (count: number) => Array.from({ length: count }, (_, number) => forecastZapIn(endedAsForecast(number).address));

/** A pool's panel on a service that keeps what it is asked. */
class PoolBench {
  readonly asked = {
    infos: 0,
    candles: [] as string[],
    counters: [] as CountersQuery[],
    discovers: [] as DiscoverQuery[],
    lpers: [] as TopLpersQuery[],
    balances: 0,
    closed: 0,
    closedHere: 0,
    opens: [] as Address[],
  };
  readonly panel = new ToldPanel<PoolToPanel>(poolToPanel);
  readonly world: PresenterWorld;
  readonly presenter: Presenter<PoolToHost>;
  info: PoolInfo = poolInfo();
  listed: readonly Pool[] = [pool(1, { address: POOL, pairName: 'BONK/SOL' })];
  error: Error | undefined;
  closedHereError: Error | undefined;
  hasCounters = true;
  closed: readonly ClosedPosition[] = [];
  closedHere: readonly OpenPosition[] = [];
  lamports = 5_000_000_000n;
  lperPositions: readonly OpenPosition[] | undefined;

  constructor() {
    this.world = new PresenterWorld({
      poolInfo: () => {
        this.asked.infos += 1;
        return this.#answer(this.info);
      },
      candles: (pool, span) => {
        assert.equal(pool, POOL);
        this.asked.candles.push(span.length);
        const [atMs, price] = [this.world.clock.now() - 1, { open: 1, high: 2, low: 1, close: 1.5, volumeUsd: undefined }];
        return this.#answer(span.length === '30m' ? swingingCandles(span) : [{ fromMs: atMs, toMs: atMs + MINUTE, ...price }]);
      },
      counters: (query) => {
        this.asked.counters.push(query);
        const binIds = [-1, 0].map((place) => (query.range?.toBinId ?? NaN) + place);
        const at = (timeS: number, feeX: bigint) => ({
          timeS,
          activeBinId: 0,
          bins: binIds.map((binId) => ({ binId, supply: 8n, feeX, feeY: 5n })),
        });
        return this.#answer(this.hasCounters ? { snapshots: [at(1, 2n), at(2, 9n)], position: [] } : undefined);
      },
      poolPositions: (query) => {
        this.asked.closedHere += 1;
        assert.deepEqual([query.pool, query.owner, query.status], [POOL, OWNER, 'Close']);
        const { closedHereError: error, closedHere: items } = this;
        const page = { items, warnings: [], page: 1, pageSize: 20, totalCount: items.length, totalPages: 1, hasNextPage: false };
        return error === undefined ? this.#answer(page) : Promise.reject(error);
      },
      closedPositions: (query) => {
        this.asked.closed += 1;
        return this.#answer(closedPage(this.closed, query));
      },
      discoverPools: (query) => {
        this.asked.discovers.push(query);
        const byAddress = query.search === POOL ? this.listed.filter(({ address }) => address === POOL) : this.listed;
        return this.#answer(pageOf(byAddress, 1, 100));
      },
      topLpers: (query) => {
        this.asked.lpers.push(query);
        return this.#answer({
          items: [poolLper(1), poolLper(2, { owner: OWNER })],
          warnings: [],
          page: query.page ?? 1,
          pageSize: query.pageSize ?? 0,
          totalCount: 42,
          totalPages: 3,
          hasNextPage: true,
        });
      },
      tokenBalances: () => {
        this.asked.balances += 1;
        return this.#answer({
          items: [{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: this.lamports, amountText: '5', priceUsd: 150 }],
          warnings: [],
        });
      },
      openPositions: (owner) => {
        this.asked.opens.push(owner);
        const range = { pool: POOL, lowerBinId: -10, upperBinId: 10 };
        return this.#answer({
          items:
            owner === OWNER
              ? this.world.positions
              : (this.lperPositions ?? [
                  openPosition(7, { ...range, value: { usd: 1, native: 0.1 } }),
                  openPosition(8, { ...range, upperBinId: 20, value: { usd: 9, native: 0.9 } }),
                  openPosition(9, { pool: addressOf(501) }),
                ]),
          warnings: [],
        });
      },
    });
    this.presenter = poolPresenter(POOL, this.world.dependencies, this.panel.post);
  }

  /** The panel is there and seen; what it wants at once has been read. */
  async open(): Promise<void> {
    this.presenter.setVisible(true);
    this.presenter.receive({ kind: 'ready' });
    await settledMicrotasks();
  }

  async send(message: PoolToHost): Promise<void> {
    this.presenter.receive(message);
    await settledMicrotasks();
  }

  #answer<Data>(data: Data): Promise<Data> {
    return this.error === undefined ? Promise.resolve(data) : Promise.reject(this.error);
  }
}

/** An RPC that has these accounts. */
function rpcWith(existing: ReadonlySet<Address>, program: Address = PROGRAMS.dlmm, rent = RentRate.ofLamportsPerByte(6_960n)): SolanaRpc {
  const account: RpcAccount = { lamports: 1n, program, data: new Uint8Array() };
  return {
    accounts: ({ addresses }: { readonly addresses: readonly Address[] }) =>
      Promise.resolve({ slot: 1n, value: addresses.map((at) => (existing.has(at) ? account : undefined)) }),
    rentRate: () => Promise.resolve(rent),
  } as unknown as SolanaRpc;
}

describe('A pool panel', () => {
  it("The price chart has the candles of its period, and the wallet's trades in open and closed positions", async () => {
    const bench = new PoolBench();
    bench.world.isOwnService = true;
    const traded = (id: number, action: string, atMs: number, prices: object = {}) =>
      openPosition(id, { pool: POOL, logs: new ListedLogs([{ action, timestamp: new Date(atMs).toISOString(), ...prices }]) });
    bench.closedHere = [traded(2, 'remove_liquidity', 2_000)];
    await bench.world.list([traded(1, 'add_liquidity', 5_000, { price0: '3', price1: '2' }), traded(3, 'claim_fee', 6_000)]);
    await bench.open();
    const { data } = bench.panel.told('priceHistory').priceHistory;
    assert.deepEqual([data, bench.asked.candles], [{ period: '7d', prices: [{ atMs: bench.world.clock.now(), price: 1.5 }] }, ['1h']]);
    assert.deepEqual(bench.panel.told('ownTrades').ownTrades, [
      { atMs: 2_000, kind: 'exit' },
      { atMs: 5_000, kind: 'entry', price: 1.5 },
    ]);
    await bench.send({ kind: 'chartPeriod', period: '24h' });
    assert.deepEqual([bench.panel.told('priceHistory').priceHistory.data?.period, bench.asked.candles], ['24h', ['1h', '5m']]);
    await bench.world.clock.advance(5 * MINUTE);
    assert.deepEqual([bench.asked.candles, bench.asked.closedHere], [['1h', '5m', '5m'], 1]);
    await bench.world.list([]);
    assert.equal(bench.asked.closedHere, 2, 'a position was closed');
  });

  it('Without candles of the service the panel asks for neither candles nor closed positions', async () => {
    const bench = new PoolBench();
    await bench.open();
    await bench.send({ kind: 'chartPeriod', period: '24h' });
    await bench.send({ kind: 'retry', part: 'priceHistory' });
    assert.deepEqual([bench.asked.candles, bench.asked.closedHere], [[], 0]);
    assert.deepEqual(bench.panel.told('priceHistory').priceHistory, { status: 'ready' });
  });

  it('Closed positions that cannot be read take nothing but their marks', async () => {
    const bench = new PoolBench();
    bench.world.isOwnService = true;
    bench.closedHereError = new ServiceError('It is down.', { kind: 'server', endpoint: 'GET /x' });
    await bench.open();
    assert.equal(bench.panel.told('priceHistory').priceHistory.status, 'ready');
    assert.deepEqual(bench.panel.told('ownTrades').ownTrades, []);
  });

  it('A plan has the volatility of its pool from the candles of a week, read again every ten minutes, and none before it is planned', async () => {
    const bench = new PoolBench();
    bench.world.isOwnService = true;
    await bench.open();
    const ofWeek = (): number => bench.asked.candles.filter((length) => length === '30m').length;
    assert.equal(ofWeek(), 0);
    await bench.send({ kind: 'planFigures' });
    const { data } = bench.panel.told('volatility').volatility;
    assert.ok(data?.known === true && !data.isRough);
    assert.equal(data.candles, 336);
    // 1% in each of 48 half hours, less the rounding to bins.
    assert.ok(data.sigmaPerDay > 0.04 && data.sigmaPerDay <= 0.07, String(data.sigmaPerDay));
    await bench.world.clock.advance(9 * MINUTE);
    assert.equal(ofWeek(), 1);
    await bench.world.clock.advance(2 * MINUTE);
    assert.equal(ofWeek(), 2);
  });

  it('A plan has what was recorded of the bins around the price, every ten minutes, and nothing of a service that records nothing', async () => {
    const bench = new PoolBench();
    bench.world.isOwnService = true;
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    const [asked] = bench.asked.counters;
    assert.deepEqual([asked?.pool, (asked?.range?.toBinId ?? NaN) - (asked?.range?.fromBinId ?? NaN)], [POOL, 280]);
    const { data } = bench.panel.told('counterRecord').counterRecord;
    assert.deepEqual(
      data?.readings,
      [1, 2].map((timeS) => ({ timeS, activeBinId: 0 })),
    );
    assert.deepEqual(data.bins[1], { binId: asked?.range?.toBinId, intervals: [{ supplies: '16', x: '7', y: '0' }] });
    bench.hasCounters = false;
    await bench.world.clock.advance(11 * MINUTE);
    assert.equal(bench.asked.counters.length, 2);
    assert.equal(bench.panel.told('counterRecord').counterRecord.data, undefined);
  });

  it('A plan has the own forecasts of its wallet once eight positions that were forecast have ended, and not those of another wallet', async () => {
    const bench = new PoolBench();
    bench.world.isOwnService = true;
    bench.world.records = forecastZapIns(8);
    bench.closed = Array.from({ length: 8 }, (_, number) => endedAsForecast(number));
    await bench.open();
    assert.equal(bench.asked.closed, 0);
    await bench.send({ kind: 'planFigures' });
    const { data } = bench.panel.told('ownForecasts').ownForecasts;
    assert.deepEqual([data?.count, data?.inside, data?.median.toFixed(6)], [8, 8, '0.800000']);
    bench.world.portfolio.setOwner(addressOf(77));
    await settledMicrotasks();
    assert.equal(bench.panel.told('ownForecasts').ownForecasts.data, undefined);
  });

  it('A plan has no own forecasts with seven positions that have ended, and the service is not asked for them', async () => {
    const bench = new PoolBench();
    bench.world.isOwnService = true;
    bench.world.records = forecastZapIns(7);
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    assert.deepEqual([bench.asked.closed, bench.panel.told('ownForecasts').ownForecasts.data], [0, undefined]);
  });

  it('With a service that Binsight does not run, a plan has the volatility of the kept prices, and nothing of counters', async () => {
    const bench = new PoolBench();
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    assert.equal(bench.panel.told('volatility').volatility.data?.known, true);
    assert.deepEqual([bench.asked.counters, bench.panel.told('counterRecord').counterRecord], [[], { status: 'ready' }]);
    assert.deepEqual(bench.panel.told('priceHistory').priceHistory, { status: 'ready' });
  });

  it('A pool panel gets the pool with its record, own ranges and top LPers once it is ready', async () => {
    const bench = new PoolBench();
    await bench.world.list([
      openPosition(1, { pool: POOL, lowerBinId: -390, upperBinId: -370 }),
      openPosition(2, { pool: addressOf(501) }),
    ]);
    assert.equal(bench.panel.count, 0, 'nothing before it is ready');
    await bench.open();
    assert.deepEqual(bench.panel.told('ambient').ambient, bench.world.ambient);
    const { pool: part } = bench.panel.told('pool');
    assert.equal(part.status, 'ready');
    assert.equal(part.asOfMs, bench.world.clock.now());
    assert.deepEqual([part.data?.pairName, part.data?.tvlUsd, part.data?.activeBinId, part.data?.bins.length], ['BONK/SOL', 1e6, -381, 3]);
    assert.deepEqual(
      bench.panel.told('own').own.data?.map(({ lowerBinId, upperBinId, inRange }) => [lowerBinId, upperBinId, inRange]),
      [[-390, -370, true]],
    );
    const { lpers } = bench.panel.told('lpers');
    assert.deepEqual(lpers.data?.query, { orderBy: 'total_pnl', sortOrder: 'desc', page: 1 });
    assert.deepEqual(
      lpers.data.rows.map(({ owner, isOwn }) => [owner, isOwn]),
      [
        [LPER, false],
        [OWNER, true],
      ],
    );
    assert.deepEqual([lpers.data.totalCount, lpers.data.totalPages, lpers.data.hasNextPage], [42, 3, true]);
    assert.deepEqual(bench.panel.told('planFigures').planFigures, { status: 'loading' });
    assert.equal(bench.asked.balances, 0, 'no plan is open');
    assert.equal(bench.world.shown.positions, 1);
  });

  it('A visible pool panel reads details every minute, the record every five, and LPers once', async () => {
    const bench = new PoolBench();
    await bench.open();
    await bench.world.clock.advance(5 * MINUTE);
    assert.deepEqual([bench.asked.infos, bench.asked.discovers.length, bench.asked.lpers.length], [6, 2, 1]);
    bench.presenter.setVisible(false);
    assert.equal(bench.world.shown.positions, 0);
    await bench.world.clock.advance(30 * MINUTE);
    assert.equal(bench.asked.infos, 6);
    assert.equal(bench.world.clock.timers, 0);
    bench.presenter.setVisible(true);
    await bench.send({ kind: 'ready' });
    assert.deepEqual([bench.asked.infos, bench.asked.lpers.length], [7, 2]);
  });

  it('A pool panel uses a recent record from the Pools view and follows its changes', async () => {
    const bench = new PoolBench();
    await bench.world.portfolio.refresh('manual', ['pools']);
    assert.equal(bench.asked.discovers.length, 1);
    await bench.open();
    assert.equal(bench.asked.discovers.length, 1, 'no search of its own');
    await bench.world.clock.advance(1);
    bench.listed = [pool(1, { address: POOL, tvlUsd: 77 })];
    await bench.world.portfolio.refresh('manual', ['pools']);
    assert.equal(bench.panel.told('pool').pool.data?.tvlUsd, 77);
    bench.world.portfolio.setPoolQuery({ sortBy: 'tvl' });
    await settledMicrotasks();
    assert.ok(bench.panel.told('pool').pool.data?.tvlUsd !== undefined, 'what was known stays while the list is read again');
  });

  it('A pool panel reads the record itself if the Pools view was read before the clock was set back', async () => {
    const bench = new PoolBench();
    await bench.world.portfolio.refresh('manual', ['pools']);
    const before = bench.asked.discovers.length;
    bench.world.clock.setBy(-600 * MINUTE);
    await bench.open();
    assert.equal(bench.asked.discovers.length, before + 1);
  });

  it('A pool panel searches for the record by address and otherwise by the traded token', async () => {
    const bench = new PoolBench();
    await bench.open();
    assert.deepEqual(bench.asked.discovers, [{ search: POOL, pageSize: 10 }]);

    const other = new PoolBench();
    other.listed = [pool(1), pool(2)];
    await other.open();
    assert.deepEqual(other.asked.discovers, [
      { search: POOL, pageSize: 10 },
      { search: MINT_X, quoteToken: MINT_Y, pageSize: 100 },
    ]);
    const { pool: part } = other.panel.told('pool');
    assert.deepEqual([part.status, part.data?.tvlUsd], ['ready', undefined]);
  });

  it('A pool panel sorts and pages through the service and keeps the shown page until the answer', async () => {
    const bench = new PoolBench();
    await bench.open();
    const query = { orderBy: 'win_rate', sortOrder: 'asc', page: 2 } as const;
    bench.presenter.receive({ kind: 'lpers', query });
    assert.deepEqual(bench.panel.told('lpers').lpers.data?.query.orderBy, 'total_pnl');
    await settledMicrotasks();
    assert.deepEqual(bench.asked.lpers.at(-1), { pool: POOL, ...query, pageSize: 20 });
    assert.deepEqual(bench.panel.told('lpers').lpers.data?.query, query);
    await bench.send({ kind: 'lpers', query });
    assert.equal(bench.asked.lpers.length, 2, 'the same again is not read again');
    await bench.send({ kind: 'lpers', query: { ...query, orderBy: 'secret_column' } });
    assert.equal(bench.asked.lpers.length, 2);
    bench.error = new ServiceError('The service is busy.', { kind: 'server', endpoint: 'GET /x' });
    await bench.send({ kind: 'lpers', query: { ...query, page: 3 } });
    const { lpers } = bench.panel.told('lpers');
    assert.deepEqual([lpers.status, lpers.words, lpers.data?.query.page], ['stale', 'The service is busy.', 2]);
  });

  it('A pool panel requests the remembered page instead of the first if the page names it at once', async () => {
    const bench = new PoolBench();
    const query = { orderBy: 'roi', sortOrder: 'desc', page: 4 } as const;
    bench.presenter.setVisible(true);
    bench.presenter.receive({ kind: 'ready' });
    await bench.send({ kind: 'lpers', query });
    assert.deepEqual(bench.asked.lpers, [{ pool: POOL, ...query, pageSize: 20 }]);
  });

  it('A pool panel shows another wallet’s ranges in this pool and none of a previous wallet', async () => {
    const bench = new PoolBench();
    await bench.open();
    await bench.send({ kind: 'lperRanges', owner: LPER });
    const { lperRanges } = bench.panel.told('lperRanges');
    assert.deepEqual(
      [lperRanges.data?.owner, lperRanges.data?.ranges.map(({ lowerBinId, upperBinId }) => [lowerBinId, upperBinId])],
      [
        LPER,
        [
          [-10, 20],
          [-10, 10],
        ],
      ],
    );
    bench.error = new ServiceError('Gone.', { kind: 'server', endpoint: 'GET /x' });
    await bench.send({ kind: 'lperRanges', owner: OTHER_OWNER });
    assert.deepEqual(bench.panel.told('lperRanges').lperRanges, { status: 'failed', words: 'Gone.' });
    bench.error = undefined;
    await bench.send({ kind: 'retry', part: 'lperRanges' });
    assert.equal(bench.panel.told('lperRanges').lperRanges.data?.owner, OTHER_OWNER);
    await bench.send({ kind: 'lperRanges', owner: 'nobody' });
    assert.deepEqual(bench.asked.opens, [LPER, OTHER_OWNER, OTHER_OWNER]);
  });

  it('A pool panel offers only possible ranges and limits their number', async () => {
    const bench = new PoolBench();
    bench.lperPositions = [
      openPosition(1, {
        pool: POOL,
        lowerBinId: Number.MIN_SAFE_INTEGER,
        upperBinId: Number.MAX_SAFE_INTEGER,
        value: { usd: 1e300, native: 1 },
      }),
      ...Array.from({ length: 5_000 }, (_, index) =>
        openPosition(index + 2, { pool: POOL, lowerBinId: index, upperBinId: index + 1_399, value: { usd: index, native: 1 } }),
      ),
    ];
    await bench.open();
    await bench.send({ kind: 'lperRanges', owner: LPER });
    const { ranges } = bench.panel.told('lperRanges').lperRanges.data ?? { ranges: [] };
    assert.deepEqual([ranges.length, ranges[0]?.lowerBinId, ranges[0]?.upperBinId], [100, 4_999, 6_398]);
  });

  it('A pool panel limits its own ranges to a number that it can draw', async () => {
    const bench = new PoolBench();
    await bench.open();
    await bench.world.list(Array.from({ length: 5_000 }, (_, index) => openPosition(index, { pool: POOL })));
    assert.equal(bench.panel.told('own').own.data?.length, 200);
  });

  it('A pool panel shows all other figures if one is absurd', async () => {
    const bench = new PoolBench();
    bench.info = poolInfo({
      activeBin: { binId: Number.MAX_SAFE_INTEGER, price: Infinity },
      amountX: NaN,
      bins: [{ binId: Number.MIN_SAFE_INTEGER, amountX: 5e-324, amountY: -1e308, price: 0 }],
    });
    bench.listed = [pool(1, { address: POOL, pairName: 'BONK/SOL', feeTvlRatio24h: 1e308, tvlUsd: 1e308 })];
    bench.lamports = 10n ** 39n;
    await bench.open();
    const { data } = bench.panel.told('pool').pool;
    assert.deepEqual(
      [data?.pairName, data?.price, data?.amountX, data?.fees.fees24hUsd, data?.tvlUsd, data?.bins.length],
      ['BONK/SOL', undefined, undefined, undefined, 1e308, 1],
    );
    await bench.send({ kind: 'planFigures' });
    assert.equal(bench.panel.told('planFigures').planFigures.data?.balanceLamports, String(bench.lamports));
  });

  it('A pool whose details cannot be read keeps the name that the lists know', async () => {
    for (const list of ['pools', 'positions'] as const) {
      const bench = new PoolBench();
      await (list === 'pools'
        ? bench.world.portfolio.refresh('manual', ['pools'])
        : bench.world.list([openPosition(1, { pool: POOL, pairName: 'BONK/SOL' })]));
      bench.error = new ServiceError('It is down.', { kind: 'server', endpoint: 'GET /x' });
      await bench.open();
      const { pool: part, name } = bench.panel.told('pool');
      assert.deepEqual([part.status, part.data, name], ['failed', undefined, 'BONK/SOL']);
    }
  });

  it('A pool panel says what went wrong and reads again on request', async () => {
    const bench = new PoolBench();
    bench.error = new ServiceError('The service cannot be reached.', { kind: 'unreachable', endpoint: 'GET /x' });
    await bench.open();
    assert.deepEqual(bench.panel.told('pool').pool, { status: 'failed', words: 'The service cannot be reached.' });
    assert.deepEqual(bench.panel.told('lpers').lpers, { status: 'failed', words: 'The service cannot be reached.' });
    bench.error = undefined;
    await bench.send({ kind: 'retry', part: 'pool' });
    await bench.send({ kind: 'retry', part: 'lpers' });
    assert.equal(bench.panel.told('pool').pool.data?.tvlUsd, 1e6);
    assert.equal(bench.panel.told('lpers').lpers.status, 'ready');
    const asOfMs = bench.world.clock.now();
    bench.error = new ServiceError('It is down.', { kind: 'server', endpoint: 'GET /x' });
    await bench.world.clock.advance(MINUTE);
    const { pool: part } = bench.panel.told('pool');
    assert.deepEqual([part.status, part.asOfMs, part.words, part.data?.pairName], ['stale', asOfMs, 'It is down.', 'BONK/SOL']);
  });

  it('A manual refresh reads volumes and prices again, however recent the Pools view is', async () => {
    const bench = new PoolBench();
    await bench.world.dependencies.portfolio.refresh('manual', ['pools']);
    await bench.open();
    assert.equal(bench.panel.told('pool').pool.data?.tvlUsd, 1e6);
    const before = bench.asked.discovers.length;
    bench.listed = [pool(1, { address: POOL, pairName: 'BONK/SOL', tvlUsd: 2e6 })];
    await bench.world.clock.advance(1);
    await bench.send({ kind: 'retry', part: 'pool' });
    assert.equal(bench.asked.discovers.length, before + 1);
    assert.equal(bench.panel.told('pool').pool.data?.tvlUsd, 2e6);
  });

  it('A pool panel never shows data of one service under the name of another', async () => {
    const bench = new PoolBench();
    await bench.world.list([openPosition(1, { pool: POOL })]);
    await bench.open();
    await bench.send({ kind: 'lperRanges', owner: LPER });
    const before = { ...bench.asked };
    bench.listed = [pool(1, { address: POOL, tvlUsd: 3 })];
    await bench.world.changeService('https://other.example');
    assert.equal(bench.panel.told('ambient').ambient.serviceName, 'https://other.example');
    assert.deepEqual(bench.panel.told('own').own, { status: 'loading' });
    assert.deepEqual(bench.panel.told('lperRanges').lperRanges, { status: 'loading' });
    assert.equal(bench.asked.infos, before.infos + 1);
    assert.equal(bench.panel.told('pool').pool.data?.tvlUsd, 3);
    assert.equal(bench.asked.opens.filter((owner) => owner === LPER).length, 1);
  });

  it('A pool panel marks the current wallet among the LPers after a wallet change', async () => {
    const bench = new PoolBench();
    await bench.open();
    bench.world.portfolio.setOwner(LPER);
    assert.deepEqual(
      bench.panel.told('lpers').lpers.data?.rows.map(({ isOwn }) => isOwn),
      [true, false],
    );
    bench.world.portfolio.setOwner(undefined);
    assert.deepEqual(bench.panel.told('own').own, { status: 'ready', data: [] });
  });

  it('A pool panel runs commands with identities only, and none for an invalid address', async () => {
    const bench = new PoolBench();
    await bench.open();
    const plan = {
      range: { fromBinId: -5, toBinId: 5 },
      strategy: 'Curve',
      amountLamports: '1000',
      percentX: 0.5,
      slippageBps: 50,
    } as const;
    for (const message of [
      { kind: 'copyAddress', address: POOL },
      { kind: 'copyAddress', address: 'https://evil.example' },
      { kind: 'watchAddress', address: LPER },
      { kind: 'watchAddress', address: '' },
      { kind: 'openPosition', key: 'a key' },
      { kind: 'openInExplorer' },
      { kind: 'continue', plan },
      { kind: 'addTo', plan },
      { kind: 'remedy', command: 'binsight.setApiKey' },
    ] as const) {
      await bench.send(message);
    }
    assert.deepEqual(bench.world.done, [
      ['copy', POOL],
      ['watch', LPER],
      ['binsight.openPosition', { kind: 'position', key: 'a key' }],
      ['binsight.openInExplorer', { kind: 'pool', pool: { address: POOL } }],
      ['binsight.continuePlan', { kind: 'plan', pool: POOL, plan }],
      ['binsight.addLiquidity', { kind: 'plan', pool: POOL, plan }],
      ['binsight.setApiKey', undefined],
    ]);
  });

  it('A continued plan that became a position is told once, and a position that was there before is none', async () => {
    const bench = new PoolBench();
    const [before, opened] = [openPosition(1, { pool: POOL }), openPosition(2, { pool: POOL })];
    await bench.world.list([before]);
    await bench.open();
    await bench.send({ kind: 'continue', plan: { strategy: 'Spot', amountLamports: '1000', percentX: 0.5, slippageBps: 50 } });
    await bench.world.list([before]);
    assert.ok(!bench.panel.knows('opened'));
    await bench.world.list([before, opened]);
    await bench.world.list([before, opened, openPosition(3, { pool: POOL })]);
    const { key, value, inRange } = opened;
    assert.deepEqual(bench.panel.told('opened'), { kind: 'opened', opened: { key, value, inRange } });
  });

  it('A disposed pool panel neither receives, sends nor requests anything', async () => {
    const bench = new PoolBench();
    bench.presenter.setVisible(true);
    bench.presenter.receive({ kind: 'ready' });
    const { count } = bench.panel;
    bench.presenter.dispose();
    await bench.world.list([openPosition(1, { pool: POOL })]);
    bench.world.ambientChanges.fire(undefined);
    await bench.world.clock.advance(10 * MINUTE);
    assert.deepEqual(
      [bench.panel.count, bench.world.shown.positions, bench.world.clock.timers, bench.asked.lpers.length],
      [count, 0, 0, 0],
    );
  });

  it('A pool panel accepts only an address as its subject', () => {
    assert.throws(() => poolPresenter('no address', new PresenterWorld({}).dependencies, () => undefined), RangeError);
  });
});

describe('Plan figures', () => {
  it("The plan figures contain the balance, reserve, rents and the user's slippage tolerance", async () => {
    const bench = new PoolBench();
    bench.lamports = 123_456_789_012_345_678n;
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    assert.deepEqual(bench.panel.told('planFigures').planFigures.data, {
      balanceLamports: '123456789012345678',
      reserveLamports: '100000000',
      solUsd: 150,
      defaultSlippageBps: 100,
      positionLamports: '57406080',
      positionPerBinAbove70Lamports: '779520',
      binArrayLamports: '71437440',
      isRentUpperBound: true,
      feePerTransactionLamports: '120000',
      tipLamports: '10000000',
    });
    bench.world.slippageBps = 250;
    bench.world.ambientChanges.fire(undefined);
    assert.equal(bench.panel.told('planFigures').planFigures.data?.defaultSlippageBps, 250);
  });

  it('The plan figures state which bin arrays exist according to the RPC', async () => {
    const bench = new PoolBench();
    bench.world.rpc = rpcWith(new Set([-6, -5].map((index) => dlmmBinArray(POOL, index))));
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    assert.deepEqual(bench.panel.told('planFigures').planFigures.data?.binArrays, { from: -36, to: 24, existing: [-6, -5] });

    const strange = new PoolBench();
    strange.world.rpc = rpcWith(new Set([dlmmBinArray(POOL, -6)]), PROGRAMS.system);
    await strange.open();
    await strange.send({ kind: 'planFigures' });
    assert.deepEqual(
      strange.panel.told('planFigures').planFigures.data?.binArrays?.existing,
      [],
      'what is no account of the program is none',
    );
  });

  it('The plan figures are available even if the RPC fails', async () => {
    const bench = new PoolBench();
    bench.world.rpc = {
      accounts: () => Promise.reject(new Error('down')),
      rentRate: () => Promise.reject(new Error('no rent')),
    } as unknown as SolanaRpc;
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    const { planFigures } = bench.panel.told('planFigures');
    assert.deepEqual([planFigures.status, planFigures.data?.binArrays], ['ready', undefined]);
    assert.deepEqual([planFigures.data?.positionLamports, planFigures.data?.isRentUpperBound], ['57406080', true]);
    assert.ok(['down', 'no rent'].every((words) => bench.world.logged.some((line) => line.includes(words))));
  });

  for (const rate of [6_333n, 5_080n, 2_575n]) {
    it(`The plan figures contain the rents that the chain asks for at ${rate} lamports a byte`, async () => {
      const bench = new PoolBench();
      bench.world.rpc = rpcWith(new Set(), PROGRAMS.dlmm, RentRate.ofLamportsPerByte(rate));
      await bench.open();
      await bench.send({ kind: 'planFigures' });
      const { data } = bench.panel.told('planFigures').planFigures;
      assert.deepEqual(
        [data?.positionLamports, data?.positionPerBinAbove70Lamports, data?.binArrayLamports, data?.isRentUpperBound],
        [String(8_248n * rate), String(112n * rate), String(10_264n * rate), false],
      );
    });
  }

  it('The plan figures of a pool without bins contain its own rents and no bin arrays', async () => {
    const bench = new PoolBench();
    bench.world.rpc = rpcWith(new Set());
    bench.info = poolInfo({ poolType: 'dammV2', activeBin: undefined, bins: [] });
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    const { data } = bench.panel.told('planFigures').planFigures;
    assert.deepEqual(
      [data?.positionLamports, data?.positionPerBinAbove70Lamports, data?.binArrayLamports, data?.binArrays],
      ['9897120', '0', '0', undefined],
    );
  });

  it('The plan figures are read again after an operation and when the wallet enters or leaves the pool', async () => {
    const bench = new PoolBench();
    await bench.world.list([]);
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    const { infos } = bench.asked;
    await bench.world.busy.during('any position', async () => undefined);
    await settledMicrotasks();
    assert.equal(bench.asked.balances, 2);
    await bench.world.list([openPosition(1, { pool: POOL })]);
    assert.deepEqual([bench.asked.balances, bench.asked.infos], [3, infos + 1]);
    await bench.world.list([openPosition(1, { pool: POOL, value: { usd: 5, native: 0.1 } }), openPosition(2, { pool: addressOf(501) })]);
    assert.deepEqual([bench.asked.balances, bench.asked.infos], [3, infos + 1], 'other figures and other pools are no reason');
  });

  it('The plan figures are cleared when the wallet changes', async () => {
    const bench = new PoolBench();
    await bench.open();
    await bench.send({ kind: 'planFigures' });
    bench.world.portfolio.setOwner(undefined);
    assert.deepEqual(bench.panel.told('planFigures').planFigures, { status: 'loading' });
    await settledMicrotasks();
    const { planFigures } = bench.panel.told('planFigures');
    assert.equal(planFigures.status, 'failed');
    assert.match(planFigures.words ?? '', /No wallet/);
  });
});
