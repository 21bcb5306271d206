import assert from 'node:assert/strict';
import * as z from 'zod';
import bs58 from 'bs58';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { landedRecord, zapInCreated } from '../support/transactions/records';
import { EarningsReader } from '../../src/transactions/earnings/earnings';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { Fetch } from '../../src/service/calls/transport';
import { poolPresenter } from '../../src/ui/panels/poolPresenter';
import { positionPresenter } from '../../src/ui/panels/positionPresenter';
import type { Presenter, PresenterMaker } from '../../src/ui/panels/presenter';
import { systemClock } from '../../src/base/async/clock';
import { Portfolio } from '../../src/portfolio/portfolio';
import { poolToPanel, type PoolToHost, type PoolToPanel } from '../../src/protocol/pool';
import { positionToPanel, type PositionToHost, type PositionToPanel } from '../../src/protocol/position';
import { address } from '../../src/base/solana/address';
import { dlmmBinArray } from '../../src/base/solana/pda';
import { panelDependencies } from '../support/ui/panels/panelDependencies';
import { ToldPanel } from '../support/ui/panels/presenterWorld';
import { good, landed, Opening, SOL } from '../support/sandbox/client';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';
import { rpcOf } from '../support/sandbox/rpcOf';

const Record = z.record(z.string(), z.unknown());
const One = z.object({ data: Record });
const Many = z.object({ data: z.array(Record) });
const TokenInfo = z.array(z.object({ data: z.tuple([Record]) }));
const FeeStats = z.array(z.object({ timestamp: z.iso.datetime(), fee: z.number(), volume: z.number() }));
const Bins = z.object({ activeBin: Record, bins: z.array(z.object({ binId: z.int(), xAmount: z.number(), yAmount: z.number() })) });
const VolumeStats = z.object({ volume: z.record(z.string(), z.object({ volume_change: z.number() })) });

const atMs = (value: unknown): number => Date.parse(z.iso.datetime().parse(value));

/** What the presenters' client was answered, the last answer to each path (with its query) from the base path on. */
class Heard {
  readonly #answers = new Map<string, unknown>();

  readonly fetch: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    this.#answers.set(decodeURIComponent(url.replace(/^.*\/open-api\/v1/, '')), await response.clone().json());
    return response;
  };

  /** The last answer whose path begins so. */
  answer<Schema extends z.ZodType>(schema: Schema, path: string): z.output<Schema> {
    const [, body] = [...this.#answers].findLast(([asked]) => asked.startsWith(path)) ?? assert.fail(`${path} was not asked for`);
    return schema.parse(body);
  }
}

/** A panel, with what it was told. */
interface OpenPanel<ToPanel extends { readonly kind: string }, ToHost> {
  readonly panel: ToldPanel<ToPanel>;
  readonly presenter: Presenter<ToHost>;
  readonly portfolio: Portfolio;
  readonly heard: Heard;
}

