// uPlot formats numbers in the browser's language as soon as it loads, and throws if the language tag is invalid: Chromium on Linux reports
// "en-US@posix" in the locale C.UTF-8. The panel would stay empty. Import this before uPlot.

const FALLBACK = 'en-US';

// Tests under Node have no navigator.
if (typeof navigator !== 'undefined') {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: FALLBACK, configurable: true });
  }
}
