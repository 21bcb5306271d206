import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Activity } from '../../../../src/ui/activity/activity';
import { FoundOperations } from '../../../../src/ui/activity/foundOperations';
import { NoticeClaims } from '../../../../src/ui/notices/claims';
import { NoticeCenter } from '../../../../src/ui/notices/noticeCenter';
import { OperationNotices } from '../../../../src/ui/notices/operationNotices';
import { openTasksOf } from '../../../../src/ui/shell/openTasks';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import { ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { FakeClock, settledMicrotasks } from '../../../support/portfolio/fixtures';
import { record, ShownJournal, SUBMITTED } from '../../../support/ui/journalRecords';
import { fail } from '../../../support/ui/memory';

const UNCONFIRMED = record([...SUBMITTED, { kind: 'unconfirmed', reason: told('') }], {}, 'a');
const OUTCOMES: readonly (readonly [string, OperationRecord, RegExp])[] = [
  ['landed', record([...SUBMITTED, { kind: 'settled', lamportsBack: 1_230_000_000n, shortfall: undefined }], {}, 'a'), /: Done; 1\.23 SOL/],
  ['failed', record([...SUBMITTED, { kind: 'failed', reason: told('It failed on chain.') }], {}, 'a'), /: Failed\. It failed on chain\./],
  ['did not land', record([...SUBMITTED, { kind: 'expired', reason: told('') }], {}, 'a'), / did not land and no longer can\./],
];

describe('The outcome of an unconfirmed operation', () => {
  let folder: string;
  let journal: ShownJournal;
  let clock: FakeClock;
  /** What windows are about to report, and have reported or left to another one. */
  let reports: { begun: number; decided: number };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binsight-'));
    journal = new ShownJournal();
    journal.records = [UNCONFIRMED];
    clock = new FakeClock();
    reports = { begun: 0, decided: 0 };
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** A window of the same profile. `ran`: it ran the operation, which it left unconfirmed. */
  async function openWindow({ isFocused, ran }: { readonly isFocused: boolean; readonly ran: boolean }) {
    const prompts = new ScriptedPrompts();
    const claims = new NoticeClaims({ folder, nowMs: () => clock.now() });
    if (isFocused) {
      await claims.setFocused(true);
    }
    const outside: string[] = [];
    const center = new NoticeCenter({
      claims,
      settings: { isOn: () => true, quietHours: undefined },
      notifier: { show: () => Promise.resolve(true) },
      webhook: { add: (notices) => Promise.resolve(void outside.push(...notices.map(({ brief }) => brief))) },
      isFocused: () => isFocused,
      clock,
      log: () => undefined,
    });
    const activity = new Activity({ journal: () => Promise.resolve(journal), openTasks: openTasksOf, log: () => undefined, onError: fail });
    const actions = { focusActivity: () => Promise.resolve(), openExternal: () => Promise.resolve() };
    const notices = new OperationNotices({
      ...{ activity, prompts, actions, isWanted: () => true, ranHere: () => false, isFocused: () => isFocused, onError: fail },
      center: {
        publish: async (drafts, waitMs) => {
          reports.begun += 1;
          const shown = await center.publish(drafts, waitMs);
          reports.decided += 1;
          return shown;
        },
      },
    });
    const found = new FoundOperations({
      ...{ prompts, actions, activity, clock, isInUse: () => true, startedAtMs: 0, onError: fail },
      command: () => Promise.reject(new Error('nothing is pressed')),
      reportFound: (one) => notices.reportFound(one),
    });
    if (ran) {
      found.began(UNCONFIRMED.id);
    }
    await activity.refresh();
    return { prompts, outside, found };
  }

  for (const [outcome, ended, sentence] of OUTCOMES) {
    for (const [front, inFront] of [
      ['the window that ran it', { ran: true, finder: false }],
      ['the window that finds it', { ran: false, finder: true }],
      ['neither window', { ran: false, finder: false }],
    ] as const) {
      it(`It ${outcome}, with ${front} in front: the user is told once, where they see it`, async () => {
        const ran = await openWindow({ isFocused: inFront.ran, ran: true });
        const finder = await openWindow({ isFocused: inFront.finder, ran: false });
        journal.write([ended]);
        finder.found.found(ended);
        await allDecided(2);
        const [shown, silent] = inFront.ran ? [ran, finder] : [finder, ran];
        assert.deepEqual([shown.prompts.notices.length, silent.prompts.notices.length], [1, 0]);
        assert.match(shown.prompts.notices[0]?.message ?? '', sentence);
        assert.equal([...ran.outside, ...finder.outside].length, 1);
      });
    }

    it(`It ${outcome}, and the only window both ran it and finds its end: the user is told once, also while it is hidden`, async () => {
      for (const isFocused of [true, false]) {
        const only = await openWindow({ isFocused, ran: true });
        journal.write([ended]);
        only.found.found(ended);
        await allDecided(1);
        assert.deepEqual([only.prompts.notices.length, only.outside.length], [1, 1]);
        await rm(folder, { recursive: true, force: true });
        journal = new ShownJournal();
        journal.records = [UNCONFIRMED];
        reports = { begun: 0, decided: 0 };
      }
    });
  }

  /** Lets the clock run until each of so many windows, at least, has reported the outcome or left it to another one. */
  async function allDecided(windows: number): Promise<void> {
    while (reports.begun < windows || reports.decided < reports.begun) {
      await clock.advance(1_000);
      // The claims of the windows are on disk: time passes when none is being written or read.
      do {
        await new Promise((resolve) => setImmediate(resolve));
      } while (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')));
    }
    await settledMicrotasks();
  }
});
