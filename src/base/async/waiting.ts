import { type Clock, startTimer } from './clock';

/** The answer, or `undefined` if it takes longer than so many milliseconds. The work goes on. */
export function answeredWithin<Answer>(answer: Promise<Answer>, waitMs: number, clock: Clock): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(waitMs, () => resolve(undefined), clock);
    answer.then(resolve, reject).finally(() => timer.dispose());
  });
}
