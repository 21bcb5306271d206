import { get, type IncomingMessage } from 'node:http';
import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import { SandboxError } from '../shell/errors';
import { describeError, type LogFunction } from '../shell/log';
import { launchSandbox, type SandboxReady } from './sandboxProcess';

/** State of the sandbox, as this window sees it. */
export type SandboxState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly ready: SandboxReady }
  /** It crashed and is being restarted. */
  | { readonly kind: 'restarting' }
  | { readonly kind: 'failed'; readonly error: SandboxError };

export interface SupervisorDependencies {
  /** Starts the sandbox or finds the running one. `isReset`: if none runs, the existing world is set aside first. */
  readonly launch: (isReset: boolean) => Promise<SandboxReady>;
  readonly holdLease: (sandbox: SandboxReady, onBroken: () => void) => Promise<Lease>;
  readonly delay: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly log: LogFunction;
}

/** Keeps the sandbox running while a window uses it. */
export interface Lease {
  /** Releases the lease. The sandbox ends with its last lease. */
  release(): void;
}

export interface SandboxPlace {
  /** dist/sandbox.js */
  readonly script: string;
  readonly dataDir: string;
}

/** Longer than the 75 s after which a sandbox gives up waiting for another one with the same state, and reports why. */
const START_TIMEOUT_MS = 90_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** Maximum restarts of a crashed sandbox within {@link CRASH_WINDOW_MS}. */
const MOST_RESTARTS = 3;
const CRASH_WINDOW_MS = 60_000;
const FIRST_RESTART_DELAY_MS = 250;

/** Creates the supervisor of the sandbox, which runs in the same Node (or Electron). Starts nothing yet. */
export function superviseSandbox({ script, dataDir }: SandboxPlace, log: LogFunction): SandboxSupervisor {
  return new SandboxSupervisor({
    launch: (isReset) => launchSandbox({ execPath: process.execPath, script, dataDir, timeoutMs: START_TIMEOUT_MS, isReset }),
    holdLease,
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
    log,
  });
}

/**
 * Keeps one sandbox running for this window: starts it on first use, restarts it a few times after crashes, and releases it
 * at the end.
 */
export class SandboxSupervisor {
  #state: SandboxState = { kind: 'stopped' };
  #pending: Promise<SandboxReady> | undefined;
  #lease: Lease | undefined;
  #crashes: readonly number[] = [];
  /** Incremented by every stop, so that a start from before the stop has no effect. */
  #generation = 0;
  readonly #changes: Emitter<SandboxState>;
  readonly #restarts: Emitter<SandboxReady>;

  readonly #dependencies: SupervisorDependencies;

  constructor(dependencies: SupervisorDependencies) {
    this.#dependencies = dependencies;

    const onError = (error: unknown) => dependencies.log('error', describeError(error));
    this.#changes = new Emitter(onError);
    this.#restarts = new Emitter(onError);
  }

  get state(): SandboxState {
    return this.#state;
  }

