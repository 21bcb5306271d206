import assert from 'node:assert/strict';
import { ServiceError } from '../../../../../src/service/errors';
import { MOST_OPEN_ROWS } from '../../../../../src/protocol/overview';
import type { Overview } from '../../../../../src/service/overview';
import type { RevenueRow } from '../../../../../src/service/service';
import type { KnownEarnings } from '../../../../../src/transactions/earnings/earnings';
import { addressOf, deferred, openPosition, OTHER_OWNER, OWNER } from '../../../../support/portfolio/fixtures';
import { closedPosition, NEWEST_ROWS, overviewOf } from '../../../../support/ui/panels/overview/fixtures';
import { PanelWorld } from '../../../../support/ui/panels/overview/panelWorld';

const MINUTE_MS = 60_000;
const DOWN = new ServiceError('The service failed (503).', { kind: 'server', endpoint: 'GET /lp-positions/overview', status: 503 });
const RESTING = new ServiceError('The service has had too many requests for your plan (429).', {
  kind: 'rateLimited',
  endpoint: 'GET /lp-positions/historical',
  status: 429,
  retryAfterMs: 45_000,
});

const earned = (day: string, usd: number, cumulative: number): RevenueRow => ({
  day: new Date(`${day}T00:00:00Z`),
  pnl: { usd, native: usd / 100 },
  cumulativePnl: { usd: cumulative, native: cumulative / 100 },
  invested: { usd: 50, native: 0.5 },
  pnlPercent: { usd: 1, native: 1 },
});

