import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from './base/async/clock';
import { DEFAULT_INTERVALS, RefreshCoordinator } from './portfolio/coordinator';
import { Portfolio } from './portfolio/portfolio';
import type { RequestPace } from './service/requestBudget';
import { RequestBudgets } from './service/requestBudgets';
import { Activity } from './ui/activity/activity';
import { OperationRecords } from './ui/activity/operationRecords';
import { Reconciliation } from './ui/activity/reconciliation';
import { AutoRebalance } from './ui/autoRebalance/autoRebalance';
import { ApiKeys } from './ui/connection/apiKeys';
import { ServiceConnection } from './ui/connection/connection';
import { serviceCreator } from './ui/connection/createService';
import { requestLimitOf } from './ui/connection/requestLimit';
import { createReviewRpc, ReviewRpc } from './ui/connection/reviewRpc';
import { superviseSandbox } from './ui/connection/sandbox/launch';
import type { Inspection } from './ui/inspection';
import { PanelManager } from './ui/panels/panelManager';
import { PoolQuery } from './ui/pools/poolQuery';
import { Session } from './ui/session';
import { BusyPositions } from './ui/shell/busyPositions';
import { registerCommands } from './ui/shell/commands/registerCommands';
import type { CommandId } from './ui/shell/commands/registry';
import { introduceOnce } from './ui/shell/firstRun';
import { lazily } from './ui/shell/lazily';
import { describeError, Log, Redactor } from './ui/shell/log';
import { CONTEXT, SETTING, VIEW } from './ui/shell/names';
import { PromptSlot } from './ui/shell/prompts/promptSlot';
import { WindowPrompts } from './ui/shell/prompts/windowPrompts';
import { ReviewDocuments } from './ui/shell/reviewDocuments';
import { readServiceChoice } from './ui/shell/serviceChoice';
import { reviewSettings } from './ui/shell/settings/reviewPolicy';
import { Settings } from './ui/shell/settings/settings';
import { windowActions } from './ui/shell/windowActions';
import { ViewController } from './ui/viewController';
import { Owners } from './ui/wallets/owners';
import type { RunnerDependencies } from './ui/zap/operationDependencies';

