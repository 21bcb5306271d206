import * as esbuild from 'esbuild';
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { type Admission, RequestBudget, RequestBudgets } from '../../../src/service/budget/requestBudget';
import type { RequestPace } from '../../../src/service/budget/operationRequests';
import { RequestLedger, systemFiles } from '../../../src/service/budget/requestLedger';
import { FakeClock, settledMicrotasks } from '../../support/portfolio/fixtures';
import { MemoryFiles } from '../../support/service/memoryFiles';

const MINUTE = 60_000;
const ok = { status: 200, retryAfterMs: undefined, header: () => null };

/** Windows of one machine, and a note of what they sent when. */
class Machine {
  readonly clock = new FakeClock();
  readonly files = new MemoryFiles();
  readonly sentAtMs: number[] = [];
  readonly warnings: string[] = [];
  /** What the user has set; `undefined`: automatic. */
  perMinute: number | undefined;

  constructor(perMinute?: number) {
    this.perMinute = perMinute;
  }

  window(): RequestBudget {
    const ledger = new RequestLedger({
      folder: '/storage/requests',
      name: 'service',
      now: () => this.clock.now(),
      log: (_, message) => this.warnings.push(message),
      files: this.files,
    });
    return new RequestBudget(this.clock, { ledger, configured: () => this.perMinute });
  }

  /** Sends a request that is answered at once. @returns whether it was sent */
  async send(
    budget: RequestBudget,
    pace: RequestPace = 'poll',
    answer: Partial<typeof ok> | { retryAfterMs: number } = {},
  ): Promise<boolean> {
    return this.note(await budget.admit(pace), answer);
  }

  note(admission: Admission, answer: object = {}): boolean {
    if (admission.kind === 'turn') {
      this.sentAtMs.push(this.clock.now());
      admission.turn.answered({ ...ok, ...answer });
    }
    return admission.kind === 'turn';
  }

  get most(): number {
    return Math.max(0, ...this.sentAtMs.map((end) => this.sentAtMs.filter((at) => at <= end && at > end - MINUTE).length));
  }
}

