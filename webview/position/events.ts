import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { shortAmount } from '../../src/base/format/amounts';
import type { PositionEvent } from '../../src/protocol/position';
import { icon } from '../shared/controls';
import { asOf, emptyState, type PartGuard, partView, skeletonLines } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { actionName, type EventKind, kindOfEvent } from '../../src/base/insight/positionEvents';
import type { PositionActions, PositionState } from './state';

export interface ActionLabels {
  readonly label: string;
  /** Name of a codicon. */
  readonly icon: string;
}

/** Longer action names from the service are truncated. Characters. */
const MAX_LABEL_LENGTH = 60;
/** The token program stores decimals in one byte. */
const MAX_DECIMALS = 255;

const labels = (): Readonly<Record<EventKind, ActionLabels>> => ({
  open: { label: l10n.t('Opened'), icon: 'new-file' },
  deposit: { label: l10n.t('Deposited'), icon: 'add' },
  withdrawal: { label: l10n.t('Withdrawn'), icon: 'remove' },
  fees: { label: l10n.t('Claimed fees'), icon: 'check-all' },
  rewards: { label: l10n.t('Rewards claimed'), icon: 'gift' },
  close: { label: l10n.t('Closed'), icon: 'circle-slash' },
  unknown: { label: l10n.t('Unknown event'), icon: 'question' },
});

/** Label and icon of an action. An unknown action is shown under the service's own name, with spaces for underscores. */
export function actionLabels(action: string): ActionLabels {
  const [kind, name] = [kindOfEvent({ action }), actionName(action)];
  if (kind !== 'unknown' || name === 'unknown') {
    return labels()[kind];
  }
  const words = name.replaceAll('_', ' ').trim();
  const cut = words.length > MAX_LABEL_LENGTH ? `${words.slice(0, MAX_LABEL_LENGTH)}…` : words;
  return { label: cut === '' ? l10n.t('Unknown event') : cut.charAt(0).toUpperCase() + cut.slice(1), icon: 'circle-small-filled' };
}

/** Formats a raw amount in whole tokens; "–" if the amount or its decimals are unknown. */
export function eventAmount(raw: string | undefined, decimals: number | undefined, locale: string): string {
  const isReadable = decimals !== undefined && Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS;
  return shortAmount(raw === undefined ? undefined : BigInt(raw), isReadable ? decimals : undefined, locale);
}

/** Value of both amounts at the time of the event, US dollars; `undefined` if a non-zero amount has no price. For display only. */
export function eventValueUsd(event: PositionEvent): number | undefined {
  const sides = [sideUsd(event.amount0Raw, event.decimals0, event.price0Usd), sideUsd(event.amount1Raw, event.decimals1, event.price1Usd)];
  return sides.reduce<number | undefined>((sum, side) => (sum === undefined || side === undefined ? undefined : sum + side), 0);
}

function sideUsd(raw: string | undefined, decimals: number | undefined, price: number | undefined): number | undefined {
  if (raw !== undefined && BigInt(raw) === 0n) {
    return 0;
  }
  return raw === undefined || decimals === undefined || price === undefined ? undefined : (Number(raw) / 10 ** decimals) * price;
}

/** Number of events shown before "Show All" is pressed. */
const FIRST_EVENTS = 20;

/** The position's events, newest first. */
export function eventsSection(state: PositionState, actions: PositionActions, shown: PartGuard<'events'>): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="events-title">
    <div class="section-header"><h2 id="events-title">${l10n.t('Events')}</h2>${asOf(state.events, state.figures)}</div>
    ${shown(state.events, 'events', (part) =>
      partView(part, {
        skeleton: html`<div class="card">${skeletonLines(4)}</div>`,
        empty: (events) => (events.length === 0 ? emptyState(l10n.t('Not reported by the service.'), 'history') : undefined),
        none: emptyState(l10n.t('Not reported by the service.'), 'history'),
        ready: (events) => list(state, actions, events),
        retry: () => actions.post({ kind: 'retry', part: 'events' }),
        figures: state.figures,
      }),
    )}
  </section>`;
}

function list(state: PositionState, actions: PositionActions, events: readonly PositionEvent[]): TemplateResult<1> {
  const shown = state.allEvents ? events : events.slice(0, FIRST_EVENTS);
  const isReported = events.some((event) => event.isReported === true);
  return html`${isReported ? html`<p class="soft">${l10n.t("From Meteora's public data, not read from the chain yet.")}</p>` : nothing}<ol class="events">${shown.map((event) => entry(state, event))}</ol>
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
    event.lowerBinId === undefined ? undefined : text.bins(event.lowerBinId, event.upperBinId),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return html`<li class="event">
    <span class="event-icon">${icon(sign)}</span>
    <div class="event-what"><strong>${label}</strong>${aside === '' ? nothing : html`<span class="soft">${aside}</span>`}</div>
    <div class="event-amounts">
      ${amount(event.amount0Raw, event.decimals0, position.data?.x.symbol ?? 'X', figures.locale)} ${amount(event.amount1Raw, event.decimals1, position.data?.y.symbol ?? 'Y', figures.locale)}
    </div>
    <div class="event-value">${value === undefined ? nothing : plain(text.usd(value), text.exactUsd(value))}</div>
    <div class="event-when">${figures.moment(event.atMs, nowMs)}</div>
  </li>`;
}

function amount(raw: string | undefined, decimals: number | undefined, symbol: string, locale: string): Template {
  return raw === undefined ? nothing : html`<span class="figure">${eventAmount(raw, decimals, locale)} ${symbol}</span>`;
}
