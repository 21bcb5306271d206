import * as l10n from '@vscode/l10n';

// The first import of every panel: text is looked up as soon as the other modules run. The host writes the translations into the page
// (src/ui/panels/panelHtml.ts); in English there are none.
const messages = document.getElementById('l10n')?.textContent;
if (messages) {
  l10n.config({ contents: messages });
}
