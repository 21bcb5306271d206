import type { Subscription } from '../../base/async/clock';
import { type Address, parseAddress } from '../../base/solana/address';
import { isSame } from '../../portfolio/snapshot';
import type { ForecastRecord } from '../../base/insight/forecasts';
import type { CounterRecordView, VolatilityView } from '../../protocol/outlook';
import {
  type ChartPeriod,
  FIRST_CHART_PERIOD,
  FIRST_LPERS,
  type LpersQuery,
  type OwnRange,
  type OwnTrade,
  type PlanFigures,
  type PoolToHost,
  type PoolToPanel,
} from '../../protocol/pool';
import type { Part } from '../../protocol/schemas';
import type { PoolInfo } from '../../service/poolInfo';
import type { Pool } from '../../service/pools';
import type { OpenPosition } from '../../service/positions';
import { describeError } from '../shell/log';
import { closingPrices } from '../../service/candles';
import { type CandlesRead, listedPool, poolReads, type RecordRead } from './poolReads';
import {
  isSameQuery,
  lpersPageOf,
  type LpersRead,
  ownRangesOf,
  ownTradesOf,
  poolViewOf,
  type RangesRead,
  type SortableLpersQuery,
  sortableQuery,
} from './poolView';
import type { Presenter, PresenterDependencies, PresenterMaker } from './presenter';
import { CANDLES_EVERY_MS, mapState, NOT_OFFERED, Query, type QuerySource, VOLATILITY_EVERY_MS } from './query';

/** Details change with every trade; the record is read as often as the tree's list of pools. The rest is read on demand. */
const INFO_EVERY_MS = 60_000;
const RECORD_EVERY_MS = 300_000;

type PartName = Extract<PoolToHost, { kind: 'retry' }>['part'];

/**
 * The presenter of a pool's panel.
 * @throws RangeError if the subject is not an address; callers check it before
 */
export const poolPresenter: PresenterMaker<PoolToPanel, PoolToHost> = (subject, dependencies, post) => {
  const pool = parseAddress(subject);
  if (pool === undefined) {
    throw new RangeError('A pool panel is about the address of a pool');
  }
  return new PoolPresenter(pool, dependencies, post);
};

class PoolPresenter implements Presenter<PoolToHost> {
  readonly #pool: Address;
  readonly #dependencies: PresenterDependencies;
  readonly #post: (message: PoolToPanel) => void;
  readonly #info: Query<PoolInfo>;
  readonly #record: Query<RecordRead>;
  readonly #lpers: Query<LpersRead>;
  readonly #ranges: Query<RangesRead>;
  readonly #planFigures: Query<PlanFigures>;
  readonly #candles: Query<CandlesRead>;
  readonly #closedTrades: Query<readonly OwnTrade[]>;
  readonly #volatility: Query<VolatilityView>;
  readonly #counterRecord: Query<CounterRecordView | undefined>;
  readonly #ownForecasts: Query<ForecastRecord | undefined>;
  readonly #readers: readonly Query<unknown>[];
  readonly #subscriptions: readonly Subscription[];
  #shown: Subscription | undefined;
  /** The panel is ready and receives changes. */
  #isReady = false;
  /** The first read of the details has ended; now the rest is read. */
  #isInfoRead = false;
  #query: SortableLpersQuery = FIRST_LPERS;
  #period = FIRST_CHART_PERIOD;
  #isRecordRequested = false;
  /** The positions in this pool when a plan was continued; `undefined`: no plan waits to become a position. */
  #heldBeforePlan: ReadonlySet<string> | undefined;
  /** Planning has started at least once. */
  #isPlanning = false;
  /** The wallet whose ranges in this pool are requested. */
  #lper: Address | undefined;
  #serviceId: string;
  #owner: Address | undefined;
  /** Last sent to the panel; and the wallet's positions here when they were last known. */
  #sentRecord: Pool | undefined;
  #sentOwn: Part<readonly OwnRange[]> | undefined;
  #sentTrades: readonly OwnTrade[] = [];
  #ownKeys: string | undefined;

