import * as l10n from '@vscode/l10n';
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
  /** Its name in messages. */
  readonly name: () => string;
}

/** What distinguishes one process of a service from another when it is started. */
export interface LaunchKind extends ProcessKind {
  /** A request to this path stays open; with `--lease` the process ends with the last such request. */
  readonly leasePath: string;
  /** What the user reads if its store can't be read. */
  readonly damaged: () => string;
}

export function localServiceName(): string {
  return l10n.t('Local service');
}

/** @param how the reason, in a few words */
export function didNotStart({ error, name }: ProcessKind, how: string, options?: ErrorOptions): ProcessError {
  return error('failed', l10n.t`${name()} did not start (${how}). Nothing was changed. See the log.`, options);
}

/** Another service was chosen, or the window closes. */
export function wasStopped({ error, name }: ProcessKind): ProcessError {
  return error('stopped', l10n.t`${name()} was stopped.`);
}
