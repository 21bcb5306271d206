import { html, nothing } from 'lit-html';
import type { OverviewToHost } from '../../src/protocol/overview';
import type { Part } from '../../src/protocol/parts';
import { icon } from '../shared/icons';
import { emptyState } from '../shared/partView';
import type { Template } from '../shared/template';
import type { OverviewActions, OverviewState } from './state';

/** A part of the overview that can be tried again by itself. */
export type PartName = Extract<OverviewToHost, { kind: 'retry' }>['part'];

const PARTS = ['overview', 'open', 'earned', 'history'] as const satisfies readonly PartName[];

/** Parts that failed for one and the same reason. */
export interface SharedTrouble {
  readonly words: string;
  readonly parts: readonly PartName[];
  /** Nothing is known of any part: there is nothing else to show. */
  readonly isAll: boolean;
}

/** Shows a part, unless its trouble is told once for the whole page: then without a banner of its own. */
export type PartGuard = <Data>(part: Part<Data>, name: PartName, show: (part: Part<Data>) => Template) => Template;

/** The reason for which more than one part is old or missing; `undefined`: there is none. One outage is told once, not four times. */
export function sharedTrouble(state: Pick<OverviewState, PartName>): SharedTrouble | undefined {
  const failed = PARTS.filter((name) => state[name].standing === 'stale' || state[name].standing === 'failed');
  for (const name of failed) {
    const { words } = state[name];
    const parts = failed.filter((other) => state[other].words === words);
    if (words !== undefined && parts.length > 1) {
      return { words, parts, isAll: PARTS.every((part) => parts.includes(part) && state[part].data === undefined) };
    }
  }
  return undefined;
}

/** How parts are shown beside a trouble that is told for the page. */
export function guardFor(trouble: SharedTrouble | undefined): PartGuard {
  return (part, name, show) => {
    if (trouble?.parts.includes(name) !== true) {
      return show(part);
    }
    return part.data === undefined ? emptyState('Could not be read.', 'warning') : show({ ...part, standing: 'ready' });
  };
}

/** The trouble, and a way to try all of its parts again. */
export function troubleBanner(trouble: SharedTrouble | undefined, state: Pick<OverviewState, PartName | 'figures'>, { post }: Pick<OverviewActions, 'post'>): Template {
  if (trouble === undefined) {
    return nothing;
  }
  const { text } = state.figures;
  const oldest = Math.min(...trouble.parts.map((name) => (state[name].data === undefined ? Infinity : (state[name].asOfMs ?? Infinity))));
  const since = Number.isFinite(oldest) ? html`<strong title=${text.exact(oldest)}>These figures are from ${text.clock(oldest)}.</strong> ` : nothing;
  const isKnown = Number.isFinite(oldest);
  return html`<div class="banner ${isKnown ? 'banner-warning' : 'banner-error'}" role="alert">
    ${icon(isKnown ? 'warning' : 'error')}
    <p>${since}${trouble.words}</p>
    <vscode-button appearance="secondary" @click=${() => trouble.parts.forEach((part) => post({ kind: 'retry', part }))}>Try Again</vscode-button>
  </div>`;
}
