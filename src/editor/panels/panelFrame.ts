import * as vscode from 'vscode';
import { lazily } from '../lazily';
import { describeError, type LogFunction } from '../log/log';
import { PANEL } from '../names';
import type { PanelId } from './panelHtml';
import type { Panels, PanelsDependencies } from './panels';

/** The panels' place in the window: nothing of them is loaded before the first is opened, or VS Code brings one back. */
export class PanelFrame implements vscode.Disposable {
  /** Gives the panels; loads their code on the first call. */
  readonly panels: () => Promise<Panels>;
  private readonly subscriptions: vscode.Disposable;
  private loaded: Panels | undefined;
  private isDisposed = false;

  constructor(dependencies: () => PanelsDependencies, log: LogFunction) {
    this.panels = lazily(async () => {
      const { Panels } = await import('./panels');
      const panels = new Panels(dependencies());
      this.loaded = panels;
      if (this.isDisposed) {
        panels.dispose();
      }
      return panels;
    });
    const ids = Object.keys(PANEL) as PanelId[];
    this.subscriptions = vscode.Disposable.from(
      ...ids.map((id) =>
        vscode.window.registerWebviewPanelSerializer(PANEL[id], {
          deserializeWebviewPanel: async (panel, state: unknown) => {
            try {
              await (await this.panels()).revive(id, panel, state);
            } catch (error) {
              log('error', `A ${id} panel could not be brought back: ${describeError(error)}`);
              panel.dispose();
            }
          },
        }),
      ),
    );
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscriptions.dispose();
    this.loaded?.dispose();
  }
}
