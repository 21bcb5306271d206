import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../../src/protocol/pool';
import { timeChart } from '../../shared/chart/timeChart';
import type { Figures } from '../../shared/figures';
import { emptyState } from '../../shared/asyncView';
import { bothOf, type PoolMoney } from '../money';

/** The pool's fees and volume over time, if the service reports them. */
export function feeStats({ feeStats: stats }: Pick<PoolView, 'feeStats'>, figures: Figures, money: PoolMoney): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="fee-stats-title">
    <div class="section-header"><h2 id="fee-stats-title">${l10n.t('Fees and volume over time')}</h2></div>
    ${stats.length < 2 ? emptyState(l10n.t('The service has no fee statistics for this pool.'), 'graph') : charts(stats, figures, money)}
  </section>`;
}

function charts(stats: PoolView['feeStats'], figures: Figures, money: PoolMoney): TemplateResult<1> {
  const { text } = figures;
  const times = stats.map(({ atMs }) => atMs);
  const inMoney = (usd: number | undefined): number | undefined => (money.currency === 'usd' ? usd : bothOf(usd, money).native);
  const format = (value: number | undefined): string => (money.currency === 'usd' ? text.usd(value) : text.sol(value));
  const chart = (id: string, label: string, values: readonly (number | undefined)[], colour: 'blue' | 'purple'): TemplateResult<1> =>
    html`<div class="card chart-card">${timeChart({ id, label, summary: summaryOf(label, times, values, format, figures), times, series: [{ label, values, colour }], format, formatTime: text.exact, kind: 'bars', figures })}</div>`;
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
