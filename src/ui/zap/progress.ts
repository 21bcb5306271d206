import type { Prompts } from '../shell/prompts/prompts';

export interface ShownRun<Result> {
  readonly title: string;
  /** @param show replaces the text after the title */
  readonly run: (show: (text: string) => void, cancelled: AbortSignal) => Promise<Result>;
  /** Cancels from outside, like the button. */
  readonly outside?: AbortSignal | undefined;
  /** Called when the user presses Cancel. */
  readonly onCancel?: (() => void) | undefined;
}

/**
 * Runs an operation under one progress notification. Its button cancels the operation until something is sent; from then on it only stops
 * the waiting, and the text of the step says so. All steps share the notification: of more than three within 0.8 s VS Code hides the last,
 * which tells the outcome.
 */
export function runShown<Result>(prompts: Prompts, { title, run, outside, onCancel }: ShownRun<Result>): Promise<Result> {
  const button = new AbortController();
  const cancelled = outside === undefined ? button.signal : AbortSignal.any([button.signal, outside]);
  const cancel = () => {
    onCancel?.();
    button.abort();
  };
  return prompts.progress({ title, cancellable: true }, (report, signal) => {
    signal.addEventListener('abort', cancel, { once: true });
    return run(report, cancelled);
  });
}
