import assert from 'node:assert/strict';
import type { AutoRebalanceAnnouncement } from '../../../src/ui/autoRebalance/announcements';
import { RebalanceQuestions } from '../../../src/ui/autoRebalance/questions';
import type { Notice } from '../../../src/ui/shell/prompts/prompts';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { deferred, FakeClock, openPosition, settledMicrotasks, type Deferred } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

/** Prompts whose notifications stay open until the test answers them. */
class OpenPrompts extends ScriptedPrompts {
  readonly open: Deferred<string | undefined>[] = [];

  override async notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined> {
    this.notices.push(notice);
    const answer = deferred<string | undefined>();
    this.open.push(answer);
    const pressed = await answer.promise;
    return notice.actions?.find((action) => action === pressed);
  }

  /** Answers the question that came as so many-th. */
  async press(place: number, button: string | undefined): Promise<void> {
    this.open[place]?.resolve(button);
    await settledMicrotasks();
  }
}

function setUp() {
  const prompts = new OpenPrompts();
  const clock = new FakeClock();
  const tries = { count: 0 };
  /** The number of open questions, at each change. */
  const open: number[] = [];
  const announced: AutoRebalanceAnnouncement[] = [];
  const questions: RebalanceQuestions = new RebalanceQuestions({
    prompts,
    clock,
    nameOf: ({ pairName }) => pairName,
    announce: (told) => announced.push(told),
    tryAgain: () => (tries.count += 1),
    onDidChange: () => open.push(questions.open.length),
    onError: fail,
  });
  const ask = (signal = new AbortController().signal, action: 'rebalance' | 'close' = 'rebalance') =>
    questions.ask(openPosition(1), action, 'The price left its range.', signal);
  return { prompts, clock, tries, open, announced, questions, ask };
}

