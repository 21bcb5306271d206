import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';

/**
 * Registers the toolkit controls that panels use: `vscode-button`. Call once, before the first view. Every registered control is loaded with
 * every panel. Fields, choices and tabs are native: errors and hints are referenced by id, and ids do not reach into the toolkit's shadow trees.
 *
 * The toolkit reads the theme's colors on the page's `load` event. Scripts run after it, since the page is shown first, so the event is repeated.
 */
export function registerControls(): void {
  if (document.readyState === 'complete') {
    window.dispatchEvent(new Event('load'));
  }
  provideVSCodeDesignSystem().register(vsCodeButton());
}
