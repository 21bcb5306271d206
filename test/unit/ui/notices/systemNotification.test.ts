import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notifierCall, SystemNotifier } from '../../../../src/ui/notices/systemNotification';

const HOSTILE = '--replace-id=1 $(touch /tmp/x) `id` "; rm -rf ~; " <a href="http://evil">x</a>\n\u202eSOL';

describe('Notifications of the operating system', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notifier-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function program(script: string): Promise<void> {
    await writeFile(join(folder, 'notify-send'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'notify-send'), 0o755);
  }
  const notifier = (part: Partial<ConstructorParameters<typeof SystemNotifier>[0]> = {}, logged: string[] = []) =>
    new SystemNotifier({
      ...{ platform: 'linux', isLocal: true, environment: process.env, folders: [folder], log: (_, message) => logged.push(message) },
      ...part,
    });

  it('The program gets the text as one argument, and no shell reads it', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await program(`printf '%s\\n' "$@" > '${folder}/given'`);
    assert.equal(await notifier().show('Binsight', HOSTILE), true);
    assert.deepEqual((await readFile(join(folder, 'given'), 'utf8')).split('\n'), [
      '--app-name=Binsight',
      '--',
      'Binsight',
      'replace-id=1 $(touch /tmp/x) `id` "; rm -rf ~; " ·a href="http://evil"·x·/a· SOL',
      '',
    ]);
  });

  it('Without the program nothing is shown, and a failing one is only logged', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    assert.deepEqual([notifier().isAvailable, await notifier().show('Binsight', 'x')], [false, false]);
    await program('exit 3');
    const logged: string[] = [];
    assert.deepEqual([notifier().isAvailable, await notifier({}, logged).show('Binsight', 'x')], [true, false]);
    assert.equal(logged.length, 1);
  });

  it('On a remote machine or in a browser nothing is run', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await program(`touch '${folder}/ran'`);
    const remote = notifier({ isLocal: false });
    assert.deepEqual([remote.isAvailable, await remote.show('Binsight', 'x')], [false, false]);
    await assert.rejects(readFile(join(folder, 'ran')));
  });

  it('On macOS and Windows the script is fixed, and the text is an argument or a variable', () => {
    const mac = notifierCall('Binsight', HOSTILE, { platform: 'darwin', environment: {} });
    const other = notifierCall('Binsight', 'BONK/SOL left its range.', { platform: 'darwin', environment: {} });
    assert.equal(mac?.program, '/usr/bin/osascript');
    assert.deepEqual(mac.arguments.slice(0, -1), other?.arguments.slice(0, -1));
    const windows = notifierCall('Binsight', HOSTILE, { platform: 'win32', environment: { SystemRoot: 'D:\\Win' } });
    const text = windows?.variables['BINSIGHT_NOTICE_TEXT'] ?? '';
    assert.match(windows?.program ?? '', /^D:\\Win\\System32\\WindowsPowerShell\\v1\.0\\powershell\.exe$/);
    assert.match(text, /\$\(touch/);
    assert.ok(windows?.arguments.every((argument) => !argument.includes('touch') && !argument.includes('"')));
  });

  it('Texts have bounds, and other systems show nothing', () => {
    const call = notifierCall('T'.repeat(500), 'x'.repeat(5_000), { platform: 'darwin', environment: {} });
    assert.deepEqual(
      call?.arguments.slice(-2).map(({ length }) => length),
      [60, 400],
    );
    assert.equal(notifierCall('T', 'x', { platform: 'freebsd', environment: {} }), undefined);
  });
});
