import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock, Subscription } from '../base/async/clock';
import { DisposableStore } from '../base/async/disposables';
import { counted } from '../base/format/counted';
import { displayLocale, WarmLocale } from '../base/format/locale';
import { age } from '../base/format/time';
import type { OperationKind } from '../base/operationKinds';
import { HOUR_MS, MINUTE_MS } from '../base/time';
import type { RefreshCoordinator } from '../portfolio/coordinator';
import type { ListState, PortfolioReader } from '../portfolio/types';
import type { Pool } from '../service/pools';
import type { OpenPosition } from '../service/positions';
import type { Activity } from './activity/activity';
import { ActivityTree, type OperationTooltip } from './activity/activityTree';
import { unconfirmedBadge } from './activity/operationRows';
import { limitSentence, type ServiceConnection } from './connection/connection';
import type { IndexWatch } from './connection/indexWatch';
import type { PoolQuery } from './pools/poolQuery';
import { PoolsDrag } from './pools/poolsDrag';
import { poolOrderName } from './pools/poolRow';
import { PoolsTree } from './pools/poolsTree';
import { filterName } from './positions/positionRows';
import type { PositionListControl } from './positions/positionListControl';
import { PositionsTree } from './positions/positionsTree';
import type { SandboxProcess } from './connection/sandboxProcess';
import type { SandboxPlay } from './sandbox/sandboxPlay';
import type { Session } from './session';
import type { BusyPositions } from './shell/busyPositions';
import type { CommandId } from '../settings/generated/commandIds';
import type { Lineages } from './shell/lineages';
import { CONTEXT, VIEW } from './shell/names';
import type { Settings } from './shell/settings/settings';
import type { ProblemInViews, WindowProblems } from './shell/windowProblem';
import { joined } from './shell/views/rows';
import { remediesOf } from './shell/views/remedies';
import { RemedyTree } from './shell/views/remedyTree';
import { markdownTooltip, RowColors } from './shell/views/treeItems';
import { setMessage } from './shell/views/viewMessages';
import { activityViewState, isLimited, problemOf, viewDescription, type ViewFacts, viewMessage, viewState } from './shell/views/viewState';
import { isOwnService } from './shell/serviceChoice';
import { type StatusBarModel, statusBarModel } from './statusBar';
import type { OtherPositionNode, WalletGroupNode } from './walletGroups/walletGroupRows';
import { keyDescription } from './wallets/keyMessages';
import type { Owners } from './wallets/owners';

export interface ViewControllerDependencies {
  readonly portfolio: PortfolioReader;
  readonly coordinator: RefreshCoordinator;
  readonly connection: ServiceConnection;
  readonly owners: Owners;
  readonly poolQuery: PoolQuery;
  readonly positionList: PositionListControl;
  readonly settings: Settings;
  readonly busy: BusyPositions;
  readonly lineages: Pick<Lineages, 'since' | 'onDidChange'>;
  readonly activity: Activity;
  readonly clock: Clock;
  /** How far the local service has read the history of the wallet. */
  readonly history: IndexWatch;
  readonly problems: WindowProblems;
  readonly problemInViews: ProblemInViews;
  readonly session: Pick<Session, 'isAsleep' | 'wake'>;
  readonly sandbox: Pick<SandboxProcess, 'onDidChange'>;
  readonly play: Pick<SandboxPlay, 'fault' | 'hasMovedPrice' | 'onDidChange'>;
  /** Loads the tooltips of tree items. */
  readonly tooltips: () => Promise<Tooltips>;
}

interface Tooltips {
  positionTooltip(position: OpenPosition, lineages: Pick<Lineages, 'since'>): string;
  poolTooltip(pool: Pool): string;
  operationTooltip(...shown: Parameters<OperationTooltip>): string;
}

/** Update interval of the countdown while the request limit is reached, and shortest one of the number of requests. */
const COUNTDOWN_MS = 5_000;
/** Intervals after which the status bar says how old its figures are. */
const OLD_AFTER = 3;
const ON_CLICK: CommandId = 'binsight.openOverview';

