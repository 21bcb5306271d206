import assert from 'node:assert/strict';
import { CallLimit } from '../../../src/assistants/callLimit';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('Call limits', () => {
  it('More calls than the limit are refused until a minute has passed', () => {
    let now = HOUR_MS;
    const limit = new CallLimit(2, () => now);
    assert.deepEqual([limit.take(), limit.take(), limit.take()], [true, true, false]);
    now += MINUTE_MS - 1;
    assert.equal(limit.take(), false);
    now += 1;
    assert.equal(limit.take(), true);
  });

  it('After the clock is set back, calls are counted by the new time', () => {
    let now = 2 * HOUR_MS;
    const limit = new CallLimit(2, () => now);
    assert.deepEqual([limit.take(), limit.take()], [true, true]);
    now -= HOUR_MS;
    assert.deepEqual([limit.take(), limit.take(), limit.take()], [true, true, false]);
    now += MINUTE_MS;
    assert.equal(limit.take(), true);
  });
});
