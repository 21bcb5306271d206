import { asError, restAskedFor } from '../../portfolio/failure';
import { NO_LIMIT, type RequestLimit } from '../../portfolio/requestPace';
import { SingleFlight } from '../../base/async/singleFlight';
import { LOADING, type Part } from '../../protocol/parts';
import { rateLimitSentence, errorSentence } from './asyncState';
import type { Subscription, Clock } from '../../base/async/clock';

/** How a part of a panel is read. */
export interface QuerySource<Record> {
  /** For the log: "the details of the pool". */
  readonly name: string;
  readonly read: (signal: AbortSignal) => Promise<Record>;
  /** The part stands differently. Also called when a read that was asked for begins. */
  readonly changed: () => void;
  /** How often it is read anew while it is seen, milliseconds; absent: only when it is wanted, or seen again. */
  readonly everyMs?: number;
  readonly clock: Clock;
  /** The request limit of the service that is read from; absent: only what errors say is heeded. */
  readonly limit?: RequestLimit | undefined;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** What nobody asked for is not read more often than this, milliseconds: plans of the service allow as few as five requests a minute. */
export const LEAST_BETWEEN_READS_MS = 60_000;

/** The longest that failures make a read wait that nobody asked for, milliseconds. */
const LONGEST_BACKOFF_MS = 15 * 60_000;

/** After a 429, nothing is read before so long, milliseconds: it keeps a wrong answer from becoming a loop. */
const LEAST_REST_MS = 1_000;

/** The reads of one time: replaced as a whole when what is read is another thing, so that a late answer has nowhere to go. */
interface Reads {
  readonly abort: AbortController;
  readonly flight: SingleFlight;
}

/**
 * Reads one part of a panel from the service: once wanted, and only while it is seen; one read at a time; what was read stays when a
 * later read fails, and says so. After failures the wait grows. A read that the request limit refused is made up for as soon as the
 * limit allows it, while the part is seen: the panel does not stay in error after a pause.
 */
export class Query<Record> {
  readonly #source: QuerySource<Record>;
  #reads: Reads;
  #part: Part<Record> = LOADING;
  #timer: Subscription | undefined;
  #isWanted = false;
  #isVisible = false;
  #isDisposed = false;
  /** When the last read ended, whatever came of it. */
  #readAtMs: number | undefined;
  #isReading = false;
  #failures = 0;
  /** The request limit refused the last read; not before this time, milliseconds since 1970. */
  #restUntilMs: number | undefined;
  readonly #limit: RequestLimit;
  readonly #limitSubscription: Subscription;

  constructor(source: QuerySource<Record>) {
    this.#source = source;
    this.#limit = source.limit ?? NO_LIMIT;
    this.#limitSubscription = this.#limit.onDidChange(() => this.#limitChanged());
    this.#reads = this.#newReads();
  }

  /** How it stands, and what is known. */
  get part(): Part<Record> {
    return this.#part;
  }

  /** When the last read ended, whatever came of it, milliseconds since 1970; `undefined`: none did. */
  get readAtMs(): number | undefined {
    return this.#readAtMs;
  }

  /** It is wanted from now on: read at once, unless it is not seen, or was read within the last minute. */
  want(): void {
    this.#isWanted = true;
    this.#plan('demand');
  }

  /** It is seen, or not any more. */
  setVisible(isVisible: boolean): void {
    if (isVisible !== this.#isVisible) {
      this.#isVisible = isVisible;
      this.#plan('demand');
    }
  }

  /** The user asks for it: reads now, or awaits the read that is under way. Where nothing is known, it is `loading` meanwhile. */
  async ask(): Promise<void> {
    await this.#askOnce(() => this.#reads.flight.join());
  }

  /** It is known to be another by now: reads once more, after the read that is under way if there is one; when it is seen next, where it is not. */
  again(): void {
    this.#readAtMs = undefined;
    this.#failures = 0;
    this.#restUntilMs = undefined;
    if (this.#isWanted && this.#isVisible) {
      void this.#reads.flight.fresh();
    }
  }

  /** Something else is to be read, such as another page: what is under way comes to nothing, what is known stays until the answer. Reads now. */
  async askAgain(): Promise<void> {
    this.#drop();
    await this.#askOnce(() => this.#reads.flight.join());
  }

  /** What is known is of another service or wallet: it goes at once, and is read anew where it is wanted. */
  forget(): void {
    this.#drop();
    this.#part = LOADING;
    this.#plan('demand');
  }

  /** Nobody wants it any more: what is known goes, and nothing is read. */
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
      const restMs = restAskedFor(error);
      this.#failures += restMs === undefined ? 1 : 0;
      this.#restUntilMs = restMs === undefined ? undefined : source.clock.now() + Math.max(restMs, LEAST_REST_MS);
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

  /** Reads what is due, or sets the timer for when it will be. */
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
    const backoffMs = this.#failures === 0 ? everyMs : Math.min(everyMs * 2 ** (this.#failures - 1), Math.max(everyMs, LONGEST_BACKOFF_MS));
    return this.#readAtMs + backoffMs;
  }

  /** A pause has ended early, or another service is in use: what the last error asked for is over. */
  #limitChanged(): void {
    if (this.#restUntilMs !== undefined) {
      this.#restUntilMs = Math.min(this.#restUntilMs, (this.#readAtMs ?? 0) + LEAST_REST_MS);
      this.#plan('interval');
    }
  }
}

/** Whether what is read is another thing by now: the answer is not shown, and a failure is none. */
function isSuperseded(signal: AbortSignal): boolean {
  return signal.aborted;
}
