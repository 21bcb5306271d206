import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { steadyClock, systemClock } from '../base/async/clock';
import { lazily } from '../base/async/concurrency';
import { DisposableStore } from '../base/async/disposables';
import { DEFAULT_INTERVALS, type Intervals, RefreshCoordinator } from '../portfolio/coordinator';
import { Portfolio } from '../portfolio/portfolio';
import type { RpcUrl } from '../base/solana/rpcUrl';
import type { OperationRecord } from '../transactions/journal/types';
import { Activity } from './activity/activity';
import { ApiKeys } from './connection/apiKeys';
import { type CreateService, requestLimitOf, ServiceConnection } from './connection/connection';
import { createRpcService } from './connection/rpcService';
import { superviseSandbox } from './connection/sandboxProcess';
import { createLoader, type Loader } from './lazyLoading';
import { POOL_SORTS, PoolQuery } from './pools/poolQuery';
import { POSITION_GROUPINGS, POSITION_SORTS } from './positions/positionList';
import { PositionListControl } from './positions/positionListControl';
import { SandboxPlay } from './sandbox/sandboxPlay';
import type { Services } from './services';
import { Session } from './session';
import { BusyPositions } from './shell/busyPositions';
import { PanelPlans } from './shell/panelPlans';
import type { CommandId } from '../settings/generated/commandIds';
import { Installation } from './shell/installation';
import { Lineages } from './shell/lineages';
import { describeError, Log, Redactor } from './shell/log';
import { RememberedChoice } from './shell/rememberedChoice';
import { PromptSlot } from './shell/prompts/prompts';
import { Secrets } from './shell/secrets';
import { WindowPrompts } from './shell/prompts/windowPrompts';
import { readServiceChoice, type ServiceChoice } from './shell/serviceChoice';
import { RuleStore } from './shell/settings/ruleStore';
import { Settings } from './shell/settings/settings';
import { windowActions } from './shell/windowActions';
import { VIEW } from './shell/names';
import { ProblemInViews, windowProblems } from './shell/windowProblem';
import { Owners } from './wallets/owners';

/** Defined by the build (esbuild.mjs). */
declare const BUILD_ID: string;

const SANDBOX_SCRIPT = 'dist/sandbox.js';
const SERVICE_SCRIPT = 'dist/service.js';

/** The services, and what loads the code that uses them. */
export interface LoadingServices extends Services {
  readonly load: Loader;
}

/** Creates the services without any network request. */
export function createServices(context: vscode.ExtensionContext): LoadingServices {
  const disposables = new DisposableStore();
  context.subscriptions.push(disposables);
  const editor = createEditorAccess(context, disposables);
  const { log, installation, load, prompts, settings, onError } = editor;
  const secrets = disposables.add(new Secrets(context.secrets, systemClock, onError));
  const access = createServiceAccess(context, editor, secrets, disposables);
  const { connection, sandbox, rpcService, owners, apiKeys } = access;

  const limit = requestLimitOf(connection);
  const portfolio = disposables.add(new Portfolio({ service: access.connect, log: log.of('portfolio'), clock: systemClock }));
  const intervals = (): Intervals => ({ ...DEFAULT_INTERVALS, positions: settings.get('binsight.refreshIntervalSeconds') * 1_000 });
  const coordinator = disposables.add(
    new RefreshCoordinator({ portfolio, clock: systemClock, random: Math.random, limit }, vscode.window.state.focused, intervals()),
  );
  const poolQuery = new PoolQuery(new RememberedChoice(context.globalState, 'binsight.poolOrder', POOL_SORTS), onError);
  const positionList = new PositionListControl(
    {
      sortBy: new RememberedChoice(context.globalState, 'binsight.positionOrder', POSITION_SORTS),
      groupBy: new RememberedChoice(context.globalState, 'binsight.positionGroups', POSITION_GROUPINGS),
    },
    onError,
  );
  const session = disposables.add(
    new Session({
      connection,
      sandbox,
      rpcService,
      owners,
      apiKeys,
      portfolio,
      coordinator,
      poolQuery,
      prompts,
      describeError: async (error) => (await load.features()).describeUserError(error),
      log: log.of('session'),
      execute: editor.execute,
    }),
  );
  const folder = context.globalStorageUri.fsPath;
  const opened = lazily(async () => {
    const { OperationRecords } = await load.features();
    return disposables.add(new OperationRecords({ folder, nowMs: () => systemClock.now(), log: log.of('journal') }));
  });
  const records = { journal: async () => (await opened()).journal(), locks: async () => (await opened()).locks() };
  const openTasks = async (of: readonly OperationRecord[]) => (await load.features()).openTasksOf(of);
  const activity = disposables.add(
    new Activity({
      journal: records.journal,
      openTasks,
      names: { listed: () => portfolio.snapshot.positions, load: async () => (await load.features()).namesOfRecords },
      log: log.of('journal'),
      onError,
    }),
  );
  const busy = new BusyPositions(onError);
  const lineages = new Lineages(onError);
  const play = disposables.add(
    new SandboxPlay({ sandbox, readStatus: async (ready) => (await load.features()).readStatus(ready), log: log.of('sandbox') }),
  );
  disposables.add(portfolio.onDidChange(() => void play.look()));
  const problems = windowProblems(secrets, installation);
  return {
    context,
    disposables,
    clock: systemClock,
    secrets,
    problems,
    problemInViews: disposables.add(new ProblemInViews(problems, [VIEW.positions, VIEW.wallet, VIEW.pools], onError)),
    ...editor,
    ...access,
    portfolio,
    intervals,
    coordinator,
    poolQuery,
    positionList,
    session,
    records,
    activity,
    busy,
    lineages,
    play,
  };
}

