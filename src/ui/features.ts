import * as vscode from 'vscode';
import { AutoRebalance } from './autoRebalance/autoRebalance';
import { IndexWatch } from './connection/indexWatch';
import { loadFeatures, loadOperations, loadPanels } from './lazyLoading';
import { PanelManager } from './panels/panelManager';
import type { Notices } from './notices/createNotices';
import type { FavoritePools } from './pools/favoritePools';
import type { Features, Operations, RunCommand, Services } from './services';
import { lazily } from '../base/async/concurrency';
import { displayLocale } from '../base/format/locale';
import { CONTEXT, SETTING } from './shell/names';
import { unansweredText } from './shell/secrets';
import { hasExplorer } from './shell/serviceChoice';
import { reviewSettings } from './shell/settings/values';
import { ViewController } from './viewController';
import type { RunnerDependencies } from './zap/operationDependencies';

/**
 * Creates the runners of operations, and resolves operations that closed windows left unfinished.
 * @param reportFound reports the end of an operation that was found
 */
export function registerOperations(services: Services, reportFound: Notices['reportFound']): Operations {
  const { disposables, context, log, settings, connection, owners, clock, command, onError } = services;
  const startedAtMs = clock.now();
  const ranHere = new Set<string>();
  const reconciliation = lazily(async () => {
    const { Reconciliation } = await loadFeatures();
    return disposables.add(
      new Reconciliation({ ...services, reportFound, state: context.globalState, startedAtMs, log: log.of('reconciliation') }),
    );
  });
  reconciliation().catch(onError);

  const waiting = { clock, nowMs: () => clock.now(), budget: () => connection.budget, log: log.of('operations') };
  const runners = lazily(async () => {
    const [{ OperationRunner, RebalanceRunner }, unfinished] = await Promise.all([loadOperations(), reconciliation()]);
    const dependencies: RunnerDependencies = {
      ...services,
      ...reviewSettings(settings),
      ...waiting,
      // An operation waits for the secret storage, and says so.
      service: () => connection.service(),
      serviceInUse: services.service,
      began: (operation) => {
        ranHere.add(operation);
        unfinished.began(operation);
      },
      leftOpen: (operation) => void ranHere.delete(operation),
      signer: (owner, cancelled) => owners.signer(owner, cancelled),
      walletName: (owner) => owners.known(services.service()).find(({ address }) => address === owner)?.name,
    };
    return {
      runner: new OperationRunner(dependencies),
      rebalances: new RebalanceRunner({
        ...dependencies,
        busy: services.busy,
        command,
        reentryOffered: (id) => unfinished.reentryOffered(id),
      }),
    };
  });
  return { waiting, ranHere, runner: async () => (await runners()).runner, rebalances: async () => (await runners()).rebalances };
}

/** Says in a notification that the secret storage does not answer, until it does: what waits for it may show nothing. */
export function watchSecrets({ disposables, secrets, prompts, onError }: Services): void {
  disposables.add(
    secrets.onDidChangeAnswering(() => {
      if (!secrets.isAnswering) {
        const answering = new Promise<void>((resolve) => {
          const subscription = secrets.onDidChangeAnswering(() => {
            subscription.dispose();
            resolve();
          });
        });
        prompts.progress({ title: unansweredText(), cancellable: false }, () => answering).catch(onError);
      }
    }),
  );
}

/** Registers the views and the status bar item, and keeps their lists up to date. */
export function registerViews(services: Services): ViewController {
  const { disposables, secrets, settings, connection, coordinator, portfolio, poolQuery, positionList, session } = services;
  disposables.add(
    secrets.onDidChange((name) => session.secretChanged(name)),
    vscode.window.onDidChangeWindowState(({ focused }) => coordinator.setFocused(focused)),
    settings.onDidChange([SETTING.baseUrl], () => connection.settingChanged()),
    settings.onDidChange([SETTING.refreshIntervalSeconds], () => coordinator.setInterval('positions', services.intervals().positions)),
    settings.onDidChange([SETTING.poolsSortBy], () => poolQuery.settingChanged()),
    settings.onDidChange([SETTING.positionsSortBy, SETTING.positionsGroupBy], () => positionList.settingChanged()),
  );
  const history = disposables.add(watchHistory(services));
  disposables.add(portfolio.onDidChange(() => history.look()));
  const views = disposables.add(new ViewController({ ...services, history, tooltips: loadFeatures }));
  const showExplorer = () => views.contextKeys.set(CONTEXT.hasExplorer, hasExplorer(connection.choice.id));
  disposables.add(connection.onDidChange(showExplorer));
  showExplorer();
  return views;
}

