import { startTimer, type Subscription } from '../../base/async/clock';
import { MINUTE_MS } from '../../base/time';
import { errorMessageOf } from '../errors';
import type { OperationDependencies } from '../types';
import { coverageOf, nextSlippageBps } from './coverage';
import { leftMs, type Quote } from './quote';

interface RenewalOptions extends Pick<OperationDependencies, 'nowMs' | 'clock'> {
  /** What the user is shown. */
  readonly shown: Quote;
  /** Builds and reviews the operation again; nothing of it is journaled. */
  readonly renew: (signal: AbortSignal, slippageBps: number) => Promise<Quote>;
  /** Whether a build may be requested now: there is room in the request limit, and the operation is still wanted. */
  readonly mayRenew: () => boolean;
  /** The limit of the service in requests per minute; `undefined`: unknown, or there is none. */
  readonly perMinute: () => number | undefined;
  readonly log: (message: string) => void;
}

const TICK_MS = 1_000;
/** A quote of this age is renewed: the new one should be there before the old one expires. */
const RENEW_AT_MS = 12_000;
/** Renewals of one question: enough for two minutes of reading. After that a quote is built when the user has decided. */
const MOST_RENEWALS = 10;
/** The part of the request limit that renewals may use: every second request. */
const SHARE_OF_LIMIT = 2;

/**
 * Renews a quote while the user reads the question about it, so a fresh one is ready when they agree. It never replaces what they are shown:
 * a renewed quote is only signed if the approval covers it (review/approval).
 */
export class QuoteRenewal {
  readonly #options: RenewalOptions;
  readonly #stopped = new AbortController();
  #newest: Quote;
  /** The newest quote that the approval of what is shown would cover. */
  #covered: Quote;
  /** The tolerance for the next one. */
  #slippageBps: number;
  #renewing: Promise<void> | undefined;
  #renewals = 0;
  #lastTryMs: number;
  #timer: Subscription | undefined;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#newest = options.shown;
    this.#covered = options.shown;
    this.#slippageBps = options.shown.slippageBps;
    this.#lastTryMs = options.shown.requestedAtMs;
  }

  /** @param holds called about every second with the time for which the quote still holds */
  start(holds: (leftMs: number) => void): void {
    this.#timer = startTimer(TICK_MS, () => this.#tick(holds), this.#options.clock);
  }

  /** Begins no more renewals. */
  pause(): void {
    this.#timer?.dispose();
  }

  /** Ends the renewals, and aborts one that is in progress. */
  stop(): void {
    this.pause();
    this.#stopped.abort();
  }

  /**
   * Ends the renewals and returns the newest quote that the approval covers, if it still holds: it may not outlast a renewal in progress, which is
   * aborted. Else returns the newest one, and waits for a renewal in progress.
   */
  async finish(): Promise<Quote> {
    this.pause();
    if (leftMs(this.#covered, this.#options.nowMs()) > 0) {
      this.#stopped.abort();
      return this.#covered;
    }
    await this.#renewing;
    return this.#newest;
  }

  #tick(holds: (leftMs: number) => void): void {
    const { nowMs, mayRenew } = this.#options;
    holds(leftMs(this.#covered, nowMs()));
    if (this.#renewing === undefined && this.#isDue() && mayRenew()) {
      this.#renewing = this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    }
    this.start(holds);
  }

  #isDue(): boolean {
    const { nowMs, perMinute } = this.#options;
    const limit = perMinute();
    const mayCoverAtOnce = this.#slippageBps < this.#newest.slippageBps && leftMs(this.#covered, nowMs()) === 0;
    const everyMs = Math.max(mayCoverAtOnce ? 0 : RENEW_AT_MS, limit === undefined ? 0 : (SHARE_OF_LIMIT * MINUTE_MS) / limit);
    return this.#renewals < MOST_RENEWALS && nowMs() - this.#lastTryMs >= everyMs;
  }

  /** Never rejects: without a renewed quote, one is built after the decision. */
  async #renew(): Promise<void> {
    const { nowMs, renew, shown, log } = this.#options;
    this.#renewals += 1;
    this.#lastTryMs = nowMs();
    try {
      const quote = await renew(this.#stopped.signal, this.#slippageBps);
      if (!this.#stopped.signal.aborted) {
        const { changes } = coverageOf(shown, quote);
        this.#newest = quote;
        this.#slippageBps = nextSlippageBps(shown, quote);
        this.#covered = changes.length === 0 ? quote : this.#covered;
        const topics = changes.map(({ topic }) => topic).join(', ');
        log(changes.length === 0 ? 'renewed the quote' : `renewed the quote, and the approval would not cover it: ${topics}`);
      }
    } catch (error) {
      if (!this.#stopped.signal.aborted) {
        log(`the quote was not renewed: ${errorMessageOf(error)}`);
      }
    }
  }
}
