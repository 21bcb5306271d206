import { ScrollPlace } from './scrollPosition';

/** The page has come to rest when nothing has moved it for so long. */
const REST_MS = 150;
/** By these the page is used: also what is brought to somebody's attention gets the focus (planning that begins). */
const USES = ['wheel', 'pointerdown', 'keydown', 'touchstart', 'focusin'] as const;

/** Keeps the place of the window, for as long as the page is there. @param save remembers it: whole pixels from the top */
export function keepScrollPlace(remembered: number | undefined, save: (top: number) => void): void {
  const place = new ScrollPlace(
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
    window.addEventListener(use, () => place.taken(), { passive: true, capture: true });
  }
  let rest: number | undefined;
  window.addEventListener(
    'scroll',
    () => {
      window.clearTimeout(rest);
      rest = window.setTimeout(() => place.rested(), REST_MS);
    },
    { passive: true },
  );
}
