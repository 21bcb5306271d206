import * as vscode from 'vscode';
import { AutoRebalance } from './autoRebalance/autoRebalance';
import type { Operations } from './operations';
import type { Services } from './services';
import { CONTEXT } from './shell/names';
import type { ViewController } from './viewController';

/** Creates auto-rebalance. It resumes if it was left on. */
export function registerAutoRebalance(services: Services, { rebalances }: Operations, { contextKeys }: ViewController): AutoRebalance {
  const { disposables, context, log } = services;
  const automation = new AutoRebalance({
    ...services,
    log: log.of('automation'),
    runs: rebalances,
    secrets: context.secrets,
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'automation').fsPath,
    onDidGrantTrust: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener),
    setOn: (isOn) => contextKeys.set(CONTEXT.isAutomationOn, isOn),
  });
  return disposables.add(automation);
}
