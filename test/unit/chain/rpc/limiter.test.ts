import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RequestLimiter } from '../../../../src/chain/rpc/limiter';
import type { RpcPriority } from '../../../../src/chain/rpc/types';
import { AutoClock } from '../../../support/chain/autoClock';

describe('Limit of requests a second', () => {
  it('No second holds more requests than the limit, whenever they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.record({ waitMs: fc.nat(400), background: fc.boolean() }), { minLength: 1, maxLength: 60 }),
        async (perSecond, arrivals) => {
          const clock = new AutoClock();
          const limiter = new RequestLimiter(perSecond, clock);
          const starts: number[] = [];
          const taken: Promise<void>[] = [];
          for (const { waitMs, background } of arrivals) {
            taken.push(
              limiter.take(background ? 'background' : 'request', undefined).then(() => {
                starts.push(clock.now());
              }),
            );
            await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
          }
          await Promise.all(taken);
          assert.equal(starts.length, arrivals.length);
          starts.forEach((start, index) => {
            const before = starts[index - perSecond];
            assert.ok(before === undefined || start - before >= 1_000, `${perSecond}/s: ${starts.join(' ')}`);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('Requests of clients start at once while the index is at work, and before what it has queued', async () => {
    const clock = new AutoClock();
    const limiter = new RequestLimiter(8, clock);
    const order: RpcPriority[] = [];
    const take = (priority: RpcPriority): Promise<void> => limiter.take(priority, undefined).then(() => void order.push(priority));
    const background = Array.from({ length: 30 }, () => take('background'));
    await background[9];
    const askedAt = clock.now();
    await Promise.all([take('request'), take('request')]);
    assert.equal(clock.now(), askedAt);
    await take('request');
    assert.ok(order.length < 20, 'The third came before what was queued');
    await Promise.all(background);
  });

  it('A request that is cancelled while it waits takes no place', async () => {
    const clock = new AutoClock();
    const limiter = new RequestLimiter(1, clock);
    await limiter.take('request', undefined);
    const controller = new AbortController();
    const given = limiter.take('request', controller.signal);
    const next = limiter.take('request', undefined);
    controller.abort();
    await assert.rejects(given);
    await next;
    assert.equal(clock.now(), 1_000);
  });
});
