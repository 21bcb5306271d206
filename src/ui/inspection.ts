import type * as vscode from 'vscode';
import type { PortfolioReader } from '../portfolio/types';
import type { Activity } from './activity/activity';
import type { OperationRecords } from './activity/operationRecords';
import type { AutoRebalance } from './autoRebalance/autoRebalance';
import type { EditorActions } from './shell/editorActions';
import type { PanelManager } from './panels/panelManager';
import type { PromptSlot } from './shell/prompts/promptSlot';
import type { Owners } from './wallets/owners';
import type { SandboxPlace } from './connection/sandbox/launch';
import type { SandboxSupervisor } from './connection/sandbox/supervisor';
import type { ApiKeys } from './connection/apiKeys';
import type { ServiceConnection } from './connection/connection';
import type { ViewController } from './viewController';

/**
 * What the extension hands to tests that run inside VS Code (ExtensionMode.Test), and to nobody else: the real objects, to
 * look at them and to answer for the user.
 */
export interface Inspection {
  readonly portfolio: PortfolioReader;
  readonly activity: Activity;
  readonly records: OperationRecords;
  readonly automation: AutoRebalance;
  readonly surfaces: ViewController;
  readonly frame: PanelManager;
  readonly prompts: PromptSlot;
  /** What is used of the editor; a test may put its own function in the place of one. */
  readonly actions: EditorActions;
  /** What is kept in VS Code besides secrets. */
  readonly states: readonly vscode.Memento[];
  readonly connection: ServiceConnection;
  readonly sandbox: SandboxSupervisor;
  readonly owners: Owners;
  readonly apiKeys: ApiKeys;
  /** How long `activate` took, in milliseconds. */
  readonly activationMs: number;
  /** Where the sandbox is, and where it keeps its state. */
  readonly sandboxPlace: SandboxPlace;
}
