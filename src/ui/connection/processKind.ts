import type { ProcessError, ProcessErrorReason } from '../shell/errors';

/** What every process of a service reports once it listens. */
export interface ServiceReady {
  /** "http://127.0.0.1:PORT/open-api/v1" */
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

/** What distinguishes one process of a service from another: its name in messages, and how it is asked to stay. */
export interface ProcessKind {
  readonly error: (reason: ProcessErrorReason, message: string, options?: ErrorOptions) => ProcessError;
  /** A request to this path stays open; with `--lease` the process ends when nobody holds one. */
  readonly leasePath: string;
  readonly texts: ProcessTexts;
}

/** What is said to the user about a process. */
export interface ProcessTexts {
  /** Another service was chosen, or the window closes. */
  stopped(): string;
  didNotStart(): string;
  /** @param how the reason, in half a sentence */
  didNotStartBecause(how: string): string;
  cannotRun(): string;
  /** Its store can't be read. */
  damaged(): string;
  noAddress(): string;
  /** A field of the ready line is missing or invalid. */
  invalidField(field: string): string;
  doesNotRespond(): string;
  /** @param times how often it stopped within a minute */
  crashed(times: number): string;
}
