/** Runs a task at most once at a time. The task never rejects. */
export class SingleFlight {
  readonly #task: () => Promise<void>;
  #current: Promise<void> | undefined;
  #trailing: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Joins the run that is under way, or starts one. */
  join(): Promise<void> {
    this.#current ??= this.#task().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** A run that starts no earlier than now: after the one under way, if any. All who ask meanwhile share it. */
  fresh(): Promise<void> {
    if (this.#current === undefined) {
      return this.join();
    }
    this.#trailing ??= this.#current.then(() => {
      this.#trailing = undefined;
      return this.join();
    });
    return this.#trailing;
  }
}
