import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';

/**
 * Registers the controls of the toolkit that panels use: `vscode-button`. To be called once, before the first view; each one that is
 * registered is loaded with every panel. Fields, choices and tabs are the browser's own: what describes them (an error, a hint) has to be
 * named by its id, and ids do not reach into the toolkit's shadow trees.
 *
 * The toolkit takes the theme's colours when the page tells that it has loaded. It comes after that, for the page is to be seen before: so it is told again.
 */
export function registerControls(): void {
  if (document.readyState === 'complete') {
    window.dispatchEvent(new Event('load'));
  }
  provideVSCodeDesignSystem().register(vsCodeButton());
}
