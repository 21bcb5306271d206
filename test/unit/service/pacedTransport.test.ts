import assert from 'node:assert/strict';
import { RequestBudget } from '../../../src/service/requestBudget';
import { FakeClock } from '../portfolio/fixtures';
import { failureOf, OWNER, success } from './given';
import { ScriptedService } from './scriptedService';

const ok = success([]);
const MINUTE = 60_000;

describe('the transport with a request budget', () => {
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

  it("waits with an operation's request as long as the service asks, and sends it again", async () => {
    service.willAnswer(refusal(120), refusal(300), ok);
    const operation = budget.begin(() => undefined);
    const start = clock.now();
    await over(12, client().openPositions(OWNER, { pace: operation }));
    assert.equal(service.received.length, 3);
    assert.ok(clock.now() - start >= 7 * MINUTE);
  });

  it('ends the wait of an operation at once when it is cancelled', async () => {
    service.willAnswer(refusal(600), ok);
    const operation = budget.begin((untilMs) => (untilMs === undefined ? undefined : cancel.abort()));
    const cancel = new AbortController();
    await failureOf(client().openPositions(OWNER, { pace: operation, signal: cancel.signal }), 'cancelled');
    assert.equal(service.received.length, 1);
    assert.equal(clock.timers, 0);
  });

  it('does not send what is only polled while the service wants no requests, and says for how long', async () => {
    service.willAnswer(refusal(40), ok);
    await failureOf(client().openPositions(OWNER, { pace: 'poll' }), 'rateLimited');
    const error = await failureOf(client().openPositions(OWNER, { pace: 'poll' }), 'rateLimited');
    assert.equal(service.received.length, 1);
    assert.equal(error.retryAfterMs, 40_000);
    assert.match(error.message, /Try again in 40 s/);
  });

  it('waits for up to half a minute where somebody looks at it, and gives up at once where it takes longer', async () => {
    service.willAnswer(refusal(10), ok);
    await over(1, client().openPositions(OWNER));
    assert.equal(service.received.length, 2);
    service.willAnswer(refusal(31), ok);
    await failureOf(client().openPositions(OWNER), 'rateLimited');
    assert.equal(service.received.length, 1);
  });

  it('sends during a pause what the user asks for, once, and by its success ends the pause', async () => {
    service.willAnswer(refusal(600), ok);
    await failureOf(client().openPositions(OWNER), 'rateLimited');
    await client().openPositions(OWNER, { pace: 'user' });
    assert.equal(budget.pause, undefined);
    service.willAnswer(refusal(600), ok);
    await failureOf(client().openPositions(OWNER, { pace: 'user' }), 'rateLimited');
    assert.equal(service.received.length, 1);
  });

  it('never holds a landing back for long: what is signed expires', async () => {
    service.willAnswer(refusal(600), success({ signature: 'landed' }));
    const operation = budget.begin(() => undefined);
    await failureOf(client().openPositions(OWNER), 'rateLimited');
    const start = clock.now();
    const landing = client().landDecrease(
      { closeTransactions: ['AA==' as never], swapTransactions: [], lastValidBlockHeight: 1 },
      { pace: operation },
    );
    await over(1, landing);
    assert.ok(clock.now() - start <= 20_000);
    assert.equal(service.received.length, 2);
  });

  it('sends a landing that is refused once, and leaves what follows to the operation', async () => {
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
