import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DocumentPlace } from './editorAccess';
import { DOCUMENT_PANEL } from './names';
import { documentHtml } from './views/documentHtml';
import { escapedHtml } from './views/html';
import { withOwnLinksOnly } from './views/text';

/** The oldest panel is closed when another one is opened. */
const MOST_DOCUMENTS = 20;

/** Height that the list with its title and two entries takes of the page, also without a title bar above the editor. */
const LIST_HEIGHT = '7rem';

const STYLES = `
body{margin:0;padding:16px 24px 48px;color:var(--vscode-foreground);background:var(--vscode-editor-background);font-family:var(--vscode-font-family);font-size:var(--vscode-font-size,13px);line-height:1.5}
body.below-question{padding-top:${LIST_HEIGHT}}
main{max-width:72rem;overflow-wrap:anywhere}
h1{margin:0 0 12px;font-size:1.6em;font-weight:600;line-height:1.25}
h2{margin:28px 0 8px;font-size:1.25em;font-weight:600}
h3{margin:20px 0 6px;font-size:1em;font-weight:600}
p,ul,blockquote{margin:0 0 12px}
ul{padding-left:20px}
blockquote{padding:2px 12px;border-left:3px solid var(--vscode-textBlockQuote-border,var(--vscode-descriptionForeground))}
code{font-family:var(--vscode-editor-font-family);font-size:.95em}
a{color:var(--vscode-textLink-foreground)}
.wide{overflow-x:auto;margin-bottom:12px;overflow-wrap:normal}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:inherit}
td{min-width:4em}
tr{border-bottom:1px solid var(--vscode-contrastBorder,var(--vscode-panel-border,var(--vscode-widget-border,var(--vscode-descriptionForeground))))}
thead th{font-weight:600;white-space:nowrap}
.figure{text-align:right;white-space:nowrap}
.facts{margin-bottom:12px}
.facts tr{border-bottom:0}
.facts th{min-width:9em;max-width:24em;color:var(--vscode-descriptionForeground)}
@media (max-width:479px){.facts,.facts tbody,.facts tr,.facts th,.facts td{display:block}.facts td{padding-bottom:8px}}
`;

/** Shows documents about the effect of transactions as read-only pages. They exist only in memory, load nothing and run no script. */
export class DocumentPanels implements vscode.Disposable {
  /** By title: a document that is shown again replaces the earlier one. The first one is the oldest. */
  readonly #panels = new Map<string, vscode.WebviewPanel>();

  /** Opens a document in the active editor group. */
  show(title: string, markdown: string, place?: DocumentPlace): void {
    const panel = this.#panels.get(title) ?? this.#open(title);
    panel.webview.html = documentPage(title, markdown, place, randomBytes(16).toString('base64url'));
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

function documentPage(title: string, markdown: string, place: DocumentPlace | undefined, nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapedHtml(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapedHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<style nonce="${nonce}">${STYLES}</style>
</head>
<body${place === 'belowQuestion' ? ' class="below-question"' : ''}>
<main>
${documentHtml(withOwnLinksOnly(markdown))}
</main>
</body>
</html>`;
}
