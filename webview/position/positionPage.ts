import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { MoneyView } from '../../src/protocol/schemas';
import { emptyState, partView, skeletonBlock } from '../shared/asyncView';
import { errorBanner, guardFor, type PartGuard, sharedError } from '../shared/errors';
import { fact, figureCard } from '../shared/facts';
import { icon, iconButton } from '../shared/icons';
import { POOL_TYPES } from '../shared/poolTypes';
import type { Template } from '../shared/template';
import { hint } from '../shared/tooltip';
import { eventsSection } from './eventsSection';
import { holdingsCard } from './holdingsCard';
import { pnlCard } from './pnlCard';
import { positionActions } from './positionActions';
import { positionHeader } from './positionHeader';
import { rangeCard } from './rangeCard';
import { currencyOf, type PositionActions, type PositionState } from './state';

/** What does not change from day to day. */
export function aboutCard({ figures, nowMs }: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const { text } = figures;
  const addressed = (label: string, spoken: string, address: string | undefined): Template =>
    address === undefined
      ? nothing
      : fact(
          label,
          html`${figures.short(address)}${iconButton('copy', l10n.t`Copy the address of ${spoken}`, () => post({ kind: 'copyAddress', address }), { title: l10n.t`Copy ${address}` })}`,
        );
  return html`<section class="card" aria-labelledby="about-title">
    <div class="section-header"><h2 id="about-title">About</h2></div>
    <dl class="facts">
      ${fact('Opened', figures.moment(position.createdAtMs, nowMs))} ${fact('Kind', POOL_TYPES[position.poolType])}
      ${
        position.poolType === 'dammV2'
          ? nothing
          : html`${fact('Strategy', position.strategy ?? figures.plain(text.count(undefined)))} ${fact(l10n.t('Bin step'), figures.plain(text.bps(position.binStepBps)))}
          ${fact('Bins', figures.plain(text.bins(position.lowerBinId, position.upperBinId)))} ${fact(l10n.t('Active bin'), figures.plain(text.bin(position.activeBinId)))}`
      }
      ${addressed('Position', l10n.t('the position'), position.address)} ${addressed('Pool', l10n.t('the pool'), position.pool)} ${addressed(position.x.symbol, position.x.symbol, position.x.address)} ${addressed(position.y.symbol, position.y.symbol, position.y.address)}
      ${fact(l10n.t('Updated by the service'), figures.moment(position.updatedAtMs, nowMs))}
    </dl>
  </section>`;
}

/** What one wants to know first. */
export function summaryCards(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  const inBoth = (label: string, money: MoneyView, note: Template): Template =>
    figureCard(label, figures.amount(money, currency), html`${figures.amount(money, other)}${note}`);
  return html`<section class="cards summary" aria-label="Summary">
    ${inBoth('Value', position.value, '')}
    ${figureCard(html`PnL`, figures.difference(position.pnl, currency), html`${figures.percentDifference(position.pnlPercent[currency])} of what was put in`)}
    ${inBoth(l10n.t('Fees not collected'), position.uncollectedFee, '')} ${inBoth(l10n.t('Fees collected'), position.collectedFee, '')}
    ${figureCard(
      html`Daily return${hint('about-daily', l10n.t('daily return'), l10n.t('PnL over what was put in, for each day since it was opened.'))}`,
      figures.fractionDifference(position.dailyReturn[currency]),
      html`APR ${figures.plain(figures.text.percent(position.aprPercent))}`,
    )}
    ${figureCard('Age', figures.plain(figures.text.age(position.ageHours)), position.createdAtMs === undefined ? l10n.t('not known since when') : html`since <span title=${figures.text.exact(position.createdAtMs)}>${figures.text.day(position.createdAtMs)}</span>`)}
  </section>`;
}

/** The whole panel. */
export function positionPage(state: PositionState, actions: PositionActions): TemplateResult<1> {
  const { position, events, figures } = state;
  const trouble = sharedError({ position, events });
  const shown = guardFor(trouble);
  const retry = (part: 'position' | 'events'): void => actions.post({ kind: 'retry', part });
  return html`<main class="page position">
    ${positionHeader(state, actions)} ${errorBanner(trouble, { position, events }, figures, retry)}
    ${
      trouble?.isAll === true
        ? nothing
        : shown(position, 'position', (part) =>
            partView(part, {
              label: l10n.t('the position'),
              skeleton: skeletonPage(),
              none: emptyState(l10n.t('The service does not list this position. It may be closed, or not listed yet.'), 'search-stop'),
              ready: (data) =>
                html`<div class="page">${notices(state, data)}${positionActions(state, actions, data)}${body(state, data)}</div>`,
              retry: () => retry('position'),
              figures,
            }),
          )
    }
    ${lower(state, actions, shown)}
  </main>`;
}

/** What happened, and what does not change. What failed with the position is not told twice. */
function lower(state: PositionState, actions: PositionActions, shown: PartGuard<'events'>): Template {
  const { position, events } = state;
  if (position.data === undefined) {
    return events.data === undefined || events.data.length === 0 ? nothing : eventsSection(state, actions, shown);
  }
  return html`<div class="lower">${eventsSection(state, actions, shown)}${aboutCard(state, actions, position.data)}</div>`;
}

function body(state: PositionState, position: PositionView): TemplateResult<1> {
  return html`${summaryCards(state, position)}${rangeCard(state, position)}
    <div class="cards cards-wide">${pnlCard(state, position)}${holdingsCard(state, position)}</div>`;
}

function notices({ gone, position, figures }: PositionState, { isBusy }: PositionView): Template {
  if (gone) {
    const when =
      position.asOfMs === undefined
        ? l10n.t('were read before')
        : html`are from <span title=${figures.text.exact(position.asOfMs)}>${figures.text.clock(position.asOfMs)}</span>`;
    return html`<div class="banner" role="status">${icon('archive')}<p><strong>This position is not open any more.</strong> The figures below ${when}: how it stood when it was last listed.</p></div>`;
  }
  return isBusy
    ? html`<div class="banner" role="status">${icon('loading codicon-modifier-spin')}<p><strong>An operation on this position is under way.</strong> Its figures change when the service has seen the outcome.</p></div>`
    : nothing;
}

function skeletonPage(): TemplateResult<1> {
  return html`<div class="page" aria-hidden="true">
    <div class="cards">${Array.from({ length: 4 }, () => html`<div class="card skeleton-card"><span class="skeleton skeleton-label"></span><span class="skeleton skeleton-figure"></span></div>`)}</div>
    <div class="card">${skeletonBlock()}</div>
  </div>`;
}
