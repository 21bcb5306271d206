import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as z from 'zod';
import type { ProcessTable } from '../../src/base/processes';
import { claimFolder, holderState, ownLockText } from '../../src/engine/process/instance';
import { startSandbox, temporaryFolder } from '../support/sandbox/process';

const SANDBOX = { name: 'sandbox', line: z.object({ url: z.url(), apiKey: z.string(), pid: z.int() }), statusPath: '/sandbox/status' };

const FUTURE = new Date(Date.now() + 7 * 86_400_000);

function processes(ownPid: number, started: Readonly<Record<number, string>>, tellsStart = true): ProcessTable {
  const table = new Map(Object.entries(started).map(([pid, at]) => [Number(pid), at]));
  return { ownPid, isRunning: (pid) => table.has(pid), startedAt: async (pid) => (tellsStart ? table.get(pid) : undefined) };
}

/** The same lock, from before the last boot of this machine. */
function beforeReboot(text: string): string {
  const parts = text.split(' ');
  return parts.with(3, '0123456789abcdef').join(' ');
}

describe('The lock of a sandbox folder', () => {
  it('The lock tells a living holder from a dead one for any set of processes', async () => {
    const pid = fc.integer({ min: 2, max: 20 });
    const at = fc.constantFrom('100', '200');
    await fc.assert(
      fc.asyncProperty(
        pid,
        at,
        fc.boolean(),
        fc.boolean(),
        fc.dictionary(pid.map(String), at),
        async (maker, madeAt, isMakerAlive, tellsStart, others) => {
          const text = await ownLockText('once', processes(maker, { [maker]: madeAt }));
          const now: Readonly<Record<number, string>> = { ...others, ...(isMakerAlive ? { [maker]: madeAt } : {}) };
          const table = processes(1, now, tellsStart);
          const state = await holderState(text, table);
          if (isMakerAlive) {
            assert.equal(state, tellsStart ? 'alive' : 'unknown');
          } else if (now[maker] === undefined) {
            assert.equal(state, 'dead');
          } else {
            assert.equal(state, !tellsStart ? 'unknown' : now[maker] === madeAt ? 'alive' : 'dead');
          }
          assert.equal(await holderState(beforeReboot(text), table), 'dead');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('The state of the holder is unknown if another machine wrote the lock, or it is torn', async () => {
    const table = processes(1, {});
    const text = await ownLockText('once', processes(77, { 77: '1' }));
    assert.equal(await holderState(text.split(' ').with(2, '0123456789abcdef').join(' '), table), 'unknown');
    assert.equal(
      await holderState(text.split(' ').with(4, '0123456789abcdef').join(' '), table),
      'unknown',
      'nor one in another container',
    );
    for (const torn of ['', text.slice(0, -20), 'nonsense', '77 5e1d7c1e-aaaa-bbbb-cccc-000000000000']) {
      assert.equal(await holderState(torn, table), 'unknown');
    }
  });
});

describe('A locked sandbox folder', function () {
  let data: string;
  let child: ChildProcess | undefined;

  /** A process that has nothing to do with the folder. */
  async function stranger(): Promise<number> {
    child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    return child.pid ?? assert.fail();
  }

  beforeEach(() => (data = temporaryFolder()));
  afterEach(() => {
    child?.kill('SIGKILL');
    child = undefined;
    rmSync(data, { recursive: true, force: true });
  });

  it('A folder is taken over if another process reuses the pid of its holder, also with a future time', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const pid = await stranger();
    const lock = join(data, 'sandbox.lock');
    writeFileSync(lock, await ownLockText('once', processes(pid, { [pid]: 'another time' })));
    utimesSync(lock, FUTURE, FUTURE);
    const claimed = await claimFolder(data, SANDBOX);
    assert.equal(claimed.kind, 'ours');
    assert.match(readFileSync(lock, 'utf8'), new RegExp(`^${process.pid} `));
  });

  it('A folder is taken over after a reboot although a process has the same pid', async () => {
    const pid = await stranger();
    const lock = join(data, 'sandbox.lock');
    writeFileSync(lock, beforeReboot(await ownLockText('once', processes(pid, { [pid]: 'x' }))));
    utimesSync(lock, FUTURE, FUTURE);
    assert.equal((await claimFolder(data, SANDBOX)).kind, 'ours');
  });

  it('A folder stays with a living process that starts more slowly than usual', async () => {
    const pid = await stranger();
    const lock = join(data, 'sandbox.lock');
    const { systemProcesses } = await import('../../src/base/processes');
    const startedAt = (await systemProcesses.startedAt(pid)) ?? '';
    const text = await ownLockText('once', processes(pid, { [pid]: startedAt }));
    writeFileSync(lock, text);
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(lock, old, old);
    const waiting = claimFolder(data, SANDBOX);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(readFileSync(lock, 'utf8'), text, 'it is not taken away');
    child?.kill('SIGKILL');
    assert.equal((await waiting).kind, 'ours', 'until the process is gone');
  });

  it('A folder is served after a crash of the previous version, whose lock has fewer fields', async () => {
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'sandbox.lock'), `${await stranger()} 5e1d7c1e-aaaa-bbbb-cccc-000000000000`);
    child?.kill('SIGKILL');
    await (await startSandbox({ data })).stop();
  });
});
