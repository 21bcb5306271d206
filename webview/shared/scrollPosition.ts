/** What scrolls. Lengths in CSS pixels. */
export interface ScrolledPage {
  readonly top: number;
  /** How far it can be scrolled as it is now. */
  readonly most: number;
  scrollTo(top: number): void;
}

/**
 * Where one was on a page: a hidden panel is unloaded, and would come back at its top. Its content comes back bit by bit, so that the place
 * is gone to once the page is long enough for it. Whoever moves by himself before that is left alone.
 */
export class ScrollPlace {
  readonly #page: ScrolledPage;
  readonly #save: (top: number) => void;
  /** Where to go as soon as it is there; `undefined`: nowhere any more. */
  #wanted: number | undefined;

  /** @param remembered where one was; 0 or `undefined`: at the top, or nowhere yet */
  constructor(remembered: number | undefined, page: ScrolledPage, save: (top: number) => void) {
    this.#page = page;
    this.#save = save;
    this.#wanted = remembered === undefined || remembered <= 0 ? undefined : remembered;
  }

  /** The page is longer or shorter than it was. */
  resized(): void {
    if (this.#wanted !== undefined && this.#page.most >= this.#wanted) {
      this.#page.scrollTo(this.#wanted);
      this.#wanted = undefined;
    }
  }

  /** The user has begun to do something. */
  taken(): void {
    this.#wanted = undefined;
  }

  /** The page has come to rest somewhere. What it was at while it was too short is not where one was. */
  rested(): void {
    if (this.#wanted === undefined) {
      this.#save(this.#page.top);
    }
  }
}
