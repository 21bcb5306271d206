import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HeartbeatMonitor } from '../../../../src/transactions/locks/claims';

const STALE_MS = 10_000;
const UPDATE_MS = 2_500;
const LOOK_MS = 250;
const FILE = 'claim';
const YEAR_MS = 31_536_000_000;

/** How far a clock is from true time, from a moment on. */
interface ClockSetting {
  readonly fromMs: number;
  readonly offsetMs: number;
}

const offset = fc.oneof(fc.integer({ min: -YEAR_MS, max: YEAR_MS }), fc.integer({ min: -30_000, max: 30_000 }), fc.constant(0));
const clock = fc.array(fc.record({ fromMs: fc.integer({ min: 0, max: 60_000 }), offsetMs: offset }), { maxLength: 4 });

function read(settings: readonly ClockSetting[], atMs: number): number {
  const last = settings
    .filter(({ fromMs }) => fromMs <= atMs)
    .sort((one, other) => one.fromMs - other.fromMs)
    .at(-1);
  return 1_800_000_000_000 + atMs + (last?.offsetMs ?? 0);
}

describe('locks: heartbeats', () => {
  it('The monitor never considers a holder dead that refreshes its lock, for any change of either clock', () => {
    fc.assert(
      fc.property(
        clock,
        clock,
        fc.array(fc.integer({ min: 1, max: 1.4 * UPDATE_MS }), { minLength: 20, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 6_000 }), { minLength: 1, maxLength: 200 }),
        (holders, ours, refreshes, looks) => {
          const signs = new HeartbeatMonitor({ staleMs: STALE_MS, updateMs: UPDATE_MS });
          // Refreshes go on for as long as looks do.
          const refreshedAt: number[] = [0];
          const endMs = looks.reduce((sum, ms) => sum + ms, 0);
          for (let index = 0; (refreshedAt.at(-1) ?? 0) < endMs; index += 1) {
            refreshedAt.push((refreshedAt.at(-1) ?? 0) + (refreshes[index % refreshes.length] ?? 1));
          }
          let atMs = 0;
          for (const stepMs of looks) {
            atMs += stepMs;
            const at = refreshedAt.filter((ms) => ms <= atMs).at(-1) ?? 0;
            // No two refreshes have the same time, as the file system counts more finely than a clock is set.
            const mtimeMs = read(holders, at) + at / 1e6;
            const state = signs.stateOf(FILE, mtimeMs, { wallMs: read(ours, atMs), steadyMs: atMs });
            assert.notEqual(state, 'dead', `at ${atMs} ms`);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('The monitor finds a holder dead within 24 seconds after its last refresh, also with a future time', () => {
    fc.assert(
      fc.property(offset, (holderOffsetMs) => {
        const signs = new HeartbeatMonitor({ staleMs: STALE_MS, updateMs: UPDATE_MS });
        const mtimeMs = read([], 0) + holderOffsetMs;
        let atMs = 0;
        while (signs.stateOf(FILE, mtimeMs, { wallMs: read([], atMs), steadyMs: atMs }) !== 'dead') {
          atMs += LOOK_MS;
          assert.ok(atMs <= 2 * STALE_MS + 1.5 * UPDATE_MS + LOOK_MS, `still not dead after ${atMs} ms`);
        }
        // No holder is given up sooner than a silent holder is.
        assert.ok(atMs >= 1.5 * UPDATE_MS);
      }),
      { numRuns: 500 },
    );
  });

  it('The monitor does not count the time during which the machine slept', () => {
    const signs = new HeartbeatMonitor({ staleMs: STALE_MS, updateMs: UPDATE_MS });
    const mtimeMs = read([], 0) - YEAR_MS;
    assert.equal(signs.stateOf(FILE, mtimeMs, { wallMs: read([], 0), steadyMs: 0 }), 'silent');
    // Some systems' steady clocks go on while the machine sleeps.
    assert.equal(signs.stateOf(FILE, mtimeMs, { wallMs: read([], 3_600_000), steadyMs: 3_600_000 }), 'silent');
  });

  it('The monitor notices another machine with a different clock at its first refresh', () => {
    const signs = new HeartbeatMonitor({ staleMs: STALE_MS, updateMs: UPDATE_MS });
    const aheadMs = 300_000;
    assert.equal(signs.stateOf(FILE, read([], 0) + aheadMs, { wallMs: read([], 0), steadyMs: 0 }), 'silent');
    assert.equal(signs.stateOf(FILE, read([], 2_000) + aheadMs, { wallMs: read([], 2_000), steadyMs: 2_000 }), 'alive');
    assert.equal(signs.stateOf(FILE, read([], 2_000) + aheadMs, { wallMs: read([], 4_000), steadyMs: 4_000 }), 'alive');
  });

  it('The monitor forgets the claims that are gone', () => {
    const signs = new HeartbeatMonitor({ staleMs: STALE_MS, updateMs: UPDATE_MS });
    const old = read([], 0) - YEAR_MS;
    const look = (atMs: number): string => signs.stateOf(FILE, old, { wallMs: read([], atMs), steadyMs: atMs });
    assert.equal(look(0), 'silent');
    assert.equal(look(2_000), 'silent');
    signs.forgetAllBut([]);
    assert.equal(look(4_000), 'silent');
    signs.forget(FILE);
    assert.equal(look(6_000), 'silent');
    assert.equal(look(8_000), 'silent');
    assert.equal(look(9_750), 'dead');
  });
});
