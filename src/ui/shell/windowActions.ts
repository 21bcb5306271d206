import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EditorActions } from './editorAccess';
import { REVIEW_SCHEME, VIEW } from './names';
import { withOwnLinksOnly } from './views/text';

/** Older documents are dropped. VS Code shows a notice in their place. */
const MOST_DOCUMENTS = 20;

/** Implements {@link EditorActions} with VS Code. */
export function windowActions(channel: vscode.LogOutputChannel, documents: ReviewDocuments): EditorActions {
  return {
    showLog: () => channel.show(),
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(`$(check) ${l10n.t('Copied')}`, 2_000);
    },
    openExternal: async (url) => {
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    showDocument: (title, markdown) => documents.show(title, markdown),
    saveText: async ({ title, name, text, isWanted }) => {
      // Not in the open folder: the file would end up under its version control.
      const defaultUri = vscode.Uri.joinPath(vscode.Uri.file(homedir()), name);
      const uri = await vscode.window.showSaveDialog({
        title,
        defaultUri,
        filters: name.endsWith('.csv') ? { CSV: ['csv'] } : { JSON: ['json'] },
      });
      if (uri === undefined || isWanted?.() === false) {
        return undefined;
      }
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      return basename(uri.path);
    },
    focusPositions: async () => {
      await vscode.commands.executeCommand(`${VIEW.positions}.focus`);
    },
    focusActivity: async () => {
      await vscode.commands.executeCommand(`${VIEW.activity}.focus`);
    },
  };
}

/** Read-only documents about the effect of transactions. They exist only in memory. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #contents = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #opened = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#contents.get(uri.toString()) ??
      `${l10n.t('This document is no longer available. Open it again from the operation or review that it belongs to.')}\n`
    );
  }

  /** Opens a document in the active editor group. */
  async show(title: string, markdown: string): Promise<void> {
    this.#opened += 1;
    const name = title.replace(/[^\p{L}\p{N} .%-]/gu, '_');
    const uri = vscode.Uri.from({ scheme: REVIEW_SCHEME, path: `/${this.#opened}/${name}.md` });
    this.#contents.set(uri.toString(), withOwnLinksOnly(markdown));
    const [oldest] = this.#contents.keys();
    if (this.#contents.size > MOST_DOCUMENTS && oldest !== undefined) {
      this.#contents.delete(oldest);
    }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
