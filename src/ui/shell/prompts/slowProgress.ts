import { startTimer } from '../../../base/async/clock';

type Task<Result> = (report: (message: string) => void, signal: AbortSignal) => Promise<Result>;

/** VS Code shows a progress notification for at least 0.8 s, also after its task has ended: it would lie beside the next question. */
const SLOW_MS = 1_000;

/**
 * Runs a task that precedes a question, and shows its progress only if it takes longer than a second.
 * @param show runs a task with a progress notification
 * @param clock the system's by default
 */
export function progressIfSlow<Result>(
  task: Task<Result>,
  show: (task: Task<void>) => PromiseLike<void>,
  clock?: Parameters<typeof startTimer>[2],
): Promise<Result> {
  const controller = new AbortController();
  let last: string | undefined;
  let reportShown: ((message: string) => void) | undefined;
  const work = task((message) => {
    last = message;
    reportShown?.(message);
  }, controller.signal);
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  const timer = startTimer(
    SLOW_MS,
    () =>
      void show((report, signal) => {
        reportShown = report;
        if (last !== undefined) {
          report(last);
        }
        signal.addEventListener('abort', () => controller.abort(), { once: true });
        return ended;
      }),
    clock,
  );
  return work.finally(() => timer.dispose());
}