/** Makes the parts, ties them together and hands them to VS Code. Asks nothing of the network before it returns. */
export function activate(context: vscode.ExtensionContext): Inspection | undefined {
  const start = performance.now();
  // English has no bundle: its texts are in the code.
  if (vscode.l10n.bundle !== undefined) {
    l10n.config({ contents: vscode.l10n.bundle });
  }
  const channel = vscode.window.createOutputChannel('Binsight', { log: true });
  const log = new Log(channel, new Redactor());
  const hide = (secret: string) => log.hide(secret);
  const onError = (error: unknown) => log.of('editor')('error', describeError(error));
  const execute = async (command: string) => {
    await vscode.commands.executeCommand(command);
  };
  const command = async (id: CommandId, argument: unknown) => {
    await vscode.commands.executeCommand(id, argument);
  };
  const prompts = new PromptSlot(new WindowPrompts((id) => command('binsight.showOperation', { kind: 'operation', id })));
  const settings = new Settings(prompts, log.of('settings'));
  const documents = new ReviewDocuments();
  const actions = windowActions(channel, documents);

  const sandboxPlace = {
    script: context.asAbsolutePath('dist/sandbox.js'),
    dataDir: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath,
  };
  const sandbox = superviseSandbox(sandboxPlace, log.of('sandbox'));
  const createService = serviceCreator(log.of('api'));
  const signReviewed = async () => (await import('./review/review')).signReviewed;
  const owners = new Owners({
    ...{ secrets: context.secrets, state: context.globalState, prompts, clock: systemClock, signReviewed, onError },
    unlockMinutes: () => settings.get(SETTING.unlockMinutes),
  });
  const apiKeys = new ApiKeys(context.secrets, hide);
  const connection = new ServiceConnection({
    readChoice: () => readServiceChoice(settings.baseUrl),
    apiKeys,
    sandbox,
    adoptSandbox: (ready) => {
      hide(ready.apiKey);
      hide(ready.secretKey);
      return owners.adoptSandbox(ready);
    },
    createService,
    budgets: new RequestBudgets(systemClock),
    onError,
  });

  const portfolio = new Portfolio({ service: () => connection.service(), log: log.of('portfolio'), clock: systemClock });
  const intervals = () => ({ ...DEFAULT_INTERVALS, positions: settings.get(SETTING.refreshIntervalSeconds) * 1_000 });
  const limit = requestLimitOf(connection);
  const coordinator = new RefreshCoordinator(
    { portfolio, clock: systemClock, random: Math.random, limit },
    vscode.window.state.focused,
    intervals(),
  );
  const poolQuery = new PoolQuery(
    { get: () => settings.get(SETTING.poolsSortBy), set: (sortBy) => settings.setPoolsSortBy(sortBy) },
    onError,
  );
  const busy = new BusyPositions(onError);
  const records = new OperationRecords({ folder: context.globalStorageUri.fsPath, nowMs: () => systemClock.now(), log: log.of('journal') });
  const activity = new Activity({ journal: records.journal, log: log.of('journal'), onError });
  const session = new Session({
    connection,
    sandbox,
    owners,
    apiKeys,
    portfolio,
    coordinator,
    poolQuery,
    prompts,
    log: log.of('session'),
    execute,
  });
  const surfaces = new ViewController({
    portfolio,
    coordinator,
    connection,
    owners,
    poolQuery,
    settings,
    busy,
    activity,
    clock: systemClock,
  });

  const service = () => connection.choice;
  const connect = () => connection.service();
  const reviewRpc = new ReviewRpc({ service, sandbox, settings, hide, create: createReviewRpc });
  const rpc = () => reviewRpc.find();
  const reconciliation = new Reconciliation({
    ...{ records, activity, portfolio, connection, busy, prompts, actions, rpc, command, onError },
    ...{ state: context.globalState, clock: systemClock, log: log.of('reconciliation') },
  });
  const operations: RunnerDependencies = {
    ...{ prompts, actions, portfolio, service: connect, serviceInUse: service, log: log.of('operations') },
    ...reviewSettings(settings),
    ...{ records, rpc, clock: systemClock, budget: () => connection.budget },
    nowMs: () => systemClock.now(),
    began: (operation) => reconciliation.began(operation),
    signer: (owner, cancelled) => owners.signer(owner, cancelled),
  };
  const runner = lazily(async () => {
    const { OperationRunner } = await import('./ui/zap/operationRunner');
    return new OperationRunner(operations);
  });
  const rebalances = lazily(async () => {
    const { RebalanceRunner } = await import('./ui/rebalance/rebalanceRunner');
    return new RebalanceRunner({ ...operations, busy, command, told: (id) => reconciliation.toldOf(id) });
  });
  const wallets = { prompts, owners, service, isInBrowser: vscode.env.uiKind === vscode.UIKind.Web };
  const isTrusted = () => vscode.workspace.isTrusted;
  const automation = new AutoRebalance({
    ...wallets,
    ...{ actions, settings, connection, portfolio, records, isTrusted, onError },
    ...{ clock: systemClock, log: log.of('automation'), runs: rebalances, secrets: context.secrets, rpc },
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'automation').fsPath,
    onDidGrantTrust: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener),
    execute: async (id, argument) => {
      await vscode.commands.executeCommand(id, argument);
    },
    setOn: (isOn) => surfaces.contextKeys.set(CONTEXT.isAutomationOn, isOn),
  });
  const funnel = { prompts, log: log.of('commands'), isTrusted, execute };
  const frame = new PanelManager(
    () => ({
      ...{ portfolio, coordinator, connection, owners, settings, busy, rpc, prompts, actions, command, funnel, limit },
      ...{
        clock: systemClock,
        log: log.of('panels'),
        isInBrowser: wallets.isInBrowser,
        locale: vscode.env.language,
        extensionUri: context.extensionUri,
      },
    }),
    log.of('panels'),
  );
  const refreshAll = async (pace?: RequestPace) => {
    await Promise.all([session.refreshOrThrow(pace), activity.refresh()]);
  };
  const refresh = async (pace: RequestPace) => vscode.window.withProgress({ location: { viewId: VIEW.positions } }, () => refreshAll(pace));
  const commands = registerCommands(
    lazily(async () => {
      const {
        activityCommands,
        airdrop,
        automationCommands,
        generalCommands,
        operationCommands,
        panelCommands,
        planCommands,
        poolCommands,
        rebalanceCommands,
        resetWorld,
        sandboxCommands,
        serviceCommands,
        termsOf,
        walletCommands,
      } = await import('./ui/allCommands');
      const zaps = {
        ...wallets,
        portfolio,
        busy,
        runner,
        connect,
        waiting: operations,
        slippageBps: () => settings.get(SETTING.slippageBps),
      };
      return {
        ...serviceCommands({ prompts, apiKeys, service, createService, setBaseUrl: (baseUrl) => settings.setBaseUrl(baseUrl) }),
        ...walletCommands({ ...wallets, airdrop: async (owner, sol) => airdrop(await sandbox.start(), owner, sol) }),
        ...sandboxCommands({
          ...{ prompts, service, sandbox, resetWorld },
          reconnect: async () => {
            connection.reset();
            portfolio.reset();
            await refreshAll();
          },
        }),
        ...operationCommands(zaps),
        ...planCommands(zaps),
        ...rebalanceCommands({
          ...wallets,
          portfolio,
          busy,
          activity,
          actions,
          rebalances,
          operations,
          terms: () => termsOf((key) => settings.raw(key)),
          log: log.of('rebalance'),
        }),
        ...automationCommands({ desk: automation.desk }),
        ...poolCommands({
          prompts,
          portfolio,
          query: poolQuery,
          waiting: operations,
          showProgress: async (work) => vscode.window.withProgress({ location: { viewId: VIEW.pools } }, work),
        }),
        ...activityCommands({ activity, actions }),
        ...panelCommands({ prompts, portfolio, panels: frame.panels }),
        ...generalCommands({ portfolio, actions, service, prompts, refresh, waiting: operations }),
      };
    }),
    funnel,
  );

  // Disposed of in this order: the log hears of the end of all the others.
  context.subscriptions.push(
    commands,
    frame,
    automation,
    surfaces,
    reconciliation,
    activity,
    records,
    session,
    coordinator,
    portfolio,
    owners,
    { dispose: () => sandbox.stop() },
    context.secrets.onDidChange(({ key }) => session.secretChanged(key)),
    vscode.window.onDidChangeWindowState(({ focused }) => coordinator.setFocused(focused)),
    settings.onDidChange([SETTING.baseUrl], () => connection.settingChanged()),
    settings.onDidChange([SETTING.refreshIntervalSeconds], () => coordinator.setInterval('positions', intervals().positions)),
    settings.onDidChange([SETTING.poolsSortBy], () => poolQuery.settingChanged()),
    documents,
    channel,
  );
  const { version } = context.extension.packageJSON as { readonly version: string };
  log.of('editor')('info', `Binsight ${version} in VS Code ${vscode.version}; service: ${connection.choice.name}`);
  void session.refresh('startup');
  automation.begin();
  introduceOnce(context.globalState, execute).catch(onError);
  if (context.extensionMode !== vscode.ExtensionMode.Test) {
    return undefined;
  }
  const states = [context.globalState, context.workspaceState];
  return {
    portfolio,
    activity,
    records,
    automation,
    surfaces,
    frame,
    prompts,
    actions,
    states,
    connection,
    sandbox,
    owners,
    apiKeys,
    sandboxPlace,
    activationMs: performance.now() - start,
  };
}
