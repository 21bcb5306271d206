/** Runs one call at a time, in the order of the requests. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `call` after the calls before it have settled, and returns its result.
   * @param signal an abort skips a call that has not begun, and rejects one that runs, even where the call ignores the signal
   * @throws the signal's reason when aborted, and what `call` throws
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

/** Gives what `running` gives, or rejects with the signal's reason, whichever comes first. */
function orAborted<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    running.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
