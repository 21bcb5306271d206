import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { breakEvenSigma, type Estimate, type KnownOutlook, type Outlook, type Sigma } from '../../../src/base/insight/outlook';
import { type AskedOutlook, type Expectation, type NotReported, outlookOf, type WorthOfY } from '../../../src/base/insight/poolOutlook';
import { UNKNOWN } from '../../../src/base/format/numbers';
import { HOUR_S } from '../../../src/base/time';
import type { ForecastRecordView, Horizon, VolatilityView } from '../../../src/protocol/outlook';
import type { PoolView } from '../../../src/protocol/pool';
import type { CurrencyView, MoneyView, Part } from '../../../src/protocol/schemas';
import { infoTooltip, segmented } from '../controls';
import type { Figures } from '../figures';
import type { Template } from '../rendering';
import { type RecordedFees, recordedWords } from './recorded';
import { type OtherWidths, widthsView } from './widthsView';

const HORIZON_HOURS: Readonly<Record<Horizon, number>> = { '24h': 24, '7d': 7 * 24 };

/** What an outlook is about, and how it is shown. */
export interface OutlookCard {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** No data: the service has no prices of the past. */
  readonly volatility: Part<VolatilityView>;
  readonly horizon: Horizon;
  readonly currency: CurrencyView;
  readonly figures: Figures;
  readonly choose: (horizon: Horizon) => void;
  /** Reads the volatility again. */
  readonly retry: () => void;
  readonly ask: (given: Pick<Expectation, 'sigma' | 'horizonS'>) => AskedOutlook | NotReported;
  /** All that providers of the pool earn a day, US dollars, and what is to be said of it. */
  readonly pot: { readonly usd: number | undefined; readonly protocolPercent: number | undefined };
  /** Of a plan; `undefined`: the position is open. */
  readonly plan: PlannedCard | undefined;
  readonly widths: OtherWidths | undefined;
  /** What it earned or would have earned in the last day, and the tokens. */
  readonly recorded: (asked: AskedOutlook) => RecordedFees | undefined;
  readonly tokens: Pick<PoolView, 'x' | 'y'> | undefined;
}

/** What only the outlook of a plan has. */
export interface PlannedCard {
  /** What entering costs and is not refunded, in words; `undefined`: not known. */
  readonly costs: string | undefined;
  /** No amount was entered: figures of money are left out. */
  readonly isWithoutAmount: boolean;
  /** How good the forecasts of own positions were; `undefined`: too few have ended. */
  readonly ownForecasts: ForecastRecordView | undefined;
}

/** An amount that is large enough to be colored, in shares of the fees. */
const CLEAR = 0.3;
/** From this share of the liquidity on a deposit changes the pool. */
const LARGE_SHARE = 0.05;

/** What to expect of a position: time in range, fees, the loss to price moves, and what is left. */
export function outlookCard(card: OutlookCard): TemplateResult<1> {
  const { id, title, horizon, choose } = card;
  const about = infoTooltip(
    `${id}-about`,
    title,
    l10n.t(
      'Averages, not a promise: with volatility, trading and liquidity as before, and no trend. The loss is against holding the same tokens.',
    ),
  );
  return html`<section class="outlook" aria-labelledby=${id}>
    <div class="section-header">
      ${card.plan === undefined ? html`<h2 id=${id}>${title}</h2>` : html`<h3 id=${id}>${title}</h3>`}${about}<span class="spring"></span>
      ${segmented<Horizon>({
        id: `${id}-horizon`,
        label: l10n.t('Period'),
        options: [
          { value: '24h', label: '24h' },
          { value: '7d', label: '7d' },
        ],
        chosen: horizon,
        onChoose: choose,
      })}
    </div>
    ${body(card)}
  </section>`;
}

function body(card: OutlookCard): Template {
  const { volatility, horizon } = card;
  const { data } = volatility;
  const sigma: Sigma | undefined = data?.known === true ? { value: data.sigmaPerDay, low: data.low, high: data.high } : undefined;
  const asked = card.ask({ sigma, horizonS: HORIZON_HOURS[horizon] * HOUR_S });
  if (data?.known !== true || sigma === undefined) {
    return html`${missing(volatility, card.retry)} ${typeof asked === 'string' ? nothing : html`<dl class="facts outlook-facts">${recordedRow(card, asked)}</dl>`}`;
  }
  if (typeof asked === 'string') {
    return soft(notReported(asked));
  }
  const outlook: Outlook = outlookOf(asked);
  if (!outlook.known) {
    return soft(l10n.t('Unknown: the amount is too small for the range.'));
  }
  return html`${facts(card, asked, outlook, sigma)} ${shareNote(card, outlook)} ${forecastNote(card, outlook)} ${widths(card, asked, outlook, data)}
    <p class="soft">${l10n.t`Single periods differ widely. Volatility from ${card.figures.text.count(data.candles)} candles.`} ${data.isRough ? l10n.t('It is rough: the pool has few prices.') : nothing}</p>`;
}

