/** What was read of a body. */
export interface ReadText {
  readonly text: string;
  /** False: there was more, and it was not read. */
  readonly complete: boolean;
}

/**
 * Reads a body as UTF-8, up to `longest` bytes. Breaking off the iteration closes the connection, so that nothing more is
 * received.
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
