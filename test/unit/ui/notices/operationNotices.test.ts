import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { NO_NAMES } from '../../../../src/ui/activity/activity';
import { Emitter } from '../../../../src/base/async/emitter';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import type { NoticeCenter, NoticeDraft } from '../../../../src/ui/notices/noticeCenter';
import { OperationNotices } from '../../../../src/ui/notices/operationNotices';
import { openTasksOf } from '../../../../src/ui/shell/openTasks';
import type { ActivityState } from '../../../../src/ui/shell/views/viewState';
import { ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { settledMicrotasks } from '../../../support/portfolio/fixtures';
import { fail } from '../../../support/ui/memory';
import { halfDoneZapOut, SETTLED } from '../../../support/ui/journalRecords';

/** A window that sees the journal. */
function window({ isFocused = true, own = [] as readonly string[], isWanted = true, isFirst = true } = {}) {
  const changes = new Emitter<ActivityState>(fail);
  const prompts = new ScriptedPrompts();
  const published: (readonly [NoticeDraft<unknown>, number | undefined])[] = [];
  const state = { current: { kind: 'loading' } as ActivityState };
  const center: Pick<NoticeCenter, 'publish'> = {
    publish: (drafts, waitMs) => {
      published.push(...drafts.map((draft) => [draft, waitMs] as const));
      return Promise.resolve(drafts.filter((draft) => draft.isWanted && isFirst));
    },
  };
  const notices = new OperationNotices({
    activity: {
      get state() {
        return state.current;
      },
      names: NO_NAMES,
      onDidChange: (listener) => changes.on(listener),
      refresh: () => Promise.resolve(),
    },
    center,
    prompts,
    actions: { focusActivity: () => Promise.resolve() },
    isWanted: () => isWanted,
    ranHere: (id) => own.includes(id),
    isFocused: () => isFocused,
    onError: fail,
  });
  const read = async (...records: readonly OperationRecord[]) => {
    state.current = { kind: 'ready', records, problems: [], left: openTasksOf(records) };
    changes.fire(state.current);
    await settledMicrotasks();
  };
  return { notices, prompts, published, read };
}

const record = (id: string, state: OperationRecord['state'], part: Partial<OperationRecord> = {}) => ({ ...SETTLED, id, state, ...part });

describe('Notices about operations', () => {
  it('An operation that ends is reported once; what had ended before, or never began, is not', async () => {
    const { published, read } = window({ isFocused: false });
    await read(record('old', 'settled'), record('a', 'submitted'), record('b', 'created'));
    for (let times = 0; times < 2; times += 1) {
      await read(record('old', 'settled'), record('a', 'settled'), record('b', 'abandoned'), record('c', 'failed'));
    }
    assert.deepEqual(
      published.map(([{ seen }]) => seen?.subject),
      ['operation a', 'operation c'],
    );
  });

  it('The parts of a rebalance are not reported beside it', async () => {
    const { published, read } = window({ isFocused: false });
    const part = record('part', 'settled');
    await read();
    await read({ ...part, created: { ...part.created, parent: 'whole' } });
    assert.deepEqual(published, []);
  });

  it('The window that ran it comes first and shows no second notification; another one in front shows one', async () => {
    const [own, other, hidden] = [window({ own: ['a'] }), window(), window({ isFocused: false })];
    for (const one of [own, other, hidden]) {
      await one.read(record('a', 'submitted'));
      await one.read(record('a', 'settled'));
    }
    assert.deepEqual(
      [own, other, hidden].map(({ published, prompts }) => [published[0]?.[1], prompts.notices.length]),
      [
        [0, 0],
        [3_000, 1],
        [3_000, 0],
      ],
    );
    assert.match(other.prompts.notices[0]?.message ?? '', /^Zap out of BONK\/SOL: Done/);
  });

  it('The window that finds the end of an unconfirmed operation reports it at once, and shows it itself unless another one does', async () => {
    for (const isFirst of [true, false]) {
      const it = window({ isFirst });
      const ended = record('a', 'settled');
      await it.read(record('a', 'unconfirmed'));
      const found = it.notices.reportFound(ended);
      await it.read(ended);
      assert.equal(await found, isFirst);
      assert.deepEqual(
        it.published.map(([{ seen, outside }, waitMs]) => [seen?.subject, outside.kind, waitMs]),
        [['operation a', 'operationEnded', undefined]],
      );
      // The caller shows it.
      assert.deepEqual(it.prompts.notices, []);
    }
  });

  it('An end that was found is shown by its finder also with the switch off, as no other window shows it', async () => {
    const off = window({ isWanted: false });
    assert.equal(await off.notices.reportFound(record('a', 'settled')), true);
    assert.equal(off.published[0]?.[0].isWanted, false);
  });

  it('A rebalance is reported by others unless its last part ran in this window to the end', async () => {
    const whole = (state: OperationRecord['state']) => ({
      ...record('whole', state),
      created: { ...SETTLED.created, operation: 'rebalance' as const },
    });
    const part = (id: string, atMs: number) => ({ ...record(id, 'settled'), created: { ...SETTLED.created, parent: 'whole', atMs } });
    const parts = [part('zap-in', 2), part('zap-out', 1)];
    for (const [own, waitMs, shown] of [
      [['zap-out'], 3_000, 1],
      [['zap-in'], 0, 0],
      [['whole'], 0, 0],
    ] as const) {
      const { prompts, published, read } = window({ own });
      await read(whole('created'), ...parts);
      await read(whole('settled'), ...parts);
      assert.deepEqual([published[0]?.[1], prompts.notices.length], [waitMs, shown], String(own));
    }
  });

  it('Outside the editor, the text has no address, no reason of a service, and the returned SOL only in its long form', async () => {
    const { published, read } = window();
    const ended = record('a', 'settled', { lamportsBack: 1_230_000_000n, reason: told('http://evil.example') });
    await read();
    await read({ ...ended, created: { ...ended.created, pairName: '@evil.com/SOL' } });
    const outside = published[0]?.[0].outside;
    assert.match(outside?.brief ?? '', /^Zap out of ·evil·com\/SOL: [A-Za-z ()]+\.$/);
    assert.match(outside?.full ?? '', /; 1\.23 SOL returned\.$/);
    assert.doesNotMatch(JSON.stringify(outside), /evil\.|http/);
    assert.ok(!JSON.stringify(outside).includes(ended.created.owner));
  });

  it('An operation that another window left half done is told first by what is missing, and outside the editor with amounts only in its long form', async () => {
    const half = halfDoneZapOut('a');
    const { prompts, published, read } = window();
    await read();
    await read(half);
    const [notice] = prompts.notices;
    assert.match(notice?.message ?? '', /^Half done: 12,661 PENGO \(\$408\) not swapped\. /);
    assert.equal(notice?.severity, 'error', 'it stays until it is closed');
    const outside = published[0]?.[0].outside;
    assert.match(outside?.brief ?? '', /: Half done: 1 of 2 transactions landed\.$/);
    assert.match(outside?.full ?? '', /: Half done: 12,661 PENGO \(\$408\) not swapped\.$/);
  });

  it('With the switch off, or after the end of the window, nothing is reported', async () => {
    const off = window({ isWanted: false });
    await off.read(record('a', 'submitted'));
    await off.read(record('a', 'settled'));
    assert.deepEqual([off.published[0]?.[0].isWanted, off.prompts.notices.length], [false, 0]);
    const ended = window();
    await ended.read(record('a', 'submitted'));
    ended.notices.dispose();
    await ended.read(record('a', 'settled'));
    assert.deepEqual(ended.published, []);
  });
});
