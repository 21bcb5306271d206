import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit-html';
import type { Part } from '../../src/protocol/parts';
import type { Figures } from './figures';
import { icon } from './icons';
import { emptyState } from './asyncView';
import type { Template } from './template';

/** The parts of a panel, by their names. */
export type Parts<Name extends string> = Readonly<Record<Name, Part<unknown>>>;

/** Parts that failed for one and the same reason. */
export interface SharedError<Name extends string> {
  readonly words: string;
  readonly parts: readonly Name[];
  /** Nothing is known of any part: there is nothing else to show. */
  readonly isAll: boolean;
}

/** Shows a part, unless its trouble is told once for the whole page: then without a banner of its own. */
export type PartGuard<Name extends string> = <Data>(part: Part<Data>, name: Name, show: (part: Part<Data>) => Template) => Template;

/** The reason for which more than one part is old or missing; `undefined`: there is none. One outage is told once, not for each part. */
export function sharedError<Name extends string>(parts: Parts<Name>): SharedError<Name> | undefined {
  const names = Object.keys(parts) as Name[];
  const failed = names.filter((name) => parts[name].standing === 'stale' || parts[name].standing === 'failed');
  for (const name of failed) {
    const { words } = parts[name];
    const same = failed.filter((other) => parts[other].words === words);
    if (words !== undefined && same.length > 1) {
      return { words, parts: same, isAll: names.every((part) => same.includes(part) && parts[part].data === undefined) };
    }
  }
  return undefined;
}

/** How parts are shown beside a trouble that is told for the page. */
export function guardFor<Name extends string>(trouble: SharedError<Name> | undefined): PartGuard<Name> {
  return (part, name, show) => {
    if (trouble?.parts.includes(name) !== true) {
      return show(part);
    }
    return part.data === undefined ? emptyState(l10n.t('Could not be read.'), 'warning') : show({ ...part, standing: 'ready' });
  };
}

/** The trouble, and a way to try all of its parts again; nothing where there is none. */
export function errorBanner<Name extends string>(
  trouble: SharedError<Name> | undefined,
  parts: Parts<Name>,
  { text }: Figures,
  retry: (part: Name) => void,
): Template {
  if (trouble === undefined) {
    return nothing;
  }
  const oldest = Math.min(...trouble.parts.map((name) => (parts[name].data === undefined ? Infinity : (parts[name].asOfMs ?? Infinity))));
  const isKnown = Number.isFinite(oldest);
  const since = isKnown ? html`<strong title=${text.exact(oldest)}>These figures are from ${text.clock(oldest)}.</strong> ` : nothing;
  return html`<div class="banner ${isKnown ? 'banner-warning' : 'banner-error'}" role="alert">
    ${icon(isKnown ? 'warning' : 'error')}
    <p>${since}${trouble.words}</p>
    <vscode-button appearance="secondary" @click=${() => trouble.parts.forEach(retry)}>Try Again</vscode-button>
  </div>`;
}
