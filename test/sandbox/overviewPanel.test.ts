import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import bs58 from 'bs58';
import * as z from 'zod';
import { parseBaseUrl } from '../../src/service/baseUrl';
import type { EditorActions } from '../../src/ui/shell/editorAccess';
import { createLiquidityService } from '../../src/service/client';
import { overviewPresenter } from '../../src/ui/panels/overview/overviewPresenter';
import type { Presenter } from '../../src/ui/panels/presenter';
import { systemClock } from '../../src/base/async/clock';
import { Portfolio } from '../../src/portfolio/portfolio';
import { type ClosedRow, overviewToPanel, PERIODS, type OverviewToHost, type OverviewToPanel } from '../../src/protocol/overview';
import { positionValues, PositionRow, POSITION_COLUMNS, SAVE_POSITION } from '../../src/sandbox/market/positionStore';
import { Database } from '../../src/sandbox/store/database';
import { address } from '../../src/base/solana/address';
import { panelDependencies } from '../support/ui/panels/panelDependencies';
import { ScriptedPrompts } from '../support/editor/scriptedPrompts';
import { good, landed, TestClient } from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox, type RunningSandbox } from '../support/sandbox/process';
import { STILL } from '../support/sandbox/useSandbox';
import { NEWEST_ROWS } from '../support/ui/panels/overview/fixtures';
import { type ReadableFile, readable } from '../support/ui/savedText';

const DAY_MS = 86_400_000;
/** So many closed positions the wallet has at least. */
const MANY = 1_500;

const figures = z.record(z.string(), z.unknown());
const OverviewAnswer = z.object({ data: figures });
const Rows = z.object({ data: z.array(figures) });
const HistoricalAnswer = z.object({ data: z.object({ data: z.array(figures), pagination: z.object({ totalCount: z.int() }) }) });

type MessageOf<Kind extends OverviewToPanel['kind']> = Extract<OverviewToPanel, { kind: Kind }>;

/** Makes a long past out of a short one: the wallet's closed positions again and again, spread over two months before. */
function lengthenPast(folder: string, owner: string): void {
  const database = Database.open(folder);
  try {
    const closed = database.all(PositionRow, `SELECT ${POSITION_COLUMNS} FROM position WHERE owner = ? AND closed_at IS NOT NULL`, owner);
    assert.ok(closed.length > 0);
    const copies = Math.ceil(MANY / closed.length);
    database.transaction(() => {
      for (const [index, position] of closed.entries()) {
        for (let copy = 1; copy < copies; copy += 1) {
          const earlierMs = (copy / copies) * 60 * DAY_MS + index;
          const at = address(bs58.encode(randomBytes(32)));
          const { closing, openedAt } = position;
          assert.ok(closing);
          database.run(
            SAVE_POSITION,
            ...positionValues({
              ...position,
              address: at,
              id: randomBytes(32).toString('hex'),
              nftMint: null,
              openedAt: openedAt - earlierMs,
              closing: { ...closing, at: closing.at - earlierMs },
            }),
          );
        }
      }
    });
  } finally {
    database.close();
  }
}

