import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CurrencyView } from '../../src/protocol/schemas';

/** One of a few, of which all are in sight: a row of buttons, of which one is pressed in. */
export interface Segmented<Value extends string> {
  /** Not used twice on the page. */
  readonly id: string;
  /** What is chosen here, for a screen reader. */
  readonly label: string;
  /** `title`: the whole word where the label is short. */
  readonly options: readonly { readonly value: Value; readonly label: string; readonly title?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** Radio buttons that look like one row of buttons: arrow keys choose, Tab goes on. */
export function segmented<Value extends string>({ id, label, options, chosen, onChoose }: Segmented<Value>): TemplateResult<1> {
  return html`<fieldset class="segmented">
    <legend class="visually-hidden">${label}</legend>
    ${options.map(
      (option) => html`<label title=${option.title ?? option.label}>
        <input type="radio" name=${id} value=${option.value} .checked=${live(option.value === chosen)} @change=${() => onChoose(option.value)} />
        <span>${option.label}</span>
      </label>`,
    )}
  </fieldset>`;
}

/** USD or SOL. Who uses it keeps the choice (`connection.save`), and goes by `ambient.currency` until there is one. */
export function currencyToggle(chosen: CurrencyView, onChoose: (currency: CurrencyView) => void): TemplateResult<1> {
  return segmented<CurrencyView>({
    id: 'currency',
    label: 'Currency',
    options: [
      { value: 'usd', label: 'USD', title: l10n.t('Figures in US dollars') },
      { value: 'native', label: 'SOL', title: l10n.t('Figures in SOL') },
    ],
    chosen,
    onChoose,
  });
}
