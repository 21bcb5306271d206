import { render, type TemplateResult } from 'lit-html';
import type { Store } from './store';

/** Renders a state and each later one, at most once per frame. */
export function mount<State extends object>(root: HTMLElement, store: Store<State>, view: (state: State) => TemplateResult): void {
  let frame: number | undefined;
  const paint = (): void => {
    frame = undefined;
    render(view(store.state), root);
  };
  store.onDidChange(() => {
    frame ??= requestAnimationFrame(paint);
  });
  // The page itself contains a skeleton.
  root.replaceChildren();
  paint();
}
