import assert from 'node:assert/strict';
import { ScrollPosition, type ScrolledPage } from '../../../../webview/shared/scrollPosition';

/** A page that is so long, and the places that were saved for it. */
function pageOf(remembered: number | undefined): {
  readonly place: ScrollPosition;
  readonly page: ScrolledPage & { top: number; most: number };
  readonly saved: number[];
} {
  const saved: number[] = [];
  const page = {
    top: 0,
    most: 0,
    scrollTo(top: number): void {
      page.top = Math.min(top, page.most);
    },
  };
  return { place: new ScrollPosition(remembered, page, (top) => saved.push(top)), page, saved };
}

describe('Scroll position', () => {
  it('The saved scroll position is restored once, as soon as the page is long enough', () => {
    const { place, page } = pageOf(700);
    for (const [most, top] of [
      [0, 0],
      [699, 0],
      [700, 700],
    ] as const) {
      page.most = most;
      place.resized();
      assert.equal(page.top, top);
    }
    page.top = 100;
    page.most = 2_000;
    place.resized();
    assert.equal(page.top, 100);
  });

  it('Scroll positions are not saved while the page is too short to restore', () => {
    const { place, page, saved } = pageOf(700);
    place.scrollEnded();
    assert.deepEqual(saved, []);
    page.most = 900;
    place.resized();
    place.scrollEnded();
    assert.deepEqual(saved, [700]);
  });

  it('A user action cancels the restore of the scroll position', () => {
    const { place, page, saved } = pageOf(700);
    place.cancelRestore();
    page.most = 900;
    page.top = 40;
    place.resized();
    place.scrollEnded();
    assert.equal(page.top, 40);
    assert.deepEqual(saved, [40]);
  });

  for (const remembered of [undefined, 0]) {
    it(`The page stays where the user scrolled if ${remembered ?? 'nothing'} was saved`, () => {
      const { place, page, saved } = pageOf(remembered);
      page.most = 900;
      page.top = 20;
      place.resized();
      place.scrollEnded();
      assert.equal(page.top, 20);
      assert.deepEqual(saved, [20]);
    });
  }
});
