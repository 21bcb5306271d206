import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { OverviewView } from '../../src/protocol/overview';
import { figureCard } from '../shared/facts';
import type { Template } from '../shared/template';
import { hint } from '../shared/tooltip';
import { periodNames } from './periods';
import { combinedFigure, protocolsNote } from './protocols';
import { currencyOf, type OverviewActions, type OverviewState } from './state';

/** The main figures of the period. */
export function headline(state: OverviewState, overview: OverviewView, actions: OverviewActions): TemplateResult<1> {
  const { figures, period } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  const both = (money: OverviewView['totalPnl']['ALL']): Template => figures.amount(money, other);
  const closed = overview.closedPositions[period];
  return html`${protocolsNote(overview, actions)}<div class="headline">
    <div class="card lead">
      <h2 class="card-label" id="period-title">${l10n.t`Realized PnL, ${periodNames()[period]}`}</h2>
      <div class="lead-figure">${figures.difference(overview.totalPnl[period], currency)}</div>
      <div class="card-note">${figures.difference(overview.totalPnl[period], other)}</div>
    </div>
    ${figureCard(l10n.t('Fees earned'), figures.amount(overview.totalFee[period], currency), both(overview.totalFee[period]))}
    ${figureCard(
      html`${l10n.t('Win rate')}${hint('about-win-rate', l10n.t('About the win rate'), l10n.t('Share of closed positions with a result that ended with a gain.'))}`,
      combinedFigure(
        overview,
        ({ winRate }) => winRate[period][currency],
        ({ winRate }) => figures.plain(text.fraction(winRate[period][currency])),
      ),
      html`${figures.plain(text.count(closed))} ${l10n.t('closed')}`,
    )}
    ${figureCard(
      html`${l10n.t('Expected value')}${hint('about-expected', l10n.t('About the expected value'), l10n.t('Average gain of a closed position. Only positions with a result count.'))}`,
      combinedFigure(
        overview,
        ({ expectedValue }) => expectedValue[period][currency],
        ({ expectedValue }) => figures.difference(expectedValue[period], currency),
      ),
      html`${figures.difference(overview.expectedValue[period], other)} ${l10n.t('per position')}`,
    )}
    ${figureCard(l10n.t('Average deposit'), figures.amount(overview.averageInflow[period], currency), html`${both(overview.averageInflow[period])} ${l10n.t('per position')}`)}
  </div>`;
}

export function headlineSkeleton(): TemplateResult<1> {
  return html`<div class="headline" aria-hidden="true">
    ${Array.from({ length: 5 }, (_, index) => html`<div class="card ${index === 0 ? 'lead' : ''}"><div class="skeleton-lines"><span class="skeleton"></span><span class="skeleton"></span><span class="skeleton"></span></div></div>`)}
  </div>`;
}
