import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../../src/protocol/pool';
import { fact } from '../../shared/facts';
import type { Figures } from '../../shared/figures';
import { icon } from '../../shared/icons';
import { hint } from '../../shared/tooltip';
import { bothOf, type PoolMoney } from '../money';

/** The intervals of the service's figures, shortest first. */
export const INTERVALS = ['5m', '1h', '6h', '24h'] as const;

/** An interval in words. */
function intervalName(interval: (typeof INTERVALS)[number]): string {
  switch (interval) {
    case '5m':
      return l10n.t('5 minutes');
    case '1h':
      return l10n.t('1 hour');
    case '6h':
      return l10n.t('6 hours');
    case '24h':
      return l10n.t('24 hours');
  }
}

/** Changes of token X's price in US dollars, by interval. */
export function changes({ priceChangePercent, x }: PoolView, figures: Figures): TemplateResult<1> {
  return html`<ul class="changes" aria-label=${l10n.t`${x.symbol} price change in USD`}>
    ${INTERVALS.map((interval) => html`<li title=${l10n.t`${x.symbol} price change in USD, past ${intervalName(interval)}`}><span class="soft">${interval}</span> ${figures.percentDifference(priceChangePercent[interval])}</li>`)}
  </ul>`;
}

/** The row of figures by which pools are compared. */
export function keyFigures(pool: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  const amount = (usd: number | undefined): TemplateResult<1> => figures.amount(bothOf(usd, money), money.currency);
  const { fees } = pool;
  return html`<section aria-label=${l10n.t('Key figures')}>
    <dl class="tiles">
      ${tile(l10n.t('TVL'), amount(pool.tvlUsd), share(pool, figures))}
      ${tile(l10n.t('Volume 24h'), amount(pool.volumeUsd['24h']), html`${figures.percentDifference(pool.volumeChangePercent['24h'])} <span class="soft">${l10n.t('vs. previous day')}</span>`)}
      ${tile(l10n.t('Fees 24h'), amount(fees.fees24hUsd), html`<span class="soft">${l10n.t`current fee ${figures.text.percent(fees.dynamicPercent ?? fees.basePercent)}`}</span>`)}
      ${tile(l10n.t('Fees / TVL 24h'), figures.plain(figures.text.fraction(fees.feeTvl24h)), html`<span class="soft">${l10n.t('daily yield per dollar')}</span>`)}
    </dl>
  </section>`;
}

function tile(label: string, figure: TemplateResult<1>, note: TemplateResult<1> | typeof nothing): TemplateResult<1> {
  return html`<div class="card"><dt class="card-label">${label}</dt><dd class="card-figure">${figure}</dd><dd class="card-note">${note}</dd></div>`;
}

/** Each token's share of the pool's value, as a bar and in figures. */
function share({ x, y, amountX, amountY, price }: PoolView, { text }: Figures): TemplateResult<1> | typeof nothing {
  const [priceX, priceY] = x.priceUsd !== undefined && y.priceUsd !== undefined ? [x.priceUsd, y.priceUsd] : [price, 1];
  const worthX = (amountX ?? NaN) * (priceX ?? NaN);
  const worthY = (amountY ?? NaN) * priceY;
  const ofX = worthX / (worthX + worthY);
  if (!Number.isFinite(ofX)) {
    return nothing;
  }
  return html`<svg class="share-bar" width="100%" height="8" aria-hidden="true" focusable="false">${svg`
      <defs><pattern id="hatch-share" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-line" width="2" height="5" /></pattern></defs>
      <rect class="sample-x" width="100%" height="8" /><rect class="share-hatch" width="100%" height="8" /><rect class="sample-y" width=${`${100 * (1 - ofX)}%`} height="8" />`}</svg>
    <span class="figure">${text.fraction(1 - ofX)} ${y.symbol}, ${text.fraction(ofX)} ${x.symbol}</span>`;
}

