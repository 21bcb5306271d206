import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Part } from '../../src/protocol/parts';
import type { Figures } from './figures';
import { icon } from './icons';
import type { Template } from './template';

/** How a part of a panel is shown. */
export interface PartOptions<Data> {
  /** What it is, as it is said: "the top LPers" (Loading the top LPers…). */
  readonly label: string;
  /** What stands there until it is known: about as large as what comes. */
  readonly skeleton: Template;
  /** What is shown in place of data that holds nothing; absent or `undefined`: it is shown by `ready`. */
  readonly empty?: (data: Data) => Template | undefined;
  /** What is shown where the answer was that there is nothing: the part is ready, and has no data. */
  readonly none?: Template;
  readonly ready: (data: Data) => Template;
  readonly retry: () => void;
  readonly figures: Figures;
}

/** A part of a panel as it stands: loading, there, old, or not to be had. The same way for all. */
export function partView<Data>(part: Part<Data>, options: PartOptions<Data>): TemplateResult<1> {
  const { data } = part;
  if (data === undefined) {
    return html`<div class="part">${part.standing === 'loading' ? loading(options) : part.standing === 'ready' ? (options.none ?? nothing) : failure(part, options)}</div>`;
  }
  return html`<div class="part" aria-busy=${part.standing === 'loading' ? 'true' : 'false'}>
    ${part.standing === 'stale' || part.standing === 'failed' ? staleBanner(part, options) : nothing}${options.empty?.(data) ?? options.ready(data)}
  </div>`;
}

/** "As of 12:04", with the exact time in the tooltip; nothing where nothing was read. */
export function asOf(part: Pick<Part<unknown>, 'asOfMs'>, figures: Figures): Template {
  return part.asOfMs === undefined
    ? nothing
    : html`<span class="as-of" title=${figures.text.exact(part.asOfMs)}>as of ${figures.text.clock(part.asOfMs)}</span>`;
}

/** Nothing to show, and why. @param action what can be done about it */
export function emptyState(words: string, iconName = 'inbox', action: Template = nothing): TemplateResult<1> {
  return html`<div class="empty-state">${icon(iconName)}<p>${words}</p>${action}</div>`;
}

/** Bars in place of text that is loading. */
export function skeletonLines(lines: number): TemplateResult<1> {
  return html`<div class="skeleton-lines" aria-hidden="true">${Array.from({ length: lines }, () => html`<span class="skeleton"></span>`)}</div>`;
}

/** A block in place of a chart or a table that is loading. */
export function skeletonBlock(): TemplateResult<1> {
  return html`<div class="skeleton skeleton-block" aria-hidden="true"></div>`;
}

function loading(options: Pick<PartOptions<never>, 'label' | 'skeleton'>): TemplateResult<1> {
  return html`<div aria-busy="true"><span class="visually-hidden" role="status">Loading ${options.label}…</span>${options.skeleton}</div>`;
}

function failure(part: Part<unknown>, { label, retry }: Pick<PartOptions<never>, 'label' | 'retry'>): TemplateResult<1> {
  return html`<div class="banner banner-error" role="alert">
    ${icon('error')}
    <p>${part.words ?? l10n.t`Could not read ${label}.`}</p>
    ${tryAgain(label, retry)}
  </div>`;
}

function staleBanner(
  part: Part<unknown>,
  { label, retry, figures }: Pick<PartOptions<never>, 'label' | 'retry' | 'figures'>,
): TemplateResult<1> {
  const since = part.asOfMs === undefined ? 'older' : l10n.t`from ${figures.text.clock(part.asOfMs)}`;
  return html`<div class="banner banner-warning" role="status">
    ${icon('warning')}
    <p>
      <strong title=${figures.text.exact(part.asOfMs)}>These figures are ${since}.</strong>
      ${part.words ?? l10n.t`Could not read ${label} again.`}
    </p>
    ${tryAgain(label, retry)}
  </div>`;
}

function tryAgain(label: string, retry: () => void): TemplateResult<1> {
  return html`<vscode-button appearance="secondary" title="Read ${label} again" @click=${retry}>Try Again</vscode-button>`;
}
