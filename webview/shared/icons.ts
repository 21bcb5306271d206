import { html, nothing, type TemplateResult } from 'lit-html';

/** A codicon by name ("refresh"). With a label it is an image for screen readers; without, it is hidden from them. */
export function icon(name: string, label?: string): TemplateResult<1> {
  return html`<span class="codicon codicon-${name}" role=${label === undefined ? nothing : 'img'} aria-label=${label ?? nothing} aria-hidden=${label === undefined ? 'true' : nothing}></span>`;
}

export interface IconButtonOptions {
  /** The tooltip, if it says more than the accessible name. */
  readonly title?: string;
  readonly isDisabled?: boolean;
}

/** A small button with an icon only. @param sign a codicon @param label accessible name and tooltip */
export function iconButton(
  sign: string,
  label: string,
  run: () => void,
  { title = label, isDisabled = false }: IconButtonOptions = {},
): TemplateResult<1> {
  return html`<button type="button" class="icon-button" title=${isDisabled ? nothing : title} aria-label=${label} ?disabled=${isDisabled} @click=${run}>${icon(sign)}</button>`;
}
