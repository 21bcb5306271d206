import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { openTasksOf } from '../../../src/ui/shell/openTasks';
import type { OperationRecord } from '../../../src/transactions/journal/types';
import { Activity } from '../../../src/ui/activity/activity';
import { DamagedRecordNotice } from '../../../src/ui/activity/reconciliation';
import { foundNotice, FoundOperations } from '../../../src/ui/activity/foundOperations';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock } from '../../support/portfolio/fixtures';
import {
  ABANDONED,
  REBALANCE,
  record,
  SETTLED,
  ShownJournal,
  SIGNATURE,
  SUBMITTED,
  UNCONFIRMED,
  ZAP_IN,
} from '../../support/ui/journalRecords';
import { fail, MemoryState } from '../../support/ui/memory';

const REMOTE = 'https://example.org';
const settled = (id: string, shortfall?: string): OperationRecord =>
  record(
    [...SUBMITTED, { kind: 'settled', lamportsBack: 12_300_000_000n, shortfall: shortfall === undefined ? undefined : told(shortfall) }],
    {},
    id,
  );
const expired = (id: string) => record([...SUBMITTED, { kind: 'expired', reason: told('') }], { plan: ZAP_IN }, id);
const unconfirmed = (id: string, service = 'sandbox') => record([...SUBMITTED, { kind: 'unconfirmed', reason: told('') }], { service }, id);

describe('The notice of unfinished operations', () => {
  const later = SETTLED.updatedAtMs + 60_000;

  it('All operations that were left unfinished are reported in one notice', () => {
    assert.deepEqual(foundNotice([settled('a')], later), {
      severity: 'info',
      message: 'Binsight was closed before this ended. Zap out of BONK/SOL: Done; 12.3 SOL returned.',
    });
    const { severity, message } = foundNotice([settled('a'), expired('b'), ABANDONED, unconfirmed('d'), settled('e'), settled('f')], later);
    assert.equal(severity, 'warning');
    assert.match(
      message,
      /^Binsight was closed before this ended\. .+; 12\.3 SOL returned\. Zap into BONK\/SOL: It did not land and no longer can\. Your money has not moved\. Zap out of BONK\/SOL: Nothing was sent\. Your money has not moved\. .+ Do not repeat it until Activity shows how it ended\. … and 2 more$/,
    );
  });

  it('The notice does not mention a closed window for operations begun since the start', () => {
    assert.equal(foundNotice([settled('a')], 0).message, 'Zap out of BONK/SOL: Done; 12.3 SOL returned.');
  });

  it('The notice warns of a partial execution and says what is missing', () => {
    const { severity, message } = foundNotice([settled('a', 'A part of it is still there')], 0);
    assert.deepEqual([severity, message], ['warning', 'Zap out of BONK/SOL: Half done; 12.3 SOL returned. A part of it is still there.']);
  });
});