describe('The request budget of all windows', () => {
  it('Windows use the limit together, and a closed one leaves what it has sent for a minute', async () => {
    const machine = new Machine(5);
    const [one, other] = [machine.window(), machine.window()];
    const sent = [];
    for (const budget of [one, other, one, other, other, one, other]) {
      sent.push(await machine.send(budget));
    }
    assert.deepEqual(sent, [true, true, true, true, true, false, false]);
    assert.deepEqual([one.usage, other.usage, machine.window().usage], Array(3).fill({ sent: 5, limit: 5 }));
    await machine.clock.advance(MINUTE + 1_000);
    assert.equal(await machine.send(machine.window()), true);
    assert.equal(machine.most, 5);
  });

  it('A request that waits is sent as soon as one of another window counts no more', async () => {
    const machine = new Machine(1);
    const [one, other] = [machine.window(), machine.window()];
    await machine.send(one);
    await machine.clock.advance(40_000);
    const waiting = other.admit('panel').then((admission) => machine.note(admission));
    await machine.clock.advance(25_000);
    assert.equal(await waiting, true);
    assert.equal(machine.most, 1);
    assert.equal(machine.clock.timers, 0);
  });

  it('Nothing waits while no limit is set or known', async () => {
    const machine = new Machine();
    const [one, other] = [machine.window(), machine.window()];
    for (let index = 0; index < 60; index += 1) {
      assert.equal(await machine.send(index % 2 === 0 ? one : other), true);
    }
    assert.deepEqual(one.usage, { sent: 60, limit: undefined });
  });

  it('A limit that one window learns holds in all, and the lower one of setting and service counts', async () => {
    const machine = new Machine();
    const [one, other] = [machine.window(), machine.window()];
    await machine.send(one, 'poll', { header: ((name: string) => (name === 'ratelimit-policy' ? '10;w=60' : null)) as () => null });
    assert.deepEqual(other.usage, { sent: 1, limit: 10 });
    machine.perMinute = 5;
    assert.equal(other.perMinute, 5);
    machine.perMinute = 20;
    assert.equal(other.perMinute, 10);
  });

  it('A refusal without a named limit counts the requests that all windows sent', async () => {
    const machine = new Machine();
    const [one, other] = [machine.window(), machine.window()];
    for (let index = 0; index < 10; index += 1) {
      await machine.send(index < 7 ? one : other);
    }
    const refused = { status: 429, retryAfterMs: undefined } as object;
    await machine.send(other, 'poll', refused);
    assert.deepEqual([other.perMinute, one.usage.limit], [10, 10], 'a window that counts only its own 3 would take it for 5');
  });

  it('A pause that one window is told holds in all, also in one that is opened later, and ends for all', async () => {
    const machine = new Machine();
    const [one, other] = [machine.window(), machine.window()];
    const told: (number | undefined)[] = [];
    other.onDidChange(() => told.push(other.pause?.untilMs));
    await machine.send(one, 'user', { status: 429, retryAfterMs: 600_000 } as object);
    assert.equal(await machine.send(other), false);
    assert.equal(await machine.send(machine.window()), false);
    assert.equal(other.pause?.askedMs, 600_000);
    await machine.clock.advance(1_000);
    assert.equal(await machine.send(machine.window(), 'user'), true);
    assert.equal(await machine.send(other), true);
    assert.deepEqual(told, [machine.clock.now() - 1_000 + 600_000, undefined]);
  });

  it('After a pause, one window alone finds out whether it is over', async () => {
    const machine = new Machine();
    const [one, other] = [machine.window(), machine.window()];
    await machine.send(one, 'user', { status: 429, retryAfterMs: 10_000 } as object);
    await machine.clock.advance(10_500);
    const probe = await one.admit('poll');
    assert.equal(await machine.send(other), false);
    machine.note(probe);
    await machine.clock.advance(100);
    assert.equal(await machine.send(other), true);
  });

  it('An operation goes before the polling and the panels of all windows', async () => {
    const machine = new Machine(2);
    const [one, other] = [machine.window(), machine.window()];
    await machine.send(one);
    await machine.clock.advance(30_000);
    await machine.send(one);
    const done: string[] = [];
    const panel = other.admit('panel', undefined, Infinity).then((admission) => machine.note(admission) && done.push('panel'));
    const operation = one.begin(() => undefined);
    const own = one.admit(operation).then((admission) => machine.note(admission) && done.push('operation'));
    await machine.clock.advance(3 * MINUTE);
    await Promise.all([panel, own]);
    assert.deepEqual(done, ['operation', 'panel']);
    assert.equal(machine.most, 2);
  });

  it('What an operation keeps stays free in other windows, for as long as it goes on', async () => {
    const machine = new Machine(5);
    const [one, other] = [machine.window(), machine.window()];
    const operation = one.begin(() => undefined);
    await operation.keep(3);
    assert.deepEqual([await machine.send(other), await machine.send(other), await machine.send(other)], [true, true, false]);
    await machine.clock.advance(5 * MINUTE);
    assert.deepEqual([await machine.send(other), await machine.send(other), await machine.send(other)], [true, true, false]);
    assert.equal(await machine.send(one, operation), true);
    operation.release();
    assert.deepEqual([await machine.send(other), await machine.send(other), await machine.send(other)], [true, true, false]);
    operation.end();
    assert.equal(machine.clock.timers, 0);
  });

  it('What a killed window kept, waited for or never had answered is free again after some minutes', async () => {
    const machine = new Machine(2);
    const killed = machine.window();
    await killed.begin(() => undefined).keep(1);
    await killed.admit('user');
    const dead = new AbortController();
    void killed
      .admit(
        killed.begin(() => undefined),
        dead.signal,
      )
      .catch(() => undefined);
    const other = machine.window();
    assert.equal(await machine.send(other), false);
    dead.abort();
    // The window is gone: nothing of it runs any more.
    const { clock } = machine;
    const later = clock.now() + 3 * MINUTE;
    const alone = new RequestBudget(
      { now: () => later, after: () => ({ dispose: () => undefined }) },
      {
        ledger: new RequestLedger({
          folder: '/storage/requests',
          name: 'service',
          now: () => later,
          log: () => undefined,
          files: machine.files,
        }),
        configured: () => 2,
      },
    );
    assert.deepEqual([await machine.send(alone), await machine.send(alone), await machine.send(alone)], [true, true, false]);
  });

  it('A landing is never held up: its turn is taken in any case, and counts in all windows', async () => {
    const machine = new Machine(1);
    const [one, other] = [machine.window(), machine.window()];
    await machine.send(other);
    one.takeNow('panel').answered(ok);
    assert.equal(other.usage.sent, 2);
  });

  it('A line that a crashed window left half written spoils no other line', async () => {
    const machine = new Machine(3);
    await machine.send(machine.window());
    const [path = '', bytes = Buffer.alloc(0)] = [...machine.files.kept][0] ?? [];
    const whole = bytes.toString();
    for (let length = 1; length <= 40; length += 1) {
      const crashed = new Machine(3);
      crashed.files.kept.set(path, Buffer.from(whole + whole.slice(0, length)));
      const one = crashed.window();
      assert.equal(await crashed.send(one), true);
      assert.equal(await crashed.send(crashed.window()), true);
      assert.equal(await crashed.send(one), false);
    }
  });

  it('A window counts alone and says so once while the file is damaged or refused, and shares again later', async () => {
    const machine = new Machine(2);
    const [one, other] = [machine.window(), machine.window()];
    machine.files.fault = new Error('EACCES: permission denied');
    assert.deepEqual([await machine.send(one), await machine.send(one), await machine.send(one)], [true, true, false]);
    assert.equal(machine.warnings.length, 1);
    assert.match(machine.warnings.join(), /counts its requests alone.*EACCES/);
    machine.files.fault = undefined;
    await machine.clock.advance(2 * MINUTE);
    assert.deepEqual([await machine.send(one), await machine.send(other), await machine.send(other)], [true, true, false]);
    for (const path of machine.files.kept.keys()) {
      machine.files.kept.set(path, Buffer.from(`\u0000\u00ff garbage ${'x'.repeat(10_000)}`));
    }
    assert.equal(await machine.send(other), false);
    await machine.clock.advance(2 * MINUTE);
    assert.deepEqual([await machine.send(one), await machine.send(other), await machine.send(one)], [true, true, false]);
    assert.equal(machine.warnings.length, 1);
  });

  it('Files that are used no more are removed, and the limit holds while windows change to the next one', async () => {
    const machine = new Machine(4);
    const [one, other] = [machine.window(), machine.window()];
    for (let index = 0; index < 300; index += 1) {
      await machine.send(index % 3 === 0 ? one : other);
      await machine.clock.advance(7_000);
    }
    assert.equal(machine.most, 4);
    assert.ok(machine.files.kept.size <= 2, [...machine.files.kept.keys()].join());
  });

  it('What a window wrote shortly before the change of files is known to one that reads only after it', async () => {
    const machine = new Machine(2);
    const [one, other] = [machine.window(), machine.window()];
    await machine.clock.advance(MINUTE);
    await machine.send(other);
    await machine.clock.advance(14 * MINUTE - 10_000);
    await machine.send(one);
    await machine.send(one, 'user', { status: 429, retryAfterMs: 600_000 } as object);
    await machine.clock.advance(30_000);
    assert.equal(await machine.send(other), false);
    assert.deepEqual(other.usage, { sent: 2, limit: 2 });
    assert.equal(other.pause?.askedMs, 600_000);
  });

  it('A request that has room, but waits for one before it, does not keep the window busy', async () => {
    const machine = new Machine(5);
    const budget = machine.window();
    for (let index = 0; index < 3; index += 1) {
      await machine.send(budget);
    }
    const [first, second] = [budget.begin(() => undefined), budget.begin(() => undefined)];
    const waiting = [first.keep(4), second.keep(1)];
    await settledMicrotasks();
    const before = machine.files.reads;
    await machine.clock.advance(10_000);
    assert.ok(machine.files.reads - before < 30, `${machine.files.reads - before} reads`);
    await machine.clock.advance(2 * MINUTE);
    await Promise.all(waiting);
    first.end();
    second.end();
  });

  it('Requests of the same window do not put off the renewal of what an operation keeps', async () => {
    const machine = new Machine(5);
    const budget = machine.window();
    const operation = budget.begin(() => undefined);
    await operation.keep(2);
    await machine.clock.advance(29_000);
    await machine.send(budget);
    assert.equal(machine.clock.nextInMs, 1_000);
    operation.end();
  });

  it('In any minute the windows send at most the limit in sum, whichever is first, and every request settles', async () => {
    const steps = fc.array(
      fc.record({
        window: fc.nat(2),
        who: fc.constantFrom('operation', 'panel', 'poll', 'user'),
        keep: fc.integer({ min: 0, max: 5 }),
        gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 })),
        takesMs: fc.integer({ min: 0, max: 9_000 }),
        /** Between the line of this request and its window's look at the file, another one sends one. */
        rival: fc.boolean(),
        isLost: fc.boolean(),
      }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), steps, async (perMinute, all) => {
        const machine = new Machine(perMinute);
        const windows = [machine.window(), machine.window(), machine.window()];
        const another = machine.window();
        const running: Promise<unknown>[] = [];
        const settle = async (admission: Admission, takesMs: number, isLost: boolean): Promise<void> => {
          if (admission.kind === 'turn') {
            machine.sentAtMs.push(machine.clock.now());
            await new Promise<void>((resolve) => void machine.clock.after(takesMs, resolve));
            if (isLost) {
              admission.turn.unanswered();
            } else {
              admission.turn.answered(ok);
            }
          }
        };
        for (const { window, who, keep, gapMs, takesMs, rival, isLost } of all) {
          const budget = windows[window] ?? machine.window();
          machine.files.onAppended = () => {
            machine.files.onAppended = () => undefined;
            if (rival) {
              running.push(another.admit('poll').then((admission) => settle(admission, takesMs, isLost)));
            }
          };
          const run = async (): Promise<void> => {
            const operation = who === 'operation' ? budget.begin(() => undefined) : undefined;
            if (operation !== undefined && keep > 0) {
              await operation.keep(keep);
            }
            await settle(await budget.admit(operation ?? (who as 'poll')), takesMs, isLost);
            operation?.end();
          };
          running.push(run());
          await machine.clock.advance(gapMs);
        }
        machine.files.onAppended = () => undefined;
        const end = { isReached: false };
        void Promise.all(running).then(() => (end.isReached = true));
        for (let minutes = 0; minutes < (all.length + 2) * 4 && !end.isReached; minutes += 1) {
          await machine.clock.advance(MINUTE);
        }
        assert.ok(end.isReached);
        assert.ok(machine.most <= perMinute, `${machine.most} of ${perMinute}`);
        assert.equal(machine.clock.timers, 0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('The files of the request budget', function () {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-requests-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('Neither the name nor the content of a file has the API key or the address', async () => {
    const clock = new FakeClock();
    const budgets = new RequestBudgets(clock, (name) => ({
      ledger: new RequestLedger({ folder: join(folder, 'requests'), name, now: () => clock.now(), log: () => undefined }),
      configured: () => 5,
    }));
    const address = parseBaseUrl('https://service.example/open-api/v1');
    const key = 'S3cret-key-of-the-user';
    const admission = await budgets.of(address, key).admit('poll');
    assert.ok(admission.kind === 'turn');
    admission.turn.answered({ ...ok, status: 429 });
    const files = readdirSync(join(folder, 'requests'));
    assert.equal(files.length, 1);
    const text = files.map((name) => `${name} ${readFileSync(join(folder, 'requests', name), 'utf8')}`).join();
    assert.ok(text.includes('"kind":"pause"'));
    assert.ok(!text.includes(key) && !text.includes('service.example'), text);
    assert.equal(budgets.of(address, key), budgets.of(address, key));
    assert.notEqual(budgets.of(address, key), budgets.of(address, 'another'));
  });

  it('Two processes that send at the same moment send exactly the limit', async () => {
    const script = join(folder, 'window.cjs');
    await esbuild.build({
      entryPoints: ['test/support/service/window.ts'],
      bundle: true,
      format: 'cjs',
      platform: 'node',
      outfile: script,
      logLevel: 'error',
    });
    const children = [0, 1].map(() => fork(script, [join(folder, 'requests'), '20', '30']));
    try {
      await Promise.all(children.map((child) => once(child, 'message')));
      const answers = Promise.all(children.map(async (child) => ((await once(child, 'message')) as [{ sent: number }])[0].sent));
      children.forEach((child: ChildProcess) => child.send('go'));
      const [one = 0, other = 0] = await answers;
      assert.equal(one + other, 20);
    } finally {
      children.forEach((child) => child.kill());
    }
  });

  it('The files of earlier times and of other services are removed, and nothing else in the folder is', async () => {
    const clock = new FakeClock();
    const requests = join(folder, 'requests');
    const log = (_: string, message: string) => assert.fail(message);
    const budgetOf = (name: string) =>
      new RequestBudget(clock, { ledger: new RequestLedger({ folder: requests, name, now: () => clock.now(), log }) });
    await budgetOf('former').admit('poll');
    const [former = ''] = readdirSync(requests);
    appendFileSync(join(requests, 'notes.txt'), 'of somebody else');
    await clock.advance(31 * MINUTE);
    await budgetOf('service').admit('poll');
    const left = readdirSync(requests);
    assert.equal(left.includes(former), false, left.join());
    assert.deepEqual(
      left.filter((name) => !name.startsWith('service-')),
      ['notes.txt'],
    );
    assert.equal(left.length, 2);
  });

  it('A file that is far larger than what windows write is not read', async () => {
    const path = join(folder, 'large.log');
    appendFileSync(path, Buffer.alloc(5 * 1024 * 1024));
    assert.throws(() => systemFiles.readFrom(path, 0), RangeError);
    assert.equal(systemFiles.readFrom(path, 5 * 1024 * 1024 - 3)?.bytes.length, 3);
    assert.equal(systemFiles.readFrom(join(folder, 'none.log'), 0), undefined);
    await settledMicrotasks();
  });
});
