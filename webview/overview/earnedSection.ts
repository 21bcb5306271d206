import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { Earned } from '../../src/protocol/overview';
import type { CurrencyView } from '../../src/protocol/schemas';
import { timeChart } from '../shared/chart/timeChart';
import { icon } from '../shared/controls';
import { emptyState, partView, skeletonBlock, skeletonLines } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { cumulativeText, dailyText, earnedLeftOut, earnedPoints, type EarnedPoints, extendedToPeriod } from './earnedModel';
import { currencyOf, hasNoHistory, type OverviewActions, type OverviewGuard, type OverviewState } from './state';

/** The PnL of the period in two charts: cumulative and by day. */
export class EarnedSection {
  readonly #actions: OverviewActions;
  /** Cached points: the same arrays while nothing changes, so the charts are not redrawn. */
  #points:
    | {
        readonly earned: readonly Earned[];
        readonly currency: CurrencyView;
        readonly points: EarnedPoints;
        readonly run: ReturnType<typeof extendedToPeriod>;
      }
    | undefined;

  constructor(actions: OverviewActions) {
    this.#actions = actions;
  }

  view(state: OverviewState, guard: OverviewGuard): Template {
    const { earned, overview, figures } = state;
    // The overview already shows that there is nothing to report, or why it failed.
    const isCovered = overview.data === undefined ? overview.status !== 'loading' : hasNoHistory(overview.data);
    if (isCovered && (earned.data ?? []).length === 0) {
      return html``;
    }
    return html`<div class="earned">
      ${guard(earned, 'earned', (part) =>
        partView(part, {
          skeleton: html`<div class="charts">${chartSkeleton()}${chartSkeleton()}</div>`,
          empty: (days) =>
            days.length === 0
              ? html`<div class="card">${emptyState(l10n.t('No positions closed on these days.'), 'graph-line')}</div>`
              : undefined,
          ready: (days) => this.#charts(days, state),
          retry: () => this.#actions.post({ kind: 'retry', part: 'earned' }),
          figures,
        }),
      )}
    </div>`;
  }

  #charts(earned: readonly Earned[], state: OverviewState): TemplateResult<1> {
    const { figures } = state;
    const currency = currencyOf(state);
    if (this.#points?.earned !== earned || this.#points.currency !== currency) {
      const points = earnedPoints(earned, currency);
      this.#points = { earned, currency, points, run: extendedToPeriod(points, state.period, state.earned.asOfMs ?? state.nowMs) };
    }
    const { points, run } = this.#points;
    const { text } = figures;
    const money = (value: number | undefined): string => text.signedMoney({ [currency]: value }, currency);
    const common = {
      format: money,
      formatAxis: (value: number) => (currency === 'usd' ? text.signedUsdShort(value) : money(value)),
      figures,
    };
    const leftOut = earnedLeftOut(earned, currency, text);
    return html`<div class="charts">
      <div class="card">
        <h3>${l10n.t('Cumulative PnL')}</h3>
        ${timeChart({ ...common, id: 'cumulative', label: l10n.t('Cumulative PnL'), summary: cumulativeText(points, currency, text), kind: 'line', times: run.times, series: [{ label: l10n.t('Cumulative PnL'), values: run.cumulative, isStepped: true }] })}
      </div>
      <div class="card">
        <h3>${l10n.t('PnL by day')}</h3>
        ${timeChart({ ...common, id: 'daily', label: l10n.t('PnL by day'), summary: dailyText(points, currency, text), kind: 'bars', times: points.times, series: [{ label: l10n.t('PnL'), values: points.daily, isDifference: true }] })}
      </div>
    </div>
    ${leftOut === undefined ? '' : html`<p class="soft left-out">${icon('info')} ${leftOut}</p>`}`;
  }
}

/** A title, a chart, its summary and the disclosure of its table. */
function chartSkeleton(): TemplateResult<1> {
  return html`<div class="card">${skeletonLines(1)}${skeletonBlock()}${skeletonLines(2)}</div>`;
}
