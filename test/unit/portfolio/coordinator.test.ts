import assert from 'node:assert/strict';
import { RefreshCoordinator } from '../../../src/portfolio/coordinator';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { fakeService, FakeClock, OTHER_OWNER, OWNER, pageOf, pool, settledMicrotasks } from '../../support/portfolio/fixtures';

const MINUTE = 60_000;

/** A coordinator over a real portfolio, a service that counts, and a clock that stands still. */
function setUp({ owner = true, focused = true, random = 0.5 } = {}) {
  const clock = new FakeClock();
  const asked = { positions: 0, pools: 0, inFlight: 0, mostInFlight: 0 };
  const fault: { error: Error | undefined } = { error: undefined };
  const answer = async <Result>(result: Result): Promise<Result> => {
    asked.inFlight += 1;
    asked.mostInFlight = Math.max(asked.mostInFlight, asked.inFlight);
    await Promise.resolve();
    asked.inFlight -= 1;
    if (fault.error !== undefined) {
      throw fault.error;
    }
    return result;
  };
  const service = fakeService({
    openPositions: () => {
      asked.positions += 1;
      return answer({ items: [], warnings: [] });
    },
    discoverPools: ({ page = 1, pageSize = 10 }) => {
      asked.pools += 1;
      return answer(pageOf([pool(1)], page, pageSize));
    },
  });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  if (owner) {
    portfolio.setOwner(OWNER);
  }
  const coordinator = new RefreshCoordinator({ portfolio, clock, random: () => random }, focused);
  return { clock, asked, fault, portfolio, coordinator };
}

