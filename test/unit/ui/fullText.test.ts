import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { detailsButton, MOST_CHARACTERS, ONE_LINE_CHARACTERS, showFullText } from '../../../src/ui/shell/prompts/fullText';

interface Shown {
  readonly message: string;
  readonly detail: string | undefined;
  readonly isModal: boolean;
  readonly actions: readonly string[];
}

/** Shows a notice, presses a button on the notification, and gives what was shown. */
async function shownOf(
  message: string,
  actions: readonly string[] = [],
  press?: string,
  operation?: string,
): Promise<{ readonly shown: readonly Shown[]; readonly answer: string | undefined; readonly documents: readonly string[] }> {
  const shown: Shown[] = [];
  const documents: string[] = [];
  const answer = await showFullText(
    { severity: 'info', message, actions, operation },
    (_severity, text, { modal = false, detail }, offered) => {
      shown.push({ message: text, detail, isModal: modal, actions: offered });
      return Promise.resolve(modal ? undefined : press);
    },
    (id) => Promise.resolve(void documents.push(id)),
  );
  return { shown, answer, documents };
}

const DETAILS = detailsButton();

const HALF_DONE =
  '1 of the 3 transactions of this zap-out landed, and the others can no longer. Still wrapped: 1.976 SOL. Not swapped: 436 JUPP.';

describe('A notification', () => {
  it('A notification that VS Code would cut has a button for its full text', async () => {
    const { shown, answer } = await shownOf(HALF_DONE, [], DETAILS);
    assert.deepEqual(shown, [
      { message: HALF_DONE, detail: undefined, isModal: false, actions: [DETAILS] },
      {
        message: '1 of the 3 transactions of this zap-out landed, and the others can no longer.',
        detail: 'Still wrapped: 1.976 SOL. Not swapped: 436 JUPP.',
        isModal: true,
        actions: [],
      },
    ]);
    assert.equal(answer, undefined);
  });

  it('The button *Details* of an operation opens its document instead of a dialog', async () => {
    const { shown, documents } = await shownOf(HALF_DONE, [], DETAILS, 'operation-1');
    assert.deepEqual([documents, shown.map(({ isModal }) => isModal)], [['operation-1'], [false]]);
    assert.deepEqual((await shownOf(HALF_DONE, [], undefined, 'operation-1')).documents, []);
    assert.deepEqual((await shownOf('Nothing was signed.', [], DETAILS, 'operation-1')).documents, []);
  });

  it('A notification that VS Code shows in full has no button for the full text', async () => {
    assert.deepEqual((await shownOf('Nothing was signed.')).shown[0]?.actions, []);
    const { shown, answer } = await shownOf(HALF_DONE, ['Do Not Show Again'], 'Do Not Show Again');
    assert.deepEqual([shown[0]?.actions, shown.length, answer], [['Do Not Show Again'], 1, 'Do Not Show Again']);
  });

  it('The user can read every notification in full', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 3_000 }), fc.subarray(['Copy Signature', 'Show Activity']), async (message, actions) => {
        const { shown } = await shownOf(message, actions, DETAILS);
        const [toast, modal] = shown;
        const isShownWhole = message.length <= (actions.length === 0 ? ONE_LINE_CHARACTERS : MOST_CHARACTERS);
        assert.ok(toast !== undefined && actions.every((action) => toast.actions.includes(action)));
        assert.ok(isShownWhole || toast.actions.includes(DETAILS));
        if (toast.actions.includes(DETAILS)) {
          const whole = `${modal?.message ?? ''} ${modal?.detail ?? ''}`;
          assert.equal(whole.replaceAll(/\s/g, ''), message.replaceAll(/\s/g, ''));
        }
      }),
    );
  });

  it('Only one source file shows notifications', () => {
    const sources = readdirSync('src', { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.ts'));
    assert.ok(sources.length > 100);
    const direct = sources.filter((name) => /\bshow(Information|Warning|Error)Message\b/.test(readFileSync(join('src', name), 'utf8')));
    assert.deepEqual(direct, [join('ui', 'shell', 'prompts', 'windowPrompts.ts')]);
  });
});
