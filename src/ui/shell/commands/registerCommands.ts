import * as vscode from 'vscode';
import { runCommand, type CommandHandlers, type RunCommandDependencies } from './runCommand';
import { COMMANDS, type CommandId } from './registry';

/**
 * Registers all commands of `COMMANDS`.
 * @param handlers loads the handlers; called each time a command runs
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
