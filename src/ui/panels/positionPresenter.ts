import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { type Address, parseAddress } from '../../base/solana/address';
import { DAY_MS, MINUTE_MS } from '../../base/time';
import { isSame } from '../../portfolio/snapshot';
import type { OutlookData, PositionEvent, PositionOperation, PositionToHost, PositionToPanel, PositionView } from '../../protocol/position';
import type { EarningsView } from '../../protocol/earnings';
import type { OwnReplayView } from '../../protocol/outlook';
import type { Part, SeenPrice } from '../../protocol/schemas';
import { candlesSince, closingPrices, type PoolCandle } from '../../service/candles';
import { ServiceError } from '../../service/errors';
import { poolBinStep } from '../../service/poolInfo';
import type { PositionLog } from '../../service/positionLogs';
import { dailyReturnOf } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import { readVolatility } from '../../service/volatility';
import { worthOfRewards } from '../../service/rewards';
import type { ReadLogs } from '../../transactions/earnings/loggedFlows';
import type { CommandId } from '../../settings/generated/commandIds';
import { describeError } from '../shell/log';
import { earningsSubject, earningsView } from './earningsView';
import type { Presenter, PresenterDependencies, PresenterMaker } from './presenter';
import { CANDLES_EVERY_MS, mapState, NOT_OFFERED, Query, stateOfList, VOLATILITY_EVERY_MS } from './query';
import { poolViewOf } from './poolView';
import { readOwnReplay, unchangedSinceS } from './recordedFees';

type Action = Extract<PositionToHost, { kind: 'operate' | 'openPool' | 'openInExplorer' | 'copyAddress' | 'remedy' }>;

/** What it earned is read this often while the panel is visible: transactions that were read are not read again. */
const EARNINGS_EVERY_MS = 5 * MINUTE_MS;
/** Of a position of unknown age, prices of so long are shown; of a young one those of a day. */
const UNKNOWN_AGE_MS = 7 * DAY_MS;

/** Each has its own prompts and confirmations. */
const COMMANDS = {
  zapOut: 'binsight.zapOut',
  claim: 'binsight.claimFees',
  compound: 'binsight.compoundFees',
  add: 'binsight.addLiquidity',
  rebalance: 'binsight.rebalance',
} as const satisfies Record<PositionOperation, CommandId>;

/** The presenter of a position's panel; its subject is the position's key. */
export const positionPresenter: PresenterMaker<PositionToPanel, PositionToHost> = (subject, dependencies, post) =>
  new PositionPresenter(subject, dependencies, post);

class PositionPresenter implements Presenter<PositionToHost> {
  readonly #key: string;
  readonly #dependencies: PresenterDependencies;
  readonly #post: (message: PositionToPanel) => void;
  readonly #events: Query<readonly PositionLog[]>;
  readonly #candles: Query<readonly PoolCandle[] | undefined>;
  readonly #earnings: Query<EarningsView | undefined>;
  readonly #outlook: Query<OutlookData | undefined>;
  readonly #subscriptions: readonly Subscription[];
  #shown: Subscription | undefined;
  /** The panel is ready and receives changes. */
  #isReady = false;
  #serviceId: string;
  #owner: Address | undefined;
  /** The wallet for which the position was last listed by this service. */
  #listedFor: Address | undefined;
  /** The position as last listed by this service for this wallet. */
  #last: OpenPosition | undefined;
  /** Read since the panel was opened, ascending by time. */
  #prices: readonly SeenPrice[] = [];
  /** The user has asked to read all transactions. */
  #mayReadMany = false;
  #sentPosition: Extract<PositionToPanel, { kind: 'position' }> | undefined;