/** Volume and price changes by interval. */
export function activityCard(pool: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  return html`<section class="card" aria-labelledby="activity-title">
    <h2 id="activity-title">${l10n.t('Activity')}</h2>
    <table class="data-table">
      <thead>
        <tr><th scope="col">${l10n.t('Period')}</th><th scope="col">${l10n.t('Volume')}</th><th scope="col" title=${l10n.t`Change in ${pool.x.symbol} trading volume vs. the previous period`}>${l10n.t('Change')}</th><th scope="col" title=${l10n.t`${pool.x.symbol} price change in USD`}>${l10n.t('Price')}</th></tr>
      </thead>
      <tbody>
        ${INTERVALS.map(
          (interval) => html`<tr>
            <th scope="row" title=${intervalName(interval)}>${interval}</th>
            <td>${figures.amount(bothOf(pool.volumeUsd[interval], money), money.currency)}</td>
            <td>${figures.percentDifference(pool.volumeChangePercent[interval])}</td>
            <td>${figures.percentDifference(pool.priceChangePercent[interval])}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** The pool's trading fees and who receives them. */
export function feesCard({ fees }: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  const { text } = figures;
  const percent = (value: number | undefined): TemplateResult<1> => figures.plain(text.percent(value));
  return html`<section class="card" aria-labelledby="fees-title">
    <h2 id="fees-title">${l10n.t('Fees')}</h2>
    <dl class="facts">
      ${fact(l10n.t('Base'), percent(fees.basePercent), hint('hint-base', l10n.t('About the base fee'), l10n.t('Minimum fee on every trade.')))}
      ${fact(l10n.t('Dynamic (current)'), percent(fees.dynamicPercent), hint('hint-dynamic', l10n.t('About the dynamic fee'), l10n.t('The fee that trades pay right now: the base fee, plus a surcharge while the price moves.')))}
      ${fact(l10n.t('Maximum'), percent(fees.maxPercent))}
      ${fact(l10n.t('Protocol share'), percent(fees.protocolPercent), hint('hint-protocol', l10n.t('About the protocol share'), l10n.t('Share of every fee that goes to the protocol. The rest goes to the providers whose liquidity was used.')))}
      ${fact(l10n.t('Earned in 24h'), figures.amount(bothOf(fees.fees24hUsd, money), money.currency))}
    </dl>
  </section>`;
}

const HOUR_MS = 3_600_000;

/** Facts about the pool and its risks. */
export function poolCard(pool: PoolView, figures: Figures, nowMs: number): TemplateResult<1> {
  const { text } = figures;
  const { createdAtMs, mintOrFreezeEnabled: isEnabled } = pool;
  return html`<section class="card" aria-labelledby="risk-title">
    <h2 id="risk-title">${l10n.t('Pool and risk')}</h2>
    <dl class="facts">
      ${fact(l10n.t('Age'), createdAtMs === undefined ? figures.plain(text.count(undefined)) : figures.plain(text.age((nowMs - createdAtMs) / HOUR_MS), text.exact(createdAtMs)))}
      ${pool.activeBinId === undefined ? nothing : fact(l10n.t('Active bin'), figures.plain(text.bin(pool.activeBinId)))}
      ${pool.binStepBps === undefined ? nothing : fact(l10n.t('Bin step'), figures.plain(text.bps(pool.binStepBps)))}
      ${fact(l10n.t('Top holders'), figures.plain(text.percent(pool.topHolderPercent)), hint('hint-holders', l10n.t('About the top holders'), l10n.t`Share of all ${pool.x.symbol} held by its largest holders.`))}
      ${fact(l10n.t('Mint or freeze authority'), isEnabled === undefined ? figures.plain(text.count(undefined)) : html`<span class="risk">${icon(isEnabled ? 'warning' : 'pass')} ${isEnabled ? l10n.t('enabled') : l10n.t('disabled')}</span>`)}
    </dl>
  </section>`;
}