type EditorAccess = Pick<
  LoadingServices,
  | 'log'
  | 'installation'
  | 'load'
  | 'onError'
  | 'prompts'
  | 'actions'
  | 'settings'
  | 'isTrusted'
  | 'isInBrowser'
  | 'isPortable'
  | 'execute'
  | 'command'
  | 'panelPlans'
  | 'commandDependencies'
>;

/** Creates the objects that give features access to VS Code. */
function createEditorAccess({ extensionPath, globalState }: vscode.ExtensionContext, disposables: DisposableStore): EditorAccess {
  const channel = disposables.add(vscode.window.createOutputChannel('Binsight', { log: true }));
  const log = new Log(channel, new Redactor());
  const onError = (error: unknown): void => log.of('editor')('error', describeError(error));
  const installation = new Installation({ folder: extensionPath, build: BUILD_ID, log: log.of('editor'), onListenerError: onError });
  const load = createLoader(installation);
  const documents = lazily(async () => disposables.add(new (await load.features()).DocumentPanels()));
  const execute = async (command: string, argument?: unknown): Promise<void> => {
    await vscode.commands.executeCommand(command, argument);
  };
  const panelPlans = new PanelPlans();
  const command = async (id: CommandId, argument?: unknown): Promise<void> => {
    await vscode.commands.executeCommand(id, panelPlans.announced(argument));
  };
  const prompts = new PromptSlot(new WindowPrompts((id) => command('binsight.showOperation', { kind: 'operation', id }), steadyClock));
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  return {
    log,
    installation,
    load,
    onError,
    prompts,
    actions: windowActions(channel, { showDocument: async (title, markdown, place) => (await documents()).show(title, markdown, place) }),
    settings: new Settings(prompts, log.of('settings'), new RuleStore(globalState, onError)),
    isTrusted,
    isInBrowser: vscode.env.uiKind === vscode.UIKind.Web,
    isPortable: process.env['VSCODE_PORTABLE'] !== undefined,
    execute,
    command,
    panelPlans,
    commandDependencies: { prompts, log: log.of('commands'), isTrusted, execute, assertIntact: () => installation.assertIntact() },
  };
}

type ServiceAccess = Pick<
  Services,
  | 'sandbox'
  | 'sandboxPlace'
  | 'rpcService'
  | 'rpcAddresses'
  | 'profiles'
  | 'readGenesisHash'
  | 'createService'
  | 'apiKeys'
  | 'connection'
  | 'connect'
  | 'service'
  | 'rpc'
  | 'owners'
>;

