import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { MoneyView } from '../../src/protocol/schemas';
import { infoTooltip, icon, iconButton } from '../shared/controls';
import { fact, figureCard } from '../shared/facts';
import { poolTypeName } from '../shared/figures';
import {
  emptyState,
  errorBanner,
  partGuard,
  type PartGuard,
  partView,
  sharedError,
  skeletonBlock,
  skeletonLines,
} from '../shared/partView';
import type { Template } from '../shared/rendering';
import { eventsSection } from './events';
import { earningsCard } from './earningsCard';
import { fromHereOn } from './fromHereOn';
import { positionActions, positionHeader } from './positionHeader';
import { priceCard } from './priceChart';
import { rangeCard } from './range';
import { currencyOf, type PositionActions, type PositionState } from './state';

/** Facts that rarely change. */
function aboutCard({ figures, nowMs }: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const { text } = figures;
  const addressed = (label: string, address: string | undefined): Template =>
    address === undefined
      ? nothing
      : fact(
          label,
          html`${figures.short(address)}${iconButton('copy', l10n.t`Copy ${text.address(address)}`, () => post({ kind: 'copyAddress', address }), { title: l10n.t`Copy ${address}` })}`,
        );
  return html`<section class="card" aria-labelledby="about-title">
    <div class="section-header"><h2 id="about-title">${l10n.t('About')}</h2></div>
    <dl class="facts">
      ${fact(l10n.t('Opened'), figures.moment(position.createdAtMs, nowMs))} ${fact(l10n.t('Type'), poolTypeName(position.poolType))}
      ${
        position.poolType === 'dammV2'
          ? nothing
          : html`${fact(l10n.t('Strategy'), position.strategy ?? figures.plain(text.count(undefined)))} ${fact(l10n.t('Bin step'), figures.plain(text.bps(position.binStepBps)))}
          ${fact(l10n.t('Bins'), figures.plain(text.bins(position.lowerBinId, position.upperBinId)))} ${fact(l10n.t('Active bin'), figures.plain(text.bin(position.activeBinId)))}`
      }
      ${addressed(l10n.t('Position'), position.address)} ${addressed(l10n.t('Pool'), position.pool)} ${addressed(position.x.symbol, position.x.address)} ${addressed(position.y.symbol, position.y.address)}
      ${fact(l10n.t('Last activity'), figures.moment(position.updatedAtMs, nowMs))}
    </dl>
  </section>`;
}

/** The figures that matter most. */
function summaryCards(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  const { uncollectedRewards: rewards } = position;
  const inBoth = (label: string, money: MoneyView, note: Template): Template =>
    figureCard(label, figures.amount(money, currency), html`${figures.amount(money, other)}${note}`);
  return html`<section class="cards summary" aria-label=${l10n.t('Summary')}>
    ${inBoth(l10n.t('Value'), position.value, '')}
    ${figureCard(l10n.t('PnL'), figures.difference(position.pnl, currency), html`${figures.percentDifference(position.pnlPercent[currency])} ${l10n.t('on deposits')}`)}
    ${inBoth(l10n.t('Unclaimed fees'), position.uncollectedFee, '')} ${inBoth(position.isFeeEstimate === true ? l10n.t('Claimed fees (estimate)') : l10n.t('Claimed fees'), position.collectedFee, '')}
    ${rewards === undefined ? nothing : inBoth(l10n.t('Unclaimed rewards'), rewards.worth, html` · ${rewards.tokens.map(({ symbol, amount }) => `${figures.text.tokens(amount)} ${symbol}`).join(' + ')}`)}
    ${figureCard(
      html`${l10n.t('Daily return')}${infoTooltip('about-daily', l10n.t('Daily return'), l10n.t('In percent of deposits'))}`,
      figures.fractionDifference(position.dailyReturn[currency]),
      html`${l10n.t('APR of fees')} ${figures.plain(figures.text.percent(position.aprPercent))}`,
    )}
    ${figureCard(l10n.t('Age'), figures.plain(figures.text.age(position.ageHours)), position.createdAtMs === undefined ? nothing : html`<span title=${figures.text.exact(position.createdAtMs)}>${l10n.t`since ${figures.text.day(position.createdAtMs)}`}</span>`)}
  </section>`;
}

/** The whole panel. */
export function positionPage(state: PositionState, actions: PositionActions): TemplateResult<1> {
  const { position, events, figures } = state;
  const error = sharedError({ position, events });
  const shown = partGuard(error);
  const retry = (part: 'position' | 'events'): void => actions.post({ kind: 'retry', part });
  return html`<main class="page position">
    ${positionHeader(state, actions)} ${errorBanner(error, { position, events }, figures, retry, (command) => actions.post({ kind: 'remedy', command }))}
    ${
      error?.isAll === true
        ? nothing
        : shown(position, 'position', (part) =>
            partView(part, {
              skeleton: skeletonPage(),
              none: emptyState(
                state.otherWallet === undefined
                  ? l10n.t('This position is not listed. It may be closed, too new, or of another wallet.')
                  : l10n.t`This position belongs to ${figures.text.address(state.otherWallet)}. Switch to that wallet.`,
                'search-stop',
              ),
              ready: (data) =>
                html`<div class="page">${notices(state, data)}${positionActions(state, actions, data)}${body(state, actions, data)}</div>`,
              retry: () => retry('position'),
              figures,
            }),
          )
    }
    ${lower(state, actions, shown)}
  </main>`;
}

/** Events and facts. A failure that the position already shows is not repeated here. */
function lower(state: PositionState, actions: PositionActions, shown: PartGuard<'events'>): Template {
  const { position, events } = state;
  if (position.data === undefined) {
    // Without the position the tokens of its events have no names.
    return state.otherWallet !== undefined || events.data === undefined || events.data.length === 0
      ? nothing
      : eventsSection(state, actions, shown);
  }
  return html`<div class="lower">${eventsSection(state, actions, shown)}${aboutCard(state, actions, position.data)}</div>`;
}

function body(state: PositionState, actions: PositionActions, position: PositionView): TemplateResult<1> {
  return html`${summaryCards(state, position)}
    <div class="position-main">
      <div class="position-column">${rangeCard(state, position)}${priceCard(state, position)}</div>
      <div class="position-column">${fromHereOn(state, actions, position)}${earningsCard(state, actions, position)}</div>
    </div>`;
}

function notices({ gone, position, figures }: PositionState, { isBusy }: PositionView): Template {
  if (gone) {
    const when =
      position.asOfMs === undefined
        ? nothing
        : html`<span title=${figures.text.exact(position.asOfMs)}>${l10n.t`Last updated ${figures.text.clock(position.asOfMs)}.`}</span>`;
    return html`<div class="banner" role="status">${icon('archive')}<p><strong>${l10n.t('This position is no longer listed. It may have been closed.')}</strong> ${when}</p></div>`;
  }
  return isBusy
    ? html`<div class="banner" role="status">${icon('loading codicon-modifier-spin')}<p><strong>${l10n.t('An operation on this position is in progress. Wait until it ends.')}</strong></p></div>`
    : nothing;
}

function skeletonPage(): TemplateResult<1> {
  return html`<div class="page" aria-hidden="true">
    <div class="cards summary">${Array.from({ length: 6 }, () => html`<div class="card skeleton-card"><span class="skeleton skeleton-label"></span><span class="skeleton skeleton-figure"></span></div>`)}</div>
    <div class="position-main">
      <div class="position-column"><div class="card">${skeletonBlock()}</div></div>
      <div class="position-column"><div class="card">${skeletonLines(7)}</div></div>
    </div>
  </div>`;
}