  constructor(pool: Address, dependencies: PresenterDependencies, post: (message: PoolToPanel) => void) {
    this.#pool = pool;
    this.#dependencies = dependencies;
    this.#post = post;
    this.#serviceId = dependencies.serviceId();
    this.#owner = dependencies.portfolio.snapshot.owner;
    this.#ownKeys = this.#ownKeysNow();
    const { clock, log, busy, coordinator } = dependencies;
    const reads = poolReads(pool, dependencies, () => ({
      info: this.#info.part.data,
      query: this.#query,
      period: this.#period,
      lper: this.#lper,
      isRecordRequested: this.#isRecordRequested,
    }));
    const reader = <Data>(source: Pick<QuerySource<Data>, 'name' | 'read' | 'changed' | 'everyMs'>): Query<Data> =>
      new Query({ ...source, clock, log, scheduler: coordinator.scheduler });
    this.#info = reader({ name: 'the details of a pool', read: reads.info, changed: () => this.#infoChanged(), everyMs: INFO_EVERY_MS });
    this.#record = reader({ name: 'the record of a pool', read: reads.record, changed: () => this.#sendPool(), everyMs: RECORD_EVERY_MS });
    this.#lpers = reader({ name: 'the top LPers of a pool', read: reads.lpers, changed: () => this.#sendLpers() });
    this.#ranges = reader({ name: 'the ranges of an LPer', read: reads.ranges, changed: () => this.#sendRanges() });
    this.#planFigures = reader({ name: 'the figures for a plan', read: reads.planFigures, changed: () => this.#sendPlanFigures() });
    this.#candles = reader({
      name: 'the candles of a pool',
      read: reads.candles,
      changed: () => this.#sendPriceHistory(),
      everyMs: CANDLES_EVERY_MS,
    });
    this.#closedTrades = reader({ name: 'the closed positions in a pool', read: reads.closedTrades, changed: () => this.#sendOwnTrades() });
    this.#volatility = reader({
      name: 'the volatility of a pool',
      read: reads.volatility,
      changed: () => this.#sendVolatility(),
      everyMs: VOLATILITY_EVERY_MS,
    });
    this.#counterRecord = reader({
      name: 'the counters of a pool',
      read: reads.counterRecord,
      changed: () => this.#sendCounterRecord(),
      everyMs: VOLATILITY_EVERY_MS,
    });
    this.#ownForecasts = reader({
      name: 'the own forecasts',
      read: reads.ownForecasts,
      changed: () => this.#sendOwnForecasts(),
      everyMs: VOLATILITY_EVERY_MS,
    });
    const chart = [this.#candles, this.#closedTrades];
    const outlook = [this.#volatility, this.#counterRecord, this.#ownForecasts];
    this.#readers = [this.#info, this.#record, this.#lpers, this.#ranges, this.#planFigures, ...chart, ...outlook];
    this.#subscriptions = [
      dependencies.portfolio.onDidChange(() => this.#portfolioChanged()),
      dependencies.onDidChangeAmbient(() => this.#ambientChanged()),
      // An operation changes the balance once it has ended.
      busy.onDidChange((key) => {
        if (!busy.has(key)) {
          this.#planFigures.again();
        }
      }),
    ];
  }

  receive(message: PoolToHost): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        this.#sendAll();
        this.#info.want();
        if (this.#isInfoRead) {
          this.#wantRest();
        }
        return;
      case 'retry':
        void this.#retry(message.part);
        return;
      case 'lpers':
        this.#wantLpers(message.query);
        return;
      case 'lperRanges':
        this.#wantRanges(message.owner);
        return;
      case 'chartPeriod':
        this.#wantPeriod(message.period);
        return;
      case 'planFigures':
        this.#isPlanning = true;
        this.#planFigures.want();
        this.#wantOutlook();
        return;
      case 'continue':
        this.#heldBeforePlan = new Set(this.#ownPositions().map(({ key }) => key));
        void handlePoolRequest(message, this.#pool, this.#dependencies);
        return;
      case 'copyAddress':
      case 'watchAddress':
      case 'openPosition':
      case 'openInExplorer':
      case 'addTo':
      case 'remedy':
        void handlePoolRequest(message, this.#pool, this.#dependencies);
    }
  }

  setVisible(isVisible: boolean): void {
    this.#shown?.dispose();
    this.#shown = isVisible ? this.#dependencies.coordinator.show('positions') : undefined;
    this.#readers.forEach((reader) => reader.setVisible(isVisible));
  }

  dispose(): void {
    this.#isReady = false;
    this.#shown?.dispose();
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#readers.forEach((reader) => reader.dispose());
  }

  #infoChanged(): void {
    this.#sendPool();
    if (!this.#isInfoRead && this.#info.readAtMs !== undefined) {
      this.#isInfoRead = true;
      this.#wantRest();
    }
  }

  /** The details are read first so they arrive soonest; meanwhile the panel can say which LPers it wants. */
  #wantRest(): void {
    this.#record.want();
    this.#lpers.want();
    this.#wantChart();
  }

  /** Other services than our own have no candles, and are not asked. */
  #wantChart(): void {
    if (this.#isInfoRead && this.#dependencies.ambient().isOwnService) {
      this.#candles.want();
      this.#closedTrades.want();
    }
  }

  #wantPeriod(period: ChartPeriod): void {
    if (period === this.#period) {
      return;
    }
    this.#period = period;
    // Before the details are read, this is only what will be read.
    if (this.#isInfoRead && this.#dependencies.ambient().isOwnService) {
      void this.#candles.askAgain();
    }
  }

  #wantLpers(asked: LpersQuery): void {
    const query = sortableQuery(asked);
    if (query === undefined) {
      this.#dependencies.log('warn', `A pool panel requested LPers by an unknown column: ${asked.orderBy}`);
      return;
    }
    const isAnother = !isSameQuery(query, this.#query);
    this.#query = query;
    if (isAnother) {
      void this.#lpers.askAgain();
    } else {
      this.#lpers.want();
    }
  }

  #wantRanges(owner: string): void {
    const lper = parseAddress(owner);
    if (lper === undefined) {
      this.#dependencies.log('warn', 'A pool panel requested the ranges of an invalid address');
      return;
    }
    if (lper !== this.#lper) {
      this.#lper = lper;
      this.#ranges.forget();
      this.#sendRanges();
    }
    this.#ranges.want();
  }

  async #retry(part: PartName): Promise<void> {
    switch (part) {
      case 'pool':
        this.#isRecordRequested = true;
        await this.#info.ask();
        await this.#record.ask();
        this.#isRecordRequested = false;
        return;
      case 'own':
        return this.#dependencies.portfolio.refresh('manual', ['positions']);
      case 'lpers':
        return this.#lpers.ask();
      case 'lperRanges':
        return this.#lper === undefined ? undefined : this.#ranges.ask();
      case 'planFigures':
        return this.#planFigures.ask();
      case 'priceHistory':
        return this.#dependencies.ambient().isOwnService ? this.#candles.ask() : undefined;
      case 'volatility':
        return this.#volatility.ask();
    }
  }

  #portfolioChanged(): void {
    const { owner, positionsState } = this.#dependencies.portfolio.snapshot;
    if (positionsState.kind === 'idle') {
      // The wallet or service changed: its positions were neither opened nor closed.
      this.#ownKeys = undefined;
      this.#heldBeforePlan = undefined;
    }
    this.#checkOpened();
    if (owner !== this.#owner) {
      this.#owner = owner;
      this.#planFigures.forget();
      this.#ownForecasts.forget();
      this.#closedTrades.forget();
      this.#sendOwnTrades();
      this.#sendPlanFigures();
      this.#sendOwnForecasts();
      this.#sendLpers();
    }
    const ownKeys = this.#ownKeysNow();
    if (this.#ownKeys !== undefined && ownKeys !== undefined && ownKeys !== this.#ownKeys) {
      // The wallet has entered or left this pool: bins and balance have changed.
      this.#info.again();
      this.#planFigures.again();
      this.#closedTrades.again();
    }
    this.#ownKeys = ownKeys ?? this.#ownKeys;
    if (this.#recordNow().record !== this.#sentRecord) {
      this.#sendPool();
    }
    if (!isSame(this.#ownNow(), this.#sentOwn)) {
      this.#sendOwn();
    }
    if (!isSame(this.#ownTradesNow(), this.#sentTrades)) {
      this.#sendOwnTrades();
    }
  }

  #ambientChanged(): void {
    const serviceId = this.#dependencies.serviceId();
    if (serviceId !== this.#serviceId) {
      this.#serviceId = serviceId;
      this.#ownKeys = undefined;
      this.#lper = undefined;
      this.#ranges.leave();
      this.#candles.leave();
      this.#closedTrades.leave();
      this.#volatility.leave();
      this.#counterRecord.leave();
      this.#ownForecasts.leave();
      this.#readers.forEach((reader) => reader.forget());
      this.#wantChart();
      this.#wantOutlook();
    }
    this.#sendAll();
  }

  /** A continued plan is a position once the wallet has one more in this pool. */
  #checkOpened(): void {
    const held = this.#heldBeforePlan;
    const opened = held === undefined ? undefined : this.#ownPositions().find(({ key }) => !held.has(key));
    if (opened !== undefined) {
      this.#heldBeforePlan = undefined;
      const { key, value, inRange } = opened;
      this.#send({ kind: 'opened', opened: { key, value, inRange } });
    }
  }

  #ownPositions(): readonly OpenPosition[] {
    return this.#dependencies.portfolio.snapshot.positions.filter(({ pool }) => pool === this.#pool);
  }

  /** Identifies the wallet's positions in this pool; `undefined` while they are not known. */
  #ownKeysNow(): string | undefined {
    return this.#dependencies.portfolio.snapshot.positionsState.kind !== 'ready'
      ? undefined
      : this.#ownPositions()
          .map(({ key }) => key)
          .sort()
          .join(' ');
  }

  #ownNow(): Part<readonly OwnRange[]> {
    return ownRangesOf(this.#dependencies.portfolio.snapshot, this.#pool);
  }

  /** Those of open positions are in the tree's list, those of closed ones are read. */
  #ownTradesNow(): readonly OwnTrade[] {
    const trades = ownTradesOf(this.#ownPositions().flatMap(({ logs }) => logs.read().items));
    return [...trades, ...(this.#closedTrades.part.data ?? [])].sort((one, other) => one.atMs - other.atMs);
  }

  /** The newer of the two records of this pool: the tree's and the one that was searched for. */
  #recordNow(): { readonly record?: Pool | undefined; readonly asOfMs?: number | undefined } {
    const { data, asOfMs } = this.#record.part;
    const listed = listedPool(this.#dependencies.portfolio.snapshot, this.#pool);
    const isListedNewer = listed.pool !== undefined && (listed.asOfMs ?? -Infinity) > (asOfMs ?? -Infinity);
    // A read may return the listed record, which is as old as the list.
    return isListedNewer || data?.pool === undefined || data.pool === listed.pool
      ? { record: listed.pool, asOfMs: listed.asOfMs }
      : { record: data.pool, asOfMs };
  }

  #sendAll(): void {
    this.#send({ kind: 'ambient', ambient: this.#dependencies.ambient() });
    this.#sendPool();
    this.#sendOwn();
    this.#sendLpers();
    this.#sendRanges();
    this.#sendPlanFigures();
    this.#sendPriceHistory();
    this.#sendOwnTrades();
    this.#sendVolatility();
    this.#sendCounterRecord();
    this.#sendOwnForecasts();
  }

  #sendPool(): void {
    const { record, asOfMs } = this.#recordNow();
    this.#sentRecord = record;
    const { positions } = this.#dependencies.portfolio.snapshot;
    const name = record?.pairName ?? positions.find(({ pool }) => pool === this.#pool)?.pairName;
    this.#send({ kind: 'pool', pool: mapState(this.#info.part, (info) => poolViewOf(info, record, this.#pool, asOfMs)), name });
  }

  #sendOwn(): void {
    this.#sentOwn = this.#ownNow();
    this.#send({ kind: 'own', own: this.#sentOwn });
  }

  #sendPriceHistory(): void {
    const nowMs = this.#dependencies.clock.now();
    const part = this.#dependencies.ambient().isOwnService ? this.#candles.part : NOT_OFFERED;
    const priceHistory = mapState(part, ({ period, candles }) => candles && { period, prices: closingPrices(candles, nowMs) });
    this.#send({ kind: 'priceHistory', priceHistory });
  }

  #sendOwnTrades(): void {
    this.#sentTrades = this.#ownTradesNow();
    this.#send({ kind: 'ownTrades', ownTrades: this.#sentTrades });
  }

  #sendLpers(): void {
    this.#send({ kind: 'lpers', lpers: mapState(this.#lpers.part, (read) => lpersPageOf(read, this.#owner)) });
  }

  #sendRanges(): void {
    this.#send({ kind: 'lperRanges', lperRanges: this.#ranges.part });
  }

  #sendPlanFigures(): void {
    // The setting may have changed since the figures were read.
    const defaultSlippageBps = this.#dependencies.defaultSlippageBps();
    this.#send({ kind: 'planFigures', planFigures: mapState(this.#planFigures.part, (figures) => ({ ...figures, defaultSlippageBps })) });
  }

  /** Other services than our own have no counters, and are not asked. */
  #wantOutlook(): void {
    if (this.#isPlanning) {
      this.#volatility.want();
      this.#ownForecasts.want();
      if (this.#dependencies.ambient().isOwnService) {
        this.#counterRecord.want();
      }
    }
  }

  #sendVolatility(): void {
    this.#send({ kind: 'volatility', volatility: this.#volatility.part });
  }

  #sendCounterRecord(): void {
    const part = this.#dependencies.ambient().isOwnService ? this.#counterRecord.part : NOT_OFFERED;
    this.#send({ kind: 'counterRecord', counterRecord: mapState(part, (known) => known) });
  }

  #sendOwnForecasts(): void {
    this.#send({ kind: 'ownForecasts', ownForecasts: mapState(this.#ownForecasts.part, (known) => known) });
  }

  #send(message: PoolToPanel): void {
    if (this.#isReady) {
      this.#post(message);
    }
  }
}

