import * as l10n from '@vscode/l10n';

// The first import of every panel: this has to run before any other module is loaded.

// The extension writes the translations into the page (src/ui/panels/panelHtml.ts); in English there are none.
const messages = document.getElementById('l10n')?.textContent;
if (messages) {
  l10n.config({ contents: messages });
}

// uPlot formats numbers in the browser's language as soon as it loads, and throws if the language tag is invalid: Chromium on Linux reports
// "en-US@posix" in the locale C.UTF-8. The panel would stay empty.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
