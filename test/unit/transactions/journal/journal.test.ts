import { FORMAT } from '../../../../src/transactions/journal/codec';
import { told as asTold } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import fc from 'fast-check';
import { JournalError } from '../../../../src/transactions/journal/errors';
import { openJournal } from '../../../../src/transactions/journal/journal';
import { mayFollow } from '../../../../src/transactions/journal/states';
import type { JournalEntry, JournalEvent, OperationJournal, OperationState } from '../../../../src/transactions/journal/types';
import { FolderWatch } from '../../../../src/transactions/journal/folderWatch';
import {
  beginning,
  FOLLOWING_KINDS,
  GOING_WELL,
  HAPPENINGS,
  inFolder,
  type FollowingKind,
} from '../../../support/transactions/journal/events';

const DAY_MS = 86_400_000;

interface Opened {
  readonly journal: OperationJournal;
  readonly logged: string[];
  /** What the clock says; as far on as wanted. */
  nowMs: number;
}

function opened(folder: string): Opened {
  const logged: string[] = [];
  const self: Opened = {
    logged,
    nowMs: 1_790_000_000_000,
    journal: openJournal({ folder, nowMs: () => (self.nowMs += 1), log: (_, message) => logged.push(message) }),
  };
  return self;
}

async function write(entry: JournalEntry, kinds: readonly FollowingKind[]): Promise<void> {
  for (const kind of kinds) {
    await entry.append(HAPPENINGS[kind]);
  }
}

const isError =
  (kind: JournalError['kind'], words = /./) =>
  (error: unknown): boolean =>
    error instanceof JournalError && error.kind === kind && words.test(error.message);

/** Resolves when `journal` tells of a change. */
const told = async (journal: OperationJournal): Promise<void> =>
  new Promise((resolve) => {
    const subscription = journal.onDidChange(() => {
      subscription.dispose();
      resolve();
    });
  });

/** The files that this process has open (Linux). */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(join('/proc/self/fd', name))];
    } catch {
      // The one that this list was read with.
      return [];
    }
  });
}

