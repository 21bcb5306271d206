import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { HOUR_MS } from '../../src/base/time';
import type { PoolView, TokenView } from '../../src/protocol/pool';
import { timeChart } from '../shared/chart/timeChart';
import { infoTooltip, icon, iconButton } from '../shared/controls';
import { fact } from '../shared/facts';
import type { Figures } from '../shared/figures';
import { emptyState } from '../shared/partView';
import { tokenLogo } from '../shared/tokenLogo';
import type { PoolActions } from './actions';
import { bothOf, type PoolMoney, priceIn } from './money';

/** The intervals of the service's figures, shortest first. */
const INTERVALS = ['5m', '1h', '6h', '24h'] as const;
const DAY = '24h';

/** Changes of token X's price in US dollars, by interval. */
export function changes({ priceChangePercent, x }: PoolView, figures: Figures): TemplateResult<1> {
  const name = l10n.t`${x.symbol} price change in USD`;
  return html`<ul class="changes" aria-label=${name} title=${name}>
    ${INTERVALS.map((interval) => html`<li><span class="soft">${interval}</span> ${figures.percentDifference(priceChangePercent[interval])}</li>`)}
  </ul>`;
}

/** The row of figures by which pools are compared. */
export function keyFigures(pool: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  const amount = (usd: number | undefined): TemplateResult<1> => figures.amount(bothOf(usd, money), money.currency);
  const { fees } = pool;
  return html`<section aria-label=${l10n.t('Summary')}>
    <dl class="tiles">
      ${tile(l10n.t('TVL'), amount(pool.tvlUsd), share(pool, figures))}
      ${tile(l10n.t`${DAY} volume`, amount(pool.volumeUsd['24h']), html`${figures.percentDifference(pool.volumeChangePercent['24h'])} <span class="soft">${l10n.t('vs. previous period')}</span>`)}
      ${tile(l10n.t`${DAY} fees`, amount(fees.fees24hUsd), html`<span class="soft">${fees.dynamicPercent === undefined ? `${l10n.t('Base fee')} ${figures.text.percent(fees.basePercent)}` : `${l10n.t('Current fee')} ${figures.text.percent(fees.dynamicPercent)}`}</span>`)}
      ${tile(l10n.t`${DAY} fees / TVL`, figures.plain(figures.text.fraction(fees.feeTvl24h)), html`<span class="soft">${l10n.t('daily yield')}</span>`)}
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
        <tr><th scope="col">${l10n.t('Period')}</th><th scope="col">${l10n.t('Volume')}</th><th scope="col" title=${l10n.t('vs. previous period')}>${l10n.t('Change')}</th><th scope="col" title=${l10n.t`${pool.x.symbol} price change in USD`}>${l10n.t('Price')}</th></tr>
      </thead>
      <tbody>
        ${INTERVALS.map(
          (interval) => html`<tr>
            <th scope="row">${interval}</th>
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
export function feesCard({ fees, x, y }: PoolView, figures: Figures): TemplateResult<1> {
  const { text } = figures;
  const percent = (value: number | undefined): TemplateResult<1> => figures.plain(text.percent(value));
  return html`<section class="card" aria-labelledby="fees-title">
    <h2 id="fees-title">${l10n.t('Fees')}</h2>
    <dl class="facts">
      ${fact(l10n.t('Base fee'), percent(fees.basePercent))}
      ${fact(l10n.t('Current fee'), percent(fees.dynamicPercent), infoTooltip('hint-dynamic', l10n.t('Current fee'), l10n.t('The base fee, and a surcharge while the price moves.')))}
      ${fact(l10n.t('Maximum'), percent(fees.maxPercent))}
      ${fact(l10n.t('Protocol share'), percent(fees.protocolPercent))}
      ${fees.collectedIn === undefined ? nothing : fact(l10n.t('Paid in'), fees.collectedIn === 'both' ? l10n.t`${x.symbol} and ${y.symbol}` : y.symbol)}
    </dl>
  </section>`;
}

/** Facts about the pool and its risks. */
export function poolCard(pool: PoolView, figures: Figures, nowMs: number): TemplateResult<1> {
  const { text } = figures;
  const {
    createdAtMs,
    x: { symbol, topHolderPercent, mintOrFreezeEnabled: isEnabled },
  } = pool;
  return html`<section class="card" aria-labelledby="risk-title">
    <h2 id="risk-title">${l10n.t('Pool')}</h2>
    <dl class="facts">
      ${fact(l10n.t('Age'), createdAtMs === undefined ? figures.plain(text.count(undefined)) : figures.plain(text.age((nowMs - createdAtMs) / HOUR_MS), text.exact(createdAtMs)))}
      ${pool.activeBinId === undefined ? nothing : fact(l10n.t('Active bin'), figures.plain(text.bin(pool.activeBinId)))}
      ${pool.binStepBps === undefined ? nothing : fact(l10n.t('Bin step'), figures.plain(text.bps(pool.binStepBps)))}
      ${fact(l10n.t`Top holders of ${symbol}`, figures.plain(text.percent(topHolderPercent)))}
      ${fact(l10n.t('Mint or freeze authority'), isEnabled === undefined ? figures.plain(text.count(undefined)) : html`<span class="risk">${icon(isEnabled ? 'warning' : 'pass')} ${isEnabled ? l10n.t('enabled') : l10n.t('none')}</span>`)}
    </dl>
  </section>`;
}

const BEST_SCORE = 100;

/** Facts and warnings about both tokens. */
export function tokens(pool: PoolView, figures: Figures, money: PoolMoney, actions: Pick<PoolActions, 'copyAddress'>): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="tokens-title">
    <div class="section-header"><h2 id="tokens-title">${l10n.t('Tokens')}</h2></div>
    ${pool.x.mintOrFreezeEnabled === true ? warning(pool) : nothing}
    <div class="cards cards-tokens">
      ${tokenCard('x', pool.x, pool.amountX, figures, money, actions)}${tokenCard('y', pool.y, pool.amountY, figures, money, actions)}
    </div>
  </section>`;
}

function warning({ x }: PoolView): TemplateResult<1> {
  return html`<div class="banner banner-warning">
    ${icon('warning')}
    <p>${l10n.t`More ${x.symbol} can be minted, or accounts frozen: it can lose its value or become impossible to move.`}</p>
  </div>`;
}

function tokenCard(
  side: 'x' | 'y',
  token: TokenView,
  inPool: number | undefined,
  figures: Figures,
  money: PoolMoney,
  { copyAddress }: Pick<PoolActions, 'copyAddress'>,
): TemplateResult<1> {
  const { address, symbol, name } = token;
  const { text } = figures;
  const amount = (usd: number | undefined): TemplateResult<1> => figures.amount(bothOf(usd, money), money.currency);
  return html`<article class="card token-card" aria-label=${symbol}>
    <header>
      ${tokenLogo(symbol, address)}
      <div class="token-name"><h3>${symbol}</h3>${name === undefined || name === symbol ? nothing : html`<span class="soft">${name}</span>`}</div>
      ${address === undefined ? nothing : html`<span class="token-address">${figures.short(address)}${iconButton('copy', l10n.t`Copy ${text.address(address)}`, () => copyAddress(address), { title: l10n.t`Copy ${address}` })}</span>`}
    </header>
    <dl class="facts">
      ${fact(l10n.t('Price'), figures.plain(priceIn(token.priceUsd, text, money), text.priceUsd(token.priceUsd)))}
      ${fact(l10n.t('In pool'), figures.plain(text.tokens(inPool)))}
      ${fact(l10n.t('Market cap'), amount(token.marketCapUsd))}
      ${fact(l10n.t('Fully diluted value'), amount(token.fdvUsd))}
      ${fact(l10n.t('Holders'), figures.plain(text.count(token.holders)))}
      ${fact(l10n.t('Organic score'), score(token.organicScore, figures), infoTooltip(`hint-organic-${side}`, l10n.t('Organic score'), l10n.t('How human the trading looks')))}
    </dl>
  </article>`;
}

/** A score out of 100, as a bar and a figure. */
function score(value: number | undefined, { text, plain }: Figures): TemplateResult<1> {
  if (value === undefined) {
    return plain(text.count(undefined));
  }
  const width = Math.min(Math.max(value, 0), BEST_SCORE);
  return html`<span class="score"><svg class="score-bar" width="60" height="6" aria-hidden="true" focusable="false">${svg`<rect class="score-ground" width="60" height="6" rx="3"></rect><rect class="score-filled" width=${(60 * width) / BEST_SCORE} height="6" rx="3"></rect>`}</svg>${plain(text.count(value), l10n.t`${text.tokens(value)} of ${BEST_SCORE}`)}</span>`;
}

/** The pool's fees and volume over time, if the service reports them. */
export function feeStats({ feeStats: stats }: Pick<PoolView, 'feeStats'>, figures: Figures, money: PoolMoney): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="fee-stats-title">
    <div class="section-header"><h2 id="fee-stats-title">${l10n.t('Fees and volume over time')}</h2></div>
    ${stats.length < 2 ? emptyState(l10n.t('Not reported by the service.'), 'graph') : charts(stats, figures, money)}
  </section>`;
}

