import { html, type TemplateResult } from 'lit-html';
import { icon } from './icons';

/**
 * A small sign beside a figure that says, when it is pointed at or focused, what the figure means.
 * @param id not used twice on the page
 * @param about what it explains, for a screen reader: "APR"
 */
export function hint(id: string, about: string, text: string): TemplateResult<1> {
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
    <button type="button" class="hint-button" aria-label="About ${about}" aria-describedby=${id} @keydown=${leave}>${icon('info')}</button>
    <span class="hint-text" role="tooltip" id=${id}>${text}</span>
  </span>`;
}

/** Pixels kept free at the page's edges. */
const EDGE = 8;
/** As in controls.css. */
const WIDEST = 288;

/** Moves the words sideways, so that none are beyond the edge of the page. */
function keepInSight(hint: HTMLElement): void {
  const words = hint.querySelector<HTMLElement>('.hint-text');
  if (words !== null) {
    const { left } = hint.getBoundingClientRect();
    const width = Math.min(words.offsetWidth === 0 ? WIDEST : words.offsetWidth, WIDEST);
    // The body's edges, not the window's: there may be room for a scroll bar between them.
    const page = document.body.getBoundingClientRect();
    words.style.setProperty('--hint-shift', `${Math.max(Math.min(0, page.right - EDGE - width - left), page.left + EDGE - left)}px`);
  }
}
