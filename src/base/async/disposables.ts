/** The shape of VS Code's disposables. */
export interface Disposable {
  dispose(): void;
}

/**
 * Owns disposables, and disposes of them in reverse order, because later ones may use earlier ones. A disposable that is added after
 * {@link dispose} is disposed of immediately.
 */
export class DisposableStore implements Disposable {
  readonly #owned: Disposable[] = [];
  #isDisposed = false;

  /** Adds disposables and returns the first of them. */
  add<First extends Disposable>(first: First, ...others: readonly Disposable[]): First {
    for (const disposable of [first, ...others]) {
      if (this.#isDisposed) {
        disposable.dispose();
      } else {
        this.#owned.push(disposable);
      }
    }
    return first;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /**
   * Disposes of everything, once, even if some of them throw.
   * @throws AggregateError with everything that was thrown
   */
  dispose(): void {
    this.#isDisposed = true;
    const errors: unknown[] = [];
    for (let last = this.#owned.pop(); last !== undefined; last = this.#owned.pop()) {
      try {
        last.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'Some disposables could not be disposed of');
    }
  }
}
