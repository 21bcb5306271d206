import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/errors';
import { ReadScheduler } from '../../../../src/portfolio/readScheduler';
import { Query } from '../../../../src/ui/panels/query';
import { deferred, FakeClock, settledMicrotasks, type Deferred } from '../../../support/portfolio/fixtures';

const MINUTE = 60_000;

/** A reader whose reads are answered from here. */
class Bench {
  readonly clock = new FakeClock();
  readonly reads: { readonly answer: Deferred<string>; readonly signal: AbortSignal }[] = [];
  changes = 0;
  readonly reader: Query<string>;

  constructor(everyMs?: number) {
    this.reader = new Query<string>({
      name: 'a part',
      read: (signal) => {
        const answer = deferred<string>();
        this.reads.push({ answer, signal });
        return answer.promise;
      },
      changed: () => (this.changes += 1),
      clock: this.clock,
      scheduler: new ReadScheduler(this.clock),
      log: () => undefined,
      ...(everyMs === undefined ? {} : { everyMs }),
    });
  }

  async answer(text: string): Promise<void> {
    this.reads.at(-1)?.answer.resolve(text);
    await settledMicrotasks();
  }

  async fail(error: Error): Promise<void> {
    this.reads.at(-1)?.answer.reject(error);
    await settledMicrotasks();
  }
}

const unreachable = new ServiceError('The service cannot be reached.', { kind: 'unreachable', endpoint: 'GET /x' });

