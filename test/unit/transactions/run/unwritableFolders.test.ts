import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationError } from '../../../../src/transactions/errors';
import { notWritten } from '../../../../src/transactions/journal/writer';
import { openJournal } from '../../../../src/transactions/journal/journal';
import { openLocks } from '../../../../src/transactions/locks/locks';
import { Recorder } from '../../../../src/transactions/run/recorder';
import { beginning } from '../../../support/transactions/journal/events';

const log = (): void => undefined;

/** A small disk of its own; `undefined` where this account may not make one. */
function mountSmallDisk(): { readonly path: string; remount(options: string): void; unmount(): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'binsight-disk-'));
  const unmount = (): void => {
    spawnSync('umount', ['-l', path]);
    rmSync(path, { recursive: true, force: true });
  };
  if (process.platform !== 'linux' || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path]).status !== 0) {
    rmSync(path, { recursive: true, force: true });
    return undefined;
  }
  return { path, unmount, remount: (options) => assert.equal(spawnSync('mount', ['-o', `remount,${options}`, path]).status, 0) };
}

/** Begins a zap-out with records in this folder. */
async function begin(folder: string): Promise<Recorder> {
  const journal = openJournal({ folder: join(folder, 'journal'), nowMs: () => Date.now(), log });
  const locks = openLocks({ folder: join(folder, 'locks'), staleMs: 2_000, log });
  try {
    return await Recorder.begin(beginning(), { journal, locks, noun: 'zap-out', log });
  } finally {
    journal.dispose();
    await locks.dispose();
  }
}

async function failureOf(folder: string): Promise<OperationError> {
  const error: unknown = await begin(folder).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OperationError, String(error));
  assert.deepEqual([error.kind, error.money], ['notRecorded', 'untouched']);
  return error;
}

describe('operation: unwritable folders', function () {
  it('The message says that the disk is full, that nothing was sent, and to free space', function () {
    const disk = mountSmallDisk();
    if (disk === undefined) {
      process.stdout.write('    a small disk cannot be mounted with this account: skipped\n');
      this.skip();
    }
    return (async () => {
      try {
        mkdirSync(join(disk.path, 'journal'));
        writeFileSync(join(disk.path, 'filler'), '');
        spawnSync('dd', ['if=/dev/zero', `of=${join(disk.path, 'filler')}`, 'bs=4096']);
        const { message } = await failureOf(disk.path);
        const folder = join(disk.path, 'journal');
        assert.equal(
          message,
          `The zap-out was stopped. The operation journal cannot be written. The disk with the folder ${folder} is full. Nothing was sent. Your money has not moved. Free up space, then try again.`,
        );
        rmSync(join(disk.path, 'filler'));
        await (await begin(disk.path)).close();
      } finally {
        disk.unmount();
      }
    })();
  });

  it('The message says that the disk is read-only, that nothing was sent, and to make it writable', function () {
    const disk = mountSmallDisk();
    if (disk === undefined) {
      process.stdout.write('    a small disk cannot be mounted with this account: skipped\n');
      this.skip();
    }
    return (async () => {
      try {
        disk.remount('ro');
        const { message } = await failureOf(disk.path);
        assert.match(
          message,
          /^The zap-out was stopped\. The operation journal cannot be written\. The folder \S+ is on a read-only disk\. Nothing was sent\. Your money has not moved\. Make it writable, then try again\.$/,
        );
        assert.ok(message.includes(join(disk.path, 'journal')));
      } finally {
        disk.unmount();
      }
    })();
  });

  it('The message says that the account lacks write permission and how to change that', async function () {
    const words = notWritten(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }), '/records/journal');
    assert.equal(words.message, 'The operation journal cannot be written. Your account cannot write to the folder /records/journal.');
    assert.equal(words.advice, 'Make it writable, then try again.');
    if (process.platform === 'win32' || process.getuid?.() === 0) {
      return; // nothing is denied to this account
    }
    const folder = mkdtempSync(join(tmpdir(), 'binsight-denied-'));
    try {
      mkdirSync(join(folder, 'journal'), { mode: 0o500 });
      assert.match((await failureOf(folder)).message, /Your account cannot write to the folder .* Nothing was sent\. .* Make it writable/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('The message says that a file is in the place of the journal or lock folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'binsight-place-'));
    try {
      writeFileSync(join(folder, 'locks'), '');
      const { message } = await failureOf(folder);
      assert.match(
        message,
        /The locks between windows cannot be used\. A file is in the place of the folder \S+locks\. Nothing was sent\. Your money has not moved\. Move that file away, then try again\.$/,
      );
      writeFileSync(join(folder, 'file'), '');
      assert.match(
        (await failureOf(join(folder, 'file'))).message,
        /A file is in the place of the folder \S+\. Nothing was sent\. .* Move that file away, then try again\.$/,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("The message contains the system's error code in all other cases", () => {
    const words = notWritten(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }), '/records/journal');
    assert.equal(words.message, 'The operation journal cannot be written. The system reports for the folder /records/journal: EIO.');
    assert.equal(words.advice, undefined);
  });
});
