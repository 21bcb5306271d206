import { html, nothing, type TemplateResult } from 'lit-html';
import type { Template } from './template';

/** A name and a figure, in a `<dl class="facts">`. @param about a sign that explains the name (tooltip.ts) */
export function fact(label: Template, figure: Template, about: Template = nothing): TemplateResult<1> {
  return html`<div><dt>${label}${about === nothing ? nothing : html` ${about}`}</dt><dd>${figure}</dd></div>`;
}

/** A figure that one looks for first: what it is, large, and what belongs to it. */
export function figureCard(label: Template, figure: Template, note: Template): TemplateResult<1> {
  return html`<div class="card"><div class="card-label">${label}</div><div class="card-figure">${figure}</div><div class="card-note">${note}</div></div>`;
}
