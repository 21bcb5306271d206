import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { Template } from './rendering';

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
  return html`<vscode-button appearance="icon" title=${isDisabled ? nothing : title} aria-label=${label} ?disabled=${isDisabled} @click=${run}>${icon(sign)}</vscode-button>`;
}

/** A choice between a few visible options. */
export interface Choice<Value extends string> {
  /** Unique on the page. */
  readonly id: string;
  /** Name of the choice, for screen readers. */
  readonly label: string;
  /** `title`: the full name if the label is short. */
  readonly options: readonly { readonly value: Value; readonly label: Template; readonly title?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** Radio buttons: arrow keys choose, Tab moves on. */
export function radioGroup<Value extends string>(
  { id, label, options, chosen, onChoose }: Choice<Value>,
  className: string,
): TemplateResult<1> {
  // The control also reports changes that the page makes, which are not choices. So `@change` comes first: it compares with the new value.
  const choose = ({ currentTarget }: Event): void => {
    const value = propertyOf(currentTarget, 'value');
    const option = options.find((one) => one.value === value);
    if (option !== undefined && option.value !== chosen) {
      onChoose(option.value);
    }
  };
  return html`<vscode-radio-group class=${className} name=${id} aria-label=${label} @change=${choose} .value=${live(chosen)}>
    ${options.map((option) => html`<vscode-radio value=${option.value} title=${option.title ?? nothing}>${option.label}</vscode-radio>`)}
  </vscode-radio-group>`;
}

/** Radio buttons that look like a segmented control. */
export function segmented<Value extends string>(choice: Choice<Value>): TemplateResult<1> {
  return radioGroup(choice, 'segmented');
}

/** USD or SOL. The caller saves the choice (`connection.save`) and uses `ambient.currency` until there is one. */
export function currencyToggle(chosen: CurrencyView, onChoose: (currency: CurrencyView) => void): TemplateResult<1> {
  return segmented<CurrencyView>({
    id: 'currency',
    label: l10n.t('Currency'),
    options: [
      { value: 'usd', label: 'USD' },
      { value: 'native', label: 'SOL' },
    ],
    chosen,
    onChoose,
  });
}

export interface CheckboxOptions {
  readonly label: string;
  readonly title: string;
  readonly isChecked: boolean;
  readonly isDisabled: boolean;
  readonly onToggle: () => void;
}

export function checkbox({ label, title, isChecked, isDisabled, onToggle }: CheckboxOptions): TemplateResult<1> {
  const toggle = ({ currentTarget }: Event): void => {
    if (propertyOf(currentTarget, 'checked') !== isChecked) {
      onToggle();
    }
  };
  return html`<vscode-checkbox title=${title} ?disabled=${isDisabled} @change=${toggle} .checked=${live(isChecked)}>${label}</vscode-checkbox>`;
}

/** A field to search with. @param label accessible name @param maxLength characters */
export function searchField(
  label: string,
  placeholder: string,
  text: string,
  maxLength: number,
  onInput: (text: string) => void,
): TemplateResult<1> {
  const input = ({ currentTarget }: Event): void => {
    const value = propertyOf(currentTarget, 'value');
    if (typeof value === 'string') {
      onInput(value.slice(0, maxLength));
    }
  };
  return html`<vscode-text-field class="search" type="search" maxlength=${maxLength} placeholder=${placeholder} @input=${input} .value=${live(text)}
    >${label}<span slot="start" class="codicon codicon-search" aria-hidden="true"></span
  ></vscode-text-field>`;
}

/** A short note on a state or kind. @param className its look, for example `badge-warning` */
export function badge(content: Template, title?: string, className = ''): TemplateResult<1> {
  return html`<span class="badge ${className}" title=${title ?? nothing}>${content}</span>`;
}

/** The property of a control whose class only toolkit.ts knows. */
function propertyOf(control: EventTarget | null, name: 'value' | 'checked'): unknown {
  return control !== null && name in control ? (control as Readonly<Partial<Record<typeof name, unknown>>>)[name] : undefined;
}

/**
 * An info button beside a label. Its tooltip, shown on hover and focus, explains the figure.
 * @param id unique on the page
 * @param label what it explains
 */
export function infoTooltip(id: string, label: string, text: string): TemplateResult<1> {
  const place = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) {
      keepVisible(currentTarget);
    }
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement) {
      event.currentTarget.blur();
    }
  };
  return html`<span class="hint" @mouseenter=${place} @focusin=${place}>
    <button type="button" class="hint-button" aria-label=${l10n.t`About ${label}`} aria-describedby=${id} @keydown=${leave}>${icon('info')}</button>
    <span class="hint-text" role="tooltip" id=${id}>${text}</span>
  </span>`;
}

/** Pixels kept free at the page's edges. */
const EDGE = 8;
/** Maximum width of a tooltip, CSS pixels; the same as in controls.css. */
const WIDEST = 288;

/** Shifts the tooltip sideways so it stays inside the page. */
function keepVisible(tooltip: HTMLElement): void {
  const words = tooltip.querySelector<HTMLElement>('.hint-text');
  if (words !== null) {
    const { left } = tooltip.getBoundingClientRect();
    const width = Math.min(words.offsetWidth === 0 ? WIDEST : words.offsetWidth, WIDEST);
    // The body's edges, not the window's: the scroll bar may be between them.
    const page = document.body.getBoundingClientRect();
    words.style.setProperty('--hint-shift', `${Math.max(Math.min(0, page.right - EDGE - width - left), page.left + EDGE - left)}px`);
  }
}

const ANNOUNCEMENTS = 'announcements';

/** Announces a text to screen readers, politely. A later text replaces one that was not spoken yet. */
export function announce(text: string): void {
  const place = document.getElementById(ANNOUNCEMENTS) ?? document.body.appendChild(announcements());
  // A repeated text is announced again only if the content changes.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

function announcements(): HTMLElement {
  const place = document.createElement('div');
  place.id = ANNOUNCEMENTS;
  place.className = 'visually-hidden';
  place.setAttribute('role', 'status');
  place.setAttribute('aria-live', 'polite');
  return place;
}