describe('The overview panel', () => {
  it('The overview sends everything when the panel is ready and each result as it arrives', async () => {
    const world = new PanelWorld();
    world.closePositions(3);
    world.open = [openPosition(1), openPosition(2, { inRange: false })];
    world.revenue = [earned('2026-11-18', 2, 2), earned('2026-11-19', 3, 5)];
    await world.start();
    assert.deepEqual(
      world.messages.slice(0, 6).map(({ kind }) => kind),
      ['ambient', 'overview', 'open', 'earned', 'history', 'export'],
    );
    assert.deepEqual(world.messages[1], { kind: 'overview', overview: { status: 'loading' } });
    const { overview } = world.last('overview');
    assert.deepEqual(
      [overview.status, overview.data?.totalPnl['7D'], overview.data?.firstActivityMs],
      ['ready', { usd: 100, native: 100 / 150 }, Date.parse('2026-01-02T03:04:05.678Z')],
    );
    const { open } = world.last('open');
    assert.deepEqual([open.status, open.data?.count, open.data?.outOfRange, open.data?.value.usd], ['ready', 2, 1, 200]);
    // Those that need attention first.
    assert.deepEqual(
      open.data?.rows.map(({ key }) => key),
      [openPosition(2).key, openPosition(1).key],
    );
    assert.deepEqual(
      world.last('earned').earned.data?.map(({ pnl, cumulativePnl }) => [pnl.usd, cumulativePnl.usd]),
      [
        [2, 2],
        [3, 5],
      ],
    );
    const { data: history } = world.last('history').history;
    assert.ok(history);
    assert.deepEqual(
      history.window.rows.map(({ address }) => address),
      [2, 1, 0].map((number) => closedPosition(number).address),
    );
    assert.deepEqual([history.totalCount, history.hasMore, world.last('export').progress], [3, false, undefined]);
  });

  it('A row of the open positions opens its panel, and the line about one out of range begins its rebalance', async () => {
    const world = new PanelWorld();
    world.open = [openPosition(1)];
    await world.start();
    const { key } = openPosition(1);
    await world.send({ kind: 'openPosition', key });
    await world.send({ kind: 'rebalance', key });
    assert.deepEqual(world.executed, [
      ['binsight.openPosition', { kind: 'position', key }],
      ['binsight.rebalance', { kind: 'position', key }],
    ]);
  });

  it('Of very many open positions the overview shows the first ones, and sums all of them', async () => {
    const world = new PanelWorld();
    world.open = Array.from({ length: MOST_OPEN_ROWS + 3 }, (_, number) => openPosition(number));
    await world.start();
    const { data } = world.last('open').open;
    assert.deepEqual([data?.rows.length, data?.count], [MOST_OPEN_ROWS, MOST_OPEN_ROWS + 3]);
  });

  it('The overview reads each part once, and only while the ready panel is visible', async () => {
    const world = new PanelWorld();
    world.presenter.setVisible(true);
    await world.rest();
    world.presenter.setVisible(false);
    await world.send({ kind: 'ready', period: '7D', range: {}, history: NEWEST_ROWS });
    assert.deepEqual([world.asked.overview, world.asked.revenue.length, world.asked.closed.length], [0, 0, 0]);
    for (const isVisible of [true, false, true]) {
      world.presenter.setVisible(isVisible);
      await world.rest();
      await world.send({ kind: 'ready', period: '7D', range: {}, history: NEWEST_ROWS });
    }
    assert.deepEqual([world.asked.overview, world.asked.revenue.length, world.asked.closed.length], [1, 1, 1]);
  });

  it('The overview reads the daily earnings of both protocols by the service’s names, only for the shown span', async () => {
    const world = new PanelWorld();
    world.overview = overviewOf({ protocol: 'house' });
    await world.start({ period: '7D' });
    await world.send({ kind: 'period', period: '3M' });
    await world.send({ kind: 'period', period: 'ALL' });
    assert.equal(world.last('earned').period, 'ALL');
    await world.send({ kind: 'period', period: '7D' });
    assert.deepEqual(world.asked.revenue, [
      { owner: OWNER, period: 'day', range: '7D', protocols: ['house', 'meteora_damm_v2'] },
      { owner: OWNER, period: 'day', protocols: ['house', 'meteora_damm_v2'] },
    ]);
  });

  it('The overview counts DAMM v2 positions, so a loss there lowers the win rate of both protocols', async () => {
    const world = new PanelWorld();
    const results = (count: number) =>
      Object.fromEntries(['ALL', '7D', '1M', '3M', '1Y', 'YTD'].map((period) => [period, count])) as unknown as Overview['closedPositions'];
    const figure = (value: number) =>
      Object.fromEntries(
        ['ALL', '7D', '1M', '3M', '1Y', 'YTD'].map((period) => [period, { usd: value, native: value / 150 }]),
      ) as unknown as Overview['totalPnl'];
    world.overview = overviewOf({ closedPositions: results(8), totalPnl: figure(80), expectedValue: figure(10), winRate: figure(0.875) });
    world.open = [openPosition(1, { poolType: 'dammV2' })];
    await world.start();
    const before = world.last('overview').overview.data;
    assert.deepEqual(
      [before?.winRate['1M'].usd, before?.ofEach.map(({ name }) => name), before?.none, before?.missing],
      [0.875, ['DLMM'], ['DAMM v2'], []],
    );
    world.open = [];
    world.dammV2 = overviewOf({
      protocol: 'meteora_damm_v2',
      closedPositions: results(1),
      totalPnl: figure(-50.47),
      expectedValue: figure(-50.47),
      winRate: figure(0),
      openPositions: 0,
    });
    await world.clock.advance(MINUTE_MS);
    await world.portfolio.refresh('afterOperation', ['positions']);
    await world.clock.advance(MINUTE_MS);
    await world.rest();
    const after = world.last('overview').overview.data;
    assert.deepEqual(
      [after?.closedPositions['1M'], after?.winRate['1M'].usd, after?.ofEach.map(({ name }) => name)],
      [9, 7 / 9, ['DLMM', 'DAMM v2']],
    );
    assert.ok(Math.abs((after?.totalPnl['1M'].usd ?? 0) - 29.53) < 1e-9);
    assert.deepEqual([after?.apr, after?.monthlyPnl, after?.ofEach.map(({ figures }) => figures.apr)], [undefined, {}, [1_000, 1_000]]);
  });

  it('The overview shows one protocol while the other fails, says which and why, and retries that one', async () => {
    const world = new PanelWorld();
    world.dammV2Trouble = RESTING;
    await world.start();
    const { overview } = world.last('overview');
    assert.deepEqual(
      [overview.status, overview.data?.totalPnl.ALL.usd, overview.data?.missing.map(({ name }) => name)],
      ['ready', 100, ['DAMM v2']],
    );
    assert.match(overview.data?.missing[0]?.words ?? '', /^Request limit reached\. Next update at /);
    world.dammV2Trouble = undefined;
    world.dammV2 = overviewOf({ protocol: 'meteora_damm_v2' });
    await world.send({ kind: 'retry', part: 'overview' });
    assert.deepEqual([world.last('overview').overview.data?.missing, world.last('overview').overview.data?.totalPnl.ALL.usd], [[], 200]);
    assert.deepEqual([world.asked.overview, world.asked.dammV2], [1, 2]);
  });

  it('The overview shows DAMM v2 alone if the service knows no DLMM data, but not after a failed read', async () => {
    const world = new PanelWorld();
    world.overview = undefined;
    world.dammV2 = overviewOf({ protocol: 'meteora_damm_v2' });
    await world.start();
    assert.deepEqual(
      [world.last('overview').overview.data?.ofEach.map(({ name }) => name), world.last('overview').overview.data?.none],
      [['DAMM v2'], ['DLMM']],
    );
    world.dammV2Trouble = DOWN;
    world.dammV2 = undefined;
    await world.changeService('b');
    assert.deepEqual(
      [world.last('overview').overview.status, world.last('overview').overview.words],
      ['failed', 'The service failed (503).'],
    );
  });

  it('The overview never counts an answer twice if the service ignores the requested protocol', async () => {
    const world = new PanelWorld();
    world.dammV2 = overviewOf();
    await world.start();
    const { data } = world.last('overview').overview;
    assert.deepEqual([data?.totalPnl.ALL.usd, data?.missing], [100, [{ name: 'DAMM v2', words: 'Not reported by the service.' }]]);
  });

  it('The overview requests empty DAMM v2 data once, and again after a new position or a manual refresh', async () => {
    const world = new PanelWorld();
    await world.start();
    assert.deepEqual([world.asked.overview, world.asked.dammV2], [1, 1]);
    await world.clock.advance(6 * MINUTE_MS);
    await world.rest();
    assert.deepEqual([world.asked.overview, world.asked.dammV2], [2, 1]);
    world.open = [openPosition(1, { poolType: 'dammV2' })];
    await world.portfolio.refresh('manual', ['positions']);
    await world.clock.advance(6 * MINUTE_MS);
    await world.rest();
    assert.deepEqual([world.asked.overview, world.asked.dammV2], [3, 2]);
    world.open = [];
    await world.send({ kind: 'refresh' });
    assert.deepEqual([world.asked.overview, world.asked.dammV2], [4, 3]);
  });

  it('The overview shows a wallet that the service does not know as ready without data', async () => {
    const world = new PanelWorld();
    world.overview = undefined;
    await world.start();
    const { overview } = world.last('overview');
    assert.deepEqual([overview.status, overview.data, overview.asOfMs], ['ready', undefined, world.clock.now()]);
    assert.deepEqual(world.last('history').history.data?.window.rows, []);
  });

  it('The overview keeps its data when the service fails, says so and retries on request', async () => {
    const world = new PanelWorld();
    world.closePositions(2);
    await world.start();
    const readAtMs = world.clock.now();
    await world.clock.advance(1_000);
    world.trouble = DOWN;
    await world.send({ kind: 'refresh' });
    for (const part of [
      world.last('overview').overview,
      world.last('earned').earned,
      world.last('history').history,
      world.last('open').open,
    ]) {
      assert.deepEqual([part.status, part.asOfMs, part.words], ['stale', readAtMs, 'The service failed (503).']);
      assert.ok(part.data !== undefined);
    }
    world.trouble = undefined;
    for (const part of ['overview', 'open', 'earned', 'history'] as const) {
      await world.send({ kind: 'retry', part });
    }
    for (const part of [
      world.last('overview').overview,
      world.last('earned').earned,
      world.last('history').history,
      world.last('open').open,
    ]) {
      assert.deepEqual([part.status, part.asOfMs, part.words], ['ready', world.clock.now(), undefined]);
    }
  });

  it('The overview explains in every part that no wallet is selected', async () => {
    const world = new PanelWorld();
    world.portfolio.setOwner(undefined);
    await world.start();
    for (const part of [
      world.last('overview').overview,
      world.last('open').open,
      world.last('earned').earned,
      world.last('history').history,
    ]) {
      assert.deepEqual([part.status, part.words], ['failed', 'No wallet selected. Import a wallet key or watch an address.']);
      assert.deepEqual(part.remedies, [
        { label: 'Import Wallet Key…', command: 'binsight.importWalletKey' },
        { label: 'Watch Address…', command: 'binsight.watchAddress' },
      ]);
    }
    await world.send({ kind: 'remedy', command: 'binsight.watchAddress' });
    assert.deepEqual(world.executed, [['binsight.watchAddress', undefined]]);
    world.portfolio.setOwner(OWNER);
    await world.rest();
    assert.deepEqual(
      [world.last('overview').overview.status, world.last('history').history.status, world.last('earned').earned.status],
      ['ready', 'ready', 'ready'],
    );
  });

  it('The overview shows nothing of another wallet or service, not even a late answer', async () => {
    const world = new PanelWorld();
    world.closePositions(5);
    const late = deferred<undefined>();
    await world.start();
    world.beforePage = () => late.promise.then(() => undefined);
    world.presenter.receive({ kind: 'refresh' });
    await world.rest();
    world.messages.length = 0;
    world.beforePage = () => Promise.resolve();
    world.closed = [closedPosition(77)];
    world.portfolio.setOwner(OTHER_OWNER);
    assert.deepEqual(
      [world.last('overview').overview, world.last('history').history, world.last('earned').earned],
      [{ status: 'loading' }, { status: 'loading' }, { status: 'loading' }],
    );
    late.resolve(undefined);
    await world.rest();
    assert.deepEqual(
      world.last('history').history.data?.window.rows.map(({ address }) => address),
      [closedPosition(77).address],
    );
    assert.equal(world.asked.closed.at(-1)?.owner, OTHER_OWNER);
    world.closed = [];
    await world.changeService('b');
    assert.deepEqual(world.last('history').history.data?.window.rows, []);
  });

  it('The overview reads closed positions again after a position closes, at most once per minute', async () => {
    const world = new PanelWorld();
    world.closePositions(2);
    world.open = [openPosition(1), openPosition(2), openPosition(3)];
    await world.start();
    for (const left of [2, 1]) {
      await world.clock.advance(10_000);
      world.open = world.open.slice(0, left);
      world.closePositions(5 - left);
      await world.portfolio.refresh('afterOperation', ['positions']);
    }
    assert.deepEqual([world.asked.overview, world.asked.closed.length], [1, 1]);
    await world.clock.advance(MINUTE_MS);
    await world.rest();
    assert.deepEqual([world.asked.overview, world.asked.revenue.length, world.asked.closed.length], [2, 2, 2]);
    assert.equal(world.last('history').history.data?.loadedCount, 4);
  });

  it('The overview reads closed positions again after a position closes, even if the clock was set back', async () => {
    const world = new PanelWorld();
    world.open = [openPosition(1), openPosition(2)];
    await world.start();
    world.clock.setBy(-600 * MINUTE_MS);
    world.open = world.open.slice(0, 1);
    world.closePositions(1);
    await world.portfolio.refresh('afterOperation', ['positions']);
    await world.clock.advance(0);
    await world.rest();
    assert.equal(world.last('history').history.data?.loadedCount, 1);
  });

  it('The overview reads one further page or all of them on request, in sequence', async () => {
    const world = new PanelWorld();
    world.closePositions(1_050);
    await world.start();
    const shown = () => world.last('history').history.data;
    assert.deepEqual([shown()?.loadedCount, shown()?.totalCount, shown()?.hasMore], [100, 1_050, true]);
    await world.send({ kind: 'moreHistory', all: false });
    assert.deepEqual([shown()?.loadedCount, shown()?.isReadingMore], [200, false]);
    let underWay = 0;
    world.beforePage = async () => {
      underWay += 1;
      assert.equal(underWay, 1);
      await world.clock.advance(100);
      underWay -= 1;
    };
    world.messages.length = 0;
    world.presenter.receive({ kind: 'moreHistory', all: true });
    // The panel is scrolled meanwhile.
    await world.send({ kind: 'moreHistory', all: false });
    await world.rest();
    assert.deepEqual([shown()?.loadedCount, shown()?.hasMore, shown()?.isReadingMore], [1_050, false, false]);
    assert.deepEqual(
      world.asked.closed.map(({ page, pageSize }) => [page, pageSize]),
      Array.from({ length: 11 }, (_, index) => [index + 1, 100]),
    );
    const told = world.messages.flatMap((message) => (message.kind === 'history' ? [message.history.data?.window.rows.length ?? 0] : []));
    assert.ok(told.length > 3 && told.length < 9, `told ${told.length} times`);
    assert.ok(
      told.every((count) => count <= 400),
      'only the rows that are shown',
    );
  });

  it('Further pages stop at the user’s request, and what is loaded stays', async () => {
    const world = new PanelWorld();
    world.closePositions(1_050);
    await world.start();
    const never = deferred<undefined>();
    world.beforePage = ({ page }) => (page === 4 ? never.promise.then(() => undefined) : Promise.resolve());
    await world.send({ kind: 'moreHistory', all: true });
    await world.send({ kind: 'stopHistory' });
    const shown = () => world.last('history').history;
    assert.deepEqual(
      [shown().status, shown().data?.loadedCount, shown().data?.isReadingMore, shown().data?.hasMore],
      ['ready', 300, false, true],
    );
    never.resolve(undefined);
    await world.rest();
    assert.equal(world.asked.closed.length, 4, 'and no page is requested any more');
    world.beforePage = () => Promise.resolve();
    await world.send({ kind: 'moreHistory', all: true });
    assert.equal(shown().data?.loadedCount, 1_050);
  });

  it('The history is searched, sorted and cut to the shown rows in the extension, for each request', async () => {
    const world = new PanelWorld();
    world.closePositions(1_050);
    await world.start();
    await world.send({ kind: 'moreHistory', all: true });
    const shown = () => world.last('history').history.data?.window;
    const query = { search: '', result: 'losses', sort: { column: 'pnl', order: 'asc' } } as const;
    const loss = closedPosition(1_040).address;
    await world.send({
      kind: 'historyRows',
      request: { id: 8, query, from: 5, count: 10, ...(loss === undefined ? {} : { anchor: loss }) },
    });
    assert.deepEqual(
      [shown()?.id, shown()?.from, shown()?.found, shown()?.anchor],
      [8, 5, 1_014, { key: loss, index: 9 }],
      'the positions from number 36 on ended with a loss',
    );
    assert.deepEqual(
      shown()?.rows.map(({ address }) => address),
      Array.from({ length: 10 }, (_, index) => closedPosition(1_044 - index).address),
    );
    const sum = Array.from({ length: 1_014 }, (_, index) => 5 - (36 + index) / 7).reduce((total, pnl) => total + pnl, 0);
    assert.ok(Math.abs((shown()?.sums.pnl.usd ?? 0) - sum) < 1e-6);
    await world.send({ kind: 'historyRows', request: { id: 9, query, from: 1_010, count: 10 } });
    assert.deepEqual([shown()?.id, shown()?.rows.length, shown()?.anchor], [9, 4, undefined]);
    await world.send({ kind: 'historyRows', request: { id: 10, query: { ...query, search: 'none such' }, from: 0, count: 10 } });
    assert.deepEqual([shown()?.found, shown()?.rows], [0, []]);
    await world.send({ kind: 'historyRows', request: { id: 11, query: { ...query, currency: 'native' }, from: 0, count: 10 } });
    assert.equal(shown()?.found, 0, 'none is a loss in SOL');
  });

  it('Sums of what closed positions really earned follow the search, and what was read stays in them', async () => {
    const world = new PanelWorld();
    world.closePositions(3);
    world.earnings = () =>
      Promise.resolve({ known: true, ledger: { realPnlSol: 0.5, differsFromReportedSol: 0.25 } } as unknown as KnownEarnings);
    await world.start();
    const [first = '', second = ''] = [0, 1].map((number) => closedPosition(number).key);
    await world.send({ kind: 'historyEarnings', keys: [first, second] });
    await world.send({ kind: 'historyEarnings', keys: [first] });
    const sums = () => world.last('historyEarnings').sums;
    assert.deepEqual(sums(), { really: { sol: 1, count: 2 }, difference: { sol: 0.5, count: 2 } });
    const query = { search: first, result: 'all', sort: { column: 'pnl', order: 'asc' } } as const;
    await world.send({ kind: 'historyRows', request: { id: 8, query, from: 0, count: 10 } });
    assert.deepEqual(sums(), { really: { sol: 0.5, count: 1 }, difference: { sol: 0.25, count: 1 } });
  });

  it('The overview stops further reads while it is hidden and waits as long as the service asks', async () => {
    const world = new PanelWorld();
    world.closePositions(400);
    await world.start();
    world.trouble = RESTING;
    await world.send({ kind: 'moreHistory', all: true });
    world.trouble = undefined;
    assert.equal(world.last('history').history.data?.isReadingMore, true);
    await world.clock.advance(44_000);
    assert.equal(world.asked.closed.length, 2);
    world.beforePage = ({ page }) => {
      if (page === 3) {
        world.presenter.setVisible(false);
      }
      return Promise.resolve();
    };
    await world.clock.advance(1_000);
    await world.rest();
    assert.deepEqual([world.last('history').history.data?.loadedCount, world.last('history').history.data?.isReadingMore], [300, false]);
    world.presenter.setVisible(true);
    await world.rest();
    assert.equal(world.last('history').history.data?.loadedCount, 400);
  });

  it('The overview keeps its rows when a further page fails and resumes from there', async () => {
    const world = new PanelWorld();
    world.closePositions(350);
    await world.start();
    world.trouble = DOWN;
    await world.send({ kind: 'moreHistory', all: true });
    const { history } = world.last('history');
    assert.deepEqual(
      [history.status, history.words, history.data?.loadedCount, history.data?.hasMore, history.data?.isReadingMore],
      ['stale', 'The service failed (503).', 100, true, false],
    );
    world.trouble = undefined;
    await world.send({ kind: 'retry', part: 'history' });
    assert.deepEqual([world.last('history').history.status, world.last('history').history.data?.loadedCount], ['ready', 350]);
    assert.deepEqual(
      world.asked.closed.map(({ page }) => page),
      [1, 2, 2, 3, 4],
    );
  });

  it('The overview starts over for other days and cancels reads of the previous ones', async () => {
    const world = new PanelWorld();
    world.closePositions(500);
    await world.start();
    const never = deferred<undefined>();
    world.beforePage = () => never.promise.then(() => undefined);
    await world.send({ kind: 'moreHistory', all: true });
    world.beforePage = () => Promise.resolve();
    const newest = closedPosition(499).closedAt ?? assert.fail();
    const day = `${newest.getFullYear()}-${String(newest.getMonth() + 1).padStart(2, '0')}-${String(newest.getDate()).padStart(2, '0')}`;
    await world.send({ kind: 'history', range: { from: day, to: day } });
    never.resolve(undefined);
    await world.rest();
    const { data } = world.last('history').history;
    const ofDay = world.closed.filter(({ closedAt }) => closedAt?.toDateString() === newest.toDateString()).toReversed();
    assert.ok(ofDay.length > 0 && ofDay.length < 25);
    assert.deepEqual(
      [data?.range, data?.window.rows.map(({ address }) => address), data?.isReadingMore],
      [{ from: day, to: day }, ofDay.map(({ address }) => address), false],
    );
    await world.send({ kind: 'history', range: { from: '2026-02-01', to: '2026-01-01' } });
    assert.deepEqual(
      [world.last('history').history.status, world.last('history').history.words],
      ['failed', 'The first day is after the last day.'],
    );
  });

  it('The overview opens only valid pools, copies only valid addresses and shows the positions', async () => {
    const world = new PanelWorld();
    await world.start();
    await world.send({ kind: 'openPool', pool: addressOf(500) });
    await world.send({ kind: 'openPool', pool: 'not an address' });
    await world.send({ kind: 'copyAddress', address: addressOf(7) });
    await world.send({ kind: 'copyAddress', address: 'rm -rf /' });
    await world.send({ kind: 'showPositions' });
    assert.deepEqual(world.executed, [['binsight.openPool', { kind: 'pool', pool: { address: addressOf(500) } }], 'focusPositions']);
    assert.deepEqual(world.copied, [addressOf(7)]);
  });

  it('The overview marks positions that copy another wallet', async () => {
    const world = new PanelWorld();
    world.closed = [closedPosition(1, { followed: { owner: OTHER_OWNER, label: 'LP abcd', position: addressOf(9) } })];
    await world.start();
    assert.deepEqual(world.last('history').history.data?.window.rows[0]?.followed, { owner: OTHER_OWNER, label: 'LP abcd' });
  });

  it('A disposed overview leaves no timers, messages or subscriptions', async () => {
    const world = new PanelWorld();
    world.closePositions(300);
    await world.start();
    await world.send({ kind: 'moreHistory', all: false });
    assert.equal(world.shown, 1);
    world.presenter.dispose();
    world.messages.length = 0;
    world.portfolio.setOwner(OTHER_OWNER);
    await world.clock.advance(60 * MINUTE_MS);
    assert.deepEqual([world.shown, world.clock.timers, world.messages.length], [0, 0, 0]);
  });
});
