import type { OperationStep } from '../../operations/types';
import type { Prompts } from '../prompts/prompts';
import { STEP_WORDS } from './outcome';

/** Whether something may have been sent when an operation is at a step. */
const IS_SENT: Readonly<Record<OperationStep, boolean>> = {
  building: false,
  reviewing: false,
  waitingForApproval: false,
  signing: false,
  landing: true,
  waitingForEffect: true,
};

/**
 * Runs an operation under a notification that shows how far it is. It can be cancelled there until something is sent; from
 * then on a second notification stands in its place, without a button that would promise what cannot be done any more.
 */
export async function runWithProgress<Result>(prompts: Prompts, title: string, operation: (report: (step: OperationStep) => void, cancelled: AbortSignal) => Promise<Result>): Promise<Result> {
  let running: Promise<{ readonly result: Result }> | undefined;
  let words = '';
  let show: (message: string) => void = () => undefined;
  let markSent: (sent: 'sent') => void = () => undefined;
  const sent = new Promise<'sent'>((resolve) => {
    markSent = resolve;
  });
  const first = await prompts.progress({ title, cancellable: true }, (report, cancelled) => {
    show = report;
    const onStep = (step: OperationStep) => {
      words = STEP_WORDS[step];
      show(words);
      if (IS_SENT[step]) {
        markSent('sent');
      }
    };
    running = operation(onStep, cancelled).then((result) => ({ result }));
    return Promise.race([running, sent]);
  });
  if (first !== 'sent') {
    return first.result;
  }
  const last = await prompts.progress({ title, cancellable: false }, (report) => {
    show = report;
    show(words);
    return running ?? Promise.reject(new Error('Sent before it began'));
  });
  return last.result;
}
