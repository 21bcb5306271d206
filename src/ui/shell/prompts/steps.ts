import type { Answer, Place } from './prompts';

/** One step of a dialog that fills in a draft. */
export interface Step<Draft> {
  /** The step is skipped if this returns false for the answers so far. */
  readonly applies?: (draft: Draft) => boolean;
  /** Asks and returns the draft with the answer. After *Back*, the draft still holds the earlier answers. */
  readonly ask: (draft: Draft, place: Place) => Promise<Answer<Draft>>;
}

/**
 * Runs the steps in order. The back button returns to the previous step and keeps its answer. `initial` is never changed.
 * @returns the complete draft; `undefined` if the user cancelled
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

/** Counts only the steps that apply now. Later answers can still add or remove steps. */
function placeOf<Draft>(steps: readonly Step<Draft>[], index: number, draft: Draft, askedBefore: number): Place {
  const ahead = steps.filter((step, at) => at > index && applies(step, draft)).length;
  return { step: askedBefore + 1, of: askedBefore + 1 + ahead, canGoBack: askedBefore > 0 };
}

function applies<Draft>(step: Step<Draft>, draft: Draft): boolean {
  return step.applies?.(draft) ?? true;
}
