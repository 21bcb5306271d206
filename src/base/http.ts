/** The text of a response body. */
export interface ReadText {
  readonly text: string;
  /** `false`: the body was longer, and the rest was not read. */
  readonly complete: boolean;
}

/**
 * Reads a body as UTF-8.
 * @param longest maximum number of bytes. Leaving the loop closes the connection, so nothing more is received.
 */
export async function readText(body: AsyncIterable<Uint8Array | string> | null, longest: number): Promise<ReadText> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > longest) {
      return { text: decode(chunks), complete: false };
    }
    chunks.push(bytes);
  }
  return { text: decode(chunks), complete: true };
}

function decode(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The abort signal of one call, and the reason for an abort. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The first reason; `undefined`: not aborted. */
  ended(): 'timeout' | 'cancelled' | undefined;
  /** Removes the timer and the listener; call it when the call is over. */
  stop(): void;
}

/** Combines the caller's signal with a time limit. Remembers which of them came first. */
export function withTimeout(caller: AbortSignal | undefined, timeoutMs: number): TimeLimit {
  const controller = new AbortController();
  let ended: 'timeout' | 'cancelled' | undefined;
  const end = (why: 'timeout' | 'cancelled'): void => {
    ended ??= why;
    controller.abort();
  };
  const onAbort = (): void => end('cancelled');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  caller?.addEventListener('abort', onAbort, { once: true });
  if (caller?.aborted === true) {
    onAbort();
  }
  return {
    signal: controller.signal,
    ended: () => ended,
    stop: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

/**
 * Runs a call with a signal that aborts when the caller's signal does, or after a time limit. Not `AbortSignal.any` with
 * `AbortSignal.timeout`: Node holds both only weakly, so the limit may be collected as garbage before its time, and then never fires.
 * @param limitMs milliseconds
 * @throws what `run` throws
 */
export async function runWithin<Result>(
  caller: AbortSignal,
  limitMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = withTimeout(caller, limitMs);
  try {
    return await run(limit.signal);
  } finally {
    limit.stop();
  }
}
