import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Ending } from '../ending.mjs';
import { exclusively } from '../exclusively.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('Work under an exclusive lock', () => {
  const folder = useTemporaryFolder();
  const lock = () => join(folder(), 'run', 'setup.lock');

  it('Exclusive work waits for the other process and says so once', async () => {
    const log = [];
    const work = (name) =>
      exclusively(lock(), new Ending(), { onWait: () => log.push(`${name} waits`) }, async () => {
        log.push(`${name} begins`);
        await delay(700);
        log.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b')]);
    assert.deepEqual(log, ['a begins', 'b waits', 'a ends', 'b begins', 'b ends']);
    assert.equal(existsSync(lock()), false);
  });

  it('The lock is free again after the work fails', async () => {
    const failing = exclusively(lock(), new Ending(), {}, () => Promise.reject(new Error('broken')));
    await assert.rejects(failing, /broken/);
    assert.equal(await exclusively(lock(), new Ending(), {}, async () => 'done'), 'done');
  });

  it('A process takes over the lock from a process that was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    write(lock(), String(pid));
    assert.equal(await exclusively(lock(), new Ending(), { onWait: () => assert.fail('waited for the dead') }, async () => 'done'), 'done');
  });

  it('A process stops waiting for the lock when it ends', async () => {
    write(lock(), String(process.pid));
    const ending = new Ending();
    const waiting = exclusively(lock(), ending, { onWait: () => void ending.end() }, () => assert.fail('ran'));
    await assert.rejects(waiting, /ending/);
  });
});
