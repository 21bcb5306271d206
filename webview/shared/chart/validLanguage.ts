// uPlot formats numbers in the browser's language as soon as it is loaded, and throws where the browser reports no valid language tag: Chromium
// on Linux reports "en-US@posix" in the locale C.UTF-8. A panel would stay empty then. To be imported before uPlot.

const FALLBACK = 'en-US';

// There is none in tests under Node.
if (typeof navigator !== 'undefined') {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: FALLBACK, configurable: true });
  }
}
