import * as vscode from 'vscode';
import { runCommand, type CommandHandlers, type RunCommandDependencies } from './runCommand';
import { COMMANDS, type CommandId } from './registry';

/**
 * Registers every command of the table; the type of what `handlers` gives sees to it that none is missing.
 * @param handlers loads what the commands do; asked whenever one is run
 */
export function registerCommands(handlers: () => Promise<CommandHandlers>, dependencies: RunCommandDependencies): vscode.Disposable {
  const ids = Object.keys(COMMANDS) as CommandId[];
  return vscode.Disposable.from(
    ...ids.map((id) =>
      vscode.commands.registerCommand(id, (argument: unknown) =>
        runCommand(id, async (target) => (await handlers())[id](target), argument, dependencies),
      ),
    ),
  );
}
