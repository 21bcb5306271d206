/** Lets one call run at a time, in the order in which they came; who has given up by the time of its turn is passed over. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `call` when those before it are done, and gives what it gives. An abort ends the turn at once, even where the call
   * does not listen to it.
   * @throws the signal's reason when aborted, and what `call` throws.
   */
  take<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const mine = this.#last.then(() => {
      signal.throwIfAborted();
      return orAborted(call(), signal);
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
