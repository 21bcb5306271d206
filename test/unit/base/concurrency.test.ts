import assert from 'node:assert/strict';
import { Mutex, orAborted, SingleFlight } from '../../../src/base/async/concurrency';
import { Emitter } from '../../../src/base/async/emitter';
import { deferred, type Deferred, settledMicrotasks } from '../../support/portfolio/fixtures';

describe('Emitter', () => {
  const noErrors = (error: unknown) => assert.fail(String(error));

  it('The emitter notifies all listeners until they unsubscribe', () => {
    const heard: string[] = [];
    const emitter = new Emitter<string>(noErrors);
    const first = emitter.on((event) => heard.push(`first ${event}`));
    emitter.on((event) => heard.push(`second ${event}`));
    emitter.fire('a');
    first.dispose();
    first.dispose();
    emitter.fire('b');
    emitter.dispose();
    emitter.fire('c');
    assert.deepEqual(heard, ['first a', 'second a', 'second b']);
  });

  it('The emitter notifies the other listeners even if one throws', () => {
    const errors: unknown[] = [];
    const heard: string[] = [];
    const emitter = new Emitter<string>((error) => errors.push(error));
    emitter.on(() => {
      throw new Error('broken');
    });
    emitter.on((event) => heard.push(event));
    emitter.fire('a');
    assert.deepEqual(heard, ['a']);
    assert.equal(errors.length, 1);
  });

  it('The emitter keeps two subscriptions of the same function apart', () => {
    let count = 0;
    const listener = () => void (count += 1);
    const emitter = new Emitter<string>(noErrors);
    const first = emitter.on(listener);
    emitter.on(listener);
    first.dispose();
    emitter.fire('a');
    assert.equal(count, 1);
  });
});

describe('SingleFlight', () => {
  function flights(): { readonly flight: SingleFlight; readonly runs: Deferred<undefined>[] } {
    const runs: Deferred<undefined>[] = [];
    const flight = new SingleFlight(async () => {
      const run = deferred<undefined>();
      runs.push(run);
      await run.promise;
    });
    return { flight, runs };
  }

  it('Callers of join share the run in progress', async () => {
    const { flight, runs } = flights();
    const both = Promise.all([flight.join(), flight.join()]);
    assert.equal(runs.length, 1);
    runs[0]?.resolve(undefined);
    await both;
    void flight.join();
    assert.equal(runs.length, 2);
  });

  it('Callers of fresh share exactly one new run after the current one', async () => {
    const { flight, runs } = flights();
    void flight.join();
    let isDone = false;
    const later = Promise.all([flight.fresh(), flight.fresh(), flight.fresh()]).then(() => {
      isDone = true;
    });
    runs[0]?.resolve(undefined);
    await settledMicrotasks();
    assert.equal(runs.length, 2);
    assert.equal(isDone, false);
    runs[1]?.resolve(undefined);
    await later;
    assert.equal(runs.length, 2);
  });

  it('A rejected run neither holds back the run after it nor reaches its callers.', async () => {
    const { flight, runs } = flights();
    const first = flight.join();
    const second = flight.fresh();
    runs[0]?.reject(new Error('broken'));
    await assert.rejects(first, /broken/);
    await settledMicrotasks();
    const third = flight.fresh();
    runs[1]?.reject(new Error('broken again'));
    await assert.rejects(second, /broken again/);
    await settledMicrotasks();
    assert.equal(runs.length, 3);
    runs[2]?.resolve(undefined);
    await third;
    const fourth = flight.fresh();
    runs[3]?.resolve(undefined);
    await fourth;
    assert.equal(runs.length, 4);
  });

  it('Two runs never overlap, even if a caller joins between two of them', async () => {
    const { flight, runs } = flights();
    const first = flight.join().then(() => flight.join());
    const second = flight.fresh();
    runs[0]?.resolve(undefined);
    await settledMicrotasks();
    assert.equal(runs.length, 2);
    runs[1]?.resolve(undefined);
    await Promise.all([first, second]);
  });
});

describe('Mutex', () => {
  it('The mutex runs calls one at a time and in order, even after a failure', async () => {
    const turns = new Mutex();
    const { signal } = new AbortController();
    const first = deferred<string>();
    const order: string[] = [];
    const call = (name: string, result: Promise<string>) => () => {
      order.push(name);
      return result;
    };
    const one = turns.take(call('one', first.promise), signal);
    const two = turns.take(call('two', Promise.resolve('2')), signal);
    await settledMicrotasks();
    assert.deepEqual(order, ['one']);
    first.reject(new Error('broken'));
    await assert.rejects(one, /broken/);
    assert.equal(await two, '2');
    assert.deepEqual(order, ['one', 'two']);
  });

  it('Aborting ends a turn at once, even if the call ignores the signal', async () => {
    const turns = new Mutex();
    const abort = new AbortController();
    const deaf = turns.take(() => new Promise<never>(() => undefined), abort.signal);
    const next = turns.take(() => Promise.resolve('next'), new AbortController().signal);
    await settledMicrotasks();
    abort.abort();
    await assert.rejects(deaf, { name: 'AbortError' });
    assert.equal(await next, 'next');
  });

  it('The mutex skips a waiting call that was aborted', async () => {
    const turns = new Mutex();
    const abort = new AbortController();
    const first = deferred<string>();
    const one = turns.take(() => first.promise, new AbortController().signal);
    const two = turns.take(() => assert.fail('called'), abort.signal);
    abort.abort();
    first.resolve('1');
    assert.equal(await one, '1');
    await assert.rejects(two, { name: 'AbortError' });
  });
});

describe('orAborted', () => {
  it('A call that never ends is not waited for once the signal has fired, before it or after it', async () => {
    const never = new Promise<never>(() => undefined);
    const stop = new AbortController();
    const waiting = orAborted(never, stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    await assert.rejects(orAborted(never, stop.signal), /stopped/);
  });
});
