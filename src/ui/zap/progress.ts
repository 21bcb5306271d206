import type { Prompts } from '../shell/prompts/prompts';

/** What is run under a progress. */
export interface ShownRun<Result> {
  readonly title: string;
  /** @param show what the notification says from then on, behind its title */
  readonly run: (show: (words: string) => void, cancelled: AbortSignal) => Promise<Result>;
  /** Ends it from outside, as the button does. */
  readonly outside?: AbortSignal | undefined;
  /** Told when the user has pressed the button. */
  readonly onCancel?: (() => void) | undefined;
}

/**
 * Runs an operation under one notification that shows how far it is: until something is sent its button ends the operation; from then
 * on it ends the waiting only, and the words of the step say so. `cancelled` is aborted by either. One for all steps: of more than
 * three within 0.8 s VS Code hides the last, which says how it ended.
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
