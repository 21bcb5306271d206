import * as vscode from 'vscode';
import type { RequestPace } from '../service/requestBudget';
import type { AutoRebalance } from './autoRebalance/autoRebalance';
import type { Operations } from './operations';
import type { PanelManager } from './panels/panelManager';
import type { Services } from './services';
import { registerCommands } from './shell/commands/registerCommands';
import type { CommandHandlers } from './shell/commands/runCommand';
import { lazily } from './shell/lazily';
import { SETTING, VIEW } from './shell/names';

export interface Features {
  readonly operations: Operations;
  readonly automation: AutoRebalance;
  readonly panels: PanelManager;
}

/** Registers all commands. Their handlers load with the first command. */
export function registerAllCommands(services: Services, features: Features): void {
  services.disposables.add(
    registerCommands(
      lazily(() => loadHandlers(services, features)),
      services.commandDependencies,
    ),
  );
}

async function loadHandlers(services: Services, { operations, automation, panels }: Features): Promise<CommandHandlers> {
  const all = await import('./allCommands');
  const { sandbox, settings, connection, portfolio, activity, session, service, log } = services;
  const { dependencies: waiting, runner, rebalances } = operations;
  const refreshAll = async (pace?: RequestPace): Promise<void> => {
    await Promise.all([session.refreshOrThrow(pace), activity.refresh()]);
  };
  const withProgress = <Result>(viewId: string, work: () => Promise<Result>): Thenable<Result> =>
    vscode.window.withProgress({ location: { viewId } }, work);
  const zaps = { ...services, runner, waiting, slippageBps: () => settings.get(SETTING.slippageBps) };
  return {
    ...all.serviceCommands({ ...services, setBaseUrl: (baseUrl) => settings.setBaseUrl(baseUrl) }),
    ...all.walletCommands({ ...services, airdrop: async (owner, sol) => all.airdrop(await sandbox.start(), owner, sol) }),
    ...all.sandboxCommands({
      ...services,
      resetWorld: all.resetWorld,
      reconnect: async () => {
        connection.reset();
        portfolio.reset();
        await refreshAll();
      },
    }),
    ...all.operationCommands(zaps),
    ...all.planCommands(zaps),
    ...all.rebalanceCommands({
      ...services,
      rebalances,
      operations: waiting,
      terms: () => all.termsOf((key) => settings.raw(key)),
      log: log.of('rebalance'),
    }),
    ...automation.handlers,
    ...all.poolCommands({ ...services, query: services.poolQuery, waiting, showProgress: async (work) => withProgress(VIEW.pools, work) }),
    ...all.activityCommands(services),
    ...all.panelCommands({ ...services, panels: panels.panels }),
    ...all.generalCommands({
      ...services,
      service,
      waiting,
      refresh: async (pace) => withProgress(VIEW.positions, () => refreshAll(pace)),
    }),
  };
}
