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
  #activePool: string | undefined;
  #isDisposed = false;

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
    this.#activePool = pool;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscriptions.dispose();
    this.#loaded?.dispose();
  }
}
