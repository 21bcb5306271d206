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
 * The real objects, which the extension exports only to tests inside VS Code (`ExtensionMode.Test`): tests inspect them and answer
 * for the user.
 */
export interface Inspection {
  readonly portfolio: PortfolioReader;
  readonly activity: Activity;
  readonly records: Pick<OperationRecords, 'journal'>;
  readonly automation: AutoRebalance;
  readonly surfaces: ViewController;
  readonly frame: PanelManager;
  readonly prompts: PromptSlot;
  /** A test may replace single functions. */
  readonly actions: EditorActions;
  /** State that VS Code keeps, except secrets. */
  readonly states: readonly vscode.Memento[];
  readonly connection: ServiceConnection;
  readonly sandbox: SandboxSupervisor;
  readonly owners: Owners;
  readonly apiKeys: ApiKeys;
  /** Duration of `activate`, in milliseconds. */
  readonly activationMs: number;
  readonly sandboxPlace: SandboxPlace;
}
