import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BudgetTicket, RequestBudget } from '../../../src/service/budget/requestBudget';
import type { RequestPace } from '../../../src/service/budget/operationRequests';
import { LONGEST_PAUSE_MS } from '../../../src/service/budget/serviceLimits';
import { FakeClock } from '../../support/portfolio/fixtures';

const MINUTE = 60_000;
const NO_HEADERS = (): null => null;
const ok = { status: 200, retryAfterMs: undefined, header: NO_HEADERS };

/** A budget, with a note of what was sent when. */
class Bench {
  readonly clock = new FakeClock();
  readonly budget = new RequestBudget(this.clock);
  readonly sentAtMs: number[] = [];
  readonly done: string[] = [];

  /** Sends a request and has it answered at once. */
  async send(pace: RequestPace = 'panel', name = '', status = 200): Promise<boolean> {
    const admission = await this.budget.admit(pace);
    if (admission.kind === 'tooLong') {
      this.done.push(`${name} refused`);
      return false;
    }
    this.note(admission.turn, name, status);
    return true;
  }

  note(turn: BudgetTicket, name: string, status: number, retryAfterMs?: number): void {
    this.sentAtMs.push(this.clock.now());
    this.done.push(name);
    turn.answered({ ...ok, status, retryAfterMs });
  }

  /** Makes it known that only so many are allowed, by a header, without using one up. */
  async allow(perMinute: number): Promise<void> {
    const admission = await this.budget.admit('user');
    assert.ok(admission.kind === 'turn');
    admission.turn.answered({ ...ok, header: (name) => (name === 'ratelimit-policy' ? `${perMinute};w=60` : null) });
    await this.clock.advance(MINUTE + 1_000);
  }

  async refuse(retryAfterMs: number | undefined, pace: RequestPace = 'user'): Promise<void> {
    const admission = await this.budget.admit(pace);
    assert.ok(admission.kind === 'turn');
    admission.turn.answered({ ...ok, status: 429, retryAfterMs });
  }

  get most(): number {
    return Math.max(...this.sentAtMs.map((end) => this.sentAtMs.filter((at) => at <= end && at > end - MINUTE).length));
  }
}