/** Why there is no volatility. */
function missing({ status, data, words }: Part<VolatilityView>, retry: () => void): Template {
  if (data?.known === false) {
    return soft(noVolatility(data.why));
  }
  if (status === 'loading') {
    return soft(l10n.t('Loading…'));
  }
  if (status === 'ready') {
    return soft(l10n.t('Not reported by the service.'));
  }
  return html`<p class="soft">${l10n.t('Could not be loaded.')} ${words ?? nothing} <button type="button" class="link-button" @click=${retry}>${l10n.t('Try Again')}</button></p>`;
}

function noVolatility(why: Extract<VolatilityView, { known: false }>['why']): string {
  switch (why) {
    case 'noCandles':
    case 'tooFewCandles':
      return l10n.t('Unknown: too few prices yet. Binsight records them while it is open; it takes up to 6 hours.');
    case 'noMovement':
      return l10n.t('Unknown: the price has not moved yet.');
    case 'contradicting':
      return contradicting();
  }
}

function notReported(what: NotReported): string {
  switch (what) {
    case 'bins':
    case 'prices':
    case 'liquidity':
      return notEnough();
    case 'contradiction':
      return contradicting();
  }
}

function notEnough(): string {
  return l10n.t('Unknown: the service does not report enough.');
}

function contradicting(): string {
  return l10n.t('Unknown: figures of the service contradict each other.');
}

function facts(card: OutlookCard, asked: AskedOutlook, outlook: KnownOutlook, sigma: Sigma): TemplateResult<1> {
  return html`<dl class="facts outlook-facts">
    ${rangeRows(card, asked, outlook)} ${card.plan?.isWithoutAmount === true ? row(l10n.t('Fees'), unknown(card), l10n.t('Enter the amount of SOL.')) : moneyRows(card, asked, outlook)}
    ${outlook.fees === null ? nothing : breakEvenRow(card, asked, outlook.netY, sigma)}
    ${card.plan === undefined || card.plan.isWithoutAmount || outlook.fees === null ? nothing : coveredRow(card, card.plan, outlook.costsCoveredAfterS)}
    ${recordedRow(card, asked)}
  </dl>`;
}

/** What a position of these bins earned or would have earned in the last day. */
function recordedRow(card: OutlookCard, asked: AskedOutlook): Template {
  const { figures, currency, tokens, plan } = card;
  const recorded = plan?.isWithoutAmount === true ? undefined : card.recorded(asked);
  if (recorded === undefined || tokens === undefined) {
    return nothing;
  }
  const { name, valueY, note } = recordedWords(recorded, asked, tokens, figures);
  const figure =
    valueY === undefined ? unknown(card) : figures.plain(figures.text.money(moneyOf(rounded(valueY, 3), asked.unit), currency));
  return row(name, figure, note);
}

function rangeRows({ figures, horizon }: OutlookCard, { input }: AskedOutlook, outlook: KnownOutlook): Template {
  if (!('own' in input)) {
    return row(l10n.t('In range'), figures.text.fraction(1), undefined);
  }
  const { text, plain } = figures;
  const { timeInRange, staysInRange, expectedExitS } = outlook;
  const share = (value: number): string => text.fraction(rounded(value, 2));
  const isOutside = staysInRange === 0 && !(expectedExitS !== null && expectedExitS > 0);
  const stays = l10n.t`${share(staysInRange)} never within ${horizon}`;
  return html`${row(l10n.t('In range'), plain(about(share(timeInRange.value))), band(timeInRange, share))}
  ${isOutside ? row(l10n.t('Range'), l10n.t('out of range'), undefined) : row(l10n.t('Leaves the range after'), plain(about(text.age((expectedExitS ?? 0) / HOUR_S))), stays)}`;
}

function moneyRows(card: OutlookCard, { unit }: AskedOutlook, outlook: KnownOutlook): TemplateResult<1> {
  const { figures, currency, pot } = card;
  const { text, plain } = figures;
  const money = (value: number): string => text.money(moneyOf(rounded(value, 3), unit), currency);
  const wide = (value: number): string => text.money(moneyOf(rounded(value, 2), unit), currency);
  const loss = row(l10n.t('Loss to price moves'), plain(about(money(outlook.loss.value))), band(outlook.loss, wide));
  if (outlook.fees === null) {
    return html`${row(l10n.t('Fees'), unknown(card), notEnough())} ${loss}`;
  }
  const { fees, share, netY } = outlook;
  const perDay = text.money(moneyOfUsd(pot.usd, unit), currency);
  const [own, usd] = [text.fraction(rounded(share, 2)), perDay];
  const rule = l10n.t`${own} of the liquidity on the price's way × ${usd} a day`;
  const isClear =
    Math.abs(netY) > CLEAR * fees.value && (card.plan?.ownForecasts === undefined || isSureOf(netY, outlook.loss.value, fees));
  return html`${row(l10n.t('Fees'), plain(about(money(fees.value))), html`${band(fees, wide)} · ${rule}`)} ${loss}
  ${row(l10n.t('Left'), isClear ? figures.difference(moneyOf(rounded(netY, 3), unit), currency) : plain(about(money(netY))), isClear ? undefined : l10n.t('about nothing: within the error'))}`;
}