/** Shows what the wallet holds. The code loads after activation. */
export function registerWalletView(services: Services, { contextKeys }: ViewController): void {
  const { disposables, session, log, onError } = services;
  loadFeatures()
    .then(({ WalletView }) => {
      disposables.add(
        new WalletView({
          ...services,
          onDidRefresh: (listener) => session.onDidRefresh(listener),
          log: log.of('wallet'),
          setState: (state) => contextKeys.set(CONTEXT.walletState, state),
        }),
      );
    })
    .catch(onError);
}

/** Groups positions by wallet, if the user chooses so. The code loads after activation. */
export function registerWalletGroups(services: Services, views: ViewController): void {
  loadFeatures()
    .then(({ showWalletGroups }) => showWalletGroups(services, views))
    .catch(services.onError);
}

/** Watches how far the local service has read the history of the wallet in use. */
function watchHistory({ connection, rpcService, portfolio, session, clock, log, onError }: Services): IndexWatch {
  return new IndexWatch({
    read: async () => {
      const { state } = rpcService.process;
      const { owner } = portfolio.snapshot;
      return connection.choice.kind !== 'solanaRpc' || state.kind !== 'running' || owner === undefined
        ? undefined
        : (await loadFeatures()).readIndexProgress(state.ready, owner);
    },
    clock,
    onFinished: () => void session.refresh('configuration'),
    log: log.of('history'),
    onError,
  });
}

/** Creates auto-rebalance. It resumes if it was left on. */
export function registerAutoRebalance(services: Services, { rebalances }: Operations, { contextKeys }: ViewController): AutoRebalance {
  const { disposables, context, log } = services;
  const automation = new AutoRebalance(
    {
      ...services,
      log: log.of('automation'),
      runs: rebalances,
      // In a browser, or on a remote machine, the keyboard may be of another platform.
      platform: context.extension.extensionKind === vscode.ExtensionKind.UI && !services.isInBrowser ? process.platform : undefined,
      secrets: services.secrets.brieflyOf('confirmedRules'),
      state: context.globalState,
      folder: vscode.Uri.joinPath(context.globalStorageUri, 'automation').fsPath,
      onDidGrantTrust: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener),
      setOn: (isOn) => contextKeys.set(CONTEXT.isAutomationOn, isOn),
    },
    async (dependencies) => {
      const { AutoRebalanceCommands, AutoRebalanceStatusBarItem, ConsentStore } = await loadFeatures();
      return new AutoRebalanceCommands({
        ...dependencies,
        store: new ConsentStore(dependencies),
        statusBarItem: new AutoRebalanceStatusBarItem(),
      });
    },
  );
  return disposables.add(automation);
}

/** Registers panels so that commands can open and VS Code can restore them. Their code loads with the first panel. */
export function registerPanels(services: Services): PanelManager {
  const { disposables, context, log, commandDependencies } = services;
  const create = async () => {
    const { PanelRegistry } = await loadPanels();
    return new PanelRegistry({
      ...services,
      funnel: commandDependencies,
      log: log.of('panels'),
      // That of the texts: a number has the same decimal mark in a panel as in a question.
      locale: displayLocale(),
      extensionUri: context.extensionUri,
      activePoolChanged: (pool) => manager.showsPool(pool),
    });
  };
  const manager = disposables.add(new PanelManager(create, log.of('panels')));
  return manager;
}

/** Shows the favorite pools. Their code loads after activation. */
export function registerFavorites(services: Services, views: ViewController, panels: PanelManager): () => Promise<FavoritePools> {
  const favorites = lazily(async () => (await loadFeatures()).createFavorites(services, views, panels));
  favorites().catch(services.onError);
  return favorites;
}

/** Creates the notices, whose code loads after activation. */
export function registerNotices(
  services: Services,
  { operations, automation, panels }: Omit<Features, 'notices' | 'favorites'>,
): Features['notices'] {
  const notices = lazily(async () => {
    const { createNotices } = await loadFeatures();
    return services.disposables.add(
      createNotices({
        ...services,
        openPosition: async (key) => (await panels.panels()).openPosition(key),
        ranHere: (operation) => operations.ranHere.has(operation),
        onAutoRebalance: (listener) => automation.announcements.on(listener),
      }),
    );
  });
  notices().catch(services.onError);
  return notices;
}

/** Offers the tools for assistants while their setting is on. Their code loads after activation. */
export function registerAssistants(services: Services): void {
  loadFeatures()
    .then(({ watchAssistants }) => services.disposables.add(watchAssistants(services)))
    .catch(services.onError);
}

/** Returns what runs any command. The code of commands loads with the first one. */
export function runAllCommands(services: Services, features: Features): RunCommand {
  const commands = lazily(async () => (await loadFeatures()).createCommands(services, features));
  return async (id, argument) => (await commands())(id, argument);
}
