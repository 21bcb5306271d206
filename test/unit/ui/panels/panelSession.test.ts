import assert from 'node:assert/strict';
import { poolToHost, type PoolToHost, type PoolToPanel } from '../../../../src/protocol/pool';
import { panelHost, tabTitle } from '../../../../src/ui/panels/panelProtocols';
import { type PanelHost, PanelSession, READY_WITHIN_MS } from '../../../../src/ui/panels/panelSession';
import type { PresenterDependencies } from '../../../../src/ui/panels/presenter';
import { deferred, FakeClock, settledMicrotasks } from '../../../support/portfolio/fixtures';

/** A pool panel whose presenter keeps what it hears, and says what the test wants. */
function setUp({
  isVisible = true,
  hears = () => undefined,
  loading,
}: { readonly isVisible?: boolean; readonly hears?: (message: PoolToHost) => void; readonly loading?: Promise<unknown> } = {}) {
  const heard: unknown[] = [];
  const delivered: unknown[] = [];
  const logged: string[] = [];
  const titles: string[] = [];
  const failures: unknown[] = [];
  let say: (message: PoolToPanel) => void = () => assert.fail('it is not there yet');
  const make = panelHost<PoolToPanel, PoolToHost>({
    toHost: poolToHost,
    titleIn: (message) => (message.kind === 'pool' && message.pool.data !== undefined ? tabTitle('pool', message.pool.data) : undefined),
    presenter: (subject, _, post) => {
      say = post;
      return {
        receive: (message) => {
          heard.push(message);
          hears(message);
        },
        setVisible: (isSeen) => heard.push(`${subject} ${isSeen ? 'seen' : 'hidden'}`),
        dispose: () => heard.push('disposed'),
      };
    },
  });
  const clock = new FakeClock();
  const late: string[] = [];
  const session = new PanelSession(
    {
      name: 'pool',
      load: async (post): Promise<PanelHost> => {
        await loading;
        return make('it', {} as PresenterDependencies, { post, rename: (title) => titles.push(title) });
      },
      deliver: (message) => delivered.push(message),
      log: (level, message) => logged.push(`${level} ${message}`),
      clock,
      late: () => late.push('late'),
      failed: (error) => failures.push(error),
    },
    isVisible,
  );
  return { session, clock, late, heard, delivered, logged, titles, failures, say: (message: PoolToPanel) => say(message) };
}

const OWN: PoolToPanel = { kind: 'own', own: { status: 'loading' } };
const START: PoolToPanel = { kind: 'startPlan' };