  onDidChange(listener: (state: SandboxState) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Calls `listener` when a crashed sandbox is running again. */
  onDidRestart(listener: (ready: SandboxReady) => void): Subscription {
    return this.#restarts.on(listener);
  }

  /**
   * Returns the running sandbox, or starts one.
   * @throws SandboxError if it doesn't start. A sandbox that this system can't run is not tried again; one that keeps
   * crashing is tried again after a minute.
   */
  start(): Promise<SandboxReady> {
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
    return this.#pending ?? Promise.reject(new SandboxError('stopped', l10n.t('The sandbox was stopped.')));
  }

  /**
   * Starts the sandbox with a new world and sets the old one aside. A running sandbox keeps its world.
   * @throws SandboxError if it doesn't start
   */
  async startWithNewWorld(): Promise<SandboxReady> {
    // Waits until a start that is under way has succeeded or failed.
    await this.#pending?.catch(() => undefined);
    if (this.#state.kind === 'running') {
      return this.#state.ready;
    }
    this.#setState({ kind: 'starting' });
    this.#begin(() => this.#connect(true));
    return this.#pending ?? Promise.reject(new SandboxError('stopped', l10n.t('The sandbox was stopped.')));
  }

  /** Releases the sandbox. It ends unless another window uses it. */
  stop(): void {
    this.#generation += 1;
    this.#lease?.release();
    this.#lease = undefined;
    this.#pending = undefined;
    this.#crashes = [];
    this.#setState({ kind: 'stopped' });
  }

  /** Runs `work` as the pending start and takes over its result, unless a stop came in between. */
  #begin(work: () => Promise<{ ready: SandboxReady; lease: Lease }>): void {
    const generation = this.#generation;
    const pending = work().then(
      ({ ready, lease }) => {
        if (generation !== this.#generation) {
          lease.release();
          throw new SandboxError('stopped', l10n.t('The sandbox is no longer in use.'));
        }
        this.#pending = undefined;
        this.#lease = lease;
        this.#dependencies.log('info', `runs as process ${ready.pid}`);
        this.#setState({ kind: 'running', ready });
        return ready;
      },
      (error: unknown) => {
        const failure =
          error instanceof SandboxError ? error : new SandboxError('failed', l10n.t('The sandbox did not start.'), { cause: error });
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

  async #connect(isReset = false): Promise<{ ready: SandboxReady; lease: Lease }> {
    const first = await this.#dependencies.launch(isReset);
    try {
      return { ready: first, lease: await this.#takeLease(first) };
    } catch (error) {
      // The sandbox that was found may have been ending with its last window.
      this.#dependencies.log('warn', describeError(error));
      const second = await this.#dependencies.launch(false);
      return { ready: second, lease: await this.#takeLease(second) };
    }
  }

  #takeLease(ready: SandboxReady): Promise<Lease> {
    const generation = this.#generation;
    return this.#dependencies.holdLease(ready, () => {
      if (generation === this.#generation) {
        this.#crashed(ready);
      }
    });
  }

  #crashed(ready: SandboxReady): void {
    this.#lease = undefined;
    this.#crashes = [...this.#recentCrashes(), this.#dependencies.now()];
    this.#dependencies.log('error', `process ${ready.pid} ended unexpectedly`);
    if (this.#crashes.length > MOST_RESTARTS) {
      const error = new SandboxError(
        'failed',
        l10n.t`The sandbox stopped ${this.#crashes.length} times within a minute. Try again in one minute.`,
      );
      this.#setState({ kind: 'failed', error });
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

  #setState(state: SandboxState): void {
    this.#state = state;
    this.#changes.fire(state);
  }
}

/**
 * Takes a lease: a request whose response never ends.
 * @param onBroken called once if the connection ends although the lease is held: the sandbox is gone
 * @throws SandboxError if the sandbox grants no lease
 */
export function holdLease(sandbox: SandboxReady, onBroken: () => void): Promise<Lease> {
  return new Promise((resolve, reject) => {
    let state: 'asking' | 'held' | 'ended' = 'asking';
    const request = get(new URL('/sandbox/lease', sandbox.url), { headers: { 'x-api-key': sandbox.apiKey }, agent: false });
    const end = (cause?: Error) => {
      const before = state;
      state = 'ended';
      clearTimeout(timer);
      request.destroy();
      if (before === 'asking') {
        reject(new SandboxError('failed', l10n.t('The sandbox is running but does not respond.'), { cause }));
      } else if (before === 'held') {
        onBroken();
      }
    };
    const timer = setTimeout(() => end(new Error(`no answer after ${ANSWER_TIMEOUT_MS} ms`)), ANSWER_TIMEOUT_MS);
    request.on('error', end);
    request.on('response', (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        end(new Error(`status ${response.statusCode ?? 'unknown'}`));
        return;
      }
      state = 'held';
      clearTimeout(timer);
      // The content doesn't matter, but unread data would block the response.
      response.resume();
      response.on('error', end);
      response.on('close', () => end());
      resolve({
        release: () => {
          state = 'ended';
          request.destroy();
        },
      });
    });
  });
}
