import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OverviewFigures, OverviewView } from '../../src/protocol/overview';
import { icon } from '../shared/icons';
import type { Template } from '../shared/template';
import type { OverviewActions } from './state';

/** The protocols that the figures count, by name: "DLMM and DAMM v2". */
export function protocolNames({ ofEach }: OverviewView): string {
  return ofEach.map(({ name }) => name).join(' and ');
}

/** Which protocols the figures count. One that the service could not report is named with the reason, and can be tried again. */
export function protocolsNote(overview: OverviewView, { post }: OverviewActions): TemplateResult<1> {
  const { missing, none } = overview;
  const failed = missing.filter(({ words }) => words !== undefined);
  const loading = missing.filter(({ words }) => words === undefined);
  const rest = [...loading.map(({ name }) => l10n.t`${name} is loading.`), ...none.map((name) => l10n.t`No ${name} positions.`)];
  return html`${failed.map(
    ({ name, words }) => html`<div class="banner banner-warning" role="status">
        ${icon('warning')}
        <p><strong>${protocolNames(overview)} only.</strong> ${name} is missing from these figures: ${words} PnL by day and the history count both.</p>
        <vscode-button appearance="secondary" title=${l10n.t`Read the overview of ${name} again`} @click=${() => post({ kind: 'retry', part: 'overview' })}>Try Again</vscode-button>
      </div>`,
  )}
    <p class="soft protocols">${[l10n.t`Closed ${protocolNames(overview)} positions.`, ...rest].join(' ')}</p>`;
}

/**
 * A figure over all protocols. Where those of the protocols do not determine it, each is shown with the name of its protocol.
 * @param value the figure as a number: `undefined` where it is not known
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
