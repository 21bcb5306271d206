import * as l10n from '@vscode/l10n';
import { elapsedMs, type Subscription } from '../../../base/async/clock';
import { type Address, parseAddress } from '../../../base/solana/address';
import { inAttentionOrder } from '../../../portfolio/snapshot';
import type { PortfolioChange, PortfolioTotals } from '../../../portfolio/types';
import {
  type Earned,
  MOST_OPEN_ROWS,
  type OpenRow,
  type OpenTotals,
  type OverviewToHost,
  type OverviewToPanel,
  type PeriodView,
} from '../../../protocol/overview';
import { LOADING, type Part } from '../../../protocol/schemas';
import type { OpenPosition } from '../../../service/positions';
import type { RevenueRow } from '../../../service/service';
import { nameIn, positionNames } from '../../positions/positionList';
import { describeError } from '../../shell/log';
import type { Presenter, PresenterDependencies, PresenterMaker } from '../presenter';
import { LEAST_BETWEEN_READS_MS, mapState, Query, stateOfList } from '../query';
import { ClosedEarnings, closedReader } from './closedEarnings';
import { ClosedHistory } from './closedHistory';
import { earnedIn, type RevenueSpan, revenueSpanOf } from './days';
import { HistoryExport } from './historyExport';
import { OwnerReads } from './ownerReads';
import { ProtocolOverviews } from './protocolOverviews';

/** Closed positions are read again when one is closed here; this interval is for changes made elsewhere. */
const EVERY_MS = 300_000;

/** Daily revenue of one span. */
type EarnedReader = Query<readonly RevenueRow[]>;

/** The presenter of the overview panel. */
export const overviewPresenter: PresenterMaker<OverviewToPanel, OverviewToHost> = (_subject, dependencies, post) =>
  new OverviewPresenter(dependencies, post);

class OverviewPresenter implements Presenter<OverviewToHost> {
  readonly #dependencies: PresenterDependencies;
  readonly #post: (message: OverviewToPanel) => void;
  readonly #reads: OwnerReads;
  readonly #overview: ProtocolOverviews;
  readonly #earned: Readonly<Record<RevenueSpan, EarnedReader>>;
  readonly #history: ClosedHistory;
  readonly #historyEarnings: ClosedEarnings;
  readonly #export: HistoryExport;
  readonly #readers: readonly (Query<unknown> | ProtocolOverviews | ClosedHistory)[];
  readonly #subscriptions: readonly Subscription[];
  #shown: Subscription | undefined;
  #isReady = false;
  #isVisible = false;
  #period: PeriodView = 'ALL';
  /** The service and the wallet whose figures are shown. */
  #identity: string;
  /** Timer of the read after a position was closed. */
  #renewal: Subscription | undefined;

