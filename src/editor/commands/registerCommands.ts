import * as vscode from 'vscode';
import { runThroughFunnel, type CommandHandlers, type FunnelDependencies } from './funnel';
import { COMMANDS, type CommandId } from './table';

/** Registers every command of the table; the type of `handlers` sees to it that none is missing. */
export function registerCommands(handlers: CommandHandlers, dependencies: FunnelDependencies): vscode.Disposable {
  const ids = Object.keys(COMMANDS) as CommandId[];
  return vscode.Disposable.from(
    ...ids.map((id) => vscode.commands.registerCommand(id, (argument: unknown) => runThroughFunnel(id, handlers[id], argument, dependencies))),
  );
}
