/** A signal for one call, and why it was aborted. */
export interface TimeoutOptions {
  readonly signal: AbortSignal;
  /** Which came first; `undefined`: neither so far. */
  ended(): 'timeout' | 'cancelled' | undefined;
  /** To be called when the call is over. */
  stop(): void;
}

/** Joins the caller's signal and a time limit in one signal, and remembers which of them came first. */
export function withTimeout(caller: AbortSignal | undefined, timeoutMs: number): TimeoutOptions {
  const controller = new AbortController();
  let ended: 'timeout' | 'cancelled' | undefined;
  const end = (why: 'timeout' | 'cancelled'): void => {
    ended ??= why;
    controller.abort();
  };
  const onAbort = (): void => end('cancelled');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    ended: () => ended,
    stop: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
