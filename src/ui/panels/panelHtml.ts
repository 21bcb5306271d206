import * as l10n from '@vscode/l10n';
import { RELOAD_WINDOW, replacedText } from '../shell/errors';
import type { PANEL } from '../shell/names';
import { escapedHtml } from '../shell/views/html';

/**
 * Styles of the skeleton, which is shown before the panel's style sheet is loaded. They are excerpts of webview/shared/page.css, so nothing moves
 * when that arrives.
 */
export const FIRST_STYLES = `
*,*::before,*::after{box-sizing:border-box}
html{scrollbar-gutter:stable}
body{margin:0;padding:16px;color:var(--vscode-foreground);background:var(--vscode-editor-background);font-family:var(--vscode-font-family);font-size:var(--vscode-font-size,13px);line-height:1.45}
.page{display:flex;flex-direction:column;gap:24px;max-width:1560px;margin:0 auto;min-width:0}
@media (max-width:479px){body{padding:8px}.page{gap:16px}}
h1{margin:0;font-weight:600;line-height:1.25;overflow-wrap:anywhere;font-size:1.6em}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13.5rem),1fr));gap:8px}
.card{min-width:0;padding:10px 12px;border:1px solid var(--vscode-contrastBorder,var(--vscode-panel-border,var(--vscode-widget-border,var(--vscode-descriptionForeground))));border-radius:4px;background:var(--vscode-editorWidget-background,var(--vscode-editor-background))}
.skeleton-lines{display:flex;flex-direction:column;gap:8px}
.skeleton{display:block;height:1.1em;border-radius:4px;background:color-mix(in srgb,var(--vscode-foreground) 12%,transparent)}
.skeleton-block{height:15rem}
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

/**
 * Loads the panel's style sheet and script, named by attributes of its own element. VS Code shows a page once everything that the page references
 * is loaded and run, so the page references neither. The script is preloaded and runs once the styles are there.
 */
export const FIRST_SCRIPT = `
{
  const { dataset, nonce } = document.currentScript;
  const link = (rel, href) => document.head.appendChild(Object.assign(document.createElement('link'), { rel, nonce, href }));
  link('modulepreload', dataset.script);
  addEventListener('load', () => {
    const styles = link('stylesheet', dataset.style);
    styles.onload = styles.onerror = () => import(dataset.script);
  }, { once: true });
}
`;

export type PanelId = keyof typeof PANEL;

export interface PanelPage {
  readonly id: PanelId;
  /** Shown before the data is loaded. May come from the network; escaped by {@link panelHtml}. */
  readonly title: string;
  /** A pool's address or a position's key; empty for the overview. Escaped by {@link panelHtml}. */
  readonly subject: string;
  /** Random, used for this page only. */
  readonly nonce: string;
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** Webview URIs of the script and the style sheet. */
  readonly script: string;
  readonly style: string;
  /** BCP 47 tag of the language that the panel's text is in. */
  readonly language: string;
  /** Translations of the text in the panel, by the English text; `undefined` in English. */
  readonly messages: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Renders a panel's page: a skeleton that is shown before anything else is loaded, and the script that loads the rest. The content security policy
 * allows scripts by nonce only, and style sheets, images and fonts from the extension's own folder only. The toolkit adds a style sheet, which is
 * allowed by the nonce that it reads from the page's `csp-nonce` element.
 */
export function panelHtml({ id, title, subject, nonce, cspSource, script, style, language, messages }: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `img-src ${cspSource}`,
    `font-src ${cspSource}`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // These two do not fall back to default-src.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapedHtml(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapedHtml(policy)}">
<meta property="csp-nonce" content="${escapedHtml(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<style nonce="${escapedHtml(nonce)}">${FIRST_STYLES}</style>
<script nonce="${escapedHtml(nonce)}" data-script="${escapedHtml(script)}" data-style="${escapedHtml(style)}">${FIRST_SCRIPT}</script>
${messages === undefined ? '' : `<script type="application/json" id="l10n">${jsonInHtml(messages)}</script>\n`}</head>
<body data-panel="${id}" data-subject="${escapedHtml(subject)}">
<div id="root">
<main class="page" aria-busy="true">
<header class="page-header"><h1>${escapedHtml(title)}</h1></header>
<p class="visually-hidden" role="status">${escapedHtml(l10n.t('Loading…'))}</p>
${CARDS[id].map((count) => `<div class="cards" aria-hidden="true">${CARD.repeat(count)}</div>\n`).join('')}<div class="skeleton skeleton-block" aria-hidden="true"></div>
</main>
</div>
</body>
</html>`;
}

/** Renders the page of a panel once the files of the extension were replaced. It needs none of them, and runs no script. */
export function replacedHtml(language: string): string {
  return `<!DOCTYPE html>
<html lang="${escapedHtml(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<style>${FIRST_STYLES}a{color:var(--vscode-textLink-foreground)}</style>
</head>
<body>
<p role="alert">${escapedHtml(replacedText())}</p>
<p><a href="command:${RELOAD_WINDOW}">${escapedHtml(l10n.t('Reload Window'))}</a></p>
</body>
</html>`;
}

/** Numbers of cards in the rows of the skeleton, about as many as the panel has. */
const CARDS: Readonly<Record<PanelId, readonly number[]>> = { pool: [4], overview: [4, 5], position: [6] };

const CARD = '<div class="card skeleton-lines"><span class="skeleton"></span><span class="skeleton"></span></div>';

/** Serializes JSON so that it cannot close the script element around it. */
function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