describe('journal', function () {
  it('The journal creates no folder before its first write and is empty until then', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(join(folder, 'journal'));
      assert.deepEqual(await journal.read(), { records: [], problems: [] });
      assert.equal(existsSync(join(folder, 'journal')), false);
      journal.dispose();
    }));

  it('The journal stores appended events on the disk, where other windows read and continue them', async () =>
    inFolder(async (parent) => {
      const folder = join(parent, 'a', 'journal');
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      await write(entry, GOING_WELL.slice(0, 3));
      const other = opened(folder).journal;
      const { records, problems } = await other.read();
      assert.deepEqual(problems, []);
      assert.deepEqual(records, [entry.record]);
      const resumed = await other.resume(entry.id);
      assert.ok(resumed !== undefined);
      assert.deepEqual(resumed.record, entry.record);
      await write(resumed, GOING_WELL.slice(3));
      assert.equal((await journal.read()).records[0]?.state, 'settled');
    }));

  it('The journal records that the user saw the end of an operation, also for windows that knew the end', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const other = opened(folder).journal;
      for (const end of [
        { kind: 'failed', reason: asTold('half done'), landedTransactions: 1 },
        { kind: 'failed', reason: asTold('not clear'), isUnclear: true },
        { kind: 'settled', lamportsBack: 1n, shortfall: asTold('half done'), landedTransactions: 1 },
      ] as const) {
        const entry = await journal.begin(beginning());
        await write(entry, GOING_WELL.slice(0, 5));
        await entry.append(end);
        const known = async () => (await other.read()).records.find(({ id }) => id === entry.id);
        const before = await known();
        assert.deepEqual([before?.state, before?.isSeen, before?.isUnclear], [end.kind, false, 'isUnclear' in end]);
        await (await journal.resume(entry.id))?.append(HAPPENINGS.seen);
        const after = await known();
        assert.deepEqual(
          [after?.state, after?.reason, after?.updatedAtMs, after?.isSeen],
          [end.kind, HAPPENINGS.seen.reason, before?.updatedAtMs, true],
        );
      }
    }));

  it('The journal is readable only for its user', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await inFolder(async (parent) => {
      const folder = join(parent, 'journal');
      const entry = await opened(folder).journal.begin(beginning());
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(join(folder, `${entry.id}.jsonl`)).mode & 0o777, 0o600);
    });
  });

  it('The journal lists the newest operation first', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        ids.unshift((await journal.begin(beginning())).id);
      }
      assert.deepEqual(
        (await journal.read()).records.map(({ id }) => id),
        ids,
      );
    }));

  it('The journal writes events in the requested order and rejects an invalid sequence', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      const [, wrong] = await Promise.allSettled([
        entry.append(HAPPENINGS.built),
        entry.append(HAPPENINGS.signed),
        entry.append(HAPPENINGS.reviewed),
      ] as const);
      assert.ok(wrong.status === 'rejected' && isError('notFollowing', /"signed" cannot come after "built"/)(wrong.reason));
      assert.equal(entry.record.state, 'reviewed');
      assert.deepEqual((await journal.read()).records, [entry.record]);
    }));

  it('The journal finds no operation by an invalid id', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(join(folder, 'journal'));
      const { id } = await journal.begin(beginning());
      renameSync(join(folder, 'journal', `${id}.jsonl`), join(folder, `${id}.jsonl`));
      for (const wrong of [id, `../${id}`, '', '..', id.toUpperCase()]) {
        assert.equal(await journal.resume(wrong), undefined);
      }
    }));

  it('The journal notifies its listeners of changes, also by other windows', async () =>
    inFolder(async (folder) => {
      const [mine, others] = [opened(join(folder, 'journal')).journal, opened(join(folder, 'journal')).journal];
      const begun = Promise.all([told(mine), told(others)]);
      const entry = await others.begin(beginning());
      await begun;
      const appended = told(mine);
      await entry.append(HAPPENINGS.built);
      await appended;
      mine.dispose();
      others.dispose();
    }));

  it('The journal polls its folder if the system does not report changes', async () =>
    inFolder(async (parent) => {
      const folder = join(parent, 'journal');
      const logged: string[] = [];
      // What is not there cannot be watched: it stands for drives that do not tell.
      const watch = new FolderWatch(folder, (message) => logged.push(message), 20);
      const changed = new Promise<void>((resolve) => watch.add(resolve));
      watch.start();
      assert.match(logged.join(), /does not tell of changes/);
      mkdirSync(folder);
      await opened(folder).journal.begin(beginning());
      await changed;
      watch.dispose();
    }));

  it('The journal reports why it cannot be written before the operation starts', async () =>
    inFolder(async (parent) => {
      const folder = join(parent, 'file');
      writeFileSync(folder, '');
      const { journal } = opened(folder);
      await assert.rejects(journal.begin(beginning()), isError('notWritten', /^The operation journal cannot be written\./));
      const { records, problems } = await journal.read();
      assert.deepEqual([records, problems.map(({ file }) => file)], [[], [folder]]);
    }));

  it('The journal does not recreate a file that is gone', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      renameSync(join(folder, `${entry.id}.jsonl`), join(folder, 'elsewhere'));
      await assert.rejects(entry.append(HAPPENINGS.built), isError('notWritten', /no longer exists/));
      assert.deepEqual(readdirSync(folder), ['elsewhere']);
      assert.equal(entry.record.state, 'created');
    }));

  it('The journal does not continue in a file that replaced the original', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      await entry.append(HAPPENINGS.built);
      const path = join(folder, `${entry.id}.jsonl`);
      const aside = join(folder, 'aside');
      renameSync(path, aside);
      const before = readFileSync(aside, 'utf8');
      writeFileSync(path, before);
      await entry.append(HAPPENINGS.reviewed);
      assert.equal(readFileSync(aside, 'utf8'), before, 'the one that was open before is written no more');
      assert.equal((await opened(folder).journal.read()).records[0]?.state, 'reviewed');
    }));

  it('The journal keeps a file open only briefly and closes it when its operation ends', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    await inFolder(async (folder) => {
      const { journal } = opened(folder);
      const [open, ended] = [await journal.begin(beginning()), await journal.begin(beginning())];
      await write(ended, ['abandoned']);
      const areOpen = (): readonly string[] => openFiles().filter((path) => path.startsWith(folder));
      while (areOpen().length > 1) {
        await later(5);
      }
      assert.deepEqual(areOpen(), [join(folder, `${open.id}.jsonl`)]);
      while (areOpen().length > 0) {
        await later(50);
      }
      await open.append(HAPPENINGS.built);
      assert.equal((await opened(folder).journal.read()).records.find(({ id }) => id === open.id)?.state, 'built');
    });
  });

  it('The journal shows its own writes as other readers see them, also between writes of others', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      const same = async (): Promise<void> =>
        assert.deepEqual((await journal.read()).records, (await opened(folder).journal.read()).records);
      await same();
      for (const kind of GOING_WELL.slice(0, 4)) {
        await write(entry, [kind]);
        await same();
      }
      const other = (await opened(folder).journal.resume(entry.id)) ?? assert.fail();
      for (const writer of [other, entry, other]) {
        await write(writer, ['built']);
        await same();
      }
      await write(entry, ['built', 'abandoned']);
      await same();
    }));

  it('The journal stops a writer whose operation another window has ended', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const slow = await journal.begin(beginning());
      await write(slow, GOING_WELL.slice(0, 4));
      const other = (await opened(folder).journal.resume(slow.id)) ?? assert.fail();
      await other.append({ kind: 'abandoned', reason: asTold('closed') });
      await assert.rejects(slow.append(HAPPENINGS.submitted), isError('takenOver'));
      assert.equal(slow.record.state, 'abandoned');
      assert.equal((await journal.read()).records[0]?.state, 'abandoned');
    }));

  it('The journal lets only one of two simultaneous writers continue', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      for (let round = 0; round < 20; round += 1) {
        const one = await journal.begin(beginning());
        await write(one, GOING_WELL.slice(0, 4));
        const two = (await opened(folder).journal.resume(one.id)) ?? assert.fail();
        const [sent, ended] = await Promise.allSettled([one.append(HAPPENINGS.submitted), two.append(HAPPENINGS.abandoned)]);
        const { records, problems } = await journal.read();
        assert.deepEqual(problems, []);
        assert.deepEqual([sent.status, ended.status].sort(), ['fulfilled', 'rejected']);
        assert.equal(records[0]?.state, sent.status === 'fulfilled' ? 'submitted' : 'abandoned');
      }
    }));

  it('The journal loses only the torn line, wherever it was torn', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const whole = await journal.begin(beginning());
      await write(whole, GOING_WELL.slice(0, 2));
      const path = join(folder, `${whole.id}.jsonl`);
      const bytes = readFileSync(path);
      const lastFrom = bytes.subarray(0, -1).lastIndexOf('\n') + 1;
      for (let length = lastFrom; length < bytes.length; length += 1) {
        writeFileSync(path, bytes.subarray(0, length));
        const entry = (await opened(folder).journal.resume(whole.id)) ?? assert.fail();
        assert.equal(entry.record.state, 'built');
        await entry.append(HAPPENINGS.reviewed);
        const { records, problems } = await opened(folder).journal.read();
        assert.deepEqual([records[0]?.state, records[0]?.events.length, problems], ['reviewed', 3, []]);
      }
    }));

  it('The journal ignores an operation whose first line was torn', async () =>
    inFolder(async (folder) => {
      const begun = opened(folder);
      const { id } = await begun.journal.begin(beginning());
      const path = join(folder, `${id}.jsonl`);
      const bytes = readFileSync(path);
      for (const length of [0, 1, 100, bytes.length - 1]) {
        writeFileSync(path, bytes.subarray(0, length));
        assert.deepEqual(await opened(folder).journal.read(), { records: [], problems: [] });
        assert.equal(await begun.journal.resume(id), undefined);
      }
      const days = opened(folder);
      days.nowMs = Date.now() + 2 * DAY_MS;
      await days.journal.read();
      assert.equal(existsSync(path), false, 'it is taken away after a day');
    }));

  it('The journal sets damaged files aside, reports them and continues with the rest', async () =>
    inFolder(async (folder) => {
      const { journal, logged } = opened(folder);
      const [good, bad] = [await journal.begin(beginning()), await journal.begin(beginning({ pairName: 'EV\u202eIL"\n/SOL' }))];
      await write(bad, GOING_WELL.slice(0, 5));
      const path = join(folder, `${bad.id}.jsonl`);
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, [...lines.slice(0, 2), 'damaged', ...lines.slice(3)].join('\n'));
      const { records, problems } = await journal.read();
      assert.deepEqual(
        records.map(({ id }) => id),
        [good.id],
      );
      assert.equal(problems.length, 1);
      const [{ file, what } = assert.fail()] = problems;
      assert.equal(file, `${path}.unreadable`);
      assert.match(
        what,
        /the zap-out of "EVIL"\/SOL" of 20\d\d-\d\d-\d\d \d\d:\d\d UTC cannot be read completely\. Line 3 .* It may have been sent/,
      );
      assert.equal(existsSync(path), false);
      await assert.rejects(bad.append(HAPPENINGS.landed), isError('notWritten'));

      // It stands there until it is looked at, also for the next window; the log has it once.
      assert.deepEqual((await journal.read()).problems, problems);
      assert.deepEqual((await opened(folder).journal.read()).problems, problems);
      assert.equal(logged.filter((line) => line.includes('cannot be read')).length, 1);
      const later = opened(folder);
      later.nowMs = Date.now() + 31 * DAY_MS;
      await later.journal.read();
      assert.equal(existsSync(file), false, 'it is taken away after 30 days');
    }));

  it('The journal sets aside a file with an impossible order of events', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      await entry.append(HAPPENINGS.abandoned);
      const path = join(folder, `${entry.id}.jsonl`);
      appendFileSync(path, `${JSON.stringify({ n: 2, by: 'x', atMs: 5, ...HAPPENINGS.built })}\n`);
      // Who has seen it end knows that nothing follows, and does not look again.
      assert.equal((await journal.read()).records[0]?.state, 'abandoned');
      const { records, problems } = await opened(folder).journal.read();
      assert.deepEqual(records, []);
      assert.match(problems[0]?.what ?? '', /"built" cannot come after "abandoned"/);
    }));

  it('The journal keeps both files if one of that name was set aside before', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const { id } = await journal.begin(beginning());
      const path = join(folder, `${id}.jsonl`);
      for (const content of ['one\n', 'two\n']) {
        writeFileSync(path, content);
        assert.equal(await journal.resume(id), undefined);
      }
      const names = readdirSync(folder);
      assert.deepEqual(names.map((name) => readFileSync(join(folder, name), 'utf8')).sort(), ['one\n', 'two\n']);
      assert.equal((await journal.read()).problems.length, 2);
    }));

  it('The journal leaves files of a later version unchanged', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const { id } = await journal.begin(beginning());
      const path = join(folder, `${id}.jsonl`);
      writeFileSync(path, readFileSync(path, 'utf8').replace(`"format":${FORMAT}`, `"format":${FORMAT + 1}`));
      const { records, problems } = await journal.read();
      assert.deepEqual(records, []);
      assert.deepEqual(
        problems.map(({ file }) => file),
        [path],
      );
      assert.match(problems[0]?.what ?? '', /later version/);
      assert.equal(existsSync(path), true);
    }));

  it('The journal does not read a file of implausible size', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const { id } = await journal.begin(beginning());
      const path = join(folder, `${id}.jsonl`);
      truncateSync(path, 5_000_000);
      const { records, problems } = await journal.read();
      assert.deepEqual([records.length, problems.length], [0, 1]);
      assert.match(problems[0]?.what ?? '', /larger than/);
      assert.equal(existsSync(path), true);
    }));

  it('The journal keeps finished operations for 30 days, and unfinished ones with their parts without limit', async () =>
    inFolder(async (folder) => {
      const clock = opened(folder);
      const { journal } = clock;
      const done = await journal.begin(beginning());
      await write(done, GOING_WELL);
      const sent = await journal.begin(beginning());
      await write(sent, GOING_WELL.slice(0, 5));
      const parent = await journal.begin(beginning({ operation: 'rebalance' }));
      const part = await journal.begin(beginning({ parent: parent.id }));
      await write(part, GOING_WELL);
      const ids = async (): Promise<readonly string[]> => (await journal.read()).records.map(({ id }) => id);
      assert.deepEqual(await ids(), [part.id, parent.id, sent.id, done.id]);
      clock.nowMs += 29 * DAY_MS;
      assert.deepEqual(await ids(), [part.id, parent.id, sent.id, done.id]);
      clock.nowMs += 2 * DAY_MS;
      assert.deepEqual(await ids(), [part.id, parent.id, sent.id]);
      assert.equal(existsSync(join(folder, `${done.id}.jsonl`)), false);
      await parent.append({ kind: 'abandoned', reason: asTold('left') });
      clock.nowMs += 31 * DAY_MS;
      assert.deepEqual(await ids(), [sent.id]);
    }));

  it('The journal keeps the last 500 finished operations and all of the last two days', async () =>
    inFolder(async (folder) => {
      const clock = opened(folder);
      const first = await clock.journal.begin(beginning());
      await first.append(HAPPENINGS.abandoned);
      const open = await clock.journal.begin(beginning());
      const template = readFileSync(join(folder, `${first.id}.jsonl`), 'utf8');
      const made = (index: number): string => `20270101T000000${String(index).padStart(3, '0')}Z-0123456789ab`;
      for (let index = 0; index < 500; index += 1) {
        writeFileSync(join(folder, `${made(index)}.jsonl`), template);
      }
      assert.equal((await clock.journal.read()).records.length, 502, 'limits by the day count them');
      clock.nowMs += 3 * DAY_MS;
      const { records } = await clock.journal.read();
      assert.equal(records.length, 501);
      assert.equal(records.at(-1)?.id, open.id, 'the oldest of the finished ones is gone, the one before it is not finished');
      assert.equal(records[0]?.id, made(499));
    }));

  it('The journal reads a changed file again even if its length is the same', async () =>
    inFolder(async (folder) => {
      const { journal } = opened(folder);
      const entry = await journal.begin(beginning());
      const path = join(folder, `${entry.id}.jsonl`);
      await journal.read();
      writeFileSync(path, readFileSync(path, 'utf8').replace('BONK/SOL', 'WIFF/SOL'));
      utimesSync(path, new Date(), new Date(Date.now() + 5_000));
      assert.equal((await journal.read()).records[0]?.created.pairName, 'WIFF/SOL');
    }));

  it('The journal behaves like a list in memory under any sequence of commands', async function () {
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40 }), async (commands) =>
        inFolder(async (folder) => {
          await fc.asyncModelRun(() => ({ model: { kinds: undefined }, real: { folder, writers: [] } }), commands);
        }),
      ),
      { numRuns: 150 },
    );
  });
});

