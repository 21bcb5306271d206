import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { UNKNOWN } from '../../src/base/format/numbers';
import { DAY_MS } from '../../src/base/time';
import type { OverviewFigures, OverviewView } from '../../src/protocol/overview';
import { infoTooltip } from '../shared/controls';
import { fact } from '../shared/facts';
import type { Figures } from '../shared/figures';
import { skeletonLines } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { combinedFigure, protocolNames } from './protocols';
import { currencyOf, type OverviewState } from './state';

/** An APR above this extrapolates a few hours and is not meaningful: 10,000%, as a fraction. */
const ABSURD_APR = 100;
/** Activity of fewer days cannot be annualized. */
const LEAST_DAYS = 7;

type AprFigures = Pick<OverviewFigures, 'apr' | 'firstActivityMs' | 'lastActivityMs'>;

/** Whether the APR says something about a year: the service annualizes even the earnings of a few hours. */
export function isMeaningfulApr({ apr, firstActivityMs, lastActivityMs }: AprFigures): boolean {
  const activeMs = firstActivityMs === undefined || lastActivityMs === undefined ? Infinity : lastActivityMs - firstActivityMs;
  return apr === undefined || (Math.abs(apr) <= ABSURD_APR && activeMs >= LEAST_DAYS * DAY_MS);
}

/** Figures that the service reports for all time only. */
export function allTimeSection(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="all-time-title">
    <div class="section-header"><h2 id="all-time-title">${l10n.t('All time')}</h2></div>
    <div class="cards all-time">${moneyCard(state, overview)}${positionsCard(state, overview)}${averageCard(state, overview)}${aboutCard(state, overview)}</div>
  </section>`;
}

function moneyCard(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  return card('money', l10n.t('Money'), [
    fact(l10n.t('Deposited'), figures.amount(overview.totalInflow, currency)),
    fact(l10n.t('Withdrawn'), figures.amount(overview.totalOutflow, currency)),
    fact(l10n.t('Rewards'), figures.amount(overview.totalReward, currency)),
    fact(l10n.t('Fees / deposits'), figures.plain(figures.text.fraction(overview.feeRate[currency]))),
    fact(
      l10n.t('ROI'),
      figures.fractionDifference(overview.roi),
      infoTooltip('about-roi', l10n.t('ROI'), l10n.t('In percent of deposits')),
    ),
    fact(l10n.t('ROI on average deposit'), figures.fractionDifference(overview.roiOnAverageInflow[currency])),
    fact(
      l10n.t('APR'),
      combinedFigure(
        overview,
        ({ apr }) => apr,
        (one) => aprFigure(one, figures),
      ),
      infoTooltip('about-apr', l10n.t('APR'), l10n.t('Annualized ROI; unreliable for short periods')),
    ),
  ]);
}

function aprFigure(one: AprFigures, figures: Figures): TemplateResult<1> {
  return isMeaningfulApr(one) ? figures.fractionDifference(one.apr) : figures.plain(UNKNOWN);
}

function positionsCard(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  return card('positions', l10n.t('Positions'), [
    fact(l10n.t('All'), figures.plain(text.count(overview.totalPositions))),
    fact(l10n.t('Open'), figures.plain(text.count(overview.openPositions))),
    fact(l10n.t('Closed'), figures.plain(text.count(overview.closedPositions.ALL))),
    fact(l10n.t('Wins'), figures.plain(text.count(overview.wonPositions[currency]))),
    fact(l10n.t('Pools'), figures.plain(text.count(overview.totalPools))),
  ]);
}

function averageCard(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  return card('average', l10n.t('Averages'), [
    fact(
      l10n.t('Monthly PnL'),
      combinedFigure(
        overview,
        ({ monthlyPnl }) => monthlyPnl[currency],
        ({ monthlyPnl }) => figures.difference(monthlyPnl, currency),
      ),
    ),
    fact(
      l10n.t('Monthly deposits'),
      combinedFigure(
        overview,
        ({ monthlyInflow }) => monthlyInflow[currency],
        ({ monthlyInflow }) => figures.amount(monthlyInflow, currency),
      ),
    ),
    fact(
      l10n.t('Monthly return'),
      combinedFigure(
        overview,
        ({ monthlyProfitPercent }) => monthlyProfitPercent[currency],
        ({ monthlyProfitPercent }) => figures.percentDifference(monthlyProfitPercent[currency]),
      ),
    ),
    fact(
      l10n.t('PnL per position'),
      combinedFigure(
        overview,
        ({ averagePositionProfit }) => averagePositionProfit[currency],
        ({ averagePositionProfit }) => figures.difference(averagePositionProfit, currency),
      ),
    ),
    fact(l10n.t('Average age'), figures.plain(figures.text.age(overview.averageAgeHours))),
  ]);
}

function aboutCard({ figures, nowMs }: OverviewState, overview: OverviewView): TemplateResult<1> {
  const unknown = figures.plain(figures.text.count(undefined));
  return card('activity', l10n.t('Activity'), [
    fact(l10n.t('First activity'), figures.moment(overview.firstActivityMs, nowMs)),
    fact(l10n.t('Last activity'), figures.moment(overview.lastActivityMs, nowMs)),
    fact(l10n.t('Updated by service'), figures.moment(overview.updatedAtMs, nowMs)),
    fact(l10n.t('Chain'), overview.chain ?? unknown),
    fact(l10n.t('Protocols'), protocolNames(overview)),
    fact(l10n.t('Wallet'), figures.short(overview.owner)),
  ]);
}

/** Cards as tall as those that come. */
export function allTimeSkeleton(): TemplateResult<1> {
  return html`<div class="section" aria-hidden="true">
    <div class="section-header"><span class="skeleton title-skeleton"></span></div>
    <div class="cards all-time">${[7, 5, 5, 6].map((lines) => html`<div class="card">${skeletonLines(lines)}</div>`)}</div>
  </div>
  <div class="section" aria-hidden="true">
    <div class="section-header"><span class="skeleton title-skeleton"></span></div>
    <div class="card">${skeletonLines(7)}</div>
  </div>`;
}

function card(id: string, title: string, facts: readonly Template[]): TemplateResult<1> {
  return html`<div class="card"><h3 id="facts-${id}">${title}</h3><dl class="facts" aria-labelledby="facts-${id}">${facts}</dl></div>`;
}
