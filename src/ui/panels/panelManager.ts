import * as vscode from 'vscode';
import { lazily } from '../../base/async/concurrency';
import { describeError, type LogFunction } from '../shell/log';
import { PANEL } from '../shell/names';
import type { PanelId } from './panelHtml';
import type { PanelRegistry } from './panels';

/** Opens and restores panels. Their code is loaded with the first panel. */
export class PanelManager implements vscode.Disposable {
  /** Loads the panels' code on the first call. */
  readonly panels: () => Promise<PanelRegistry>;
  readonly #subscriptions: vscode.Disposable;
  #loaded: PanelRegistry | undefined;
  readonly #activePoolChanges = new vscode.EventEmitter<void>();
  #activePool: string | undefined;
  #isDisposed = false;

  /** Fires when another pool, or none, is in the active panel. */
  readonly onDidChangeActivePool = this.#activePoolChanges.event;

  constructor(create: () => Promise<PanelRegistry>, log: LogFunction) {
    this.panels = lazily(async () => {
      const panels = await create();
      this.#loaded = panels;
      if (this.#isDisposed) {
        panels.dispose();
      }
      return panels;
    });
    const ids = Object.keys(PANEL) as PanelId[];
    this.#subscriptions = vscode.Disposable.from(
      ...ids.map((id) =>
        vscode.window.registerWebviewPanelSerializer(PANEL[id], {
          deserializeWebviewPanel: async (panel, state: unknown) => {
            try {
              (await this.panels()).revive(id, panel, state);
            } catch (error) {
              log('error', `A ${id} panel could not be brought back: ${describeError(error)}`);
              panel.dispose();
            }
          },
        }),
      ),
    );
  }

  /** Address of the pool in the active panel; `undefined`: no panel of a pool is active. */
  get activePool(): string | undefined {
    return this.#activePool;
  }

  /** To be called with the pool in the active panel. */
  showsPool(pool: string | undefined): void {
    if (pool !== this.#activePool) {
      this.#activePool = pool;
      this.#activePoolChanges.fire();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#activePoolChanges.dispose();
    this.#subscriptions.dispose();
    this.#loaded?.dispose();
  }
}
