import * as vscode from 'vscode';
import { COMMANDS, type CommandId } from './registry';

/** Registers all commands of `COMMANDS`. Only their ids are needed for that. */
export function registerCommands(run: (id: CommandId, argument: unknown) => Promise<void>): vscode.Disposable {
  const ids = Object.keys(COMMANDS) as CommandId[];
  return vscode.Disposable.from(...ids.map((id) => vscode.commands.registerCommand(id, (argument: unknown) => run(id, argument))));
}