/** Whether what is left is a gain also at both ends of the band of the fees, or a loss. */
function isSureOf(netY: number, lossY: number, fees: Estimate): boolean {
  return [fees.low, fees.high].every((end) => Math.sign(end + lossY) === Math.sign(netY));
}

function breakEvenRow({ figures: { text, plain } }: OutlookCard, { input }: AskedOutlook, netY: number, sigma: Sigma): TemplateResult<1> {
  const share = (value: number): string => text.fraction(rounded(value, 2));
  const limit = breakEvenSigma(input);
  return row(
    l10n.t('Worth it below a daily volatility of'),
    plain(limit === null ? (netY > 0 ? '∞' : share(0)) : share(limit)),
    l10n.t`expected ${share(sigma.value)} (${share(sigma.low)} to ${share(sigma.high)})`,
  );
}

function coveredRow({ figures: { text, plain } }: OutlookCard, { costs }: PlannedCard, afterS: number | null): Template {
  if (costs === undefined) {
    return nothing;
  }
  return row(
    l10n.t('Costs covered after'),
    afterS === null ? l10n.t('never') : plain(text.age(afterS / HOUR_S)),
    l10n.t`${costs} that is not refunded`,
  );
}

/** A deposit that is large for the pool changes what it was computed from. */
function shareNote({ plan, figures: { text } }: OutlookCard, outlook: KnownOutlook): Template {
  return plan === undefined || plan.isWithoutAmount || outlook.fees === null || outlook.share <= LARGE_SHARE
    ? nothing
    : soft(l10n.t`Your deposit changes the pool: fees and loss may differ by ±${text.fraction(rounded(outlook.share, 2))} more.`);
}

/** How good earlier forecasts were, from which the band of the fees is. */
function forecastNote({ plan, figures: { text } }: OutlookCard, outlook: KnownOutlook): Template {
  if (plan?.ownForecasts === undefined || plan.isWithoutAmount || outlook.fees === null) {
    return nothing;
  }
  const {
    count,
    median,
    band: { low, high },
  } = plan.ownForecasts;
  const share = (value: number): string => text.fraction(rounded(value, 2));
  return soft(
    l10n.t`Your last ${text.count(count)} positions typically earned ${share(median)} of their estimated fees, half of them ${share(low)} to ${share(high)}: the band above.`,
  );
}

function widths(card: OutlookCard, asked: AskedOutlook, outlook: KnownOutlook, data: VolatilityView): Template {
  const { widths: others, figures, currency, horizon, plan } = card;
  if (others === undefined || plan?.isWithoutAmount === true || !('own' in asked.input)) {
    return nothing;
  }
  // They do not depend on the range, so that they need not follow a dragged handle.
  return html`${guard([figures, currency, horizon, data, others.strategy, others.percentX, others.halfWidthBins, ...others.of], () => widthsView({ id: card.id, asked, depositY: outlook.depositY, others, figures, money: (value) => moneyOf(rounded(value, 3), asked.unit), currency }))}`;
}

function moneyOf(value: number, { usd, native }: WorthOfY): MoneyView {
  return { usd: usd === undefined ? undefined : value * usd, native: native === undefined ? undefined : value * native };
}

function moneyOfUsd(usd: number | undefined, unit: WorthOfY): MoneyView {
  const native = usd === undefined || unit.usd === undefined || unit.native === undefined ? undefined : (usd / unit.usd) * unit.native;
  return { usd, native };
}

function band({ low, high }: Estimate, write: (value: number) => string): string {
  return l10n.t`${write(low)} to ${write(high)}`;
}

/** Figures next to 0 and unknown ones have signs of their own. */
function about(figure: string): string {
  return figure === UNKNOWN || /^[≈<]/.test(figure) ? figure : `≈ ${figure}`;
}

/** Estimates have no more digits than they are worth. */
function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

function unknown({ figures }: OutlookCard): Template {
  return figures.plain(UNKNOWN);
}

function soft(words: string): TemplateResult<1> {
  return html`<p class="soft">${words}</p>`;
}

function row(name: string, figure: Template, note: Template | undefined): TemplateResult<1> {
  return html`<div><dt>${name}</dt><dd>${figure}</dd>${note === undefined ? nothing : html`<dd class="outlook-note">${note}</dd>`}</div>`;
}
