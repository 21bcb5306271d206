import type { PANEL } from '../names';
import { FIRST_SCRIPT, FIRST_STYLES } from './firstPaint';

/** Which panel. */
export type PanelId = keyof typeof PANEL;

/** What the page of a panel is made with. */
export interface PanelPage {
  readonly id: PanelId;
  /** Shown before anything is known. May come from the network: it is escaped here. */
  readonly title: string;
  /** What the panel is about; escaped here. */
  readonly subject: string;
  /** Used for this page alone, and not to be guessed. */
  readonly nonce: string;
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** Where its script and its style sheet are, as the webview reaches them. */
  readonly script: string;
  readonly style: string;
}

/**
 * Gives the page of a panel: a picture of what comes, which is seen before anything else is loaded, and the script that brings the rest
 * (firstPaint.ts). Its policy lets in nothing from elsewhere: scripts and what they import by the nonce, style sheets, pictures and fonts from our folder. The
 * toolkit puts a style sheet of its own into the page, which is let in by the nonce that it reads from the page (house-style.md §2.1).
 */
export function panelHtml({ id, title, subject, nonce, cspSource, script, style }: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `img-src ${cspSource}`,
    `font-src ${cspSource}`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // These two do not go by default-src.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta property="csp-nonce" content="${escaped(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style nonce="${escaped(nonce)}">${FIRST_STYLES}</style>
<script nonce="${escaped(nonce)}" data-script="${escaped(script)}" data-style="${escaped(style)}">${FIRST_SCRIPT}</script>
</head>
<body data-panel="${id}" data-subject="${escaped(subject)}">
<div id="root">
<main class="page" aria-busy="true">
<header class="page-header"><h1>${escaped(title)}</h1></header>
<p class="visually-hidden" role="status">Loading…</p>
<div class="cards" aria-hidden="true">${CARD.repeat(CARDS[id])}</div>
<div class="skeleton skeleton-block" aria-hidden="true"></div>
</main>
</div>
</body>
</html>`;
}

/** About as many cards as the panel has on top. */
const CARDS: Readonly<Record<PanelId, number>> = { pool: 6, overview: 8, position: 4 };

const CARD = '<div class="card skeleton-lines"><span class="skeleton"></span><span class="skeleton"></span></div>';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Gives a text fit to stand in HTML, also between quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
