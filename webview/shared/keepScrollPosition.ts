import { ScrollPlace } from './scrollPosition';

/** Scrolling has ended when nothing has moved the page for this long. */
const REST_MS = 150;
/** Events that mean that the page is in use. Focus counts: starting a plan scrolls to it by focusing. */
const USES = ['wheel', 'pointerdown', 'keydown', 'touchstart', 'focusin'] as const;

/** Restores and saves the scroll position while the page exists. @param save called with whole pixels from the top */
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
