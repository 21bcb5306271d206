import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DocumentPlace } from './editorAccess';
import { DOCUMENT_PANEL } from './names';
import { documentPage } from './views/documentPage';

/** The oldest panel is closed when another one is opened. */
const MOST_DOCUMENTS = 20;

/** Shows documents about the effect of transactions as read-only pages. They exist only in memory, load nothing and run no script. */
export class DocumentPanels implements vscode.Disposable {
  /** By title: a document that is shown again replaces the earlier one. The first one is the oldest. */
  readonly #panels = new Map<string, vscode.WebviewPanel>();

  /** Opens a document in the active editor group. */
  show(title: string, markdown: string, place?: DocumentPlace): void {
    const panel = this.#panels.get(title) ?? this.#open(title);
    panel.webview.html = documentPage({
      title,
      markdown,
      place,
      nonce: randomBytes(16).toString('base64url'),
      language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    });
    panel.reveal(undefined, false);
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) {
      panel.dispose();
    }
  }

  #open(title: string): vscode.WebviewPanel {
    const [oldest] = this.#panels.values();
    if (this.#panels.size >= MOST_DOCUMENTS) {
      oldest?.dispose();
    }
    const panel = vscode.window.createWebviewPanel(DOCUMENT_PANEL, title, vscode.ViewColumn.Active, {
      enableFindWidget: true,
      enableScripts: false,
      localResourceRoots: [],
    });
    panel.onDidDispose(() => this.#panels.delete(title));
    this.#panels.set(title, panel);
    return panel;
  }
}
