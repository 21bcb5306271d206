import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../../shared/icons';
import type { Template } from '../../shared/template';

/** A text field with its error. */
export interface Field {
  /** Unique on the page. */
  readonly id: string;
  readonly label: Template;
  readonly text: string;
  readonly error: string | undefined;
  /** Explanation below the field; replaced by the error if there is one. */
  readonly note?: Template;
  /** Id of an element elsewhere that shows the field's error instead of the space below the field. */
  readonly describedBy?: string;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly onInput: (text: string) => void;
  readonly onLeave?: () => void;
}

/**
 * A native field, not the toolkit's: its error is referenced as its description, and id references do not reach into the toolkit's shadow tree.
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

export function fieldError(words: string): TemplateResult<1> {
  return html`<span class="field-error">${icon('error')}<span>${words}</span></span>`;
}

/** A button that fills in a preset value; pressed while the field has that value. */
export function filling(label: string, title: string, isNow: boolean, onPress: () => void): TemplateResult<1> {
  return html`<button type="button" class="plan-filling" title=${title} aria-pressed=${isNow ? 'true' : 'false'} @click=${onPress}>${label}</button>`;
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : '';
}