describe('The session of a panel', () => {
  it('A page that does not say in time that it is ready is late, and each time it is shown again', async () => {
    const { session, clock, late } = setUp();
    await clock.advance(READY_WITHIN_MS);
    assert.equal(late.length, 1);
    session.setVisible(false);
    await clock.advance(READY_WITHIN_MS);
    assert.equal(late.length, 1);
    session.setVisible(true);
    await clock.advance(READY_WITHIN_MS);
    assert.equal(late.length, 2);
  });

  it('A page that is ready, hidden or closed is not late', async () => {
    const [ready, hidden, closed] = [setUp(), setUp({ isVisible: false }), setUp()];
    await settledMicrotasks();
    ready.session.receive({ kind: 'ready' });
    closed.session.dispose();
    for (const { clock, late } of [ready, hidden, closed]) {
      await clock.advance(READY_WITHIN_MS);
      assert.deepEqual(late, []);
    }
  });

  it('The session forwards panel messages in order once the presenter is loaded', async () => {
    const loading = deferred<undefined>();
    const { session, heard } = setUp({ loading: loading.promise });
    session.receive({ kind: 'ready' });
    session.receive({ kind: 'openInExplorer' });
    await settledMicrotasks();
    assert.deepEqual(heard, []);
    loading.resolve(undefined);
    await settledMicrotasks();
    assert.deepEqual(heard, ['it seen', { kind: 'ready' }, { kind: 'openInExplorer' }]);
  });

  it('The session drops invalid messages and logs only a few of them without their contents', async () => {
    const { session, heard, logged } = setUp();
    await settledMicrotasks();
    const hostile: unknown[] = [
      ...[
        undefined,
        null,
        5,
        'ready',
        [],
        {},
        { kind: 'zapIn', amount: 1 },
        { kind: 'k'.repeat(10_000) },
        { kind: { toString: () => 'ready' } },
        { kind: 'lpers' },
      ],
      ...[
        { kind: 'continue', plan: { amountLamports: -1 } },
        { kind: 'copyAddress', address: 'x'.repeat(1_000) },
        { kind: 'lpers', query: { orderBy: 'x; drop', sortOrder: 'asc', page: 1 } },
        JSON.parse('{"__proto__":{"kind":"ready"}}') as unknown,
      ],
    ];
    hostile.forEach((message) => session.receive(message));
    assert.deepEqual(heard, ['it seen']);
    assert.equal(session.isListening, false);
    assert.equal(logged.length, 10);
    assert.ok(logged.every((line) => line.startsWith('warn ') && line.length < 200));
  });

  it('The session removes unexpected fields from messages', async () => {
    const { session, heard } = setUp();
    await settledMicrotasks();
    session.receive({ kind: 'openPosition', key: 'k', transaction: 'AAAA' });
    assert.deepEqual(heard.at(-1), { kind: 'openPosition', key: 'k' });
  });

  it('The session survives an error in the presenter and logs it', async () => {
    const { session, heard, logged } = setUp({ hears: () => assert.fail('no') });
    await settledMicrotasks();
    session.receive({ kind: 'ready' });
    session.receive({ kind: 'openInExplorer' });
    assert.equal(heard.length, 3);
    assert.equal(logged.filter((line) => line.startsWith('error The pool panel:')).length, 2);
  });

  it('The session sends nothing before the page is ready or while it is hidden', async () => {
    const { session, delivered, say } = setUp();
    await settledMicrotasks();
    say(OWN);
    assert.deepEqual(delivered, []);
    session.receive({ kind: 'ready' });
    say(OWN);
    assert.equal(delivered.length, 1);
    session.setVisible(false);
    say(OWN);
    session.setVisible(true);
    say(OWN);
    assert.equal(delivered.length, 1);
    session.receive({ kind: 'ready' });
    say(OWN);
    assert.equal(delivered.length, 2);
  });

  it('The session sends waiting messages after the page’s first state, and at once afterwards', async () => {
    const setup: { say?: (message: PoolToPanel) => void } = {};
    const { session, delivered, say } = setUp({ hears: ({ kind }) => (kind === 'ready' ? setup.say?.(OWN) : undefined) });
    setup.say = say;
    session.tell(START);
    await settledMicrotasks();
    assert.deepEqual(delivered, []);
    session.receive({ kind: 'ready' });
    assert.deepEqual(delivered, [OWN, START]);
    session.tell(START);
    assert.deepEqual(delivered, [OWN, START, START]);
    session.setVisible(false);
    session.tell(START);
    session.setVisible(true);
    assert.equal(delivered.length, 3);
    session.receive({ kind: 'ready' });
    assert.deepEqual(delivered.slice(3), [OWN, START]);
  });

  it('The session reports changes of visibility to the presenter once', async () => {
    const { session, heard } = setUp({ isVisible: false });
    await settledMicrotasks();
    [false, true, true, false].forEach((isVisible) => session.setVisible(isVisible));
    assert.deepEqual(heard, ['it hidden', 'it seen', 'it hidden']);
  });

  it('A panel without window focus reads nothing but still shows what other panels read', async () => {
    const { session, heard, delivered, say } = setUp();
    await settledMicrotasks();
    session.receive({ kind: 'ready' });
    [false, false, true].forEach((isFocused) => session.setFocused(isFocused));
    assert.deepEqual(
      heard.filter((line) => /seen|hidden/.test(String(line))),
      ['it seen', 'it hidden', 'it seen'],
    );
    session.setFocused(false);
    say(OWN);
    assert.equal(delivered.length, 1);
    session.setVisible(false);
    session.setFocused(true);
    assert.deepEqual(heard.filter((line) => /seen|hidden/.test(String(line))).slice(3), ['it hidden', 'it hidden', 'it hidden']);
  });

  it('The panel’s title names its subject as plain text', async () => {
    const { session, titles, say } = setUp();
    await settledMicrotasks();
    session.receive({ kind: 'ready' });
    const data = { pairName: 'A\u202e$(x)\n/SOL', poolType: 'dlmm', binStepBps: 20 } as NonNullable<
      Extract<PoolToPanel, { kind: 'pool' }>['pool']['data']
    >;
    say({ kind: 'pool', pool: { status: 'loading' } });
    say({ kind: 'pool', pool: { status: 'ready', data } });
    assert.equal(titles.length, 1);
    assert.match(titles[0] ?? '', /^A.*SOL · 20 bps$/);
    assert.doesNotMatch(titles[0] ?? '', /\u202e|\$\(|\n/);
  });

  it('Titles distinguish pools of the same pair', () => {
    const of = (poolType: 'dlmm' | 'dammV2' | 'other', binStepBps?: number) => tabTitle('pool', { pairName: 'A/B', poolType, binStepBps });
    assert.deepEqual([of('dlmm', 4), of('dlmm'), of('dammV2'), of('other')], ['A/B · 4 bps', 'A/B', 'A/B · DAMM v2', 'A/B']);
    assert.equal(tabTitle('position', { pairName: 'A/B', poolType: 'dlmm', binStepBps: 4 }), 'A/B position');
  });

  it('A disposed session ends its presenter and neither sends nor receives messages', async () => {
    const { session, heard, delivered, say } = setUp();
    await settledMicrotasks();
    session.receive({ kind: 'ready' });
    session.dispose();
    say(OWN);
    session.receive({ kind: 'openInExplorer' });
    session.tell(START);
    assert.deepEqual(heard, ['it seen', { kind: 'ready' }, 'disposed']);
    assert.deepEqual(delivered, []);
  });

  it('A session disposed during loading leaves nothing behind', async () => {
    const loading = deferred<undefined>();
    const { session, heard, failures } = setUp({ loading: loading.promise });
    session.dispose();
    loading.resolve(undefined);
    await settledMicrotasks();
    assert.deepEqual([heard, failures], [['disposed'], []]);
  });

  it('The session reports that its presenter cannot be loaded', async () => {
    const problem = new Error('a part is missing');
    const { failures } = setUp({ loading: Promise.reject(problem) });
    await settledMicrotasks();
    assert.deepEqual(failures, [problem]);
  });
});
