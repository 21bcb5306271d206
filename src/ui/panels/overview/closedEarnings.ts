import { type Clock, elapsedMs, pause } from '../../../base/async/clock';
import type { Address } from '../../../base/solana/address';
import { MINUTE_MS } from '../../../base/time';
import type { ReadScheduler } from '../../../portfolio/readScheduler';
import type { ClosedEarningsRow, EarnedSums } from '../../../protocol/earnings';
import type { ClosedPosition } from '../../../service/positions';
import type { LiquidityService } from '../../../service/service';
import type { Earnings, EarningsOptions, EarningsReader } from '../../../transactions/earnings/earnings';
import { logsOf } from '../../../transactions/earnings/loggedFlows';
import { describeError } from '../../shell/log';
import { closedSubject, notKnownView } from '../earningsView';

/** Where the results of closed positions come from. */
export interface ClosedReaderSource {
  /** The service and the wallet. */
  readonly open: () => Promise<{ readonly service: LiquidityService; readonly owner: Address }>;
  readonly earnings: Pick<EarningsReader, 'read'>;
  /** The service answers from a history of its own. */
  readonly hasOwnHistory: () => boolean;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** Reads what a closed position earned. @throws the signal's reason */
export type ReadClosedEarnings = (
  position: ClosedPosition,
  options: EarningsOptions,
) => Promise<Earnings | { readonly known: false; readonly why: 'noAddress' | 'noAmounts' | 'notAnswered' }>;

export function closedReader({ open, earnings, hasOwnHistory, log }: ClosedReaderSource): ReadClosedEarnings {
  return async (position, options) => {
    try {
      const { service, owner } = await open();
      options.signal.throwIfAborted();
      const subject = closedSubject(position, { owner: position.owner ?? owner, hasOwnHistory: hasOwnHistory() });
      return typeof subject === 'string' ? { known: false, why: subject } : await earnings.read(subject, logsOf(service), options);
    } catch (error) {
      options.signal.throwIfAborted();
      log('debug', `What a closed position earned could not be read: ${describeError(error)}`);
      return { known: false, why: 'notAnswered' };
    }
  };
}

export interface ClosedEarningsSource {
  readonly read: ReadClosedEarnings;
  /** The loaded position of a row; `undefined`: it is not loaded any more. */
  readonly positionOf: (key: string) => ClosedPosition | undefined;
  readonly changed: () => void;
  readonly scheduler: Pick<ReadScheduler, 'waitMs'>;
  readonly clock: Clock;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** While results arrive, the panel is updated at most this often, milliseconds. */
const PROGRESS_MS = 300;
/** What is not known is read again after this time if it is asked for, milliseconds; what is known does not change. */
const UNKNOWN_FOR_MS = 5 * MINUTE_MS;
/** Results that are kept. */
const MOST_KEPT = 5_000;

interface Kept {
  readonly earned: ClosedEarningsRow['earned'];
  readonly atMs: number;
}

/**
 * Reads what closed positions really earned: those of the rows that are shown, one after the other, for as long as the panel is visible. A request
 * replaces the one before it; what has been read is kept.
 */
export class ClosedEarnings {
  readonly #source: ClosedEarningsSource;
  readonly #kept = new Map<string, Kept>();
  #wanted: readonly string[] = [];
  #reading: AbortController | undefined;
  #isVisible = false;

  constructor(source: ClosedEarningsSource) {
    this.#source = source;
  }

  /** The results of the wanted rows, as far as they have been read. */
  get rows(): readonly ClosedEarningsRow[] {
    return this.#wanted.flatMap((key) => {
      const kept = this.#kept.get(key);
      return kept === undefined ? [] : [{ key, earned: kept.earned }];
    });
  }

  /** Sums of the found positions, as far as they have been read. @param isFound whether the history finds a row */
  sums(isFound: (key: string) => boolean): EarnedSums {
    const known = [...this.#kept].flatMap(([key, { earned }]) => (earned.known && isFound(key) ? [earned] : []));
    const differences = known.flatMap(({ differenceSol }) => (differenceSol === undefined ? [] : [differenceSol]));
    return { really: sumOf(known.map(({ realSol }) => realSol)), difference: sumOf(differences) };
  }

  /** The panel shows these rows. */
  want(keys: readonly string[]): void {
    this.#wanted = keys;
    this.#source.changed();
    this.#start();
  }

  /** Something has happened, or the user asks again: what is not known is read anew. */
  again(): void {
    for (const [key, { earned }] of this.#kept) {
      if (!earned.known) {
        this.#kept.delete(key);
      }
    }
    this.#start();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) {
      this.#start();
    } else {
      this.#stop();
    }
  }

  /** The wallet or the service changed. */
  forget(): void {
    this.#stop();
    this.#kept.clear();
    this.#wanted = [];
  }

  dispose(): void {
    this.#isVisible = false;
    this.#stop();
  }

  #stop(): void {
    this.#reading?.abort();
    this.#reading = undefined;
  }

  #start(): void {
    if (this.#reading === undefined && this.#isVisible && this.#next() !== undefined) {
      const abort = new AbortController();
      this.#reading = abort;
      void this.#readAll(abort);
    }
  }

  /** Never rejects. */
  async #readAll(mine: AbortController): Promise<void> {
    const { clock, changed, log } = this.#source;
    let toldAtMs = clock.now();
    try {
      for (let key = this.#next(); key !== undefined; key = this.#next()) {
        const earned = await this.#read(key, mine.signal);
        this.#keep(key, { earned, atMs: clock.now() });
        if (elapsedMs(toldAtMs, clock.now()) >= PROGRESS_MS) {
          toldAtMs = clock.now();
          changed();
        }
      }
    } catch (error) {
      if (!mine.signal.aborted) {
        log('warn', `What closed positions earned could not be read: ${describeError(error)}`);
      }
    }
    if (this.#reading === mine) {
      this.#reading = undefined;
      changed();
    }
  }

  /** The first wanted row without a result. */
  #next(): string | undefined {
    const now = this.#source.clock.now();
    return this.#wanted.find((key) => {
      const kept = this.#kept.get(key);
      const isOld = kept !== undefined && !kept.earned.known && elapsedMs(kept.atMs, now) >= UNKNOWN_FOR_MS;
      return (kept === undefined || isOld) && this.#source.positionOf(key) !== undefined;
    });
  }

  async #read(key: string, signal: AbortSignal): Promise<ClosedEarningsRow['earned']> {
    const { scheduler, clock, positionOf } = this.#source;
    const waitMs = scheduler.waitMs();
    if (waitMs > 0) {
      await pause(waitMs, signal, clock);
    }
    const position = positionOf(key);
    if (position === undefined) {
      return notKnownView({ known: false, why: 'noAddress' }, () => undefined);
    }
    const known = await this.#source.read(position, { signal, mayReadMany: false });
    if (!known.known) {
      const { token0, token1 } = position;
      return notKnownView(known, (mint) => [token0, token1].find(({ address }) => address === mint)?.symbol);
    }
    const { ledger } = known;
    const differenceSol = ledger.differsFromReportedSol ?? undefined;
    return { known: true, realSol: ledger.realPnlSol, differenceSol };
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) {
        break;
      }
      this.#kept.delete(oldest);
    }
  }
}

function sumOf(values: readonly number[]): EarnedSums['really'] {
  return { sol: values.reduce((sum, value) => sum + value, 0), count: values.length };
}
