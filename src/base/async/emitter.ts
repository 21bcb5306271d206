import type { Subscription } from './clock';

/** Calls listeners in the order of their subscriptions, even if some of them throw. Works without VS Code, unlike `vscode.EventEmitter`. */
export class Emitter<Event> {
  readonly #listeners = new Set<{ readonly listener: (event: Event) => void }>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  /** Adds a listener. The same function may be added more than once. */
  on(listener: (event: Event) => void): Subscription {
    const entry = { listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  /** Calls the listeners. Subscriptions that change meanwhile apply from the next event on. */
  fire(event: Event): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  /** Ends all subscriptions. */
  dispose(): void {
    this.#listeners.clear();
  }
}
