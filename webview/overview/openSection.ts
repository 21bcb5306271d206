import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { leftOutSentences } from '../../src/base/format/leftOut';
import type { OpenTotals } from '../../src/protocol/overview';
import { figureCard } from '../shared/facts';
import { icon } from '../shared/icons';
import { partView, skeletonLines } from '../shared/asyncView';
import type { OverviewGuard } from './parts';
import { currencyOf, type OverviewActions, type OverviewState } from './state';

/** Totals of the open positions, the same as in the status bar. */
export function openSection(state: OverviewState, actions: OverviewActions, guard: OverviewGuard): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="open-title">
    <div class="section-header">
      <h2 id="open-title">${l10n.t('Open now')}</h2>
      <span class="spring"></span>
      <vscode-button appearance="secondary" @click=${() => actions.post({ kind: 'showPositions' })}>${l10n.t('Show Positions')}</vscode-button>
    </div>
    ${guard(state.open, 'open', (part) =>
      partView(part, {
        label: l10n.t('the open positions'),
        skeleton: html`<div class="card">${skeletonLines(2)}</div>`,
        empty: (totals) =>
          totals.count === 0 ? html`<div class="card soft">${icon('inbox')} ${l10n.t('No open positions.')}</div>` : undefined,
        ready: (totals) => figuresOf(state, totals),
        retry: () => actions.post({ kind: 'retry', part: 'open' }),
        figures: state.figures,
      }),
    )}
  </section>`;
}

function figuresOf(state: OverviewState, totals: OpenTotals): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  return html`<div class="cards open-cards">
      ${figureCard(
        l10n.t('Positions'),
        figures.plain(text.count(totals.count)),
        totals.outOfRange === 0
          ? html`${icon('pass')} ${l10n.t('none out of range')}`
          : html`<span class="warned">${icon('warning')}</span> ${l10n.t`${text.count(totals.outOfRange)} out of range`}`,
      )}
      ${figureCard(l10n.t('Value'), figures.amount(totals.value, currency), figures.amount(totals.value, other))}
      ${figureCard(l10n.t('PnL'), figures.difference(totals.pnl, currency), html`${figures.percentDifference(totals.pnlPercent[currency])} ${l10n.t('on deposits')}`)}
      ${figureCard(l10n.t('Unclaimed fees'), figures.amount(totals.uncollectedFee, currency), figures.amount(totals.uncollectedFee, other))}
    </div>
    ${leftOutSentences(totals.leftOut, totals.count, text.counted).map((sentence) => html`<p class="soft left-out">${icon('info')} ${sentence}</p>`)}`;
}
