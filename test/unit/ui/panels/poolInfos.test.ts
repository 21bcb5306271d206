import assert from 'node:assert/strict';
import type { PoolInfo } from '../../../../src/service/poolInfo';
import { PoolInfos } from '../../../../src/ui/panels/poolInfos';
import { addressOf, FakeClock } from '../../../support/portfolio/fixtures';
import { poolInfo, POOL } from '../../../support/ui/panels/poolFixtures';

const MINUTE = 60_000;

class World {
  readonly clock = new FakeClock();
  readonly infos = new PoolInfos(this.clock);
  readonly signals: AbortSignal[] = [];
  readonly service = {
    poolInfo: (_: unknown, { signal }: { readonly signal?: AbortSignal } = {}) => {
      this.signals.push(signal ?? assert.fail('without a signal'));
      return new Promise<PoolInfo>((resolve, reject) => {
        this.answer = () => resolve(poolInfo());
        this.fail = () => reject(new Error('HTTP 503'));
      });
    },
  };
  answer = (): void => assert.fail('nothing was asked');
  fail = (): void => assert.fail('nothing was asked');

  read(how: 'read' | 'recent', { pool = POOL, signal = new AbortController().signal } = {}): Promise<PoolInfo> {
    return this.infos[how](this.service, pool, signal);
  }

  get requests(): number {
    return this.signals.length;
  }
}

describe('Details of pools for panels', () => {
  it('All who need the details at a time share one request', async () => {
    const world = new World();
    const reads = [world.read('read'), world.read('recent'), world.read('read')];
    world.answer();
    await Promise.all(reads);
    assert.equal(world.requests, 1);
  });

  it('What is computed slowly takes details of the last two minutes, and what is shown reads them anew', async () => {
    const world = new World();
    for (const [how, laterMs, requests] of [
      ['read', 0, 1],
      ['recent', 2 * MINUTE - 1, 1],
      ['recent', 1, 2],
      ['read', 0, 3],
    ] as const) {
      await world.clock.advance(laterMs);
      const read = world.read(how);
      if (world.requests === requests) {
        world.answer();
      }
      await read;
      assert.equal(world.requests, requests, `${how} after ${laterMs} ms`);
    }
  });

  it('Pools and services do not share details', async () => {
    const [one, other] = [new World(), new World()];
    void one.read('read');
    void one.read('recent', { pool: addressOf(9) });
    void one.infos.recent(other.service, POOL, new AbortController().signal);
    assert.deepEqual([one.requests, other.requests], [2, 1]);
  });

  it('A failure reaches all who wait, and the next read asks again', async () => {
    const world = new World();
    const reads = [world.read('read'), world.read('recent')];
    world.fail();
    for (const read of reads) {
      await assert.rejects(read, /HTTP 503/);
    }
    const again = world.read('recent');
    world.answer();
    await again;
    assert.equal(world.requests, 2);
  });

  it('Who gives up no longer waits, and the request ends with the last one', async () => {
    const world = new World();
    const [first, second] = [new AbortController(), new AbortController()];
    const reads = [first, second].map(({ signal }) => world.read('read', { signal }));
    first.abort(new Error('hidden'));
    await assert.rejects(reads[0] ?? assert.fail(), /hidden/);
    assert.equal(world.signals[0]?.aborted, false);
    second.abort(new Error('closed'));
    await assert.rejects(reads[1] ?? assert.fail(), /closed/);
    assert.equal(world.signals[0].aborted, true);
  });
});
