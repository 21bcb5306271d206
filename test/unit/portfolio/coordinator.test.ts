import assert from 'node:assert/strict';
import { RefreshCoordinator } from '../../../src/portfolio/coordinator';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { fakeService, FakeClock, OTHER_OWNER, OWNER, pageOf, pool, settledMicrotasks } from './fixtures';

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
      return answer({ items: [], oddities: [] });
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

describe('the refresh coordinator', () => {
  it('reads nothing while nothing shows it', async () => {
    const { clock, asked } = setUp();
    await clock.advance(60 * MINUTE);
    assert.deepEqual([asked.positions, asked.pools], [0, 0]);
    assert.equal(clock.timers, 0);
  });

  it('reads positions at once when they are shown, and then every minute', async () => {
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

  it('reads pools every five minutes, on their own demand', async () => {
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

  it('counts who shows a list, each once', async () => {
    const { clock, asked, coordinator } = setUp();
    const first = coordinator.show('positions');
    coordinator.show('positions');
    await settledMicrotasks();
    first.dispose();
    first.dispose();
    await clock.advance(MINUTE);
    assert.equal(asked.positions, 2);
  });

  it('does not read again just because a list is shown again', async () => {
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

  it('pauses without the focus, and catches up when it returns', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    coordinator.setFocused(false);
    await clock.advance(30 * MINUTE);
    assert.equal(asked.positions, 1);
    coordinator.setFocused(true);
    await settledMicrotasks();
    assert.equal(asked.positions, 2);
    coordinator.setFocused(false);
    coordinator.setFocused(true);
    await settledMicrotasks();
    assert.equal(asked.positions, 2);
  });

  it('reads once without the focus what was never read', async () => {
    const { clock, asked, coordinator } = setUp({ focused: false });
    coordinator.show('positions');
    await clock.advance(30 * MINUTE);
    assert.equal(asked.positions, 1);
  });

  it('reads one thing at a time', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    coordinator.show('pools');
    void coordinator.refreshNow('manual');
    await clock.advance(20 * MINUTE);
    assert.equal(asked.mostInFlight, 1);
    assert.ok(asked.positions >= 20 && asked.pools >= 4);
  });

  it('waits longer after each failure, and no longer after a success', async () => {
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

  it('spreads its tries after failures', async () => {
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

  it('leaves the service alone as long as it asks, for both lists, until somebody insists', async () => {
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

  it('counts what others read', async () => {
    const { clock, asked, portfolio, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    await clock.advance(MINUTE / 2);
    await portfolio.refresh('afterOperation', ['positions']);
    assert.equal(asked.positions, 2);
    await clock.advance(MINUTE - 1);
    assert.equal(asked.positions, 2);
    await clock.advance(1);
    assert.equal(asked.positions, 3);
  });

  it("reads a new owner's positions at once, whatever failed for the last one", async () => {
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

  it("reads a new query's pools at once", async () => {
    const { asked, portfolio, coordinator } = setUp();
    coordinator.show('pools');
    await settledMicrotasks();
    portfolio.setPoolQuery({ sortBy: 'tvl' });
    await settledMicrotasks();
    assert.equal(asked.pools, 2);
  });

  it('reads when asked what is shown, and the rest when it is shown', async () => {
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

  it('takes another interval', async () => {
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

  it('sleeps through intervals that no timer can hold', async () => {
    const { clock, asked, coordinator } = setUp();
    coordinator.show('positions');
    await settledMicrotasks();
    coordinator.setInterval('positions', 2 ** 32);
    await clock.advance(2 ** 32 - 1);
    assert.equal(asked.positions, 1);
    await clock.advance(1);
    assert.equal(asked.positions, 2);
  });

  it('does not run in circles when the portfolio has ended', async () => {
    const { clock, portfolio, coordinator } = setUp();
    portfolio.dispose();
    coordinator.show('positions');
    await clock.advance(3 * MINUTE);
    assert.equal(portfolio.snapshot.positionsState.kind, 'idle');
  });

  it('leaves nothing running when it ends', async () => {
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
