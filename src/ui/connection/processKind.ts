import type { ProcessError, ProcessErrorReason } from '../shell/errors';

/** What every process of a service reports once it listens. */
export interface ServiceReady {
  /** "http://127.0.0.1:PORT/open-api/v1" */
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

/** Keeps a process running while a window uses it. */
export interface Lease {
  /** Releases the lease. The process ends with its last lease. */
  release(): void;
}

export type CreateProcessError = (reason: ProcessErrorReason, message: string, options?: ErrorOptions) => ProcessError;

/** What distinguishes one process of a service from another to its supervisor. Loaded at activation. */
export interface ProcessKind {
  readonly error: CreateProcessError;
  readonly texts: {
    /** Another service was chosen, or the window closes. */
    stopped(): string;
    didNotStart(): string;
    /** @param times how often it stopped within a minute */
    crashed(times: number): string;
  };
}

/** What distinguishes one process of a service from another when it is started. */
export interface LaunchKind {
  readonly error: CreateProcessError;
  /** A request to this path stays open; with `--lease` the process ends with the last such request. */
  readonly leasePath: string;
  readonly texts: {
    /** @param how the reason, in half a sentence */
    didNotStart(how: string): string;
    cannotRun(): string;
    /** Its store can't be read. */
    damaged(): string;
    noAddress(): string;
    /** A field of the ready line is missing or invalid. */
    invalidField(field: string): string;
    doesNotRespond(): string;
  };
}
