import type { OperationStep } from '../../operations/types';
import type { Prompts } from '../prompts/prompts';
import { STEP_WORDS } from './outcome';

/** What a cancellation means while an operation is at a step. */
type Stage =
  /** Nothing was sent: it ends the operation. */
  | 'cancellable'
  /** It is being sent, or was: it ends the waiting, not the operation. */
  | 'sent';

const STAGE: Readonly<Record<OperationStep, Stage>> = {
  building: 'cancellable',
  reviewing: 'cancellable',
  waitingForApproval: 'cancellable',
  signing: 'cancellable',
  landing: 'sent',
  waitingForEffect: 'sent',
};

/**
 * Runs an operation under a notification that shows how far it is, one for each stage: until something is sent its button ends the
 * operation; from then on another one stands in its place, whose button ends the waiting only, and whose words say so.
 * `cancelled` is aborted by either. No more than two: of many at once, VS Code hides the last, which says how it ended.
 */
export async function runWithProgress<Result>(prompts: Prompts, title: string, operation: (report: (step: OperationStep) => void, cancelled: AbortSignal) => Promise<Result>): Promise<Result> {
  const cancel = new AbortController();
  let running: Promise<{ readonly result: Result }> | undefined;
  const now: { stage: Stage; words: string } = { stage: 'cancellable', words: '' };
  let show: (message: string) => void = () => undefined;
  let leaveStage: (next: 'next') => void = () => undefined;
  const onStep = (step: OperationStep): void => {
    now.words = STEP_WORDS[step];
    if (STAGE[step] === now.stage) {
      show(now.words);
    } else {
      now.stage = STAGE[step];
      leaveStage('next');
    }
  };
  for (;;) {
    const left = new Promise<'next'>((resolve) => {
      leaveStage = resolve;
    });
    const ended = await prompts.progress({ title, cancellable: true }, (report, signal) => {
      signal.addEventListener('abort', () => cancel.abort(), { once: true });
      show = report;
      if (now.words !== '') {
        show(now.words);
      }
      running ??= operation(onStep, cancel.signal).then((result) => ({ result }));
      return Promise.race([running, left]);
    });
    if (ended !== 'next') {
      return ended.result;
    }
  }
}