describe('Request budget of a service', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });

  it('All requests are sent at once while no limit is known', async () => {
    for (let index = 0; index < 50; index += 1) {
      assert.equal(await bench.send('poll'), true);
    }
    assert.equal(bench.budget.perMinute, undefined);
  });

  it('A limit per minute is read from the headers, and limits for other windows are ignored', async () => {
    const cases: readonly [Readonly<Record<string, string>>, number | undefined][] = [
      [{ 'ratelimit-policy': '10;w=60' }, 10],
      [{ 'ratelimit-policy': '100;w=3600, 20;w=60' }, 20],
      [{ 'ratelimit-policy': '"default";q=5;w=60' }, 5],
      [{ 'x-ratelimit-limit-minute': '7' }, 7],
      [{ 'ratelimit-policy': '10;w=600' }, undefined],
      [{ 'x-ratelimit-limit': '3' }, undefined],
      [{ 'x-ratelimit-limit-minute': '0' }, undefined],
      [{ 'x-ratelimit-limit-minute': '-5' }, undefined],
    ];
    for (const [headers, expected] of cases) {
      const { budget } = new Bench();
      const admission = await budget.admit('user');
      assert.ok(admission.kind === 'turn');
      admission.turn.answered({ ...ok, header: (name) => headers[name] ?? null });
      assert.equal(budget.perMinute, expected, JSON.stringify(headers));
    }
  });

  for (const [accepted, plan] of [
    [0, 5],
    [4, 5],
    [5, 5],
    [9, 5],
    [10, 10],
    [19, 10],
    [20, 20],
    [60, 20],
  ] as const) {
    it(`The assumed limit is ${plan} per minute if a 429 comes after ${accepted} answered requests`, async () => {
      for (let index = 0; index < accepted; index += 1) {
        await bench.send();
      }
      await bench.refuse(1_000);
      assert.equal(bench.budget.perMinute, plan);
    });
  }

  it('An assumed limit expires after half an hour without another 429, and a reported limit stays', async () => {
    await bench.refuse(1_000);
    await bench.clock.advance(31 * MINUTE);
    assert.equal(bench.budget.perMinute, undefined);
    await bench.allow(10);
    await bench.clock.advance(31 * MINUTE);
    assert.equal(bench.budget.perMinute, 10);
  });

  it('A known limit is never exceeded in any minute', async () => {
    await bench.allow(5);
    const all = Array.from({ length: 12 }, () =>
      bench.budget
        .admit('panel', undefined, Infinity)
        .then((admission) => admission.kind === 'turn' && bench.note(admission.turn, '', 200)),
    );
    await bench.clock.advance(4 * MINUTE);
    await Promise.all(all);
    assert.equal(bench.sentAtMs.length, 12);
    assert.equal(bench.most, 5);
  });

  it('A request counts from its answer on, since the service may have received it that late', async () => {
    await bench.allow(1);
    const first = await bench.budget.admit('panel');
    assert.ok(first.kind === 'turn');
    await bench.clock.advance(20_000);
    first.turn.answered(ok);
    assert.ok(bench.budget.waitMs('panel') >= MINUTE);
  });

  describe('Pauses', () => {
    it('Only requests of the user are sent during a pause', async () => {
      await bench.refuse(40_000);
      assert.equal(await bench.send('poll', 'poll'), false);
      assert.equal(await bench.send('panel', 'panel'), false);
      assert.equal(await bench.send('user', 'user', 429), true);
    });

    it('A request that was sent after the pause began ends it by succeeding', async () => {
      const before = await bench.budget.admit('panel');
      assert.ok(before.kind === 'turn');
      await bench.clock.advance(5);
      await bench.refuse(600_000);
      before.turn.answered(ok);
      assert.equal(bench.budget.pause?.askedMs, 600_000);
      await bench.send('user');
      assert.equal(bench.budget.pause, undefined);
      assert.equal(await bench.send('poll'), true);
    });

    it('A failure of the service does not end the pause', async () => {
      await bench.refuse(600_000);
      await bench.send('user', '', 503);
      assert.notEqual(bench.budget.pause, undefined);
    });

    it('A pause lasts at most a quarter of an hour, however long the service asks for', async () => {
      await bench.refuse(86_400_000);
      assert.equal((bench.budget.pause?.untilMs ?? 0) - bench.clock.now(), LONGEST_PAUSE_MS);
      assert.equal(bench.budget.pause?.askedMs, 86_400_000);
      await bench.clock.advance(LONGEST_PAUSE_MS + 1);
      assert.equal(await bench.send('poll'), true);
    });

    it('After a pause, one request is sent alone, and the others follow its success', async () => {
      await bench.refuse(10_000);
      await bench.clock.advance(10_001);
      const first = await bench.budget.admit('poll');
      assert.ok(first.kind === 'turn');
      assert.equal(await bench.send('poll'), false);
      first.turn.answered(ok);
      assert.equal(await bench.send('poll'), true);
    });

    it('Pauses become longer up to a minute if the service does not say how long', async () => {
      const lengths: number[] = [];
      for (let index = 0; index < 4; index += 1) {
        await bench.refuse(undefined);
        lengths.push((bench.budget.pause?.untilMs ?? 0) - bench.clock.now());
      }
      assert.deepEqual(lengths, [15_000, 30_000, 60_000, 60_000]);
    });

    it('Listeners are notified when a pause begins and when it ends early', async () => {
      const told: (number | undefined)[] = [];
      const subscription = bench.budget.onDidChange(() => told.push(bench.budget.pause?.untilMs));
      await bench.refuse(10_000);
      await bench.send('user');
      subscription.dispose();
      await bench.refuse(10_000);
      assert.equal(told.length, 2);
      assert.equal(told[0], bench.clock.now() + 10_000);
      assert.equal(told[1], undefined);
    });
  });

  describe('Reservations of operations', () => {
    it('Requests of an operation are sent before earlier ones of panels', async () => {
      await bench.allow(1);
      await bench.send('panel', 'first');
      const panel = bench.budget
        .admit('panel', undefined, Infinity)
        .then((admission) => admission.kind === 'turn' && bench.note(admission.turn, 'panel', 200));
      const operation = bench.budget.begin(() => undefined);
      const own = bench.send(operation, 'operation');
      await bench.clock.advance(3 * MINUTE);
      await Promise.all([panel, own]);
      assert.deepEqual(bench.done, ['first', 'operation', 'panel']);
    });

    it('Requests reserved for an operation stay free, and others may use the rest', async () => {
      await bench.allow(5);
      const operation = bench.budget.begin(() => undefined);
      await operation.keep(3);
      assert.deepEqual([await bench.send('poll'), await bench.send('poll'), await bench.send('poll')], [true, true, false]);
      assert.deepEqual([await bench.send(operation), await bench.send(operation), await bench.send(operation)], [true, true, true]);
      assert.equal(bench.most, 5);
    });

    it('A reservation waits until all its requests fit, and reports until when', async () => {
      const waits: (number | undefined)[] = [];
      await bench.allow(5);
      await bench.send();
      await bench.clock.advance(30_000);
      await bench.send();
      await bench.send();
      const operation = bench.budget.begin((untilMs) => waits.push(untilMs === undefined ? undefined : untilMs - bench.clock.now()));
      let isKept = false;
      const keeping = operation.keep(4).then(() => (isKept = true));
      await bench.clock.advance(35_000);
      assert.equal(isKept, false);
      await bench.clock.advance(30_000);
      await keeping;
      assert.equal(waits[0], 60_250);
      assert.equal(waits.at(-1), undefined);
      assert.equal(operation.kept, 4);
    });

    it('A reservation never exceeds the limit', async () => {
      await bench.allow(2);
      const operation = bench.budget.begin(() => undefined);
      await operation.keep(9);
      assert.equal(await bench.send('poll'), false);
      assert.equal(await bench.send(operation), true);
    });

    it('The reservation of an operation is released when the operation ends', async () => {
      await bench.allow(5);
      const operation = bench.budget.begin(() => undefined);
      await operation.keep(5);
      assert.equal(await bench.send('poll'), false);
      operation.end();
      assert.equal(await bench.send('poll'), true);
    });

    it('Reserved requests of one operation are sent while another operation waits to reserve', async () => {
      await bench.allow(5);
      const one = bench.budget.begin(() => undefined);
      await one.keep(2);
      await bench.send('panel');
      const other = bench.budget.begin(() => undefined);
      const keeping = other.keep(3);
      assert.equal(await bench.send(one, 'landing'), true);
      await bench.clock.advance(2 * MINUTE);
      await keeping;
    });

    it('An operation waits during a pause, and ends waiting at once when it is cancelled', async () => {
      await bench.refuse(600_000);
      const operation = bench.budget.begin(() => undefined);
      const cancel = new AbortController();
      const [keeping, sending] = [operation.keep(2, cancel.signal), bench.budget.admit(operation, cancel.signal)];
      await bench.clock.advance(MINUTE);
      cancel.abort(new Error('stop'));
      await assert.rejects(keeping, /stop/);
      await assert.rejects(sending, /stop/);
      assert.equal(bench.clock.timers, 0);
    });
  });

  it('A known limit holds in every minute for any mix of requests, and every request settles in the end', async () => {
    const paces = fc.array(
      fc.record({
        who: fc.constantFrom('one', 'other', 'panel', 'poll', 'user'),
        keep: fc.integer({ min: 0, max: 6 }),
        gapMs: fc.integer({ min: 0, max: 40_000 }),
        takesMs: fc.integer({ min: 0, max: 9_000 }),
      }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), paces, async (perMinute, steps) => {
        const bench = new Bench();
        await bench.allow(perMinute);
        const operations = { one: bench.budget.begin(() => undefined), other: bench.budget.begin(() => undefined) };
        const running: Promise<unknown>[] = [];
        for (const { who, keep, gapMs, takesMs } of steps) {
          const pace: RequestPace = who === 'one' || who === 'other' ? operations[who] : who;
          const run = async (): Promise<void> => {
            if (typeof pace !== 'string' && keep > 0) {
              await pace.keep(keep);
            }
            const admission = await bench.budget.admit(pace);
            if (admission.kind === 'turn') {
              bench.sentAtMs.push(bench.clock.now());
              await new Promise<void>((resolve) => void bench.clock.after(takesMs, resolve));
              admission.turn.answered(ok);
            }
            if (typeof pace !== 'string') {
              pace.release();
            }
          };
          running.push(run());
          await bench.clock.advance(gapMs);
        }
        await bench.clock.advance((steps.length + 2) * 2 * MINUTE);
        await Promise.all(running);
        assert.ok(bench.sentAtMs.length === 0 || bench.most <= perMinute);
      }),
      { numRuns: 60 },
    );
  });

  it('A clock that is set back holds neither requests nor a pause for longer than before', async () => {
    let nowMs = Date.UTC(2026, 10, 20);
    const budget = new RequestBudget({ now: () => nowMs, after: () => ({ dispose: () => undefined }) }, { configured: () => 5 });
    const send = async (status: number, retryAfterMs?: number) => {
      const admission = await budget.admit('user');
      assert.ok(admission.kind === 'turn');
      admission.turn.answered({ ...ok, status, retryAfterMs });
    };
    for (let count = 0; count < 4; count += 1) {
      await send(200);
    }
    await send(429, 20_000);
    nowMs -= 60 * MINUTE;
    assert.equal((await budget.admit('poll')).kind, 'tooLong');
    assert.ok((budget.pause?.untilMs ?? 0) <= nowMs + 20_000);
    nowMs += MINUTE + 1_000;
    await send(200);
    assert.equal(budget.pause, undefined);
    assert.equal((await budget.admit('poll')).kind, 'turn');
  });
});
