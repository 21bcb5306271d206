import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { OpenRow, OpenTotals } from '../../src/protocol/overview';
import { icon } from '../shared/controls';
import { rangeGauge } from '../shared/rangeGauge';
import type { Template } from '../shared/rendering';
import { currencyOf, type OverviewActions, type OverviewState } from './state';

/** The open positions, those that need attention first, each with its range and the price in it. */
export function openTable(state: OverviewState, { count, rows }: OpenTotals, { post }: OverviewActions): TemplateResult<1> {
  const canSign = state.ambient?.canSign === true;
  const first = rows.find((row) => isOut(row) && row.poolType === 'dlmm');
  return html`${first === undefined || !canSign ? nothing : attention(first, () => post({ kind: 'rebalance', key: first.key }))}
    <div class="open-region" role="region" aria-label=${l10n.t`${l10n.t('Open positions')} as a table`} tabindex="0">
      <table class="data-table open-table">
        <thead>
          <tr>
            <th scope="col">${l10n.t('Position')}</th>
            <th scope="col" class="range-column">${l10n.t('Range')}</th>
            <th scope="col" class="value-column">${l10n.t('Value')}</th>
            <th scope="col">${l10n.t('PnL')}</th>
            <th scope="col" class="fees-column">${l10n.t('Unclaimed fees')}</th>
          </tr>
        </thead>
        <tbody>${rows.map((row) => rowOf(state, row, () => post({ kind: 'openPosition', key: row.key })))}</tbody>
      </table>
    </div>
    ${count > rows.length ? html`<p class="soft left-out">${icon('info')} ${l10n.t`${state.figures.text.count(count - rows.length)} more in the sidebar`}</p>` : nothing}`;
}

/** One line for what waits. */
function attention({ name, isBusy }: OpenRow, rebalance: () => void): TemplateResult<1> {
  return html`<p class="attention">
    <span><span class="warned">${icon('warning')}</span> ${l10n.t`${name} is out of range.`}</span>
    <vscode-button appearance="primary" ?disabled=${isBusy} @click=${rebalance}>${l10n.t('Rebalance…')}</vscode-button>
  </p>`;
}

function isOut({ inRange, poolType }: OpenRow): boolean {
  return inRange === false && poolType !== 'dammV2';
}

function rowOf(state: OverviewState, row: OpenRow, open: () => void): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  return html`<tr>
    <th scope="row"><button class="open-name" title=${l10n.t('Open Position')} @click=${open}>${row.name}</button></th>
    <td class="range-column">${rangeCell(state, row)}</td>
    <td class="value-column">${figures.amount(row.value, currency)}</td>
    <td>${figures.percentDifference(row.pnlPercent[currency])}<span class="aside">${figures.difference(row.pnl, currency)}</span></td>
    <td class="fees-column">${figures.amount(row.uncollectedFee, currency)}</td>
  </tr>`;
}

const BAR_HEIGHT = 14;

/** The range as a bar with the price in it, and how far the price is out of it, or from the nearer bound. */
function rangeCell({ figures: { text } }: OverviewState, row: OpenRow): Template {
  const gauge = row.poolType === 'dammV2' ? undefined : rangeGauge(row);
  if (gauge === undefined) {
    return html`<span class="soft">${row.poolType === 'dammV2' ? l10n.t('full range') : l10n.t('range unknown')}</span>`;
  }
  const { side, lower, upper, price } = gauge;
  const mark = text.rangeMark(row);
  const words = [side === 'inside' ? l10n.t('in range') : l10n.t('out of range'), ...(mark === undefined ? [] : [mark])].join(' · ');
  const at = (share: number) => `${(100 * share).toFixed(2)}%`;
  return html`<span class="range-cell" title=${words}>
    <svg class="mini-gauge" width="100%" height=${BAR_HEIGHT} role="img" aria-label=${words}>
      ${svg`<line x1="0" x2="100%" y1=${BAR_HEIGHT / 2} y2=${BAR_HEIGHT / 2} class="mini-axis"></line>
      <rect x=${at(lower)} width=${at(upper - lower)} y="3" height=${BAR_HEIGHT - 6} rx="2" class="mini-range ${side === 'inside' ? 'is-in' : 'is-out'}"></rect>
      <line x1=${at(price)} x2=${at(price)} y1="0" y2=${BAR_HEIGHT} class="mini-price"></line>`}
    </svg>
    <span class="figure" aria-hidden="true">${side === 'inside' ? nothing : html`<span class="warned">${icon('warning')}</span>`} ${mark ?? nothing}</span>
  </span>`;
}
