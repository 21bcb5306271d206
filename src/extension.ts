import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Inspection, StartedExtension } from './ui/services';
import { COMMAND_IDS } from './settings/generated/commandIds';

/**
 * Registers the ids of all commands. Services and views load right after activation, so that other extensions don't wait for them, and
 * commands wait for those. If that fails, each command reports the error, and VS Code logs it.
 * @returns what tests inspect, in a test only
 */
export function activate(context: vscode.ExtensionContext): Promise<Inspection> | undefined {
  const beginMs = performance.now();
  const started = startLater(context);
  for (const id of COMMAND_IDS) {
    context.subscriptions.push(
      vscode.commands.registerCommand(id, async (clicked: unknown, rows: unknown) => (await started).run(id, argumentOf(clicked, rows))),
    );
  }
  if (context.extensionMode !== vscode.ExtensionMode.Test) {
    return undefined;
  }
  const activationMs = performance.now() - beginMs;
  return started.then(({ inspection }) => ({ ...inspection, activationMs, startMs: performance.now() - beginMs - activationMs }));
}

/** One argument from the two that a view passes: the row that was clicked, and all selected ones if it is one of several. */
function argumentOf(clicked: unknown, rows: unknown): unknown {
  return Array.isArray(rows) && rows.length > 1 ? { kind: 'selection', clicked, rows } : clicked;
}

/** Creates services and views. `import()` itself keeps the extension host busy, so it waits for the next turn of the event loop. */
async function startLater(context: vscode.ExtensionContext): Promise<StartedExtension> {
  await setImmediate();
  const { start } = await import('./ui/start');
  return start(context);
}