  constructor(key: string, dependencies: PresenterDependencies, post: (message: PositionToPanel) => void) {
    this.#key = key;
    this.#dependencies = dependencies;
    this.#post = post;
    this.#serviceId = dependencies.serviceId();
    this.#owner = dependencies.portfolio.snapshot.owner;
    this.#last = this.#listed();
    this.#listedFor = this.#last === undefined ? undefined : this.#owner;
    this.#notePrice();
    const { clock, log, coordinator } = dependencies;
    this.#events = new Query({
      name: 'the events of a position',
      // Only to be shown: nothing is computed from what is not read from the chain.
      read: (signal) => this.#readLogs(this.#address(), signal, this.#dependencies.ambient().isOwnService),
      changed: () => this.#sendEvents(),
      clock,
      log,
      scheduler: coordinator.scheduler,
    });
    this.#candles = new Query({
      name: 'the candles of a pool',
      read: (signal) => this.#readCandles(signal),
      changed: () => this.#sendCandles(),
      clock,
      log,
      scheduler: coordinator.scheduler,
      everyMs: CANDLES_EVERY_MS,
    });
    this.#earnings = new Query({
      name: 'what a position earned',
      read: (signal) => this.#readEarnings(signal),
      changed: () => this.#sendEarnings(),
      clock,
      log,
      scheduler: coordinator.scheduler,
      everyMs: EARNINGS_EVERY_MS,
    });
    this.#outlook = new Query({
      name: 'the pool and the volatility of a position',
      read: (signal) => this.#readOutlook(signal),
      changed: () => this.#sendOutlook(),
      clock,
      log,
      scheduler: coordinator.scheduler,
      everyMs: VOLATILITY_EVERY_MS,
    });
    this.#subscriptions = [
      dependencies.portfolio.onDidChange(() => this.#portfolioChanged()),
      dependencies.onDidChangeAmbient(() => this.#ambientChanged()),
      dependencies.busy.onDidChange((changed) => {
        if (changed === this.#key) {
          this.#busyChanged();
        }
      }),
    ];
  }

  receive(message: PositionToHost): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        this.#sendAll();
        this.#events.want();
        this.#wantMore();
        return;
      case 'retry':
        void this.#retry(message.part);
        return;
      case 'readTransactions':
        this.#mayReadMany = true;
        void this.#earnings.ask();
        return;
      case 'refresh':
        void Promise.all([this.#refresh(), this.#events.ask(), this.#earnings.ask()]);
        return;
      case 'operate':
      case 'openPool':
      case 'openInExplorer':
      case 'copyAddress':
      case 'remedy':
        void this.#run(message);
    }
  }

  setVisible(isVisible: boolean): void {
    this.#shown?.dispose();
    this.#shown = isVisible ? this.#dependencies.coordinator.show('positions') : undefined;
    this.#events.setVisible(isVisible);
    this.#candles.setVisible(isVisible);
    this.#earnings.setVisible(isVisible);
    this.#outlook.setVisible(isVisible);
  }

  dispose(): void {
    this.#isReady = false;
    this.#shown?.dispose();
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#events.dispose();
    this.#candles.dispose();
    this.#earnings.dispose();
    this.#outlook.dispose();
  }

  #retry(part: Extract<PositionToHost, { kind: 'retry' }>['part']): Promise<void> | undefined {
    switch (part) {
      case 'position':
        return this.#refresh();
      case 'events':
        return this.#events.ask();
      case 'earnings':
        return this.#earnings.ask();
      case 'outlook':
        return this.#last?.pool === undefined ? undefined : this.#outlook.ask();
    }
  }

  #refresh(): Promise<void> {
    return this.#dependencies.portfolio.refresh('manual', ['positions']);
  }

  /** Whatever moves money is a command with its own prompts and confirmations. */
  async #run(action: Action): Promise<void> {
    try {
      await this.#do(action);
    } catch (error) {
      this.#dependencies.log('warn', `A request of a position panel (${action.kind}) failed: ${describeError(error)}`);
    }
  }

  async #do(action: Action): Promise<void> {
    const { execute, actions, prompts, log } = this.#dependencies;
    const target = { kind: 'position', key: this.#key };
    switch (action.kind) {
      case 'remedy':
        return execute(action.command);
      case 'operate':
        if (this.#listed() === undefined) {
          await prompts.notify({ severity: 'info', message: l10n.t('This position is no longer listed. It may have been closed.') });
          return;
        }
        return execute(COMMANDS[action.operation], target);
      case 'openPool': {
        const address = this.#last?.pool;
        return execute('binsight.openPool', address === undefined ? target : { kind: 'pool', pool: { address } });
      }
      case 'openInExplorer': {
        const address = this.#address();
        // The command opens accounts as it opens pools.
        return execute(
          'binsight.openInExplorer',
          this.#listed() !== undefined || address === undefined ? target : { kind: 'pool', pool: { address } },
        );
      }
      case 'copyAddress': {
        const address = parseAddress(action.address);
        if (address === undefined) {
          log('warn', 'A position panel sent an invalid address (copyAddress)');
          return;
        }
        return actions.copy(address);
      }
    }
  }

  #portfolioChanged(): void {
    const { snapshot } = this.#dependencies.portfolio;
    if (snapshot.owner !== this.#owner || snapshot.positionsState.kind === 'idle') {
      // The wallet or service changed.
      this.#owner = snapshot.owner;
      this.#last = undefined;
    }
    const position = this.#listed();
    if (position !== undefined) {
      this.#listedFor = snapshot.owner;
      if (this.#last !== undefined && hasHappened(this.#last, position)) {
        this.#eventsChanged();
      }
      this.#last = position;
      this.#wantMore();
    } else if (this.#last !== undefined && this.#sentPosition?.gone === false && this.#isGone()) {
      // It was closed, which is an event.
      this.#eventsChanged();
    }
    if (this.#events.part.data?.some(({ isReported }) => isReported === true) === true) {
      // The chain's own take their place.
      this.#events.want();
    }
    if (this.#notePrice()) {
      this.#sendPrices();
    }
    this.#sendPosition(false);
  }

  #ambientChanged(): void {
    const serviceId = this.#dependencies.serviceId();
    if (serviceId !== this.#serviceId) {
      this.#serviceId = serviceId;
      this.#last = this.#listed();
      this.#listedFor = this.#last === undefined ? undefined : this.#dependencies.portfolio.snapshot.owner;
      this.#prices = [];
      this.#notePrice();
      this.#events.forget();
      this.#candles.leave();
      this.#earnings.leave();
      this.#outlook.leave();
      this.#wantMore();
    }
    this.#sendAll();
  }

  #busyChanged(): void {
    if (!this.#dependencies.busy.has(this.#key)) {
      this.#eventsChanged();
    }
    this.#sendPosition(false);
  }

  #eventsChanged(): void {
    this.#events.again();
    this.#earnings.again();
  }

  async #readEvents(signal: AbortSignal): Promise<readonly PositionLog[]> {
    return this.#readLogs(this.#address(), signal);
  }

  async #readLogs(address: Address | undefined, signal: AbortSignal, reported = false): Promise<readonly PositionLog[]> {
    if (address === undefined) {
      return this.#listedEvents();
    }
    const service = await this.#dependencies.connect();
    try {
      return (await service.positionLogs({ position: address, ...(reported ? { reported } : {}) }, { signal })).items;
    } catch (error) {
      // Not every service has this endpoint; the list of open positions may include the events.
      if (error instanceof ServiceError && error.kind === 'notFound' && this.#last !== undefined && address === this.#address()) {
        return this.#listedEvents();
      }
      throw error;
    }
  }

  /** Other services than our own have no chart of the past, and are not asked. Without the position its pool is not known. */
  #hasCandles(): boolean {
    return this.#last?.pool !== undefined && this.#dependencies.ambient().isOwnService;
  }

  #wantMore(): void {
    if (!this.#isReady || this.#last === undefined) {
      return;
    }
    this.#earnings.want();
    if (this.#hasCandles()) {
      this.#candles.want();
    }
    if (this.#last.pool !== undefined) {
      this.#outlook.want();
    }
  }

  async #readEarnings(signal: AbortSignal): Promise<EarningsView | undefined> {
    const { ambient, earnings } = this.#dependencies;
    const [position, owner] = [this.#last, this.#last?.owner ?? this.#listedFor];
    if (position === undefined || owner === undefined) {
      return undefined;
    }
    const subject = earningsSubject(position, { owner, isClosed: this.#isGone(), hasOwnHistory: ambient().isOwnService });
    if (typeof subject === 'string') {
      return earningsView({ known: false, why: subject }, position, undefined);
    }
    const readLogs: ReadLogs = async (address, aborted) => {
      try {
        return { items: await this.#readLogs(address, aborted) };
      } catch (error) {
        if (error instanceof ServiceError && error.kind === 'notFound') {
          return undefined;
        }
        throw error;
      }
    };
    return earningsView(await earnings.read(subject, readLogs, { signal, mayReadMany: this.#mayReadMany }), position, subject);
  }

  #sendEarnings(): void {
    this.#send({ kind: 'earnings', earnings: mapState(this.#earnings.part, (known) => known) });
  }

  async #readOutlook(signal: AbortSignal): Promise<OutlookData | undefined> {
    const { connect, clock, poolInfos } = this.#dependencies;
    const pool = this.#last?.pool;
    if (pool === undefined) {
      return undefined;
    }
    const service = await connect();
    const info = await poolInfos.recent(service, pool, signal);
    return {
      pool: poolViewOf(info, undefined, pool),
      volatility: await readVolatility(service, pool, poolBinStep(info), clock.now(), signal),
      earned: await this.#readEarned(service, signal),
    };
  }

  /** A failure takes away no more than this figure. */
  async #readEarned(service: LiquidityService, signal: AbortSignal): Promise<OwnReplayView | undefined> {
    const position = this.#last;
    const isCounted = position?.poolType === 'dlmm' && this.#dependencies.ambient().isOwnService;
    if (!isCounted || position.pool === undefined || position.address === undefined) {
      return undefined;
    }
    const { pool, address } = position;
    try {
      return await readOwnReplay(service, { pool, address }, unchangedSinceS(position, await this.#readEvents(signal)), signal);
    } catch (error) {
      this.#dependencies.log('warn', `The counters of a position were not read: ${describeError(error)}`);
      return { known: false, why: 'failed' };
    }
  }

  #sendOutlook(): void {
    const part = this.#last !== undefined && this.#last.pool === undefined ? NOT_OFFERED : this.#outlook.part;
    this.#send({ kind: 'outlook', outlook: mapState(part, (known) => known) });
  }

  async #readCandles(signal: AbortSignal): Promise<readonly PoolCandle[] | undefined> {
    const { connect, clock } = this.#dependencies;
    const { pool, createdAt } = this.#last ?? {};
    if (pool === undefined) {
      return undefined;
    }
    const nowMs = clock.now();
    const sinceMs = Math.min(createdAt?.getTime() ?? nowMs - UNKNOWN_AGE_MS, nowMs - DAY_MS);
    return (await connect()).candles(pool, candlesSince(sinceMs, nowMs), { signal });
  }

  #sendCandles(): void {
    const nowMs = this.#dependencies.clock.now();
    const part = this.#dependencies.ambient().isOwnService ? this.#candles.part : NOT_OFFERED;
    this.#send({ kind: 'candles', candles: mapState(part, (known) => known && closingPrices(known, nowMs)) });
  }

  #listedEvents(): readonly PositionLog[] {
    const listing = this.#last?.logs.read();
    for (const { path, message } of listing?.warnings ?? []) {
      this.#dependencies.log('debug', `Events of a listed position: ${path} ${message}`);
    }
    return listing?.items ?? [];
  }

  /** The position's address; if there is one, it is also the key. */
  #address(): Address | undefined {
    return this.#last?.address ?? parseAddress(this.#key);
  }

  #listed(): OpenPosition | undefined {
    return this.#dependencies.portfolio.snapshot.positions.find(({ key }) => key === this.#key);
  }

  /** Whether the list was read and does not contain the position. */
  #isGone(): boolean {
    const { positionsState } = this.#dependencies.portfolio.snapshot;
    return (positionsState.kind === 'ready' || positionsState.kind === 'stale') && this.#listed() === undefined;
  }

  #sendAll(): void {
    this.#send({ kind: 'ambient', ambient: this.#dependencies.ambient() });
    this.#sendPosition(true);
    this.#sendEvents();
    this.#sendPrices();
    this.#sendCandles();
    this.#sendEarnings();
    this.#sendOutlook();
  }

  /** @param isForced sends the position even if nothing changed */
  #sendPosition(isForced: boolean): void {
    const { snapshot } = this.#dependencies.portfolio;
    const position = this.#listed() ?? this.#last;
    const part: Part<OpenPosition | undefined> =
      snapshot.owner === undefined ? { status: 'ready' } : stateOfList(snapshot.positionsState, position);
    const shown = mapState(part, (known) =>
      known === undefined ? undefined : positionViewOf(known, this.#dependencies.busy.has(this.#key)),
    );
    const gone = snapshot.owner === undefined || this.#isGone();
    const otherWallet = gone && this.#listedFor !== snapshot.owner ? this.#listedFor : undefined;
    const message = { kind: 'position', position: shown, gone, ...(otherWallet === undefined ? {} : { otherWallet }) } as const;
    if (isForced || !isSame(message, this.#sentPosition)) {
      this.#sentPosition = message;
      this.#send(message);
    }
  }

  #sendEvents(): void {
    this.#send({ kind: 'events', events: mapState(this.#events.part, positionEventsOf) });
  }

  /** Keeps the price of the newest list. @returns whether it is new */
  #notePrice(): boolean {
    const { positionsState } = this.#dependencies.portfolio.snapshot;
    const position = this.#listed();
    const price = (position?.price0Usd ?? NaN) / (position?.price1Usd ?? NaN);
    if (positionsState.kind !== 'ready' || !Number.isFinite(price) || price <= 0) {
      return false;
    }
    const atMs = positionsState.asOf.getTime();
    if ((this.#prices.at(-1)?.atMs ?? -Infinity) >= atMs) {
      return false;
    }
    this.#prices = [...this.#prices, { atMs, price }].slice(-MOST_PRICES);
    return true;
  }

  #sendPrices(): void {
    this.#send({ kind: 'prices', prices: this.#prices });
  }

  #send(message: PositionToPanel): void {
    if (this.#isReady) {
      this.#post(message);
    }
  }
}

