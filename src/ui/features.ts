import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AutoRebalance } from './autoRebalance/autoRebalance';
import { OwnPortfolio } from './autoRebalance/ownPortfolio';
import { IndexWatch } from './connection/indexWatch';
import { PanelManager } from './panels/panelManager';
import type { Notices } from './notices/createNotices';
import type { FavoritePools } from './pools/favoritePools';
import type { LoadingServices } from './createServices';
import type { Features, Operations, RunCommand, Services } from './services';
import { Portfolio } from '../portfolio/portfolio';
import type { PortfolioControl } from '../portfolio/types';
import { lazily } from '../base/async/concurrency';
import { displayLocale } from '../base/format/locale';
import { RELOAD_WINDOW, replacedText } from './shell/errors';
import { CONTEXT } from './shell/names';
import { unansweredText } from './shell/secrets';
import { hasExplorer, isOwnService } from './shell/serviceChoice';
import { reviewSettings } from './shell/settings/values';
import { ViewController } from './viewController';
import type { RunnerDependencies } from './zap/operationDependencies';

/**
 * Creates the runners of operations, and resolves operations that closed windows left unfinished.
 * @param reportFound reports the end of an operation that was found
 */
export function registerOperations(services: LoadingServices, reportFound: Notices['reportFound']): Operations {
  const { disposables, context, load, log, settings, connection, owners, clock, command, portfolio, onError } = services;
  const startedAtMs = clock.now();
  const ranHere = new Set<string>();
  const reconciliation = lazily(async () => {
    const { BatchOffers, Reconciliation } = await load.features();
    disposables.add(new BatchOffers({ ...services, state: context.globalState, nowMs: () => clock.now() }));
    return disposables.add(
      new Reconciliation({ ...services, reportFound, state: context.globalState, startedAtMs, log: log.of('reconciliation') }),
    );
  });
  reconciliation().catch(onError);

  const warning = async (): Promise<void> => {
    const { warnOfPublicRpc } = await load.features();
    const rpcAddress = async (serviceId: string) => (await services.rpcAddresses()).get(serviceId);
    await warnOfPublicRpc({ ...services, rpcAddress, state: context.globalState, connect: () => command('binsight.connectService') });
  };
  const waiting = { clock, nowMs: () => clock.now(), budget: () => connection.budget, log: log.of('operations') };
  const runners = lazily(async () => {
    const [{ OperationRunner, RebalanceRunner }, unfinished] = await Promise.all([load.operations(), reconciliation()]);
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
      signer: (owner, cancelled) => {
        warning().catch(onError);
        return owners.signer(owner, cancelled);
      },
      openPosition: (position) => command('binsight.openPosition', { kind: 'position', key: position }),
      complete: (operation) => command('binsight.finishOperation', { kind: 'operation', id: operation }),
      walletName: (owner) => owners.known(services.service()).find(({ address }) => address === owner)?.name,
    };
    const rebalancesOf = (of: PortfolioControl) =>
      new RebalanceRunner({
        ...dependencies,
        portfolio: of,
        busy: services.busy,
        command,
        reentryOffered: (id) => unfinished.reentryOffered(id),
      });
    return { runner: new OperationRunner(dependencies), rebalances: rebalancesOf(portfolio), rebalancesOf };
  });
  return {
    waiting,
    ranHere,
    runner: async () => (await runners()).runner,
    rebalances: async () => (await runners()).rebalances,
    rebalancesOf: async (of) => (of === portfolio ? (await runners()).rebalances : (await runners()).rebalancesOf(of)),
  };
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

/** Looks whether the files of the extension were replaced under this window whenever positions were read or the window gets the focus, and says so. */
export function watchInstallation({ disposables, installation, portfolio, prompts, execute, onError }: Services): void {
  const look = () => void installation.isIntact();
  disposables.add(
    portfolio.onDidChange(look),
    vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
    installation.onDidChange(() => {
      const reload = l10n.t('Reload Window');
      prompts
        .notify({ severity: 'warning', message: replacedText(), actions: [reload] })
        .then((pressed) => (pressed === reload ? execute(RELOAD_WINDOW) : undefined))
        .catch(onError);
    }),
  );
}

/** Registers the views and the status bar item, and keeps their lists up to date. */
export function registerViews(services: LoadingServices): ViewController {
  const { disposables, load, secrets, settings, connection, coordinator, portfolio, session } = services;
  disposables.add(
    secrets.onDidChange((name) => session.secretChanged(name)),
    vscode.window.onDidChangeWindowState(({ focused }) => coordinator.setFocused(focused)),
    settings.onDidChange(['binsight.service.baseUrl'], () => connection.settingChanged()),
    settings.onDidChange(['binsight.refreshIntervalSeconds'], () => coordinator.setInterval('positions', services.intervals().positions)),
  );
  const history = disposables.add(watchHistory(services));
  disposables.add(portfolio.onDidChange(() => history.look()));
  const views = disposables.add(new ViewController({ ...services, history, tooltips: () => load.features() }));
  const showExplorer = () => views.contextKeys.set(CONTEXT.hasExplorer, hasExplorer(connection.choice.id));
  disposables.add(connection.onDidChange(showExplorer));
  showExplorer();
  return views;
}

