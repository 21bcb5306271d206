import type { TemplateResult } from 'lit-html';
import type { CurrencyView } from '../../src/protocol/schemas';
import { segmented } from './segmented';

/** USD or SOL. Who uses it keeps the choice (`connection.save`), and goes by `ambient.currency` until there is one. */
export function currencyToggle(chosen: CurrencyView, onChoose: (currency: CurrencyView) => void): TemplateResult<1> {
  return segmented<CurrencyView>({
    id: 'currency',
    label: 'Currency',
    options: [
      { value: 'usd', label: 'USD', title: 'Figures in US dollars' },
      { value: 'native', label: 'SOL', title: 'Figures in SOL' },
    ],
    chosen,
    onChoose,
  });
}
