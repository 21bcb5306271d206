import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Address } from '../base/solana/address';
import type { PortfolioReader } from '../portfolio/types';
import type { RequestPace } from '../service/budget/operationRequests';
import { type ActivityCommandDependencies, activityCommands, openTransaction } from './activity/activityCommands';
import { assistantCommands } from './assistants/assistantCommands';
import { assistantFolder } from './assistants/watchAssistants';
import { askWhereToWatch, type ServiceCommandDependencies, serviceCommands } from './connection/connectionCommands';
import { ServiceProfiles } from './connection/serviceProfiles';
import { noticeCommands } from './notices/noticeCommands';
import { panelCommands } from './panels/panelCommands';
import { favoriteCommands } from './pools/favoriteCommands';
import { poolCommands } from './pools/poolCommands';
import { findPoolsBy, poolSearch } from './pools/poolSearch';
import { SavedSearches } from './pools/savedSearches';
import { positionListCommands } from './positions/positionListCommands';
import { rebalanceCommands } from './rebalance/rebalanceCommands';
import { keepBatches } from './rebalance/unfinishedBatches';
import { removalCommands } from './removal/removeAllData';
import { playCommands } from './sandbox/playCommands';
import { resetWorldCommands } from './sandbox/resetWorldCommand';
import { advanceTime, airdrop, movePrice, readStatus, resetWorld, setFaults, setSpeed } from './sandbox/sandboxControls';
import type { Features, Services } from './services';
import type { CommandId } from '../settings/generated/commandIds';
import { type CommandHandlers, type CommandTarget, runCommand } from './shell/commands/runCommand';
import type { EditorActions } from './shell/editorAccess';
import { RELOAD_WINDOW, UserError } from './shell/errors';
import { VIEW } from './shell/names';
import type { Prompts } from './shell/prompts/prompts';
import { type WaitingDependencies, withRequestWaitNotification } from './shell/requestWait';
import { hasExplorer, type ServiceChoice } from './shell/serviceChoice';
import { termsOf } from './shell/settings/rebalanceRules';
import type { Owners } from './wallets/owners';
import { walletCommands } from './wallets/walletCommands';
import { watchRemedy } from './wallets/walletSelection';
import { explorerOfAccount } from './shell/explorer';
import { swapCommands } from './zap/swapCommands';
import { operationCommands, planCommands } from './zap/zapCommands';

/** Returns the function that runs a command of the extension. It never rejects. */
export function createCommands(services: Services, features: Features): (id: CommandId, argument: unknown) => Promise<void> {
  const handlers = createHandlers(services, features);
  return (id, argument) => runCommand(id, handlers[id], services.panelPlans.received(argument), services.commandDependencies);
}

function createHandlers(services: Services, { operations, automation, panels, favorites, notices }: Features): CommandHandlers {
  const { context, sandbox, settings, connection, portfolio, activity, session, service, log } = services;
  const { waiting, runner, rebalances } = operations;
  const findPools = findPoolsBy(services.connect);
  const refreshAll = async (pace?: RequestPace): Promise<void> => {
    await Promise.all([session.refreshOrThrow(pace), activity.refresh()]);
  };
  const withProgress = <Result>(viewId: string, work: () => Promise<Result>): Thenable<Result> =>
    vscode.window.withProgress({ location: { viewId } }, work);
  const zaps = { ...services, runner, waiting, slippageBps: () => settings.get('binsight.slippageBps') };
  const connecting = {
    ...services,
    setBaseUrl: (baseUrl: string) => settings.setBaseUrl(baseUrl),
    usesPublicData: () => settings.get('binsight.solanaRpc.publicData'),
    setPublicData: (isOn: boolean) => settings.setPublicData(isOn),
    canRunSandbox: () => !(sandbox.state.kind === 'failed' && sandbox.state.error.reason === 'cannotRun'),
    remote: remoteOf(context, settings, services.execute),
    profiles: new ServiceProfiles({
      ...services,
      state: context.globalState,
      secrets: services.secrets.patient(),
      hide: (secret) => services.log.hide(secret),
    }),
    reconnect: async () => {
      connection.reset();
      await session.refresh('configuration');
    },
  };
  return {
    ...serviceCommands(connecting),
    ...walletCommands({
      ...services,
      airdrop: async (owner, sol) => airdrop(await sandbox.start(), owner, sol),
      askWhere: () => askWhereToWatch(connecting),
    }),
    ...playCommands({
      ...services,
      controls: { airdrop, movePrice, advanceTime, setSpeed, setFaults, readStatus },
      searchPools: poolSearch(
        findPools,
        ({ address }) => address,
        (address) => address,
      ),
      refresh: () => session.refresh('afterOperation'),
    }),
    ...resetWorldCommands({
      ...services,
      resetWorld,
      reconnect: async () => {
        connection.reset();
        portfolio.reset();
        await refreshAll();
      },
    }),
    ...operationCommands(zaps),
    ...planCommands({ ...zaps, changePlan: async (pool, plan) => (await panels.panels()).openPool(pool, { kind: 'startPlan', plan }) }),
    ...swapCommands(zaps),
    ...rebalanceCommands({
      ...zaps,
      rebalances,
      keep: keepBatches({ ...services, state: context.globalState, nowMs: waiting.nowMs, log: log.of('rebalance') }),
      terms: () => termsOf((key) => settings.raw(key)),
      log: log.of('rebalance'),
    }),
    ...automation.handlers,
    ...noticeCommands(async () => (await notices()).commands),
    ...positionListCommands({ prompts: services.prompts, list: services.positionList }),
    ...poolCommands({
      ...services,
      query: services.poolQuery,
      saved: new SavedSearches(context.globalState),
      waiting,
      showProgress: async (work) => withProgress(VIEW.pools, work),
    }),
    ...favoriteCommands({ ...services, favorites, find: findPools, activePool: () => panels.activePool }),
    ...activityCommands(services),
    ...removalCommands({
      ...services,
      globalState: context.globalState,
      folderState: context.workspaceState,
      folder: context.globalStorageUri.fsPath,
      stopServices: () => {
        sandbox.stop();
        services.rpcService.stop();
      },
      reload: () => services.execute(RELOAD_WINDOW),
    }),
    ...assistantCommands({ ...services, folder: assistantFolder(services), isEnabled: () => settings.get('binsight.assistants.enabled') }),
    ...panelCommands({ ...services, panels: panels.panels }),
    ...generalCommands({ ...services, service, waiting, refresh: async (pace) => withProgress(VIEW.positions, () => refreshAll(pace)) }),
  };
}

