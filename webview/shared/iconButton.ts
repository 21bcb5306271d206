import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from './icons';

/** What an icon button has beside its sign and what it does. */
export interface IconButtonOptions {
  /** The tooltip, where it says more than the name that is spoken. */
  readonly title?: string;
  readonly isDisabled?: boolean;
}

/** A small button that is a sign alone. @param sign a codicon @param label its name: spoken, and in the tooltip */
export function iconButton(sign: string, label: string, run: () => void, { title = label, isDisabled = false }: IconButtonOptions = {}): TemplateResult<1> {
  return html`<button type="button" class="icon-button" title=${isDisabled ? nothing : title} aria-label=${label} ?disabled=${isDisabled} @click=${run}>${icon(sign)}</button>`;
}
