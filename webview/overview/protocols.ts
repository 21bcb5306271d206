import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OverviewFigures, OverviewView } from '../../src/protocol/overview';
import { icon } from '../shared/controls';
import type { Template } from '../shared/rendering';
import type { OverviewActions } from './state';

/** The protocols that the figures include: "DLMM, DAMM v2". */
export function protocolNames({ ofEach }: OverviewView): string {
  return ofEach.map(({ name }) => name).join(', ');
}

/** The protocols that the figures include. A protocol that could not be loaded is named with the reason and can be retried. */
export function protocolsNote(overview: OverviewView, { post }: OverviewActions): TemplateResult<1> {
  const { missing, none } = overview;
  const failed = missing.filter(({ words }) => words !== undefined);
  const loading = missing.filter(({ words }) => words === undefined);
  return html`${failed.map(
    ({ name, words }) => html`<div class="banner banner-warning" role="status">
        ${icon('warning')}
        <p>${`${name}: ${words ?? ''}`}</p>
        <vscode-button appearance="secondary" @click=${() => post({ kind: 'retry', part: 'overview' })}>${l10n.t('Try Again')}</vscode-button>
      </div>`,
  )}
    <p class="soft protocols">${l10n.t('Protocols')}: ${[protocolNames(overview), ...loading.map(({ name }) => `${name}: ${l10n.t('Loading…')}`), ...none.map((name) => l10n.t`No ${name} positions.`)].join(' · ')}</p>`;
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
