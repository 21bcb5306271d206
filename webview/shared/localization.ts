import * as l10n from '@vscode/l10n';

// The first import of every panel, so translations are configured before other modules run. The extension writes them into the page
// (src/ui/panels/panelHtml.ts); in English there are none.
const messages = document.getElementById('l10n')?.textContent;
if (messages) {
  l10n.config({ contents: messages });
}