describe('Questions of auto-rebalance', () => {
  for (const [button, answer] of [
    ['Rebalance…', 'yes'],
    ['Not Now', 'notNow'],
    ['Leave It Alone', 'leaveAlone'],
    [undefined, 'notNow'],
  ] as const) {
    it(`${button ?? 'Closing it'} answers ${answer}, and the next time it is asked again`, async () => {
      const { prompts, ask } = setUp();
      const asked = ask();
      await prompts.press(0, button);
      assert.equal(await asked, answer);
      assert.match(prompts.notices[0]?.message ?? '', /^Auto-rebalance: Rebalance BONK\/SOL\? The price left its range\.$/);
      void ask();
      await settledMicrotasks();
      assert.equal(prompts.notices.length, 2);
    });
  }

  it('Auto-rebalance waits for the answer to its question for one minute at most', async () => {
    const { prompts, clock, open, ask } = setUp();
    const answered = ask();
    await prompts.press(0, 'Not Now');
    await answered;
    assert.deepEqual(open, [1, 0]);
    const ends: string[] = [];
    const late = ask().then((answer) => ends.push(answer));
    await clock.advance(59_999);
    assert.deepEqual(ends, []);
    await clock.advance(1);
    await late;
    assert.deepEqual(ends, ['open']);
  });

  it('An unanswered auto-rebalance question delays nothing and is not repeated', async () => {
    const { prompts, clock, announced, ask } = setUp();
    const asked = ask();
    await clock.advance(60_000);
    assert.equal(await asked, 'open');
    assert.equal(await ask(), 'open');
    assert.equal(prompts.notices.length, 1);
    assert.deepEqual(announced, [{ kind: 'asks', pairName: 'BONK/SOL', action: 'rebalance', why: 'The price left its range.' }]);
  });

  it('A late answer to auto-rebalance starts a check in which it counts once', async () => {
    const { prompts, clock, tries, ask } = setUp();
    const asked = ask();
    await clock.advance(300_000);
    assert.equal(await asked, 'open');
    await prompts.press(0, 'Rebalance…');
    assert.equal(tries.count, 1);
    assert.equal(await ask(), 'yes');
    void ask();
    await settledMicrotasks();
    assert.equal(prompts.notices.length, 2);
  });

  it('A late answer to auto-rebalance expires after ten minutes', async () => {
    const { prompts, clock, ask } = setUp();
    void ask();
    await clock.advance(60_000);
    await prompts.press(0, 'Rebalance…');
    await clock.advance(600_001);
    void ask();
    await settledMicrotasks();
    assert.equal(prompts.notices.length, 2);
  });

  it('A late answer to auto-rebalance does not count after the clock was set back', async () => {
    const { prompts, clock, ask } = setUp();
    void ask();
    await clock.advance(60_000);
    await prompts.press(0, 'Rebalance…');
    clock.setBy(-600 * 60_000);
    void ask();
    await settledMicrotasks();
    assert.equal(prompts.notices.length, 2);
  });

  it('A question is withdrawn when auto-rebalance stops, and a later answer only says so', async () => {
    for (const how of ['signal', 'takeBack'] as const) {
      const { prompts, tries, questions, ask } = setUp();
      const cancel = new AbortController();
      const asked = ask(cancel.signal);
      if (how === 'signal') {
        cancel.abort();
      } else {
        questions.takeBack();
      }
      assert.equal(await asked, 'open');
      await prompts.press(0, 'Rebalance…');
      assert.equal(tries.count, 0);
      assert.match(prompts.notices[1]?.message ?? '', /was stopped, or its rules no longer hold/);
    }
  });

  it('A question stays open, and can be answered, however its notification was closed or hidden', async () => {
    const { prompts, clock, tries, open, questions, ask } = setUp();
    const inTime = ask();
    const question = questions.open[0] ?? assert.fail();
    assert.deepEqual(question, { id: question.id, pair: 'BONK/SOL', action: 'rebalance', why: 'The price left its range.' });
    questions.answer(question.id, 'leaveAlone');
    assert.equal(await inTime, 'leaveAlone');
    void ask();
    await clock.advance(300_000);
    assert.equal(questions.open.length, 1);
    questions.answer(question.id, 'yes');
    assert.deepEqual([tries.count, questions.open.length, open.at(-1)], [1, 0, 0]);
    assert.equal(await ask(), 'yes');
    // Both notifications are still under the bell.
    await prompts.press(0, 'Rebalance…');
    await prompts.press(1, 'Not Now');
    assert.deepEqual(
      prompts.notices.slice(2).map(({ message }) => message),
      ['The question about BONK/SOL was already answered.'],
    );
    assert.equal(tries.count, 1);
  });

  it('A question that was withdrawn or answered cannot be answered again', async () => {
    const { questions, tries, clock, ask } = setUp();
    const asked = ask();
    const id = questions.open[0]?.id ?? '';
    questions.takeBack();
    questions.answer(id, 'yes');
    assert.equal(await asked, 'open');
    void ask();
    await clock.advance(60_000);
    questions.answer(id, 'notNow');
    questions.answer(id, 'yes');
    assert.equal(tries.count, 1);
    assert.equal(await ask(), 'notNow');
  });

  it('An open question is withdrawn once its position no longer needs the action, and a later answer only says so', async () => {
    const { prompts, clock, tries, questions, ask } = setUp();
    const asked = ask();
    // Its own check still waits for the answer.
    questions.keep([]);
    assert.equal(questions.open.length, 1);
    await clock.advance(60_000);
    assert.equal(await asked, 'open');
    questions.keep([{ position: openPosition(1), action: 'rebalance' }]);
    assert.equal(questions.open.length, 1);
    questions.keep([
      { position: openPosition(1), action: 'close' },
      { position: openPosition(2), action: 'rebalance' },
    ]);
    assert.deepEqual(questions.open, []);
    await prompts.press(0, 'Rebalance…');
    assert.match(prompts.notices[1]?.message ?? '', /its rules no longer hold\. Nothing was signed\./);
    assert.equal(tries.count, 0);
    void ask();
    assert.equal(questions.open.length, 1);
  });

  it('Auto-rebalance asks separate questions about closing and rebalancing', async () => {
    const { prompts, ask } = setUp();
    void ask();
    void ask(undefined, 'close');
    await settledMicrotasks();
    assert.deepEqual(
      prompts.notices.map(({ actions }) => actions?.[0]),
      ['Rebalance…', 'Close…'],
    );
  });
});
