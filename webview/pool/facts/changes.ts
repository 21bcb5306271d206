import { html, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../../src/protocol/pool';
import type { Figures } from '../../shared/figures';

/** The intervals of the service's figures, the shortest first. */
export const INTERVALS = ['5m', '1h', '6h', '24h'] as const;

/** How an interval is said. */
export const SPOKEN: Readonly<Record<(typeof INTERVALS)[number], string>> = { '5m': '5 minutes', '1h': '1 hour', '6h': '6 hours', '24h': '24 hours' };

/** How the price of token X in US dollars has changed, by interval. */
export function changes({ priceChangePercent, x }: PoolView, figures: Figures): TemplateResult<1> {
  return html`<ul class="changes" aria-label="Change of the price of ${x.symbol} in US dollars">
    ${INTERVALS.map((interval) => html`<li title="Change of the price of ${x.symbol} in US dollars within ${SPOKEN[interval]}"><span class="soft">${interval}</span> ${figures.percentDifference(priceChangePercent[interval])}</li>`)}
  </ul>`;
}
