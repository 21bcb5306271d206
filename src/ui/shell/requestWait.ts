import * as l10n from '@vscode/l10n';
import { type Clock, type Subscription, systemClock } from '../../base/async/clock';
import { counted } from '../../base/format/counted';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time';
import { orCancelled } from './errors';
import type { RequestBudget } from '../../service/budget/requestBudget';
import type { RequestPace } from '../../service/budget/operationRequests';
import type { LogFunction } from './log';
import type { Prompts } from './prompts/prompts';

export interface RequestWaitDependencies {
  readonly show: (text: string) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Called once when the wait begins. */
  readonly log: (text: string) => void;
  /** The step that is shown after the wait, until {@link RequestWait.showStep} changes it; absent: nothing is shown. */
  readonly step?: string;
}

/** A shorter wait would end before the user could read about it. */
const SHORTEST_SHOWN_MS = 1_500;

/** Shows the steps of an operation, and a countdown while it waits for the service's request limit. */
export class RequestWait {
  #step: string;
  #untilMs: number | undefined;
  #problem: string | undefined;
  #isShown = false;
  #timer: Subscription | undefined;

  readonly #dependencies: RequestWaitDependencies;

  constructor(dependencies: RequestWaitDependencies) {
    this.#dependencies = dependencies;

    this.#step = dependencies.step ?? '';
  }

  /** Shows the current step. During a wait, it is shown as the next one. */
  showStep(text: string): void {
    this.#step = text;
    this.#show();
  }

  /** Shows what the step waits for instead of it; `undefined`: nothing. */
  setProblem(message: string | undefined): void {
    this.#problem = message;
    this.#show();
  }

  /** Sets the end of the wait, in milliseconds since 1970; `undefined`: no wait. */
  until(untilMs: number | undefined): void {
    this.#untilMs = untilMs;
    this.#tick();
  }

  dispose(): void {
    this.#untilMs = undefined;
    this.#timer?.dispose();
  }

  #tick(): void {
    this.#timer?.dispose();
    const { clock } = this.#dependencies;
    if (this.#untilMs !== undefined && (this.#isShown || this.#restMs >= SHORTEST_SHOWN_MS)) {
      if (!this.#isShown) {
        this.#isShown = true;
        this.#dependencies.log(waitMessage(this.#restMs));
      }
      this.#show();
      this.#timer = clock.after(SECOND_MS, () => this.#tick());
    } else if (this.#isShown && this.#untilMs === undefined) {
      this.#isShown = false;
      this.#show();
    }
  }

  #show(): void {
    const { show } = this.#dependencies;
    const text =
      this.#problem ??
      (this.#isShown && this.#untilMs !== undefined
        ? [waitMessage(this.#restMs), ...(this.#step === '' ? [] : [l10n.t`Next: ${this.#step}`])].join(' ')
        : this.#step);
    if (text !== '') {
      show(text);
    }
  }

  get #restMs(): number {
    return Math.max(0, (this.#untilMs ?? 0) - this.#dependencies.nowMs());
  }
}

/** "Waiting 42 s for the request limit of your plan." */
export function waitMessage(restMs: number): string {
  return l10n.t`Waiting ${duration(restMs)} for the request limit of your plan.`;
}

function duration(ms: number): string {
  if (ms < 2 * MINUTE_MS) {
    return l10n.t`${Math.max(1, Math.ceil(ms / SECOND_MS))} s`;
  }
  return ms < 2 * HOUR_MS ? l10n.t`${Math.ceil(ms / MINUTE_MS)} min` : counted(Math.ceil(ms / HOUR_MS), 'hour');
}

export interface WaitingDependencies {
  /** The request budget of the service in use; `undefined` before the first request. */
  readonly budget?: (() => RequestBudget | undefined) | undefined;
  /** Default: the system clock. */
  readonly clock?: Pick<Clock, 'after'> | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
}

/** The progress that shows a wait. */
export interface ShownProgress {
  readonly title: string;
  readonly show: (text: string) => void;
}

const askingStep = () => l10n.t('asking the service…');

/**
 * Sends requests that the user waits for. They have priority over polling and panels, and wait for the service's request limit. The
 * first one is sent even during a pause, to find out whether the pause is over. The progress shows the wait; its signal must reach
 * the requests.
 */
export async function withRequestWait<Result>(
  { title, show }: ShownProgress,
  { budget, clock = systemClock, nowMs, log }: WaitingDependencies,
  send: (pace: RequestPace) => Promise<Result>,
): Promise<Result> {
  const ownBudget = budget?.();
  const wait = new RequestWait({ show, clock, nowMs, log: (text) => log('info', `${title}: ${text}`), step: askingStep() });
  const requests = ownBudget?.begin((untilMs) => wait.until(untilMs), 'probes');
  try {
    return await send(requests ?? 'user');
  } finally {
    requests?.end();
    wait.dispose();
  }
}

/**
 * Does the same for work without its own progress: a longer wait appears in a notification, whose button cancels it.
 * @throws Cancelled if the user cancels
 */
export async function withRequestWaitNotification<Result>(
  title: string,
  prompts: Pick<Prompts, 'progress'>,
  dependencies: WaitingDependencies,
  send: (pace: RequestPace) => Promise<Result>,
): Promise<Result> {
  const cancel = new AbortController();
  let end: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  let latest = '';
  let report: ((text: string) => void) | undefined;
  const show = (text: string): void => {
    const isShown = latest !== '';
    latest = text;
    report?.(text);
    if (!isShown) {
      void prompts.progress({ title, cancellable: true }, (reportText, signal) => {
        report = reportText;
        signal.addEventListener('abort', () => cancel.abort(), { once: true });
        reportText(latest);
        return isOver;
      });
    }
  };
  try {
    return await orCancelled(withRequestWait({ title, show }, dependencies, send), cancel.signal);
  } finally {
    end();
  }
}