  constructor(dependencies: PresenterDependencies, post: (message: OverviewToPanel) => void) {
    const { clock, log, prompts, actions, portfolio, coordinator } = dependencies;
    this.#dependencies = dependencies;
    this.#post = post;
    this.#reads = new OwnerReads(dependencies);
    this.#identity = this.#reads.identity;
    const common = { clock, log, scheduler: coordinator.scheduler, everyMs: EVERY_MS };
    this.#overview = new ProtocolOverviews({
      ...common,
      reads: this.#reads,
      isDammV2Known: () => this.#isDammV2Known(),
      changed: () => this.#overviewChanged(),
    });
    const earned = (span: RevenueSpan): EarnedReader =>
      new Query({ ...common, name: 'the daily PnL', read: (signal) => this.#readEarned(span, signal), changed: () => this.#sendEarned() });
    this.#earned = { '7D': earned('7D'), '1M': earned('1M'), ALL: earned('ALL') };
    this.#history = new ClosedHistory({
      ...common,
      read: (range, signal) => this.#reads.closedPages(range, signal),
      changed: () => this.#historyChanged(),
      currency: () => dependencies.ambient().currency,
    });
    const readEarnings = closedReader({
      open: () => this.#reads.open(),
      earnings: dependencies.earnings,
      hasOwnHistory: () => dependencies.ambient().isOwnService,
      log,
    });
    this.#historyEarnings = new ClosedEarnings({
      ...common,
      read: readEarnings,
      positionOf: (key) => this.#history.positionOf(key),
      changed: () => this.#sendHistoryEarnings(),
    });
    this.#export = new HistoryExport({ clock, log, prompts, actions, readEarnings, changed: () => this.#sendExport() });
    this.#readers = [this.#overview, ...Object.values(this.#earned), this.#history];
    this.#subscriptions = [
      portfolio.onDidChange((change) => this.#portfolioChanged(change)),
      dependencies.onDidChangeAmbient(() => this.#ambientChanged()),
      dependencies.busy.onDidChange(() => this.#sendOpen()),
    ];
  }

  receive(message: OverviewToHost): void {
    switch (message.kind) {
      case 'ready':
        this.#begin(message);
        return;
      case 'retry':
        void this.#retry(message.part);
        return;
      case 'remedy':
        this.#run(() => this.#dependencies.execute(message.command));
        return;
      case 'refresh':
        this.#historyEarnings.again();
        void Promise.all([this.#overview.ask(), this.#earnedNow().ask(), this.#history.refresh(), this.#retry('open')]);
        return;
      case 'period':
        this.#showPeriod(message.period);
        return;
      case 'history':
        this.#history.setRange(message.range);
        return;
      case 'moreHistory':
        this.#history.more(message.all);
        return;
      case 'stopHistory':
        this.#history.stop();
        return;
      case 'historyRows':
        this.#history.show(message.request);
        return;
      case 'historyEarnings':
        this.#historyEarnings.want(message.keys);
        return;
      case 'export':
        this.#startExport(message);
        return;
      case 'cancelExport':
        this.#export.cancel();
        return;
      case 'openPool':
        this.#withAddress(message.pool, (address) => this.#dependencies.execute('binsight.openPool', { kind: 'pool', pool: { address } }));
        return;
      case 'copyAddress':
        this.#withAddress(message.address, (address) => this.#dependencies.actions.copy(address));
        return;
      case 'showPositions':
        this.#run(() => this.#dependencies.actions.focusPositions());
        return;
      case 'openPosition':
        this.#run(() => this.#dependencies.execute('binsight.openPosition', { kind: 'position', key: message.key }));
        return;
      case 'rebalance':
        this.#run(() => this.#dependencies.execute('binsight.rebalance', { kind: 'position', key: message.key }));
        return;
    }
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#shown?.dispose();
    this.#shown = isVisible ? this.#dependencies.coordinator.show('positions') : undefined;
    this.#overview.setVisible(isVisible);
    this.#history.setVisible(isVisible);
    this.#historyEarnings.setVisible(isVisible);
    this.#showEarned();
  }

  dispose(): void {
    this.#isReady = false;
    this.#shown?.dispose();
    this.#renewal?.dispose();
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#readers.forEach((reader) => reader.dispose());
    this.#historyEarnings.dispose();
    this.#export.dispose();
  }

  /** The page was loaded, for the first time or again. */
  #begin({ period, range, history }: Extract<OverviewToHost, { kind: 'ready' }>): void {
    this.#isReady = false;
    this.#history.setRange(range);
    this.#history.show(history);
    this.#period = period;
    this.#isReady = true;
    this.#sendAll();
    this.#overview.want();
    this.#showEarned();
    this.#history.want();
  }

  #showPeriod(period: PeriodView): void {
    this.#period = period;
    this.#showEarned();
    this.#sendEarned();
  }

  /** Reads only the span that the period needs. */
  #showEarned(): void {
    const shown = this.#earnedNow();
    for (const reader of Object.values(this.#earned)) {
      reader.setVisible(this.#isVisible && reader === shown);
    }
    if (this.#isReady) {
      shown.want();
    }
  }

  #earnedNow(): EarnedReader {
    return this.#earned[revenueSpanOf(this.#period)];
  }

  async #retry(part: Extract<OverviewToHost, { kind: 'retry' }>['part']): Promise<void> {
    switch (part) {
      case 'overview':
        return this.#overview.retry();
      case 'open':
        // Without a wallet this part has the overview's state.
        return this.#dependencies.portfolio.snapshot.owner === undefined
          ? this.#overview.ask()
          : this.#dependencies.portfolio.refresh('manual', ['positions']);
      case 'earned':
        return this.#earnedNow().ask();
      case 'history':
        return this.#history.retry();
    }
  }

  #startExport({ format, range }: Extract<OverviewToHost, { kind: 'export' }>): void {
    const isOurs = this.#reads.guard();
    void this.#export.run({
      format,
      range,
      pages: this.#history.pagesOf(range),
      read: (signal) => this.#reads.closedPages(range, signal, isOurs),
    });
  }

  #withAddress(text: string, work: (address: Address) => Promise<void>): void {
    const address = parseAddress(text);
    if (address === undefined) {
      this.#dependencies.log('warn', 'The overview panel sent an invalid address');
      return;
    }
    this.#run(() => work(address));
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#dependencies.log('warn', `A request of the overview panel failed: ${describeError(error)}`));
  }

  #isDammV2Known(): boolean {
    const { positions } = this.#dependencies.portfolio.snapshot;
    return this.#history.hasDammV2 || positions.some(({ poolType }) => poolType === 'dammV2');
  }

  async #readEarned(span: RevenueSpan, signal: AbortSignal): Promise<readonly RevenueRow[]> {
    const protocols = await this.#overview.protocols();
    signal.throwIfAborted();
    const { service, owner } = await this.#reads.open();
    const { items } = await service.revenue({ owner, period: 'day', ...(span === 'ALL' ? {} : { range: span }), protocols }, { signal });
    return items;
  }

  #overviewChanged(): void {
    this.#sendOverview();
    // Without a wallet the open positions have the overview's state.
    this.#sendOpen();
  }

  #portfolioChanged({ snapshot, positions }: PortfolioChange): void {
    this.#checkIdentity();
    this.#overview.listsChanged();
    this.#sendOpen();
    if (positions.removed.length > 0 && snapshot.positionsState.kind === 'ready') {
      this.#renewSoon();
    }
  }

  /** After a position was closed: reads everything about closed positions again, at most once a minute. */
  #renewSoon(): void {
    const { clock } = this.#dependencies;
    const waitMs = LEAST_BETWEEN_READS_MS - elapsedMs(this.#overview.readAtMs ?? Number.NEGATIVE_INFINITY, clock.now());
    this.#renewal ??= clock.after(Math.max(0, waitMs), () => {
      this.#renewal = undefined;
      this.#readers.forEach((reader) => reader.again());
      this.#historyEarnings.again();
    });
  }

  #ambientChanged(): void {
    this.#checkIdentity();
    this.#history.currencyChanged();
    this.#sendAll();
  }

  /** If the service or the wallet changed, drops all data. */
  #checkIdentity(): void {
    const { identity } = this.#reads;
    if (identity !== this.#identity) {
      this.#identity = identity;
      this.#export.giveUp(l10n.t('The wallet or service has changed.'));
      this.#readers.forEach((reader) => reader.forget());
      this.#historyEarnings.forget();
      this.#sendAll();
    }
  }

  #sendAll(): void {
    this.#send({ kind: 'ambient', ambient: this.#dependencies.ambient() });
    this.#sendOverview();
    this.#sendOpen();
    this.#sendEarned();
    this.#sendHistory();
    this.#sendExport();
    this.#sendHistoryEarnings();
  }

  #sendOverview(): void {
    this.#send({ kind: 'overview', overview: mapState(this.#overview.part, ({ overview }) => overview) });
  }

  #sendOpen(): void {
    this.#send({ kind: 'open', open: this.#openPart() });
  }

  #openPart(): Part<OpenTotals> {
    const { busy, portfolio } = this.#dependencies;
    const { owner, positions, positionsState, totals } = portfolio.snapshot;
    if (owner === undefined) {
      const { status, words, remedies } = this.#overview.part;
      return status === 'failed' ? { status, words, remedies } : LOADING;
    }
    return stateOfList(positionsState, { ...openTotalsOf(totals), rows: openRowsOf(positions, (key) => busy.has(key)) });
  }

  #sendEarned(): void {
    const earned: Part<readonly Earned[]> = mapState(this.#earnedNow().part, (rows) =>
      earnedIn(rows, this.#period, this.#dependencies.clock.now()),
    );
    this.#send({ kind: 'earned', period: this.#period, earned });
  }

  #historyChanged(): void {
    this.#sendHistory();
    if (this.#historyEarnings.rows.length > 0) {
      // Other positions are found: their sums differ.
      this.#sendHistoryEarnings();
    }
  }

  #sendHistory(): void {
    this.#send({ kind: 'history', history: this.#history.part() });
  }

  #sendHistoryEarnings(): void {
    const sums = this.#historyEarnings.sums((key) => this.#history.finds(key));
    this.#send({ kind: 'historyEarnings', earned: this.#historyEarnings.rows, sums });
  }

  #sendExport(): void {
    this.#send({ kind: 'export', progress: this.#export.progress });
  }

  #send(message: OverviewToPanel): void {
    if (this.#isReady) {
      this.#post(message);
    }
  }
}