/** Shows what the wallet holds. The code loads after activation. */
export function registerWalletView(services: LoadingServices, { contextKeys }: ViewController): void {
  const { disposables, load, session, log, onError } = services;
  load
    .features()
    .then(({ WalletView }) => {
      disposables.add(
        new WalletView({
          ...services,
          onDidRefresh: (listener) => session.onDidRefresh(listener),
          log: log.of('wallet'),
          shown: () => session.wake(),
          setState: (state) => contextKeys.set(CONTEXT.walletState, state),
        }),
      );
    })
    .catch(onError);
}

/** Finds out what positions earned before their rebalances. The code loads after activation. */
export function registerLineages({ disposables, load, records, connect, log, onError, ...services }: LoadingServices): void {
  load
    .features()
    .then(({ LineageReader }) =>
      disposables.add(new LineageReader({ ...services, journal: records.journal, connect, log: log.of('portfolio') })),
    )
    .catch(onError);
}

/** Groups positions by wallet, if the user chooses so. The code loads after activation. */
export function registerWalletGroups(services: LoadingServices, views: ViewController): void {
  services.load
    .features()
    .then(({ showWalletGroups }) => showWalletGroups(services, views))
    .catch(services.onError);
}

/** Watches how far the local service has read the history of the wallet in use. */
function watchHistory({ load, connection, rpcService, portfolio, session, clock, log, onError }: LoadingServices): IndexWatch {
  return new IndexWatch({
    read: async () => {
      const { state } = rpcService.process;
      const { owner } = portfolio.snapshot;
      return connection.choice.kind !== 'solanaRpc' || state.kind !== 'running' || owner === undefined
        ? undefined
        : (await load.features()).readIndexProgress(state.ready, owner);
    },
    clock,
    onFinished: () => void session.refresh('configuration'),
    onPart: () => void portfolio.refresh('interval', ['positions']),
    log: log.of('history'),
    onError,
  });
}

/** Creates auto-rebalance. It resumes if it was left on. */
export function registerAutoRebalance(
  services: LoadingServices,
  { rebalancesOf }: Operations,
  { contextKeys }: ViewController,
): AutoRebalance {
  const { disposables, context, load, log, portfolio, connection, clock } = services;
  const own = disposables.add(
    new OwnPortfolio(portfolio, () => new Portfolio({ service: services.connect, log: log.of('automation'), clock })),
  );
  disposables.add(connection.onDidChange(() => own.reset()));
  const automation = new AutoRebalance(
    {
      ...services,
      log: log.of('automation'),
      portfolioOf: (owner) => own.of(owner),
      serviceWithPrices: async () => (isOwnService(services.service()) ? services.connect() : undefined),
      runs: (owner) => rebalancesOf(own.of(owner)),
      // In a browser, or on a remote machine, the keyboard may be of another platform.
      platform: context.extension.extensionKind === vscode.ExtensionKind.UI && !services.isInBrowser ? process.platform : undefined,
      secrets: services.secrets.brief(),
      state: context.globalState,
      folder: vscode.Uri.joinPath(context.globalStorageUri, 'automation').fsPath,
      onDidGrantTrust: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener),
      setOn: (isOn) => contextKeys.set(CONTEXT.isAutomationOn, isOn),
    },
    async (dependencies) => {
      const { AutoRebalanceCommands, AutoRebalanceStatusBarItem, ConsentStore } = await load.features();
      const profiles = await services.profiles();
      return new AutoRebalanceCommands({
        ...dependencies,
        reviewRpc: () => profiles.addressOf(profiles.inUse(connection.choice), 'reviewRpc')?.digest ?? '',
        store: new ConsentStore(dependencies),
        statusBarItem: new AutoRebalanceStatusBarItem(),
      });
    },
  );
  return disposables.add(automation);
}

/** Registers panels so that commands can open and VS Code can restore them. Their code loads with the first panel. */
export function registerPanels(services: LoadingServices): PanelManager {
  const { disposables, context, load, log, commandDependencies } = services;
  const create = async () => {
    const { PanelRegistry } = await load.panels();
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
export function registerFavorites(services: LoadingServices, views: ViewController): () => Promise<FavoritePools> {
  const favorites = lazily(async () => (await services.load.features()).createFavorites(services, views));
  favorites().catch(services.onError);
  return favorites;
}

/** Creates the notices, whose code loads after activation. */
export function registerNotices(
  services: LoadingServices,
  { operations, automation, panels }: Omit<Features, 'notices' | 'favorites'>,
): Features['notices'] {
  const notices = lazily(async () => {
    const { createNotices } = await services.load.features();
    return services.disposables.add(
      createNotices({
        ...services,
        openPosition: async (key) => (await panels.panels()).openPosition(key),
        canSign: () => services.owners.active(services.service())?.canSign === true,
        ranHere: (operation) => operations.ranHere.has(operation),
        onAutoRebalance: (listener) => automation.announcements.on(listener),
      }),
    );
  });
  notices().catch(services.onError);
  return notices;
}

/** Offers the tools for assistants while their setting is on. Their code loads after activation. */
export function registerAssistants(services: LoadingServices): void {
  services.load
    .features()
    .then(({ watchAssistants }) => services.disposables.add(watchAssistants(services)))
    .catch(services.onError);
}

/** Returns what runs any command. The code of commands loads with the first one. */
export function runAllCommands(services: LoadingServices, features: Features): RunCommand {
  const commands = lazily(async () => (await services.load.features()).createCommands(services, features));
  return async (id, argument) => (await commands())(id, argument);
}
