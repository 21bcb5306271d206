/** Runs calls one at a time, in the order of the requests. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `call` after the calls before it have settled, and returns its result.
   * @param signal an abort skips a call that has not started, and rejects a running one even if the call ignores the signal
   * @throws the signal's reason after an abort, and what `call` throws
   */
  take<Result>(call: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const mine = this.#last.then(() => {
      signal?.throwIfAborted();
      return signal === undefined ? call() : orAborted(call(), signal);
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/** Settles like `running`, or rejects with the signal's reason, whichever comes first. A signal that has already fired rejects at once. */
export function orAborted<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    running.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Runs a task at most once at a time. A rejection reaches the callers of that run, and the next call starts a new one. */
export class SingleFlight {
  readonly #task: () => Promise<void>;
  #current: Promise<void> | undefined;
  #trailing: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Joins the current run, or starts one. */
  join(): Promise<void> {
    this.#current ??= this.#task().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** Resolves after a run that starts no earlier than now: after the current one, if any. Concurrent callers share it. */
  fresh(): Promise<void> {
    if (this.#current === undefined) {
      return this.join();
    }
    const next = (): Promise<void> => {
      this.#trailing = undefined;
      return this.join();
    };
    this.#trailing ??= this.#current.then(next, next);
    return this.#trailing;
  }
}

/** Returns a function that creates a value on the first call and reuses it. After a failure the next call tries again. */
export function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
