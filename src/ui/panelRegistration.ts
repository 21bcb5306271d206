import * as vscode from 'vscode';
import { PanelManager } from './panels/panelManager';
import type { Services } from './services';

/** Registers panels so that commands can open and VS Code can restore them. Their code loads with the first panel. */
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
