import type { Answer, Place } from './prompts';

/** One step of a dialogue that fills in a draft. */
export interface Step<Draft> {
  /** Left out where it gives false for what was answered so far. */
  readonly applies?: (draft: Draft) => boolean;
  /** Asks, and gives the draft with the answer in it. A draft of an earlier pass comes back with its answers, to start from. */
  readonly ask: (draft: Draft, place: Place) => Promise<Answer<Draft>>;
}

/**
 * Asks one step after the other; the back button returns to the step before with its answer kept.
 * @returns the draft when all steps were answered; `undefined` when the user cancelled. The draft given is never changed.
 */
export async function runSteps<Draft>(initial: Draft, steps: readonly Step<Draft>[]): Promise<Draft | undefined> {
  let draft = initial;
  const asked: number[] = [];
  let index = nextStep(steps, 0, draft);
  while (index !== undefined) {
    const step = steps[index] as Step<Draft>;
    const answer = await step.ask(draft, placeOf(steps, index, draft, asked.length));
    switch (answer.kind) {
      case 'cancelled':
        return undefined;
      case 'back':
        index = asked.pop() ?? index;
        break;
      case 'value':
        draft = answer.value;
        asked.push(index);
        index = nextStep(steps, index + 1, draft);
        break;
    }
  }
  return draft;
}

function nextStep<Draft>(steps: readonly Step<Draft>[], from: number, draft: Draft): number | undefined {
  const found = steps.findIndex((step, index) => index >= from && applies(step, draft));
  return found === -1 ? undefined : found;
}

/** Counts only the steps that apply as things stand: later answers may still add or drop some. */
function placeOf<Draft>(steps: readonly Step<Draft>[], index: number, draft: Draft, askedBefore: number): Place {
  const ahead = steps.filter((step, at) => at > index && applies(step, draft)).length;
  return { step: askedBefore + 1, of: askedBefore + 1 + ahead, canGoBack: askedBefore > 0 };
}

function applies<Draft>(step: Step<Draft>, draft: Draft): boolean {
  return step.applies?.(draft) ?? true;
}
