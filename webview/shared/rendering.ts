import { nothing, render, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import { type ElementPart, type PartInfo, PartType } from 'lit-html/directive.js';

/** Anything that can be rendered: a template, plain text, or nothing. */
export type Template = TemplateResult<1> | TemplateResult<2> | string | typeof nothing;

/** Holds a panel's state and notifies listeners of changes. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State) => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  /** Changes a part of the state. Listeners are called once, unless nothing is different. */
  update(change: Partial<State>): void {
    const names = Object.keys(change) as (keyof State)[];
    if (names.every((name) => Object.is(this.#state[name], change[name]))) {
      return;
    }
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) {
      listener(this.#state);
    }
  }

  /** @returns a function that removes the listener */
  onDidChange(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

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

/** A component that renders its own element at its own time, for example a scrolling table or a chart. */
export interface Mountable {
  /** Called with the element at each view, even if the element is the same. */
  attach(container: Element): void;
  /** The element was removed from the page; it may come back. */
  detach(): void;
}

class HostedDirective extends AsyncDirective {
  #hosted: Mountable | undefined;
  #container: Element | undefined;

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) {
      throw new TypeError('hosted() must be used on an element: html`<div ${hosted(mountable)}></div>`');
    }
  }

  render(...[]: [Mountable]): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [mountable]: [Mountable]): typeof nothing {
    if (this.#hosted !== mountable) {
      this.#hosted?.detach();
    }
    this.#hosted = mountable;
    this.#container = part.element;
    mountable.attach(part.element);
    return nothing;
  }

  protected override disconnected(): void {
    this.#hosted?.detach();
  }

  protected override reconnected(): void {
    if (this.#container !== undefined) {
      this.#hosted?.attach(this.#container);
    }
  }
}

/** Attaches a {@link Mountable} to an element. */
export const mounted = directive(HostedDirective);