// The presenters, the portfolio, the client and the RPC are the extension's own; the sandbox is asked over HTTP alone, and its answers are overheard.
describe('The pool and position panels with the sandbox', function () {
  const client = useSandbox('all', STILL);
  let opened: Presenter<never>[] = [];
  let portfolios: Portfolio[] = [];

  afterEach(() => {
    opened.forEach((presenter) => presenter.dispose());
    portfolios.forEach((portfolio) => portfolio.dispose());
    opened = [];
    portfolios = [];
  });

  /** Operations of the journal. */
  let journal: readonly OperationRecord[] = [];

  async function open<ToPanel extends { readonly kind: string }, ToHost extends { readonly kind: string }>(
    maker: PresenterMaker<ToPanel, ToHost>,
    subject: string,
    schema: { parse(value: unknown): ToPanel },
    ready: ToHost,
  ): Promise<OpenPanel<ToPanel, ToHost>> {
    const { url, apiKey, owner } = client().sandbox;
    const heard = new Heard();
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey, fetch: heard.fetch });
    const rpc = rpcOf({ url, apiKey });
    const connect = () => Promise.resolve(service);
    const portfolio = new Portfolio({ service: connect, clock: systemClock, log: () => undefined });
    portfolios.push(portfolio);
    portfolio.setOwner(address(owner));
    await portfolio.refresh('startup', ['positions']);
    const ownJournal = () => Promise.resolve({ read: () => Promise.resolve({ records: journal, problems: [] }) });
    const dependencies = panelDependencies({
      ...{ service, portfolio, owner, rpc: () => Promise.resolve(rpc), journal: ownJournal },
      earnings: new EarningsReader({ journal: ownJournal, rpc: () => Promise.resolve(rpc) }),
      log: (level, message) => assert.notEqual(level, 'warn', message),
    });
    const panel = new ToldPanel<ToPanel>(schema);
    const presenter = maker(subject, dependencies, panel.post);
    opened.push(presenter);
    presenter.setVisible(true);
    presenter.receive(ready);
    return { panel, presenter, portfolio, heard };
  }

  const openPool = async (pool: string): Promise<OpenPanel<PoolToPanel, PoolToHost>> => {
    const made = await open(poolPresenter, pool, poolToPanel, { kind: 'ready' });
    await made.panel.until((panel) => panel.told('pool').pool.data?.tvlUsd !== undefined && panel.told('lpers').lpers.data !== undefined);
    return made;
  };
  const openPosition = async (key: string): Promise<OpenPanel<PositionToPanel, PositionToHost>> => {
    const made = await open(positionPresenter, key, positionToPanel, { kind: 'ready' });
    await made.panel.until((panel) => panel.told('events').events.data !== undefined);
    return made;
  };

  for (const [what, find] of [
    ['a pool with bins', async () => (await client().positionInRange()).pool],
    [
      'a pool without bins',
      async () =>
        z.string().parse(good(Many, await client().get('/pools/discover', { pageSize: 1, type: 'meteora_damm_v2' })).data[0]?.['pool']),
    ],
  ] as const) {
    it(`The pool panel shows of ${what} the figures of the service`, async () => {
      const pool = await find();
      const { panel, heard } = await openPool(pool);
      const view = panel.told('pool').pool.data ?? assert.fail();
      const info = heard.answer(One, `/pools/${pool}/info`).data;
      const record = heard.answer(Many, `/pools/discover?pageSize=10&search=${pool}`).data[0] ?? assert.fail();
      const [factsX, factsY] = TokenInfo.parse(info['tokenInfo']).map(({ data: [facts] }) => facts);
      for (const [token, facts] of [
        [view.x, factsX],
        [view.y, factsY],
      ] as const) {
        assert.deepEqual(
          [token.address, token.symbol, token.name, token.decimals, token.priceUsd, token.marketCapUsd, token.fdvUsd],
          ['id', 'symbol', 'name', 'decimals', 'usdPrice', 'mcap', 'fdv'].map((name) => facts?.[name]),
        );
        assert.deepEqual([token.organicScore, token.holders], [facts?.['organicScore'], facts?.['holderCount']]);
      }
      const fees = Record.parse(info['feeInfo']);
      const stats = Record.parse(info['poolStats']);
      const change = VolumeStats.parse(record['token0_stats']).volume;
      assert.deepEqual(
        [view.pairName, view.tvlUsd, view.amountX, view.amountY, view.x.topHolderPercent, view.x.mintOrFreezeEnabled, view.createdAtMs],
        [
          record['pairName'],
          record['tvl'],
          info['amountX'],
          info['amountY'],
          record['top_holder'],
          record['mint_freeze'],
          atMs(record['created_at']),
        ],
      );
      assert.deepEqual(view.volumeUsd, {
        '5m': record['vol_5m'],
        '1h': record['vol_1h'],
        '6h': record['vol_6h'],
        '24h': record['vol_24h'],
      });
      assert.deepEqual(view.volumeChangePercent, {
        '1h': change['stats1h']?.volume_change,
        '6h': change['stats6h']?.volume_change,
        '24h': change['stats24h']?.volume_change,
      });
      assert.deepEqual(view.priceChangePercent, {
        '5m': record['price_5m_change'],
        '1h': record['price_1h_change'],
        '6h': record['price_6h_change'],
        '24h': record['price_24h_change'],
      });
      assert.deepEqual(
        [view.fees.basePercent, view.fees.dynamicPercent, view.fees.maxPercent, view.fees.protocolPercent, view.fees.fees24hUsd],
        [fees['baseFeeRatePercentage'], fees['dynamicFee'], fees['maxFeeRatePercentage'], fees['protocolFeePercentage'], stats['fee_24h']],
      );
      assert.equal(view.fees.collectedIn, 'both');
      assert.deepEqual(
        view.feeStats,
        FeeStats.parse(info['feeStats']).map(({ timestamp, fee, volume }) => ({
          atMs: Date.parse(timestamp),
          feeUsd: fee,
          volumeUsd: volume,
        })),
      );
      if (info['liquidityViz'] === undefined) {
        assert.deepEqual([view.poolType, view.activeBinId, view.bins, view.binStepBps], ['dammV2', undefined, [], undefined]);
        assert.ok(view.price !== undefined && view.price > 0);
        return;
      }
      const { activeBin, bins } = Bins.parse(info['liquidityViz']);
      assert.deepEqual(
        [view.poolType, view.binStepBps, view.activeBinId, view.price],
        ['dlmm', record['bin_step'], activeBin['binId'], Number(activeBin['pricePerToken'])],
      );
      assert.deepEqual(
        view.bins,
        bins.map(({ binId, xAmount, yAmount }) => ({ binId, x: xAmount, y: yAmount })),
      );
    });
  }

  it('The panel shows the top LPers as the service sorts and pages them', async () => {
    const { pool } = await client().positionInRange();
    const { panel, presenter, heard } = await openPool(pool);
    for (const [orderBy, sortOrder, page] of [
      ['total_pnl', 'desc', 1],
      ['win_rate', 'asc', 1],
      ['avg_age_hour', 'desc', 2],
      ['last_activity', 'asc', 1],
    ] as const) {
      presenter.receive({ kind: 'lpers', query: { orderBy, sortOrder, page } });
      await panel.until((told) => told.told('lpers').lpers.data?.query.orderBy === orderBy);
      const answer = heard.answer(
        z.object({ data: z.array(Record), pagination: Record }),
        `/pools/${pool}/top-lpers?order_by=${orderBy}&sort_order=${sortOrder}&page=${page}&limit=20`,
      );
      const { data } = panel.told('lpers').lpers;
      assert.deepEqual(
        [data?.totalCount, data?.totalPages, data?.hasNextPage],
        [answer.pagination['totalCount'], answer.pagination['totalPages'], answer.pagination['hasNextPage']],
      );
      const money = (row: z.output<typeof Record>, name: string) => ({ usd: row[name], native: row[`${name}_native`] });
      assert.deepEqual(
        data?.rows,
        answer.data.map((row) => ({
          ...{ owner: row['owner'], isOwn: row['owner'] === client().sandbox.owner },
          ...{
            inflow: money(row, 'total_inflow'),
            averageInflow: money(row, 'avg_inflow'),
            outflow: money(row, 'total_outflow'),
            fee: money(row, 'total_fee'),
            reward: money(row, 'total_reward'),
          },
          ...{
            pnl: money(row, 'total_pnl'),
            feeRate: money(row, 'fee_percent'),
            winRate: money(row, 'win_rate'),
            won: money(row, 'win_lp'),
          },
          ...{
            roi: row['roi'],
            apr: row['apr'],
            positions: row['total_lp'],
            averageAgeHours: row['avg_age_hour'],
            firstActivityMs: atMs(row['first_activity']),
            lastActivityMs: atMs(row['last_activity']),
          },
        })),
      );
    }
  });

  it('The panel shows the open ranges of another wallet in the pool', async () => {
    const { pool } = await client().positionInRange();
    const { panel, presenter } = await openPool(pool);
    const owners = panel.told('lpers').lpers.data?.rows.map(({ owner }) => owner) ?? [];
    let seen = 0;
    for (const owner of owners) {
      presenter.receive({ kind: 'lperRanges', owner });
      await panel.until((told) => told.told('lperRanges').lperRanges.data?.owner === owner);
      const listed = (await client().opening(owner))
        .filter((position) => position.pool === pool)
        .sort((one, other) => other.value - one.value);
      const ranges = panel.told('lperRanges').lperRanges.data?.ranges ?? [];
      assert.deepEqual(
        ranges.map(({ lowerBinId, upperBinId, value }) => [lowerBinId, upperBinId, value]),
        listed.map(({ tickLower, tickUpper, value, valueNative }) => [tickLower, tickUpper, { usd: value, native: valueNative }]),
      );
      seen += ranges.length;
    }
    assert.ok(seen > 0, 'no provider has a range to look at');
  });

  it('A plan is computed with the current balance and the existing bin arrays', async () => {
    const { pool, range } = await client().positionInRange();
    const { panel, presenter } = await openPool(pool);
    presenter.receive({ kind: 'planFigures' });
    await panel.until((told) => told.told('planFigures').planFigures.data !== undefined);
    const figures = panel.told('planFigures').planFigures.data ?? assert.fail();
    assert.equal(figures.balanceLamports, String(await client().balance(SOL)));
    const { from, to, existing } = figures.binArrays ?? assert.fail('the RPC said nothing');
    const { url, apiKey } = client().sandbox;
    const rpc = rpcOf({ url, apiKey });
    const indexes = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    const { value } = await rpc.accounts({ addresses: indexes.map((index) => dlmmBinArray(address(pool), index)) });
    assert.deepEqual(
      existing,
      indexes.filter((_, place) => value[place] !== undefined),
    );
    assert.ok(existing.includes(Math.floor(range[2] / 70)) && existing.length < indexes.length);
  });

  it('The position panel shows the figures of the service and the events of the position', async () => {
    for (const listed of await client().opening()) {
      const { panel, heard } = await openPosition(listed.position);
      const { position, gone } = panel.told('position');
      const now =
        heard.answer(Opening, '/lp-positions/opening').data.find((record) => record.position === listed.position) ?? assert.fail();
      const view = position.data ?? assert.fail();
      assert.equal(gone, false);
      const fees = (name: string) => ({ usd: Number(now[name]), native: now[`${name}Native`] });
      assert.deepEqual(
        [
          view.pairName,
          view.inRange,
          view.pool,
          view.address,
          view.value,
          view.input,
          view.pnl,
          view.pnlPercent,
          view.collectedFee,
          view.uncollectedFee,
        ],
        [
          now.pairName,
          // A pool without bins has no range, whatever the service says.
          view.poolType === 'dammV2' ? undefined : now.inRange,
          now.pool,
          now.position,
          { usd: now.value, native: now.valueNative },
          { usd: now.inputValue, native: now['inputNative'] },
          { usd: now.pnl.value, native: now.pnl.valueNative },
          { usd: now.pnl.percent, native: now.pnl.percentNative },
          fees('collectedFee'),
          fees('unCollectedFee'),
        ],
      );
      assert.deepEqual(
        [view.x.amount, view.y.amount, view.x.uncollectedFee, view.y.uncollectedFee, view.x.priceUsd, view.y.priceUsd],
        [
          now.current.amount0Adjusted,
          now.current.amount1Adjusted,
          now['unCollectedFee0'],
          now['unCollectedFee1'],
          now['price0'],
          now['price1'],
        ],
      );
      const logs = heard.answer(Many, `/lp-positions/logs?position=${listed.position}`).data;
      const events = panel.told('events').events.data ?? [];
      assert.ok(events.length > 0);
      const inTurn = [...logs].sort((one, other) => atMs(other['timestamp']) - atMs(one['timestamp']));
      assert.deepEqual(
        events.map(({ action, atMs: at, amount0Raw, amount1Raw }) => [action, at, amount0Raw, amount1Raw]),
        inTurn.map((log) => [log['action'], atMs(log['timestamp']), log['amount0'], log['amount1']]),
      );
    }
  });

  it('The position panel has the prices of its pool from the candles of the service, up to now', async () => {
    const [listed] = await client().opening();
    const { panel } = await openPosition(listed?.position ?? assert.fail());
    await panel.until((told) => told.told('candles').candles.data !== undefined);
    const { x, y } = panel.told('position').position.data ?? assert.fail();
    const { data = [] } = panel.told('candles').candles;
    assert.ok(data.length > 0 && data.every(({ price }) => price > 0));
    const last = data.at(-1)?.price ?? NaN;
    assert.ok(Math.abs(last / ((x.priceUsd ?? NaN) / (y.priceUsd ?? NaN)) - 1) < 0.2, String(last));
  });

  it('The panel shows that a closed position is gone, with its result, and the pool panel drops its range', async () => {
    const { id, position, pool } = await client().positionInRange();
    const { panel, portfolio } = await openPosition(position);
    const poolPanel = await openPool(pool);
    assert.ok(poolPanel.panel.told('own').own.data?.some(({ key }) => key === position));
    const events = panel.told('events').events.data?.length ?? 0;
    landed(await client().landDecrease(await client().decrease(id, 10_000)));
    await Promise.all(
      [portfolio, poolPanel.portfolio].map((each) =>
        each.waitUntil(({ positions }) => positions.every(({ key }) => key !== position), { timeoutMs: 30_000, everyMs: 250 }),
      ),
    );
    await panel.until((told) => told.told('position').gone);
    assert.equal(panel.told('position').position.data?.key, position);
    await panel.until((told) => (told.told('events').events.data?.length ?? 0) > events);
    assert.ok(poolPanel.panel.told('own').own.data?.every(({ key }) => key !== position));
  });

  for (const [type, pairName, binStep] of [
    ['a DLMM position', 'BONQ/SOL', 100],
    ['a DAMM v2 position', undefined, undefined],
  ] as const) {
    it(`The position panel says of ${type} how the wallet has changed, to the lamport, from the transactions of its zap-in`, async () => {
      const damm = await client().get('/pools/discover', { pageSize: 50, type: 'meteora_damm_v2' });
      const pool =
        pairName === undefined
          ? z.string().parse(good(Many, damm).data.find((one) => String(one['pairName']).endsWith('/SOL'))?.['pool'])
          : (await client().pool(pairName, binStep)).pool;
      const active = pairName === undefined ? undefined : await client().activeBin(pool);
      const range = active === undefined ? {} : { fromBinId: active - 20, toBinId: active + 20 };
      const before = await client().balance(SOL);
      const built = await client().add(pool, { stratergy: 'Spot', inputSOL: 1.5, ...range });
      const position = address(built.meta.positionPubKey);
      const signed = client().sign([...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito]);
      landed(await client().landAdd(built));
      const spent = before - (await client().balance(SOL));
      const signatures = signed.map((text) => bs58.encode(parseTransaction(Buffer.from(text, 'base64')).signatures[0] ?? assert.fail()));
      const created = { ...zapInCreated(1), owner: address(client().sandbox.owner), pool: address(pool) };
      journal = [landedRecord({ ...created, poolType: pairName === undefined ? 'dammV2' : 'dlmm' }, position, signatures)];
      const { panel } = await openPosition(String(position));
      await panel.until((told) => told.told('earnings').earnings.data !== undefined);
      const earned = panel.told('earnings').earnings.data;
      assert.ok(earned?.known === true, JSON.stringify(earned));
      assert.equal(earned.transactions, signatures.length);
      const left = earned.leftovers.reduce((sum, { sol }) => sum + (sol ?? NaN), 0);
      assert.ok(Math.abs(earned.realSol - (earned.lockedSol + (earned.openSol ?? NaN) + left - Number(spent) / 1e9)) < 1e-9);
      const { costs, trading } = earned.lines;
      assert.ok(costs < 0 && costs > -0.02 && trading < 0 && trading > -0.05, JSON.stringify(earned));
    });
  }
});
