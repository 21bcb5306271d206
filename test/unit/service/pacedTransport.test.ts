import assert from 'node:assert/strict';
import { RequestBudget } from '../../../src/service/budget/requestBudget';
import { FakeClock } from '../../support/portfolio/fixtures';
import { failureOf, OWNER, success } from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';

const ok = success([]);
const MINUTE = 60_000;

describe('Transport with a request budget', () => {
  let service: ScriptedService;
  let clock: FakeClock;
  let budget: RequestBudget;

  before(async () => {
    service = await ScriptedService.start();
  });

  beforeEach(() => {
    clock = new FakeClock();
    budget = new RequestBudget(clock);
  });

  after(async () => {
    await service.stop();
  });

  function client(): ReturnType<ScriptedService['client']> {
    return service.client({ budget, now: () => clock.now() });
  }

  function refusal(seconds: number): { status: number; headers: Record<string, string>; body: string } {
    return { status: 429, headers: { 'retry-after': String(seconds) }, body: 'too many requests' };
  }

  /** Lets a call run, over so many minutes of the budget's clock, while real answers come over the wire. */
  async function over<Result>(minutes: number, call: Promise<Result>): Promise<Result> {
    const progress = { isDone: false };
    const done = call.finally(() => (progress.isDone = true));
    done.catch(() => undefined);
    for (let seconds = 0; seconds < minutes * 60 && !progress.isDone; seconds += 5) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(5_000);
    }
    return done;
  }

  it('A request of an operation waits as long as the service asks, and is sent again', async () => {
    service.willAnswer(refusal(120), refusal(300), ok);
    const operation = budget.begin(() => undefined);
    const start = clock.now();
    await over(12, client().openPositions(OWNER, { pace: operation }));
    assert.equal(service.received.length, 3);
    assert.ok(clock.now() - start >= 7 * MINUTE);
  });

  it('Cancelling an operation ends its wait at once', async () => {
    service.willAnswer(refusal(600), ok);
    const operation = budget.begin((untilMs) => (untilMs === undefined ? undefined : cancel.abort()));
    const cancel = new AbortController();
    await failureOf(client().openPositions(OWNER, { pace: operation, signal: cancel.signal }), 'cancelled');
    assert.equal(service.received.length, 1);
    assert.equal(clock.timers, 0);
  });

  it('A polling request is not sent during a pause, and the error says when to try again', async () => {
    service.willAnswer(refusal(40), ok);
    await failureOf(client().openPositions(OWNER, { pace: 'poll' }), 'rateLimited');
    const error = await failureOf(client().openPositions(OWNER, { pace: 'poll' }), 'rateLimited');
    assert.equal(service.received.length, 1);
    assert.equal(error.retryAfterMs, 40_000);
    assert.match(error.message, /Try again in 40 s/);
  });

  it('A request of a panel waits up to half a minute, and fails at once if the wait is longer', async () => {
    service.willAnswer(refusal(10), ok);
    await over(1, client().openPositions(OWNER));
    assert.equal(service.received.length, 2);
    service.willAnswer(refusal(31), ok);
    await failureOf(client().openPositions(OWNER), 'rateLimited');
    assert.equal(service.received.length, 1);
  });

  it('A request of the user is sent once during a pause, and its success ends the pause', async () => {
    service.willAnswer(refusal(600), ok);
    await failureOf(client().openPositions(OWNER), 'rateLimited');
    await client().openPositions(OWNER, { pace: 'user' });
    assert.equal(budget.pause, undefined);
    service.willAnswer(refusal(600), ok);
    await failureOf(client().openPositions(OWNER, { pace: 'user' }), 'rateLimited');
    assert.equal(service.received.length, 1);
  });

  it('A landing waits only a short time, since signed transactions expire', async () => {
    service.willAnswer(refusal(600), success({ signature: 'landed' }));
    const operation = budget.begin(() => undefined);
    await failureOf(client().openPositions(OWNER), 'rateLimited');
    const landing = client().landDecrease(
      { closeTransactions: ['AA==' as never], swapTransactions: [], lastValidBlockHeight: 1 },
      { pace: operation },
    );
    // The clock of the budget stands still while a request may be on the wire.
    let waitedMs = 0;
    for (; service.received.length < 2 && waitedMs < MINUTE; waitedMs += 1_000) {
      await clock.advance(1_000);
      for (let looks = 0; service.received.length < 2 && looks < 50; looks += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    assert.ok(waitedMs <= 6_000, `${waitedMs} ms`);
    await landing;
    assert.equal(service.received.length, 2);
  });

  it('A landing that is rate limited is not sent again by the transport', async () => {
    service.willAnswer(refusal(5));
    const operation = budget.begin(() => undefined);
    const error = await failureOf(
      client().landDecrease({ closeTransactions: ['AA==' as never], swapTransactions: [], lastValidBlockHeight: 1 }, { pace: operation }),
      'rateLimited',
    );
    assert.equal(service.received.length, 1);
    assert.equal(error.retryAfterMs, 5_000);
  });
});
