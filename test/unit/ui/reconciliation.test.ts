import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTasksOf } from '../../../src/ui/shell/openTasks';
import { Activity } from '../../../src/ui/activity/activity';
import { OperationRecords } from '../../../src/ui/activity/operationRecords';
import { Reconciliation } from '../../../src/ui/activity/reconciliation';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { systemClock } from '../../../src/base/async/clock';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, fakeService, openPosition, OWNER } from '../../support/portfolio/fixtures';
import { LEADING_TO, SUBMITTED, ZAP_OUT } from '../../support/ui/journalRecords';
import { fail, MemoryState } from '../../support/ui/memory';

/** A window over a folder that others may share; its service lists one position. */
function openWindow(folder: string, choice: ServiceChoice = SANDBOX) {
  const prompts = new ScriptedPrompts([]);
  const log = () => undefined;
  const records = new OperationRecords({ folder, nowMs: () => systemClock.now(), log });
  const activity = new Activity({ journal: records.journal, openTasks: openTasksOf, log, onError: fail });
  const service = fakeService({ openPositions: () => Promise.resolve({ items: [openPosition(1)], warnings: [] }) });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log, clock: systemClock });
  portfolio.setOwner(OWNER);
  const busy = new BusyPositions(fail);
  const reconciliation = new Reconciliation({
    records,
    activity,
    portfolio,
    busy,
    prompts,
    log,
    connection: { choice, onDidChange: () => ({ dispose: () => undefined }), service: () => Promise.resolve(service) },
    actions: { openExternal: () => Promise.resolve(), focusActivity: () => Promise.resolve() },
    command: () => Promise.reject(new Error('nothing is pressed')),
    state: new MemoryState(),
    clock: systemClock,
    startedAtMs: systemClock.now(),
    rpc: () => Promise.resolve(undefined),
    reportFound: () => Promise.reject(new Error('nothing has landed')),
    onError: fail,
  });
  const close = () => [reconciliation, activity, portfolio, records].forEach((one) => one.dispose());
  return { prompts, records, activity, portfolio, busy, close };
}

/** Writes an operation as far as a window came that is gone since. */
async function leave(folder: string, events: typeof SUBMITTED): Promise<void> {
  const records = new OperationRecords({ folder, nowMs: () => systemClock.now() - 1_000, log: () => undefined });
  const journal = await records.journal();
  const entry = await journal.begin({
    operation: 'zapOut',
    service: 'sandbox',
    owner: OWNER,
    pool: addressOf(500),
    poolType: 'dlmm',
    pairName: 'BONK/SOL',
    plan: ZAP_OUT,
    parent: undefined,
  });
  for (const event of events) {
    await entry.append(event);
  }
  records.dispose();
}

describe('Reconciliation in a new window', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binsight-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const { key } = openPosition(1);

  it('A new window reports once, after the first list, operations that were not sent, and frees the position', async () => {
    await leave(folder, LEADING_TO.signed);
    await leave(folder, []);
    const it = openWindow(folder);
    const marks: boolean[] = [];
    it.busy.onDidChange((changed) => void marks.push(it.busy.has(changed)));
    await it.portfolio.refresh('startup', ['positions']);
    const { message } = await it.prompts.noticed(/^Binsight was closed/);
    it.close();
    assert.equal(
      message,
      'Binsight was closed before this ended. Zap out of BONK/SOL: Nothing was sent. Your money has not moved. Zap out of BONK/SOL: Nothing was sent. Your money has not moved.',
    );
    assert.equal(it.prompts.notices.length, 1);
    assert.deepEqual(
      it.activity.records.map(({ state }) => state),
      ['abandoned', 'abandoned'],
    );
    assert.deepEqual([marks[0], it.busy.has(key)], [true, false]);
  });

  it('A new window keeps a position marked while a sent operation on it is unconfirmed', async () => {
    await leave(folder, SUBMITTED);
    const it = openWindow(folder);
    const unconfirmed = new Promise((resolve) =>
      it.activity.onDidChange(() => it.activity.records.some(({ state }) => state === 'unconfirmed') && resolve(true)),
    );
    await it.portfolio.refresh('startup', ['positions']);
    await unconfirmed;
    it.close();
    assert.ok(it.busy.has(key));
    assert.deepEqual(it.prompts.notices, []);
  });

  it('A new window leaves operations of another service pending', async () => {
    await leave(folder, SUBMITTED);
    const it = openWindow(folder, readServiceChoice('https://example.org/v1'));
    const read = new Promise((resolve) => it.activity.onDidChange(resolve));
    await it.portfolio.refresh('startup', ['positions']);
    await read;
    it.close();
    assert.deepEqual([it.activity.records.map(({ state }) => state), it.busy.has(key)], [['submitted'], false]);
  });

  it('A new window does not open the journal before the first list', async () => {
    const it = openWindow(folder);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(it.activity.state.kind, 'loading');
    it.close();
  });
});