/** Updates the views and the status bar item from one snapshot. */
export class ViewController implements vscode.Disposable {
  readonly positions: PositionsTree;
  readonly pools: PoolsTree;
  readonly activity: ActivityTree;
  /** What the views show while a failure keeps them empty. */
  readonly positionsHelp: RemedyTree<ReturnType<PositionsTree['getChildren']>[number] | WalletGroupNode | OtherPositionNode>;
  readonly poolsHelp: RemedyTree<ReturnType<PoolsTree['getChildren']>[number]>;
  readonly statusBar = new StatusBarItem();
  readonly contextKeys = new ContextKeys();
  /** Favorites are ordered by dragging their rows. */
  readonly favoritesDrag = new PoolsDrag();
  readonly positionsView: vscode.TreeView<{ readonly kind: string }>;
  readonly poolsView: vscode.TreeView<unknown>;
  readonly activityView: vscode.TreeView<unknown>;
  readonly #disposables = new DisposableStore();
  /** Held while the pools are visible: the coordinator then keeps them up to date. */
  #poolsDemand: Subscription | undefined;
  #positionsDemand: Subscription | undefined;
  #countdown: Subscription | undefined;
  #aging: Subscription | undefined;
  /** The status bar is written with every change. */
  readonly #locale = new WarmLocale(displayLocale());

  readonly #dependencies: ViewControllerDependencies;

