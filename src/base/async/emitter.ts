import type { Subscription } from './clock';

/** Tells listeners what happened, in the order in which they came. One that throws does not keep the others from hearing. */
export class Emitter<Event> {
  readonly #listeners = new Set<{ readonly hear: (event: Event) => void }>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  /** The same function may listen more than once; each subscription is its own. */
  on(listener: (event: Event) => void): Subscription {
    const entry = { hear: listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  /** Who comes or goes while an event is told hears, or does not hear, the next one. */
  fire(event: Event): void {
    for (const { hear } of [...this.#listeners]) {
      try {
        hear(event);
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
