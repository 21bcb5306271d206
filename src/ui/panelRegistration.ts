import * as vscode from 'vscode';
import { PanelManager } from './panels/panelManager';
import type { Services } from './services';

/** Lets VS Code restore panels, and commands open them. Their code is loaded with the first one. */
export function registerPanels(services: Services): PanelManager {
  const { disposables, context, log, commandDependencies } = services;
  const parts = () => ({
    ...services,
    funnel: commandDependencies,
    log: log.of('panels'),
    locale: vscode.env.language,
    extensionUri: context.extensionUri,
  });
  return disposables.add(new PanelManager(parts, log.of('panels')));
}
