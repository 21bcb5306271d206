/** The user has ended something before it was done: there is nothing to tell. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * Gives what `work` gives, unless `signal` is aborted before. The work goes on then: others may wait for it too.
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
