import { html, nothing, type TemplateResult } from 'lit-html';

/** A codicon by its name ("refresh"). With a label it is spoken as an image; without, it is only for the eye. */
export function icon(name: string, label?: string): TemplateResult<1> {
  return html`<span class="codicon codicon-${name}" role=${label === undefined ? nothing : 'img'} aria-label=${label ?? nothing} aria-hidden=${label === undefined ? 'true' : nothing}></span>`;
}

/** What an icon button has beside its sign and what it does. */
export interface IconButtonOptions {
  /** The tooltip, where it says more than the name that is spoken. */
  readonly title?: string;
  readonly isDisabled?: boolean;
}

/** A small button that is a sign alone. @param sign a codicon @param label its name: spoken, and in the tooltip */
export function iconButton(
  sign: string,
  label: string,
  run: () => void,
  { title = label, isDisabled = false }: IconButtonOptions = {},
): TemplateResult<1> {
  return html`<button type="button" class="icon-button" title=${isDisabled ? nothing : title} aria-label=${label} ?disabled=${isDisabled} @click=${run}>${icon(sign)}</button>`;
}