// The presenter, the portfolio and the client are the extension's own; the sandbox is asked over HTTP alone, and once more beside them.
describe('The overview panel with the sandbox', function () {
  let data = '';
  let sandbox: RunningSandbox | undefined;
  let opened: { readonly presenter: Presenter<OverviewToHost>; readonly portfolio: Portfolio } | undefined;
  let messages: OverviewToPanel[] = [];
  let waiting: (() => void)[] = [];
  let saved: ReadableFile[] = [];
  let prompts = new ScriptedPrompts();

  before(async () => {
    data = await copyOfNewWorld();
    const first = await startSandbox({ ...STILL, data });
    await first.stop();
    lengthenPast(data, first.owner);
    sandbox = await startSandbox({ ...STILL, data });
  });
  after(async () => {
    await sandbox?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  const ready = (): RunningSandbox => sandbox ?? assert.fail('No sandbox is running');
  const ask = <Schema extends z.ZodType>(schema: Schema, path: string, query: Readonly<Record<string, string | number>> = {}) =>
    new TestClient(ready()).get(path, query).then((answer) => good(schema, answer));
  const historical = (query: Readonly<Record<string, string | number>> = {}) =>
    ask(HistoricalAnswer, '/lp-positions/historical', { owner: ready().owner, limit: 1_000, ...query });

  /** Opens the panel. */
  async function open(message: Partial<Extract<OverviewToHost, { kind: 'ready' }>> = {}): Promise<Presenter<OverviewToHost>> {
    const { url, apiKey, owner } = ready();
    messages = [];
    waiting = [];
    saved = [];
    prompts = new ScriptedPrompts();
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const connect = () => Promise.resolve(service);
    const portfolio = new Portfolio({ service: connect, clock: systemClock, log: () => undefined });
    portfolio.setOwner(address(owner));
    await portfolio.refresh('startup', ['positions']);
    const actions: Partial<EditorActions> = {
      saveText: (file) => {
        saved.push(readable(file));
        return Promise.resolve(file.name);
      },
    };
    const presenter = overviewPresenter(
      '',
      panelDependencies({ service, portfolio, owner, prompts, actions: actions as EditorActions }),
      (told) => {
        messages.push(overviewToPanel.parse(JSON.parse(JSON.stringify(told))));
        waiting.splice(0).forEach((wake) => wake());
      },
    );
    opened = { presenter, portfolio };
    presenter.setVisible(true);
    presenter.receive({ kind: 'ready', period: 'ALL', range: {}, history: NEWEST_ROWS, ...message });
    return presenter;
  }

  afterEach(() => {
    opened?.presenter.dispose();
    opened?.portfolio.dispose();
    opened = undefined;
  });

  /** What the panel is told of this kind as soon as it fits. */
  async function told<Kind extends OverviewToPanel['kind']>(
    kind: Kind,
    fits: (message: MessageOf<Kind>) => boolean,
  ): Promise<MessageOf<Kind>> {
    for (;;) {
      const last = messages.findLast((message): message is MessageOf<Kind> => message.kind === kind);
      if (last !== undefined && fits(last)) {
        return last;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  const isWhole = (message: MessageOf<'overview'>): boolean =>
    message.overview.status === 'ready' && message.overview.data?.missing.length === 0;

  for (const [name, protocol] of [
    ['DLMM', 'meteora'],
    ['DAMM v2', 'meteora_damm_v2'],
  ] as const) {
    it(`The panel shows every figure of the overview of ${name} as the service has it`, async () => {
      await open();
      const { overview } = await told('overview', isWhole);
      const { data: wire } = await ask(OverviewAnswer, '/lp-positions/overview', { owner: ready().owner, protocol });
      const view = overview.data?.ofEach.find((one) => one.name === name)?.figures ?? assert.fail('There is no overview');
      const both = (name: string) => ({ usd: wire[name], native: wire[`${name}_native`] });
      assert.deepEqual(
        [
          view.owner,
          view.chain,
          view.protocol,
          view.totalInflow,
          view.totalOutflow,
          view.totalReward,
          view.feeRate,
          view.roiOnAverageInflow,
          view.averagePositionProfit,
          view.monthlyPnl,
          view.monthlyInflow,
          view.apr,
          view.roi,
        ],
        [
          wire['owner'],
          wire['chain'],
          wire['protocol'],
          ...[
            'total_inflow',
            'total_outflow',
            'total_reward',
            'fee_percent',
            'roi_avg_inflow',
            'avg_pos_profit',
            'avg_monthly_pnl',
            'avg_monthly_inflow',
          ].map(both),
          wire['apr'],
          wire['roi'],
        ],
      );
      assert.deepEqual(
        [view.totalPositions, view.wonPositions, view.openPositions, view.totalPools],
        [
          Number(wire['total_lp']),
          { usd: Number(wire['win_lp']), native: Number(wire['win_lp_native']) },
          Number(wire['opening_lp']),
          Number(wire['total_pool']),
        ],
      );
      const instant = (name: string) => Date.parse(`${String(wire[name]).replace(' ', 'T')}Z`);
      assert.deepEqual([view.firstActivityMs, view.lastActivityMs], [instant('first_activity'), instant('last_activity')]);
      assert.ok(Math.abs((view.updatedAtMs ?? 0) - instant('updated_at')) < 60_000);
      assert.ok(Math.abs((view.averageAgeHours ?? 0) - Number(wire['avg_age_hour'])) < 1e-9);
      // A fraction there, percent here.
      assert.deepEqual(view.monthlyProfitPercent, {
        usd: 100 * Number(wire['avg_monthly_profit_percent']),
        native: 100 * Number(wire['avg_monthly_profit_percent_native']),
      });
      const figureOf = (name: string, period: string) => figures.parse(wire[name])[period];
      for (const period of PERIODS) {
        for (const [shown, name] of [
          [view.averageInflow, 'avg_inflow'],
          [view.totalFee, 'total_fee'],
          [view.totalPnl, 'total_pnl'],
          [view.winRate, 'win_rate'],
          [view.expectedValue, 'expected_value'],
        ] as const) {
          assert.deepEqual(
            shown[period],
            { usd: figureOf(name, period), native: figureOf(`${name}_native`, period) },
            `${name} of ${period}`,
          );
        }
        assert.equal(view.closedPositions[period], Number(figureOf('closed_lp', period)));
      }
    });
  }

  it('The panel counts the closed positions of both protocols as the history lists them', async () => {
    await open();
    const view = (await told('overview', isWhole)).overview.data ?? assert.fail('There is no overview');
    const { data: rows, pagination } = (await historical()).data;
    assert.equal(view.closedPositions.ALL, pagination.totalCount);
    const all = [...rows];
    for (let page = 2; all.length < pagination.totalCount; page += 1) {
      all.push(...(await historical({ page })).data.data);
    }
    const pnl = all.map((row) => Number(figures.parse(row['pnl'])['value']));
    const results = pnl.filter((figure) => figure !== 0);
    const total = pnl.reduce((sum, figure) => sum + figure, 0);
    const isNear = (shown: number | undefined, expected: number) =>
      assert.ok(Math.abs((shown ?? Number.NaN) - expected) < 1e-6 * Math.max(1, Math.abs(expected)), `${shown} is not ${expected}`);
    isNear(view.totalPnl.ALL.usd, total);
    isNear(view.winRate.ALL.usd, pnl.filter((figure) => figure > 0).length / results.length);
    isNear(view.expectedValue.ALL.usd, total / results.length);
    isNear(
      view.totalInflow.usd,
      all.reduce((sum, row) => sum + Number(row['inputValue']), 0),
    );
    isNear(view.averageAgeHours, all.reduce((sum, row) => sum + Number(row['ageHour']), 0) / all.length);
  });

  it('The win rate falls after a DAMM v2 position is closed at a loss', async () => {
    const presenter = await open();
    const before = (await told('overview', isWhole)).overview.data ?? assert.fail('There is no overview');
    const client = new TestClient(ready());
    const position =
      (await client.opening()).find(({ protocol, pnl }) => protocol === 'meteora_damm_v2' && Number(figures.parse(pnl)['value']) < -0.01) ??
      assert.fail('No DAMM v2 position has lost');
    landed(await client.landDecrease(await client.decrease(position.id, 10_000, { type: 'meteora_damm_v2' })));
    presenter.receive({ kind: 'refresh' });
    const after = (
      await told(
        'overview',
        (message) => isWhole(message) && message.overview.data?.closedPositions.ALL === (before.closedPositions.ALL ?? 0) + 1,
      )
    ).overview.data;
    for (const period of ['7D', 'ALL'] as const) {
      assert.ok(
        (after?.winRate[period].usd ?? 1) < (before.winRate[period].usd ?? 0),
        `${period}: ${before.winRate[period].usd} became ${after?.winRate[period].usd}`,
      );
      assert.ok((after?.totalPnl[period].usd ?? 0) < (before.totalPnl[period].usd ?? 0));
    }
    assert.equal(after?.openPositions, (before.openPositions ?? 0) - 1);
  });

  it('The panel shows the sums of the open positions', async () => {
    await open();
    const { open: totals } = await told('open', (message) => message.open.status === 'ready');
    const { data: wire } = await ask(Rows, '/lp-positions/opening', { owner: ready().owner });
    assert.equal(totals.data?.count, wire.length);
    assert.equal(totals.data.outOfRange, wire.filter(({ inRange }) => inRange === false).length);
    const sum = (name: string) => wire.reduce((total, position) => total + Number(position[name]), 0);
    for (const [shown, name] of [
      [totals.data.value.usd, 'value'],
      [totals.data.value.native, 'valueNative'],
      [totals.data.uncollectedFee.usd, 'unCollectedFee'],
    ] as const) {
      assert.ok(Math.abs((shown ?? Number.NaN) - sum(name)) < 1e-6, name);
    }
  });

  it('The panel shows the earnings of each day, which add up to the overview', async () => {
    const presenter = await open();
    const { overview } = await told('overview', isWhole);
    for (const period of PERIODS) {
      presenter.receive({ kind: 'period', period });
      const { earned } = await told('earned', (message) => message.period === period && message.earned.status === 'ready');
      const days = earned.data ?? [];
      const query = {
        period: 'day',
        protocol: 'meteora,meteora_damm_v2',
        ...(period === '7D' || period === '1M' ? { range: period } : {}),
      };
      const { data: wire } = await ask(Rows, `/lp-positions/revenue/${ready().owner}`, query);
      const shown = wire.slice(wire.length - days.length);
      assert.deepEqual(
        days.map(({ dayMs, pnl, invested }) => [dayMs, pnl.usd, pnl.native, invested.usd]),
        shown.map((row) => [Date.parse(String(row['close_day'])), row['sum'], row['sum_native'], row['total_invested']]),
      );
      if (days.length === wire.length) {
        assert.deepEqual(
          days.map(({ cumulativePnl }) => cumulativePnl),
          shown.map((row) => ({ usd: row['cumulative_pnl'], native: row['cumulative_pnl_native'] })),
        );
        assert.ok(
          Math.abs((days.at(-1)?.cumulativePnl.native ?? 0) - (overview.data?.totalPnl[period].native ?? Number.NaN)) < 1e-6,
          period,
        );
      } else {
        assert.ok((days[0]?.dayMs ?? 0) >= Date.now() - 91 * DAY_MS, 'It is cut to three months');
      }
    }
  });

  /** All rows, requested window by window. */
  async function allRows(presenter: Presenter<OverviewToHost>, count: number): Promise<readonly ClosedRow[]> {
    const rows: ClosedRow[] = [];
    for (let id = 2; rows.length < count; id += 1) {
      const before = rows.length;
      presenter.receive({ kind: 'historyRows', request: { ...NEWEST_ROWS, id, from: before } });
      const { history } = await told('history', (message) => message.history.data?.window.id === id);
      rows.push(...(history.data?.window.rows ?? []));
      assert.ok(rows.length > before, 'a window is empty');
    }
    return rows;
  }

  it('The panel shows thousands of closed positions, each once and as the service has it', async () => {
    const presenter = await open();
    await told('history', (message) => message.history.status === 'ready');
    presenter.receive({ kind: 'moreHistory', all: true });
    const { history } = await told('history', (message) => message.history.data?.hasMore === false && !message.history.data.isReadingMore);
    const rows = await allRows(presenter, history.data?.loadedCount ?? 0);
    const first = (await historical()).data;
    assert.ok(first.pagination.totalCount >= MANY, `only ${first.pagination.totalCount} closed positions`);
    assert.equal(rows.length, first.pagination.totalCount);
    assert.equal(history.data?.totalCount, rows.length);
    assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
    for (const [index, wire] of first.data.entries()) {
      const row = rows[index] ?? assert.fail();
      const pnl = figures.parse(wire['pnl']);
      assert.deepEqual(
        [row.address, row.pool, row.closedAtMs, row.openedAtMs, row.ageHours, row.input, row.output, row.fee, row.feePercent, row.reward],
        [
          ...[
            wire['position'],
            wire['pool'],
            Date.parse(String(wire['closeAt'])),
            Date.parse(String(wire['createdAt'])),
            Number(wire['ageHour']),
          ],
          ...[
            { usd: wire['inputValue'], native: wire['inputNative'] },
            { usd: wire['outputValue'], native: wire['outputNative'] },
            { usd: wire['fee'], native: wire['feeNative'] },
          ],
          ...[
            { usd: wire['feePercent'], native: wire['feePercentNative'] },
            { usd: wire['collectedReward'], native: wire['collectedRewardNative'] },
          ],
        ],
      );
      assert.deepEqual(
        [row.pnl, row.pnlPercent, row.dailyReturn, row.audited],
        [
          { usd: pnl['value'], native: pnl['valueNative'] },
          { usd: pnl['percent'], native: pnl['percentNative'] },
          { usd: wire['dpr'], native: wire['dprNative'] },
          { solIn: wire['solInAudited'], solOut: wire['solOutAudited'], pnlNative: wire['pnlNativeAudited'] },
        ],
      );
      const followed = wire['followInfo'] === undefined ? undefined : figures.parse(wire['followInfo']);
      assert.deepEqual(
        row.followed,
        followed === undefined ? undefined : { owner: followed['sourceOwner'], label: followed['sourceLabel'] },
      );
    }
    assert.ok(rows.some(({ followed }) => followed !== undefined) && rows.some(({ poolType }) => poolType === 'dammV2'));
  });

  it('The panel shows and exports all positions of the requested days, as a table and as records', async () => {
    const dayOf = (agoDays: number) => new Date(Date.now() - agoDays * DAY_MS);
    const text = (day: Date) =>
      `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
    const range = { from: text(dayOf(40)), to: text(dayOf(10)) };
    const presenter = await open({ range });
    const { history } = await told('history', (message) => message.history.status === 'ready');
    const span = {
      from_date: new Date(`${range.from}T00:00:00`).toISOString(),
      to_date: new Date(`${range.to}T23:59:59.999`).toISOString(),
    };
    const { data: wire } = await historical(span);
    assert.equal(history.data?.totalCount, wire.pagination.totalCount);
    assert.ok(wire.pagination.totalCount > 100 && wire.data.length === wire.pagination.totalCount);
    for (const format of ['csv', 'json'] as const) {
      messages = [];
      presenter.receive({ kind: 'export', format, range });
      await told('export', (message) => message.progress === undefined);
    }
    const [csv = '', json = ''] = saved.map((file) => file.text);
    assert.deepEqual(
      saved.map(({ name }) => name.slice(0, 40)),
      Array.from({ length: 2 }, () => `binsight-closed-${range.from}-to-${range.to}`),
    );
    const lines = csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.deepEqual(lines[0], Object.keys(Rows.shape.data.parse(JSON.parse(json))[0] ?? {}));
    const column = (name: string) => lines.slice(1).map((line) => line[lines[0]?.indexOf(name) ?? -1]);
    assert.deepEqual(
      column('position'),
      wire.data.map((record) => record['position']),
    );
    assert.deepEqual(
      column('pnl_usd').map(Number),
      wire.data.map((record) => figures.parse(record['pnl'])['value']),
    );
    assert.deepEqual(
      column('closed_at'),
      wire.data.map((record) => record['closeAt']),
    );
    const records = Rows.shape.data.parse(JSON.parse(json));
    assert.deepEqual(
      records.map((record) => [record['input_sol'], record['fee_percent_usd'], record['followed_owner']]),
      wire.data.map((record) => [
        record['inputNative'],
        record['feePercent'],
        record['followInfo'] === undefined ? null : figures.parse(record['followInfo'])['sourceOwner'],
      ]),
    );
    const counted = new Intl.NumberFormat('en-US').format(wire.data.length);
    assert.deepEqual(
      prompts.notices.map(({ message }) => message),
      saved.map(({ name }) => `Exported ${counted} positions to ${name}.`),
    );
  });
});
