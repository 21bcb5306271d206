import { html, nothing, type TemplateResult } from 'lit-html';
import type { Ambient } from '../../src/protocol/ambient';
import { icon } from './icons';
import type { Template } from './template';

/** A name and a figure, in a `<dl class="facts">`. @param about a sign that explains the name (tooltip.ts) */
export function fact(label: Template, figure: Template, about: Template = nothing): TemplateResult<1> {
  return html`<div><dt>${label}${about === nothing ? nothing : html` ${about}`}</dt><dd>${figure}</dd></div>`;
}

/** A figure that one looks for first: what it is, large, and what belongs to it. */
export function figureCard(label: Template, figure: Template, note: Template): TemplateResult<1> {
  return html`<div class="card"><div class="card-label">${label}</div><div class="card-figure">${figure}</div><div class="card-note">${note}</div></div>`;
}

/** Says that all money is pretend, where it is. */
export function sandboxSign(ambient: Pick<Ambient, 'isSandbox'> | undefined): Template {
  return ambient?.isSandbox === true
    ? html`<span class="badge sandbox-sign" title="This is the sandbox: nothing here is worth anything.">${icon('beaker')} Pretend money</span>`
    : nothing;
}
