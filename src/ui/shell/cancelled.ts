/** The user cancelled. No message is shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * Waits for `work` until `signal` is aborted. The work itself continues, because others can wait for it too.
 * @throws Cancelled as soon as `signal` is aborted
 */
export async function orCancelled<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let leave: () => void = () => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(new Cancelled());
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
