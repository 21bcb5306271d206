import assert from 'node:assert/strict';
import { RequestWait, waitMessage } from '../../../src/ui/shell/requestWait';
import { FakeClock } from '../portfolio/fixtures';

describe("The wait for the service's request limit", () => {
  let clock: FakeClock;
  let said: string[];
  let logged: string[];
  let wait: RequestWait;

  beforeEach(() => {
    clock = new FakeClock();
    [said, logged] = [[], []];
    wait = new RequestWait({
      show: (words) => said.push(words),
      clock,
      nowMs: () => clock.now(),
      pause: () => undefined,
      log: (words) => logged.push(words),
    });
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

  it('The progress shows a long wait in minutes or hours, and a longer one that the service asks for', () => {
    assert.equal(waitMessage(119_000, undefined), 'Waiting 119 s for the request limit of your plan.');
    assert.equal(waitMessage(600_000, undefined), 'Waiting 10 min for the request limit of your plan.');
    assert.equal(
      waitMessage(900_000, { untilMs: 0, askedMs: 86_400_000 }),
      'Request limit used up: the service asks to wait 24 h. Retrying in 15 min.',
    );
  });
});