/** What an operation is by the reference: the kinds of its events. */
interface Model {
  kinds: readonly JournalEvent['kind'][] | undefined;
}

/** The journal on the disk, with any number of windows that write the same operation by turns. */
interface Real {
  readonly folder: string;
  id?: string;
  readonly writers: JournalEntry[];
}

type Command = fc.AsyncCommand<Model, Real>;

const stateOf = ({ kinds = [] }: Model): OperationState => kinds.filter((kind) => kind !== 'seen').at(-1) ?? assert.fail();

async function assertSame(model: Model, { folder }: Real): Promise<void> {
  const { records, problems } = await opened(folder).journal.read();
  assert.deepEqual(problems, []);
  assert.deepEqual(
    records.map(({ events }) => events.map(({ kind }) => kind)),
    [model.kinds],
  );
}

class Begin implements Command {
  check = ({ kinds }: Model): boolean => kinds === undefined;
  async run(model: Model, real: Real): Promise<void> {
    const entry = await opened(real.folder).journal.begin(beginning());
    model.kinds = ['created'];
    real.id = entry.id;
    real.writers.push(entry);
    await assertSame(model, real);
  }
  toString = (): string => 'begin';
}

class Resume implements Command {
  check = ({ kinds }: Model): boolean => kinds !== undefined;
  async run(model: Model, real: Real): Promise<void> {
    const entry = (await opened(real.folder).journal.resume(real.id ?? '')) ?? assert.fail();
    assert.deepEqual(
      entry.record.events.map(({ kind }) => kind),
      model.kinds,
    );
    real.writers.push(entry);
  }
  toString = (): string => 'resume';
}

