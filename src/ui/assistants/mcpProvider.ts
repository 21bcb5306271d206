import * as vscode from 'vscode';

/** What starts the MCP server for this window. */
export interface McpLaunch {
  /** dist/mcp.js */
  readonly script: string;
  readonly sessions: string;
  readonly session: string;
  readonly version: string;
}

/** Offers the MCP server of this window to VS Code while there is one. */
export class McpProvider implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.#changed.event;
  #launch: McpLaunch | undefined;

  /** @param launch `undefined`: none is offered */
  offer(launch: McpLaunch | undefined): void {
    this.#launch = launch;
    this.#changed.fire();
  }

  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    if (this.#launch === undefined) {
      return [];
    }
    const { script, sessions, session, version } = this.#launch;
    const args = [script, '--sessions', sessions, '--session', session];
    return [new vscode.McpStdioServerDefinition('Binsight', process.execPath, args, { ELECTRON_RUN_AS_NODE: '1' }, version)];
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
