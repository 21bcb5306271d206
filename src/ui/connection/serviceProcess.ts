import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import { errorText } from '../../base/thrown';
import { ProcessError, ReplacedError } from '../shell/errors';
import { describeError, type LogFunction } from '../shell/log';
import { didNotStart, type Lease, type ProcessKind, type ServiceReady, wasStopped } from './processKind';

/** State of a process, as this window sees it. */
export type ProcessState<Ready> =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly ready: Ready }
  /** It crashed and is being restarted. */
  | { readonly kind: 'restarting' }
  | { readonly kind: 'failed'; readonly error: ProcessError };

export interface ServiceProcessDependencies<Ready> {
  /** Starts the process or finds the running one. `isReset`: if none runs, the existing data is set aside first. */
  readonly launch: (isReset: boolean) => Promise<Ready>;
  readonly holdLease: (ready: Ready, onBroken: () => void) => Promise<Lease>;
  readonly delay: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly log: LogFunction;
}

/** Maximum restarts of a crashed process within {@link CRASH_WINDOW_MS}. */
const MOST_RESTARTS = 3;
const CRASH_WINDOW_MS = 60_000;
const FIRST_RESTART_DELAY_MS = 250;

/** Creates the supervisor of a process on this machine. Starts nothing yet. */
export function superviseProcess<Ready extends ServiceReady>(
  kind: ProcessKind,
  work: Pick<ServiceProcessDependencies<Ready>, 'launch' | 'holdLease' | 'log'>,
): ServiceProcess<Ready> {
  const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return new ServiceProcess(kind, { ...work, delay, now: () => Date.now() });
}

/**
 * Keeps one process of a service running for this window: starts it on first use, restarts it a few times after crashes, and
 * releases it at the end.
 */
export class ServiceProcess<Ready extends ServiceReady> {
  #state: ProcessState<Ready> = { kind: 'stopped' };
  #pending: Promise<Ready> | undefined;
  #lease: Lease | undefined;
  #crashes: readonly number[] = [];
  /** Incremented by every stop, so that a start from before the stop has no effect. */
  #generation = 0;
  readonly #changes: Emitter<ProcessState<Ready>>;
  readonly #restarts: Emitter<Ready>;

  readonly #kind: ProcessKind;
  readonly #dependencies: ServiceProcessDependencies<Ready>;

  constructor(kind: ProcessKind, dependencies: ServiceProcessDependencies<Ready>) {
    this.#kind = kind;
    this.#dependencies = dependencies;

    const onError = (error: unknown) => dependencies.log('error', describeError(error));
    this.#changes = new Emitter(onError);
    this.#restarts = new Emitter(onError);
  }

  get state(): ProcessState<Ready> {
    return this.#state;
  }

  onDidChange(listener: (state: ProcessState<Ready>) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Calls `listener` when a crashed process is running again. */
  onDidRestart(listener: (ready: Ready) => void): Subscription {
    return this.#restarts.on(listener);
  }

  /**
   * Returns the running process, or starts one.
   * @throws ProcessError if it doesn't start. A process that this system can't run is not tried again; one that keeps
   * crashing is tried again after a minute.
   */
  start(): Promise<Ready> {
    if (this.#state.kind === 'running') {
      return Promise.resolve(this.#state.ready);
    }
    if (this.#state.kind === 'failed' && (this.#state.error.reason === 'cannotRun' || this.#recentCrashes().length > MOST_RESTARTS)) {
      return Promise.reject(this.#state.error);
    }
    if (this.#pending === undefined) {
      this.#setState({ kind: 'starting' });
      this.#begin(() => this.#connect());
    }
    return this.#pending ?? Promise.reject(this.#stopped());
  }

  /**
   * Starts the process with new data and sets the old data aside. A running process keeps its data.
   * @throws ProcessError if it doesn't start
   */
  async startWithNewData(): Promise<Ready> {
    // Waits until a start that is under way has succeeded or failed.
    await this.#pending?.catch(() => undefined);
    if (this.#state.kind === 'running') {
      return this.#state.ready;
    }
    this.#setState({ kind: 'starting' });
    this.#begin(() => this.#connect(true));
    return this.#pending ?? Promise.reject(this.#stopped());
  }

  /** Releases the process. It ends unless another window uses it. */
  stop(): void {
    this.#generation += 1;
    this.#lease?.release();
    this.#lease = undefined;
    this.#pending = undefined;
    this.#crashes = [];
    this.#setState({ kind: 'stopped' });
  }

  /** Runs `work` as the pending start and takes over its result, unless a stop came in between. */
  #begin(work: () => Promise<{ ready: Ready; lease: Lease }>): void {
    const generation = this.#generation;
    const pending = work().then(
      ({ ready, lease }) => {
        if (generation !== this.#generation) {
          lease.release();
          throw this.#stopped();
        }
        this.#pending = undefined;
        this.#lease = lease;
        this.#dependencies.log('info', `runs as process ${ready.pid}`);
        this.#setState({ kind: 'running', ready });
        return ready;
      },
      (error: unknown) => {
        const failure =
          error instanceof ProcessError
            ? error
            : error instanceof ReplacedError
              ? this.#kind.error('replaced', error.message, { cause: error })
              : didNotStart(this.#kind, errorText(error), { cause: error });
        if (generation === this.#generation) {
          this.#pending = undefined;
          this.#dependencies.log('error', describeError(failure));
          this.#setState({ kind: 'failed', error: failure });
        }
        throw failure;
      },
    );
    // Possibly no caller waits for a restart. Its failure is in the state.
    pending.catch(() => undefined);
    this.#pending = pending;
  }

  async #connect(isReset = false): Promise<{ ready: Ready; lease: Lease }> {
    const first = await this.#dependencies.launch(isReset);
    try {
      return { ready: first, lease: await this.#takeLease(first) };
    } catch (error) {
      // The process that was found may have been ending with its last window.
      this.#dependencies.log('warn', describeError(error));
      const second = await this.#dependencies.launch(false);
      return { ready: second, lease: await this.#takeLease(second) };
    }
  }

  #takeLease(ready: Ready): Promise<Lease> {
    const generation = this.#generation;
    return this.#dependencies.holdLease(ready, () => {
      if (generation === this.#generation) {
        this.#crashed(ready);
      }
    });
  }

  #crashed(ready: Ready): void {
    this.#lease = undefined;
    this.#crashes = [...this.#recentCrashes(), this.#dependencies.now()];
    this.#dependencies.log('error', `process ${ready.pid} ended unexpectedly`);
    if (this.#crashes.length > MOST_RESTARTS) {
      const text = l10n.t`${this.#kind.name()} stopped ${this.#crashes.length} times within a minute. Try again in one minute.`;
      this.#setState({ kind: 'failed', error: this.#kind.error('failed', text) });
      return;
    }
    this.#setState({ kind: 'restarting' });
    const delayMs = FIRST_RESTART_DELAY_MS * 2 ** (this.#crashes.length - 1);
    this.#begin(async () => {
      await this.#dependencies.delay(delayMs);
      return this.#connect();
    });
    this.#pending?.then(
      (again) => this.#restarts.fire(again),
      () => undefined,
    );
  }

  /** Times of the crashes within {@link CRASH_WINDOW_MS}. */
  #recentCrashes(): readonly number[] {
    const now = this.#dependencies.now();
    return this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS);
  }

  #stopped(): ProcessError {
    return wasStopped(this.#kind);
  }

  #setState(state: ProcessState<Ready>): void {
    this.#state = state;
    this.#changes.fire(state);
  }
}
