import { render, type TemplateResult } from 'lit-html';
import type { Store } from './store';

/** Shows a state, and each later one: at most once a frame, however often it changes meanwhile. */
export function mount<State extends object>(root: HTMLElement, store: Store<State>, view: (state: State) => TemplateResult): void {
  let frame: number | undefined;
  const paint = (): void => {
    frame = undefined;
    render(view(store.state), root);
  };
  store.onDidChange(() => {
    frame ??= requestAnimationFrame(paint);
  });
  // What stands there from the page itself is a picture of what comes.
  root.replaceChildren();
  paint();
}