/** Requests of a pool's panel that are handled elsewhere in the extension. */
type PoolRequest = Extract<
  PoolToHost,
  { kind: 'copyAddress' | 'watchAddress' | 'openPosition' | 'openInExplorer' | 'continue' | 'addTo' | 'remedy' }
>;

/** Handles a request. Whatever moves money is a command with its own prompts and confirmations. Failures are only logged: commands report their own. */
async function handlePoolRequest(
  request: PoolRequest,
  pool: Address,
  dependencies: Pick<PresenterDependencies, 'actions' | 'watch' | 'execute' | 'log'>,
): Promise<void> {
  try {
    await runPoolRequest(request, pool, dependencies);
  } catch (error) {
    dependencies.log('warn', `A request of a pool panel (${request.kind}) failed: ${describeError(error)}`);
  }
}

async function runPoolRequest(
  request: PoolRequest,
  pool: Address,
  { actions, watch, execute, log }: Pick<PresenterDependencies, 'actions' | 'watch' | 'execute' | 'log'>,
): Promise<void> {
  switch (request.kind) {
    case 'copyAddress':
    case 'watchAddress': {
      const address = parseAddress(request.address);
      if (address === undefined) {
        log('warn', `A pool panel sent an invalid address (${request.kind})`);
        return;
      }
      return request.kind === 'copyAddress' ? actions.copy(address) : watch(address);
    }
    case 'remedy':
      return execute(request.command);
    case 'openPosition':
      return execute('binsight.openPosition', { kind: 'position', key: request.key });
    case 'openInExplorer':
      return execute('binsight.openInExplorer', { kind: 'pool', pool: { address: pool } });
    case 'continue':
      return execute('binsight.continuePlan', { kind: 'plan', pool, plan: request.plan });
    case 'addTo':
      return execute('binsight.addLiquidity', { kind: 'plan', pool, plan: request.plan });
  }
}
