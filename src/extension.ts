import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createServices } from './ui/createServices';
import {
  registerAllCommands,
  registerAutoRebalance,
  registerNotices,
  registerOperations,
  registerPanels,
  registerViews,
  registerWalletView,
} from './ui/features';
import type { Inspection } from './ui/services';
import { introduceOnce } from './ui/shell/firstRun';

/** Creates the shared services, registers the features and starts the first read. It sends no network request before it returns. */
export function activate(context: vscode.ExtensionContext): Inspection | undefined {
  const start = performance.now();
  // English needs no bundle: its texts are in the code.
  if (vscode.l10n.bundle !== undefined) {
    l10n.config({ contents: vscode.l10n.bundle });
  }
  const services = createServices(context);
  const operations = registerOperations(services);
  const views = registerViews(services);
  const automation = registerAutoRebalance(services, operations, views);
  const panels = registerPanels(services);
  registerWalletView(services, views);
  registerNotices(services, panels);
  registerAllCommands(services, { operations, automation, panels });

  const { version } = context.extension.packageJSON as { readonly version: string };
  services.log.of('editor')('info', `Binsight ${version} in VS Code ${vscode.version}; service: ${services.connection.choice.name}`);
  void services.session.refresh('startup');
  automation.begin();
  introduceOnce(context.globalState, services.execute).catch(services.onError);
  if (context.extensionMode !== vscode.ExtensionMode.Test) {
    return undefined;
  }
  const states = [context.globalState, context.workspaceState];
  return { ...services, automation, views, panels, states, activationMs: performance.now() - start };
}
