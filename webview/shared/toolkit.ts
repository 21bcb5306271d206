import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Registers the toolkit controls that panels use. Call once, before the first view. Every registered control is loaded with every panel. README.md
 * says why the others stay native.
 *
 * The toolkit reads the theme's colors on the page's `load` event. Scripts run after it, since the page is shown first, so the event is repeated.
 */
export function registerControls(): void {
  if (document.readyState === 'complete') {
    window.dispatchEvent(new Event('load'));
  }
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeCheckbox(), vsCodeRadio(), vsCodeRadioGroup(), vsCodeTextField());
}
