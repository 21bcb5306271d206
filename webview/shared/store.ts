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
