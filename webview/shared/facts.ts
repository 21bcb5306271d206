import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Ambient } from '../../src/protocol/schemas';
import { badge, icon } from './controls';
import type { Template } from './rendering';

/** A label and a figure, in a `<dl class="facts">`. @param about explains the label (`infoTooltip`) */
export function fact(label: Template, figure: Template, about: Template = nothing): TemplateResult<1> {
  return html`<div><dt>${label}${about === nothing ? nothing : html` ${about}`}</dt><dd>${figure}</dd></div>`;
}

/** A prominent figure: label, large figure and note. */
export function figureCard(label: Template, figure: Template, note: Template): TemplateResult<1> {
  return html`<div class="card"><div class="card-label">${label}</div><div class="card-figure">${figure}</div><div class="card-note">${note}</div></div>`;
}

export function sandboxBadge(ambient: Pick<Ambient, 'isSandbox'> | undefined): Template {
  return ambient?.isSandbox === true ? badge(html`${icon('beaker')} ${l10n.t('Sandbox (pretend)')}`, undefined, 'sandbox-sign') : nothing;
}
