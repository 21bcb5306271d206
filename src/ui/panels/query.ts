import type { Clock, Subscription } from '../../base/async/clock';
import { SingleFlight } from '../../base/async/concurrency';
import { asError, backoffMs, MIN_PAUSE_MS, requestedPauseMs } from '../../portfolio/failure';
import { NO_LIMIT, type RequestLimit } from '../../portfolio/requestPace';
import { LOADING, type Part } from '../../protocol/schemas';
import { errorSentence, rateLimitSentence } from './asyncState';

export interface QuerySource<Record> {
  /** For the log: "the details of the pool". */
  readonly name: string;
  readonly read: (signal: AbortSignal) => Promise<Record>;
  /** Called when the part changes, and when a requested read begins. */
  readonly changed: () => void;
  /** Interval of reads while the part is visible, milliseconds. Default: read only when wanted or shown again. */
  readonly everyMs?: number;
  readonly clock: Clock;
  /** The request limit of the service. Default: only the pauses that errors ask for are kept. */
  readonly limit?: RequestLimit | undefined;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** Minimum interval of reads that the user did not request, milliseconds: some plans of the service allow only five requests a minute. */
export const LEAST_BETWEEN_READS_MS = 60_000;

/** The reads of one subject. Replaced when the subject changes, so late answers are dropped. */
interface Reads {
  readonly abort: AbortController;
  readonly flight: SingleFlight;
}

/**
 * Reads one part of a panel from the service: once it is wanted, only while it is visible, and one read at a time. If a later read fails, the data
 * stays and is marked as stale. Failures increase the interval. A read refused by the request limit is repeated as soon as the limit allows it while
 * the part is visible, so the panel does not stay in error after a pause.
 */
export class Query<Record> {
  readonly #source: QuerySource<Record>;
  #reads: Reads;
  #part: Part<Record> = LOADING;
  #timer: Subscription | undefined;
  #isWanted = false;
  #isVisible = false;
  #isDisposed = false;
  /** End of the last read, successful or not. */
  #readAtMs: number | undefined;
  #isReading = false;
  #failures = 0;
  /** Set if the request limit refused the last read: no read before this time, milliseconds since 1970. */
  #restUntilMs: number | undefined;
  readonly #limit: RequestLimit;
  readonly #limitSubscription: Subscription;

  constructor(source: QuerySource<Record>) {
    this.#source = source;
    this.#limit = source.limit ?? NO_LIMIT;
    this.#limitSubscription = this.#limit.onDidChange(() => this.#limitChanged());
    this.#reads = this.#newReads();
  }

  get part(): Part<Record> {
    return this.#part;
  }

  /** End of the last read, successful or not, milliseconds since 1970; `undefined` before the first. */
  get readAtMs(): number | undefined {
    return this.#readAtMs;
  }

  /** Marks the part as wanted: it is read at once, unless it is hidden or was read within the last minute. */
  want(): void {
    this.#isWanted = true;
    this.#plan('demand');
  }

  setVisible(isVisible: boolean): void {
    if (isVisible !== this.#isVisible) {
      this.#isVisible = isVisible;
      this.#plan('demand');
    }
  }

  /** Reads at the user's request, or awaits the read in progress. Without data, the part is `loading` meanwhile. */
  async ask(): Promise<void> {
    await this.#askOnce(() => this.#reads.flight.join());
  }

  /** The data is known to be outdated: reads again, after the read in progress if there is one, or when the part is shown next. */
  again(): void {
    this.#readAtMs = undefined;
    this.#failures = 0;
    this.#restUntilMs = undefined;
    if (this.#isWanted && this.#isVisible) {
      void this.#reads.flight.fresh();
    }
  }

  /** The subject changed, for example to another page: drops the read in progress, keeps the data until the answer, and reads now. */
  async askAgain(): Promise<void> {
    this.#drop();
    await this.#askOnce(() => this.#reads.flight.join());
  }

