import assert from 'node:assert/strict';
import { RequestBudget } from '../../../src/service/budget/requestBudget';
import type { RequestPace } from '../../../src/service/budget/operationRequests';
import { Cancelled } from '../../../src/ui/shell/errors';
import { RequestWait, waitMessage, withRequestWait, withRequestWaitNotification } from '../../../src/ui/shell/requestWait';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock } from '../../support/portfolio/fixtures';

describe("The wait for the service's request limit", () => {
  let clock: FakeClock;
  let said: string[];
  let logged: string[];
  let wait: RequestWait;

  beforeEach(() => {
    clock = new FakeClock();
    [said, logged] = [[], []];
    wait = new RequestWait({ show: (words) => said.push(words), clock, nowMs: () => clock.now(), log: (words) => logged.push(words) });
  });

  it('The countdown of the request limit changes every second and is followed by the next step', async () => {
    wait.showStep('asking the service for the transactions…');
    wait.until(clock.now() + 42_000);
    await clock.advance(2_000);
    wait.until(undefined);
    assert.deepEqual(said, [
      'asking the service for the transactions…',
      'Waiting 42 s for the request limit of your plan. Next: asking the service for the transactions…',
      'Waiting 41 s for the request limit of your plan. Next: asking the service for the transactions…',
      'Waiting 40 s for the request limit of your plan. Next: asking the service for the transactions…',
      'asking the service for the transactions…',
    ]);
    assert.deepEqual(logged, ['Waiting 42 s for the request limit of your plan.']);
    assert.equal(clock.timers, 0);
  });

  it('The progress does not show a very short wait for the request limit', async () => {
    wait.showStep('signing…');
    wait.until(clock.now() + 1_000);
    await clock.advance(900);
    wait.until(undefined);
    assert.deepEqual(said, ['signing…']);
  });

  it('Disposing the wait stops its timer', () => {
    wait.until(clock.now() + 42_000);
    wait.dispose();
    assert.equal(clock.timers, 0);
  });

  it('The progress shows a long wait in minutes or hours', () => {
    assert.equal(waitMessage(119_000), 'Waiting 119 s for the request limit of your plan.');
    assert.equal(waitMessage(600_000), 'Waiting 10 min for the request limit of your plan.');
    assert.equal(waitMessage(7_200_000), 'Waiting 2 hours for the request limit of your plan.');
  });
});

const MINUTE_MS = 60_000;

describe('Requests by the user', () => {
  let clock: FakeClock;
  let budget: RequestBudget;
  let said: string[];

  beforeEach(() => {
    clock = new FakeClock();
    budget = new RequestBudget(clock);
    said = [];
  });

  const waiting = () => ({ budget: () => budget, clock, nowMs: () => clock.now(), log: () => undefined });

  async function send(pace: RequestPace, status = 200, retryAfterMs?: number): Promise<string> {
    const admission = await budget.admit(pace);
    if (admission.kind === 'tooLong') {
      return 'refused';
    }
    admission.turn.answered({ status, retryAfterMs, header: () => null });
    return status === 200 ? 'sent' : '429';
  }

  /** Five requests, and a 429: a limit of five a minute is known, and a pause of 20 s. */
  async function useUp(retryAfterMs = 20_000): Promise<void> {
    for (let count = 0; count < 5; count += 1) {
      await send('poll');
    }
    await send('poll', 429, retryAfterMs);
  }

  it('A request by the user waits for the limit longer than a panel and shows a countdown', async () => {
    await useUp();
    await clock.advance(21_000);
    assert.equal(await send('panel'), 'refused');
    const sent = withRequestWait({ title: 'Reading', show: (words) => said.push(words) }, waiting(), (pace) => send(pace));
    await clock.advance(MINUTE_MS);
    assert.equal(await sent, 'sent');
    assert.equal(said[0], 'Waiting 40 s for the request limit of your plan. Next: asking the service…');
    assert.equal(said.at(-1), 'asking the service…');
  });

  it('A request by the user precedes polling, which gives way', async () => {
    await useUp();
    const order: string[] = [];
    const polls: Promise<string>[] = [];
    const sent = withRequestWait({ title: 'Reading', show: () => undefined }, waiting(), async (pace) => {
      polls.push(send('poll'));
      await send(pace);
      order.push('first');
      polls.push(send('panel'));
      await send(pace);
      order.push('second');
    });
    await clock.advance(2 * MINUTE_MS);
    await sent;
    assert.deepEqual(order, ['first', 'second']);
    assert.equal(await polls[0], 'refused');
  });

  it('A request by the user is sent once during a pause to test the limit and then waits', async () => {
    await send('poll', 429, 10 * MINUTE_MS);
    const done: string[] = [];
    const sent = withRequestWait({ title: 'Reading', show: (words) => said.push(words) }, waiting(), async (pace) => {
      done.push(await send(pace, 429, 30_000));
      done.push(await send(pace));
    });
    await clock.advance(1_000);
    assert.deepEqual([done, said[0]], [['429'], 'Waiting 30 s for the request limit of your plan. Next: asking the service…']);
    await clock.advance(MINUTE_MS);
    await sent;
    assert.deepEqual(done, ['429', 'sent']);
  });

  it('A request without its own progress shows its wait in a notification that can cancel it silently', async () => {
    await useUp();
    const prompts = new ScriptedPrompts([], { 'Waiting 58 s': 'Cancel' });
    const sent = withRequestWaitNotification('Refreshing', prompts, waiting(), async (pace) => [await send(pace), await send(pace)]).then(
      () => 'sent',
      (error: unknown) => error,
    );
    await clock.advance(MINUTE_MS);
    assert.ok((await sent) instanceof Cancelled);
    assert.match(prompts.progressed[0] ?? '', /^Waiting \d+ s for the request limit of your plan\./);
    assert.deepEqual(prompts.notices, []);
  });

  it('A request that does not wait shows no notification', async () => {
    const prompts = new ScriptedPrompts();
    assert.equal(await withRequestWaitNotification('Refreshing', prompts, waiting(), (pace) => send(pace)), 'sent');
    assert.deepEqual(prompts.progressed, []);
  });
});
