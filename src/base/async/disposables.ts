/** Something that has to be given back, in the form of VS Code's disposables. */
export interface Disposable {
  dispose(): void;
}

/**
 * Owns disposables, and disposes of them in the reverse order in which they were added: what was made later may use what was made before. What
 * is added after the end is disposed of at once.
 */
export class DisposableStore implements Disposable {
  readonly #owned: Disposable[] = [];
  #isDisposed = false;

  /** Takes over disposables; gives the first of them back. */
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
   * Disposes of everything, once. One that throws does not keep the others from being disposed of.
   * @throws AggregateError with what was thrown
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