describe('Refresh coordinator', () => {
  it('The coordinator reads nothing while no view shows a list', async () => {
    const { clock, asked } = setUp();
    await clock.advance(60 * MINUTE);
    assert.deepEqual([asked.positions, asked.pools], [0, 0]);
    assert.equal(clock.timers, 0);
  });

  it('Positions are read as soon as a view shows them, and then every minute', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    assert.equal(asked.positions, 1);
    await clock.advance(MINUTE - 1);
    assert.equal(asked.positions, 1);
    await clock.advance(1);
    assert.equal(asked.positions, 2);
    await clock.advance(3 * MINUTE);
    assert.equal(asked.positions, 5);
    assert.equal(asked.pools, 0);
  });

  it('Pools are read every five minutes while a view shows them, independently of positions', async () => {
    const { clock, asked, coordinator } = setUp({ owner: false });
    const shown = coordinator.show('pools');
    await clock.advance(10 * MINUTE);
    assert.equal(asked.pools, 3);
    shown.dispose();
    await clock.advance(60 * MINUTE);
    assert.equal(asked.pools, 3);
    assert.equal(asked.positions, 0);
    assert.equal(clock.timers, 0);
  });

  it('The coordinator counts each view that shows a list once, and keeps reading for the others', async () => {
    const { clock, asked, coordinator } = setUp();
    const first = coordinator.show('positions');
    coordinator.show('positions');
    await settledMicrotasks();
    first.dispose();
    first.dispose();
    await clock.advance(MINUTE);
    assert.equal(asked.positions, 2);
  });

  it('Showing a list again does not read it again before the interval is over', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions').dispose();
    await settledMicrotasks();
    await clock.advance(MINUTE / 2);
    coordinator.show('positions');
    await clock.advance(MINUTE / 2 - 1);
    assert.equal(asked.positions, 1);
    await clock.advance(1);
    assert.equal(asked.positions, 2);
  });

  it('Reading slows down while the window is unfocused, and catches up when the focus returns', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    coordinator.setFocused(false);
    await clock.advance(5 * MINUTE - 1);
    assert.equal(asked.positions, 1);
    await clock.advance(1);
    assert.equal(asked.positions, 2);
    await clock.advance(20 * MINUTE);
    assert.equal(asked.positions, 6);
    await clock.advance(2 * MINUTE);
    coordinator.setFocused(true);
    await settledMicrotasks();
    assert.equal(asked.positions, 7);
    coordinator.setFocused(false);
    coordinator.setFocused(true);
    await settledMicrotasks();
    assert.equal(asked.positions, 7);
  });

  it('A list that was never read is read at once even while the window is unfocused', async () => {
    const { asked, coordinator } = setUp({ focused: false });
    coordinator.show('positions');
    await settledMicrotasks();
    assert.equal(asked.positions, 1);
  });

  it('For the status bar alone positions are read slowly, on request and after an operation, and at once when a view shows them', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.showSmall('positions');
    assert.equal(coordinator.intervalMs('positions'), 5 * MINUTE);
    await clock.advance(20 * MINUTE);
    assert.equal(asked.positions, 5);
    await coordinator.refreshNow('afterOperation');
    assert.equal(asked.positions, 6);
    await clock.advance(4 * MINUTE);
    const shown = coordinator.show('positions');
    await settledMicrotasks();
    assert.equal(asked.positions, 7);
    assert.equal(coordinator.intervalMs('positions'), MINUTE);
    shown.dispose();
    await clock.advance(5 * MINUTE);
    assert.equal(asked.positions, 8);
  });

  it('A first read that failed is repeated for the status bar, less and less often', async () => {
    const { clock, asked, fault, coordinator } = setUp();
    fault.error = new Error('down');
    coordinator.showSmall('positions');
    await clock.advance(8 * MINUTE);
    assert.equal(asked.positions, 4);
    fault.error = undefined;
    await clock.advance(9 * MINUTE);
    assert.equal(asked.positions, 5);
  });

  it('Notices keep positions read slowly while no view shows them, with or without the focus, and pools not at all', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.setWatched(true);
    await clock.advance(20 * MINUTE);
    assert.equal(asked.positions, 5);
    coordinator.setFocused(false);
    await clock.advance(20 * MINUTE);
    assert.deepEqual([asked.positions, asked.pools], [9, 0]);
    coordinator.setWatched(false);
    await clock.advance(60 * MINUTE);
    assert.equal(asked.positions, 9);
    assert.equal(clock.timers, 0);
  });

  it('After an operation positions are read every 15 seconds for two minutes', async () => {
    const { clock, asked, portfolio, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    await portfolio.refresh('afterOperation', ['positions']);
    assert.equal(asked.positions, 2);
    await clock.advance(2 * MINUTE);
    assert.equal(asked.positions, 9);
    await clock.advance(3 * MINUTE);
    assert.equal(asked.positions, 12);
  });

  it('The coordinator sends one read at a time', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    coordinator.show('pools');
    void coordinator.refreshNow('manual');
    await clock.advance(20 * MINUTE);
    assert.equal(asked.mostInFlight, 1);
    assert.ok(asked.positions >= 20 && asked.pools >= 4);
  });

  it('The wait doubles after each failure, up to 15 minutes, and is normal again after a success', async () => {
    const { clock, asked, fault, coordinator } = setUp();
    fault.error = new Error('down');
    coordinator.show('positions');
    await settledMicrotasks();
    const waits = [];
    for (let round = 0; round < 7; round += 1) {
      const before = asked.positions;
      let minutes = 0;
      while (asked.positions === before) {
        await clock.advance(MINUTE);
        minutes += 1;
      }
      waits.push(minutes);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 15, 15, 15]);
    fault.error = undefined;
    await clock.advance(15 * MINUTE);
    const before = asked.positions;
    await clock.advance(MINUTE);
    assert.equal(asked.positions, before + 1);
  });

  it('Retries after failures are spread by a random part of the wait', async () => {
    for (const [random, wait] of [
      [0, 0.8 * MINUTE],
      [0.9999999, 1.2 * MINUTE],
    ] as const) {
      const { clock, asked, fault, coordinator } = setUp({ random });
      fault.error = new Error('down');
      coordinator.show('positions');
      await settledMicrotasks();
      await clock.advance(wait - 100);
      assert.equal(asked.positions, 1);
      await clock.advance(200);
      assert.equal(asked.positions, 2);
    }
  });

  it('Both lists wait as long as the service asks, unless the user refreshes', async () => {
    const { clock, asked, fault, coordinator } = setUp();
    fault.error = Object.assign(new Error('slow down'), { kind: 'rateLimited', retryAfterMs: 7 * MINUTE });
    coordinator.show('positions');
    await settledMicrotasks();
    fault.error = undefined;
    coordinator.show('pools');
    await clock.advance(7 * MINUTE - 1);
    assert.deepEqual([asked.positions, asked.pools], [1, 0]);
    await clock.advance(1);
    assert.deepEqual([asked.positions, asked.pools], [2, 1]);

    fault.error = Object.assign(new Error('slow down'), { kind: 'rateLimited', retryAfterMs: 7 * MINUTE });
    await clock.advance(MINUTE);
    const before = asked.positions;
    fault.error = undefined;
    await coordinator.refreshNow('manual');
    assert.equal(asked.positions, before + 1);
  });

  it('A clock that is set back stops neither the interval nor the retries', async () => {
    const { clock, asked, fault, coordinator } = setUp();
    const reads = (): number => asked.positions;
    coordinator.show('positions');
    await settledMicrotasks();
    clock.setBy(-10 * 60 * MINUTE);
    await clock.advance(3 * MINUTE);
    assert.equal(reads(), 4);
    fault.error = new Error('The service is down');
    await clock.advance(MINUTE);
    assert.equal(reads(), 5);
    clock.setBy(-10 * 60 * MINUTE);
    await clock.advance(2 * MINUTE);
    assert.equal(reads(), 6);
    fault.error = undefined;
    await clock.advance(10 * MINUTE);
    assert.ok(reads() >= 12);
  });

  it('A clock that is set back ends a pause that the service asked for', async () => {
    const { clock, asked, fault, coordinator } = setUp();
    fault.error = Object.assign(new Error('slow down'), { kind: 'rateLimited', retryAfterMs: 30 * MINUTE });
    const reads = (): number => asked.positions;
    coordinator.show('positions');
    await settledMicrotasks();
    assert.equal(reads(), 1);
    fault.error = undefined;
    clock.setBy(-10 * 60 * MINUTE);
    await clock.advance(30 * MINUTE);
    assert.ok(reads() > 1);
  });

  it('A read by another caller restarts the interval', async () => {
    const { clock, asked, portfolio, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    await clock.advance(MINUTE / 2);
    await portfolio.refresh('manual', ['positions']);
    assert.equal(asked.positions, 2);
    await clock.advance(MINUTE - 1);
    assert.equal(asked.positions, 2);
    await clock.advance(1);
    assert.equal(asked.positions, 3);
  });

  it("A new owner's positions are read at once, also after failures for the last owner", async () => {
    const { clock, asked, fault, portfolio, coordinator } = setUp();
    fault.error = new Error('down');
    coordinator.show('positions');
    await clock.advance(MINUTE);
    fault.error = undefined;
    const before = asked.positions;
    portfolio.setOwner(OTHER_OWNER);
    await settledMicrotasks();
    assert.equal(asked.positions, before + 1);
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
    portfolio.setOwner(undefined);
    await clock.advance(10 * MINUTE);
    assert.equal(asked.positions, before + 1);
  });

  it('The pools of a new query are read at once', async () => {
    const { asked, portfolio, coordinator } = setUp();
    coordinator.show('pools');
    await settledMicrotasks();
    portfolio.setPoolQuery({ sortBy: 'tvl' });
    await settledMicrotasks();
    assert.equal(asked.pools, 2);
  });

  it('A manual refresh reads the lists that are shown, and the others once they are shown', async () => {
    const { clock, asked, coordinator } = setUp();
    const pools = coordinator.show('pools');
    coordinator.show('positions');
    await settledMicrotasks();
    pools.dispose();
    await coordinator.refreshNow('manual');
    assert.deepEqual([asked.positions, asked.pools], [2, 1]);
    coordinator.show('pools');
    await settledMicrotasks();
    assert.deepEqual([asked.positions, asked.pools], [2, 2]);
    await clock.advance(MINUTE - 1);
    assert.deepEqual([asked.positions, asked.pools], [2, 2]);
  });

  it('The interval can be changed, and invalid intervals are refused', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    coordinator.setInterval('positions', 10_000);
    await clock.advance(10_000);
    assert.equal(asked.positions, 2);
    for (const wrong of [0, -1, Number.NaN, Infinity]) {
      assert.throws(() => coordinator.setInterval('positions', wrong), RangeError);
    }
  });

  it('Intervals longer than a timer allows are kept', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    coordinator.setInterval('positions', 2 ** 32);
    await clock.advance(2 ** 32 - 1);
    assert.equal(asked.positions, 1);
    await clock.advance(1);
    assert.equal(asked.positions, 2);
  });

  it('The coordinator stops reading when the portfolio is disposed', async () => {
    const { clock, portfolio, coordinator } = setUp();
    portfolio.dispose();
    coordinator.show('positions');
    await clock.advance(3 * MINUTE);
    assert.equal(portfolio.snapshot.positionsState.kind, 'idle');
  });

  it('A disposed coordinator leaves no timer and reads nothing more', async () => {
    const { clock, asked, portfolio, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    coordinator.dispose();
    assert.equal(clock.timers, 0);
    portfolio.setOwner(OTHER_OWNER);
    coordinator.setFocused(false);
    coordinator.setFocused(true);
    await clock.advance(10 * MINUTE);
    assert.equal(asked.positions, 1);
    assert.equal(clock.timers, 0);
  });
});
