import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type BinRange, rangeAround } from '../../../src/base/dlmm/bins';
import type { Strategy } from '../../../src/base/dlmm/strategy';
import { type AskedOutlook, widthsOf } from '../../../src/base/insight/poolOutlook';
import type { CurrencyView, MoneyView } from '../../../src/protocol/schemas';
import type { Figures } from '../figures';
import type { Template } from '../rendering';

/** Other widths around the price. */
export interface OtherWidths {
  readonly strategy: Strategy;
  /** The share of the value in token X, 0 to 1. */
  readonly percentX: number;
  /** Half the width of the planned range, if the price is in its middle. */
  readonly halfWidthBins?: number | undefined;
  /** Takes a width; `undefined`: they are only to be looked at. */
  readonly take: ((range: BinRange) => void) | undefined;
  /** What the widths depend on, for comparison by identity. */
  readonly of: readonly unknown[];
}

/** What a table of widths is made of. */
export interface WidthsOf {
  readonly id: string;
  readonly asked: AskedOutlook;
  /** What is to be spread, in the unit of the outlook. */
  readonly depositY: number;
  readonly others: OtherWidths;
  readonly figures: Figures;
  readonly currency: CurrencyView;
  readonly money: (value: number) => MoneyView;
}

/** Outlooks of other widths around the price. None is recommended, unless one is clearly ahead. */
export function widthsView({ id, asked, depositY, others, figures, currency, money }: WidthsOf): TemplateResult<1> | typeof nothing {
  const { strategy, percentX, halfWidthBins, take } = others;
  const widths = widthsOf(asked, depositY, strategy, percentX);
  if (widths?.known !== true || !('own' in asked.input)) {
    return nothing;
  }
  const { activeBinId } = asked.input;
  const { text, plain } = figures;
  const amount = (value: number | null): Template => plain(text.money(value === null ? undefined : money(value), currency));
  const ahead = widths.isClear ? widths.best?.halfWidthBins : undefined;
  return html`<details class="outlook-widths">
    <summary>${l10n.t('Other widths')}</summary>
    <table class="data-table">
      <thead>
        <tr><th scope="col">${l10n.t('Bins')}</th><th scope="col">${l10n.t('In range')}</th><th scope="col" class="outlook-part">${l10n.t('Fees')}</th><th scope="col" class="outlook-part">${l10n.t('Loss')}</th><th scope="col">${l10n.t('Left')}</th></tr>
      </thead>
      <tbody>
        ${widths.rows.map(
          ({ halfWidthBins: half, timeInRange, fees, loss, net }) => html`<tr>
            <th scope="row">${take === undefined ? `±${text.count(half)}` : html`<button type="button" class="link-button" id=${`${id}-width-${half}`} aria-pressed=${half === halfWidthBins ? 'true' : 'false'} title=${l10n.t`±${text.counted(half, 'bin')} around the active bin`} @click=${() => take(rangeAround(activeBinId, half))}>±${text.count(half)}</button>`}${half === ahead ? html` <span class="badge">${l10n.t('ahead')}</span>` : nothing}</th>
            <td>${plain(text.fraction(Number(timeInRange.toPrecision(2))))}</td>
            <td class="outlook-part">${amount(fees)}</td>
            <td class="outlook-part">${amount(loss)}</td>
            <td>${amount(net)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${widths.isClear ? nothing : html`<p class="soft">${l10n.t('No width is clearly better.')}</p>`}
  </details>`;
}
