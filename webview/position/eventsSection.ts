import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionEvent } from '../../src/protocol/position';
import { icon } from '../shared/icons';
import { asOf, emptyState, partView, skeletonLines } from '../shared/asyncView';
import type { Template } from '../shared/template';
import type { PartGuard } from '../shared/errors';
import { actionLabels, eventAmount, eventValueUsd } from './eventModel';
import type { PositionActions, PositionState } from './state';

/** Number of events shown before "Show All" is pressed. */
const FIRST_EVENTS = 20;

/** The position's events, newest first. */
export function eventsSection(state: PositionState, actions: PositionActions, shown: PartGuard<'events'>): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="events-title">
    <div class="section-header"><h2 id="events-title">${l10n.t('Events')}</h2>${asOf(state.events, state.figures)}</div>
    ${shown(state.events, 'events', (part) =>
      partView(part, {
        label: l10n.t('the events'),
        skeleton: html`<div class="card">${skeletonLines(4)}</div>`,
        empty: (events) =>
          events.length === 0 ? emptyState(l10n.t('The service reports no events for this position.'), 'history') : undefined,
        none: emptyState(l10n.t('The service reports no events for this position.'), 'history'),
        ready: (events) => list(state, actions, events),
        retry: () => actions.post({ kind: 'retry', part: 'events' }),
        figures: state.figures,
      }),
    )}
  </section>`;
}

function list(state: PositionState, actions: PositionActions, events: readonly PositionEvent[]): TemplateResult<1> {
  const shown = state.allEvents ? events : events.slice(0, FIRST_EVENTS);
  return html`<ol class="events">${shown.map((event) => entry(state, event))}</ol>
    ${
      shown.length < events.length
        ? html`<vscode-button class="all-events" appearance="secondary" @click=${actions.showAllEvents}>${l10n.t`Show All ${state.figures.text.count(events.length)} Events`}</vscode-button>`
        : nothing
    }`;
}

function entry({ position, figures, nowMs }: PositionState, event: PositionEvent): TemplateResult<1> {
  const { label, icon: sign } = actionLabels(event.action);
  const { text, plain } = figures;
  const value = eventValueUsd(event);
  const aside = [
    event.bps === undefined || event.bps === 0 ? undefined : text.bps(event.bps),
    event.lowerBinId === undefined ? undefined : l10n.t`bins ${text.bins(event.lowerBinId, event.upperBinId)}`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return html`<li class="event">
    <span class="event-icon">${icon(sign)}</span>
    <div class="event-what"><strong>${label}</strong>${aside === '' ? nothing : html`<span class="soft">${aside}</span>`}</div>
    <div class="event-amounts">
      ${amount(event.amount0Raw, event.decimals0, position.data?.x.symbol ?? l10n.t('token X'), figures.locale)} ${amount(event.amount1Raw, event.decimals1, position.data?.y.symbol ?? l10n.t('token Y'), figures.locale)}
    </div>
    <div class="event-value">${value === undefined ? nothing : plain(text.usd(value), l10n.t`${text.exactUsd(value)} at prices at that time`)}</div>
    <div class="event-when">${figures.moment(event.atMs, nowMs)}</div>
  </li>`;
}

function amount(raw: string | undefined, decimals: number | undefined, symbol: string, locale: string): Template {
  return raw === undefined ? nothing : html`<span class="figure">${eventAmount(raw, decimals, locale)} ${symbol}</span>`;
}
