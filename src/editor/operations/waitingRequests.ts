import type { RequestPace, RequestBudget } from '../../api/requestBudget';
import { systemClock } from '../../portfolio/clock';
import type { Clock } from '../../portfolio/types';
import { orCancelled } from '../cancelled';
import type { LogFunction } from '../log/log';
import type { Prompts } from '../prompts/prompts';
import { RequestWait } from './requestWait';

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

const ASKING = 'asking the service …';

/**
 * Sends requests that a person waits for: before polling and panels, and after as long a wait as the service's request limit takes. The
 * first is sent during a pause too, to find out whether that is over. The progress says how long it waits; its signal has to reach
 * the requests.
 */
export async function waitingIn<Result>({ title, show }: ShownProgress, { budget, clock = systemClock, nowMs, log }: WaitingDependencies, send: (pace: RequestPace) => Promise<Result>): Promise<Result> {
  const own = budget?.();
  const wait = new RequestWait({ show, clock, nowMs, pause: () => own?.pause, log: (words) => log('info', `${title}: ${words}`), step: ASKING });
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
export async function waitingAside<Result>(title: string, prompts: Pick<Prompts, 'progress'>, dependencies: WaitingDependencies, send: (pace: RequestPace) => Promise<Result>): Promise<Result> {
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
