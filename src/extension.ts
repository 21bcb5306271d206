import * as vscode from 'vscode';
import type { RequestPace } from './api/requestBudget';
import { RequestBudgets } from './api/requestBudgets';
import { Activity } from './editor/activity/activity';
import { OperationRecords } from './editor/activity/operationRecords';
import { Reconciliation } from './editor/activity/reconciliation';
import { AutoRebalance } from './editor/automation/automation';
import { registerCommands } from './editor/commands/registerCommands';
import { introduceOnce } from './editor/firstRun';
import type { CommandId } from './editor/commands/table';
import type { Inspection } from './editor/inspection';
import { lazily } from './editor/lazily';
import { describeError, Log } from './editor/log/log';
import { Redactor } from './editor/log/redactor';
import { CONTEXT, SETTING, VIEW } from './editor/names';
import { BusyPositions } from './editor/operations/busyPositions';
import type { RunnerDependencies } from './editor/operations/operationRunner';
import { Owners } from './editor/owners/owners';
import { PanelManager } from './editor/panels/panelFrame';
import { PromptSlot } from './editor/prompts/promptSlot';
import { WindowPrompts } from './editor/prompts/windowPrompts';
import { ReviewDocuments } from './editor/reviewDocuments';
import { superviseSandbox } from './editor/sandboxProcess/superviseSandbox';
import { ApiKeys } from './editor/service/apiKeys';
import { ServiceConnection } from './editor/service/connection';
import { serviceCreator } from './editor/service/createService';
import { createReviewRpc, ReviewRpc } from './editor/service/reviewRpc';
import { requestLimitOf } from './editor/service/requestLimit';
import { readServiceChoice } from './editor/service/serviceChoice';
import { Session } from './editor/session';
import { reviewSettings } from './editor/settings/reviewPolicy';
import { Settings } from './editor/settings/settings';
import { PoolQuery } from './editor/views/poolQuery';
import { ViewController } from './editor/views/surfaces';
import { windowActions } from './editor/windowActions';
import { systemClock } from './portfolio/clock';
import { DEFAULT_INTERVALS, RefreshCoordinator } from './portfolio/coordinator';
import { Portfolio } from './portfolio/portfolio';

/** Makes the parts, ties them together and hands them to VS Code. Asks nothing of the network before it returns. */
export function activate(context: vscode.ExtensionContext): Inspection | undefined {
  const start = performance.now();
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

  const sandboxPlace = { script: context.asAbsolutePath('dist/sandbox.js'), dataDir: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath };
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
  const coordinator = new RefreshCoordinator({ portfolio, clock: systemClock, random: Math.random, limit }, vscode.window.state.focused, intervals());
  const poolQuery = new PoolQuery({ get: () => settings.get(SETTING.poolsSortBy), set: (sortBy) => settings.setPoolsSortBy(sortBy) }, onError);
  const busy = new BusyPositions(onError);
  const records = new OperationRecords({ folder: context.globalStorageUri.fsPath, nowMs: () => systemClock.now(), log: log.of('journal') });
  const activity = new Activity({ journal: records.journal, log: log.of('journal'), onError });
  const session = new Session({ connection, sandbox, owners, apiKeys, portfolio, coordinator, poolQuery, prompts, log: log.of('session'), execute });
  const surfaces = new ViewController({ portfolio, coordinator, connection, owners, poolQuery, settings, busy, activity, clock: systemClock });

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
    const { OperationRunner } = await import('./editor/operations/operationRunner');
    return new OperationRunner(operations);
  });
  const rebalances = lazily(async () => {
    const { RebalanceRunner } = await import('./editor/rebalance/rebalanceRunner');
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
      ...{ clock: systemClock, log: log.of('panels'), isInBrowser: wallets.isInBrowser, locale: vscode.env.language, extensionUri: context.extensionUri },
    }),
    log.of('panels'),
  );
  const refreshAll = async (pace?: RequestPace) => {
    await Promise.all([session.refreshOrThrow(pace), activity.refresh()]);
  };
  const refresh = async (pace: RequestPace) => vscode.window.withProgress({ location: { viewId: VIEW.positions } }, () => refreshAll(pace));
  const commands = registerCommands(
    lazily(async () => {
      const { activityCommands, airdrop, automationCommands, generalCommands, operationCommands, panelCommands, planCommands, poolCommands, rebalanceCommands, resetWorld, sandboxCommands, serviceCommands, termsOf, walletCommands } = await import('./editor/commands/commands');
      const zaps = { ...wallets, portfolio, busy, runner, connect, waiting: operations, slippageBps: () => settings.get(SETTING.slippageBps) };
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
        ...rebalanceCommands({ ...wallets, portfolio, busy, activity, actions, rebalances, operations, terms: () => termsOf((key) => settings.raw(key)), log: log.of('rebalance') }),
        ...automationCommands({ desk: automation.desk }),
        ...poolCommands({ prompts, portfolio, query: poolQuery, waiting: operations, showProgress: async (work) => vscode.window.withProgress({ location: { viewId: VIEW.pools } }, work) }),
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
  return { portfolio, activity, records, automation, surfaces, frame, prompts, actions, states, connection, sandbox, owners, apiKeys, sandboxPlace, activationMs: performance.now() - start };
}
