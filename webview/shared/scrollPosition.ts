/** A scrollable page. Lengths in CSS pixels. */
export interface ScrolledPage {
  readonly top: number;
  /** Current maximum of {@link top}. */
  readonly most: number;
  scrollTo(top: number): void;
}

/**
 * The scroll position of a panel: a hidden panel is unloaded and would come back at its top. Its content arrives in parts, so the position is
 * restored once the page is long enough, unless the user scrolls first.
 */
export class ScrollPosition {
  readonly #page: ScrolledPage;
  readonly #save: (top: number) => void;
  /** Position to restore; `undefined`: nothing to restore any more. */
  #wanted: number | undefined;

  /** @param remembered the saved position; 0 or `undefined`: the top */
  constructor(remembered: number | undefined, page: ScrolledPage, save: (top: number) => void) {
    this.#page = page;
    this.#save = save;
    this.#wanted = remembered === undefined || remembered <= 0 ? undefined : remembered;
  }

  /** The page's length changed. */
  resized(): void {
    if (this.#wanted !== undefined && this.#page.most >= this.#wanted) {
      this.#page.scrollTo(this.#wanted);
      this.#wanted = undefined;
    }
  }

  /** The user started to interact. */
  cancelRestore(): void {
    this.#wanted = undefined;
  }

  /** Scrolling has ended. Positions before the restore are not saved: the page was too short. */
  scrollEnded(): void {
    if (this.#wanted === undefined) {
      this.#save(this.#page.top);
    }
  }
}

/** Scrolling has ended when nothing has moved the page for this long. */
const REST_MS = 150;
/** Events that mean that the page is in use. Focus counts: starting a plan scrolls to it by focusing. */
const USES = ['wheel', 'pointerdown', 'keydown', 'touchstart', 'focusin'] as const;

/** Restores and saves the scroll position while the page exists. @param save called with whole pixels from the top */
export function keepScrollPosition(remembered: number | undefined, save: (top: number) => void): void {
  const place = new ScrollPosition(
    remembered,
    {
      get top() {
        return Math.round(window.scrollY);
      },
      get most() {
        return document.documentElement.scrollHeight - window.innerHeight;
      },
      scrollTo: (top) => window.scrollTo(0, top),
    },
    save,
  );
  new ResizeObserver(() => place.resized()).observe(document.body);
  for (const use of USES) {
    window.addEventListener(use, () => place.cancelRestore(), { passive: true, capture: true });
  }
  let rest: number | undefined;
  window.addEventListener(
    'scroll',
    () => {
      window.clearTimeout(rest);
      rest = window.setTimeout(() => place.scrollEnded(), REST_MS);
    },
    { passive: true },
  );
}