  /** The service or wallet changed: drops the data at once and reads again if the part is wanted. */
  forget(): void {
    this.#drop();
    this.#part = LOADING;
    this.#plan('demand');
  }

  /** The part is no longer wanted: drops the data and stops reading. */
  leave(): void {
    this.#isWanted = false;
    this.forget();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#limitSubscription.dispose();
    this.#reads.abort.abort();
  }

  async #askOnce(read: () => Promise<void>): Promise<void> {
    if (this.#isDisposed) {
      return;
    }
    this.#isWanted = true;
    if (this.#part.data === undefined && this.#part.standing !== 'loading') {
      this.#become(LOADING);
    }
    await read();
  }

  #drop(): void {
    this.#reads.abort.abort();
    this.#reads = this.#newReads();
    this.#isReading = false;
    this.#readAtMs = undefined;
    this.#failures = 0;
    this.#restUntilMs = undefined;
  }

  #newReads(): Reads {
    const abort = new AbortController();
    return { abort, flight: new SingleFlight(() => this.#read(abort.signal)) };
  }

  async #read(signal: AbortSignal): Promise<void> {
    if (isSuperseded(signal)) {
      return;
    }
    const source = this.#source;
    this.#isReading = true;
    try {
      const data = await source.read(signal);
      if (isSuperseded(signal)) {
        return;
      }
      this.#ended();
      this.#failures = 0;
      this.#restUntilMs = undefined;
      this.#become({ standing: 'ready', data, asOfMs: source.clock.now() });
    } catch (thrown) {
      if (isSuperseded(signal)) {
        return;
      }
      const error = asError(thrown);
      source.log('warn', `Reading ${source.name} failed: ${error.message}`);
      this.#ended();
      const restMs = requestedPauseMs(error);
      this.#failures += restMs === undefined ? 1 : 0;
      this.#restUntilMs = restMs === undefined ? undefined : source.clock.now() + restMs;
      const { data, asOfMs } = this.#part;
      const words = this.#restUntilMs === undefined ? errorSentence(error) : rateLimitSentence(this.#restUntilMs);
      this.#become(data === undefined ? { standing: 'failed', words } : { standing: 'stale', data, asOfMs, words });
    }
    this.#plan('interval');
  }

  #ended(): void {
    this.#isReading = false;
    this.#readAtMs = this.#source.clock.now();
  }

  #become(part: Part<Record>): void {
    this.#part = part;
    this.#source.changed();
  }

  /** Reads if a read is due, or sets the timer. */
  #plan(why: 'demand' | 'interval'): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#isDisposed || !this.#isWanted || !this.#isVisible || this.#isReading) {
      return;
    }
    const { clock, everyMs } = this.#source;
    const waitMs = this.#dueAtMs() - clock.now();
    const isOwed = this.#restUntilMs !== undefined;
    if (waitMs <= 0 && (why === 'demand' || everyMs !== undefined || isOwed)) {
      void this.#reads.flight.join();
    } else if (everyMs !== undefined || isOwed) {
      this.#timer = clock.after(waitMs, () => this.#plan('interval'));
    }
  }

  #dueAtMs(): number {
    if (this.#readAtMs === undefined) {
      return 0;
    }
    if (this.#restUntilMs !== undefined) {
      return Math.max(this.#restUntilMs, this.#source.clock.now() + this.#limit.waitMs());
    }
    const everyMs = this.#source.everyMs ?? LEAST_BETWEEN_READS_MS;
    return this.#readAtMs + (this.#failures === 0 ? everyMs : backoffMs(everyMs, this.#failures));
  }

  /** A pause ended early or the service changed: the pause of the last error no longer applies. */
  #limitChanged(): void {
    if (this.#restUntilMs !== undefined) {
      this.#restUntilMs = Math.min(this.#restUntilMs, (this.#readAtMs ?? 0) + MIN_PAUSE_MS);
      this.#plan('interval');
    }
  }
}

/** Whether the subject has changed: then answers and failures are dropped. */
function isSuperseded(signal: AbortSignal): boolean {
  return signal.aborted;
}
