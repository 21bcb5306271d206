import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { OverviewView } from '../../src/protocol/overview';
import { fact } from '../shared/facts';
import type { Figures } from '../shared/figures';
import type { Template } from '../shared/template';
import { hint } from '../shared/tooltip';
import { combinedFigure, protocolNames } from './protocols';
import { aprText } from './rateText';
import { currencyOf, type OverviewState } from './state';

/** What the service counts over all time alone. */
export function allTimeSection(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="all-time-title">
    <div class="section-header"><h2 id="all-time-title">All time</h2></div>
    <div class="cards all-time">${moneyCard(state, overview)}${positionsCard(state, overview)}${averageCard(state, overview)}${aboutCard(state, overview)}</div>
  </section>`;
}

function moneyCard(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  return card('money', 'Money', [
    fact(l10n.t('Put in'), figures.amount(overview.totalInflow, currency)),
    fact(l10n.t('Taken out'), figures.amount(overview.totalOutflow, currency)),
    fact('Rewards', figures.amount(overview.totalReward, currency)),
    fact(l10n.t('Fees of what was put in'), figures.plain(figures.text.fraction(overview.feeRate[currency]))),
    fact(
      'ROI',
      figures.fractionDifference(overview.roi),
      hint('about-roi', l10n.t('the ROI'), l10n.t('The PnL over all that was put in. Money that was put in again counts again.')),
    ),
    fact(
      l10n.t('ROI on the average'),
      figures.fractionDifference(overview.roiOnAverageInflow[currency]),
      hint(
        'about-roi-average',
        l10n.t('the ROI on the average'),
        l10n.t('The expected value over what was put into a position on average.'),
      ),
    ),
    fact(
      'APR',
      combinedFigure(
        overview,
        ({ apr }) => apr,
        ({ apr }) => aprFigure(apr, figures),
      ),
      hint(
        'about-apr',
        l10n.t('the APR'),
        overview.ofEach.some((one) => aprText(one.figures.apr, figures.text).isAbsurd)
          ? l10n.t(
              'The service reckons what was earned in hours as if it went on for a year. Above ten thousand per cent that says nothing, and is not written out.',
            )
          : l10n.t('What the service reckons for a year, from what was earned so far.'),
      ),
    ),
  ]);
}

function aprFigure(apr: number | undefined, figures: Figures): TemplateResult<1> {
  const { text, isAbsurd } = aprText(apr, figures.text);
  return isAbsurd ? figures.plain(text) : figures.fractionDifference(apr);
}

function positionsCard(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  return card('positions', 'Positions', [
    fact('All', figures.plain(text.count(overview.totalPositions))),
    fact('Open', figures.plain(text.count(overview.openPositions))),
    fact('Closed', figures.plain(text.count(overview.closedPositions.ALL))),
    fact(l10n.t('Closed with a gain'), figures.plain(text.count(overview.wonPositions[currency]))),
    fact('Pools', figures.plain(text.count(overview.totalPools))),
  ]);
}

function averageCard(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  return card('average', l10n.t('On average'), [
    fact(
      l10n.t('PnL a month'),
      combinedFigure(
        overview,
        ({ monthlyPnl }) => monthlyPnl[currency],
        ({ monthlyPnl }) => figures.difference(monthlyPnl, currency),
      ),
    ),
    fact(
      l10n.t('Put in a month'),
      combinedFigure(
        overview,
        ({ monthlyInflow }) => monthlyInflow[currency],
        ({ monthlyInflow }) => figures.amount(monthlyInflow, currency),
      ),
    ),
    fact(
      l10n.t('Profit a month, of what was put in'),
      combinedFigure(
        overview,
        ({ monthlyProfitPercent }) => monthlyProfitPercent[currency],
        ({ monthlyProfitPercent }) => figures.percentDifference(monthlyProfitPercent[currency]),
      ),
    ),
    fact(
      l10n.t('PnL of a position'),
      combinedFigure(
        overview,
        ({ averagePositionProfit }) => averagePositionProfit[currency],
        ({ averagePositionProfit }) => figures.difference(averagePositionProfit, currency),
      ),
    ),
    fact(l10n.t('A position is open for'), figures.plain(figures.text.age(overview.averageAgeHours))),
  ]);
}

function aboutCard({ figures, nowMs }: OverviewState, overview: OverviewView): TemplateResult<1> {
  const unknown = figures.plain(figures.text.count(undefined));
  return card('activity', 'Activity', [
    fact('First', figures.moment(overview.firstActivityMs, nowMs)),
    fact('Last', figures.moment(overview.lastActivityMs, nowMs)),
    fact(l10n.t('Updated by the service'), figures.moment(overview.updatedAtMs, nowMs)),
    fact('Chain', overview.chain ?? unknown),
    fact(overview.ofEach.length > 1 ? 'Protocols' : 'Protocol', protocolNames(overview)),
    fact('Wallet', figures.short(overview.owner)),
  ]);
}

function card(id: string, title: string, facts: readonly Template[]): TemplateResult<1> {
  return html`<div class="card"><h3 id="facts-${id}">${title}</h3><dl class="facts" aria-labelledby="facts-${id}">${facts}</dl></div>`;
}