/** Whether something was deposited, withdrawn or claimed between two versions of a position. */
function hasHappened(before: OpenPosition, now: OpenPosition): boolean {
  return !isSame(
    [before.input, before.output, before.collectedFee, before.collectedReward],
    [now.input, now.output, now.collectedFee, now.collectedReward],
  );
}

/** Converts an open position to the panel's format. @param isBusy an operation on it is in progress */
function positionViewOf(position: OpenPosition, isBusy: boolean): PositionView {
  const { key, address, pool, pairName, poolType, strategy, lowerBinId, upperBinId, activeBinId, binStepBps, inRange, priceRangeUsd } =
    position;
  const { value, input, output, collectedFee, collectedReward, uncollectedFee, pnl, pnlPercent, aprPercent, ageHours } = position;
  const { uncollectedRewards: rewards } = position;
  return {
    key,
    address,
    pool,
    pairName,
    poolType,
    strategy,
    lowerBinId,
    upperBinId,
    activeBinId,
    binStepBps,
    inRange,
    priceRangeUsd,
    x: {
      address: position.token0.address,
      symbol: position.token0.symbol,
      amount: position.amount0,
      uncollectedFee: position.uncollectedFee0,
      priceUsd: position.price0Usd,
    },
    y: {
      address: position.token1.address,
      symbol: position.token1.symbol,
      amount: position.amount1,
      uncollectedFee: position.uncollectedFee1,
      priceUsd: position.price1Usd,
    },
    value,
    input,
    output,
    collectedFee,
    ...(position.isFeeEstimate === true ? { isFeeEstimate: true } : {}),
    collectedReward,
    uncollectedFee,
    uncollectedRewards:
      rewards === undefined
        ? undefined
        : { worth: worthOfRewards(rewards), tokens: rewards.map(({ token: { symbol }, amount }) => ({ symbol, amount })) },
    pnl,
    pnlPercent,
    dailyReturn: dailyReturnOf(position),
    aprPercent,
    ageHours,
    createdAtMs: position.createdAt?.getTime(),
    updatedAtMs: position.updatedAt?.getTime(),
    isBusy,
  };
}

/** Maximum number of prices that are kept: more points than this are not told apart in a chart. */
const MOST_PRICES = 1_000;

/** Maximum number of events: ten thousand would freeze the panel. */
const MOST_EVENTS = 2_000;

/** A position's events, newest first; events without a time come last. Of too many, the newest are kept. */
export function positionEventsOf(logs: readonly PositionLog[]): readonly PositionEvent[] {
  return logs
    .map(positionEvent)
    .sort((one, other) => (other.atMs ?? -Infinity) - (one.atMs ?? -Infinity) || 0)
    .slice(0, MOST_EVENTS);
}

function positionEvent({
  action,
  at,
  amount0,
  amount1,
  decimals0,
  decimals1,
  price0Usd,
  price1Usd,
  lowerBinId,
  upperBinId,
  bps,
  isReported,
}: PositionLog): PositionEvent {
  return {
    action,
    atMs: at?.getTime(),
    amount0Raw: amount0?.toString(),
    amount1Raw: amount1?.toString(),
    decimals0,
    decimals1,
    price0Usd,
    price1Usd,
    lowerBinId,
    upperBinId,
    bps,
    ...(isReported === true ? { isReported } : {}),
  };
}