class Append implements Command {
  readonly #writer: number;
  readonly #kind: FollowingKind;

  constructor(writer: number, kind: FollowingKind) {
    this.#writer = writer;
    this.#kind = kind;
  }

  check = ({ kinds }: Model): boolean => kinds !== undefined;
  async run(model: Model, real: Real): Promise<void> {
    const writer = real.writers[this.#writer % real.writers.length] ?? assert.fail();
    // What this writer knows may be old: either way only what follows on the disk is written.
    const isKnownToFollow = mayFollow('zapOut', writer.record.state).includes(this.#kind);
    const follows = mayFollow('zapOut', stateOf(model)).includes(this.#kind);
    if (isKnownToFollow && follows) {
      await writer.append(HAPPENINGS[this.#kind]);
      model.kinds = [...(model.kinds ?? []), this.#kind];
    } else {
      await assert.rejects(writer.append(HAPPENINGS[this.#kind]), isError(isKnownToFollow ? 'takenOver' : 'notFollowing'));
    }
    await assertSame(model, real);
  }
  toString = (): string => `${this.#writer} appends ${this.#kind}`;
}

/** A writer dies in the middle of a line. */
class Tear implements Command {
  readonly #left: string;

  constructor(left: string) {
    this.#left = left;
  }

  check = ({ kinds }: Model): boolean => kinds !== undefined;
  async run(model: Model, real: Real): Promise<void> {
    appendFileSync(join(real.folder, `${real.id ?? ''}.jsonl`), this.#left);
    await assertSame(model, real);
  }
  toString = (): string => `torn after ${JSON.stringify(this.#left)}`;
}

const WHOLE = JSON.stringify({ n: 1, by: 'dead', atMs: 5, ...HAPPENINGS.built });
const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.constant(new Begin()),
  fc.constant(new Resume()),
  fc.tuple(fc.nat(3), fc.constantFrom(...FOLLOWING_KINDS, ...GOING_WELL, ...GOING_WELL)).map(([writer, kind]) => new Append(writer, kind)),
  fc.tuple(fc.nat(3), fc.constantFrom(...GOING_WELL)).map(([writer, kind]) => new Append(writer, kind)),
  fc.nat(WHOLE.length - 1).map((length) => new Tear(WHOLE.slice(0, length))),
];
