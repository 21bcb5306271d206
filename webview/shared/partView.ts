import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Part, RemedyView } from '../../src/protocol/schemas';
import { icon } from './controls';
import type { Figures } from './figures';
import type { Template } from './rendering';

export interface PartOptions<Data> {
  /** Placeholder until the data is loaded, about as large as the content. */
  readonly skeleton: Template;
  /** Replaces `ready` for empty data; `undefined`: `ready` shows it. */
  readonly empty?: (data: Data) => Template | undefined;
  /** Shown if the part is ready but has no data. */
  readonly none?: Template;
  readonly ready: (data: Data) => Template;
  readonly retry: () => void;
  readonly figures: Figures;
}

/** Renders a part in each of its states: loading, ready, stale or failed. */
export function partView<Data>(part: Part<Data>, options: PartOptions<Data>): TemplateResult<1> {
  const { data } = part;
  if (data === undefined) {
    return html`<div class="part">${part.status === 'loading' ? loading(options) : part.status === 'ready' ? (options.none ?? nothing) : failure(part, options)}</div>`;
  }
  return html`<div class="part" aria-busy=${part.status === 'loading' ? 'true' : 'false'}>
    ${part.status === 'stale' || part.status === 'failed' ? staleBanner(part, options) : nothing}${options.empty?.(data) ?? options.ready(data)}
  </div>`;
}

/** For example "as of 12:04", with the exact time in the tooltip; nothing if nothing was loaded. */
export function asOf(part: Pick<Part<unknown>, 'asOfMs'>, figures: Figures): Template {
  return part.asOfMs === undefined
    ? nothing
    : html`<span class="as-of" title=${figures.text.exact(part.asOfMs)}>${l10n.t`as of ${figures.text.clock(part.asOfMs)}`}</span>`;
}

/** A notice in place of content. @param action a button that helps */
export function emptyState(words: string, iconName = 'inbox', action: Template = nothing): TemplateResult<1> {
  return html`<div class="empty-state">${icon(iconName)}<p>${words}</p>${action}</div>`;
}

/** Placeholder for loading text. */
export function skeletonLines(lines: number): TemplateResult<1> {
  return html`<div class="skeleton-lines" aria-hidden="true">${Array.from({ length: lines }, () => html`<span class="skeleton"></span>`)}</div>`;
}

/** Placeholder for a loading chart or table. */
export function skeletonBlock(): TemplateResult<1> {
  return html`<div class="skeleton skeleton-block" aria-hidden="true"></div>`;
}

function loading(options: Pick<PartOptions<never>, 'skeleton'>): TemplateResult<1> {
  return html`<div aria-busy="true"><span class="visually-hidden" role="status">${l10n.t('Loading…')}</span>${options.skeleton}</div>`;
}

function failure(part: Part<unknown>, { retry }: Pick<PartOptions<never>, 'retry'>): TemplateResult<1> {
  return html`<div class="banner banner-error" role="alert">
    ${icon('error')}
    <p>${part.words ?? l10n.t('Could not be loaded.')}</p>
    ${tryAgain(retry)}
  </div>`;
}

function staleBanner(part: Part<unknown>, { retry, figures }: Pick<PartOptions<never>, 'retry' | 'figures'>): TemplateResult<1> {
  const since = part.asOfMs === undefined ? l10n.t('The figures are outdated.') : l10n.t`Last updated ${figures.text.clock(part.asOfMs)}.`;
  return html`<div class="banner banner-warning" role="status">
    ${icon('warning')}
    <p>
      <strong title=${figures.text.exact(part.asOfMs)}>${since}</strong>
      ${part.words ?? l10n.t('Could not be loaded.')}
    </p>
    ${tryAgain(retry)}
  </div>`;
}

function tryAgain(retry: () => void): TemplateResult<1> {
  return html`<vscode-button appearance="secondary" @click=${retry}>${l10n.t('Try Again')}</vscode-button>`;
}

/** Runs a command that fixes the cause of a failure. */
export type Help = (command: RemedyView['command']) => void;

/** The commands that fix the cause of a failure, as buttons. */
export function remedyButtons({ remedies = [] }: Pick<Part<unknown>, 'remedies'>, help: Help): readonly TemplateResult<1>[] {
  return remedies.map(
    ({ label, command }) => html`<vscode-button appearance="secondary" @click=${() => help(command)}>${label}</vscode-button>`,
  );
}

/** The parts of a panel by name. */
type Parts<Name extends string> = Readonly<Record<Name, Part<unknown>>>;

/** Several parts that failed for the same reason. */
export interface SharedError<Name extends string> {
  readonly words: string;
  readonly remedies: readonly RemedyView[] | undefined;
  readonly parts: readonly Name[];
  /** No part has any data: there is nothing else to show. */
  readonly isAll: boolean;
}

/** Shows a part; without a banner of its own if its error is shown once for the whole page. */
export type PartGuard<Name extends string> = <Data>(part: Part<Data>, name: Name, show: (part: Part<Data>) => Template) => Template;

/** The error that several parts share; `undefined` if there is none. An outage is shown once, not once per part. */
export function sharedError<Name extends string>(parts: Parts<Name>): SharedError<Name> | undefined {
  const names = Object.keys(parts) as Name[];
  const failed = names.filter((name) => parts[name].status === 'stale' || parts[name].status === 'failed');
  for (const name of failed) {
    const { words, remedies } = parts[name];
    const same = failed.filter((other) => parts[other].words === words);
    if (words !== undefined && same.length > 1) {
      return { words, remedies, parts: same, isAll: names.every((part) => same.includes(part) && parts[part].data === undefined) };
    }
  }
  return undefined;
}

/** Shows parts beside an error of the whole page, which they do not repeat. */
export function partGuard<Name extends string>(error: SharedError<Name> | undefined): PartGuard<Name> {
  return (part, name, show) => {
    if (error?.parts.includes(name) !== true) {
      return show(part);
    }
    return part.data === undefined ? emptyState(l10n.t('Could not be loaded.'), 'warning') : show({ ...part, status: 'ready' });
  };
}

/** The shared error with the commands that fix its cause and a button that retries all of its parts; nothing if there is none. */
export function errorBanner<Name extends string>(
  error: SharedError<Name> | undefined,
  parts: Parts<Name>,
  { text }: Figures,
  retry: (part: Name) => void,
  help: Help,
): Template {
  if (error === undefined) {
    return nothing;
  }
  const oldest = Math.min(...error.parts.map((name) => (parts[name].data === undefined ? Infinity : (parts[name].asOfMs ?? Infinity))));
  const isKnown = Number.isFinite(oldest);
  const since = isKnown ? html`<strong title=${text.exact(oldest)}>${l10n.t`Last updated ${text.clock(oldest)}.`}</strong> ` : nothing;
  return html`<div class="banner ${isKnown ? 'banner-warning' : 'banner-error'}" role="alert">
    ${icon(isKnown ? 'warning' : 'error')}
    <p>${since}${error.words}</p>
    ${remedyButtons(error, help)}
    <vscode-button appearance="secondary" @click=${() => error.parts.forEach(retry)}>${l10n.t('Try Again')}</vscode-button>
  </div>`;
}