/** The remote of this window, where Binsight runs outside of it. */
function remoteOf(
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  settings: Services['settings'],
  execute: Services['execute'],
): ServiceCommandDependencies['remote'] {
  const kind = vscode.env.remoteName;
  return kind === undefined || extension.extensionKind !== vscode.ExtensionKind.UI
    ? undefined
    : {
        kind,
        move: async () => {
          await settings.runInRemote(extension.id);
          await execute(RELOAD_WINDOW);
        },
      };
}

interface GeneralCommandDependencies {
  readonly portfolio: PortfolioReader;
  readonly actions: EditorActions;
  readonly owners: Pick<Owners, 'active'>;
  readonly activity: ActivityCommandDependencies['activity'];
  readonly service: () => ServiceChoice;
  readonly prompts: Pick<Prompts, 'progress'>;
  readonly refresh: (pace: RequestPace) => Promise<void>;
  /** How a refresh waits for the service's request limit. */
  readonly waiting: WaitingDependencies;
}

function generalCommands({
  portfolio,
  actions,
  owners,
  activity,
  service,
  prompts,
  refresh,
  waiting,
}: GeneralCommandDependencies): Pick<
  CommandHandlers,
  'binsight.refresh' | 'binsight.copyAddress' | 'binsight.openInExplorer' | 'binsight.showLog'
> {
  return {
    'binsight.refresh': () => withRequestWaitNotification(l10n.t('Refreshing'), prompts, waiting, refresh),
    'binsight.copyAddress': async (target) => {
      await actions.copy(target === undefined ? walletInUse(owners.active(service())) : addressOf(target, portfolio));
    },
    'binsight.openInExplorer': async (target) => {
      if (target?.kind === 'operation') {
        await openTransaction(target, { activity, actions });
        return;
      }
      const address = addressOf(target, portfolio);
      const choice = service();
      if (!hasExplorer(choice.id)) {
        throw new UserError(l10n.t('Explorers only show accounts of Solana mainnet.'));
      }
      await actions.openExternal(explorerOfAccount(address));
    },
    'binsight.showLog': () => {
      actions.showLog();
      return Promise.resolve();
    },
  };
}

function walletInUse(owner: { readonly address: Address } | undefined): Address {
  if (owner === undefined) {
    throw new UserError(l10n.t('No wallets yet. Import a wallet key or watch an address first.'), watchRemedy());
  }
  return owner.address;
}

function addressOf(target: CommandTarget | undefined, { snapshot }: PortfolioReader): Address {
  const address =
    target?.kind === 'pool' || target?.kind === 'account' || target?.kind === 'wallet'
      ? target.address
      : snapshot.positions.find(({ key }) => target?.kind === 'position' && key === target.key)?.address;
  if (address === undefined) {
    throw new UserError(l10n.t('Choose a position or a pool with an address.'));
  }
  return address;
}
