import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit-html';
import type { Part } from '../../src/protocol/parts';
import type { Figures } from './figures';
import { icon } from './icons';
import { emptyState } from './asyncView';
import type { Template } from './template';

/** The parts of a panel by name. */
export type Parts<Name extends string> = Readonly<Record<Name, Part<unknown>>>;

/** Several parts that failed for the same reason. */
export interface SharedError<Name extends string> {
  readonly words: string;
  readonly parts: readonly Name[];
  /** No part has any data: there is nothing else to show. */
  readonly isAll: boolean;
}

/** Shows a part; without a banner of its own if its error is shown once for the whole page. */
export type PartGuard<Name extends string> = <Data>(part: Part<Data>, name: Name, show: (part: Part<Data>) => Template) => Template;

/** The error that several parts share; `undefined` if there is none. An outage is shown once, not once per part. */
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

/** How parts are shown beside an error of the whole page. */
export function guardFor<Name extends string>(trouble: SharedError<Name> | undefined): PartGuard<Name> {
  return (part, name, show) => {
    if (trouble?.parts.includes(name) !== true) {
      return show(part);
    }
    return part.data === undefined ? emptyState(l10n.t('Could not be loaded.'), 'warning') : show({ ...part, standing: 'ready' });
  };
}

/** The shared error with a button that retries all of its parts; nothing if there is none. */
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
  const since = isKnown ? html`<strong title=${text.exact(oldest)}>${l10n.t`Last updated ${text.clock(oldest)}.`}</strong> ` : nothing;
  return html`<div class="banner ${isKnown ? 'banner-warning' : 'banner-error'}" role="alert">
    ${icon(isKnown ? 'warning' : 'error')}
    <p>${since}${trouble.words}</p>
    <vscode-button appearance="secondary" @click=${() => trouble.parts.forEach(retry)}>${l10n.t('Try Again')}</vscode-button>
  </div>`;
}
