import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessTable } from '../../../../src/base/processes';
import { NoticeClaims } from '../../../../src/ui/notices/claims';

const START = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;

/** Processes of which only these run. */
const processes = (ownPid: number, running: readonly number[]): ProcessTable => ({
  ownPid,
  isRunning: (pid) => running.includes(pid),
  startedAt: () => Promise.resolve(undefined),
});

describe('Which window reports an event', () => {
  let folder: string;
  let now: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claims-'));
    now = START;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const window = () => new NoticeClaims({ folder, nowMs: () => now });
  const range = (event: 'leftRange' | 'enteredRange', sinceMs: number) => ({ subject: 'wallet position range', event, sinceMs });

  it('Of ten windows that see an event at the same time, exactly one reports it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const event = { subject: `position ${round}`, event: 'leftRange', sinceMs: now - MINUTE };
      const won = await Promise.all(Array.from({ length: 10 }, () => window().claim(event)));
      assert.equal(won.filter(Boolean).length, 1);
    }
  });

  it('A window that sees an event an hour later does not report it again', async () => {
    assert.equal(await window().claim(range('leftRange', now - MINUTE)), true);
    now += 60 * MINUTE;
    // It was hidden, and last saw the position in range before the other window reported.
    assert.equal(await window().claim(range('leftRange', START - 5 * MINUTE)), false);
  });

  it('A position that came back and left again is reported again, also if no notice of the coming back was wanted', async () => {
    assert.equal(await window().claim(range('leftRange', now - MINUTE)), true);
    now += 5 * MINUTE;
    assert.equal(await window().claim(range('enteredRange', now - MINUTE)), true);
    now += 5 * MINUTE;
    assert.equal(await window().claim(range('leftRange', START - MINUTE)), true);
    assert.equal(await window().claim(range('leftRange', now - MINUTE)), false);
  });

  it('A threshold that was passed again, after it was seen clear, is reported again', async () => {
    const passed = (sinceMs: number) => ({ subject: 'position pnlAbove 20', event: 'passed', sinceMs });
    assert.equal(await window().claim(passed(now - MINUTE)), true);
    now += 10 * MINUTE;
    assert.equal(await window().claim(passed(START - MINUTE)), false);
    assert.equal(await window().claim(passed(now - MINUTE)), true);
  });

  it('An operation ends once, whichever windows read the journal', async () => {
    const ended = { subject: 'operation 1', event: 'ended', sinceMs: 0 };
    assert.equal(await window().claim(ended), true);
    now += 12 * 60 * MINUTE;
    assert.equal(await window().claim(ended), false);
    assert.equal(await window().claim({ ...ended, subject: 'operation 2' }), true);
  });

  it('Damaged lines are skipped, old files are deleted, and no address is written down', async () => {
    await window().claim(range('leftRange', now));
    await writeFile(join(folder, 'claims-2026-11-20.jsonl'), 'not JSON\n{"subject":7}\n', { flag: 'a' });
    assert.equal(await window().claim(range('leftRange', now)), false);
    now += 3 * 24 * 60 * MINUTE;
    assert.equal(await window().claim(range('leftRange', now - MINUTE)), true);
    assert.deepEqual(await readdir(folder), ['claims-2026-11-23.jsonl']);
    assert.doesNotMatch(await readFile(join(folder, 'claims-2026-11-23.jsonl'), 'utf8'), /wallet|position/);
  });

  it('A folder that cannot be written is an error', async () => {
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(new NoticeClaims({ folder: join(folder, 'file', 'inside'), nowMs: () => now }).claim(range('leftRange', 0)));
  });

  it('Windows know whether another one is in front, and forget one that ended without a word', async () => {
    now = Date.now();
    const running = [1, 2];
    const [one, two] = [1, 2].map((pid) => new NoticeClaims({ folder, nowMs: () => now, processes: processes(pid, running) }));
    assert.ok(one && two);
    assert.equal(await two.isAnotherFocused(), false);
    await one.setFocused(true);
    assert.deepEqual([await one.isAnotherFocused(), await two.isAnotherFocused()], [false, true]);
    // The window in front changes; VS Code may tell them in any order.
    await two.setFocused(true);
    await one.setFocused(false);
    assert.deepEqual([await one.isAnotherFocused(), await two.isAnotherFocused()], [true, false]);
    running.pop();
    assert.equal(await one.isAnotherFocused(), false);
    running.push(2);
    await two.setFocused(false);
    assert.equal(await one.isAnotherFocused(), false);
  });
});
