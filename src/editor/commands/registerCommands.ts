import * as vscode from 'vscode';
import { runThroughFunnel, type CommandHandlers, type FunnelDependencies } from './funnel';
import { COMMANDS, type CommandId } from './table';

/**
 * Registers every command of the table; the type of what `handlers` gives sees to it that none is missing.
 * @param handlers loads what the commands do; asked whenever one is run
 */
export function registerCommands(handlers: () => Promise<CommandHandlers>, dependencies: FunnelDependencies): vscode.Disposable {
  const ids = Object.keys(COMMANDS) as CommandId[];
  return vscode.Disposable.from(
    ...ids.map((id) => vscode.commands.registerCommand(id, (argument: unknown) => runThroughFunnel(id, async (target) => (await handlers())[id](target), argument, dependencies))),
  );
}
