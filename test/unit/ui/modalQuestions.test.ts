import assert from 'node:assert/strict';
import { ANSWER_DELAY_MS, ModalQuestions } from '../../../src/ui/shell/prompts/modalQuestions';
import type { ConfirmRequest } from '../../../src/ui/shell/prompts/prompts';
import { FakeClock, settledMicrotasks } from '../../support/portfolio/fixtures';

const SIGN: ConfirmRequest<string> = {
  severity: 'info',
  message: 'Zap out?',
  detail: 'You pay: 1 SOL',
  actions: ['Details', 'Sign and Send'],
};
const FORGET: ConfirmRequest<string> = { severity: 'warning', message: 'Forget the key?', detail: '', actions: ['Keep Key', 'Forget Key'] };
const TOO_SOON = 'Your answer came too soon. Please answer again.';

/** A window in which a person presses buttons, at the times of a clock. */
function openWindow() {
  const clock = new FakeClock();
  const shown: ConfirmRequest<string>[] = [];
  const open: ((button: string | undefined) => void)[] = [];
  let most = 0;
  const questions = new ModalQuestions((question) => {
    shown.push(question);
    return new Promise((resolve) => {
      open.push(resolve as (button: string | undefined) => void);
      most = Math.max(most, open.length);
    });
  }, clock);
  return {
    questions,
    shown,
    /** How many dialogs VS Code held at once. */
    atOnce: () => most,
    /** Presses a button of the dialog in front, this long after the last press. */
    press: async (button: string | undefined, afterMs: number) => {
      await clock.advance(afterMs);
      const dialog = open.shift() ?? assert.fail('no dialog is open');
      dialog(button);
      await settledMicrotasks();
    },
  };
}

describe('Modal questions of a window', () => {
  it('A question is shown only after the one before it was answered, whichever way', async () => {
    const { questions, shown, press, atOnce } = openWindow();
    const answers = [questions.ask(SIGN), questions.ask(FORGET), questions.ask(SIGN)];
    await press('Sign and Send', 2_000);
    await press(undefined, 2_000);
    await press('Details', 2_000);
    assert.deepEqual(await Promise.all(answers), ['Sign and Send', undefined, 'Details']);
    assert.deepEqual([shown, atOnce()], [[SIGN, FORGET, SIGN], 1]);
  });

  it('The second click of a double click on one question does not answer the next one, which is asked again', async () => {
    const { questions, shown, press } = openWindow();
    const answers = [questions.ask(SIGN), questions.ask(FORGET)];
    await press('Sign and Send', 2_000);
    await press('Forget Key', 200);
    assert.deepEqual(
      shown.map(({ message, detail }) => `${message} ${detail}`),
      ['Zap out? You pay: 1 SOL', 'Forget the key? ', `Forget the key? ${TOO_SOON}`],
    );
    await press('Keep Key', 2_000);
    assert.deepEqual(await Promise.all(answers), ['Sign and Send', 'Keep Key']);
  });

  it('No button but Cancel counts before a person can have read the question, however often it is asked', async () => {
    const { questions, shown, press } = openWindow();
    const answer = questions.ask(SIGN);
    await press('Details', ANSWER_DELAY_MS - 1);
    await press('Sign and Send', 0);
    await press('Sign and Send', ANSWER_DELAY_MS - 1);
    assert.deepEqual(
      shown.map(({ detail }) => detail),
      ['You pay: 1 SOL', ...Array.from({ length: 3 }, () => `You pay: 1 SOL\n\n${TOO_SOON}`)],
    );
    await press('Sign and Send', ANSWER_DELAY_MS);
    assert.equal(await answer, 'Sign and Send');
  });

  it('Cancel counts at once, also where the question was asked again', async () => {
    const { questions, press } = openWindow();
    const [first, second] = [questions.ask(SIGN), questions.ask(FORGET)];
    await press(undefined, 0);
    await press('Forget Key', 0);
    await press(undefined, 0);
    assert.deepEqual([await first, await second], [undefined, undefined]);
  });

  it('A question that waits for another one is not asked again because of that wait, and its own time runs once it is shown', async () => {
    const { questions, shown, press } = openWindow();
    const answers = [questions.ask(FORGET), questions.ask(SIGN)];
    await press('Keep Key', 600_000);
    await press('Sign and Send', ANSWER_DELAY_MS - 1);
    await press('Sign and Send', ANSWER_DELAY_MS);
    assert.deepEqual([await Promise.all(answers), shown.length], [['Keep Key', 'Sign and Send'], 3]);
  });

  it('A dialog that VS Code refuses to show is an error, and the next question is asked', async () => {
    let refuses = true;
    const clock = new FakeClock();
    const show = async () => {
      await clock.advance(ANSWER_DELAY_MS);
      return refuses ? Promise.reject(new Error('refused')) : undefined;
    };
    const questions = new ModalQuestions(show, clock);
    await assert.rejects(questions.ask(SIGN), /refused/);
    refuses = false;
    assert.equal(await questions.ask(SIGN), undefined);
  });
});
