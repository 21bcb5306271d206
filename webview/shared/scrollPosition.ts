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
export class ScrollPlace {
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
  taken(): void {
    this.#wanted = undefined;
  }

  /** Scrolling has ended. Positions before the restore are not saved: the page was too short. */
  rested(): void {
    if (this.#wanted === undefined) {
      this.#save(this.#page.top);
    }
  }
}