  constructor(dependencies: ViewControllerDependencies) {
    this.#dependencies = dependencies;

    const { portfolio, connection, owners, poolQuery, positionList, settings, coordinator, activity, history, lineages, tooltips } =
      dependencies;
    this.positions = new PositionsTree(
      portfolio,
      positionList,
      dependencies.busy,
      async (position) => (await tooltips()).positionTooltip(position, lineages),
      lineages,
    );
    this.pools = new PoolsTree(
      portfolio,
      () => poolQuery.order.sortBy,
      async (pool) => (await tooltips()).poolTooltip(pool),
    );
    this.activity = new ActivityTree(activity, async (...shown) => (await tooltips()).operationTooltip(...shown));
    this.positionsHelp = new RemedyTree(this.positions);
    this.poolsHelp = new RemedyTree(this.pools);
    this.positionsView = vscode.window.createTreeView(VIEW.positions, { treeDataProvider: this.positionsHelp, canSelectMany: true });
    this.poolsView = vscode.window.createTreeView(VIEW.pools, {
      treeDataProvider: this.poolsHelp,
      dragAndDropController: this.favoritesDrag,
    });
    this.activityView = vscode.window.createTreeView(VIEW.activity, { treeDataProvider: this.activity });
    const render = () => this.#render();
    this.#disposables.add(
      this.positionsView,
      this.poolsView,
      this.activityView,
      this.positionsHelp,
      this.poolsHelp,
      this.positions,
      this.pools,
      this.activity,
      this.statusBar,
      portfolio.onDidChange(render),
      portfolio.onDidChange(() => this.activity.positionsChanged()),
      connection.onDidChange(render),
      connection.onDidChangeStatus(render),
      connection.onDidChangeBudget(render),
      owners.onDidChange(render),
      vscode.window.registerFileDecorationProvider(new RowColors()),
      poolQuery.onDidChange(render),
      positionList.onDidChange(render),
      settings.onDidChange(['binsight.currency', 'binsight.statusBar.template'], render),
      activity.onDidChange(render),
      history.onDidChange(render),
      dependencies.problemInViews.onDidChange(render),
      ...Object.entries({ [VIEW.positions]: this.positionsView, [VIEW.pools]: this.poolsView }).map(([id, view]) => {
        dependencies.problemInViews.setVisible(id, view.visible);
        return view.onDidChangeVisibility(({ visible }) => dependencies.problemInViews.setVisible(id, visible));
      }),
      dependencies.play.onDidChange(render),
      lineages.onDidChange(render),
      dependencies.sandbox.onDidChange(render),
      this.positionsView.onDidCollapseElement(({ element }) => this.positions.collapsed(element)),
      this.positionsView.onDidExpandElement(({ element }) => this.positions.expanded(element)),
      this.activityView.onDidChangeVisibility(({ visible }) => this.#demandActivity(visible)),
      this.poolsView.onDidChangeVisibility(({ visible }) => this.#demandPools(visible)),
      ...[this.positionsView, this.poolsView].map(({ onDidChangeVisibility }) =>
        onDidChangeVisibility(({ visible }) => (visible ? dependencies.session.wake() : undefined)),
      ),
      // The status bar item shows the totals of the positions even if their view is closed.
      coordinator.showSmall('positions'),
      this.positionsView.onDidChangeVisibility(() => this.#demandPositions()),
      { dispose: () => this.#positionsDemand?.dispose() },
      { dispose: () => this.#poolsDemand?.dispose() },
      { dispose: () => this.#countdown?.dispose() },
      { dispose: () => this.#aging?.dispose() },
    );
    this.#demandPositions();
    this.#demandPools(this.poolsView.visible);
    this.#demandActivity(this.activityView.visible);
    this.#render();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #demandPositions(): void {
    this.#positionsDemand?.dispose();
    this.#positionsDemand = this.positionsView.visible ? this.#dependencies.coordinator.show('positions') : undefined;
  }

  #demandPools(isShown: boolean): void {
    if (isShown) {
      this.#poolsDemand ??= this.#dependencies.coordinator.show('pools');
    } else {
      this.#poolsDemand?.dispose();
      this.#poolsDemand = undefined;
    }
  }

  /** Reads the journal when its view is first opened. Afterwards the journal reports its own changes. */
  #demandActivity(isShown: boolean): void {
    const { activity } = this.#dependencies;
    if (isShown && activity.state.kind !== 'ready') {
      void activity.refresh();
    }
  }

  #render(): void {
    const {
      portfolio,
      connection,
      owners,
      poolQuery,
      positionList,
      settings,
      activity,
      history,
      problems,
      problemInViews,
      play,
      lineages,
    } = this.#dependencies;
    const problem = problems.current;
    const { choice, status } = connection;
    const { snapshot } = portfolio;
    const search = poolQuery.shown;
    const owner = owners.active(choice);
    const isSandbox = choice.kind === 'sandbox';
    const isWatchedOnly = owner !== undefined && !owner.canSign;
    const positions: ViewFacts = {
      choice,
      connection: status,
      ownerMissing: owner === undefined,
      list: snapshot.positionsState,
      count: snapshot.positions.length,
    };
    const pools: ViewFacts = { choice, connection: status, ownerMissing: false, list: snapshot.poolsState, count: snapshot.pools.length };

    const limit = this.#limitText([snapshot.positionsState, snapshot.poolsState]);

    this.contextKeys.set(CONTEXT.positionsState, viewState(positions));
    this.contextKeys.set(CONTEXT.poolsState, viewState(pools));
    // What helps a service does not help a window.
    this.positionsHelp.show(problem === undefined ? remediesOf(viewState(positions)) : []);
    this.poolsHelp.show(problem === undefined ? remediesOf(viewState(pools)) : []);
    this.contextKeys.set(CONTEXT.activityState, activityViewState(activity.state));
    this.contextKeys.set(CONTEXT.isSandbox, isSandbox);
    this.contextKeys.set(CONTEXT.isOwnService, isOwnService(choice));
    this.contextKeys.set(CONTEXT.isWatchedOnly, isWatchedOnly);
    this.contextKeys.set(
      CONTEXT.hasPassphrase,
      owners.known(choice).some(({ hasPassphrase }) => hasPassphrase),
    );
    this.#setDone(isSandbox);
    this.contextKeys.set(CONTEXT.poolsNarrowed, search.text !== undefined || search.filterText !== undefined);
    const { filter } = positionList.options;

    this.positionsView.description = viewDescription({
      choice,
      list: snapshot.positionsState,
      isWatchedOnly,
      played: isSandbox ? play.fault : undefined,
      filter: filterName(filter),
      walletName: owner?.name,
    });
    setMessage(
      this.positionsView,
      problemInViews.messageIn(VIEW.positions) ??
        viewMessage(positions, limit, history.textFor(snapshot.owner)) ??
        reasonOf(positions) ??
        (snapshot.positions.length > 0 && this.positions.list.positions.length === 0 && positionList.options.groupBy !== 'wallet'
          ? l10n.t('No position matches the filter.')
          : undefined),
    );
    this.positionsView.badge = badge(snapshot.totals.outOfRange);
    this.poolsView.description = joined([search.text === undefined ? undefined : `“${search.text}”`, poolOrderName(poolQuery.order)]);
    setMessage(this.poolsView, this.#poolsMessage(problemInViews.messageIn(VIEW.pools) ?? viewMessage(pools, limit) ?? reasonOf(pools)));

    const unsettled = unconfirmedBadge(activity.records, activity.left);
    this.activityView.badge = unsettled;

    this.statusBar.show(
      statusBarModel(
        {
          snapshot,
          since: lineages.since(snapshot.positions),
          view: viewState(positions),
          isAsleep: this.#dependencies.session.isAsleep,
          problem: problemOf(positions),
          windowProblem: problem,
          limit,
          usage: connection.budget?.usage,
          serviceName: choice.name,
          isSandbox,
          walletName: owner?.name,
          keyState: owner === undefined ? undefined : keyDescription(owner, owners.lockOf(owner)),
          currency: settings.get('binsight.currency'),
          template: settings.get('binsight.statusBar.template'),
          needsUser: unsettled?.tooltip,
          age: this.#ageText(snapshot.positionsState),
        },
        this.#locale,
      ),
    );
  }

  /** What the steps of the walkthrough wait for. VS Code remembers the completed ones. */
  #setDone(isSandbox: boolean): void {
    const { connection, owners, activity, play } = this.#dependencies;
    const { choice, status } = connection;
    const records = activity.state.kind === 'ready' ? activity.state.records : [];
    const hasSettled = (kind: OperationKind) => records.some(({ created, state }) => created.operation === kind && state === 'settled');
    this.contextKeys.set(CONTEXT.hasMovedPrice, play.hasMovedPrice);
    this.contextKeys.set(CONTEXT.hasRebalanced, hasSettled('rebalance'));
    this.contextKeys.set(CONTEXT.hasClaimed, hasSettled('claim'));
    this.contextKeys.set(
      CONTEXT.hasRefused,
      records.some(({ state, reason }) => state === 'abandoned' && reason?.code === 'blocked'),
    );
    this.contextKeys.set(CONTEXT.isConnected, !isSandbox && status.kind === 'open');
    this.contextKeys.set(
      CONTEXT.hasOwnKey,
      owners.known(choice).some(({ canSign, origin }) => canSign && origin !== 'sandbox'),
    );
  }

  /** How old the positions are, once they are older than {@link OLD_AFTER} intervals: something kept them from being read. */
  #ageText(list: ListState): string | undefined {
    const { clock, coordinator } = this.#dependencies;
    this.#aging?.dispose();
    this.#aging = undefined;
    if (list.kind !== 'ready' && list.kind !== 'stale') {
      return undefined;
    }
    const ageMs = clock.now() - list.asOf.getTime();
    const oldAfterMs = OLD_AFTER * coordinator.intervalMs('positions');
    const isOld = ageMs >= oldAfterMs;
    const nextMs = isOld ? MINUTE_MS : oldAfterMs - ageMs;
    if (Number.isFinite(nextMs)) {
      this.#aging = clock.after(nextMs, () => this.#render());
    }
    return isOld ? age(ageMs / HOUR_MS, this.#locale) : undefined;
  }

  /** @param message that of all views */
  #poolsMessage(message: string | undefined): string | undefined {
    const { portfolio, poolQuery } = this.#dependencies;
    const { pools, poolsState } = portfolio.snapshot;
    const { filterText } = poolQuery.shown;
    if (pools.length === 0 && !this.pools.hasRowsAround) {
      return message;
    }
    // The favorites hide the welcome text.
    const loading = pools.length === 0 && poolsState.kind === 'loading' ? l10n.t('Loading pools…') : undefined;
    return joined([message ?? loading, filterText === undefined ? undefined : l10n.t`Filters: ${filterText}`]) || undefined;
  }

  /** Returns a countdown to the next update while the service's request limit is reached. */
  #limitText(lists: readonly ListState[]): string | undefined {
    const {
      connection: { budget },
      clock,
    } = this.#dependencies;
    this.#countdown?.dispose();
    this.#countdown = undefined;
    const wasRefused = lists.some((list) => (list.kind === 'stale' || list.kind === 'failed') && isLimited(list.error));
    const waitMs =
      budget === undefined ? 0 : budget.pause !== undefined ? budget.pause.untilMs - clock.now() : wasRefused ? budget.waitMs('poll') : 0;
    // The number of requests of the last minute falls again.
    const nextMs = waitMs > 0 ? Math.min(COUNTDOWN_MS, waitMs) : Math.max(COUNTDOWN_MS, budget?.usageEndsInMs ?? Infinity);
    this.#countdown = nextMs === Infinity ? undefined : clock.after(nextMs, () => this.#render());
    return waitMs > 0 ? limitSentence(waitMs) : undefined;
  }
}

/** The status bar item of the portfolio. Users can hide it by its name in VS Code's status bar menu. */
class StatusBarItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  #shown: StatusBarModel | undefined;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('binsight.pnl', vscode.StatusBarAlignment.Left);
    this.#item.name = l10n.t('Binsight: PnL of Open Positions');
  }

  /** The model that is shown; `undefined` before the first one. */
  get model(): StatusBarModel | undefined {
    return this.#shown;
  }

  /** Shows a model. Writes only what differs from the previous one. */
  show(model: StatusBarModel): void {
    const before = this.#shown;
    this.#shown = model;
    if (before?.text !== model.text) {
      this.#item.text = model.text;
    }
    if (before?.tooltip !== model.tooltip) {
      this.#item.tooltip = markdownTooltip(model.tooltip);
    }
    if (before?.spoken !== model.spoken) {
      this.#item.accessibilityInformation = { label: model.spoken, role: 'button' };
    }
    if (before?.warns !== model.warns) {
      this.#item.backgroundColor = model.warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    }
    this.#item.command = model.command ?? ON_CLICK;
    if (before === undefined) {
      this.#item.show();
    }
  }

  dispose(): void {
    this.#item.dispose();
  }
}

type ContextKey = (typeof CONTEXT)[keyof typeof CONTEXT];

/** Sets context keys for `when` clauses. No other code sets them. */
class ContextKeys {
  readonly #values = new Map<ContextKey, string | boolean>();

  /** Returns the value that was set last. */
  get(key: ContextKey): string | boolean | undefined {
    return this.#values.get(key);
  }

  /** Sets a key if its value changes. */
  set(key: ContextKey, value: string | boolean): void {
    if (this.#values.get(key) !== value) {
      this.#values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}

/** Why an empty view could not be read, where its welcome text doesn't say so. */
function reasonOf(facts: ViewFacts): string | undefined {
  return remediesOf(viewState(facts)).length === 0 ? undefined : problemOf(facts);
}

function badge(outOfRange: number): vscode.ViewBadge | undefined {
  return outOfRange === 0 ? undefined : { value: outOfRange, tooltip: l10n.t`${counted(outOfRange, 'position')} out of range` };
}
