import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../../src/protocol/pool';
import { fact } from '../../shared/facts';
import type { Figures } from '../../shared/figures';
import { icon } from '../../shared/icons';
import { hint } from '../../shared/tooltip';
import { bothOf, type PoolMoney } from '../money';

/** The intervals of the service's figures, the shortest first. */
export const INTERVALS = ['5m', '1h', '6h', '24h'] as const;

/** How an interval is said. */
export const SPOKEN: Readonly<Record<(typeof INTERVALS)[number], string>> = {
  '5m': '5 minutes',
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
};

/** How the price of token X in US dollars has changed, by interval. */
export function changes({ priceChangePercent, x }: PoolView, figures: Figures): TemplateResult<1> {
  return html`<ul class="changes" aria-label="Change of the price of ${x.symbol} in US dollars">
    ${INTERVALS.map((interval) => html`<li title="Change of the price of ${x.symbol} in US dollars within ${SPOKEN[interval]}"><span class="soft">${interval}</span> ${figures.percentDifference(priceChangePercent[interval])}</li>`)}
  </ul>`;
}

/** The figures by which pools are compared, in a row. */
export function keyFigures(pool: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  const amount = (usd: number | undefined): TemplateResult<1> => figures.amount(bothOf(usd, money), money.currency);
  const { fees } = pool;
  return html`<section aria-label="Key figures">
    <dl class="tiles">
      ${tile('TVL', amount(pool.tvlUsd), share(pool, figures))}
      ${tile('Volume 24h', amount(pool.volumeUsd['24h']), html`${figures.percentDifference(pool.volumeChangePercent['24h'])} <span class="soft">to the day before</span>`)}
      ${tile('Fees 24h', amount(fees.fees24hUsd), html`<span class="soft">at ${figures.text.percent(fees.dynamicPercent ?? fees.basePercent)} now</span>`)}
      ${tile('Fees / TVL 24h', figures.plain(figures.text.fraction(fees.feeTvl24h)), html`<span class="soft">earned by each dollar in it</span>`)}
    </dl>
  </section>`;
}

function tile(label: string, figure: TemplateResult<1>, note: TemplateResult<1> | typeof nothing): TemplateResult<1> {
  return html`<div class="card"><dt class="card-label">${label}</dt><dd class="card-figure">${figure}</dd><dd class="card-note">${note}</dd></div>`;
}

/** What part of the pool each token is, by worth: as a bar and in figures. */
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

/** Volume and price by interval, with their changes. */
export function activityCard(pool: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  return html`<section class="card" aria-labelledby="activity-title">
    <h2 id="activity-title">Activity</h2>
    <table class="data-table">
      <thead>
        <tr><th scope="col">Within</th><th scope="col">Volume</th><th scope="col" title="Change of the traded volume of ${pool.x.symbol} to the interval before">Change</th><th scope="col" title="Change of the price of ${pool.x.symbol} in US dollars">Price</th></tr>
      </thead>
      <tbody>
        ${INTERVALS.map(
          (interval) => html`<tr>
            <th scope="row" title=${SPOKEN[interval]}>${interval}</th>
            <td>${figures.amount(bothOf(pool.volumeUsd[interval], money), money.currency)}</td>
            <td>${figures.percentDifference(pool.volumeChangePercent[interval])}</td>
            <td>${figures.percentDifference(pool.priceChangePercent[interval])}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** What trading in the pool costs, and who gets it. */
export function feesCard({ fees }: PoolView, figures: Figures, money: PoolMoney): TemplateResult<1> {
  const { text } = figures;
  const percent = (value: number | undefined): TemplateResult<1> => figures.plain(text.percent(value));
  return html`<section class="card" aria-labelledby="fees-title">
    <h2 id="fees-title">Fees</h2>
    <dl class="facts">
      ${fact('Base', percent(fees.basePercent), hint('hint-base', l10n.t('the base fee'), l10n.t('What each trade pays at least.')))}
      ${fact(l10n.t('Dynamic, now'), percent(fees.dynamicPercent), hint('hint-dynamic', l10n.t('the dynamic fee'), l10n.t('What trades pay at this moment: the base fee, and more while the price moves.')))}
      ${fact(l10n.t('At most'), percent(fees.maxPercent))}
      ${fact("Protocol's share", percent(fees.protocolPercent), hint('hint-protocol', l10n.t("the protocol's share"), l10n.t('This part of every fee goes to the protocol, the rest to those whose liquidity was traded against.')))}
      ${fact(l10n.t('Earned in 24h'), figures.amount(bothOf(fees.fees24hUsd, money), money.currency))}
    </dl>
  </section>`;
}

const HOUR_MS = 3_600_000;

/** The pool itself, and what speaks for care with it. */
export function poolCard(pool: PoolView, figures: Figures, nowMs: number): TemplateResult<1> {
  const { text } = figures;
  const { createdAtMs, mintOrFreezeEnabled: isEnabled } = pool;
  return html`<section class="card" aria-labelledby="risk-title">
    <h2 id="risk-title">Pool and risk</h2>
    <dl class="facts">
      ${fact('Age', createdAtMs === undefined ? figures.plain(text.count(undefined)) : figures.plain(text.age((nowMs - createdAtMs) / HOUR_MS), text.exact(createdAtMs)))}
      ${pool.activeBinId === undefined ? nothing : fact(l10n.t('Active bin'), figures.plain(text.bin(pool.activeBinId)))}
      ${pool.binStepBps === undefined ? nothing : fact(l10n.t('Bin step'), figures.plain(text.bps(pool.binStepBps)))}
      ${fact(l10n.t('Top holders'), figures.plain(text.percent(pool.topHolderPercent)), hint('hint-holders', l10n.t('the top holders'), l10n.t`The share of all ${pool.x.symbol} that its largest holders have.`))}
      ${fact(l10n.t('Mint or freeze'), isEnabled === undefined ? figures.plain(text.count(undefined)) : html`<span class="risk">${icon(isEnabled ? 'warning' : 'pass')} ${isEnabled ? 'enabled' : 'disabled'}</span>`)}
    </dl>
  </section>`;
}
