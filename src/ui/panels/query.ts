import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { SingleFlight } from '../../base/async/concurrency';
import { timeOfDay } from '../../base/format/time';
import { MINUTE_MS } from '../../base/time';
import { asError } from '../../base/thrown';
import { backoffMs, MIN_PAUSE_MS, requestedPauseMs } from '../../portfolio/failure';
import type { ReadScheduler } from '../../portfolio/readScheduler';
import type { ListState } from '../../portfolio/types';
import { LOADING, panelRemedy, type Part } from '../../protocol/schemas';
import { describeUserError } from '../shell/commands/errorMessage';

/** The error's message for the user. */
export function errorSentence(error: Error): string {
  return describeUserError(error)?.message ?? l10n.t('Loading was canceled.');
}

/** The error of a part for the user: its message, and those of the commands that fix its cause which a panel may run. */
function failureOf(error: Error): Pick<Part<never>, 'words' | 'remedies'> {
  const remedies = (describeUserError(error)?.remedies ?? []).flatMap(({ label, command }) => {
    const known = panelRemedy.safeParse(command);
    return known.success ? [{ label, command: known.data }] : [];
  });
  return { words: errorSentence(error), ...(remedies.length === 0 ? {} : { remedies }) };
}

/** The message of a part that waits for the request limit. @param untilMs time of the next read, milliseconds since 1970 */
function rateLimitSentence(untilMs: number): string {
  return l10n.t`Request limit reached. Next update at ${timeOfDay(new Date(untilMs))}.`;
}

/** A part that is derived from a list of the portfolio and has its state. @param data the data known so far */
export function stateOfList<Data>(state: ListState, data: Data): Part<Data> {
  switch (state.kind) {
    case 'idle':
    case 'loading':
      return { status: 'loading' };
    case 'ready':
      return { status: 'ready', data, asOfMs: state.asOf.getTime() };
    case 'stale':
      return { status: 'stale', data, asOfMs: state.asOf.getTime(), ...failureOf(state.error) };
    case 'failed':
      return { status: 'failed', ...failureOf(state.error) };
  }
}

/** Converts a part's data to the panel's format. */
export function mapState<Known, Shown>(part: Part<Known>, shown: (data: Known) => Shown): Part<Shown> {
  const { data, ...rest } = part;
  return data === undefined ? rest : { ...rest, data: shown(data) };
}

export interface QuerySource<Record> {
  /** For the log: "the details of the pool". */
  readonly name: string;
  readonly read: (signal: AbortSignal) => Promise<Record>;
  /** Called when the part changes, and when a requested read begins. */
  readonly changed: () => void;
  /** Interval of reads while the part is visible, milliseconds. Default: read only when wanted or shown again. */
  readonly everyMs?: number;
  readonly clock: Clock;
  readonly scheduler: ReadScheduler;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** The part that a service without candles or counters has. */
export const NOT_OFFERED: Part<never> = { status: 'ready' };

/** Candles are read this often while they are shown. */
export const CANDLES_EVERY_MS = 5 * MINUTE_MS;

/** Volatility is read this often while it is shown. */
export const VOLATILITY_EVERY_MS = 10 * MINUTE_MS;

/** Minimum interval of reads that the user did not request, milliseconds: some plans of the service allow only five requests a minute. */
export const LEAST_BETWEEN_READS_MS = 60_000;

/** A first read that the service refuses this often in a row no longer goes before refreshes, which may be accepted. */
const MAX_FIRST_REFUSALS = 3;

/** The reads of one subject. Replaced when the subject changes, so late answers are dropped. */
interface Reads {
  readonly abort: AbortController;
  readonly flight: SingleFlight;
}

/**
 * Reads one part of a panel from the service: once it is wanted, only while it is visible, and one read at a time. If a later read fails, the data
 * stays and is marked as stale. Failures increase the interval. A read refused by the request limit is repeated as soon as the limit allows it while
 * the part is visible, so the panel does not stay in error after a pause. The portfolio's scheduler starts all reads that the user did not request.
 */
export class Query<Record> {
  readonly #source: QuerySource<Record>;
  #reads: Reads;
  #part: Part<Record> = LOADING;
  #isWanted = false;
  #isVisible = false;
  #isDisposed = false;
  /** End of the last read, successful or not. */
  #readAtMs: number | undefined;
  #isReading = false;
  #failures = 0;
  /** Set if the request limit refused the last read: no read before this time, milliseconds since 1970. */
  #pausedUntilMs: number | undefined;
  /** Number of reads in a row that the request limit refused. */
  #refusals = 0;
  /** The part was wanted or shown when a read was due. */
  #isDemanded = false;
  readonly #subscription: Subscription;

