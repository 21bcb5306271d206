import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CurrencyView } from '../../src/protocol/schemas';

/** A choice between a few visible options. */
export interface Segmented<Value extends string> {
  /** Unique on the page. */
  readonly id: string;
  /** Name of the choice, for screen readers. */
  readonly label: string;
  /** `title`: the full name if the label is short. */
  readonly options: readonly { readonly value: Value; readonly label: string; readonly title?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** Radio buttons that look like a segmented control: arrow keys choose, Tab moves on. */
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

/** USD or SOL. The caller saves the choice (`connection.save`) and uses `ambient.currency` until there is one. */
export function currencyToggle(chosen: CurrencyView, onChoose: (currency: CurrencyView) => void): TemplateResult<1> {
  return segmented<CurrencyView>({
    id: 'currency',
    label: l10n.t('Currency'),
    options: [
      { value: 'usd', label: 'USD', title: l10n.t('Figures in US dollars') },
      { value: 'native', label: 'SOL', title: l10n.t('Figures in SOL') },
    ],
    chosen,
    onChoose,
  });
}
