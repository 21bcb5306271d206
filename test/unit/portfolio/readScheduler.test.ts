import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/async/emitter';
import { ReadScheduler } from '../../../src/portfolio/readScheduler';
import { FakeClock } from '../../support/portfolio/fixtures';

const MINUTE = 60_000;

/** A scheduler on a plan of `perMinute` requests, and reads that end when the test says so. */
function setUp(perMinute: number) {
  const clock = new FakeClock();
  const changes = new Emitter<undefined>((error) => assert.ifError(error));
  const sentAtMs: number[] = [];
  const started: string[] = [];
  const waitMs = (count = 1): number => {
    const sent = sentAtMs.filter((atMs) => clock.now() - atMs < MINUTE);
    const over = sent.length + Math.min(count, perMinute) - perMinute;
    return count > perMinute ? MINUTE : over > 0 ? (sent[over - 1] ?? 0) + MINUTE - clock.now() : 0;
  };
  const scheduler = new ReadScheduler(clock, { waitMs, onDidChange: (listener) => changes.on(listener) });
  const add = (name: string, { isFirst = false, dueInMs = 0 }) => {
    const startMs = clock.now();
    const state = { isRunning: false, isDone: false };
    const subscription = scheduler.add({
      isFirst: () => isFirst,
      isRunning: () => state.isRunning,
      dueAtMs: () => (state.isDone ? Infinity : startMs + dueInMs),
      start: () => {
        started.push(name);
        state.isRunning = true;
      },
      limitChanged: () => started.push(`${name}: limit changed`),
    });
    const send = (): void => void sentAtMs.push(clock.now());
    const end = (): void => {
      Object.assign(state, { isRunning: false, isDone: true });
      scheduler.plan();
    };
    return { send, end, dispose: () => subscription.dispose() };
  };
  return { clock, changes, scheduler, started, sentAtMs, add };
}

describe('The read scheduler', () => {
  it('The read scheduler starts first reads before refreshes that were due earlier', async () => {
    const { clock, scheduler, started, add } = setUp(10);
    add('refresh of the list', { dueInMs: 1_000 });
    add('refresh of a panel', { dueInMs: 500 });
    add('first read', { isFirst: true, dueInMs: 2_000 });
    scheduler.plan();
    assert.deepEqual(started, []);
    // The timers of a sleeping computer are late.
    await clock.advance(0);
    await clock.advance(2_000);
    assert.deepEqual(started, ['refresh of a panel', 'refresh of the list', 'first read']);
    const late = setUp(10);
    late.add('refresh', {});
    late.add('first read', { isFirst: true });
    late.scheduler.plan();
    assert.deepEqual(late.started, ['first read', 'refresh']);
  });

  it('The read scheduler keeps refreshes waiting while first reads need the rest of the plan', async () => {
    const { clock, scheduler, started, add } = setUp(2);
    const refresh = add('refresh', {});
    const one = add('first', { isFirst: true });
    const two = add('second', { isFirst: true });
    scheduler.plan();
    assert.deepEqual(started, ['first', 'second']);
    one.send();
    one.end();
    assert.deepEqual(started, ['first', 'second'], 'the second one needs the other request of this minute');
    two.send();
    two.end();
    assert.deepEqual(started, ['first', 'second']);
    await clock.advance(MINUTE - 1);
    assert.equal(started.length, 2);
    await clock.advance(1);
    assert.deepEqual(started, ['first', 'second', 'refresh']);
    refresh.dispose();
  });

  it('The first free request goes to a first read that the limit refused, not to a refresh that is also due', async () => {
    const { clock, scheduler, started, sentAtMs, add } = setUp(1);
    sentAtMs.push(clock.now());
    add('refresh', { dueInMs: 1_000 });
    add('first read', { isFirst: true, dueInMs: MINUTE });
    scheduler.plan();
    await clock.advance(MINUTE);
    assert.deepEqual(started, ['first read']);
  });

  it('A refresh leaves the first free request to a first read that is due a moment later, but not to one that waits for long', async () => {
    for (const [dueInMs, expected] of [
      [MINUTE + 205, ['first read']],
      [2 * MINUTE, ['refresh']],
    ] as const) {
      const { clock, scheduler, started, sentAtMs, add } = setUp(1);
      sentAtMs.push(clock.now());
      add('refresh', { dueInMs: 1_000 });
      add('first read', { isFirst: true, dueInMs });
      scheduler.plan();
      await clock.advance(MINUTE);
      await clock.advance(300);
      assert.deepEqual(started, expected);
    }
  });

  it('A first read that becomes due during the look at all reads starts at once, however long refreshes have to wait', async () => {
    const { clock, scheduler, started, sentAtMs } = setUp(1);
    sentAtMs.push(clock.now());
    let looks = 0;
    scheduler.add({
      isFirst: () => true,
      isRunning: () => started.length > 0,
      // Due one millisecond after it was first looked at.
      dueAtMs: () => clock.now() + (looks++ === 0 ? 1 : 0),
      start: () => void started.push('first read'),
      limitChanged: () => undefined,
    });
    scheduler.plan();
    await clock.advance(1);
    assert.deepEqual(started, ['first read']);
  });

  it('The read scheduler starts as many refreshes as the plan has room for', () => {
    const { scheduler, started, sentAtMs, clock, add } = setUp(3);
    sentAtMs.push(clock.now());
    add('one', {});
    add('two', {});
    add('three', {});
    scheduler.plan();
    assert.deepEqual(started, ['one', 'two']);
  });

  it('The read scheduler plans again when the limit changes, and leaves no timer when it is disposed', async () => {
    const { clock, changes, scheduler, started, sentAtMs, add } = setUp(1);
    sentAtMs.push(clock.now());
    const read = add('refresh', {});
    scheduler.plan();
    assert.equal(clock.timers, 1);
    sentAtMs.pop();
    changes.fire(undefined);
    assert.deepEqual(started, ['refresh: limit changed', 'refresh']);
    read.end();
    add('another', { dueInMs: MINUTE });
    scheduler.plan();
    assert.equal(clock.timers, 1);
    scheduler.dispose();
    assert.equal(clock.timers, 0);
    await clock.advance(MINUTE);
    assert.equal(started.length, 2);
  });
});
