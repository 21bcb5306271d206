import assert from 'node:assert/strict';
import type { Answer, Place } from '../../../src/ui/shell/prompts/prompts';
import { runSteps, type Step } from '../../../src/ui/shell/prompts/steps';

interface Draft {
  readonly a?: string;
  readonly b?: string;
  readonly c?: string;
}

/** An answer; "back" and "cancelled" are what they say. */
type Given = string;

/** Steps that answer from a list, and write down what they saw. */
function scripted(
  answers: readonly (readonly [keyof Draft, Given])[],
  applies: Partial<Record<keyof Draft, (draft: Draft) => boolean>> = {},
): { readonly steps: Step<Draft>[]; readonly seen: string[]; readonly places: Place[] } {
  const left = [...answers];
  const seen: string[] = [];
  const places: Place[] = [];
  const step = (name: keyof Draft): Step<Draft> => ({
    applies: applies[name],
    ask: (draft, place): Promise<Answer<Draft>> => {
      const [expected, answer] = left.shift() ?? [];
      assert.equal(name, expected, 'the steps come in this order');
      seen.push(`${name}=${draft[name] ?? 'unanswered'}`);
      places.push(place);
      return Promise.resolve(
        answer === 'back' || answer === 'cancelled' ? { kind: answer } : { kind: 'value', value: { ...draft, [name]: answer } },
      );
    },
  });
  return { steps: [step('a'), step('b'), step('c')], seen, places };
}

describe('A dialog with several steps', () => {
  it('The dialog collects the answers in order', async () => {
    const { steps, places } = scripted([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ]);
    assert.deepEqual(await runSteps({}, steps), { a: '1', b: '2', c: '3' });
    assert.deepEqual(places, [
      { step: 1, of: 3, canGoBack: false },
      { step: 2, of: 3, canGoBack: true },
      { step: 3, of: 3, canGoBack: true },
    ]);
  });

  it('The dialog goes back a step and keeps its answer', async () => {
    const { steps, seen } = scripted([
      ['a', '1'],
      ['b', '2'],
      ['c', 'back'],
      ['b', 'back'],
      ['a', '9'],
      ['b', '8'],
      ['c', '7'],
    ]);
    assert.deepEqual(await runSteps({}, steps), { a: '9', b: '8', c: '7' });
    assert.deepEqual(seen, ['a=unanswered', 'b=unanswered', 'c=unanswered', 'b=2', 'a=1', 'b=2', 'c=unanswered']);
  });

  it('Cancelling at any step returns nothing and leaves the initial values unchanged', async () => {
    for (const answers of [
      [['a', 'cancelled']],
      [
        ['a', '1'],
        ['b', 'cancelled'],
      ],
      [
        ['a', '1'],
        ['b', '2'],
        ['c', 'cancelled'],
      ],
    ] as const) {
      const initial: Draft = {};
      assert.equal(await runSteps(initial, scripted(answers).steps), undefined);
      assert.deepEqual(initial, {});
    }
  });

  it('The dialog skips steps that do not apply, also when going back', async () => {
    const applies = { b: (draft: Draft) => draft.a === 'own' };
    const skipped = scripted(
      [
        ['a', '1'],
        ['c', 'back'],
        ['a', 'own'],
        ['b', '2'],
        ['c', '3'],
      ],
      applies,
    );
    assert.deepEqual(await runSteps({}, skipped.steps), { a: 'own', b: '2', c: '3' });
    assert.deepEqual(
      skipped.places.map(({ step, of }) => `${step}/${of}`),
      ['1/2', '2/2', '1/2', '2/3', '3/3'],
    );
  });
});
