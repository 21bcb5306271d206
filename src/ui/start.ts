import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createServices, developmentVariable } from './createServices';
import {
  registerAutoRebalance,
  registerAssistants,
  registerFavorites,
  registerLineages,
  registerNotices,
  registerOperations,
  registerPanels,
  registerViews,
  registerWalletGroups,
  registerWalletView,
  runAllCommands,
  watchInstallation,
  watchSecrets,
} from './features';
import type { RunCommand, StartedExtension } from './services';
import { SYNCED_STATE, VIEW } from './shell/names';

/** Set by `npm start` and tests: shows the views at each start. */
const SHOW_VARIABLE = 'BINSIGHT_SHOW';

/** Creates the shared services, registers the features and starts the first read. It sends no network request before it returns. */
export function start(context: vscode.ExtensionContext): StartedExtension {
  // English needs no bundle: its texts are in the code.
  if (vscode.l10n.bundle !== undefined) {
    l10n.config({ contents: vscode.l10n.bundle });
  }
  const services = createServices(context);
  watchSecrets(services);
  watchInstallation(services);
  const operations = registerOperations(services, async (record) => (await notices()).reportFound(record));
  const views = registerViews(services);
  const automation = registerAutoRebalance(services, operations, views);
  const panels = registerPanels(services);
  registerWalletView(services, views);
  registerWalletGroups(services, views);
  registerLineages(services);
  registerAssistants(services);
  const favorites = registerFavorites(services, views);
  const features = { operations, automation, panels, favorites };
  const notices = registerNotices(services, features);
  const run: RunCommand = runAllCommands(services, { ...features, notices });

  const { version } = context.extension.packageJSON as { readonly version: string };
  services.log.of('editor')('info', `Binsight ${version} in VS Code ${vscode.version}; service: ${services.connection.choice.name}`);
  context.globalState.setKeysForSync(Object.values(SYNCED_STATE));
  services.owners.takeSynced().catch(services.onError);
  void services.session.refresh('startup');
  automation.begin();
  if (developmentVariable(context, SHOW_VARIABLE) !== undefined) {
    services.execute(`${VIEW.positions}.focus`).catch(services.onError);
  }
  return {
    run,
    inspection: {
      ...services,
      rules: services.settings.rules,
      automation,
      views,
      panels,
      favorites,
      states: [context.globalState, context.workspaceState],
    },
  };
}
