import * as vscode from 'vscode';
import { loadStart } from './ui/lazyLoading';
import type { Inspection } from './ui/services';
import { type CommandId, COMMANDS } from './ui/shell/commands/registry';

/**
 * Registers the ids of all commands. Services and views load right after activation, so that other extensions don't wait for them, and
 * commands wait for those.
 * @returns what tests inspect, in a test only
 */
export function activate(context: vscode.ExtensionContext): Promise<Inspection> | undefined {
  const startMs = performance.now();
  const started = loadStart().then(({ start }) => start(context));
  started.catch((error: unknown) => {
    // The texts in the user's language and the log are part of what did not start.
    void vscode.window.showErrorMessage(`Binsight did not start: ${error instanceof Error ? error.message : String(error)}`, 'OK');
  });
  for (const id of Object.keys(COMMANDS) as CommandId[]) {
    context.subscriptions.push(vscode.commands.registerCommand(id, async (argument: unknown) => (await started).run(id, argument)));
  }
  if (context.extensionMode !== vscode.ExtensionMode.Test) {
    return undefined;
  }
  const activationMs = performance.now() - startMs;
  return started.then(({ inspection }) => ({ ...inspection, activationMs }));
}
