import assert from 'node:assert/strict';
import { NoticeCenter, type NoticeDraft } from '../../../../src/ui/notices/noticeCenter';
import type { OutsideNotice } from '../../../../src/ui/notices/noticeEvent';
import type { QuietHours } from '../../../../src/ui/notices/quietHours';
import { FakeClock, settledMicrotasks } from '../../../support/portfolio/fixtures';

const outside = (brief: string): OutsideNotice => ({
  ...{ kind: 'leftRange', pair: 'BONK/SOL', atMs: 0, brief, full: brief, figures: {}, isSandbox: false },
});
const draft = (name: string, part: Partial<NoticeDraft<string>> = {}): NoticeDraft<string> => ({
  ...{
    subject: name,
    seen: { subject: name, event: 'leftRange', sinceMs: 0 },
    isWanted: true,
    outside: outside(`${name} left its range.`),
  },
  ...part,
});

/** A window; `claimed` is shared with the others. */
function window(claimed = new Set<string>()) {
  const state = {
    isFocused: true,
    isAnotherFocused: false,
    isSystemOn: true,
    quiet: undefined as QuietHours | undefined,
    fails: false,
    isFull: false,
  };
  const [system, sent, logged]: [string[][], string[], string[]] = [[], [], []];
  const clock = new FakeClock();
  const center = new NoticeCenter({
    claims: {
      claim: ({ subject }) => {
        if (state.fails) {
          return Promise.reject(new Error('EROFS'));
        }
        const isFirst = !claimed.has(subject);
        claimed.add(subject);
        return Promise.resolve(isFirst);
      },
      isAnotherFocused: () => Promise.resolve(state.isAnotherFocused),
    },
    settings: {
      isOn: () => state.isSystemOn,
      get quietHours() {
        return state.quiet;
      },
    },
    notifier: { show: (...shown) => Promise.resolve(system.push(shown) > 0) },
    webhook: {
      add: (notices) =>
        state.isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(void sent.push(...notices.map(({ brief }) => brief))),
    },
    isFocused: () => state.isFocused,
    clock,
    log: (_, message) => logged.push(message),
  });
  const publish = async (drafts: readonly NoticeDraft<string>[]) => (await center.publish(drafts)).map(({ subject }) => subject);
  return { state, system, sent, logged, clock, center, publish };
}

describe('Where a notice appears', () => {
  it('The window in front shows it in the editor, and the system shows nothing', async () => {
    const { publish, system, sent } = window();
    assert.deepEqual(await publish([draft('A')]), ['A']);
    assert.deepEqual([system, sent], [[], ['A left its range.']]);
  });

  it('The system shows it while the window is not in front, unless that is off or the hours are quiet', async () => {
    const { publish, state, system, sent, clock } = window();
    state.isFocused = false;
    await publish(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => draft(name)));
    assert.deepEqual(system, [['Binsight', 'A left its range. B left its range. C left its range. D left its range. and 2 more']]);
    state.isSystemOn = false;
    await publish([draft('G')]);
    state.isSystemOn = true;
    const now = new Date(clock.now());
    const minute = now.getHours() * 60 + now.getMinutes();
    state.quiet = { from: minute, until: (minute + 60) % 1_440 };
    await publish([draft('H')]);
    assert.equal(system.length, 1);
    assert.deepEqual(sent.slice(-2), ['G left its range.', 'H left its range.']);
  });

  it('Notices of the sandbox say so in the title', async () => {
    const { publish, state, system } = window();
    state.isFocused = false;
    await publish([draft('A', { outside: { ...outside('A'), isSandbox: true } })]);
    assert.equal(system[0]?.[0], 'Binsight: Sandbox');
  });

  it('A window behind another one leaves the event to that one, and reports it only if that one does not', async () => {
    const claimed = new Set<string>();
    const [behind, front] = [window(claimed), window(claimed)];
    Object.assign(behind.state, { isFocused: false, isAnotherFocused: true });
    const late = behind.publish([draft('A'), draft('B')]);
    await settledMicrotasks();
    assert.deepEqual(await front.publish([draft('A')]), ['A']);
    await behind.clock.advance(75_000);
    assert.deepEqual(await late, ['B']);
    assert.deepEqual([front.sent, behind.sent], [['A left its range.'], ['B left its range.']]);
  });

  it('What is not wanted is claimed, for the other windows, and goes nowhere', async () => {
    const claimed = new Set<string>();
    const { publish, sent } = window(claimed);
    assert.deepEqual(await publish([draft('A', { isWanted: false })]), []);
    assert.deepEqual([[...claimed], sent], [['A'], []]);
  });

  it('What only this window can know of is reported at once', async () => {
    const { publish, state, clock, sent } = window();
    Object.assign(state, { isFocused: false, isAnotherFocused: true });
    assert.deepEqual(await publish([draft('A', { seen: undefined })]), ['A']);
    assert.deepEqual([clock.timers, sent], [0, ['A left its range.']]);
  });

  it('Windows that cannot agree all report, and the log says why', async () => {
    const { publish, state, logged } = window();
    state.fails = true;
    assert.deepEqual(await publish([draft('A')]), ['A']);
    assert.match(logged.join(''), /cannot agree .+: EROFS/);
  });

  it('A notice that cannot be kept for the webhook is still shown in the editor, and the log says why', async () => {
    const { publish, state, logged } = window();
    state.isFull = true;
    assert.deepEqual(await publish([draft('A')]), ['A']);
    assert.match(logged.join(''), /for the webhook: ENOSPC/);
  });

  it('After the end of the window, nothing is reported', async () => {
    const { publish, center, state, clock, sent } = window();
    Object.assign(state, { isFocused: false, isAnotherFocused: true });
    const late = publish([draft('A')]);
    await settledMicrotasks();
    center.dispose();
    await clock.advance(75_000);
    assert.deepEqual([await late, sent], [[], []]);
  });
});
