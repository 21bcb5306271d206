import { html, nothing, type TemplateResult } from 'lit-html';

/** A codicon by its name ("refresh"). With a label it is spoken as an image; without, it is only for the eye. */
export function icon(name: string, label?: string): TemplateResult<1> {
  return html`<span class="codicon codicon-${name}" role=${label === undefined ? nothing : 'img'} aria-label=${label ?? nothing} aria-hidden=${label === undefined ? 'true' : nothing}></span>`;
}
