import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { icon } from '../shared/icons';
import { emptyState, partView, skeletonBlock } from '../shared/partView';
import type { Template } from '../shared/template';
import { guardFor, sharedError, errorBanner, type PartGuard } from '../shared/troubles';
import { aboutCard } from './aboutCard';
import { eventsSection } from './eventsSection';
import { holdingsCard } from './holdingsCard';
import { positionActions } from './positionActions';
import { positionHeader } from './positionHeader';
import { pnlCard } from './pnlCard';
import { rangeCard } from './rangeCard';
import { summaryCards } from './summaryCards';
import type { PositionActions, PositionState } from './state';

/** The whole panel. */
export function positionPage(state: PositionState, actions: PositionActions): TemplateResult<1> {
  const { position, events, figures } = state;
  const trouble = sharedError({ position, events });
  const shown = guardFor(trouble);
  const retry = (part: 'position' | 'events'): void => actions.post({ kind: 'retry', part });
  return html`<main class="page position">
    ${positionHeader(state, actions)} ${errorBanner(trouble, { position, events }, figures, retry)}
    ${trouble?.isAll === true ? nothing : shown(position, 'position', (part) => partView(part, {
      label: 'the position',
      skeleton: skeletonPage(),
      none: emptyState('The service does not list this position. It may be closed, or not listed yet.', 'search-stop'),
      ready: (data) => html`<div class="page">${notices(state, data)}${positionActions(state, actions, data)}${body(state, data)}</div>`,
      retry: () => retry('position'),
      figures,
    }))}
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
    const when = position.asOfMs === undefined ? 'were read before' : html`are from <span title=${figures.text.exact(position.asOfMs)}>${figures.text.clock(position.asOfMs)}</span>`;
    return html`<div class="banner" role="status">${icon('archive')}<p><strong>This position is not open any more.</strong> The figures below ${when}: how it stood when it was last listed.</p></div>`;
  }
  return isBusy ? html`<div class="banner" role="status">${icon('loading codicon-modifier-spin')}<p><strong>An operation on this position is under way.</strong> Its figures change when the service has seen the outcome.</p></div>` : nothing;
}

function skeletonPage(): TemplateResult<1> {
  return html`<div class="page" aria-hidden="true">
    <div class="cards">${Array.from({ length: 4 }, () => html`<div class="card skeleton-card"><span class="skeleton skeleton-label"></span><span class="skeleton skeleton-figure"></span></div>`)}</div>
    <div class="card">${skeletonBlock()}</div>
  </div>`;
}
