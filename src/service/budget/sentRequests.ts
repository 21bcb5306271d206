import { MINUTE_MS } from '../../base/time';

/** How long a request counts, from its answer on. */
const COUNTS_FOR_MS = MINUTE_MS;
/** The service's clock differs slightly from this one, and timers fire a little early. */
const MARGIN_MS = 250;

/** A request that counts against the limit. The service received it at some time before its answer, so it counts from the answer on. */
export interface SentRequest {
  /** Milliseconds since 1970; Infinity while the answer is not there. */
  endsAtMs: number;
  wasAccepted: boolean;
}

/** The requests that this window has sent, and that still count. */
export class SentRequests {
  readonly #now: () => number;
  #requests: SentRequest[] = [];

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** When they count no more; Infinity: not answered yet. */
  get endsMs(): readonly number[] {
    return this.#counted().map(({ endsAtMs }) => endsAtMs);
  }

  /** How many of them the service did not refuse. */
  get accepted(): number {
    return this.#counted().filter(({ wasAccepted }) => wasAccepted).length;
  }

  /** Counts a request that is sent now. */
  add(): SentRequest {
    const request: SentRequest = { endsAtMs: Number.POSITIVE_INFINITY, wasAccepted: false };
    this.#requests = [...this.#counted(), request];
    return request;
  }

  /** The answer to a request has begun, or none will come. */
  end(request: SentRequest, wasAccepted: boolean): void {
    Object.assign(request, { endsAtMs: this.#now() + COUNTS_FOR_MS + MARGIN_MS, wasAccepted });
  }

  /** After the system's clock was set back, requests count from now on, for no longer than before. */
  followClock(): void {
    const latestMs = this.#now() + COUNTS_FOR_MS + MARGIN_MS;
    for (const request of this.#requests) {
      // Infinity stays: no answer is there yet.
      if (Number.isFinite(request.endsAtMs)) {
        request.endsAtMs = Math.min(request.endsAtMs, latestMs);
      }
    }
  }

  #counted(): SentRequest[] {
    const now = this.#now();
    return this.#requests.filter(({ endsAtMs }) => endsAtMs > now);
  }
}
