import assert from 'node:assert/strict';
import type { ClosedPosition } from '../../../../../src/service/positions';
import type { Earnings, EarningsReader, KnownEarnings } from '../../../../../src/transactions/earnings/earnings';
import { ClosedEarnings, closedReader } from '../../../../../src/ui/panels/overview/closedEarnings';
import { deferred, FakeClock, OWNER } from '../../../../support/portfolio/fixtures';
import { closedPosition } from '../../../../support/ui/panels/overview/fixtures';

const KNOWN = { known: true, ledger: { realPnlSol: 0.08, differsFromReportedSol: -0.02 } } as unknown as KnownEarnings;
const MINUTE_MS = 60_000;

/** A history of three closed positions, "0" to "2", of a service. */
function history() {
  const read: ClosedPosition['address'][] = [];
  const world = {
    read,
    waitMs: 0,
    clock: new FakeClock(),
    told: 0,
    /** What the ledger answers. */
    answer: (): Promise<Earnings> => Promise.resolve(KNOWN),
    subjects: [] as Parameters<EarningsReader['read']>[0][],
    signals: [] as AbortSignal[],
  };
  const positions = new Map(['0', '1', '2'].map((key, index) => [key, closedPosition(index)]));
  const earnings = new ClosedEarnings({
    read: closedReader({
      open: () => Promise.resolve({ service: { positionLogs: () => assert.fail('not asked') } as never, owner: OWNER }),
      earnings: {
        read: (subject, _, { signal }) => {
          world.subjects.push(subject);
          world.signals.push(signal);
          return world.answer();
        },
      },
      hasOwnHistory: () => true,
      log: () => undefined,
    }),
    positionOf: (key) => positions.get(key),
    changed: () => void (world.told += 1),
    scheduler: { waitMs: () => world.waitMs },
    clock: world.clock,
    log: () => undefined,
  });
  return { world, earnings, rest: () => world.clock.advance(0) };
}

describe('What closed positions earned, in the history', () => {
  it('Only the rows that are shown are read, one after the other, each once', async () => {
    const { world, earnings, rest } = history();
    earnings.want(['2', '1', 'gone']);
    await rest();
    assert.equal(world.subjects.length, 0, 'the panel is not visible');
    const first = deferred<Earnings>();
    world.answer = () => first.promise;
    earnings.setVisible(true);
    await rest();
    assert.equal(world.subjects.length, 1);
    first.resolve(KNOWN);
    world.answer = () => Promise.resolve(KNOWN);
    await rest();
    earnings.want(['1', '2']);
    await rest();
    assert.deepEqual(
      world.subjects.map(({ position }) => position),
      [closedPosition(2).address, closedPosition(1).address],
    );
    assert.deepEqual(
      earnings.rows.map(({ key, earned }) => [key, earned.known && earned.realSol, earned.known && earned.differenceSol]),
      [
        ['1', 0.08, -0.02],
        ['2', 0.08, -0.02],
      ],
    );
  });

  it('Sums are of the positions that the history finds and that are known, also of those that are not on the screen any more', async () => {
    const { world, earnings, rest } = history();
    const ofLedger = (realPnlSol: number, differsFromReportedSol: number | null) =>
      ({ known: true, ledger: { realPnlSol, differsFromReportedSol } }) as unknown as KnownEarnings;
    const answers: readonly Earnings[] = [ofLedger(0.25, -0.5), ofLedger(1, null), { known: false, why: 'noTransactions' }];
    world.answer = () => Promise.resolve(answers[world.subjects.length - 1] ?? assert.fail());
    earnings.setVisible(true);
    assert.deepEqual(
      earnings.sums(() => true),
      { really: { sol: 0, count: 0 }, difference: { sol: 0, count: 0 } },
    );
    earnings.want(['0', '1', '2']);
    await rest();
    earnings.want([]);
    assert.deepEqual(
      earnings.sums(() => true),
      { really: { sol: 1.25, count: 2 }, difference: { sol: -0.5, count: 1 } },
    );
    assert.deepEqual(
      earnings.sums((key) => key === '1'),
      { really: { sol: 1, count: 1 }, difference: { sol: 0, count: 0 } },
    );
    earnings.forget();
    assert.equal(earnings.sums(() => true).really.count, 0);
  });

  it('A closed position is asked about alone, with what is left valued at its end, and beside the service’s own result', async () => {
    const { world, earnings, rest } = history();
    earnings.setVisible(true);
    earnings.want(['0']);
    await rest();
    const [subject] = world.subjects;
    assert.deepEqual([subject?.scope, subject?.pricesNow, subject?.open, subject?.reportedPnlSol], ['position', 'atEnd', undefined, 0.1]);
  });

  it('A hidden panel stops reading, and goes on when it is shown again', async () => {
    const { world, earnings, rest } = history();
    world.answer = () => deferred<Earnings>().promise;
    earnings.setVisible(true);
    earnings.want(['0', '1']);
    await rest();
    earnings.setVisible(false);
    assert.equal(world.signals[0]?.aborted, true);
    world.answer = () => Promise.resolve(KNOWN);
    earnings.setVisible(true);
    await rest();
    assert.deepEqual(
      earnings.rows.map(({ key }) => key),
      ['0', '1'],
    );
  });

  it('A failed read is not known and says so; it is read again after five minutes, or at once when the user asks', async () => {
    const { world, earnings, rest } = history();
    world.answer = () => Promise.reject(new Error('down'));
    earnings.setVisible(true);
    earnings.want(['0']);
    await rest();
    assert.deepEqual(earnings.rows, [{ key: '0', earned: { known: false, why: 'notAnswered' } }]);
    earnings.want(['0']);
    await rest();
    assert.equal(world.subjects.length, 1);
    await world.clock.advance(5 * MINUTE_MS);
    earnings.want(['0']);
    await rest();
    assert.equal(world.subjects.length, 2);
    world.answer = () => Promise.resolve(KNOWN);
    earnings.again();
    await rest();
    assert.deepEqual([earnings.rows[0]?.earned.known, world.subjects.length], [true, 3]);
  });

  it('Nothing is read while the service asks to wait, and nothing of another wallet is kept', async () => {
    const { world, earnings, rest } = history();
    world.waitMs = 1_000;
    earnings.setVisible(true);
    earnings.want(['0']);
    await rest();
    assert.equal(world.subjects.length, 0);
    world.waitMs = 0;
    await world.clock.advance(1_000);
    assert.equal(earnings.rows.length, 1);
    earnings.forget();
    assert.deepEqual(earnings.rows, []);
  });
});