describe('Parts of a panel', () => {
  it('A part is read once it is both wanted and visible, and not before', async () => {
    const bench = new Bench();
    assert.deepEqual(bench.reader.part, { status: 'loading' });
    bench.reader.setVisible(true);
    assert.equal(bench.reads.length, 0);
    bench.reader.setVisible(false);
    bench.reader.want();
    assert.equal(bench.reads.length, 0);
    bench.reader.setVisible(true);
    bench.reader.want();
    assert.equal(bench.reads.length, 1);
    await bench.answer('one');
    assert.deepEqual(bench.reader.part, { status: 'ready', data: 'one', asOfMs: bench.clock.now() });
    assert.equal(bench.changes, 1);
  });

  it('A part is read at most once a minute without a request, and requests share a running read', async () => {
    const bench = new Bench();
    bench.reader.setVisible(true);
    bench.reader.want();
    await bench.answer('one');
    await bench.clock.advance(MINUTE - 1);
    bench.reader.want();
    bench.reader.setVisible(false);
    bench.reader.setVisible(true);
    assert.equal(bench.reads.length, 1);
    void bench.reader.ask();
    void bench.reader.ask();
    bench.reader.want();
    assert.equal(bench.reads.length, 2);
    await bench.answer('two');
    assert.equal(bench.reader.part.data, 'two');
    await bench.clock.advance(MINUTE);
    assert.equal(bench.reads.length, 2, 'nothing by itself');
    bench.reader.setVisible(false);
    bench.reader.setVisible(true);
    assert.equal(bench.reads.length, 3);
  });

  it('A part is read again at its interval while it is visible', async () => {
    const bench = new Bench(MINUTE);
    bench.reader.want();
    bench.reader.setVisible(true);
    await bench.answer('one');
    await bench.clock.advance(MINUTE);
    assert.equal(bench.reads.length, 2);
    await bench.answer('two');
    bench.reader.setVisible(false);
    assert.equal(bench.clock.timers, 0);
    await bench.clock.advance(10 * MINUTE);
    assert.equal(bench.reads.length, 2);
    bench.reader.setVisible(true);
    assert.equal(bench.reads.length, 3);
  });

  it('A clock that is set back stops neither the interval, nor reads of a part that is shown again, nor the end of a pause', async () => {
    const bench = new Bench(MINUTE);
    bench.reader.want();
    bench.reader.setVisible(true);
    await bench.answer('one');
    bench.clock.setBy(-600 * MINUTE);
    await bench.clock.advance(MINUTE);
    assert.equal(bench.reads.length, 2);
    await bench.fail(new ServiceError('Slower, please.', { kind: 'rateLimited', endpoint: 'GET /x', retryAfterMs: 7 * MINUTE }));
    bench.clock.setBy(-600 * MINUTE);
    await bench.clock.advance(7 * MINUTE);
    assert.equal(bench.reads.length, 3);

    const shownAgain = new Bench();
    shownAgain.reader.want();
    shownAgain.reader.setVisible(true);
    await shownAgain.answer('one');
    shownAgain.reader.setVisible(false);
    shownAgain.clock.setBy(-600 * MINUTE);
    await shownAgain.clock.advance(2 * MINUTE);
    shownAgain.reader.setVisible(true);
    assert.equal(shownAgain.reads.length, 2);
  });

  it('A part keeps its data when a read fails and waits longer each time, or as the service asks', async () => {
    const bench = new Bench(MINUTE);
    bench.reader.want();
    bench.reader.setVisible(true);
    const asOfMs = bench.clock.now();
    await bench.answer('one');
    await bench.clock.advance(MINUTE);
    await bench.fail(unreachable);
    assert.deepEqual(bench.reader.part, { status: 'stale', data: 'one', asOfMs, words: 'The service cannot be reached.' });
    assert.equal(bench.clock.nextInMs, MINUTE);
    await bench.clock.advance(MINUTE);
    await bench.fail(unreachable);
    assert.equal(bench.clock.nextInMs, 2 * MINUTE);
    await bench.clock.advance(2 * MINUTE);
    await bench.fail(new ServiceError('Slower, please.', { kind: 'rateLimited', endpoint: 'GET /x', retryAfterMs: 7 * MINUTE }));
    assert.equal(bench.clock.nextInMs, 7 * MINUTE);
    assert.match(bench.reader.part.words, /^Request limit reached\. Next update at \d\d:\d\d:\d\d\.$/);
    void bench.reader.ask();
    await bench.fail(new ServiceError('Slower, please.', { kind: 'rateLimited', endpoint: 'GET /x', retryAfterMs: 1_440 * MINUTE }));
    assert.equal(bench.clock.nextInMs, 15 * MINUTE);
    void bench.reader.ask();
    await bench.answer('two');
    assert.deepEqual(bench.reader.part, { status: 'ready', data: 'two', asOfMs: bench.clock.now() });
    assert.equal(bench.clock.nextInMs, MINUTE);
  });

  it('A part without data shows a failure and loads again on request', async () => {
    const bench = new Bench();
    bench.reader.want();
    bench.reader.setVisible(true);
    await bench.fail(unreachable);
    assert.deepEqual(bench.reader.part, { status: 'failed', words: 'The service cannot be reached.' });
    void bench.reader.ask();
    assert.deepEqual(bench.reader.part, { status: 'loading' });
    await bench.answer('one');
    assert.equal(bench.reader.part.status, 'ready');
  });

  it('A part discards its data at once when reset and ignores a late answer', async () => {
    const bench = new Bench();
    bench.reader.want();
    bench.reader.setVisible(true);
    await bench.answer('one');
    void bench.reader.ask();
    bench.reader.forget();
    assert.deepEqual(bench.reader.part, { status: 'loading' });
    assert.equal(bench.reads.length, 3, 'it is wanted still');
    assert.equal(bench.reads[1]?.signal.aborted, true);
    bench.reads[1].answer.resolve('late');
    await settledMicrotasks();
    assert.deepEqual(bench.reader.part, { status: 'loading' });
    await bench.answer('of the other service');
    assert.equal(bench.reader.part.data, 'of the other service');
    bench.reader.leave();
    assert.equal(bench.reads.length, 3);
  });

  it('A part keeps its data while a different query is read in its place', async () => {
    const bench = new Bench();
    bench.reader.setVisible(true);
    void bench.reader.askAgain();
    await bench.answer('page 1');
    void bench.reader.askAgain();
    void bench.reader.askAgain();
    assert.equal(bench.reads[1]?.signal.aborted, true);
    assert.equal(bench.reader.part.data, 'page 1');
    bench.reads[1].answer.resolve('page 2');
    await bench.answer('page 3');
    assert.equal(bench.reader.part.data, 'page 3');
  });

  it('A changed part is read once more after the running read', async () => {
    const bench = new Bench();
    bench.reader.again();
    bench.reader.setVisible(true);
    assert.equal(bench.reads.length, 0, 'it is not wanted');
    bench.reader.want();
    bench.reader.again();
    bench.reader.again();
    assert.equal(bench.reads.length, 1);
    await bench.answer('before');
    assert.equal(bench.reads.length, 2);
    await bench.answer('after');
    assert.equal(bench.reads.length, 2);
    assert.equal(bench.reader.part.data, 'after');
    bench.reader.setVisible(false);
    bench.reader.again();
    assert.equal(bench.reads.length, 2);
    bench.reader.setVisible(true);
    assert.equal(bench.reads.length, 3, 'when it is seen next');
  });

  it('A part stops reading when its panel ends', async () => {
    const bench = new Bench(MINUTE);
    bench.reader.want();
    bench.reader.setVisible(true);
    const { changes } = bench;
    bench.reader.dispose();
    assert.equal(bench.reads[0]?.signal.aborted, true);
    await bench.answer('late');
    await bench.reader.ask();
    bench.reader.want();
    assert.deepEqual([bench.changes, bench.reads.length, bench.clock.timers], [changes, 1, 0]);
  });
});
