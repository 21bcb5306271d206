import { html, type TemplateResult } from 'lit-html';
import { icon } from './icons';

/**
 * An info button beside a label. Its tooltip, shown on hover and focus, explains the figure.
 * @param id unique on the page
 * @param label accessible name of the button, for example "About PnL"
 */
export function hint(id: string, label: string, text: string): TemplateResult<1> {
  const place = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) {
      keepInSight(currentTarget);
    }
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement) {
      event.currentTarget.blur();
    }
  };
  return html`<span class="hint" @mouseenter=${place} @focusin=${place}>
    <button type="button" class="hint-button" aria-label=${label} aria-describedby=${id} @keydown=${leave}>${icon('info')}</button>
    <span class="hint-text" role="tooltip" id=${id}>${text}</span>
  </span>`;
}

/** Pixels kept free at the page's edges. */
const EDGE = 8;
/** Maximum width of a tooltip, CSS pixels; the same as in controls.css. */
const WIDEST = 288;

/** Shifts the tooltip sideways so it stays inside the page. */
function keepInSight(hint: HTMLElement): void {
  const words = hint.querySelector<HTMLElement>('.hint-text');
  if (words !== null) {
    const { left } = hint.getBoundingClientRect();
    const width = Math.min(words.offsetWidth === 0 ? WIDEST : words.offsetWidth, WIDEST);
    // The body's edges, not the window's: the scroll bar may be between them.
    const page = document.body.getBoundingClientRect();
    words.style.setProperty('--hint-shift', `${Math.max(Math.min(0, page.right - EDGE - width - left), page.left + EDGE - left)}px`);
  }
}