/** Creates the connection to the service, with its wallets and keys. */
function createServiceAccess(
  context: vscode.ExtensionContext,
  { log, installation, load, prompts, settings, onError }: EditorAccess,
  secrets: Secrets,
  disposables: DisposableStore,
): ServiceAccess {
  const hide = (secret: string): void => log.hide(secret);
  const sandboxPlace = {
    script: context.asAbsolutePath(SANDBOX_SCRIPT),
    dataDir: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath,
  };
  const loadBeside = (script: string) => async () => {
    await installation.assertIntact(script);
    return load.features();
  };
  const sandbox = superviseSandbox(sandboxPlace, log.of('sandbox'), loadBeside(SANDBOX_SCRIPT));
  disposables.add({ dispose: () => sandbox.stop() });
  const readGenesisHash = async (url: RpcUrl, signal?: AbortSignal) => (await load.operations()).readGenesisHash(url, signal);
  const rpcService = createRpcService({
    script: context.asAbsolutePath(SERVICE_SCRIPT),
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'solana-rpc').fsPath,
    settings: async ({ url, apis }) => {
      const { localServiceSettings, isPublicRpc, PUBLIC_RPC_RPS } = await load.features();
      return localServiceSettings(settings, log, apis, isPublicRpc(url) ? PUBLIC_RPC_RPS : undefined);
    },
    hide,
    load: loadBeside(SERVICE_SCRIPT),
    readGenesisHash,
    log: log.of('service'),
  });
  disposables.add({ dispose: () => rpcService.stop() });
  const owners = disposables.add(
    new Owners({
      secrets: secrets.patient(),
      state: context.globalState,
      prompts,
      clock: systemClock,
      createKeyRing: async (dependencies) => new (await load.features()).KeyRing(dependencies),
      signReviewed: async () => {
        await installation.assertIntact();
        return (await load.operations()).signReviewed;
      },
      onError,
      unlockMinutes: () => settings.get('binsight.wallet.unlockMinutes'),
    }),
  );
  const apiKeys = new ApiKeys(secrets.patient(), hide);
  const rpcAddresses = lazily(async () => {
    const { RpcAddresses, ADDRESS_VARIABLE } = await load.features();
    return new RpcAddresses(secrets.patient(), hide, developmentVariable(context, ADDRESS_VARIABLE));
  });
  const profiles = lazily(async () => {
    const { ServiceProfiles } = await load.features();
    return new ServiceProfiles({ state: context.globalState, secrets: secrets.patient(), apiKeys, rpcAddresses, hide });
  });
  const completeProfiles = async () => {
    const [{ takeFormerAddresses }, complete] = await Promise.all([load.features(), profiles()]);
    await takeFormerAddresses({ profiles: complete, service: () => connection.choice, settings, prompts, hide, log: log.of('settings') });
    return complete;
  };
  const rpcAddress = async (serviceId: string) => (await rpcAddresses()).get(serviceId);
  const budgets = lazily(async () => {
    const { createRequestBudgets } = await load.features();
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'requests').fsPath;
    return createRequestBudgets({ folder, clock: systemClock, settings, log: log.of('requests'), add: (one) => disposables.add(one) });
  });
  const prices = vscode.Uri.joinPath(context.globalStorageUri, 'prices').fsPath;
  const createService: CreateService = async (baseUrl, apiKey, options = {}) =>
    (await load.features()).createService(
      baseUrl,
      apiKey,
      { budget: (await budgets()).of(baseUrl, apiKey), ...options },
      log.of('api'),
      prices,
    );
  const connection = new ServiceConnection({
    readChoice: () => readServiceChoice(settings.baseUrl),
    apiKeys,
    sandbox,
    adoptSandbox: (ready) => {
      hide(ready.apiKey);
      hide(ready.secretKey);
      return owners.adoptSandbox(ready);
    },
    rpcAddress,
    apiAddresses: async (choice) => (await completeProfiles()).readApis(choice),
    profileName: async (choice) => (await profiles()).nameOf(choice),
    rpcService,
    adoptTestWallet: async (id) => {
      const { adoptTestWallet, TEST_WALLET_VARIABLE } = await load.features();
      await adoptTestWallet({ id, owners, hide, secretKey: developmentVariable(context, TEST_WALLET_VARIABLE) });
    },
    createService,
    budgets,
    onError,
  });
  const service = (): ServiceChoice => connection.choice;
  const create = async (url: RpcUrl) => (await load.operations()).createRpc({ url });
  const reviewRpcOf = async (choice: ServiceChoice): Promise<string | undefined> =>
    (await completeProfiles()).readAddress(choice, 'reviewRpc', secrets.brief());
  const reviewRpc = lazily(
    async () => new (await load.features()).ReviewRpc({ service, sandbox, rpcAddress, reviewRpc: reviewRpcOf, create }),
  );
  return {
    sandbox,
    sandboxPlace,
    rpcService,
    rpcAddresses,
    profiles,
    readGenesisHash,
    createService,
    apiKeys,
    connection,
    connect: () => secrets.whileAnswering(() => connection.service()),
    service,
    rpc: async () => (await reviewRpc()).find(),
    owners,
  };
}

/** A file of the project that no package has. */
const SOURCE = 'src/extension.ts';

/**
 * What `npm start` sets. An installed package takes neither an RPC nor a key from the environment; in the VS Code from npm, `npm start` links the folder
 * of the project as if it were installed.
 */
export function developmentVariable({ extensionMode, extensionPath }: vscode.ExtensionContext, name: string): string | undefined {
  const isPackage = extensionMode === vscode.ExtensionMode.Production && !existsSync(join(extensionPath, SOURCE));
  return isPackage ? undefined : process.env[name];
}
