import type { OperationStep } from '../../operations/types';
import type { Prompts } from '../prompts/prompts';
import { STEP_WORDS } from './outcome';

/** What a cancellation means while an operation is at a step. */
export type Stage =
  /** Nothing was sent: it ends the operation. */
  | 'cancellable'
  /** It is being sent, or was: it ends the waiting, not the operation. */
  | 'sent';

/** How a step is shown. */
export interface ShownStep {
  readonly stage: Stage;
  readonly words: string;
}

const STAGE: Readonly<Record<OperationStep, Stage>> = {
  building: 'cancellable',
  waitingForEarlier: 'cancellable',
  reviewing: 'cancellable',
  waitingForApproval: 'cancellable',
  signing: 'cancellable',
  landing: 'sent',
  waitingForEffect: 'sent',
};

/** How a step of an operation is shown. */
export function shownStep(step: OperationStep): ShownStep {
  return { stage: STAGE[step], words: STEP_WORDS[step] };
}

/** What is run under a progress, and how it is shown. */
export interface Staged<Step, Result> {
  readonly title: string;
  readonly shown: (step: Step) => ShownStep;
  readonly run: (report: (step: Step) => void, cancelled: AbortSignal) => Promise<Result>;
  /** Ends it from outside, as the button does. */
  readonly outside?: AbortSignal | undefined;
  /** Told when the user has pressed the button. */
  readonly onCancel?: (() => void) | undefined;
}

/**
 * Runs an operation under a notification that shows how far it is, one for each stage: until something is sent its button ends the
 * operation; from then on another one stands in its place, whose button ends the waiting only, and whose words say so.
 * `cancelled` is aborted by either. One at a time: of many at once, VS Code hides the last, which says how it ended.
 */
export async function runStaged<Step, Result>(prompts: Prompts, { title, shown, run, outside, onCancel }: Staged<Step, Result>): Promise<Result> {
  const button = new AbortController();
  const cancelled = outside === undefined ? button.signal : AbortSignal.any([button.signal, outside]);
  const cancel = () => {
    onCancel?.();
    button.abort();
  };
  let running: Promise<{ readonly result: Result }> | undefined;
  const now: { stage: Stage; words: string } = { stage: 'cancellable', words: '' };
  let show: (message: string) => void = () => undefined;
  let leaveStage: (next: 'next') => void = () => undefined;
  const onStep = (step: Step): void => {
    const { stage, words } = shown(step);
    now.words = words;
    if (stage === now.stage) {
      show(words);
    } else {
      now.stage = stage;
      leaveStage('next');
    }
  };
  for (;;) {
    const left = new Promise<'next'>((resolve) => {
      leaveStage = resolve;
    });
    const ended = await prompts.progress({ title, cancellable: true }, (report, signal) => {
      signal.addEventListener('abort', cancel, { once: true });
      show = report;
      if (now.words !== '') {
        show(now.words);
      }
      running ??= run(onStep, cancelled).then((result) => ({ result }));
      return Promise.race([running, left]);
    });
    if (ended !== 'next') {
      return ended.result;
    }
  }
}

/** Runs one operation under its progress: see {@link runStaged}. */
export function runWithProgress<Result>(prompts: Prompts, title: string, run: (report: (step: OperationStep) => void, cancelled: AbortSignal) => Promise<Result>): Promise<Result> {
  return runStaged(prompts, { title, shown: shownStep, run });
}
