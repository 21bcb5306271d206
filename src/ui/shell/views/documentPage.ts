import type { DocumentPlace } from '../editorAccess';
import { documentHtml } from './documentHtml';
import { escapedHtml } from './html';
import { withOwnLinksOnly } from './text';

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

interface DocumentPage {
  readonly title: string;
  readonly markdown: string;
  readonly place: DocumentPlace | undefined;
  /** Random, used for this page only. */
  readonly nonce: string;
  /** BCP 47 tag of the document's language. */
  readonly language: string;
}

/** Renders the page of a document. Its content security policy allows nothing but its own styles. */
export function documentPage({ title, markdown, place, nonce, language }: DocumentPage): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapedHtml(language)}">
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