describe('Operations of a closed window', () => {
  function bench(
    journal: ShownJournal,
    press = '',
    isInUse: (one: OperationRecord) => boolean = () => true,
    notice = 'Zap out',
    reportFound: (one: OperationRecord) => Promise<boolean> = () => Promise.resolve(true),
  ) {
    const clock = new FakeClock();
    const prompts = new ScriptedPrompts([], { [notice]: press });
    const did: string[] = [];
    const activity = new Activity({ journal: () => Promise.resolve(journal), openTasks: openTasksOf, log: () => undefined, onError: fail });
    const actions = {
      focusActivity: () => Promise.resolve(void did.push('Activity')),
      openExternal: (url: string) => Promise.resolve(void did.push(url)),
    };
    const found = new FoundOperations({
      prompts,
      actions,
      command: (id, argument) => Promise.resolve(void did.push(`${id} ${JSON.stringify(argument)}`)),
      activity,
      clock,
      isInUse,
      reportFound,
      startedAtMs: SETTLED.updatedAtMs + 60_000,
      onError: fail,
    });
    return { clock, prompts, did, found };
  }

  const messages = ({ notices }: ScriptedPrompts): readonly string[] => notices.map(({ message }) => message);

  it('Operations from a closed window are reported once, as soon as the last one has ended', async () => {
    const journal = new ShownJournal();
    journal.records = [settled('a'), unconfirmed('b')];
    const { clock, prompts, found } = bench(journal);
    found.found(settled('a'));
    found.found(unconfirmed('b'));
    await clock.advance(5_000);
    assert.deepEqual(messages(prompts), []);
    journal.records = [settled('a'), settled('b')];
    found.found(settled('b'));
    await prompts.noticed(/: Done;/);
    assert.deepEqual(
      messages(prompts).map((message) => /before this ended.+: Done;.+: Done;/.test(message)),
      [true],
    );
    assert.equal(clock.timers, 0);
  });

  it('The notice leads to the part of a rebalance that can be completed', async () => {
    const journal = new ShownJournal();
    const part = record(
      [...SUBMITTED, { kind: 'failed', reason: told('One of two landed.'), landedTransactions: 1 }],
      { plan: ZAP_IN, parent: 'r' },
      'r-in',
    );
    const rebalance = record([{ kind: 'failed', reason: told('It may have been put back in part.') }], { plan: REBALANCE }, 'r');
    journal.records = [part, rebalance];
    const { prompts, did, found } = bench(journal, 'Complete Interrupted Operation', undefined, 'Half done');
    found.found(part);
    found.found(rebalance);
    await prompts.noticed(
      /^Half done: 1 of 2 transactions landed\. Rebalance BONK\/SOL: Failed\. It may have been put back in part\. Binsight was closed before this ended\.$/,
    );
    assert.equal(prompts.notices[0]?.severity, 'error', 'it stays until it is closed');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(did, ['binsight.finishOperation {"kind":"operation","id":"r-in"}']);
  });

  it('Operations that stay unconfirmed are reported as such once, and later with their outcome', async () => {
    const journal = new ShownJournal();
    journal.records = [settled('a'), unconfirmed('b')];
    const { clock, prompts, found } = bench(journal);
    found.found(unconfirmed('b'));
    found.found(settled('a'));
    await clock.advance(20_000);
    found.found(unconfirmed('b'));
    await clock.advance(60_000);
    assert.deepEqual(
      messages(prompts).map((message) => /before this ended.+ may have landed/.test(message)),
      [true],
    );
    journal.records = [settled('a'), settled('b')];
    found.found(settled('b'));
    await clock.advance(0);
    assert.match(messages(prompts)[1] ?? '', /before this ended\. .+: Done/);
    assert.equal(clock.timers, 0);
  });

  it('The notice waits only briefly for operations of other windows and never for other services', async () => {
    const journal = new ShownJournal();
    journal.records = [settled('a'), record([], {}, 'b')];
    const { clock, prompts, found } = bench(journal);
    found.found(settled('a'));
    await clock.advance(19_000);
    assert.equal(prompts.notices.length, 0);
    await clock.advance(1_000);
    assert.equal(prompts.notices.length, 1);
    const other = bench(journal, '', ({ id }) => id !== 'b');
    other.found.found(settled('a'));
    await other.clock.advance(0);
    assert.equal(other.prompts.notices.length, 1);
  });

  it('This window’s own unconfirmed operations are reported again only when they have ended', async () => {
    const journal = new ShownJournal();
    journal.records = [unconfirmed('a')];
    const { clock, prompts, found } = bench(journal);
    found.began('a');
    found.found(unconfirmed('a'));
    await clock.advance(60_000);
    assert.deepEqual(prompts.notices, []);
    found.found(expired('a'));
    await clock.advance(0);
    assert.equal(prompts.notices.length, 1);
  });

  it('An outcome that another window shows is not shown here; operations that were never sent are known only here', async () => {
    const journal = new ShownJournal();
    journal.records = [settled('a'), settled('b'), ABANDONED];
    const asked: string[] = [];
    const reportFound = ({ id }: OperationRecord) => Promise.resolve(asked.push(id) > 1);
    const { clock, prompts, found } = bench(journal, '', undefined, undefined, reportFound);
    found.found(unconfirmed('a'));
    found.found(settled('a'));
    found.found(settled('b'));
    found.found(ABANDONED);
    await clock.advance(60_000);
    assert.deepEqual(asked, ['a', 'b']);
    assert.deepEqual(
      messages(prompts)
        .join(' ')
        .match(/Done|Nothing was sent|may have landed/g),
      ['Nothing was sent', 'Done'],
    );
    assert.equal(clock.timers, 0);
  });

  it('The notice leads to the Activity view, or to an explorer that lists the single operation', async () => {
    const journal = new ShownJournal();
    const local = bench(journal, 'Show Activity');
    local.found.found(UNCONFIRMED);
    await local.clock.advance(20_000);
    assert.deepEqual([local.prompts.notices[0]?.actions, local.did], [['Show Activity'], ['Activity']]);
    const remote = bench(journal, 'Open in Explorer');
    remote.found.found(
      record([...SUBMITTED, { kind: 'landed', signature: SIGNATURE }, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }], {
        service: REMOTE,
      }),
    );
    await remote.clock.advance(0);
    assert.deepEqual(remote.did, [`https://solscan.io/tx/${SIGNATURE}`]);
  });
});

describe('Records that were set aside', () => {
  it('A record that was set aside is reported once across restarts, and further ones are reported again', async () => {
    const state = new MemoryState();
    const journal = new ShownJournal();
    journal.problems = [{ file: '/j/a.unreadable', what: 'Line 2 is damaged.' }];
    const start = async (): Promise<readonly string[]> => {
      const prompts = new ScriptedPrompts([]);
      const activity = new Activity({
        journal: () => Promise.resolve(journal),
        openTasks: openTasksOf,
        log: () => undefined,
        onError: fail,
      });
      const notice = new DamagedRecordNotice({
        activity,
        prompts,
        state,
        actions: { focusActivity: () => Promise.resolve() },
        onError: fail,
      });
      await activity.refresh();
      await activity.refresh();
      await new Promise((resolve) => setImmediate(resolve));
      notice.dispose();
      return prompts.notices.map(({ message }) => message);
    };
    const [first, ...more] = await start();
    assert.match(
      first ?? '',
      /^Operation records that cannot be read: 1\. Check your positions before you repeat one of these operations\.$/,
    );
    assert.deepEqual([more, await start()], [[], []]);
    journal.problems = [...journal.problems, { file: '/j/b.unreadable', what: '' }, { file: '/j/c.unreadable', what: '' }];
    assert.match((await start())[0] ?? '', /^Operation records that cannot be read: 2/);
  });
});
