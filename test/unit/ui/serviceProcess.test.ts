import assert from 'node:assert/strict';
import type { Lease } from '../../../src/ui/connection/processKind';
import { SANDBOX_PROCESS, type SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import { ServiceProcess } from '../../../src/ui/connection/serviceProcess';
import { SandboxError } from '../../../src/ui/shell/errors';
import { OWNER } from '../../support/portfolio/fixtures';

/** A sandbox that exists only as the supervisor sees it. */
class World {
  readonly states: string[] = [];
  readonly delays: number[] = [];
  readonly released: number[] = [];
  readonly restarted: number[] = [];
  launches = 0;
  /** Whether each launch was to make a new world. */
  readonly resets: boolean[] = [];
  now = 0;
  failLaunch: SandboxError | undefined;
  failLeases = 0;
  /** Kills the running one. */
  crash: () => void = () => undefined;
  readonly supervisor: ServiceProcess<SandboxReady>;

  constructor() {
    this.supervisor = new ServiceProcess(SANDBOX_PROCESS, {
      launch: (isReset) => {
        this.launches += 1;
        this.resets.push(isReset);
        return this.failLaunch === undefined ? Promise.resolve(this.#ready(this.launches)) : Promise.reject(this.failLaunch);
      },
      holdLease: (ready, onBroken) => this.#hold(ready, onBroken),
      delay: (ms) => Promise.resolve(void this.delays.push(ms)),
      now: () => this.now,
      log: () => undefined,
    });
    this.supervisor.onDidChange(({ kind }) => this.states.push(kind));
    this.supervisor.onDidRestart(({ pid }) => this.restarted.push(pid));
  }

  /** Waits until the supervisor has come to rest. */
  async settled(kind: string): Promise<void> {
    while (this.supervisor.state.kind !== kind) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  #ready(pid: number): SandboxReady {
    return { url: `http://127.0.0.1:${4000 + pid}/open-api/v1`, apiKey: 'key', owner: OWNER, secretKey: 'secret', pid };
  }

  #hold(ready: SandboxReady, onBroken: () => void): Promise<Lease> {
    if (this.failLeases > 0) {
      this.failLeases -= 1;
      return Promise.reject(new SandboxError('failed', 'no lease'));
    }
    this.crash = onBroken;
    return Promise.resolve({ release: () => void this.released.push(ready.pid) });
  }
}

describe('The supervisor of the sandbox', () => {
  it('The supervisor starts the sandbox once for any number of callers', async () => {
    const world = new World();
    assert.equal(world.launches, 0);
    const [one, other] = await Promise.all([world.supervisor.start(), world.supervisor.start()]);
    assert.equal(one, other);
    assert.equal(await world.supervisor.start(), one);
    assert.equal(world.launches, 1);
    assert.deepEqual(world.states, ['starting', 'running']);
  });

  it('The supervisor creates a new world for a damaged store only on request', async () => {
    const world = new World();
    world.failLaunch = new SandboxError('damaged', 'its store cannot be read');
    await assert.rejects(world.supervisor.start(), SandboxError);
    await assert.rejects(world.supervisor.start(), SandboxError);
    world.failLaunch = undefined;
    const ready = await world.supervisor.startWithNewData();
    assert.deepEqual(world.resets, [false, false, true]);
    assert.equal(await world.supervisor.start(), ready);
    assert.equal(await world.supervisor.startWithNewData(), ready, 'one that runs keeps its world');
    assert.equal(world.launches, 3);
    world.crash();
    await world.settled('running');
    assert.deepEqual(world.resets.at(-1), false, 'a restart makes no new world');
  });

  it('The supervisor reports that a new world could not be created and allows another attempt', async () => {
    const world = new World();
    world.failLaunch = new SandboxError('failed', 'the disk is full');
    await assert.rejects(world.supervisor.startWithNewData(), /the disk is full/);
    assert.equal(world.supervisor.state.kind, 'failed');
    world.failLaunch = undefined;
    await world.supervisor.startWithNewData();
    assert.deepEqual(world.resets, [true, true]);
  });

  it('The supervisor restarts a crashed sandbox, reports it and waits longer each time', async () => {
    const world = new World();
    await world.supervisor.start();
    for (const times of [1, 2, 3]) {
      world.crash();
      assert.equal(world.supervisor.state.kind, 'restarting');
      await world.settled('running');
      assert.equal(world.restarted.length, times);
    }
    assert.deepEqual(world.delays, [250, 500, 1000]);
    assert.deepEqual(world.restarted, [2, 3, 4]);
  });

  it('The supervisor stops restarting after repeated crashes and can start again after a minute', async () => {
    const world = new World();
    await world.supervisor.start();
    for (let time = 0; time < 3; time++) {
      world.crash();
      await world.settled('running');
    }
    world.crash();
    assert.equal(world.supervisor.state.kind, 'failed');
    await assert.rejects(world.supervisor.start(), /4 times within a minute/);
    world.now += 60_000;
    assert.equal((await world.supervisor.start()).pid, 5);
  });

  it('The supervisor does not count old crashes', async () => {
    const world = new World();
    await world.supervisor.start();
    for (let time = 0; time < 10; time++) {
      world.now += 30_000;
      world.crash();
      await world.settled('running');
    }
    assert.equal(world.restarted.length, 10);
  });

  it('The supervisor tries a second time if the sandbox that it found was about to end', async () => {
    const world = new World();
    world.failLeases = 1;
    assert.equal((await world.supervisor.start()).pid, 2);
  });

  it('The supervisor reports a failed start and can be asked again', async () => {
    const world = new World();
    world.failLaunch = new SandboxError('failed', 'did not start');
    await assert.rejects(world.supervisor.start(), /did not start/);
    assert.equal(world.supervisor.state.kind, 'failed');
    world.failLaunch = undefined;
    await world.supervisor.start();
    assert.deepEqual(world.states, ['starting', 'failed', 'starting', 'running']);
  });

  it('The supervisor does not try again on a system that cannot run the sandbox', async () => {
    const world = new World();
    world.failLaunch = new SandboxError('cannotRun', 'not here');
    await assert.rejects(world.supervisor.start(), /not here/);
    await assert.rejects(world.supervisor.start(), /not here/);
    assert.equal(world.launches, 1);
  });

  it('Stopping releases the sandbox, and its end does not count as a crash', async () => {
    const world = new World();
    await world.supervisor.start();
    world.supervisor.stop();
    assert.deepEqual(world.released, [1]);
    world.crash();
    assert.deepEqual(world.states, ['starting', 'running', 'stopped']);
    assert.equal((await world.supervisor.start()).pid, 2);
  });

  it('The supervisor releases the lease of a sandbox that became ready after the stop', async () => {
    const world = new World();
    const pending = world.supervisor.start();
    world.supervisor.stop();
    await assert.rejects(pending, (error: unknown) => error instanceof SandboxError && error.reason === 'stopped');
    assert.deepEqual(world.released, [1]);
    assert.equal(world.supervisor.state.kind, 'stopped');
  });
});
