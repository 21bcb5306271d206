import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withOwnLinksOnly } from './documentLinks';
import { REVIEW_SCHEME } from './names';

/** Older documents are dropped. VS Code shows a notice in their place. */
const MOST_DOCUMENTS = 20;

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