function charts(stats: PoolView['feeStats'], figures: Figures, money: PoolMoney): TemplateResult<1> {
  const { text } = figures;
  const times = stats.map(({ atMs }) => atMs);
  const inMoney = (usd: number | undefined): number | undefined => (money.currency === 'usd' ? usd : bothOf(usd, money).native);
  const format = (value: number | undefined): string => (money.currency === 'usd' ? text.usd(value) : text.sol(value));
  const chart = (id: string, label: string, values: readonly (number | undefined)[], color: 'blue' | 'purple'): TemplateResult<1> =>
    html`<div class="card chart-card">${timeChart({ id, label, summary: summaryOf(label, times, values, format, figures), times, series: [{ label, values, color }], format, formatTime: text.exact, kind: 'bars', figures })}</div>`;
  const has = (values: readonly (number | undefined)[]): boolean => values.some((value) => value !== undefined);
  const fees = stats.map(({ feeUsd }) => inMoney(feeUsd));
  const volumes = stats.map(({ volumeUsd }) => inMoney(volumeUsd));
  return html`<div class="cards cards-wide">${has(fees) ? chart('fees-over-time', l10n.t('Fees'), fees, 'blue') : ''}${has(volumes) ? chart('volume-over-time', l10n.t('Volume'), volumes, 'purple') : ''}</div>`;
}

function summaryOf(
  label: string,
  times: readonly number[],
  values: readonly (number | undefined)[],
  format: (value: number | undefined) => string,
  { text }: Figures,
): string {
  const known = values.filter((value) => value !== undefined);
  const sum = known.reduce((total, value) => total + value, 0);
  return l10n.t`${label}: ${format(sum)} from ${text.exact(times[0])} to ${text.exact(times.at(-1))}; at most ${format(Math.max(...known))} in one interval.`;
}
