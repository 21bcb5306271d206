import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import { createRunTool, type RunTool, type ToolAnswer } from '../../assistants/runTool';
import type { Clock, Subscription } from '../../base/async/clock';
import { Mutex } from '../../base/async/concurrency';
import { DisposableStore } from '../../base/async/disposables';
import { type OperationKind, operationNoun } from '../../base/operationKinds';
import type { CommandId } from '../../settings/generated/commandIds';
import { describeError, type LogFunction } from '../shell/log';
import { MCP_PROVIDER } from '../shell/names';
import { ProposalCommands } from './proposalCommands';
import { createSession, removeSocket, SessionAnnouncement } from './sessionAnnouncement';
import { ToolServer } from './toolServer';
import { windowReads, type WindowReadsDependencies } from './windowReads';
import { type ToolName, TOOLS } from '../../assistants/definitions';

export interface AssistantsDependencies extends WindowReadsDependencies {
  /** dist/mcp.js */
  readonly program: string;
  readonly version: string;
  /** @throws ReplacedError if the program is of another build than this window */
  readonly assertIntact: () => Promise<void>;
  /** Where all windows announce themselves, in the storage of the extension. */
  readonly folder: string;
  /** The setting. */
  readonly isEnabled: () => boolean;
  readonly onDidChangeSetting: (listener: () => void) => Subscription;
  readonly isTrusted: () => boolean;
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  /** Keeps a secret out of the log. */
  readonly hide: (secret: string) => void;
  readonly clock: Clock;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/**
 * Offers Binsight to assistants while the setting is on and the folder is trusted: as tools in VS Code and, through a local socket, as an MCP
 * server. Otherwise nothing is registered and nothing listens.
 */
export class Assistants {
  readonly #dependencies: AssistantsDependencies;
  readonly #subscriptions = new DisposableStore();
  readonly #provider = new McpProvider();
  /** Switching on takes a while, and the setting can change meanwhile. */
  readonly #switching = new Mutex();
  #offered: DisposableStore | undefined;

  constructor(dependencies: AssistantsDependencies) {
    this.#dependencies = dependencies;
    this.#subscriptions.add(
      this.#provider,
      vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, this.#provider),
      dependencies.onDidChangeSetting(() => this.#update()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#update()),
    );
    this.#update();
  }

  dispose(): void {
    this.#offered?.dispose();
    this.#offered = undefined;
    this.#subscriptions.dispose();
  }

  #update(): void {
    const { onError } = this.#dependencies;
    this.#switching.take(() => this.#switch()).catch(onError);
  }

  async #switch(): Promise<void> {
    const { isEnabled, isTrusted, log } = this.#dependencies;
    const isOn = isEnabled() && isTrusted() && !this.#subscriptions.isDisposed;
    if (isOn === (this.#offered !== undefined)) {
      return;
    }
    this.#offered?.dispose();
    this.#offered = undefined;
    if (isOn) {
      this.#offered = await this.#offer();
      log('info', 'Assistants can use the tools of this window');
      // The window may have closed meanwhile.
      this.#disposeIfClosed();
    } else {
      log('info', 'Assistants can no longer use the tools of this window');
    }
  }

  #disposeIfClosed(): void {
    if (this.#subscriptions.isDisposed) {
      this.dispose();
    }
  }

  async #offer(): Promise<DisposableStore> {
    const { clock, log, onError } = this.#dependencies;
    const proposals = new ProposalCommands({ ...this.#dependencies, nowMs: () => clock.now() });
    const run = createRunTool({
      reads: windowReads(this.#dependencies),
      propose: (proposal) => proposals.propose(proposal),
      nowMs: () => clock.now(),
      onError: (error) => log('warn', `A tool of an assistant failed: ${describeError(error)}`),
    });
    const offered = new DisposableStore();
    offered.add(registerEditorTools(run));
    // The tools in VS Code work without the socket.
    await this.#listen(run, offered).catch(onError);
    return offered;
  }

  async #listen(run: ReturnType<typeof createRunTool>, offered: DisposableStore): Promise<void> {
    const { clock, log, onError, hide, folder, program, version, assertIntact } = this.#dependencies;
    const session = await createSession();
    hide(session.secret);
    offered.add({ dispose: () => removeSocket(session) });
    const server = offered.add(new ToolServer({ run, secret: session.secret, log }));
    await server.listen(session.socket);
    const announcement = new SessionAnnouncement(folder, session);
    offered.add({ dispose: () => announcement.remove() });
    await assertIntact();
    await announcement.publish(program, windowName(), clock.now());
    const announce = (): void => {
      announcement.update(windowName(), clock.now()).catch(onError);
    };
    offered.add(
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? announce() : undefined)),
      vscode.workspace.onDidChangeWorkspaceFolders(announce),
      { dispose: () => this.#provider.offer(undefined) },
    );
    this.#provider.offer({ script: program, sessions: folder, session: session.id, version });
  }
}

/** The name by which an assistant can choose this window; empty: no folder is open. */
function windowName(): string {
  return vscode.workspace.name ?? basename(vscode.workspace.workspaceFolders?.[0]?.uri.path ?? '');
}

const PROPOSALS: Readonly<Partial<Record<ToolName, OperationKind>>> = {
  binsight_propose_zap_out: 'zapOut',
  binsight_propose_zap_in: 'zapIn',
  binsight_propose_claim: 'claim',
  binsight_propose_rebalance: 'rebalance',
};

/** Offers the tools to the assistants in VS Code. Package.json describes them. */
function registerEditorTools(run: RunTool): vscode.Disposable {
  const registered = new DisposableStore();
  for (const name of Object.keys(TOOLS)) {
    registered.add(vscode.lm.registerTool(name, new EditorTool(name, run)));
  }
  return registered;
}

const JSON_TYPE = 'application/json';

class EditorTool implements vscode.LanguageModelTool<unknown> {
  readonly #name: string;
  readonly #run: RunTool;

  constructor(name: string, run: RunTool) {
    this.#name = name;
    this.#run = run;
  }

  /** A proposal interrupts the user, so VS Code asks before. The values come up in Binsight's own dialog: a model could write anything here. */
  prepareInvocation(): vscode.PreparedToolInvocation {
    const kind = Object.entries(PROPOSALS).find(([name]) => name === this.#name)?.[1];
    const title = kind === undefined ? undefined : l10n.t`Propose in Binsight: ${operationNoun(kind)}`;
    return title === undefined ? {} : { confirmationMessages: { title, message: l10n.t('Nothing is signed without your confirmation.') } };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      return editorResult(await this.#run(this.#name, input, controller.signal));
    } finally {
      subscription.dispose();
    }
  }
}

/** Data beside text, newer than the VS Code that Binsight needs at least (1.101). */
interface DataParts {
  readonly LanguageModelDataPart?: { json(value: unknown, mime?: string): unknown };
}

/** The answer as text, which every model reads, and as JSON where VS Code has a part for it. */
function editorResult({ json, isError }: ToolAnswer): vscode.LanguageModelToolResult {
  const result = new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(json)]);
  const data = (vscode as DataParts).LanguageModelDataPart;
  if (!isError && data !== undefined) {
    result.content.push(data.json(JSON.parse(json), JSON_TYPE));
  }
  return result;
}

/** What starts the MCP server for this window. */
export interface McpLaunch {
  /** dist/mcp.js */
  readonly script: string;
  readonly sessions: string;
  readonly session: string;
  readonly version: string;
}

/** Offers the MCP server of this window to VS Code while there is one. */
class McpProvider implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> {
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
