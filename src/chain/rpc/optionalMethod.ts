import { MINUTE_MS } from '../../base/time';
import { ChainRpcError } from './errors';

/** How long a method is left out after a failure: a refusal lasts, a fault passes. */
const REFUSAL_MS = 10 * MINUTE_MS;
const FAULT_MS = MINUTE_MS;

/** What a method needs besides its request. */
export interface OptionalMethodOptions {
  /** Milliseconds, on a clock that never goes back. */
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** What happens without it, for the log: a sentence. */
  readonly without: string;
}

/**
 * A method that the RPC may lack and that nothing depends on. No refusal of it is an error, in whatever words, status or form it comes: the caller
 * goes the next best way, and the method is left out for a while.
 */
export class OptionalMethod {
  readonly #options: OptionalMethodOptions;
  #leftOutUntil = -Infinity;

  constructor(options: OptionalMethodOptions) {
    this.#options = options;
  }

  /**
   * Returns the answer; `undefined`: there is none, or the method is left out now.
   * @param isOfTheseParameters whether a failure is one of these parameters alone, so that others are tried again
   * @throws ChainRpcError if it was cancelled
   */
  async try<Answer>(
    request: () => Promise<Answer>,
    isOfTheseParameters: (error: ChainRpcError) => boolean = () => false,
  ): Promise<Answer | undefined> {
    const { now, log, without } = this.#options;
    if (now() < this.#leftOutUntil) {
      return undefined;
    }
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
        throw error;
      }
      if (!isOfTheseParameters(error)) {
        const isFault = error.kind === 'timeout' || error.kind === 'unavailable' || error.kind === 'rateLimited';
        this.#leftOutUntil = now() + (isFault ? FAULT_MS : REFUSAL_MS);
        log(`${error.message} ${without}`);
      }
      return undefined;
    }
  }
}
