import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Registers the controls that panels use: `vscode-button`, `-checkbox`, `-dropdown` with `-option`, `-panels` with `-panel-tab` and
 * `-panel-view`, `-progress-ring`, `-radio-group` with `-radio`, and `-text-field`. To be called once, before the first view.
 *
 * The toolkit takes the theme's colours when the page has loaded, and has to be there by then: it cannot be loaded later.
 */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeProgressRing(),
    vsCodeRadio(),
    vsCodeRadioGroup(),
    vsCodeTextField(),
  );
}