/** The rows that need attention first, under the names that they have in the sidebar. */
function openRowsOf(positions: readonly OpenPosition[], isBusy: (key: string) => boolean): readonly OpenRow[] {
  const names = positionNames(positions);
  return inAttentionOrder(positions)
    .slice(0, MOST_OPEN_ROWS)
    .map((position) => {
      const { key, poolType, lowerBinId, upperBinId, activeBinId, binStepBps, inRange, priceRangeUsd } = position;
      const { value, pnl, pnlPercent, uncollectedFee } = position;
      const range = { lowerBinId, upperBinId, activeBinId, binStepBps, inRange, priceRangeUsd };
      return { key, name: nameIn(names, position), poolType, ...range, value, pnl, pnlPercent, uncollectedFee, isBusy: isBusy(key) };
    });
}

/** Totals of the open positions, the same as in the status bar. */
function openTotalsOf(totals: PortfolioTotals): Omit<OpenTotals, 'rows'> {
  return {
    count: totals.count,
    outOfRange: totals.outOfRange,
    value: { usd: totals.valueUsd, native: totals.valueNative },
    pnl: { usd: totals.pnlUsd, native: totals.pnlNative },
    pnlPercent: { usd: totals.pnlPercent, native: totals.pnlPercentNative },
    uncollectedFee: { usd: totals.uncollectedFeeUsd, native: totals.uncollectedFeeNative },
    leftOut: totals.leftOut,
  };
}
