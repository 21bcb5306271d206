import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../../shared/icons';
import type { Template } from '../../shared/template';

/** A text field with what is wrong with it. */
export interface Field {
  /** Not used twice on the page. */
  readonly id: string;
  readonly label: Template;
  readonly text: string;
  readonly error: string | undefined;
  /** What the text means, below the field; not shown where it is wrong. */
  readonly note?: Template;
  /** The id of what says something about it elsewhere: what is wrong with it is shown there then, and not below the field. */
  readonly describedBy?: string;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly onInput: (text: string) => void;
  readonly onLeave?: () => void;
}

/**
 * A native field, not the toolkit's: what is wrong with it is named as its description, and a reference does not reach into the toolkit's
 * shadow tree.
 */
export function field({ id, label, text, error, note, describedBy, unit, placeholder, onInput, onLeave }: Field): TemplateResult<1> {
  const described = describedBy ?? (error === undefined && note === undefined ? nothing : `${id}-below`);
  return html`<div class="plan-field">
    <label for=${id}>${label}</label>
    <span class="plan-input">
      <input
        class="field" type="text" inputmode="decimal" autocomplete="off" spellcheck="false" id=${id}
        placeholder=${placeholder ?? nothing} .value=${text}
        aria-invalid=${error === undefined ? 'false' : 'true'} aria-describedby=${described}
        @input=${(event: Event) => onInput(valueOf(event))}
        @blur=${() => onLeave?.()}
      />
      ${unit === undefined ? nothing : html`<span class="plan-unit">${unit}</span>`}
    </span>
    ${describedBy === undefined ? html`<div class="plan-below" id="${id}-below" aria-live="polite">${error === undefined ? (note ?? nothing) : fieldError(error)}</div>` : nothing}
  </div>`;
}

/** What is wrong with a field. */
export function fieldError(words: string): TemplateResult<1> {
  return html`<span class="field-error">${icon('error')}<span>${words}</span></span>`;
}

/** A button that fills in a value; pressed in where it stands already. */
export function filling(label: string, title: string, isNow: boolean, onPress: () => void): TemplateResult<1> {
  return html`<button type="button" class="plan-filling" title=${title} aria-pressed=${isNow ? 'true' : 'false'} @click=${onPress}>${label}</button>`;
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : '';
}
