import * as l10n from '@vscode/l10n';
import { type Clock, type Subscription, systemClock } from '../../base/async/clock';
import { orCancelled } from './cancelled';
import { LONGEST_PAUSE_MS, type Pause, type RequestBudget, type RequestPace } from '../../service/requestBudget';
import type { LogFunction } from './log';
import type { Prompts } from './prompts/prompts';

/** What a wait is shown with. */
export interface RequestWaitDependencies {
  readonly show: (words: string) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** The pause that the service asked for. */
  readonly pause: () => Pause | undefined;
  /** Told once when it begins to wait. */
  readonly log: (words: string) => void;
  /** What is being done once it waits no more, until {@link RequestWait.showStep} says otherwise. Without it nothing is said then. */
  readonly step?: string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A shorter wait is over before anybody has read of it. */
const SHORTEST_SHOWN_MS = 1_500;

/** Shows the steps of an operation and, while it waits for the service's request limit, for how long: with a countdown. */
export class RequestWait {
  private step: string;
  private untilMs: number | undefined;
  private isShown = false;
  private timer: Subscription | undefined;

  constructor(private readonly dependencies: RequestWaitDependencies) {
    this.step = dependencies.step ?? '';
  }

  /** What is being done, apart from waiting. */
  showStep(words: string): void {
    this.step = words;
    this.tell();
  }

  /** It waits until then, milliseconds since 1970; `undefined`: it does not. */
  until(untilMs: number | undefined): void {
    this.untilMs = untilMs;
    this.tick();
  }

  dispose(): void {
    this.untilMs = undefined;
    this.timer?.dispose();
  }

  private tick(): void {
    this.timer?.dispose();
    const { clock } = this.dependencies;
    if (this.untilMs !== undefined && (this.isShown || this.restMs >= SHORTEST_SHOWN_MS)) {
      if (!this.isShown) {
        this.isShown = true;
        this.dependencies.log(waitMessage(this.restMs, this.dependencies.pause()));
      }
      this.tell();
      this.timer = clock.after(SECOND_MS, () => this.tick());
    } else if (this.isShown && this.untilMs === undefined) {
      this.isShown = false;
      this.tell();
    }
  }

  private tell(): void {
    const { show, pause } = this.dependencies;
    const words =
      this.isShown && this.untilMs !== undefined
        ? `${waitMessage(this.restMs, pause())}${this.step === '' ? '' : l10n.t` Next: ${this.step}`}`
        : this.step;
    if (words !== '') {
      show(words);
    }
  }

  private get restMs(): number {
    return Math.max(0, (this.untilMs ?? 0) - this.dependencies.nowMs());
  }
}

/** "Waiting 42 s for the request limit of your plan." */
export function waitMessage(restMs: number, pause: Pause | undefined): string {
  const rest = span(restMs);
  return pause?.askedMs !== undefined && pause.askedMs > LONGEST_PAUSE_MS
    ? l10n.t`The service asks to wait ${span(pause.askedMs)}: its request limit is used up. Binsight tries again in ${rest}.`
    : l10n.t`Waiting ${rest} for the request limit of your plan.`;
}

function span(ms: number): string {
  if (ms < 2 * MINUTE_MS) {
    return l10n.t`${Math.max(1, Math.ceil(ms / SECOND_MS))} s`;
  }
  return ms < 2 * HOUR_MS ? l10n.t`${Math.ceil(ms / MINUTE_MS)} min` : l10n.t`${Math.ceil(ms / HOUR_MS)} h`;
}

/** What requests that a person has started wait with. */
export interface WaitingDependencies {
  /** The request budget of the service in use; `undefined`: nothing was asked so far. */
  readonly budget?: (() => RequestBudget | undefined) | undefined;
  /** Without it the system's. */
  readonly clock?: Pick<Clock, 'after'> | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
}

/** A progress under which requests are sent. */
export interface ShownProgress {
  readonly title: string;
  readonly show: (words: string) => void;
}

const askingText = () => l10n.t('asking the service …');

/**
 * Sends requests that a person waits for: before polling and panels, and after as long a wait as the service's request limit takes. The
 * first is sent during a pause too, to find out whether that is over. The progress says how long it waits; its signal has to reach
 * the requests.
 */
export async function waitingIn<Result>(
  { title, show }: ShownProgress,
  { budget, clock = systemClock, nowMs, log }: WaitingDependencies,
  send: (pace: RequestPace) => Promise<Result>,
): Promise<Result> {
  const own = budget?.();
  const wait = new RequestWait({
    show,
    clock,
    nowMs,
    pause: () => own?.pause,
    log: (words) => log('info', `${title}: ${words}`),
    step: askingText(),
  });
  const requests = own?.begin((untilMs) => wait.until(untilMs), 'probes');
  try {
    return await send(requests ?? 'user');
  } finally {
    requests?.end();
    wait.dispose();
  }
}

/**
 * The same for what shows no progress of its own: a wait that lasts is shown in a notification, whose button ends it.
 * @throws Cancelled where the user has ended it
 */
export async function waitingAside<Result>(
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
  let report: ((words: string) => void) | undefined;
  const show = (words: string): void => {
    const isShown = latest !== '';
    latest = words;
    report?.(words);
    if (!isShown) {
      void prompts.progress({ title, cancellable: true }, (say, signal) => {
        report = say;
        signal.addEventListener('abort', () => cancel.abort(), { once: true });
        say(latest);
        return isOver;
      });
    }
  };
  try {
    return await orCancelled(waitingIn({ title, show }, dependencies, send), cancel.signal);
  } finally {
    end();
  }
}
