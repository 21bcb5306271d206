import type { RebalanceStep } from '../../operations/rebalance/types';
import { shownStep, type ShownStep } from '../operations/progress';

const BETWEEN: Readonly<Record<Extract<RebalanceStep, { leg: 'between' }>['step'], string>> = {
  measuring: 'closed; measuring what came back. Cancel leaves it in your wallet …',
  readingPool: 'reading the pool for its active bin. Cancel leaves what came back in your wallet …',
};

/** What follows, or does not, where it is cancelled at a step. */
const THEN_NOTHING = ' Nothing is put back then.';

/**
 * How a step of a rebalance is shown: with the part that it belongs to, where there are two, and what a cancellation leaves.
 * @param parts 1: what came out earlier is put back, and there is no zap-out
 */
export function shownRebalanceStep(step: RebalanceStep, parts: 1 | 2): ShownStep {
  if (step.leg === 'between') {
    return { stage: 'cancellable', words: BETWEEN[step.step] };
  }
  const { stage, words } = shownStep(step.step);
  const lead = parts === 1 ? '' : step.leg === 'zapOut' ? '1 of 2, zap-out: ' : '2 of 2, zap-in: ';
  const isLeft = step.leg === 'zapOut' && stage === 'sent';
  return { stage, words: `${lead}${isLeft ? words.replace(/ …$/, `.${THEN_NOTHING}`) : words}` };
}