  constructor(source: QuerySource<Record>) {
    this.#source = source;
    this.#reads = this.#newReads();
    this.#subscription = source.scheduler.add({
      isFirst: () => this.#part.data === undefined && this.#refusals < MAX_FIRST_REFUSALS,
      isRunning: () => this.#isReading,
      dueAtMs: () => this.#dueAtMs(),
      start: () => void this.#reads.flight.join(),
      limitChanged: () => this.#limitChanged(),
    });
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
    this.#demand();
  }

  setVisible(isVisible: boolean): void {
    if (isVisible !== this.#isVisible) {
      this.#isVisible = isVisible;
      this.#demand();
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
    this.#pausedUntilMs = undefined;
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
    this.#demand();
  }

  /** The part is no longer wanted: drops the data and stops reading. */
  leave(): void {
    this.#isWanted = false;
    this.forget();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
    this.#reads.abort.abort();
  }

  async #askOnce(read: () => Promise<void>): Promise<void> {
    if (this.#isDisposed) {
      return;
    }
    this.#isWanted = true;
    if (this.#part.data === undefined && this.#part.status !== 'loading') {
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
    this.#refusals = 0;
    this.#pausedUntilMs = undefined;
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
    this.#isDemanded = false;
    try {
      const data = await source.read(signal);
      if (isSuperseded(signal)) {
        return;
      }
      this.#ended();
      this.#failures = 0;
      this.#refusals = 0;
      this.#pausedUntilMs = undefined;
      this.#become({ status: 'ready', data, asOfMs: source.clock.now() });
    } catch (thrown) {
      if (isSuperseded(signal)) {
        return;
      }
      const error = asError(thrown);
      source.log('warn', `Reading ${source.name} failed: ${error.message}`);
      this.#ended();
      const pauseMs = requestedPauseMs(error);
      this.#failures += pauseMs === undefined ? 1 : 0;
      this.#refusals = pauseMs === undefined ? 0 : this.#refusals + 1;
      // The shared limit knows the end of the pause better than the error: its time has passed in the meantime.
      this.#pausedUntilMs = pauseMs === undefined ? undefined : source.clock.now() + (source.scheduler.waitMs() || pauseMs);
      const { data, asOfMs } = this.#part;
      const failure = this.#pausedUntilMs === undefined ? failureOf(error) : { words: rateLimitSentence(this.#pausedUntilMs) };
      this.#become(data === undefined ? { status: 'failed', ...failure } : { status: 'stale', data, asOfMs, ...failure });
    }
    source.scheduler.plan();
  }

  #ended(): void {
    this.#isReading = false;
    this.#readAtMs = this.#source.clock.now();
  }

  #become(part: Part<Record>): void {
    this.#part = part;
    this.#source.changed();
  }

  /** The part is wanted or shown: reads it if a read is due. */
  #demand(): void {
    const { clock, scheduler } = this.#source;
    this.#isDemanded = this.#isReadable() && this.#nextAtMs() <= clock.now();
    scheduler.plan();
  }

  #isReadable(): boolean {
    return !this.#isDisposed && this.#isWanted && this.#isVisible;
  }

  #dueAtMs(): number {
    const isPlanned = this.#isDemanded || this.#source.everyMs !== undefined || this.#pausedUntilMs !== undefined;
    return isPlanned && this.#isReadable() ? this.#nextAtMs() : Infinity;
  }

  /** Earliest time of the next read, milliseconds since 1970. */
  #nextAtMs(): number {
    const { clock, scheduler, everyMs = LEAST_BETWEEN_READS_MS } = this.#source;
    if (this.#readAtMs === undefined) {
      return 0;
    }
    // What was read in the future was read before the clock was set back.
    const isSetBack = this.#readAtMs > clock.now();
    if (this.#pausedUntilMs !== undefined) {
      return Math.max(isSetBack ? 0 : this.#pausedUntilMs, clock.now() + scheduler.waitMs());
    }
    if (isSetBack) {
      return 0;
    }
    return this.#readAtMs + (this.#failures === 0 ? everyMs * scheduler.slowdown : backoffMs(everyMs, this.#failures));
  }

  /** A pause ended early or the service changed: the pause of the last error no longer applies. */
  #limitChanged(): void {
    if (this.#pausedUntilMs !== undefined) {
      this.#pausedUntilMs = Math.min(this.#pausedUntilMs, (this.#readAtMs ?? 0) + MIN_PAUSE_MS);
    }
  }
}

/** Whether the subject has changed: then answers and failures are dropped. */
function isSuperseded(signal: AbortSignal): boolean {
  return signal.aborted;
}
