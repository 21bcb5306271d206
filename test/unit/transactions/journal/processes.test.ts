import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import fc from 'fast-check';
import { openJournal } from '../../../../src/transactions/journal/journal';
import type { OperationJournal } from '../../../../src/transactions/journal/types';
import { buildWorker, Worker, type Answer, type Places } from '../../../support/transactions/processes/workers';
import { beginning, GOING_WELL, HAPPENINGS } from '../../../support/transactions/journal/events';

const KILLS = 20;

describe('journal: several processes', function () {
  let folder = '';
  let places: Places;
  let journal: OperationJournal;
  const workers: Worker[] = [];
  const start = (onTold?: (answer: Answer) => void, limitKb?: number): Worker => {
    const worker = new Worker(places, onTold, limitKb);
    workers.push(worker);
    return worker;
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-journal-'));
    const worker = await buildWorker(folder);
    places = { worker, journal: join(folder, 'journal'), locks: join(folder, 'locks') };
  });

  beforeEach(() => {
    rmSync(places.journal, { recursive: true, force: true });
    journal = openJournal({ folder: places.journal, nowMs: () => Date.now(), log: () => undefined });
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('The journal lets one of two processes continue that append different events at the same time', async function () {
    const [one, two] = [start(), start()];
    const ends = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const { id } = await begun(journal);
      await Promise.all([one.ask('know', id), two.ask('know', id)]);
      const said = await Promise.all([one.ask('append', id, 'submitted'), two.ask('append', id, 'abandoned')]);
      const { records, problems } = await journal.read();
      assert.deepEqual(problems, []);
      assert.deepEqual([...said].sort(), ['takenOver', 'written']);
      const end = said[0] === 'written' ? 'submitted' : 'abandoned';
      assert.equal(records[0]?.state, end);
      ends.add(end);
    }
  });

  it('The journal accepts the same event from only one process, so only one may send', async function () {
    const [one, two] = [start(), start()];
    for (let round = 0; round < 40; round += 1) {
      const { id } = await begun(journal);
      await Promise.all([one.ask('know', id), two.ask('know', id)]);
      const said = await Promise.all([one.ask('append', id, 'submitted'), two.ask('append', id, 'submitted')]);
      assert.deepEqual([...said].sort(), ['takenOver', 'written']);
    }
  });

  it('The journal contains every event it confirmed, whenever its writer was killed', async function () {
    const delays = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: KILLS, seed: 5 });
    const said = new Map<string, number>();
    for (const delayMs of delays) {
      let first: (() => void) | undefined;
      const hasBegun = new Promise<void>((resolve) => (first = resolve));
      const worker = start((answer) => {
        if ('told' in answer && answer.told === 'written') {
          said.set(answer.id, answer.events);
          first?.();
        }
      });
      worker.ask('writeForever').catch(() => undefined);
      await hasBegun;
      await later(delayMs);
      await worker.kill();
    }
    const { records, problems } = await journal.read();
    assert.deepEqual(problems, []);
    for (const [id, events] of said) {
      const record = records.find((one) => one.id === id);
      assert.ok(record !== undefined && record.events.length >= events, `${id}: ${record?.events.length ?? 'gone'} of ${events}`);
    }
    // Later processes can go on with each of them.
    for (const { id, state } of records.filter((record) => record.state !== 'settled')) {
      const entry = await journal.resume(id);
      for (const kind of GOING_WELL.slice(GOING_WELL.findIndex((one) => one === state) + 1)) {
        await entry?.append(HAPPENINGS[kind]);
      }
      assert.equal(entry?.record.state, 'settled');
    }
  });

  it('The journal reports a full disk and leaves no partial line', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const { id, events, words } = await start(undefined, 3).ask('fill');
    assert.match(words, /JournalError: The operation journal cannot be written\./);
    const bytes = readFileSync(join(places.journal, `${id}.jsonl`));
    assert.equal(bytes.at(-1), 0x0a);
    const { records, problems } = await journal.read();
    assert.deepEqual([records[0]?.events.length, problems], [events, []]);
    assert.ok(events > 5);
    const entry = await journal.resume(id);
    await entry?.append(HAPPENINGS.reviewed);
    assert.equal(entry?.record.state, 'reviewed');
  });
});

async function begun(journal: OperationJournal): Promise<{ readonly id: string }> {
  const entry = await journal.begin(beginning());
  for (const kind of GOING_WELL.slice(0, 4)) {
    await entry.append(HAPPENINGS[kind]);
  }
  return entry;
}
