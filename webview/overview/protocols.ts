import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OverviewFigures, OverviewView } from '../../src/protocol/overview';
import { icon } from '../shared/controls';
import type { Template } from '../shared/rendering';
import type { OverviewActions } from './state';

/** The protocols that the figures include: "DLMM and DAMM v2". */
export function protocolNames({ ofEach }: OverviewView): string {
  const names = ofEach.map(({ name }) => name);
  return names.length === 2 ? l10n.t`${names[0] ?? ''} and ${names[1] ?? ''}` : names.join(', ');
}

/** The protocols that the figures include. A protocol that could not be loaded is named with the reason and can be retried. */
export function protocolsNote(overview: OverviewView, { post }: OverviewActions): TemplateResult<1> {
  const { missing, none } = overview;
  const failed = missing.filter(({ words }) => words !== undefined);
  const loading = missing.filter(({ words }) => words === undefined);
  const rest = [...loading.map(({ name }) => l10n.t`${name} is loading.`), ...none.map((name) => l10n.t`No ${name} positions.`)];
  return html`${failed.map(
    ({ name, words }) => html`<div class="banner banner-warning" role="status">
        ${icon('warning')}
        <p><strong>${l10n.t`${protocolNames(overview)} only.`}</strong> ${l10n.t`${name} is missing from these figures: ${words ?? ''}`}</p>
        <vscode-button appearance="secondary" @click=${() => post({ kind: 'retry', part: 'overview' })}>${l10n.t('Try Again')}</vscode-button>
      </div>`,
  )}
    <p class="soft protocols">${[l10n.t`Closed ${protocolNames(overview)} positions.`, ...rest].join(' ')}</p>`;
}

/**
 * A figure over all protocols. If it cannot be derived from the protocols' figures, each is shown with the name of its protocol.
 * @param value the figure as a number; `undefined` if not known
 */
export function combinedFigure(
  overview: OverviewView,
  value: (figures: OverviewFigures) => number | undefined,
  show: (figures: OverviewFigures) => Template,
): Template {
  const { ofEach } = overview;
  if (ofEach.length < 2 || value(overview) !== undefined || ofEach.every(({ figures }) => value(figures) === undefined)) {
    return show(overview);
  }
  return html`${ofEach.map(({ name, figures }, index) => html`${index === 0 ? nothing : ' '}<span class="of-protocol"><span class="soft">${name}</span> ${show(figures)}</span>`)}`;
}
